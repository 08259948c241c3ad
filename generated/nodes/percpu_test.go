package nodes

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// A census counts objects that were made, and those that the GC took.
type census struct {
	mu         sync.Mutex
	live       map[uintptr]bool
	made, gone int
}

// see counts x when it is new. The GC runs a finalizer before it gives an address
// to another object.
func (c *census) see(x *Node) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := uintptr(unsafe.Pointer(x))
	if c.live[at] {
		return
	}
	if c.live == nil {
		c.live = map[uintptr]bool{}
	}
	c.live[at] = true
	c.made++
	runtime.SetFinalizer(x, func(*Node) {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.live, at)
		c.gone++
	})
}

func (c *census) counts() (made, live int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.made, len(c.live)
}

// settles waits until at most so many objects are live.
func (c *census) settles(t *testing.T, most int, why string) {
	t.Helper()
	require.Eventually(t, func() bool {
		runtime.GC()
		_, live := c.counts()
		return live <= most
	}, 20*time.Second, time.Millisecond, why)
}

// setPs changes GOMAXPROCS until the test is over.
func setPs(t *testing.T, n int) {
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// mostFree is how many free objects a list may have.
func mostFree() int { return perCPUDepth + runtime.GOMAXPROCS(0)*perCPUCached }

// TestPerCPUOwners has many more goroutines than Ps stamp what they have, while Ps
// come and go, free objects are let go, and the GC runs: no object has two owners.
func TestPerCPUOwners(t *testing.T) {
	const goroutines, rounds = 3000, 100
	setPs(t, 4)
	var p PerCPU
	var wrong atomic.Int64
	var done sync.WaitGroup
	for g := int64(1); g <= goroutines; g++ {
		done.Add(1)
		go func() {
			defer done.Done()
			var held [3]*Node
			for n := 0; n < rounds; n++ {
				for i := range held {
					held[i] = p.Get()
					if atomic.SwapInt64(&held[i].Key, g) != 0 {
						wrong.Add(1)
					}
				}
				if n%16 == 0 {
					runtime.Gosched()
				}
				for _, x := range held {
					if atomic.LoadInt64(&x.Key) != g {
						wrong.Add(1)
					}
					p.Put(x)
				}
			}
		}()
	}
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			runtime.GOMAXPROCS([]int{1, 13, 2, 5}[n%4])
			if n%3 == 0 {
				p.Trim()
			}
			if n%20 == 0 {
				runtime.GC()
			}
			runtime.Gosched()
		}
	}()
	done.Wait()
	close(stop)
	<-stopped
	require.Zero(t, wrong.Load())
	require.LessOrEqual(t, p.Trim(), perCPUDepth+13*perCPUCached)
	require.Zero(t, p.Trim())
}

// spreadUses is how many objects spread uses at once, at most: the depth has room
// for them.
const spreadUses = 26 * 30

// spread has goroutines on many Ps take and give back.
func spread(p *PerCPU, c *census) {
	var done sync.WaitGroup
	for g := 0; g < spreadUses/30; g++ {
		done.Add(1)
		go func() {
			defer done.Done()
			var held [30]*Node
			for n := 0; n < 20; n++ {
				for i := range held {
					held[i] = p.Get()
					c.see(held[i])
				}
				runtime.Gosched()
				for _, x := range held {
					p.Put(x)
				}
			}
		}()
	}
	done.Wait()
}

// keeps is how many free objects Ps from one on keep while nobody uses the list.
func keeps(p *PerCPU, from int) int {
	p.cpu.pin()
	defer p.cpu.unpin()
	n := uint(0)
	if all := p.locals.Load(); all != nil {
		for i := from; i < len(*all); i++ {
			n += (*all)[i].n
		}
	}
	return int(n)
}

// TestPerCPUShrinks: what Ps keep that are gone is the GC's as soon as an object
// has to be made, and after Trim; nothing else is lost.
func TestPerCPUShrinks(t *testing.T) {
	for name, let := range map[string]func(p *PerCPU, c *census){
		"an object was made": func(p *PerCPU, c *census) {
			before, _ := c.counts()
			for made := before; made == before; made, _ = c.counts() {
				c.see(p.Get())
			}
		},
		"Trim": func(p *PerCPU, _ *census) { p.Trim() },
	} {
		t.Run(name, func(t *testing.T) {
			setPs(t, 1)
			var p PerCPU
			var c census
			spread(&p, &c)
			runtime.GOMAXPROCS(13)
			if p.cpu.count() == 13 {
				require.Eventually(t, func() bool {
					spread(&p, &c)
					return keeps(&p, 2) > 100
				}, 20*time.Second, time.Millisecond)
			}
			require.Eventually(t, func() bool { // in the end none is lost
				before, _ := c.counts()
				for n := 0; n < 20; n++ {
					spread(&p, &c)
				}
				after, _ := c.counts()
				return before == after
			}, 20*time.Second, time.Millisecond)
			made, _ := c.counts() // as many as may be in use and kept, and those lost while it learned how many
			require.LessOrEqual(t, made, 2*(spreadUses+13*perCPUCached))
			runtime.GOMAXPROCS(2)
			let(&p, &c)
			if all := p.locals.Load(); all != nil {
				require.LessOrEqual(t, len(*all), 2)
			}
			c.settles(t, int(p.n)+keeps(&p, 0), "free objects of Ps that are gone")
			spread(&p, &c)
			runtime.KeepAlive(&p)
		})
	}
}

