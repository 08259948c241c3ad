//go:build (!linux && !darwin && !freebsd && !windows) || allocgen_goheap

package general_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/generated/general"
)

// balanced holds that the numbers are those of the blocks in use, exactly.
func balanced(t require.TestingT, stats general.HeapStats, live, bytes int64) {
	var used int64
	for _, s := range stats.Classes {
		require.Zero(t, s.Pools)
		used += s.Used
	}
	require.Equal(t, live, used)
	require.Equal(t, bytes, stats.Taken)
	require.Zero(t, stats.Reserved)
}

// TestEachBlockIsAnObject looks at what Go says of its heap: an object more for
// each block, of the block's size, and the GC takes those that were freed.
func TestEachBlockIsAnObject(t *testing.T) {
	const blocks, size = 1000, threshold
	count := func() (objects, bytes int64) {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return int64(stats.HeapObjects), int64(stats.HeapAlloc)
	}
	var h general.Heap
	c := h.Acquire()
	var live [blocks][]byte
	objects, bytes := count()
	for i := range live {
		live[i] = c.Alloc(size)
	}
	more, taken := count()
	require.InDelta(t, blocks, more-objects, blocks/10)
	require.InDelta(t, blocks*size, taken-bytes, blocks*size/10)
	for i, b := range live {
		c.Free(b)
		live[i] = nil
	}
	_, left := count()
	require.Less(t, left-bytes, int64(2<<20), "freed blocks stay")
	for range blocks {
		c.Alloc(size)
	}
	require.Error(t, h.Close())
	_, left = count()
	require.Less(t, left-bytes, int64(2<<20), "blocks of a closed heap stay")
	runtime.KeepAlive(&h)
}

// TestFlushLetsGo frees a block, and many others after it: nothing holds it then,
// also not the bin that it went through.
func TestFlushLetsGo(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	gone := make(chan bool)
	p := c.Bin(64).Alloc()
	runtime.SetFinalizer((*[64]byte)(p), func(*[64]byte) { close(gone) })
	c.Bin(64).Free(p)
	p = nil
	for range 2 << 20 / threshold {
		c.Free(c.Alloc(threshold))
	}
	c.Flush()
	runtime.GC()
	select {
	case <-gone:
	case <-time.After(10 * time.Second):
		t.Error("the block is still there")
	}
	require.NoError(t, h.Close())
}

// TestBlocksStay keeps blocks by their addresses alone, which the GC does not
// see: the heap does.
func TestBlocksStay(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	var live []uintptr
	for n := 1; n <= 2*threshold; n += 1 + n/8 {
		live = append(live, uintptr(address(c.Alloc(n))))
	}
	c.Flush()
	for range 3 {
		runtime.GC()
		for n := 1; n <= 2*threshold; n += 1 + n/8 {
			p := uintptr(address(c.Alloc(n)))
			require.NotContains(t, live, p, "handed out twice")
		}
	}
	require.Error(t, h.Close())
}

// TestFreedLongAgo frees a block twice, with more and more frees in between. The
// heap remembers 1 MiB of them; after that the address may be anyone's.
func TestFreedLongAgo(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	for blocks, want := range map[int]string{0: "freed twice, class 64", 10: "freed twice, class 64", 31: "freed twice, class 64", 32: "freed before?", 200: "freed before?"} {
		b := c.Alloc(64)
		c.Free(b)
		for range blocks {
			c.Free(c.Alloc(threshold))
		}
		requirePanic(t, want, func() { c.Free(b) })
		requirePanic(t, want, func() { h.Free(b) })
	}
	require.NoError(t, h.Close())
}
