package templates

import (
	"github.com/allocgen/allocgen/internal/plan"
)

// alive and orDead are tests for cores of released caches, where there are any.
func alive(h plan.Heap) string {
	if h.Shared() {
		return ""
	}
	return " && !c.dead"
}

func orDead(h plan.Heap, core string) string {
	if h.Shared() {
		return ""
	}
	return " || " + core + ".dead"
}

// upTo cuts a block to n bytes.
func upTo(h plan.Heap) string {
	if h.Exact {
		return "[:n:n]"
	}
	return "[:n]"
}

// lockHeap is what a method of a heap with one lock begins with.
func lockHeap(h plan.Heap) string {
	if h.Sync == plan.SyncMutex {
		return `
	h.lock.Lock()
	defer h.lock.Unlock()`
	}
	return ""
}

// emitPerCPU is a heap whose goroutines use the cache of the processor that they
// are on.
func emitPerCPU(o *out, h plan.Heap) {
	o.decls(`
// heapPin keeps the goroutine on its processor, whose number it returns, until
// heapUnpin. In between it must neither block nor panic.
//
//go:linkname heapPin runtime.procPin
func heapPin() int

//go:linkname heapUnpin runtime.procUnpin
func heapUnpin()`)
	o.decls(`
// heapPerCPU has the cores of processors, by their number; nil where one is not
// made yet. Who is pinned to a processor owns its core.
type heapPerCPU struct {
	locals atomic.Pointer[[]atomic.Pointer[heapCore]]
	gone   []heapGone // of processors that are no more. h.mu is held
}

// heapGone was taken from a processor that may have come back meanwhile.
type heapGone struct {
	core *heapCore
	id   int
}`)
	o.decls(`
// local is the core of a processor, for who is pinned to it.
func (h *Heap) local(id int) *heapCore {
	if locals := h.locals.Load(); locals != nil && id < len(*locals) {
		return (*locals)[id].Load()
	}
	return nil
}`)
	o.decls(`
// take returns a block of a class for n bytes; nil never.
func (h *Heap) take(id uint32, n int, op string) unsafe.Pointer {
	if c := h.local(heapPin()); c != nil {
		if b := &c.bins[id%heapBins]; b.n != 0 {
			p := b.Alloc()
			heapUnpin()
			return p
		}
	}
	heapUnpin()
	return h.takeShared(id, n, op)
}`)
	o.decls(`
// put gives back a block: one of a class where id is that, or of whatever class
// its address says where id is 0.
func (h *Heap) put(id uint32, p unsafe.Pointer) {
	if c := h.local(heapPin()); c != nil {
		b := &c.bins[id%heapBins]
		if id == 0 {
			b = c.own.BinOf(p)
		}
		if b.n < b.lim {
			b.Free(p)
			heapUnpin()
			return
		}
	}
	heapUnpin()
	h.putShared(id, p)
}`)
	o.decls(`
// takeShared takes a block by a core that nobody else has, and moves what that
// has more to the processor's.
func (h *Heap) takeShared(id uint32, n int, op string) unsafe.Pointer {
	c := h.borrow(op)
	defer h.giveBack(c)
	b := &c.bins[id%heapBins]
	p := b.Alloc()
	if p == nil {
		heapOutOfMemory(op, n, c.err)
	}
	h.stock(func(local *heapCore) {
		to := &local.bins[id%heapBins]
		local.widen(to)
		for b.n > 0 && to.n < to.lim {
			b.n--
			to.slots[to.n] = b.slots[b.n]
			to.n++
		}
	})
	return p
}`)
	o.decls(`
// putShared gives a block back by a core that nobody else has, and makes room in
// the processor's.
func (h *Heap) putShared(id uint32, p unsafe.Pointer) {
	c := h.borrow("Heap.Free")
	defer h.giveBack(c)
	b := &c.bins[id%heapBins]
	if id == 0 {
		b = c.own.BinOf(p)
	}
	b.Free(p)
	if b.id-1 >= heapClasses {
		return
	}
	h.stock(func(local *heapCore) {
		from := &local.bins[b.id%heapBins]
		if from.lim < uint(heapClassTable[b.id].depth) {
			local.widen(from)
			return
		}
		for from.n > from.lim/2 && b.n < b.lim {
			from.n--
			b.slots[b.n] = from.slots[from.n]
			b.n++
		}
	})
}`)
	o.decls(`
// stock calls f, pinned, with the core of the processor; f must not block.
func (h *Heap) stock(f func(local *heapCore)) {
	id := heapPin()
	c := h.local(id)
	if c != nil {
		f(c)
	}
	heapUnpin()
	if c == nil {
		h.settleIn(id)
	}
}`)
	o.decls(`
// settleIn makes the core of a processor.
func (h *Heap) settleIn(id int) {
	c := h.newCore("Heap.Alloc")
	h.mu.Lock()
	defer h.mu.Unlock()
	locals := h.locals.Load()
	if locals == nil || id >= len(*locals) {
		// Who is pinned may go on with the old list: what it has of each processor is
		// the same.
		more := make([]atomic.Pointer[heapCore], max(id+1, runtime.GOMAXPROCS(0)))
		if locals != nil {
			for i := range *locals {
				more[i].Store((*locals)[i].Load())
			}
		}
		locals = &more
		h.locals.Store(locals)
	}
	if !(*locals)[id].CompareAndSwap(nil, c) {
		h.gone = append(h.gone, heapGone{c, -1}) // another was faster
	}
}`)
	o.decls(`
// leave makes the cores of processors that are no more idle ones. A processor that
// is gone after its core was taken from it had nobody pinned to it then, and who
// is pinned to it later finds that it has none.
func (h *Heap) leave() {
	h.mu.Lock()
	if locals := h.locals.Load(); locals != nil {
		for id := runtime.GOMAXPROCS(0); id < len(*locals); id++ {
			if c := (*locals)[id].Swap(nil); c != nil {
				h.gone = append(h.gone, heapGone{c, id})
			}
		}
	}
	var idle []*heapCore
	stay := h.gone[:0]
	for _, g := range h.gone {
		if g.id < 0 || runtime.GOMAXPROCS(0) <= g.id {
			idle = append(idle, g.core)
		} else {
			stay = append(stay, g)
		}
	}
	h.gone = stay
	h.mu.Unlock()
	for _, c := range idle {
		h.giveBack(c)
	}
}`)
	emitPerCPUStats(o, h)
}

