// Code derived from ../../generated/listbincall by bench/derive; DO NOT EDIT.

//go:build go1.21 && linux

package listbincall

import (
	"math/bits"
	"strconv"
	"unsafe"
)

// HeapCache keeps free blocks for one goroutine at a time: a bin per class.
// Acquire makes it. It may free blocks of any cache of its heap.
type HeapCache struct {
	_        heapNoCopy
	heap     *Heap
	class    *[heapPools + 1]uint8 // the heap's
	base     uintptr               // the heap's
	index    int                   // in the heap's caches
	want     int                   // bytes of the large block that was asked for last
	released bool
	armed    [(heapBins + 63) / 64]uint64 // bins that have kept blocks
	bins     [heapBins]HeapBin
}

// HeapBin keeps the free blocks of one class, last in, first out: a list that
// runs through the blocks themselves. It belongs to its cache: a bin of c.Bin(n)
// may be kept as long as c, where n is within the classes.
type HeapBin struct {
	// With n == lim == 0 everything passes through: refill leaves one block, or
	// none, and flush disposes of the block. Bins of new and released caches are
	// in that state, and reserved ones for ever: the fast paths need no test for
	// them.
	_    heapNoCopy
	n    uint    // blocks in the list
	lim  uint    // blocks that may be
	id   uint32  // index in the cache's bins: the class, or a reserved bin
	size uint32  // bytes of a block; 0 in reserved bins
	head uintptr // the block that was put in last; 0 when there is none
}

// heapLink is what a bin writes into a free block.
type heapLink struct {
	next uintptr // the block that was put in before; 0 at the end
}

// Alloc returns a block of the bin's class, with undefined contents; nil when
// memory is out. A bin of Bin(n) above the threshold serves one call.
func (b *HeapBin) Alloc() unsafe.Pointer {
	return b.alloc()
}

// Free takes a block: one of the bin's class for c.Bin(n).Free(p), any for
// c.BinOf(p).Free(p), where nil does nothing.
func (b *HeapBin) Free(p unsafe.Pointer) {
	b.free(p)
}

// Bin finds the bin that serves n bytes: c.Bin(n).Alloc(), and c.Bin(n).Free(p)
// where the size is known, n up to the threshold. Such a bin may be kept; above
// the threshold it serves the next call only. n < 0 panics. Bin(0).Alloc()
// is nil: there is no block of 0 bytes.
func (c *HeapCache) Bin(n int) *HeapBin {
	if uint(n) > heapThreshold {
		return c.large(n)
	}
	return &c.bins[heapBinTable[(n+heapAlignMask)>>heapAlignShift]%heapBins]
}

// BinOf finds the bin that p goes back to: c.BinOf(p).Free(p). An
// address outside all pools in use reaches a bin whose Free panics.
func (c *HeapCache) BinOf(p unsafe.Pointer) *HeapBin {
	return &c.bins[c.class[min((uintptr(p)-c.base)>>heapPoolShift, heapPools)]%heapBins]
}

// Alloc returns n bytes with undefined contents; the capacity is the block's
// size. n == 0 gives an empty slice without a block, n < 0 panics. When memory
// is out it panics with an error that wraps HeapErrSystem.
func (c *HeapCache) Alloc(n int) []byte {
	if uint(n-1) >= heapThreshold {
		return c.allocLarge(n)
	}
	b := &c.bins[heapBinTable[(n+heapAlignMask)>>heapAlignShift]%heapBins]
	p := b.alloc()
	if p == nil {
		heapOutOfMemory("HeapCache.Alloc", n)
	}
	return unsafe.Slice((*byte)(p), b.size)[:n]
}

// allocLarge serves what the classes do not: sizes up to 0, and above the
// threshold runs of pools.
func (c *HeapCache) allocLarge(n int) []byte {
	if n < 0 {
		heapNegative("HeapCache.Alloc", n)
	}
	c.check("HeapCache.Alloc")
	if n == 0 {
		return []byte{}
	}
	p, size := c.newLarge(n)
	if p == nil {
		heapOutOfMemory("HeapCache.Alloc", n)
	}
	return unsafe.Slice((*byte)(p), size)[:n]
}

