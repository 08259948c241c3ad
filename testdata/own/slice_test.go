package own

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// slicer is what GetSlice and PutSlice of one entry are.
type slicer[T any] struct {
	get func(int) []T
	put func([]T)
}

// dirtyTwice takes two slices of a length, again and again, and fills them with
// ones: each time both are zero, and apart.
func dirtyTwice[T any](t *testing.T, s slicer[T], n int) {
	t.Helper()
	for round := 0; round < 3; round++ {
		x, y := s.get(n), s.get(n)
		if len(x) != n || cap(x) != n || len(y) != n || cap(y) != n || unsafe.SliceData(x) == unsafe.SliceData(y) {
			t.Fatalf("length %d: got %d of %d, and %d of %d", n, len(x), cap(x), len(y), cap(y))
		}
		both := [][]byte{bytesOf(x), bytesOf(y)}
		for id, bytes := range both {
			for i := range bytes {
				if bytes[i] != 0 {
					t.Fatalf("length %d: byte %d is %#x", n, i, bytes[i])
				}
				bytes[i] = 0xfe + byte(id)
			}
		}
		for i, v := range both[0] {
			if v != 0xfe {
				t.Fatalf("length %d: byte %d has two owners", n, i)
			}
		}
		s.put(x[:0]) // what counts is where it starts
		s.put(y[: n/2 : n-n/2])
	}
}

func bytesOf[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), uintptr(len(s))*unsafe.Sizeof(s[0]))
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
	closed(t, h.Close)
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
	closed(t, memory.Close, tallied.Close, processors.Close, locked.Close)
}

// TestSlicesAreBlocks: a slice that is out is a block in use, and one that comes
// back twice, or by its middle, is a misuse as any other.
func TestSlicesAreBlocks(t *testing.T) {
	var h Memory
	c := h.Acquire()
	s := c.Cells().GetSlice(1)
	s[0].kind = 1
	large := c.Cells().GetSlice(1000)
	c.Free(bytesOf(large))
	c.Release()
	if err := h.Close(); err == nil || !strings.Contains(err.Error(), "1 of 64 bytes") || strings.Contains(err.Error(), "large") {
		t.Errorf("Close says %v of a slice that is out", err)
	}

	var other Memory
	c = other.Acquire()
	large = c.Cells().GetSlice(1000)
	panics(t, "inside a large block", func() { c.Cells().PutSlice(large[1:]) })
	c.Cells().PutSlice(large)
	panics(t, "own: Memory.Free: ", func() { c.Cells().PutSlice(large) })
	c.Release()
	closed(t, other.Close)
}

// TestSlicesNothing: no items, or items of no bytes, are no block.
func TestSlicesNothing(t *testing.T) {
	var h Memory
	c := h.Acquire()
	empty := c.Cells().GetSlice(0)
	if empty == nil || cap(empty) != 0 {
		t.Errorf("no items: %v, room for %d", empty, cap(empty))
	}
	c.Cells().PutSlice(empty)
	c.Cells().PutSlice(nil)
	none := c.nothings().GetSlice(math.MaxInt)
	if len(none) != math.MaxInt {
		t.Errorf("%d items of no bytes", len(none))
	}
	c.nothings().PutSlice(none)
	panics(t, "own: nothings.GetSlice: negative length -1", func() { c.nothings().GetSlice(-1) })
	c.Release()
	closed(t, h.Close)
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
		panics(t, "own: "+name+": negative length -1", func() { get(-1) })
		panics(t, "own: "+name+": negative length "+strconv.Itoa(math.MinInt), func() { get(math.MinInt) })
		// Where int wraps, the bytes of the last two would be math.MinInt and 0.
		for _, n := range []int{math.MaxInt, math.MaxInt/size + 1, 1 << (bits.UintSize - 5), 1 << (bits.UintSize - 4)} {
			panics(t, "own: "+name+": ", func() { get(n) })
		}
		if name == "tallyCells.TakeSlice" && bits.UintSize == 32 {
			continue // Go can address that, and ends the program when there is no such memory
		}
		panics(t, " bytes: ", func() { get(math.MaxInt / size) })
	}
	closed(t, memory.Close, tallied.Close, processors.Close)
	panics(t, "own: Processors.Alloc: use of closed Processors", func() { processors.Sprites().GetSlice(100) })

	for _, n := range []int{math.MaxInt, math.MaxInt/size + 1, math.MaxInt / size, 8<<20/size + 1} {
		s, err := locked.tiles().TryGetSlice(n)
		if !errors.Is(err, guardedErrLimit) || s != nil {
			t.Errorf("%d items: %v", n, err)
		}
	}
	panics(t, "negative length -1", func() { _, _ = locked.tiles().TryGetSlice(-1) })
	s, err := locked.tiles().TryGetSlice(100)
	if err != nil || len(s) != 100 {
		t.Errorf("%d items of 100: %v", len(s), err)
	}
	locked.tiles().PutSlice(s)
	closed(t, locked.Close)
	panics(t, "use of closed guarded", func() { _, _ = locked.tiles().TryGetSlice(100) })
}

// panics holds that f panics with a text.
func panics(t *testing.T, text string, f func()) {
	t.Helper()
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, text) {
			t.Errorf("panics with %s, not with %s", got, text)
		}
	}()
	f()
}

// closed closes heaps that nothing is left in.
func closed(t *testing.T, heaps ...func() error) {
	t.Helper()
	for _, end := range heaps {
		if err := end(); err != nil {
			t.Error(err)
		}
	}
}
