package own

import (
	"runtime"
	"strings"
	"sync"
	"testing"
)

// collected reports whether the GC takes x once this returns.
func collected(t *testing.T, x *node) func() bool {
	t.Helper()
	gone := make(chan bool, 1)
	runtime.SetFinalizer(x, func(*node) { gone <- true })
	return func() bool {
		for i := 0; i < 5; i++ {
			runtime.GC()
			select {
			case <-gone:
				return true
			default:
				runtime.Gosched()
			}
		}
		return false
	}
}

// TestZero: an object that was Put comes back, and is zero.
func TestZero(t *testing.T) {
	var p nodes
	x := p.Get()
	x.left, x.key = new(node), 7
	p.Put(x)
	if y := p.Get(); y != x || y.left != nil || y.key != 0 {
		t.Errorf("got %p %+v, put %p", y, y, x)
	}
}

// TestLIFO: the object put last comes first, from anywhere.
func TestLIFO(t *testing.T) {
	var p nodes
	a, b, made := p.Get(), p.Get(), new(node)
	for _, x := range []*node{a, b, made} {
		p.Put(x)
	}
	for _, want := range []*node{made, b, a} {
		if x := p.Get(); x != want {
			t.Errorf("got %p, want %p", x, want)
		}
	}
}

// TestHooks: init on new objects, reset on Put, keep before it.
func TestHooks(t *testing.T) {
	var p Hooked
	x := p.Get()
	if x.key != 42 {
		t.Fatalf("init did not run: %+v", x)
	}
	x.used, x.left = 3, x
	p.Put(x)
	if y := p.Get(); y != x || y.used != 3 || y.left != nil || y.key != 0 {
		t.Errorf("not as reset left it: %p %+v", y, y)
	}
	x.key = 1000
	p.Put(x)
	if x.key != 1000 {
		t.Error("reset ran on an object that keep refused")
	}
	for range [100]int{} {
		if p.Get() == x {
			t.Fatal("keep refused it, and Get returned it")
		}
	}
	var q byFunc
	y := q.Get()
	q.Put(y)
	if y.key != -1 {
		t.Error("the function did not run")
	}
}

// TestReentrant: the user's own code may use the list.
func TestReentrant(t *testing.T) {
	var p nodes
	var free func(n *node)
	free = func(n *node) {
		if n != nil {
			l, r := n.left, n.right
			p.Put(n)
			free(l)
			free(r)
		}
	}
	for round := 0; round < 2; round++ { // the first shows how much room it takes
		root := p.Get()
		root.grow(&p, 8)
		free(root)
	}
	if n := p.Trim(); n != 511 {
		t.Errorf("%d objects, put 511", n)
	}
}

// TestPanics: a hook that panics leaves the list usable and the lock open.
func TestPanics(t *testing.T) {
	var p byFunc
	x := p.Get()
	x.key = 13
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		p.Put(x)
	}()
	if p.Get() == x {
		t.Error("kept what was not reset")
	}
	p.Put(nil)
}

// TestDepth: what is over the depth is left to the GC.
func TestDepth(t *testing.T) {
	var p Locked
	var held [10]*node
	for i := range held {
		held[i] = p.Get()
	}
	last := held[9]
	for _, x := range held {
		p.Put(x)
	}
	if x := p.Get(); x == last {
		t.Error("kept over the depth")
	}
	if n := p.Trim(); n != 2 {
		t.Errorf("%d left of 3 after a Get", n)
	}
}

// TestRoom: a list learns how many objects come to it, also those of others.
func TestRoom(t *testing.T) {
	var from, to nodes
	for round := 0; round < 2; round++ {
		to.Get()
		for i := 0; i < 100; i++ {
			to.Put(from.Get())
		}
		if n := to.Trim(); (n == 100) != (round == 1) {
			t.Errorf("round %d: %d of 100 objects kept", round, n)
		}
	}
}

