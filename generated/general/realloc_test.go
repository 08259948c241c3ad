package general_test

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/allocgen/allocgen/generated/general"
)

// number gives each byte of b a value by its place.
func number(b []byte) {
	for i := range b {
		b[i] = byte(i*7 + i>>8)
	}
}

// requireNumbered fails unless the first n bytes of b are as number left them.
func requireNumbered(t require.TestingT, b []byte, n int) {
	for i, v := range b[:n] {
		if v != byte(i*7+i>>8) {
			require.Equal(t, byte(i*7+i>>8), v, "byte %d of %d", i, len(b))
		}
	}
}

// roomFor is what a block for n bytes holds.
func roomFor(n int) int {
	for _, size := range classSizes() {
		if n <= size {
			return size
		}
	}
	return (n + poolSize - 1) / poolSize * poolSize
}

// edges are sizes at and beside every class, and some of pools.
func edges() []int {
	sizes := []int{1, 3 * poolSize, 3*poolSize + 1, 4 * poolSize, 10*poolSize - 1, 100 * poolSize}
	for _, size := range classSizes() {
		sizes = append(sizes, size-1, size, size+1)
	}
	return sizes
}

// TestReallocEdges resizes a block of every size to its own edges and to those of
// the 3/4 rule: it stays where it is exactly as long as the rule says.
func TestReallocEdges(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	for _, from := range edges() {
		held := roomFor(from)
		least := held - held/4 + 1
		for _, to := range []int{1, least - 1, least, least + 1, held - 1, held, held + 1, 2*held + 1} {
			b := c.Alloc(from)
			number(b)
			was := address(b)
			require.Equal(t, held, c.UsableSize(was))
			b = c.Realloc(b, to)
			require.Len(t, b, to)
			requireNumbered(t, b, min(from, to))
			stays := to <= held && (to >= least || roomFor(to) == held)
			if stays {
				require.Equal(t, was, address(b), "%d bytes of %d to %d", from, held, to)
				require.Equal(t, held, cap(b))
			} else {
				require.Equal(t, roomFor(to), cap(b), "%d bytes of %d to %d", from, held, to)
				if max(held, to) <= threshold {
					require.NotEqual(t, was, address(b), "%d bytes of %d to %d", from, held, to)
				}
			}
			require.Equal(t, cap(b), c.UsableSize(address(b)))
			number(b[:cap(b)]) // all of it can be written
			c.Free(b)
		}
	}
	require.NoError(t, h.Close(), "a block is left, or was freed twice")
}

// TestReallocKeepsLen: what counts of a block is its length, not its capacity.
func TestReallocKeepsLen(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	b := c.Alloc(1000)
	number(b)
	b = h.Realloc(b[:10], 5000)
	require.Len(t, b, 5000)
	requireNumbered(t, b, 10)
	number(b)
	b = c.Realloc(b[:0:1], 4999) // cut, but still the block's start
	require.Len(t, b, 4999)
	require.Equal(t, 5<<10, cap(b))
	requireNumbered(t, b, 4999)
	c.Free(b)
	require.NoError(t, h.Close())
}

// TestReallocNothing: nil and empty slices are no blocks, 0 bytes none either.
func TestReallocNothing(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	for _, realloc := range []func([]byte, int) []byte{h.Realloc, c.Realloc} {
		for _, none := range [][]byte{nil, {}, c.Alloc(0), make([]byte, 0)} {
			b := realloc(none, 100)
			require.Len(t, b, 100)
			require.Equal(t, 112, cap(b))
			b = realloc(b, 0)
			require.NotNil(t, b)
			require.Zero(t, cap(b))
			b = realloc(none, 0)
			require.NotNil(t, b)
			require.Zero(t, cap(b))
		}
	}
	require.NoError(t, h.Close(), "0 bytes frees the block")
}

// TestReallocMisuse: what is refused changes nothing.
func TestReallocMisuse(t *testing.T) {
	var h, other general.Heap
	c := h.Acquire()
	small, large, theirs := c.Alloc(100), c.Alloc(10*poolSize), other.Alloc(100)
	number(small)
	number(large)
	for _, realloc := range []func([]byte, int) []byte{h.Realloc, c.Realloc} {
		for _, n := range []int{-1, math.MinInt} {
			for _, b := range [][]byte{nil, small, large} {
				requirePanic(t, "Realloc: negative size", func() { realloc(b, n) })
			}
		}
		for _, n := range []int{0, 1, 99, 200, 20 * poolSize} {
			requirePanic(t, "not a block of this heap", func() { realloc(make([]byte, 100), n) })
			requirePanic(t, "not a block of this heap", func() { realloc(theirs, n) })
			requirePanic(t, "an address inside a block", func() { realloc(small[1:], n) })
			requirePanic(t, "an address inside a large block", func() { realloc(large[1:], n) })
			requirePanic(t, "an address inside a large block", func() { realloc(large[poolSize:], n) })
		}
		requirePanic(t, "out of memory", func() { realloc(small, math.MaxInt) })
		requirePanic(t, "out of memory", func() { realloc(large, math.MaxInt) })
		requirePanic(t, "out of memory", func() { realloc(large, math.MaxInt-poolSize) })
	}
	for _, b := range [][]byte{make([]byte, 100), theirs, small[16:], large[1:], large[poolSize:]} {
		requirePanic(t, "HeapCache.UsableSize: ", func() { c.UsableSize(address(b)) })
	}
	require.Zero(t, c.UsableSize(nil))
	requireNumbered(t, small, len(small))
	requireNumbered(t, large, len(large))
	released := h.Acquire()
	released.Release()
	requirePanic(t, "released", func() { released.Realloc(small, 10) })
	requirePanic(t, "released", func() { released.UsableSize(address(small)) })
	requirePanic(t, "Acquire", func() { new(general.HeapCache).Realloc(nil, 10) })
	c.Free(small)
	c.Free(large)
	require.NoError(t, h.Close())
	requirePanic(t, "closed", func() { c.Realloc(nil, 10) })
	requirePanic(t, "closed", func() { h.Realloc(small, 10) })
	requirePanic(t, "closed", func() { c.UsableSize(nil) })
	other.Free(theirs)
	require.NoError(t, other.Close())
}

// TestReallocAnyCache resizes blocks of one cache by another, and by the heap.
func TestReallocAnyCache(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h general.Heap
		caches := []*general.HeapCache{h.Acquire(), h.Acquire()}
		size := rapid.OneOf(rapid.IntRange(1, 2000), rapid.IntRange(1, 4*threshold))
		live := make([][]byte, 4)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			i := rapid.IntRange(0, len(live)-1).Draw(t, "block")
			n := size.Draw(t, "size")
			kept := min(len(live[i]), n)
			if by := rapid.IntRange(0, 2).Draw(t, "by"); by < 2 {
				live[i] = caches[by].Realloc(live[i], n)
			} else {
				live[i] = h.Realloc(live[i], n)
			}
			require.Len(t, live[i], n)
			requireNumbered(t, live[i], kept)
			require.Zero(t, uintptr(unsafe.Pointer(&live[i][0]))%alignment)
			number(live[i])
		}
		for _, b := range live {
			requireNumbered(t, b, len(b))
			h.Free(b)
		}
		require.NoError(t, h.Close())
	})
}
