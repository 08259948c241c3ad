package general_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/generated/general"
)

// TestFreedTwice frees a block twice by each form. It is found when the block
// goes back, wherever that is, in Go memory at once; afterwards the heap is as it
// should be.
func TestFreedTwice(t *testing.T) {
	frees := map[string]func(*general.HeapCache, []byte){
		"one-step": func(c *general.HeapCache, b []byte) { c.Free(b) },
		"two-step": func(c *general.HeapCache, b []byte) { c.BinOf(address(b)).Free(address(b)) },
		"sized":    func(c *general.HeapCache, b []byte) { c.Bin(len(b)).Free(address(b)) },
	}
	for name, free := range frees {
		for _, size := range []int{1, 100, 1280, threshold} {
			var h general.Heap
			c := h.Acquire()
			other := c.Alloc(size) // its span stays in use

			for range 2 {
				b := c.Alloc(size)
				requirePanic(t, "block freed twice", func() {
					free(c, b)
					free(c, b)
					c.Flush()
				})
				c.Flush() // It was one block: nothing else is wrong with the cache.
			}

			c.Free(other)
			c.Release()
			require.NoError(t, h.Close(), "%s of %d bytes", name, size)
		}
	}
}

// TestInsideNoBlock frees an address where a large block was. None is there now.
func TestInsideNoBlock(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	b := c.Alloc(4 * poolSize)
	c.Free(b)
	requirePanic(t, "not a block of this heap", func() { c.Free(b[poolSize:]) })
	require.NoError(t, h.Close())
}

// TestFreedTwiceAcrossCaches frees a block through two caches.
func TestFreedTwiceAcrossCaches(t *testing.T) {
	var h general.Heap
	one, two := h.Acquire(), h.Acquire()
	b := one.Alloc(64)
	one.Free(b)
	requirePanic(t, "freed", func() {
		two.Free(b)
		one.Flush()
		two.Flush()
	})
	require.NoError(t, h.Close())
}

// TestInterior frees addresses inside blocks of every kind: beside the start,
// at the next class's step.
func TestInterior(t *testing.T) {
	for _, size := range []int{32, 48, 1024, 1280, 3584, threshold} {
		var h general.Heap
		c := h.Acquire()
		b := c.Alloc(size)
		for _, at := range []int{1, 8, 16, size / 2, size - 1} {
			requirePanic(t, "an address inside a block", func() {
				c.Free(b[at:])
				c.Flush()
			})
		}
		c.Free(b)
		c.Release()
		require.NoError(t, h.Close(), "%d bytes", size)
	}

	var h general.Heap
	c := h.Acquire()
	large := c.Alloc(4 * poolSize)
	for _, at := range []int{1, 16, poolSize, 3*poolSize + 1} {
		requirePanic(t, "inside a large block", func() { c.Free(large[at:]) })
		requirePanic(t, "inside a large block", func() { h.Free(large[at:]) })
	}
	c.Free(large)
	require.NoError(t, h.Close())
}

// TestWrongSize frees blocks by the bin of another size.
func TestWrongSize(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	small, large := c.Alloc(64), c.Alloc(2*threshold)
	for _, b := range [][]byte{small, large} {
		for _, wrong := range []int{1, 65, threshold} {
			requirePanic(t, "not a block of this class", func() {
				c.Bin(wrong).Free(address(b))
				c.Flush()
			})
		}
	}
	c.Free(small)
	c.Free(large)
	require.NoError(t, h.Close())
}

var global [64]byte

// TestForeign frees memory that no heap, or another heap, handed out: it is
// named at once.
func TestForeign(t *testing.T) {
	var h, other general.Heap
	c := h.Acquire()
	theirs := other.Alloc(64)
	var local [64]byte
	grown := append(c.Alloc(64), 1)
	for _, b := range [][]byte{theirs, global[:], local[:], grown, make([]byte, 1<<20)} {
		requirePanic(t, "grown by append?", func() { c.Free(b) })
		requirePanic(t, "grown by append?", func() { h.Free(b) })
		requirePanic(t, "grown by append?", func() { c.BinOf(address(b)).Free(address(b)) })
	}
	require.ErrorContains(t, h.Close(), "live blocks: 1 of 64 bytes")
	other.Free(theirs)
	require.NoError(t, other.Close())
}

// TestReleased uses a cache after its Release.
func TestReleased(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	small, odd, large := c.Alloc(64), c.Alloc(64), c.Alloc(2*threshold)
	c.Release()
	for name, f := range map[string]func(){
		"nothing": func() { c.Alloc(0) },
		"small":   func() { c.Alloc(64) },
		"large":   func() { c.Alloc(2 * threshold) },
		"bin":     func() { c.Bin(64).Alloc() },
		"largest": func() { c.Bin(2 * threshold) },
		"flush":   c.Flush,
		"release": c.Release,
	} {
		t.Run(name, func(t *testing.T) { requirePanic(t, "use of released HeapCache", f) })
	}
	// Frees pass through, so that nothing waits for a Flush that cannot come.
	requirePanic(t, "an address inside a block", func() { c.Free(small[1:]) })
	requirePanic(t, "grown by append?", func() { c.Free(global[:]) })
	c.Free(small)
	requirePanic(t, "block freed twice", func() { c.Free(small) })
	c.Bin(64).Free(address(odd))
	c.Free(large)
	c.Free(nil)
	for _, s := range h.Stats().Classes {
		require.Zero(t, s.Used)
	}
	require.NoError(t, h.Close())
}

// TestReleasedStaysReleased holds the same for a handle whose Release lies
// before another goroutine's Acquire: what Acquire lends is not the old handle's to use.
func TestReleasedStaysReleased(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	c.Release()
	h.Acquire()
	requirePanic(t, "use of released HeapCache", func() { c.Alloc(64) })
	require.NoError(t, h.Close())
}