// TestNothingPinned: a free list keeps no object reachable that was taken from
// it, once it ran empty or was trimmed.
func TestNothingPinned(t *testing.T) {
	var p nodes
	for name, let := range map[string]func(){
		"trimmed":   func() { p.Trim() },
		"ran empty": func() { p.Get() },
	} {
		gone := func() func() bool {
			x := p.Get()
			gone := collected(t, x)
			p.Put(x)
			if p.Get() != x {
				t.Error("another one came")
			}
			return gone
		}()
		let()
		if !gone() {
			t.Errorf("%s: still pinned", name)
		}
	}
	runtime.KeepAlive(&p)
}

// TestCachePinsNothing: a cache keeps none reachable either, once it was flushed,
// whatever else is in it.
func TestCachePinsNothing(t *testing.T) {
	for kept := 0; kept < 70; kept++ {
		var p Cached
		c := p.Lend()
		gone := func() func() bool {
			var held [70]*node
			for i := range held {
				held[i] = c.Take()
			}
			last := held[len(held)-1]
			gone := collected(t, last)
			held[kept%len(held)], held[len(held)-1] = last, held[kept%len(held)]
			for i := 0; i <= kept; i++ {
				c.Give(held[i])
			}
			if c.Take() != last {
				t.Error("another one came")
			}
			return gone
		}()
		c.Flush()
		if !gone() {
			t.Fatalf("%d others: still pinned", kept)
		}
		runtime.KeepAlive(c)
	}
}

// TestCacheRelease: released, a cache still takes objects, and no more.
func TestCacheRelease(t *testing.T) {
	var p Cached
	c := p.Lend()
	x, y := c.Take(), c.Take()
	c.Give(x)
	c.Flush()
	if p.Take() != x {
		t.Error("Flush did not hand over")
	}
	c.Release()
	c.Give(y)
	if p.Take() != y {
		t.Error("a released cache lost an object")
	}
	for name, f := range map[string]func(){
		"Take of a released":    func() { c.Take() },
		"Release of a released": func() { c.Release() },
		"Flush of a released":   func() { c.Flush() },
		"Take of no":            func() { new(CachedCache).Take() },
		"Give of no":            func() { new(CachedCache).Give(x) },
	} {
		func() {
			defer func() {
				text, _ := recover().(string)
				if !strings.HasPrefix(text, "own: CachedCache.") || !strings.Contains(text, "CachedCache") {
					t.Errorf("%s cache: panic %q", name, text)
				}
			}()
			f()
			t.Errorf("%s cache: no panic", name)
		}()
	}
}

// TestCachesShare: a goroutine that only takes and one that only gives live from
// each other's objects.
func TestCachesShare(t *testing.T) {
	var p Cached
	moving := make(chan *node)
	seen := map[*node]bool{}
	var done sync.WaitGroup
	done.Add(1)
	go func() {
		defer done.Done()
		c := p.Lend()
		defer c.Release()
		for x := range moving {
			c.Give(x)
		}
	}()
	c := p.Lend()
	defer c.Release()
	for i := 0; i < 100000; i++ {
		x := c.Take()
		seen[x] = true
		moving <- x
	}
	close(moving)
	done.Wait()
	if len(seen) > 300 {
		t.Errorf("%d objects were made for two caches of 64", len(seen))
	}
}

// TestGenerics: free lists of instances, from code that is generic itself.
func TestGenerics(t *testing.T) {
	var p entries[string, int]
	roundTrip(t, &p, "k")
	c := new(Shared[int, string]).Acquire()
	e := c.Get()
	e.key = 3
	c.Put(e)
	if e.key != 0 {
		t.Error("not reset")
	}
}

func roundTrip[K comparable, V any](t *testing.T, p *entries[K, V], key K) {
	e := p.Get()
	e.key = key
	p.Put(e)
	var zero K
	if f := p.Get(); f != e || f.key != zero {
		t.Errorf("got %p %v, put %p", f, f.key, e)
	}
}
