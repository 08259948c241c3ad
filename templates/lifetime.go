package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitCacheLifetime are Flush, Release and what they share.
func emitCacheLifetime(o *out, h plan.Heap) {
	if !h.Shared() {
		emitRelease(o)
	}
	emitCoreLifetime(o, h)
}

// emitRelease are the ends that users ask for.
func emitRelease(o *out) {
	o.decls(`
// Flush gives the free blocks of c back to the heap; c stays usable. Blocks
// that were freed twice are found here.
func (c *HeapCache) Flush() {
	c.check("HeapCache.Flush")
	if wrong := c.core.drain(); wrong != "" {
		panic(wrong)
	}
}`)
	o.decls(`
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
}`)
}

// emitCoreLifetime is how cores begin and end.
func emitCoreLifetime(o *out, h plan.Heap) {
	keep := ""
	if h.Full {
		keep = `
	h.counts.addFrees(&c.counts)
	h.counts.addAllocs(&c.counts)`
	}
	o.decls(`
// use makes c the cache of a core.
func (c *HeapCache) use(core *heapCore, front heapFront) {
	c.heapFront, c.core = front, core
	*(*unsafe.Pointer)(unsafe.Pointer(&c.bins)) = unsafe.Pointer(&core.bins)
}`)
	o.decls(`
// retire ends an empty core.
func (c *heapCore) retire() {
	h := c.heap
	h.mu.Lock()` + keep + `
	last := h.cores[len(h.cores)-1]
	h.cores[c.index], last.index = last, c.index
	h.cores[len(h.cores)-1] = nil
	h.cores = h.cores[:len(h.cores)-1]
	h.mu.Unlock()
}`)
	o.decls(`
// heapNegative panics on a negative size.
//
//go:noinline
func heapNegative(op string, n int) {
	panic("PKG: " + op + ": negative size " + strconv.Itoa(n))
}`)
	unowned := `if c.core == nil {
		panic("PKG: " + op + ": a cache comes from Acquire of Heap")
	}
	`
	if h.Shared() {
		unowned = ""
	}
	o.decls(`
// check panics when c may not be used.
func (c *HeapCache) check(op string) {
	` + unowned + `c.core.check(op)
}`)
	released := `	if c.dead {
		panic("PKG: " + op + ": use of released HeapCache")
	}
`
	if h.Shared() {
		released = ""
	}
	o.decls(`
// check panics when nothing can be had of c.
func (c *heapCore) check(op string) {
	if c.heap.state == heapClosed {
		panic("PKG: " + op + ": use of closed Heap")
	}
` + released + `}`)
}
