//go:build (linux || darwin || freebsd || windows) && !allocgen_goheap

package obmalloc_test

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/generated/obmalloc"
)

// CPython's pools, and as many to an arena.
const (
	poolSize   = 16 << 10
	arenaPools = 64
)

// TestBlocksPerPool fills two arenas with each of a few classes: a pool has as
// many blocks as fit, and the heap takes no other before it is full.
func TestBlocksPerPool(t *testing.T) {
	for size, blocks := range map[int]int{16: 1024, 48: 341, 128: 128, 496: 33, 512: 32} {
		var h obmalloc.Heap
		c := h.Acquire()
		pools := map[uintptr]int{}
		for i := range 2 * arenaPools * blocks {
			p := c.Bin(size).Alloc()
			*(*int)(p) = i
			pools[uintptr(p)/poolSize]++
		}
		// The cache may keep blocks of the last two pools.
		full := 0
		for _, n := range pools {
			require.LessOrEqual(t, n, blocks, "blocks of %d bytes in a pool", size)
			if n == blocks {
				full++
			}
		}
		require.GreaterOrEqual(t, full, 2*arenaPools-2, "full pools of %d bytes", size)
		require.LessOrEqual(t, len(pools), 2*arenaPools+1)
		stats := h.Stats()
		require.Len(t, stats.Classes, 1)
		require.LessOrEqual(t, stats.Classes[0].Pools, 2*arenaPools+1)
		require.LessOrEqual(t, stats.Taken, int64(3*arenaPools*poolSize))
		require.ErrorContains(t, h.Close(), fmt.Sprintf("live blocks: %d of %d bytes", 2*arenaPools*blocks, size))
	}
}

// TestAddressOfNoBlock frees an address between the heap's blocks, which is none
// of Go's.
func TestAddressOfNoBlock(t *testing.T) {
	var h obmalloc.Heap
	c := h.Acquire()
	never := unsafe.Add(address(c.Alloc(16)), 32<<20)
	requirePanic(t, "not a block of this heap", func() { c.BinOf(never).Free(never) })
	require.ErrorContains(t, h.Close(), "1 of 16 bytes")
}
