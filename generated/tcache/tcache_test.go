//go:build (linux || darwin || freebsd || windows) && !allocgen_goheap

package tcache

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// What glibc's malloc/malloc.c has, counted in user sizes.
const (
	step  = 16
	limit = 16 // free blocks of a bin: glibc 2.43
)

// sizes are those of a few classes.
var sizes = []int{16, 32, 48, 512, 1008, 1024}

func panicOf(f func()) (text string) {
	defer func() {
		if v := recover(); v != nil {
			text = fmt.Sprint(v)
		}
	}()
	f()
	return ""
}

// stocked is a new heap, an empty bin of one of its caches, and blocks for it.
func stocked(t *testing.T, size, blocks int) (*Heap, *HeapBin, []unsafe.Pointer) {
	h := new(Heap)
	b := h.Acquire().Bin(size)
	var out []unsafe.Pointer
	for len(out) < blocks || b.n > 0 {
		out = append(out, b.Alloc())
	}
	for _, p := range out[blocks:] {
		h.Free(unsafe.Slice((*byte)(p), 1)) // through another cache
	}
	require.Zero(t, b.n)
	return h, b, out[:blocks]
}

// list follows a bin's links by glibc's formula, newest first.
func list(b *HeapBin) []unsafe.Pointer {
	var out []unsafe.Pointer
	for at := b.head; at != 0; {
		p := unsafe.Add(nil, at)
		out = append(out, p)
		stored := *(*uintptr)(p)
		at = at>>12 ^ stored // REVEAL_PTR
	}
	return out
}

func reversed(ps []unsafe.Pointer) []unsafe.Pointer {
	var out []unsafe.Pointer
	for i := len(ps); i > 0; i-- {
		out = append(out, ps[i-1])
	}
	return out
}

func word(p unsafe.Pointer, i int) *uintptr {
	return (*uintptr)(unsafe.Add(p, uintptr(i)*unsafe.Sizeof(uintptr(0))))
}

// TestClasses: 64 classes, 16 bytes apart; every request goes to glibc's bin but
// for the 8 bytes of a header that a block here does not have.
func TestClasses(t *testing.T) {
	var h Heap
	c := h.Acquire()
	require.Equal(t, 64, heapClasses)
	for n := 1; n <= 1024; n++ {
		b := c.Bin(n)
		require.Equal(t, uint32((n+step-1)/step), b.id, n)
		require.Equal(t, uint32((n+step-1)/step*step), b.size, n)
	}
	for _, class := range heapClassTable[1:] {
		require.Equal(t, uint32(limit), class.depth)
	}
	require.NoError(t, h.Close())
}

// TestGoldenBins frees blocks and reads the bins as a debugger would: order,
// count, links and keys.
func TestGoldenBins(t *testing.T) {
	for _, size := range sizes {
		h, b, ps := stocked(t, size, 8)
		for i, p := range ps {
			b.Free(p)
			require.Equal(t, reversed(ps[:i+1]), list(b))
			require.Equal(t, uint(i+1), b.n)
			require.Equal(t, uintptr(p), b.head, "the head is stored plain")
			require.Equal(t, heapKey, *word(p, 1))
			before := uintptr(0)
			if i > 0 {
				before = uintptr(ps[i-1])
			}
			require.Equal(t, uintptr(p)>>12^before, *word(p, 0), "PROTECT_PTR")
		}
		for i := len(ps) - 1; i >= 0; i-- { // last in, first out
			require.Equal(t, ps[i], b.Alloc())
			require.Zero(t, *word(ps[i], 1), "the key leaves with the block")
			require.Equal(t, uint(i), b.n)
		}
		for _, p := range ps {
			b.Free(p)
		}
		require.NoError(t, h.Close())
	}
}

// TestLimit: a bin never holds more than 16 blocks. Where glibc would leave the
// next one to its arena, the newest half goes to the depot.
func TestLimit(t *testing.T) {
	for _, size := range sizes {
		h, b, ps := stocked(t, size, 100)
		for i, p := range ps {
			b.Free(p)
			require.LessOrEqual(t, b.n, uint(limit))
			require.Len(t, list(b), int(b.n))
			if i < limit {
				require.Equal(t, reversed(ps[:i+1]), list(b))
			}
		}
		require.Equal(t, ps[:limit/2], reversed(list(b))[:limit/2], "the oldest stay")
		for _, s := range h.Stats().Classes {
			require.Positive(t, s.Depot)
		}
		require.NoError(t, h.Close())
	}
}

