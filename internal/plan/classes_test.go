package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDefaultClasses is the golden of the numbers that every heap figure of the
// project uses: 16-byte steps to 1 KiB, then four classes per doubling.
func TestDefaultClasses(t *testing.T) {
	t.Parallel()
	h := buildHeapOf(t, "{}")
	require.Len(t, h.Classes, 84)
	for i, c := range h.Classes[:64] {
		require.Equal(t, 16*(i+1), c.Size)
		require.Equal(t, 64, c.Depth)
		require.Equal(t, 32, c.Batch)
	}
	var spans []string
	for _, c := range h.Classes {
		if c.Size > 1<<10 || c.Pools > 1 {
			spans = append(spans, fmt.Sprintf("%d in %d: %d", c.Size, c.Pools, c.Blocks))
		}
	}
	// size in pools: blocks. 5 KiB wastes 1/16 of one pool, which is allowed.
	require.Equal(t, strings.Split(strings.TrimSpace(`
1280 in 1: 12
1536 in 1: 10
1792 in 1: 9
2048 in 1: 8
2560 in 1: 6
3072 in 1: 5
3584 in 2: 9
4096 in 1: 4
5120 in 1: 3
6144 in 2: 5
7168 in 4: 9
8192 in 1: 2
10240 in 2: 3
12288 in 3: 4
14336 in 7: 8
16384 in 1: 1
20480 in 4: 3
24576 in 3: 2
28672 in 7: 4
32768 in 2: 1`), "\n"), spans)

	require.Equal(t, 32<<10, h.Threshold)
	require.Equal(t, 128, h.Bins, "84 classes and 3 reserved bins")
	require.Equal(t, 16, h.SpanWords, "1024 blocks of 16 bytes in a pool")
	require.Equal(t, 32, h.Batch)
	require.Equal(t, []int{16, 4, 16 << 10, 14, 64}, []int{h.Align, h.AlignShift, h.PoolSize, h.PoolShift, h.ArenaPools})
	require.Equal(t, 2, h.Classes[83].Depth, "64 KiB of 32 KiB blocks")
}

// TestObmallocClasses is the golden of CPython's table.
func TestObmallocClasses(t *testing.T) {
	t.Parallel()
	h := buildHeapOf(t, "{threshold: 512, classes: {min: 16, step: 16, to: 512}, large: go, pool: 16KiB, arena: 1MiB}")
	require.Len(t, h.Classes, 32)
	for i, c := range h.Classes {
		size := 16 * (i + 1)
		require.Equal(t, Class{
			Size: size, Pools: 1, Blocks: 16 << 10 / size, Depth: 64, Batch: 32, Batches: 16,
			Scale: uint64((1<<ScaleBits-1)/size + 1),
		}, c)
	}
	require.Equal(t, 64, h.Bins)
	require.Equal(t, 64, h.ArenaPools)
	require.True(t, h.LargeGo)
	want := make([]byte, 33)
	for i := range want {
		want[i] = byte(i)
	}
	require.Equal(t, want, h.Table)
}

// TestListedClasses: a list is taken as it is.
func TestListedClasses(t *testing.T) {
	t.Parallel()
	h := buildHeapOf(t, "{classes: [16, 48, 96], pool: 4KiB, arena: 64KiB, depth: {all: 16, 48: 4}}")
	require.Equal(t, []int{16, 48, 96}, sizesOf(h))
	require.Equal(t, 96, h.Threshold)
	require.Equal(t, []byte{0, 1, 2, 2, 3, 3, 3}, h.Table)
	require.Equal(t, []int{16, 4, 16}, []int{h.Classes[0].Depth, h.Classes[1].Depth, h.Classes[2].Depth})
	require.Equal(t, []int{8, 2, 8}, []int{h.Classes[0].Batch, h.Classes[1].Batch, h.Classes[2].Batch})
	require.Equal(t, 8, h.Batch)
	require.Equal(t, 8, h.Bins)
}

// TestStepsBelowThreshold: linear steps that do not meet the threshold still
// need a class for the sizes between the last step and the threshold.
func TestStepsBelowThreshold(t *testing.T) {
	t.Parallel()
	for _, entry := range []string{
		"{align: 8, threshold: 1000}",
		"{threshold: 1KiB, classes: {step: 48}}",
		"{threshold: 512, classes: {min: 16, step: 48, to: 512}}",
	} {
		h := buildHeapOf(t, entry)
		sizes := sizesOf(h)
		require.Equal(t, h.Threshold, sizes[len(sizes)-1], entry)
	}
}

// TestBatchIsHalfABin: a bin gives and takes half of its depth, and the depot
// keeps only full batches. What is left over would go through the spans' bitmaps
// each time.
func TestBatchIsHalfABin(t *testing.T) {
	t.Parallel()
	for _, entry := range []string{"{}", "{depth: 1}", "{depth: 16}", "{depth: 1024}"} {
		h := buildHeapOf(t, entry)
		for _, c := range h.Classes {
			require.Zero(t, (c.Depth+1)/2%c.Batch, "%s: class %d, depth %d, batch %d", entry, c.Size, c.Depth, c.Batch)
			require.LessOrEqual(t, c.Batch, MaxBatch)
			require.Equal(t, c.Batch > 1, c.Batches > 0)
			require.LessOrEqual(t, c.Batches*c.Batch*c.Size, max(MaxDepot, c.Batch*c.Size))
		}
	}
}
