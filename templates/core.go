package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitCores are what caches hold, and how they are lent.
func emitCores(o *out, h plan.Heap) {
	user := "\n\tc.user = &c.own"
	if h.Shared() {
		user = ""
	}
	o.decls(`
// newCore makes a core whose bins are all empty. The first opens the heap.
func (h *Heap) newCore(op string) *heapCore {
	h.ready(op)
	c := h.makeCore()
	h.mu.Lock()
	c.index = len(h.cores)
	h.cores = append(h.cores, c)
	h.mu.Unlock()
	return c
}`)
	o.decls(`
// makeCore makes a core that the heap does not know of.
func (h *Heap) makeCore() *heapCore {
	c := &heapCore{heap: h}
	c.own.use(c, h.front())` + user + `
	for i := range c.bins {
		c.bins[i].id, c.bins[i].owned = uint32(i), true
	}
	for i, class := range heapClassTable {
		c.bins[i].size = class.size
	}
	return c
}`)
	o.decls(`
// ready opens the heap at its first use.
func (h *Heap) ready(op string) {
	h.mu.Lock()
	defer h.mu.Unlock() // open may panic
	switch h.state {
	case heapNew:
		h.open(op)
		h.state = heapOpen
	case heapClosed:
		panic("PKG: " + op + ": use of closed Heap")
	}
}`)
	o.decls(`
// heapIdle is how many cores are kept for lending; those of more caches are
// emptied and left to the GC.
const heapIdle = IDLE`, "IDLE", itoa(h.Idle))
	o.decls(`
// borrow takes an idle core, or a new one.
func (h *Heap) borrow(op string) *heapCore {
	for i := range h.idle {
		if h.idle[i].Load() != nil {
			if c := h.idle[i].Swap(nil); c != nil {
				return c
			}
		}
	}
	return h.newCore(op)
}`)
	settle := ""
	if !h.ListBins {
		settle = "\n\tc.settle()"
	}
	o.decls(`
// giveBack ends a borrow; the core keeps its blocks for the next one. It never
// waits: a goroutine that did would keep a core from the others.
func (h *Heap) giveBack(c *heapCore) {` + settle + user + `
	for i := range h.idle {
		if h.idle[i].CompareAndSwap(nil, c) {
			return
		}
	}
	h.note(c.drain())
	c.retire()
}`)
	o.decls(`
// takeIdle takes all idle cores.
func (h *Heap) takeIdle() (cores []*heapCore) {
	for i := range h.idle {
		if c := h.idle[i].Swap(nil); c != nil {
			cores = append(cores, c)
		}
	}
	return cores
}`)
	o.decls(`
// note keeps a misuse that no call of the one who did it can report, for Close.
func (h *Heap) note(wrong string) {
	if wrong != "" {
		h.mu.Lock()
		h.wrong = wrong
		h.mu.Unlock()
	}
}`)
}