// TestDepotGivesClean: blocks that come back from the depot carry no key, and
// come in the order in which they were freed, the last first.
func TestDepotGivesClean(t *testing.T) {
	h, b, ps := stocked(t, 64, 17)
	for _, p := range ps {
		b.Free(p)
	}
	left := ps[limit/2 : limit] // the newest half, when the 17th came
	for _, p := range left {
		require.Zero(t, *word(p, 1))
	}
	for b.n > 0 {
		b.Alloc()
	}
	for i := len(left) - 1; i >= 0; i-- {
		require.Equal(t, left[i], b.Alloc())
		require.Zero(t, *word(left[i], 1))
	}
	require.ErrorContains(t, h.Close(), "17 of 64 bytes")
}

// TestDoubleFree: while a block is in the bin, wherever in the list, its second
// free panics at once, by every form, and changes nothing.
func TestDoubleFree(t *testing.T) {
	for _, size := range sizes {
		for _, held := range []int{1, 7, 8, limit} { // 8 and 16: full, so that flush comes first
			h, b, ps := stocked(t, size, held)
			c := b.core().user
			for _, p := range ps {
				b.Free(p)
			}
			before := list(b)
			for _, p := range ps {
				for _, free := range []func(){
					func() { b.Free(p) },
					func() { c.BinOf(p).Free(p) },
					func() { c.Free(unsafe.Slice((*byte)(p), size)) },
				} {
					want := fmt.Sprintf("tcache: HeapBin.Free: free(): double free detected in tcache 2: block 0x%x, class %d", uintptr(p), size)
					require.Equal(t, want, panicOf(free))
					require.Equal(t, before, list(b))
				}
			}
			require.NoError(t, h.Close())
		}
	}
}

// TestDoubleFreeLater: behind the bin the spans' bitmaps look, as everywhere.
func TestDoubleFreeLater(t *testing.T) {
	h, b, ps := stocked(t, 64, 1)
	b.Free(ps[0])
	b.core().user.Flush()
	b.Free(ps[0]) // in no bin: its key is gone
	require.Contains(t, panicOf(b.core().user.Flush), "block freed twice, class 64")
	require.NoError(t, h.Close())
}

// TestCoincidence: a user may have written the key's value; the block is in no
// bin, so that nothing is wrong.
func TestCoincidence(t *testing.T) {
	for _, held := range []int{0, 7, 8, limit} {
		h, b, ps := stocked(t, 64, held+1)
		for _, p := range ps[:held] {
			b.Free(p)
		}
		p := ps[held]
		*word(p, 1) = heapKey
		require.Empty(t, panicOf(func() { b.Free(p) }))
		require.Equal(t, p, list(b)[0])
		require.Equal(t, p, b.Alloc())
		require.Zero(t, *word(p, 1))
		b.Free(p)
		require.NoError(t, h.Close())
	}
}

// TestTooMany: a list longer than the limit is none that frees made.
func TestTooMany(t *testing.T) {
	h, b, ps := stocked(t, 64, limit+2)
	for _, p := range ps[:limit] {
		b.Free(p)
	}
	// A write after free makes the list a ring of its oldest two.
	*word(ps[0], 0) = uintptr(ps[0])>>12 ^ uintptr(ps[1])
	*word(ps[limit], 1) = heapKey
	text := panicOf(func() { b.Free(ps[limit]) })
	require.Contains(t, text, "tcache: HeapBin.Free: free(): too many chunks detected in tcache: block 0x")
	require.Contains(t, text, ", class 64")

	// Taken apart, all is found, and no block is given twice.
	require.Empty(t, panicOf(func() {
		for range limit {
			b.Alloc()
		}
	}))
	require.ErrorContains(t, h.Close(), "of 64 bytes")
}

// TestOneTooMany: a full bin is in order, one block more is not.
func TestOneTooMany(t *testing.T) {
	h, b, ps := stocked(t, 64, limit+2)
	for _, p := range ps[:limit] {
		b.Free(p)
	}
	*word(ps[0], 0) = uintptr(ps[0])>>12 ^ uintptr(ps[limit]) // behind the last
	*word(ps[limit], 0) = uintptr(ps[limit]) >> 12
	*word(ps[limit+1], 1) = heapKey
	require.Contains(t, panicOf(func() { b.Free(ps[limit+1]) }), "free(): too many chunks detected in tcache")
	require.ErrorContains(t, h.Close(), "live blocks: 2 of 64 bytes")
}