func emitPerCPUStats(o *out, h plan.Heap) {
	if !h.Stats {
		return
	}
	o.decls(`
// countLocals adds the blocks that processors keep: about, while others run.
func (h *Heap) countLocals(blocks *[heapClasses + 1]int64) (cores int) {
	if locals := h.locals.Load(); locals != nil {
		for i := range *locals {
			if c := (*locals)[i].Load(); c != nil {
				c.count(blocks)
				cores++
			}
		}
	}
	return cores
}`)
}

// emitBorrowing is the same without processors: by cores that nobody else has.
func emitBorrowing(o *out, h plan.Heap) {
	o.decls(`
// heapPerCPU has nothing: every call borrows a core.
type heapPerCPU struct{}

// leave has nothing to do.
func (h *Heap) leave() {}`)
	o.decls(`
// take returns a block of a class for n bytes; nil never.
func (h *Heap) take(id uint32, n int, op string) unsafe.Pointer {
	c := h.borrow(op)
	defer h.giveBack(c)
	p := c.bins[id%heapBins].Alloc()
	if p == nil {
		heapOutOfMemory(op, n, c.err)
	}
	return p
}`)
	o.decls(`
// put gives back a block: one of a class where id is that, or of whatever class
// its address says where id is 0.
func (h *Heap) put(id uint32, p unsafe.Pointer) {
	c := h.borrow("Heap.Free")
	defer h.giveBack(c)
	b := &c.bins[id%heapBins]
	if id == 0 {
		b = c.own.BinOf(p)
	}
	b.Free(p)
}`)
	if h.Stats {
		o.decls(`
// countLocals has nothing to add.
func (h *Heap) countLocals(*[heapClasses + 1]int64) (cores int) { return 0 }`)
	}
}

// emitPerCPUMethods are the calls that any goroutine may make.
func emitPerCPUMethods(o *out, h plan.Heap) {
	o.decls(comment(allocDoc(h)) + `
func (h *Heap) Alloc(n int) []byte {
	if uint(n-1) >= heapThreshold {
		` + refuseText(h, "Heap.Alloc") + `
		c := h.borrow("Heap.Alloc")
		defer h.giveBack(c)
		return c.own.Alloc(n)
	}
	id := uint32(heapBinTable[(n+heapAlignMask)>>heapAlignShift])
	return unsafe.Slice((*byte)(h.take(id, n, "Heap.Alloc")), heapClassTable[id].size)` + upTo(h) + `
}`)
	o.decls(`
// Free gives a block back: b starts where its block started, its length and
// capacity do not count. A slice without capacity is no block: nothing happens.
func (h *Heap) Free(b []byte) {
	if cap(b) != 0 {
		h.put(0, unsafe.Pointer(unsafe.SliceData(b)))
	}
}`)
}
