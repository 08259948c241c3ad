package general_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/generated/general"
)

// TestDropped leaves caches without Release: they are counted, each keeps no more
// than its bins do, everything else serves others, and Close finds nothing wrong.
func TestDropped(t *testing.T) {
	var h general.Heap
	const dropped = 5
	for range dropped {
		c := h.Acquire()
		var live [][]byte
		for range 1000 {
			live = append(live, c.Alloc(1000))
		}
		for _, b := range live {
			c.Free(b)
		}
	}
	runtime.GC()
	stats := h.Stats()
	require.Equal(t, dropped, stats.Caches)
	for _, s := range stats.Classes {
		require.LessOrEqual(t, s.Used, int64(dropped*64), "of %d bytes", s.Size)
	}
	c := h.Acquire()
	for range 1000 {
		c.Alloc(1000)
	}
	require.LessOrEqual(t, h.Stats().Taken, int64(3<<20), "what the dropped gave back does not serve others")
	require.ErrorContains(t, h.Close(), "live blocks: 1000 of 1008 bytes", "those of the dropped are none")
}

// TestFreeAfterRelease: the order of deferred calls does not matter, whoever has
// the released cache's blocks by then.
func TestFreeAfterRelease(t *testing.T) {
	var h general.Heap
	var group sync.WaitGroup
	for id := range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 2000 {
				func() {
					c := h.Acquire()
					b, large := c.Alloc(64+id), c.Alloc(2*threshold)
					defer func() { c.BinOf(address(b)).Free(address(b)) }()
					defer c.Free(large)
					b[0], large[0] = byte(id), byte(id)
					late := c.Alloc(100)
					defer func() { // after Release
						c.Free(late)
						requirePanicOf(t, "use of released HeapCache", func() { c.Alloc(1) })
					}()
					defer c.Release()
					if b[0] != byte(id) || large[0] != byte(id) {
						t.Error("a block has two owners")
					}
				}()
			}
		}()
	}
	group.Wait()
	for _, s := range h.Stats().Classes {
		require.Zero(t, s.Used, "of %d bytes", s.Size)
	}
	require.NoError(t, h.Close())
}

// requirePanicOf is requirePanic for goroutines other than the test's.
func requirePanicOf(t *testing.T, text string, f func()) {
	if got, _ := panicOf(f).(string); !strings.Contains(got, text) {
		t.Errorf("panic with %q, not with %q", got, text)
	}
}

// TestGoroutinesThatEnd has goroutines that only allocate, that only free, and that
// do both, each with a cache for a moment: nothing of them stays.
func TestGoroutinesThatEnd(t *testing.T) {
	var h general.Heap
	work := make(chan unsafe.Pointer, 1000)
	var group sync.WaitGroup
	gate := make(chan bool, 50) // at a time
	for i := range 20000 {
		gate <- true
		group.Add(1)
		go func() {
			defer func() { <-gate; group.Done() }()
			c := h.Acquire()
			defer c.Release()
			switch i % 4 {
			case 0: // allocates, and ends with a full cache
				c.Free(c.Alloc(3000))
				select {
				case work <- c.Bin(100).Alloc():
				default:
				}
			case 1: // frees
				select {
				case p := <-work:
					c.BinOf(p).Free(p)
				default:
				}
			case 2:
				c.Free(c.Alloc(1 + i%threshold))
			case 3: // without a cache
				h.Free(h.Alloc(100))
			}
		}()
	}
	group.Wait()
	stats := h.Stats()
	require.Zero(t, stats.Caches)
	require.LessOrEqual(t, stats.Taken-stats.Released, int64(64<<20))
	for len(work) > 0 {
		p := <-work
		h.Free(unsafe.Slice((*byte)(p), 1))
	}
	close(work)
	h.Close()
}

// TestClosedTwice: a heap that was never used, and one that was, close as often as
// anyone likes; their address space is no one's then.
func TestClosedTwice(t *testing.T) {
	var unused, used general.Heap
	used.Free(used.Alloc(1))
	for range 3 {
		require.NoError(t, unused.Close())
		require.NoError(t, used.Close())
	}
	requirePanic(t, "use of closed Heap", func() { unused.Acquire() })
	requirePanic(t, "use of closed Heap", func() { used.Acquire() })
	require.Zero(t, used.Stats().Taken)
}