// TestPerCPUProducer: a goroutine that only Gets and one that only Puts live from
// each other's objects, whichever Ps they run on.
func TestPerCPUProducer(t *testing.T) {
	for _, ps := range []int{1, 2, 8} {
		setPs(t, ps)
		var p PerCPU
		var c census
		moving := make(chan *Node, 64)
		done := make(chan bool)
		go func() {
			defer close(done)
			for x := range moving {
				p.Put(x)
			}
		}()
		var after [2]int
		for half := range after {
			for n := 0; n < 50000; n++ {
				x := p.Get()
				c.see(x)
				moving <- x
			}
			after[half], _ = c.counts()
		}
		close(moving)
		<-done
		most := ps*perCPUCached + cap(moving) + 2*perCPUCached
		require.LessOrEqual(t, after[0], most, "%d Ps: objects made", ps)
		require.LessOrEqual(t, after[1]-after[0], ps*perCPUCached/2, "%d Ps: made of late", ps)
		require.LessOrEqual(t, p.Trim(), after[1])
	}
}

// TestPerCPUPutOnly: a list that nobody Gets from keeps what its Ps do.
func TestPerCPUPutOnly(t *testing.T) {
	setPs(t, 2)
	var p PerCPU
	for n := 0; n < 10000; n++ {
		p.Put(&Node{})
	}
	require.LessOrEqual(t, p.Trim(), 2*perCPUCached)
}

// TestPerCPUDepth: a list keeps no more than its depth and what its Ps do.
func TestPerCPUDepth(t *testing.T) {
	setPs(t, 2)
	var p PerCPU
	for round := 0; round < 3; round++ {
		var held [3 * perCPUDepth]*Node
		for i := range held {
			held[i] = p.Get()
		}
		for _, x := range held {
			p.Put(x)
		}
	}
	kept := p.Trim()
	require.GreaterOrEqual(t, kept, perCPUDepth)
	require.LessOrEqual(t, kept, mostFree())
}

// TestPerCPUMoved: between a slow path's steps others may have filled the P, or the
// goroutine be on another. No object is lost then.
func TestPerCPUMoved(t *testing.T) {
	setPs(t, 1)
	var p PerCPU
	for n := 0; n < 4; n++ {
		p.Get() // makes room in the stock
	}
	for n := 0; n < perCPUCached; n++ {
		p.Put(&Node{})
	}
	for n := 0; n < 3*perCPUCached/4; n++ {
		p.add(&Node{})
	}
	require.Equal(t, []int{perCPUCached, 3 * perCPUCached / 4}, []int{keeps(&p, 0), int(p.n)})
	require.NotNil(t, p.refill())
	require.Equal(t, []int{perCPUCached, 3*perCPUCached/4 - 1}, []int{keeps(&p, 0), int(p.n)}, "the P was full")

	for n := 0; n < 20; n++ {
		p.Get()
	}
	p.spill(&Node{})
	require.Equal(t, []int{perCPUCached - 19, 3*perCPUCached/4 - 1}, []int{keeps(&p, 0), int(p.n)}, "the P had room")
}

// TestPerCPUPinsNothing: no object that was taken stays reachable.
func TestPerCPUPinsNothing(t *testing.T) {
	setPs(t, 1)
	var p PerCPU
	var c census
	var held [100]*Node
	for round := 0; round < 2; round++ { // the first shows how much room it takes
		for i := range held {
			held[i] = p.Get()
			c.see(held[i])
		}
		for i, x := range held {
			p.Put(x)
			held[i] = nil
		}
	}
	require.Equal(t, len(held), int(p.n)+keeps(&p, 0))
	for range held {
		p.Get() // and forgotten
	}
	require.Zero(t, int(p.n)+keeps(&p, 0))
	c.settles(t, 0, "objects that were taken")
	runtime.KeepAlive(&p)
}

// TestPerCPUAway: what two Ps write is in different cache lines, wherever Go puts it.
func TestPerCPUAway(t *testing.T) {
	var l perCPULocal
	used := unsafe.Offsetof(l.slots) + unsafe.Sizeof(l.slots)
	require.Zero(t, unsafe.Sizeof(l)%128)
	require.Greater(t, unsafe.Sizeof(l), used)
	var p PerCPU
	require.GreaterOrEqual(t, unsafe.Offsetof(p.mu)-unsafe.Offsetof(p.locals), uintptr(128))
}
