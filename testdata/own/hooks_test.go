package own

import (
	"math/rand"
	"runtime"
	"testing"
)

// hooking is a free list of wild, and a model of it.
type hooking struct {
	t      *testing.T
	random *rand.Rand
	list   interface {
		Get() *wild
		Put(*wild)
	}
	trim  func() int
	flush func()
	sound func() bool // slots are as they should be

	held []*wild        // from Get, not Put
	dead map[*wild]bool // being Put, or left to the GC
	out  map[*wild]bool
	back map[*wild]bool // reset, free to come again
	deep int            // hooks that run

	again int // objects that came again
}

// act does something, also from within hooks.
func (h *hooking) act() {
	switch n := h.random.Intn(20); {
	case n < 9:
		h.get()
	case n < 18 && len(h.held) > 0:
		h.put()
	case n == 18:
		h.trim()
	case n == 19:
		h.flush()
	}
}

func (h *hooking) get() {
	x := h.list.Get()
	if x == nil || h.out[x] || h.dead[x] {
		h.t.Fatalf("got %p: out %v, dead %v", x, h.out[x], h.dead[x])
	}
	if h.back[x] {
		h.again++
	}
	h.out[x] = true
	h.held = append(h.held, x)
}

// put gives one of the last objects back; one that does not arrive is dead.
func (h *hooking) put() {
	i := len(h.held) - 1 - h.random.Intn(min(4, len(h.held)))
	x := h.held[i]
	h.held = append(h.held[:i], h.held[i+1:]...)
	delete(h.out, x)
	h.dead[x] = true // until reset is through
	h.list.Put(x)
}

// hook is what a hook does: often nothing, or as much as anyone, or it ends.
func (h *hooking) hook() {
	if h.deep > 3 {
		return
	}
	h.deep++
	defer func() { h.deep-- }()
	for h.random.Intn(3) == 0 {
		h.act()
	}
	switch h.random.Intn(12) {
	case 0:
		panic("hook")
	case 1:
		runtime.Goexit()
	}
}

// TestWildHooks has hooks use the list that calls them, panic, and end their
// goroutine: no object is out twice or comes back when a hook has not let it, no
// lock stays closed, and all slots are as they should be.
func TestWildHooks(t *testing.T) {
	lists := map[string]func(h *hooking){
		"none": func(h *hooking) {
			p := new(wilds)
			h.list, h.trim, h.flush = p, p.Trim, func() {}
			h.sound = func() bool { return soundSlots(p.slots, p.n, false) }
		},
		"mutex": func(h *hooking) {
			p := new(lockedWilds)
			h.list, h.trim, h.flush = p, p.Trim, func() {}
			h.sound = func() bool { return soundSlots(p.slots, p.n, true) && p.mu.TryLock() && open(p.mu.Unlock) }
		},
		"pool": func(h *hooking) {
			p := new(cachedWilds)
			c := p.Acquire()
			h.list, h.trim, h.flush = p, p.Trim, c.Flush
			h.sound = func() bool { return soundSlots(p.slots, p.n, true) && p.mu.TryLock() && open(p.mu.Unlock) }
		},
		"cache": func(h *hooking) {
			p := new(cachedWilds)
			c := p.Acquire()
			h.list, h.trim, h.flush = c, p.Trim, c.Flush
			h.sound = func() bool {
				return soundSlots(p.slots, p.n, true) && soundSlots(c.slots, c.n, false) && p.mu.TryLock() && open(p.mu.Unlock)
			}
		},
		"percpu": func(h *hooking) {
			p := new(pinnedWilds)
			h.list, h.trim, h.flush = p, p.Trim, func() {}
			h.sound = func() bool {
				return soundSlots(p.slots, p.n, true) && p.soundLocals() && p.mu.TryLock() && open(p.mu.Unlock)
			}
		},
	}
	defer func(i, r func(*wild), k func(*wild) bool) { onInit, onReset, onKeep = i, r, k }(onInit, onReset, onKeep)
	for name, open := range lists {
		again := 0
		for seed := int64(0); seed < 30; seed++ {
			h := &hooking{t: t, random: rand.New(rand.NewSource(seed)), dead: map[*wild]bool{}, out: map[*wild]bool{}, back: map[*wild]bool{}}
			open(h)
			onInit = func(x *wild) { h.hook() }
			onKeep = func(x *wild) bool { h.hook(); return h.random.Intn(8) != 0 }
			onReset = func(x *wild) { h.hook(); delete(h.dead, x); h.back[x] = true }
			for step := 0; step < 500; step++ {
				done := make(chan bool)
				go func() {
					defer close(done)
					defer func() {
						if v := recover(); v != nil && v != "hook" {
							t.Errorf("%s, seed %d: %v", name, seed, v)
						}
					}()
					h.act()
				}()
				<-done
				if t.Failed() || !h.sound() {
					t.Fatalf("%s, seed %d, step %d: not sound", name, seed, step)
				}
			}
			again += h.again
		}
		if again < 1000 {
			t.Errorf("%s: objects came again %d times", name, again)
		}
	}
}

// soundLocals reports whether what each P keeps is sound.
func (p *pinnedWilds) soundLocals() bool {
	p.cpu.pin() // a mutex, where that takes its place: held by nobody
	defer p.cpu.unpin()
	if all := p.locals.Load(); all != nil {
		for _, l := range *all {
			if !soundSlots(l.slots[:], l.n, true) {
				return false
			}
		}
	}
	return true
}

// open calls what opens a lock.
func open(unlock func()) bool { unlock(); return true }

// soundSlots reports whether the first n slots are full and no others, or, where
// Get leaves them as they were, the empty ones behind all others.
func soundSlots(free []*wild, n uint, clean bool) bool {
	used := n
	for used < uint(len(free)) && free[used] != nil {
		used++
	}
	for i, x := range free {
		if (x != nil) != (uint(i) < used) {
			return false
		}
	}
	return n <= uint(len(free)) && (!clean || used == n)
}
