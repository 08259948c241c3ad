//go:build linux && !allocgen_goheap

package general_test

import (
	"math/bits"
	"math/rand"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/generated/general"
)

// TestBeyond32Bits takes more from the system at once than 32 bits can count in
// bytes. Only a few pages of it are touched.
func TestBeyond32Bits(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) < 8 {
		t.Skip("no such sizes")
	}
	var h general.Heap
	c := h.Acquire()
	if h.Stats().Reserved < 16<<30 {
		t.Skip("there is no more address space, as under an emulator")
	}
	for _, gib := range []int64{5, 4, 9} {
		n := int(gib << 30)
		b := c.Alloc(n)
		require.Len(t, b, n)
		for _, at := range []int{0, n / 2, n - 1} {
			b[at] = 1
		}
		c.Free(b)
		for range 100 { // the pools serve small blocks as well
			c.Alloc(threshold)[0] = 1
		}
	}
	require.Error(t, h.Close())
}

// TestNothingPinned fills memory with one class after another and frees it in
// random order: free blocks in depots and half-empty spans must not keep other
// classes from it for ever.
func TestNothingPinned(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	random := rand.New(rand.NewSource(1))
	const live = 16 << 20
	for size := 16; size <= 1024; size += 16 {
		blocks := make([]unsafe.Pointer, live/size)
		for i := range blocks {
			blocks[i] = c.Bin(size).Alloc()
		}
		random.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
		for _, p := range blocks {
			c.BinOf(p).Free(p)
		}
		c.Flush()
	}
	require.LessOrEqual(t, h.Stats().Taken, int64(2*live))
	whole := c.Alloc(int(h.Stats().Taken)) // nothing is in use, so all is to be had
	require.LessOrEqual(t, h.Stats().Taken, int64(2*live))
	c.Free(whole)
	require.NoError(t, h.Close())
}

// TestManyRuns makes many long runs of one length, and takes all lengths from
// them: the best that a search finds must do, and none may be missed.
func TestManyRuns(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	var keep, free [][]byte
	for range 300 {
		free = append(free, c.Alloc(70*poolSize))
		keep = append(keep, c.Alloc(poolSize+threshold))
	}
	for _, b := range free {
		c.Free(b)
	}
	taken := h.Stats().Taken
	for _, pools := range []int{70, 69, 65, 64, 63, 33, 32, 31, 17, 16, 15, 4} {
		b := c.Alloc(pools*poolSize - 1)
		require.Equal(t, pools*poolSize, cap(b))
		keep = append(keep, b)
	}
	require.Equal(t, taken, h.Stats().Taken)
	for _, b := range keep {
		c.Free(b)
	}
	stats := h.Stats()
	require.Equal(t, stats.Taken, stats.Empty+stats.Released)
	require.NoError(t, h.Close())
}

// TestNothingPinnedByHeap is the same through the heap's own methods, whose
// caches nobody else can flush.
func TestNothingPinnedByHeap(t *testing.T) {
	var h general.Heap
	random := rand.New(rand.NewSource(1))
	const live = 16 << 20
	for size := 16; size <= 1024; size += 48 {
		blocks := make([][]byte, live/size)
		for i := range blocks {
			blocks[i] = h.Alloc(size)
		}
		random.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
		for _, b := range blocks {
			h.Free(b)
		}
	}
	taken := h.Stats().Taken
	require.LessOrEqual(t, taken, int64(2*live))
	h.Free(h.Alloc(int(taken))) // all of it is to be had
	require.Equal(t, taken, h.Stats().Taken)
	require.NoError(t, h.Close())
}

// TestMisuseBehindHeap frees blocks twice in many goroutines at once: calls that
// do nothing wrong go on, caches stay few, and Close tells.
func TestMisuseBehindHeap(t *testing.T) {
	var h general.Heap
	var group sync.WaitGroup
	for range 2000 {
		group.Add(1)
		go func() {
			defer group.Done()
			defer func() { _ = recover() }() // a free that is refused at once
			b := h.Alloc(threshold)
			h.Free(b)
			h.Free(b)
			require.Len(t, h.Alloc(100), 100)
		}()
	}
	group.Wait()
	require.LessOrEqual(t, h.Stats().Caches, 64)
	require.Error(t, h.Close())
}

// TestDepotOfEveryClass moves blocks from one cache to another: what overflows
// a bin changes hands in batches, through the depot, whatever the class.
func TestDepotOfEveryClass(t *testing.T) {
	for _, size := range classSizes() {
		if size >= 20<<10 {
			continue // bins keep three blocks at most: a batch of one saves nothing
		}
		var h general.Heap
		from, to := h.Acquire(), h.Acquire()
		blocks := make([]unsafe.Pointer, 500)
		for i := range blocks {
			blocks[i] = from.Bin(size).Alloc()
		}
		for _, p := range blocks {
			to.BinOf(p).Free(p)
		}
		var depot int64
		for _, s := range h.Stats().Classes {
			depot += s.Depot
		}
		require.NotZero(t, depot, "class %d: no batch in the depot after 500 blocks were freed", size)
		require.NoError(t, h.Close())
	}
}

// TestAllocationFree holds that no form allocates in Go memory once warm, large
// blocks and the heap's own methods included.
func TestAllocationFree(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	var set [200]unsafe.Pointer
	forms := map[string]func(){
		"heap":     func() { h.Free(h.Alloc(100)) },
		"one-step": func() { c.Free(c.Alloc(1000)) },
		"sized":    func() { c.Bin(7).Free(c.Bin(7).Alloc()) },
		"large":    func() { c.Free(c.Alloc(5 * threshold)) },
		"two-step": func() { p := c.Bin(5 * threshold).Alloc(); c.BinOf(p).Free(p) },
		"set": func() {
			for i := range set {
				set[i] = c.Bin(1 << (i % bits.Len(threshold))).Alloc()
			}
			for _, p := range set {
				c.BinOf(p).Free(p)
			}
		},
	}
	for name, f := range forms {
		require.Zero(t, testing.AllocsPerRun(50, f), name)
	}
	require.NoError(t, h.Close())
}

// TestFreedTwiceLarge frees a large block twice, which is found at once, also
// when its pools have become something else.
func TestFreedTwiceLarge(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	b := c.Alloc(3 * threshold)
	c.Free(b)
	requirePanic(t, "not a block of this heap", func() { c.Free(b) })
	small := c.Alloc(16)
	require.Equal(t, uintptr(address(b)), uintptr(address(small))&^(poolSize-1), "the test needs one pool for both")
	c.Free(b) // the address is that of the pool's first block now, which the cache has
	c.Free(small)
	requirePanic(t, "block freed twice", c.Flush)
	require.NoError(t, h.Close())
}

// TestNoBlock frees addresses of pools where no block starts: in the waste
// behind the last block of a span, in an arena that was never taken.
func TestNoBlock(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	b := c.Alloc(48)
	pool := -int(uintptr(address(b)) % poolSize)
	waste := unsafe.Add(address(b), pool+poolSize-poolSize%48)
	c.BinOf(waste).Free(waste)
	requirePanic(t, "an address inside a block", c.Flush)
	never := unsafe.Add(address(b), 100*arenaSize)
	requirePanic(t, "not a block of this heap", func() { c.BinOf(never).Free(never) })
	c.Free(b)
	require.NoError(t, h.Close())
}
