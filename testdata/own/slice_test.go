package own

import (
	"math"
	"math/bits"
	"strconv"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// slicer is what GetSlice and PutSlice of one entry are.
type slicer[T any] struct {
	get func(int) []T
	put func([]T)
}

// dirtyTwice takes a slice, fills it with ones, and takes another of the length:
// both are zero at first, and what they hold is theirs.
func dirtyTwice[T any](t *testing.T, s slicer[T], n int) {
	t.Helper()
	for range 3 {
		x, y := s.get(n), s.get(n)
		require.Len(t, x, n)
		require.Equal(t, n, cap(x))
		require.NotSame(t, unsafe.SliceData(x), unsafe.SliceData(y))
		for _, all := range [][]T{x, y} {
			bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(all))), uintptr(n)*unsafe.Sizeof(all[0]))
			for i := range bytes {
				if bytes[i] != 0 {
					t.Fatalf("length %d: byte %d is %#x", n, i, bytes[i])
				}
				bytes[i] = 0xff
			}
		}
		s.put(x[:0]) // what counts is where it starts
		s.put(y[: n/2 : n-n/2])
	}
}

// TestSlicesEdges: lengths around each class and the threshold, and large ones.
func TestSlicesEdges(t *testing.T) {
	var h linked
	c := h.Acquire()
	s := slicer[tiny]{c.Tiny().GetSlice, c.Tiny().PutSlice}
	edges := []int{linkedPoolSize, 3 * linkedPoolSize, 1 << 20}
	for _, class := range linkedClassTable[1 : linkedSized+1] {
		edges = append(edges, int(class.size))
	}
	for _, edge := range edges {
		for n := edge - 1; n <= edge+1; n++ {
			dirtyTwice(t, s, n)
		}
	}
	c.Release()
	require.NoError(t, h.Close())
}

// TestSlicesKinds: in heaps of every kind, small and large, and none is lost.
func TestSlicesKinds(t *testing.T) {
	var memory Memory
	var tallied Tallied
	var processors Processors
	var locked guarded
	c, d := memory.Acquire(), tallied.Acquire()
	for _, n := range []int{1, 2, 5, 6, 100, 683, 684, 5000} {
		dirtyTwice(t, slicer[cell]{c.Cells().GetSlice, c.Cells().PutSlice}, n)
		dirtyTwice(t, slicer[cell]{d.tallyCells().TakeSlice, d.tallyCells().PutSlice}, n)
		dirtyTwice(t, slicer[cell]{processors.Sprites().GetSlice, processors.Sprites().PutSlice}, n)
		dirtyTwice(t, slicer[cell]{locked.tiles().GetSlice, locked.tiles().PutSlice}, n)
	}
	c.Release()
	d.Release()
	require.NoError(t, memory.Close())
	require.NoError(t, tallied.Close())
	require.NoError(t, processors.Close())
	require.NoError(t, locked.Close())
}

// TestSlicesAreBlocks: a slice that is out is a block in use, and one that comes
// back twice, or by its middle, is a misuse as any other.
func TestSlicesAreBlocks(t *testing.T) {
	var h Memory
	c := h.Acquire()
	s := c.Cells().GetSlice(1)
	large := c.Cells().GetSlice(1000)
	require.NotPanics(t, func() { c.Free(unsafe.Slice((*byte)(unsafe.Pointer(&large[0])), 1)) })
	require.NotNil(t, s)
	c.Release()
	require.ErrorContains(t, h.Close(), "1 of 64 bytes")

	var other Memory
	c = other.Acquire()
	large = c.Cells().GetSlice(1000)
	require.Panics(t, func() { c.Cells().PutSlice(large[1:]) })
	c.Cells().PutSlice(large)
	require.Panics(t, func() { c.Cells().PutSlice(large) })
}

// TestSlicesNothing: no items, or items of no bytes, are no block.
func TestSlicesNothing(t *testing.T) {
	var h Memory
	c := h.Acquire()
	empty := c.Cells().GetSlice(0)
	require.NotNil(t, empty)
	require.Empty(t, empty)
	require.Zero(t, cap(empty))
	c.Cells().PutSlice(empty)
	c.Cells().PutSlice(nil)
	none := c.nothings().GetSlice(math.MaxInt)
	require.Equal(t, math.MaxInt, len(none))
	c.nothings().PutSlice(none)
	require.PanicsWithValue(t, "own: nothings.GetSlice: negative length -1", func() { c.nothings().GetSlice(-1) })
	c.Release()
	require.NoError(t, h.Close())
}

// TestSlicesTooMuch: lengths that are none, and more than there is, are refused by
// name; what an int does not hold is not taken for less.
func TestSlicesTooMuch(t *testing.T) {
	var memory Memory
	var tallied Tallied
	var processors Processors
	var locked guarded
	size := int(unsafe.Sizeof(cell{}))
	for name, get := range map[string]func(int) []cell{
		"Cells.GetSlice":       memory.Acquire().Cells().GetSlice,
		"tallyCells.TakeSlice": tallied.Acquire().tallyCells().TakeSlice,
		"Sprites.GetSlice":     processors.Sprites().GetSlice,
		"tiles.GetSlice":       locked.tiles().GetSlice,
	} {
		require.PanicsWithValue(t, "own: "+name+": negative length -1", func() { get(-1) })
		require.PanicsWithValue(t, "own: "+name+": negative length "+strconv.Itoa(math.MinInt), func() { get(math.MinInt) })
		for _, n := range []int{math.MaxInt, math.MaxInt/size + 1, 1 << (bits.UintSize - 5)} {
			require.ErrorContains(t, panicOf(func() { get(n) }), "own: "+name+": ")
		}
		require.Error(t, panicOf(func() { get(math.MaxInt / size) }), name)
	}
	for _, n := range []int{math.MaxInt, math.MaxInt/size + 1, math.MaxInt / size, 8<<20/size + 1} {
		s, err := locked.tiles().TryGetSlice(n)
		require.ErrorIs(t, err, guardedErrLimit, n)
		require.Nil(t, s)
	}
	require.Panics(t, func() { _, _ = locked.tiles().TryGetSlice(-1) })
	s, err := locked.tiles().TryGetSlice(100)
	require.NoError(t, err)
	require.Len(t, s, 100)
	locked.tiles().PutSlice(s)
	require.NoError(t, locked.Close())
	require.Panics(t, func() { _, _ = locked.tiles().TryGetSlice(100) })
}

// panicOf is the error that f panics with.
func panicOf(f func()) (err error) {
	defer func() { err, _ = recover().(error) }() // nil where it panics with anything else, or not at all
	f()
	return nil
}
