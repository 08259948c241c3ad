//go:build (linux || darwin || freebsd || windows) && !allocgen_goheap

package own

import (
	"testing"
	"unsafe"
)

// TestObjectsLeaveNothing: with reset: none objects come back as they were, and the
// memory of their pools is zero all the same once it serves blocks of bytes.
func TestObjectsLeaveNothing(t *testing.T) {
	var h blank
	c := h.Acquire()
	cells := c.blankCells()
	var live [5000]*cell
	for round := 0; round < 3; round++ {
		for i := range live {
			live[i] = cells.Get()
			if round == 0 && *live[i] != (cell{}) {
				t.Fatalf("object %d is not zero", i)
			}
			live[i].kind, live[i].data[39] = 0xa5, 0xa5
		}
		for i := range live {
			cells.Put(live[i])
		}
	}
	x := cells.Get()
	if x.kind != 0xa5 || x.data[39] != 0xa5 {
		t.Error("an object did not come back as it was")
	}
	cells.Put(x)
	c.Flush()
	var blocks [8000]unsafe.Pointer
	for i := range blocks {
		blocks[i] = c.Bin(64).Alloc()
		for at, v := range unsafe.Slice((*byte)(blocks[i]), 64) {
			if v != 0 {
				t.Fatalf("block %d: byte %d is %#x", i, at, v)
			}
		}
	}
	for _, p := range blocks {
		c.BinOf(p).Free(p)
	}
	c.Release()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}
