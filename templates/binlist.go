package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitListBin is the type of a bin that links its blocks through their own
// first word, and what it writes into them.
func emitListBin(o *out, h plan.Heap) {
	o.decls(`
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
	owned bool // by a cache
	head heapSlot // the block that was put in last, or none` + askedIn(h) + freshIn(h) + `
}`)
	if !h.Key {
		o.decls(`
// heapLink is what a bin writes into a free block.
type heapLink struct {
	next uintptr // the block that was put in before; 0 at the end
}`)
		return
	}
	o.decls(`
// heapLink is what a bin writes into a free block.
type heapLink struct {
	next uintptr // the block that was put in before, 0 at the end; XOR this field's address >> 12
	key  uintptr // heapKey, until the block leaves the bin
}`)
	o.decls(`
// heapKey marks the blocks in bins: a random word of this process, so that the
// data of a live block is hardly ever taken for it. It is odd: neither 0 nor the
// address of a block.
var heapKey = uintptr(maphash.String(maphash.MakeSeed(), "PKG")) | 1`)
}

// emitLinks are the two halves of the paths that slow paths use as well.
func emitLinks(o *out, h plan.Heap) {
	if h.Key {
		emitFind(o)
	}
	o.fn(fn{
		doc:  "link puts p in front of b's list. The caller counts.",
		head: "(b *HeapBin) link(p unsafe.Pointer)",
		body: func(s *scope) []code { return link(s.bind("bin", "b", "block", "p"), h.Key) },
	})
	o.fn(fn{
		doc:  "unlink takes p, the first block, off b's list. The caller counts.",
		head: "(b *HeapBin) unlink(p unsafe.Pointer)",
		body: func(s *scope) []code { return unlink(s.bind("bin", "b", "block", "p"), h) },
	})
}

// emitListRefill links blocks into an empty bin.
func emitListRefill(o *out, h plan.Heap) {
	large := ""
	if h.LargePages {
		large = `
	if b.id == heapLargeAlloc {
		if p := c.takeLarge(); p != 0 {
			b.link(unsafe.Add(nil, p))
			b.n = 1
		}
	}`
	}
	nothing := ""
	if len(h.Typed) > 0 {
		nothing = `
	if b.n == 0 {
		b.noObject()
	}`
	}
	o.decls(`
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
	}` + large + nothing + `
	return b.n != 0
}`)
}

// emitListFlush takes blocks out of a bin's list.
func emitListFlush(o *out, h plan.Heap) {
	find := ""
	if h.Key {
		find = `
	if (*heapLink)(p).key == heapKey {
		b.find(p)
	}`
	}
	o.decls(`
// flush makes room in b for p, or disposes of p when b passes through; it
// reports whether p is to be put into b. It is called when b is full.
//
//go:noinline
func (b *HeapBin) flush(p unsafe.Pointer) bool {
	c := b.core()
	if b.id-1 >= heapClasses ` + orDead(h, "c") + ` || c.heap.state != heapOpen {
		if wrong := c.dispose(b, p); wrong != "" {
			panic(wrong)
		}
		return false
	}` + find + `
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
}`)
	o.decls(`
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
}`)
	o.decls(`
// empty gives all blocks of b back and leaves it passing through. It says what
// was wrong with one.
func (b *HeapBin) empty(h *Heap) string {
	var blocks [heapDepth]uintptr
	taken, wrong := b.take(h, blocks[:b.n])
	b.lim = 0` + emptied(h) + `
	if what := h.returnBlocks(b.id, taken); what != "" {
		return what
	}
	return wrong
}`)
	o.decls(`
// holds reports whether p lies in pools in use, where a link can be read.
func (h *Heap) holds(p uintptr) bool {
	const last = unsafe.Sizeof(heapLink{}) - 1
	return h.binOf(p) != heapForeign && h.binOf(p+last) != heapForeign
}`)
}

// emitFind looks into lists that may not be as they were left. The texts are
// glibc's.
func emitFind(o *out) {
	o.decls(`
// find is called for a p that carries the key of free blocks. It panics when p
// is in b, or when b's list is not as it was left; otherwise the key is part of
// what p's user wrote.
//
//go:noinline
func (b *HeapBin) find(p unsafe.Pointer) {
	h := b.core().heap
	n := uint(0)
	for at := uintptr(b.head); at != 0; n++ {
		switch {
		case n == b.lim:
			b.fail("Free: free(): too many chunks detected in tcache", at)
		case at%heapAlign != 0:
			b.fail("Free: free(): unaligned chunk detected in tcache 2", at)
		case !h.holds(at):
			b.fail("Free: a link leads to no block of this heap", at)
		case at == uintptr(p):
			b.fail("Free: free(): double free detected in tcache 2", at)
		}
		at = (*heapLink)(unsafe.Add(nil, at)).next ^ at>>12
	}
}`)
	o.decls(`
// unaligned panics: what b's list leads to is no block.
//
//go:noinline
func (b *HeapBin) unaligned() {
	b.fail("Alloc: malloc(): unaligned tcache chunk detected", uintptr(b.head))
}`)
	o.decls(`
// fail panics with what is wrong with a block of b.
func (b *HeapBin) fail(what string, p uintptr) {
	panic("PKG: HeapBin." + what + ": block 0x" + strconv.FormatUint(uint64(p), 16) + ", class " + strconv.Itoa(int(b.size)))
}`)
}