// TestUnaligned: a write after free that changes a link is found by Alloc, one
// block later, and by a Free that looks for its block.
func TestUnaligned(t *testing.T) {
	h, b, ps := stocked(t, 64, 5)
	for _, p := range ps[:4] {
		b.Free(p)
	}
	*word(ps[3], 0) += 8 // the newest now leads behind the start of a block

	*word(ps[4], 1) = heapKey
	bad := uintptr(ps[2]) ^ ((uintptr(ps[3])>>12 ^ uintptr(ps[2])) + 8) ^ (uintptr(ps[3])>>12 ^ uintptr(ps[2]))
	require.Equal(t, fmt.Sprintf("tcache: HeapBin.Free: free(): unaligned chunk detected in tcache 2: block 0x%x, class 64", bad),
		panicOf(func() { b.Free(ps[4]) }))

	require.Equal(t, ps[3], b.Alloc())
	want := fmt.Sprintf("tcache: HeapBin.Alloc: malloc(): unaligned tcache chunk detected: block 0x%x, class 64", bad)
	c := b.core().user
	for range 2 {
		require.Equal(t, want, panicOf(func() { b.Alloc() }))
		require.Equal(t, want, panicOf(func() { c.Alloc(64) }))
	}
	require.Contains(t, panicOf(c.Flush), "tcache: Heap.Free: ")
	require.Equal(t, uint(0), b.n)
	require.NotNil(t, b.Alloc(), "usable again")
	require.Error(t, h.Close())
}

// TestPlainWrite: what a user writes over a link, an address of his own say, is
// not what Alloc hands out: it is mixed with where the link lies.
func TestPlainWrite(t *testing.T) {
	h, b, ps := stocked(t, 64, 3)
	b.Free(ps[0])
	b.Free(ps[1])
	*word(ps[1], 0) = uintptr(ps[2])
	require.Equal(t, ps[1], b.Alloc())
	require.NotEqual(t, uintptr(ps[2]), b.head)
	require.Equal(t, uintptr(ps[2])^uintptr(ps[1])>>12, b.head)
	require.Contains(t, panicOf(b.core().user.Flush), "tcache: Heap.Free: ")
	require.Error(t, h.Close())
}

// TestLostList: where a link leads out of the heap, Flush says so; the rest of
// that bin stays in use, and nothing else is lost.
func TestLostList(t *testing.T) {
	h, b, ps := stocked(t, 64, 4)
	c := b.core().user
	other := c.Alloc(32)
	for _, p := range ps {
		b.Free(p)
	}
	c.Free(other)
	*word(ps[2], 0) = uintptr(ps[2])>>12 ^ 0x10
	require.Contains(t, panicOf(c.Flush), "a bin of class 64 leads to no block of this heap (written after free, or freed before?): 0x10")
	for _, s := range h.Stats().Classes {
		require.Equal(t, map[int]int64{32: 0, 64: 2}[s.Size], s.Used, s.Size)
	}
	require.ErrorContains(t, h.Close(), "live blocks: 2 of 64 bytes")
}

// TestLostOverflow: the same when a full bin makes room; the block that was
// freed is taken all the same.
func TestLostOverflow(t *testing.T) {
	h, b, ps := stocked(t, 64, limit+1)
	for _, p := range ps[:limit] {
		b.Free(p)
	}
	newest := ps[limit-1]
	*word(newest, 0) = uintptr(newest)>>12 ^ 0x10
	require.Contains(t, panicOf(func() { b.Free(ps[limit]) }), "leads to no block of this heap")
	require.ErrorContains(t, h.Close(), "live blocks: 15 of 64 bytes")
}

// TestPassThrough: large blocks, foreign addresses, released caches and closed
// heaps are no lists, and none is written to.
func TestPassThrough(t *testing.T) {
	var h Heap
	c := h.Acquire()
	large := c.Bin(1025).Alloc()
	*word(large, 1) = heapKey
	c.BinOf(large).Free(large)
	require.Contains(t, panicOf(func() { c.BinOf(large).Free(large) }), "not a block of this heap")

	mine := [2]uintptr{1, heapKey}
	require.Contains(t, panicOf(func() { c.BinOf(unsafe.Pointer(&mine)).Free(unsafe.Pointer(&mine)) }), "not a block of this heap")
	require.Equal(t, [2]uintptr{1, heapKey}, mine)
	require.Empty(t, panicOf(func() { c.BinOf(nil).Free(nil) }))
	require.Nil(t, c.Bin(0).Alloc())

	late := c.Alloc(64)
	p := unsafe.Pointer(unsafe.SliceData(late))
	c.Release()
	*word(p, 1) = heapKey
	c.Free(late)
	require.Equal(t, heapKey, *word(p, 1), "written to")
	require.Contains(t, panicOf(func() { c.Free(late) }), "freed")
	c = h.Acquire()
	late = c.Alloc(64)
	require.Error(t, h.Close())
	require.Contains(t, panicOf(func() { c.Free(late) }), "use of closed Heap")
}

// TestKey: odd, and another one in each process.
func TestKey(t *testing.T) {
	if os.Getenv("TCACHE_TEST_KEY") != "" {
		fmt.Println("key", heapKey)
		return
	}
	require.NotZero(t, heapKey&1)
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "-test.run=^TestKey$")
	cmd.Env = append(os.Environ(), "TCACHE_TEST_KEY=1")
	out, err := cmd.Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "key ")
	require.NotContains(t, string(out), fmt.Sprintln("key", heapKey))
}
