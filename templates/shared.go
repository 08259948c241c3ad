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

// borrowed is how a method of the heap itself gets a core, as c.
func borrowed(s *scope, h plan.Heap, op string) []code {
	var lock []code
	if h.Sync == plan.SyncMutex {
		lock = []code{s.do("h.lock.Lock()"), s.do("defer h.lock.Unlock()")}
	}
	return append(lock, s.do("c := h.borrow("+op+")"), s.do("defer h.giveBack(c)"))
}

// emitPerCPU is a heap whose goroutines use the core of the processor that they are
// on.
func emitPerCPU(o *out, h plan.Heap) {
	o.decls(`
// heapPerCPU has the cores of processors, by their number; nil where one is not
// made yet. Who is pinned to a processor owns its core.
type heapPerCPU struct {
	cpu     entryPin
	locals  atomic.Pointer[[]atomic.Pointer[heapCore]] // replaced under h.mu
	recalls sync.Mutex // held by recall
}`)
	o.decls(`
// local is the core of a processor, for who is pinned to it.
func (h *Heap) local(id uint) *heapCore {
	if locals := h.locals.Load(); locals != nil && id < uint(len(*locals)) {
		return (*locals)[id].Load()
	}
	return nil
}`)
	o.decls(`
// take returns a block of a class for n bytes; nil never.
func (h *Heap) take(id uint32, n int, op string) unsafe.Pointer {
	if c := h.local(h.cpu.pin()); c != nil {
		if b := &c.bins[id%heapBins]; b.n != 0 {
			p := b.Alloc()
			h.cpu.unpin()
			return p
		}
	}
	h.cpu.unpin()
	return h.takeShared(id, n, op)
}`)
	o.decls(`
// put gives back a block: one of a class where id is that, or of whatever class
// its address says where id is 0.
func (h *Heap) put(id uint32, p unsafe.Pointer) {
	if c := h.local(h.cpu.pin()); c != nil {
		b := &c.bins[id%heapBins]
		if id == 0 {
			b = c.own.BinOf(p)
		}
		if b.n < b.lim {
			b.Free(p)
			h.cpu.unpin()
			return
		}
	}
	h.cpu.unpin()
	h.putShared(id, p)
}`)
	o.decls(`
// stock moves what b has to the processor's bin of its class.
func (h *Heap) stock(b *HeapBin) {
	h.exchange(func(local *heapCore) {
		to := &local.bins[b.id%heapBins]
		local.widen(to)
		for b.n > 0 && to.n < to.lim {
			b.n--
			to.slots[to.n] = b.slots[b.n]
			to.n++
		}
	})
}`)
	o.decls(`
// relieve makes room in the processor's bin of b's class: it may keep more, or b takes
// half of it.
func (h *Heap) relieve(b *HeapBin) {
	h.exchange(func(local *heapCore) {
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
// exchange calls f, pinned, with the core of the processor; f must not block.
func (h *Heap) exchange(f func(local *heapCore)) {
	id := h.cpu.pin()
	c := h.local(id)
	if c != nil {
		f(c)
	}
	h.cpu.unpin()
	if c == nil {
		h.settleIn(id)
	}
}`)
	o.decls(`
// settleIn makes the core of a processor.
func (h *Heap) settleIn(id uint) {
	c := h.newCore("Heap.Alloc")
	h.mu.Lock()
	locals := h.locals.Load()
	if locals == nil || id >= uint(len(*locals)) {
		// Who is pinned may go on with the old list: what it has of each processor is
		// the same.
		more := make([]atomic.Pointer[heapCore], max(int(id)+1, h.cpu.count()))
		if locals != nil {
			for i := range *locals {
				more[i].Store((*locals)[i].Load())
			}
		}
		locals = &more
		h.locals.Store(locals)
	}
	settled := (*locals)[id].CompareAndSwap(nil, c)
	h.mu.Unlock()
	if !settled { // another was faster
		h.giveBack(c)
	}
}`)
	emitRecall(o, h)
}

// emitRecall is how a heap gets back what processors keep.
func emitRecall(o *out, h plan.Heap) {
	o.decls(`
// recall takes the cores of all processors away from them, if they keep any block,
// and makes them idle ones. No lock is held.
func (h *Heap) recall() {
	h.recalls.Lock()
	defer h.recalls.Unlock()
	if !h.localsKeep() {
		return
	}
	h.mu.Lock()
	locals := h.locals.Swap(nil)
	h.mu.Unlock()
	h.cpu.wait() // who was pinned may have found its core before
	for i := range *locals {
		if c := (*locals)[i].Load(); c != nil {
			h.giveBack(c)
		}
	}
}`)
	o.decls(`
// localsKeep reports whether processors keep blocks: about, while others run.
func (h *Heap) localsKeep() bool {
	locals := h.locals.Load()
	if locals == nil {
		return false
	}
	h.cpu.pin()
	defer h.cpu.unpin()
	for i := range *locals {
		c := (*locals)[i].Load()
		for id := 1; c != nil && id <= heapClasses; id++ {
			if c.bins[id].n != 0 {
				return true
			}
		}
	}
	return false
}`)
	o.decls(`
// leave recalls the cores where there are fewer processors than before.
func (h *Heap) leave() {
	if locals := h.locals.Load(); locals != nil && len(*locals) > h.cpu.count() {
		h.recall()
	}
}`)
	if !h.Stats {
		return
	}
	o.decls(`
// countLocals adds the blocks that processors keep: about, while others run.
func (h *Heap) countLocals(blocks *[heapClasses + 1]int64) (cores int) {
	locals := h.locals.Load()
	if locals == nil {
		return 0
	}
	h.cpu.pin()
	defer h.cpu.unpin()
	for i := range *locals {
		if c := (*locals)[i].Load(); c != nil {
			c.count(blocks)
			cores++
		}
	}
	return cores
}`)
}

// emitPerCPUGo is the same for blocks that are Go objects, which no bin keeps.
func emitPerCPUGo(o *out, h plan.Heap) {
	o.decls(`
// heapPerCPU has nothing: every call borrows a core.
type heapPerCPU struct{}

// stock has nothing to move.
func (h *Heap) stock(*HeapBin) {}

// relieve has nothing to move.
func (h *Heap) relieve(*HeapBin) {}`)
	o.decls(`
// take returns a block of a class for n bytes; nil never.
func (h *Heap) take(id uint32, n int, op string) unsafe.Pointer { return h.takeShared(id, n, op) }

// put gives back a block: one of a class where id is that, or of whatever class
// its address says where id is 0.
func (h *Heap) put(id uint32, p unsafe.Pointer) { h.putShared(id, p) }`)
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
	h.stock(b)
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
	if b.id-1 < heapClasses {
		h.relieve(b)
	}
}`)
}
