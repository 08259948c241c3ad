package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitSlow is what slow paths share, whatever the memory.
func emitSlow(o *out, h plan.Heap) {
	o.decls(`
// core finds the core that b is a part of.
func (b *HeapBin) core() *heapCore {
	if !b.owned {
		panic("PKG: HeapBin: a bin comes from a HeapCache, and that from Acquire of Heap")
	}
	const first = unsafe.Offsetof(heapCore{}.bins)
	return (*heapCore)(unsafe.Add(unsafe.Pointer(b), -int(first+uintptr(b.id)*unsafe.Sizeof(*b))))
}`)
	if h.LargePages {
		o.decls(`
// takeLarge is the block that large was asked for, or nothing.
func (c *heapCore) takeLarge() heapSlot {
	n := c.want
	if n == 0 {
		panic("PKG: HeapBin.Alloc: a bin for a size above the threshold serves one call")
	}
	c.want = 0
	p, _ := c.newLarge(n)
	return heapSlot(p)
}`)
	}
}

// emitRefill is the slow path of alloc.fast.
func emitRefill(o *out, h plan.Heap) {
	if h.ListBins {
		emitListRefill(o, h)
	} else {
		emitStackRefill(o, h)
	}
	marks := ""
	if h.KnowsFresh() {
		marks = "\n\tb.unmark(dst[:n])"
	}
	o.decls(`
// take fills the first of dst with what b is to have next, and returns how many
// those are. Before there are none c gives up what its other bins keep.
func (c *heapCore) take(b *HeapBin, dst []uintptr) (n int) {
	c.widen(b)
	if n, c.err = c.heap.takeBlocks(b.id, dst[:(b.lim+1)/2]); n == 0 {
		c.heap.note(c.drain())
		c.widen(b)
		n, c.err = c.heap.takeBlocks(b.id, dst[:(b.lim+1)/2])
	}` + marks + `
	return n
}`)
	o.decls(`
// widen doubles the limit of b, up to its class's depth.
func (c *heapCore) widen(b *HeapBin) {
	b.lim = min(max(2*b.lim, heapFirstLimit), uint(heapClassTable[b.id].depth))
	c.armed[b.id/64] |= 1 << (b.id % 64)
}`)
}

// emitStackRefill fills the slots of a bin.
func emitStackRefill(o *out, h plan.Heap) {
	o.fn(fn{
		doc: `
			refill makes b hold at least one block, or nil when there is none. It is
			called when b is empty.`,
		pragma: "//go:noinline",
		head:   "(b *HeapBin) refill()",
		body: func(s *scope) []code {
			body := []code{
				s.do("c := b.core()"),
				s.do(`c.check("HeapBin.Alloc")`),
				s.when("b.id-1 < heapClasses",
					s.do("b.n = uint(c.take(b, b.slots[:]))")),
			}
			if h.LargePages {
				body = append(body, s.when("b.id == heapLargeAlloc", s.do("b.slots[0] = c.takeLarge()"), s.do("b.n = 1")))
			}
			nothing := []code{s.do("b.slots[0] = 0"), s.do("b.n = 1")}
			if len(h.Typed) > 0 {
				nothing = append([]code{s.do("b.noObject()")}, nothing...)
			}
			return append(body, s.when("b.n == 0", nothing...))
		},
	})
}

// emitFlush is the slow path of free.fast.
func emitFlush(o *out, h plan.Heap) {
	if h.ListBins {
		emitListFlush(o, h)
	} else {
		emitStackFlush(o, h)
	}
	back := "return c.heap.returnBlocks(b.id, []uintptr{uintptr(p)})"
	if h.Full && !h.Shared() {
		back = `wrong := c.heap.returnBlocks(b.id, []uintptr{uintptr(p)})
		if wrong == "" && c.dead {
			c.heap.counts.frees[b.id].Add(1)
		}
		return wrong`
	}
	o.decls(`
// dispose takes a block that no bin keeps, or says what is wrong with it.
func (c *heapCore) dispose(b *HeapBin, p unsafe.Pointer) string {
	if p == nil {
		return ""
	}
	if c.heap.state == heapClosed {
		return "PKG: HeapBin.Free: use of closed Heap"
	}
	if b.id-1 < heapClasses {
		` + back + `
	}
	return c.heap.free(uintptr(p))
}`)
	emitFreeByAddress(o, h)
}

