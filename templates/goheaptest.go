package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitGoTests are the tests of a heap in Go memory alone.
func emitGoTests(o *out, h plan.Heap) {
	most := "heapPools<<heapPoolShift"
	if h.Limit != 0 {
		most = "min(heapLimit, heapPools<<heapPoolShift)"
	}
	emitGoCheck(o)
	o.decls(`
// TestHeapFull takes from a heap in Go memory that holds nearly all it may.
func TestHeapFull(t *testing.T) {
	var h Heap
	c := h.Acquire()
	all := MOST - 2*heapThreshold
	h.registry.bytes += all
	bin := c.Bin(heapThreshold)
	one, two := bin.Alloc(), bin.Alloc()
	if one == nil || two == nil || bin.Alloc() != nil {
		t.Error("the heap is full too early, or too late")
	}
	heapPanics(t, "Alloc: ", func() { c.Alloc(heapThreshold) })
	bin.Free(one)
	if one = bin.Alloc(); one == nil {
		t.Error("a block was freed, and cannot be had")
	}
	bin.Free(one)
	bin.Free(two)
	h.registry.bytes -= all
	heapCheck(t, &h)
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}`, "MOST", most)
}

// emitGoCheck goes through everything that the heap knows of its blocks, in Go
// memory.
func emitGoCheck(o *out) {
	o.decls(`
// heapCheck fails when the counts of a heap in Go memory and its blocks disagree.
// No other call may run beside it.
func heapCheck(t *testing.T, h *Heap) {
	t.Helper()
	bytes, kept, free := 0, 0, 0
	var used [heapBins]int
	for p, block := range h.registry.known {
		switch {
		case uintptr(block.start) != p || p%heapAlign != 0:
			t.Errorf("block at %#x: starts at %p", p, block.start)
		case block.free:
			free++
			kept += block.size
		default:
			used[block.bin]++
			bytes += block.size
		}
	}
	r := &h.registry
	if bytes != r.bytes || used != r.used {
		t.Errorf("%d bytes in use, counted as %d; blocks by bin: %v, counted as %v", bytes, r.bytes, used, r.used)
	}
	if kept != r.kept || free != len(r.freed) || kept > heapKept {
		t.Errorf("%d blocks of %d bytes were freed last, counted as %d of %d", free, kept, len(r.freed), r.kept)
	}
}`)
}