// Free gives a block back: b starts where its block started, its length and
// capacity do not count. A slice without capacity is no block: nothing happens.
func (c *HeapCache) Free(b []byte) {
	if cap(b) == 0 {
		return
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	bin := c.BinOf(p)
	bin.free(p)
}

// alloc is the path of alloc.fast, for sites that call it.
func (b *HeapBin) alloc() (p unsafe.Pointer) {
	// splice: alloc.fast
	if b.n != 0 || b.refill() {
		p = unsafe.Add(nil, b.head)
		b.head = (*heapLink)(p).next
		b.n--
	}
	return p
}

// free is the path of free.fast, for sites that call it.
func (b *HeapBin) free(p unsafe.Pointer) {
	// splice: free.fast
	if b.n != b.lim || b.flush(p) {
		(*heapLink)(p).next = b.head
		b.head = uintptr(p)
		b.n++
	}
}

// cache finds the cache that b is a part of.
func (b *HeapBin) cache() *HeapCache {
	const first = unsafe.Offsetof(HeapCache{}.bins)
	return (*HeapCache)(unsafe.Add(unsafe.Pointer(b), -int(first+uintptr(b.id)*unsafe.Sizeof(*b))))
}

// link puts p in front of b's list. The caller counts.
func (b *HeapBin) link(p unsafe.Pointer) {
	(*heapLink)(p).next = b.head
	b.head = uintptr(p)
}

// unlink takes p, the first block, off b's list. The caller counts.
func (b *HeapBin) unlink(p unsafe.Pointer) {
	b.head = (*heapLink)(p).next
}

// refill puts blocks into b, and reports whether there are any. It is called
// when b is empty.
//
//go:noinline
func (b *HeapBin) refill() bool {
	c := b.cache()
	c.check("HeapBin.Alloc")
	if b.id-1 < heapClasses {
		c.widen(b)
		var blocks [heapDepth]uintptr
		n := c.heap.takeBlocks(b.id, blocks[:(b.lim+1)/2])
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

// takeLarge is the block that large was asked for, or 0.
func (c *HeapCache) takeLarge() uintptr {
	n := c.want
	if n == 0 {
		panic("listbincall: HeapBin.Alloc: a bin for a size above the threshold serves one call")
	}
	c.want = 0
	p, _ := c.newLarge(n)
	return uintptr(p)
}

// widen doubles the limit of b, up to its class's depth.
func (c *HeapCache) widen(b *HeapBin) {
	b.lim = min(max(2*b.lim, heapFirstLimit), uint(heapClassTable[b.id].depth))
	c.armed[b.id/64] |= 1 << (b.id % 64)
}

// flush makes room in b for p, or disposes of p when b passes through; it
// reports whether p is to be put into b. It is called when b is full.
//
//go:noinline
func (b *HeapBin) flush(p unsafe.Pointer) bool {
	c := b.cache()
	if b.id-1 >= heapClasses || c.released || c.heap.state != heapOpen {
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

// holds reports whether p lies in a pool in use, where a link can be read.
func (h *Heap) holds(p uintptr) bool {
	return h.class[min((p-h.base)>>heapPoolShift, heapPools)] != heapForeign
}

// dispose takes a block that no bin keeps, or says what is wrong with it.
func (c *HeapCache) dispose(b *HeapBin, p unsafe.Pointer) string {
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
	switch id := h.class[min((p-h.base)>>heapPoolShift, heapPools)]; id {
	case heapForeign:
		return h.foreign(p)
	case heapLargeFree:
		return h.freeLarge(p)
	default:
		return h.returnBlocks(uint32(id), []uintptr{p})
	}
}

// Flush gives the free blocks of c back to the heap; c stays usable. Blocks
// that were freed twice are found here.
func (c *HeapCache) Flush() {
	c.check("HeapCache.Flush")
	if wrong := c.drain(); wrong != "" {
		panic(wrong)
	}
}

// Release gives c back to the heap. Afterwards its Free still reaches the heap,
// so that the order of deferred calls does not matter; all else panics, a second
// Release too.
func (c *HeapCache) Release() {
	c.check("HeapCache.Release")
	if wrong := c.drain(); wrong != "" {
		panic(wrong)
	}
	c.retire()
}

// retire ends an empty cache.
func (c *HeapCache) retire() {
	c.released = true
	// Without classes every block reaches flush.
	c.class = &heapClosedTable
	h := c.heap
	h.mu.Lock()
	last := h.caches[len(h.caches)-1]
	h.caches[c.index], last.index = last, c.index
	h.caches[len(h.caches)-1] = nil
	h.caches = h.caches[:len(h.caches)-1]
	h.mu.Unlock()
}

// drain empties all bins and leaves them passing through. It says what was
// wrong with a block.
func (c *HeapCache) drain() string {
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

// heapNegative panics on a negative size.
//
//go:noinline
func heapNegative(op string, n int) {
	panic("listbincall: " + op + ": negative size " + strconv.Itoa(n))
}

// check panics when c may not be used.
func (c *HeapCache) check(op string) {
	if c.heap.state == heapClosed {
		panic("listbincall: " + op + ": use of closed Heap")
	}
	if c.released {
		panic("listbincall: " + op + ": use of released HeapCache")
	}
}
