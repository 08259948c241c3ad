// Code derived from ../../generated/listbincall by bench/derive; DO NOT EDIT.

//go:build go1.21

package listbincall

import (
	"strconv"
	"strings"
	"unsafe"
)

// HeapCache keeps free blocks for one goroutine at a time: a bin per class.
// Acquire makes it. It may free blocks of any cache of its heap.
type HeapCache struct {
	_ heapNoCopy
	heapFront
	bins *[256]HeapBin // those of core, of which there may be fewer: a byte needs neither check nor mask
	core *heapCore
}

// heapCore is what a cache holds. Acquire lends it and Release takes it back,
// warm, while the HeapCache that had it stays what it is: released.
type heapCore struct {
	heap  *Heap
	user  *HeapCache // who has it: own, unless it is lent
	own   HeapCache  // for the heap's own methods
	index int        // in the heap's cores
	want  int        // bytes of the large block that was asked for last
	dead  bool       // of released caches: all passes through
	err   error      // why nothing could be had
	heapWork
	bins [heapBins]HeapBin
}

// HeapBin keeps the free blocks of one class, last in, first out: a list that
// runs through the blocks themselves. It belongs to its cache: a bin of c.Bin(n)
// may be kept as long as c, where n is within the classes.
type HeapBin struct {
	// With n == lim == 0 everything passes through: refill leaves one block, or
	// none, and flush disposes of the block. Bins of new and released caches are
	// in that state, and reserved ones for ever: the fast paths need no test for
	// them.
	_     heapNoCopy
	n     uint     // blocks in the list
	lim   uint     // blocks that may be
	id    uint32   // index in the cache's bins: the class, or a reserved bin
	size  uint32   // bytes of a block; 0 in reserved bins
	owned bool     // by a cache
	head  heapSlot // the block that was put in last, or none
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

// Free takes a block: one of the bin's class for c.Bin(n).Free(p), where nil is
// a mistake, any for c.BinOf(p).Free(p), where nil does nothing.
func (b *HeapBin) Free(p unsafe.Pointer) {
	b.free(p)
}

// Bin finds the bin that serves n bytes: c.Bin(n).Alloc(), and c.Bin(n).Free(p)
// where the size is known, n up to the threshold. Such a bin may be kept; above
// the threshold it serves the next call only. n < 0 panics. Bin(0).Alloc()
// is nil: there is no block of 0 bytes.
//
//gcassert:inline
func (c *HeapCache) Bin(n int) *HeapBin {
	if uint(n) > heapThreshold {
		return c.large(n)
	}
	return &c.bins[heapBinTable[(n+heapAlignMask)>>heapAlignShift]]
}

// BinOf finds the bin that p goes back to: c.BinOf(p).Free(p). An
// address outside all pools in use reaches a bin whose Free panics.
//
//gcassert:inline
func (c *HeapCache) BinOf(p unsafe.Pointer) *HeapBin {
	// Bins are aligned: the mask only keeps the sum in a register of its own, without
	// which processors are slow to hand n from one path to the next.
	return (*HeapBin)(unsafe.Pointer(uintptr(unsafe.Pointer(&c.bins[c.binOf(uintptr(p))])) &^ 1))
}

// Alloc returns n bytes, with undefined contents; the capacity is the block's
// size. n == 0 gives an empty slice without a block, n < 0 panics. When memory
// is out it panics with an error that wraps HeapErrSystem.
func (c *HeapCache) Alloc(n int) []byte {
	if uint(n-1) >= heapThreshold {
		return c.allocLarge(n)
	}
	b := &c.bins[heapBinTable[(n+heapAlignMask)>>heapAlignShift]]
	p := b.alloc()
	if p == nil {
		heapOutOfMemory("HeapCache.Alloc", n, c.core.err)
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
	p, size := c.core.newLarge(n)
	if p == nil {
		heapOutOfMemory("HeapCache.Alloc", n, c.core.err)
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

// heapRoom is how many bytes a block for n bytes holds, n from 1.
func heapRoom(n int) int {
	if n > heapThreshold {
		return (n + heapPoolSize - 1) &^ (heapPoolSize - 1)
	}
	return int(heapClassTable[heapBinTable[(n+heapAlignMask)>>heapAlignShift]].size)
}

// Realloc makes a block hold n bytes, of which it keeps the first min(len(b),
// n), and returns it: in place as long as the block holds n bytes and more than
// 3/4 of it stays used, or no smaller one would do; else another, and b is
// freed. A large block grows in place where what lies behind it is free, and
// shrinks in place. Only what it returns may be used. A slice without capacity
// is no block: that is Alloc. n == 0 frees b and gives an empty slice, n < 0
// panics, and so does what Free would refuse. When memory is out it panics as
// Alloc does, and b is as it was; to hold less never fails.
func (c *HeapCache) Realloc(b []byte, n int) []byte {
	if n < 0 {
		heapNegative("HeapCache.Realloc", n)
	}
	c.check("HeapCache.Realloc")
	if cap(b) == 0 {
		return c.Alloc(n)
	}
	from := unsafe.Pointer(unsafe.SliceData(b))
	held, wrong := c.core.heap.usable(uintptr(from))
	if wrong != "" {
		panic(wrong)
	}
	if n == 0 {
		c.Free(b)
		return []byte{}
	}
	if n <= held && (n > held-held/4 || heapRoom(n) >= held) {
		return unsafe.Slice((*byte)(from), held)[:n]
	}
	if n > heapThreshold && c.core.heap.resizeLarge(uintptr(from), n) {
		return unsafe.Slice((*byte)(from), heapRoom(n))[:n]
	}
	to := c.Bin(n)
	p := to.alloc()
	if p == nil && n > held {
		heapOutOfMemory("HeapCache.Realloc", n, c.core.err)
	}
	if p == nil {
		// What fits never fails.
		return unsafe.Slice((*byte)(from), held)[:n]
	}
	moved := unsafe.Slice((*byte)(p), heapRoom(n))[:n]
	copy(moved, b)
	c.Free(b)
	return moved
}

// Realloc is that of a cache.
func (h *Heap) Realloc(b []byte, n int) []byte {
	if n < 0 {
		heapNegative("Heap.Realloc", n)
	}
	c := h.borrow("Heap.Realloc")
	defer h.giveBack(c)
	return c.own.Realloc(b, n)
}

// UsableSize is how many bytes the block at p holds, which is what its capacity
// was at first; 0 for nil. An address that is no block's start panics.
func (c *HeapCache) UsableSize(p unsafe.Pointer) int {
	c.check("HeapCache.UsableSize")
	if p == nil {
		return 0
	}
	size, wrong := c.core.heap.usable(uintptr(p))
	if wrong != "" {
		panic("listbincall: HeapCache.UsableSize" + strings.TrimPrefix(wrong, "listbincall: Heap.Free"))
	}
	return size
}

// large finds the reserved bin whose next Alloc takes a block of n bytes.
//
//go:noinline
func (c *HeapCache) large(n int) *HeapBin {
	if n < 0 {
		heapNegative("HeapCache.Bin", n)
	}
	c.check("HeapCache.Bin")
	c.core.want = n
	return &c.bins[heapLargeAlloc]
}

// alloc is the path of alloc.fast, for sites that call it.
func (b *HeapBin) alloc() (p unsafe.Pointer) {
	// splice: alloc.fast
	if b.n != 0 || b.refill() {
		p = *(*unsafe.Pointer)(unsafe.Pointer(&b.head))
		*(*uintptr)(unsafe.Pointer(&b.head)) = (*heapLink)(p).next
		b.n--
	}
	return p
}

// free is the path of free.fast, for sites that call it.
func (b *HeapBin) free(p unsafe.Pointer) {
	// splice: free.fast
	if b.n < b.lim || b.flush(p) {
		(*heapLink)(p).next = uintptr(b.head)
		b.head = heapSlot(p)
		b.n++
	}
}

// core finds the core that b is a part of.
func (b *HeapBin) core() *heapCore {
	if !b.owned {
		panic("listbincall: HeapBin: a bin comes from a HeapCache, and that from Acquire of Heap")
	}
	const first = unsafe.Offsetof(heapCore{}.bins)
	return (*heapCore)(unsafe.Add(unsafe.Pointer(b), -int(first+uintptr(b.id)*unsafe.Sizeof(*b))))
}

// takeLarge is the block that large was asked for, or nothing.
func (c *heapCore) takeLarge() heapSlot {
	n := c.want
	if n == 0 {
		panic("listbincall: HeapBin.Alloc: a bin for a size above the threshold serves one call")
	}
	c.want = 0
	p, _ := c.newLarge(n)
	return heapSlot(p)
}

// link puts p in front of b's list. The caller counts.
func (b *HeapBin) link(p unsafe.Pointer) {
	(*heapLink)(p).next = uintptr(b.head)
	b.head = heapSlot(p)
}

// unlink takes p, the first block, off b's list. The caller counts.
func (b *HeapBin) unlink(p unsafe.Pointer) {
	*(*uintptr)(unsafe.Pointer(&b.head)) = (*heapLink)(p).next
}

// Flush gives the free blocks of c back to the heap; c stays usable. Blocks
// that were freed twice are found here.
func (c *HeapCache) Flush() {
	c.check("HeapCache.Flush")
	if wrong := c.core.drain(); wrong != "" {
		panic(wrong)
	}
}

// Release gives c back to the heap, which lends what it holds to others. c itself
// is dead: its Free still reaches the heap, so that the order of deferred calls
// does not matter; Alloc, Realloc, Flush and a second Release panic, and so does
// Release after the heap's Close. Bins, lists and typed handles of c end before: also
// the bin that a defer c.BinOf(p).Free(p) has found already.
func (c *HeapCache) Release() {
	c.check("HeapCache.Release")
	core := c.core
	c.use(core.heap.deadCore(), heapNowhere) // every block reaches flush, by its address alone
	core.heap.giveBack(core)
}

// use makes c the cache of a core.
func (c *HeapCache) use(core *heapCore, front heapFront) {
	c.heapFront, c.core = front, core
	*(*unsafe.Pointer)(unsafe.Pointer(&c.bins)) = unsafe.Pointer(&core.bins)
}

// retire ends an empty core.
func (c *heapCore) retire() {
	h := c.heap
	h.mu.Lock()
	last := h.cores[len(h.cores)-1]
	h.cores[c.index], last.index = last, c.index
	h.cores[len(h.cores)-1] = nil
	h.cores = h.cores[:len(h.cores)-1]
	h.mu.Unlock()
}

// heapNegative panics on a negative size.
//
//go:noinline
func heapNegative(op string, n int) {
	panic("listbincall: " + op + ": negative size " + strconv.Itoa(n))
}

// check panics when c may not be used.
func (c *HeapCache) check(op string) {
	if c.core == nil {
		panic("listbincall: " + op + ": a cache comes from Acquire of Heap")
	}
	c.core.check(op)
}

// check panics when nothing can be had of c.
func (c *heapCore) check(op string) {
	if c.heap.state == heapClosed {
		panic("listbincall: " + op + ": use of closed Heap")
	}
	if c.dead {
		panic("listbincall: " + op + ": use of released HeapCache")
	}
}
