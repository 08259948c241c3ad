// Code derived from ../../generated/listbincall by bench/derive; DO NOT EDIT.

//go:build go1.21 && (linux || darwin || freebsd || windows) && !allocgen_goheap

package listbincall

import (
	"math/bits"
	"strconv"
	"unsafe"
)

// refill puts blocks into b, and reports whether there are any. It is called
// when b is empty.
//
//go:noinline
func (b *HeapBin) refill() bool {
	c := b.core()
	c.check("HeapBin.Alloc")
	if b.id-1 < heapClasses {
		var blocks [heapDepth]uintptr
		n := c.take(b, blocks[:])
		for _, p := range blocks[:n] {
			b.link(unsafe.Add(nil, p))
		}
		b.n = uint(n)
	}
	if b.id == heapLargeAlloc {
		if p := c.takeLarge(); p != 0 {
			b.link(unsafe.Add(nil, p))
			b.n = 1
		}
	}
	return b.n != 0
}

// take fills the first of dst with what b is to have next, and returns how many
// those are. Before there are none c gives up what its other bins keep.
func (c *heapCore) take(b *HeapBin, dst []uintptr) (n int) {
	c.widen(b)
	if n, c.err = c.heap.takeBlocks(b.id, dst[:(b.lim+1)/2]); n == 0 {
		c.heap.note(c.drain())
		c.widen(b)
		n, c.err = c.heap.takeBlocks(b.id, dst[:(b.lim+1)/2])
	}
	return n
}

// widen doubles the limit of b, up to its class's depth.
func (c *heapCore) widen(b *HeapBin) {
	b.lim = min(max(2*b.lim, heapFirstLimit), uint(heapClassTable[b.id].depth))
	c.armed[b.id/64] |= 1 << (b.id % 64)
}

// flush makes room in b for p, or disposes of p when b passes through; it
// reports whether p is to be put into b. It is called when b is full.
//
//go:noinline
func (b *HeapBin) flush(p unsafe.Pointer) bool {
	c := b.core()
	if b.id-1 >= heapClasses || c.dead || c.heap.state != heapOpen {
		if wrong := c.dispose(b, p); wrong != "" {
			panic(wrong)
		}
		return false
	}
	if b.lim < uint(heapClassTable[b.id].depth) {
		c.widen(b)
		return true
	}
	// The newest half leaves: the list behind it stays as it is.
	var blocks [heapDepth]uintptr
	taken, wrong := b.take(c.heap, blocks[:b.lim-b.lim/2])
	if what := c.heap.giveBlocks(b.id, taken); what != "" {
		wrong = what
	}
	if wrong != "" {
		c.heap.note(c.dispose(b, p)) // p is taken before the panic
		panic(wrong)
	}
	return true
}

// take moves the first blocks of b to dst, the first last, and returns what it
// moved. Where a link leads to no block the rest of the list is lost, and take
// says so.
func (b *HeapBin) take(h *Heap, dst []uintptr) (taken []uintptr, wrong string) {
	for i := len(dst); i > 0; i-- {
		if !h.holds(b.head) {
			wrong = heapMisuse("a bin of class "+strconv.Itoa(int(b.size))+" leads to no block of this heap (written after free, or freed before?)", b.head)
			b.head, b.n = 0, 0
			return dst[i:], wrong
		}
		dst[i-1] = b.head
		b.unlink(unsafe.Add(nil, b.head))
		b.n--
	}
	return dst, ""
}

// empty gives all blocks of b back and leaves it passing through. It says what
// was wrong with one.
func (b *HeapBin) empty(h *Heap) string {
	var blocks [heapDepth]uintptr
	taken, wrong := b.take(h, blocks[:b.n])
	b.lim = 0
	if what := h.returnBlocks(b.id, taken); what != "" {
		return what
	}
	return wrong
}

// holds reports whether p lies in pools in use, where a link can be read.
func (h *Heap) holds(p uintptr) bool {
	const last = unsafe.Sizeof(heapLink{}) - 1
	return h.binOf(p) != heapForeign && h.binOf(p+last) != heapForeign
}

// dispose takes a block that no bin keeps, or says what is wrong with it.
func (c *heapCore) dispose(b *HeapBin, p unsafe.Pointer) string {
	if p == nil {
		return ""
	}
	if c.heap.state == heapClosed {
		return "listbincall: HeapBin.Free: use of closed Heap"
	}
	if b.id-1 < heapClasses {
		return c.heap.returnBlocks(b.id, []uintptr{uintptr(p)})
	}
	return c.heap.free(uintptr(p))
}

// free takes a block by its address alone, or says what is wrong with it.
func (h *Heap) free(p uintptr) string {
	switch id := h.binOf(p); id {
	case heapForeign:
		return h.foreign(p)
	case heapLargeFree:
		return h.freeLarge(p)
	default:
		return h.returnBlocks(uint32(id), []uintptr{p})
	}
}

// count adds the blocks in bins, by class.
func (c *heapCore) count(blocks *[heapClasses + 1]int64) {
	for id := range blocks[1:] {
		blocks[1+id] += int64(c.bins[1+id].n)
	}
}

// drain empties all bins and leaves them passing through. It says what was
// wrong with a block.
func (c *heapCore) drain() string {
	wrong := ""
	for i := range c.armed {
		for set := c.armed[i]; set != 0; set &= set - 1 {
			b := &c.bins[(i*64+bits.TrailingZeros64(set))%heapBins]
			if what := b.empty(c.heap); what != "" {
				wrong = what
			}
		}
		c.armed[i] = 0
	}
	return wrong
}
