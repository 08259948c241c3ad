package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitGoBins are the slow paths of bins, which keep nothing.
func emitGoBins(o *out, h plan.Heap) {
	take := `
	if b.id-1 < heapClasses {
		block, c.err = c.heap.add(b.id, int(b.size))
	}`
	if h.LargePages {
		take = `
	switch {
	case b.id-1 < heapClasses:
		block, c.err = c.heap.add(b.id, int(b.size))
	case b.id == heapLargeAlloc:
		block = c.takeLarge()
	}`
	}
	nothing := ""
	if len(h.Typed) > 0 {
		nothing = `
	if block == nil {
		b.noObject()
	}`
	}
	o.decls(`
// block makes the block that b is asked for; nil when there is none.
func (b *HeapBin) block() (block heapSlot) {
	c := b.core()
	c.check("HeapBin.Alloc")` + take + nothing + `
	return block
}`)
	take = `	if wrong := h.registry.take(b.id, uintptr(p)); wrong != "" {
		panic(wrong)
	}`
	if h.Full {
		take = `	front := h.front()
	id := front.binOf(uintptr(p))
	if wrong := h.registry.take(b.id, uintptr(p)); wrong != "" {
		panic(wrong)
	}
	if b.id-1 >= heapClasses` + orDead(h, "b.core()") + ` {
		h.counts.frees[id].Add(1) // no bin did
	}`
	}
	o.decls(`
// dispose gives p back to the registry.
func (b *HeapBin) dispose(p unsafe.Pointer) {
	h := b.core().heap
	if p != nil && h.state == heapClosed {
		panic("PKG: HeapBin.Free: use of closed Heap")
	}
` + take + `
}`)
	if h.ListBins {
		emitGoListBins(o, h)
	} else {
		emitGoStackBins(o)
	}
	if h.Stats {
		o.decls(`
// count has nothing to add: no bin keeps a block.
func (c *heapCore) count(*[heapClasses + 1]int64) {}`)
	}
	o.decls(`
// binOf finds the bin that the block at p goes back to.
func (f *heapFront) binOf(p uintptr) uint32 {
	f.registry.mu.Lock()
	defer f.registry.mu.Unlock()
	block, _ := f.registry.find(p)
	return block.bin
}`)
	if !h.LargePages {
		return
	}
	o.decls(`
// newLarge returns a block of at least n bytes and its size; nil when there is
// none.
func (c *heapCore) newLarge(n int) (unsafe.Pointer, int) {
	need := (uint(n) + heapPoolSize - 1) >> heapPoolShift
	if need > heapPools {
		c.err = TOOMUCH
		return nil, 0
	}
	size := int(need) << heapPoolShift
	var p unsafe.Pointer
	p, c.err = c.heap.add(heapLargeFree, size)
	return p, size
}`, "TOOMUCH", tooMuch(h))
	if h.Held {
		o.decls(`
// largeSize is the size of a large block.
func (h *Heap) largeSize(p uintptr) int {
	h.registry.mu.Lock()
	defer h.registry.mu.Unlock()
	return h.registry.known[p].size
}`)
	}
}

// emitGoStackBins lets blocks pass through slots.
func emitGoStackBins(o *out) {
	o.decls(`
// refill makes b hold a block, or nil when there is none. It is called when b is
// empty.
func (b *HeapBin) refill() {
	b.pass()
	b.slots[0], b.n = b.block(), 1
}`)
	o.decls(`
// flush takes p. It is called on every Free, and leaves n so that the push that
// follows wraps to 0.
func (b *HeapBin) flush(p unsafe.Pointer) {
	b.pass()
	b.dispose(p)
	b.n = ^uint(0)
}`)
	o.decls(`
// pass makes b the bin that a block goes through.
func (b *HeapBin) pass() {
	c := b.core()
	c.settle()
	c.last = b
}`)
	o.decls(`
// settle lets the GC have the block that went through a bin last: out by the
// first slot, back by the last.
func (c *heapCore) settle() {
	if b := c.last; b != nil {
		b.slots[0], b.slots[heapDepth-1] = nil, nil
	}
}`)
	o.decls(`
// drain finds nothing wrong: no bin keeps a block.
func (c *heapCore) drain() string {
	c.settle()
	return ""
}`)
}

// emitGoListBins lets blocks pass through lists.
func emitGoListBins(o *out, h plan.Heap) {
	o.decls(`
// refill puts a block into b, and reports whether there is one. It is called when
// b is empty.
func (b *HeapBin) refill() bool {
	p := b.block()
	if p != nil {
		b.link(p)
		b.n = 1
	}
	return p != nil
}`)
	o.decls(`
// flush takes p, which is not to be put into b. It is called on every Free.
func (b *HeapBin) flush(p unsafe.Pointer) bool {
	b.dispose(p)
	return false
}`)
	o.decls(`
// drain has nothing to do: no bin keeps a block.
func (c *heapCore) drain() string { return "" }`)
	if h.Key {
		o.decls(`
// holds reports whether a block starts at p.
func (h *Heap) holds(p uintptr) bool {
	h.registry.mu.Lock()
	defer h.registry.mu.Unlock()
	_, ok := h.registry.known[p]
	return ok
}`)
	}
}
