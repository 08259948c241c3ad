package general_test

import (
	"math/rand"
	"runtime"
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
	require.Equal(t, stats.Taken, stats.Empty)
	require.NoError(t, h.Close())
}

// TestBorrowedCaches lets many goroutines use the heap's own methods: the caches
// behind them are no more than the heap keeps.
func TestBorrowedCaches(t *testing.T) {
	var h general.Heap
	var group sync.WaitGroup
	for range 3000 {
		group.Add(1)
		go func() {
			defer group.Done()
			for n := range 50 {
				b := h.Alloc(1 + 100*n)
				b[0] = 1
				h.Free(b)
			}
		}()
	}
	group.Wait()
	require.LessOrEqual(t, h.Stats().Caches, 64)
	require.NoError(t, h.Close())
}

// TestLargeBinKept uses a bin of a large size more often than it serves.
func TestLargeBinKept(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	bin := c.Bin(1 << 20)
	p := bin.Alloc()
	bin.Free(p) // goes straight back
	require.Zero(t, h.Stats().LargeBlocks)
	requirePanic(t, "not a block", func() { c.BinOf(p).Free(p) })
	requirePanic(t, "serves one call", func() { bin.Alloc() })
	q := c.Alloc(1 << 20)
	c.Bin(1 << 20)
	require.Equal(t, 1, h.Stats().LargeBlocks, "q is still there")

	small := c.Bin(64).Alloc()
	bin.Free(small) // by its address, whatever the bin
	c.Free(q)
	c.Release()
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

// TestClosedHeapIsSmall holds that a closed heap keeps no records of its memory.
func TestClosedHeapIsSmall(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var h general.Heap
	c := h.Acquire()
	c.Free(c.Alloc(256 << 20))
	c.Release()
	require.NoError(t, h.Close())
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(1<<20))
	runtime.KeepAlive(&h)
}
