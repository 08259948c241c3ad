package own

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// TestTryReallocKeeps: a resize that fails returns the block as it was, so that
// b, err = h.TryRealloc(b, n) loses none.
func TestTryReallocKeeps(t *testing.T) {
	var h Narrow
	c := h.Acquire()
	b := c.Alloc(1000)
	b[999] = 7
	for _, realloc := range []func([]byte, int) ([]byte, error){h.TryRealloc, c.TryRealloc} {
		same, err := realloc(b, 1<<20)
		if !errors.Is(err, NarrowErrLimit) || len(same) != 1000 || &same[0] != &b[0] || same[999] != 7 {
			t.Errorf("%v: %d bytes", err, len(same))
		}
	}
	c.Free(b)
	c.Release()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestFreedNil: where nil was freed as a block the next request says so by name.
func TestFreedNil(t *testing.T) {
	var h Narrow
	c := h.Acquire()
	c.Bin(100).Free(nil)
	func() {
		defer func() {
			err, isErr := recover().(string)
			if isErr && !strings.HasPrefix(err, "own: NarrowCache.Alloc: 100 bytes: nil was freed") {
				t.Error(err)
			}
		}()
		c.Free(c.Alloc(100)) // Go memory keeps no nil
	}()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestNoSliceAboveThreshold: whatever the length, the threshold is what it is above.
func TestNoSliceAboveThreshold(t *testing.T) {
	var h strict
	p := h.Acquire().Bulks()
	for _, n := range []int{1, 2, math.MaxInt / 5000, math.MaxInt/5000 + 1, math.MaxInt} {
		strictPanics(t, "bytes are above the threshold, 32", func() { p.GetSlice(n) })
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestCloseNames: Close says which objects are out.
func TestCloseNames(t *testing.T) {
	var h Narrow
	c := h.Acquire()
	c.sheets().Get()
	c.Alloc(100)
	if err := h.Close(); err == nil || !strings.Contains(err.Error(), "1 of 112 bytes") || !strings.Contains(err.Error(), "1 of sheets") {
		t.Error(err)
	}
}