// emitStackFlush empties half of the slots of a bin.
func emitStackFlush(o *out, h plan.Heap) {
	o.decls(`
// flush makes room in b for p. It is called when b is full; a bin that passes
// through disposes of p itself and leaves n so that the push wraps to 0.
//
//go:noinline
func (b *HeapBin) flush(p unsafe.Pointer) {
	c := b.core()
	if b.id-1 < heapClasses` + alive(h) + ` && c.heap.state == heapOpen {
		if depth := uint(heapClassTable[b.id].depth); b.lim < depth {
			c.widen(b)
			return
		}
		// The newest half leaves: the rest need not move.
		b.n = b.lim / 2
		if wrong := c.heap.giveBlocks(b.id, b.slots[b.n:b.lim]); wrong != "" {
			b.slots[b.n] = uintptr(p) // p is taken before the panic
			b.n = b.lim/2 + 1
			panic(wrong)
		}
		return
	}
	if wrong := c.dispose(b, p); wrong != "" {
		panic(wrong)
	}
	b.n = ^uint(0)
}`)
}

// emitFreeByAddress is for addresses that no bin was found for.
func emitFreeByAddress(o *out, h plan.Heap) {
	if h.Full {
		emitCountedFree(o, h)
		return
	}
	large := ""
	if h.LargePages {
		large = `
	case heapLargeFree:
		return h.freeLarge(p)`
	}
	o.decls(`
// free takes a block by its address alone, or says what is wrong with it.
func (h *Heap) free(p uintptr) string {
	switch id := h.binOf(p); id {
	case heapForeign:
		return h.foreign(p)` + large + `
	default:` + wipes(h, `
		if wrong := h.wipe(uint32(id), p); wrong != "" {
			return wrong
		}`) + `
		return h.returnBlocks(uint32(id), []uintptr{p})
	}
}`)
}

// emitCountedFree is free that counts what it took.
func emitCountedFree(o *out, h plan.Heap) {
	large := ""
	if h.LargePages {
		large = `
	case heapLargeFree:
		wrong = h.freeLarge(p)`
	}
	o.decls(`
// free takes a block by its address alone, and counts it, or says what is wrong
// with it.
func (h *Heap) free(p uintptr) (wrong string) {
	id := h.binOf(p)
	switch id {
	case heapForeign:
		return h.foreign(p)` + large + `
	default:` + wipes(h, `
		if wrong = h.wipe(uint32(id), p); wrong != "" {
			return wrong
		}`) + `
		wrong = h.returnBlocks(uint32(id), []uintptr{p})
	}
	if wrong == "" {
		h.counts.frees[id].Add(1)
	}
	return wrong
}`)
}

// emitDrain empties the bins of a cache.
func emitDrain(o *out, h plan.Heap) {
	empty := `
			n := b.n
			b.n, b.lim = 0, 0` + emptied(h) + `
			if what := c.heap.returnBlocks(b.id, b.slots[:n]); what != "" {
				wrong = what
			}`
	if !h.ListBins {
		o.decls(`
// settle has nothing to do: slots hold no pointers.
func (c *heapCore) settle() {}`)
	} else {
		empty = `
			if what := b.empty(c.heap); what != "" {
				wrong = what
			}`
	}
	if h.Stats {
		o.decls(`
// count adds the blocks in bins, by class.
func (c *heapCore) count(blocks *[heapClasses + 1]int64) {
	for id := range blocks[1:] {
		blocks[1+id] += int64(c.bins[1+id].n)
	}
}`)
	}
	o.decls(`
// drain empties all bins and leaves them passing through. It says what was
// wrong with a block.
func (c *heapCore) drain() string {
	wrong := ""
	for i := range c.armed {
		for set := c.armed[i]; set != 0; set &= set - 1 {
			b := &c.bins[(i*64+bits.TrailingZeros64(set))%heapBins]` + empty + `
		}
		c.armed[i] = 0
	}
	return wrong
}`)
}