// TestClosed uses a heap, its caches and its bins after Close.
func TestClosed(t *testing.T) {
	var h general.Heap
	c, released := h.Acquire(), h.Acquire()
	released.Release()
	small, large := c.Alloc(64), c.Alloc(2*threshold)
	p := address(small)
	kept, full := c.Bin(64), c.Bin(32)
	for range 10 {
		full.Free(full.Alloc())
	}
	require.EqualError(t, h.Close(), "general: Heap.Close: live blocks: 1 of 64 bytes, 1 large")
	for name, f := range map[string]func(){
		"alloc":           func() { h.Alloc(64) },
		"alloc nothing":   func() { h.Alloc(0) },
		"acquire":         func() { h.Acquire() },
		"cache":           func() { c.Alloc(64) },
		"cache large":     func() { c.Alloc(2 * threshold) },
		"cache nothing":   func() { c.Alloc(0) },
		"cache free":      func() { c.Free(small) },
		"cache free big":  func() { c.Free(large) },
		"cache foreign":   func() { c.Free(global[:]) },
		"flush":           c.Flush,
		"release":         c.Release,
		"bin":             func() { c.Bin(64).Alloc() },
		"bin large":       func() { c.Bin(2 * threshold) },
		"bin free":        func() { c.BinOf(p).Free(p) },
		"sized free":      func() { c.Bin(64).Free(p) },
		"kept alloc":      func() { kept.Alloc() },
		"kept free":       func() { kept.Free(p) },
		"filled bin":      func() { full.Alloc() },
		"released alloc":  func() { released.Alloc(64) },
		"released free":   func() { released.Free(small) },
		"another's alloc": func() { done := make(chan any); go func() { done <- panicOf(func() { h.Alloc(1) }) }(); panic(<-done) },
	} {
		t.Run(name, func(t *testing.T) { requirePanic(t, "use of closed Heap", f) })
	}
	t.Run("free", func(t *testing.T) {
		requirePanic(t, "Heap.Free: use of closed Heap", func() { h.Free(small) })
	})
	c.Free(nil)
	require.NoError(t, h.Close(), "a second Close has nothing to do")
}

// TestClosedStats reads the numbers of a closed heap. Every call panics after
// Close, says its comment; if this one does not, then it knows that nothing is left.
func TestClosedStats(t *testing.T) {
	var h general.Heap
	h.Free(h.Alloc(1))
	require.NoError(t, h.Close())
	var stats general.HeapStats
	if v := panicOf(func() { stats = h.Stats() }); v != nil {
		require.Contains(t, v, "use of closed Heap")
	}
	require.Zero(t, stats.Taken, "memory that was given back is not taken")
	require.Zero(t, stats.Reserved)
}

// TestCloseUnused closes a heap that never opened: it stays closed.
func TestCloseUnused(t *testing.T) {
	var h general.Heap
	require.NoError(t, h.Close())
	require.NoError(t, h.Close())
	requirePanic(t, "use of closed Heap", func() { h.Alloc(1) })
	requirePanic(t, "use of closed Heap", func() { h.Acquire() })
}

// TestCloseNamesLiveBlocks counts what was not freed by class; blocks that are
// free in some cache, or in the depot, are not live.
func TestCloseNamesLiveBlocks(t *testing.T) {
	var h general.Heap
	c, d := h.Acquire(), h.Acquire()
	for i, n := range []int{1, 16, 17, 1280, 1281, threshold, threshold + 1, 10 * threshold} {
		b := c.Alloc(n)
		h.Alloc(n)
		if i%2 == 0 {
			d.Free(b)
		}
	}
	for range 1000 {
		d.Free(c.Alloc(100))
	}
	require.EqualError(t, h.Close(), "general: Heap.Close: live blocks: "+
		"3 of 16 bytes, 1 of 32 bytes, 2 of 1280 bytes, 1 of 1536 bytes, 2 of 32768 bytes, 3 large")
}

// TestFreedLargeNeighbours frees large blocks side by side, and each again.
func TestFreedLargeNeighbours(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	const n = 10*poolSize + threshold
	blocks := [][]byte{c.Alloc(n), c.Alloc(n), c.Alloc(n)}
	for _, b := range blocks {
		c.Free(b)
	}
	for _, b := range blocks {
		requirePanic(t, "freed before?", func() { c.Free(b) })
		requirePanic(t, "freed before?", func() { c.Free(b[poolSize:]) })
	}
	require.NoError(t, h.Close())
}

// TestUnowned: a bin that nobody acquired says so, and a cache where it can; else
// it is as a nil one.
func TestUnowned(t *testing.T) {
	for name, f := range map[string]func(){
		"Alloc above":        func() { new(general.HeapCache).Alloc(1 << 20) },
		"Bin above":          func() { new(general.HeapCache).Bin(1 << 20) },
		"Flush of a cache":   func() { new(general.HeapCache).Flush() },
		"Release of a cache": func() { new(general.HeapCache).Release() },
		"Alloc of a bin":     func() { new(general.HeapBin).Alloc() },
		"Free of a bin":      func() { new(general.HeapBin).Free(nil) },
	} {
		func() {
			defer func() {
				text, _ := recover().(string)
				require.True(t, strings.HasPrefix(text, "general: ") && strings.Contains(text, "Acquire of Heap"), "%s: %q", name, text)
			}()
			f()
		}()
	}
	require.Panics(t, func() { new(general.HeapCache).Alloc(1) })
	require.Panics(t, func() { new(general.HeapCache).Bin(64).Alloc() })
	require.Panics(t, func() { new(general.HeapCache).Free(make([]byte, 1)) })
}
