package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/allocgen/allocgen/internal/plan"
)

// emitRealloc resizes blocks, whatever the memory.
func emitRealloc(o *out, h plan.Heap) {
	o.decls(`
// heapRoom is how many bytes a block for n bytes holds, n from 1.
func heapRoom(n int) int {` + largeRoom(h) + `
	return int(heapClassTable[heapBinTable[(n+heapAlignMask)>>heapAlignShift]].size)
}`)
	o.fn(fn{
		doc:  wrap(reallocDoc(h)),
		head: "(c *HeapCache) Realloc(b []byte, n int) []byte",
		body: func(s *scope) []code { return reallocBody(s, h) },
	})
	doc := "Realloc is that of a cache."
	if h.Shared() {
		doc = reallocDoc(h)
	}
	o.decls(comment(doc) + `
func (h *Heap) Realloc(b []byte, n int) []byte {
	` + refuseText(h, "Heap.Realloc") + lockHeap(h) + `
	c := h.borrow("Heap.Realloc")
	defer h.giveBack(c)
	return c.own.Realloc(b, n)
}`)
	emitUsableSize(o, h)
}

// reallocBody stays in place where that can be done, and moves otherwise.
func reallocBody(s *scope, h plan.Heap) []code {
	stays := func() []code {
		return append(zeroesRest(s, h, "held"), s.do("return unsafe.Slice((*byte)(from), held)"+upTo(h)))
	}
	site := h.Site("HeapCache.Realloc", plan.AllocFast)
	return join(
		[]code{
			refuse(s, h, cacheOp(h, "Realloc")),
			s.do(`c.check("` + cacheOp(h, "Realloc") + `")`),
			s.when("cap(b) == 0", s.do("return c.Alloc(n)")),
			s.do("from := unsafe.Pointer(unsafe.SliceData(b))"),
			s.do("held, wrong := c.core.heap.usable(uintptr(from))"),
			s.when(`wrong != ""`, s.do("panic(wrong)")),
		},
		heldByGo(s, h),
		[]code{
			s.when("n == 0", s.do("c.Free(b)"), s.do("return []byte{}")),
			s.when("n <= held && (n > held-held/4 || heapRoom(n) >= held)", stays()...),
		},
		reallocLarge(s, h),
		[]code{s.do("to := c.Bin(n)")},
		allocInto(s, h, site),
		[]code{
			s.when("p == nil && n > held", s.do(`heapOutOfMemory("`+cacheOp(h, "Realloc")+`", n, c.core.err)`)),
			s.when("p == nil", append([]code{jen.Comment("// What fits never fails.")}, stays()...)...),
		},
		zeroed(s, h, site),
		counted(s, h, "to.countAlloc(n)"),
		[]code{
			s.do("moved := unsafe.Slice((*byte)(p), heapRoom(n))" + upTo(h)),
			s.do("copy(moved, b)"),
			s.do("c.Free(b)"),
			s.do("return moved"),
		},
	)
}

// reallocDoc is the contract of Realloc.
func reallocDoc(h plan.Heap) string {
	doc := "Realloc makes a block hold n bytes, of which it keeps the first min(len(b), n), and returns it: in place as long as the " +
		"block holds n bytes and more than 3/4 of it stays used, or no smaller one would do; else another, and b is freed. "
	if h.LargePages {
		doc += "A large block grows in place where what lies behind it is free, and shrinks in place. "
	}
	doc += "Only what it returns may be used. A slice without capacity is no block: that is Alloc. n == 0 frees b and gives an " +
		"empty slice, " + mistaken(h) + " panics, and so does what Free would refuse. When memory is out it panics as Alloc does, and b is as it was; " +
		"to hold less never fails."
	return doc
}

func largeRoom(h plan.Heap) string {
	if h.Refuses() {
		return ""
	}
	if h.LargeGo {
		return `
	if n > heapThreshold {
		return n
	}`
	}
	return `
	if n > heapThreshold {
		return (n + heapPoolSize - 1) &^ (heapPoolSize - 1)
	}`
}

// heldByGo is what is known of a block that may be Go's.
func heldByGo(s *scope, h plan.Heap) []code {
	if !h.LargeGo {
		return nil
	}
	return []code{s.when("held == 0", s.do("held = cap(b) // a large block: Go's"))}
}

// reallocLarge resizes to more than the threshold.
func reallocLarge(s *scope, h plan.Heap) []code {
	if h.Refuses() {
		return nil
	}
	if h.LargeGo {
		return []code{s.when("n > heapThreshold",
			s.do(`large := c.makeLarge("`+cacheOp(h, "Realloc")+`", n)`),
			s.do("copy(large, b)"),
			s.do("c.Free(b)"),
			s.do("return large"))}
	}
	return []code{s.when("n > heapThreshold && c.core.heap.resizeLarge(uintptr(from), n)", append(
		zeroesRest(s, h, "min(held, heapRoom(n))"), // what is new is zero
		s.do("return unsafe.Slice((*byte)(from), heapRoom(n))"+upTo(h)))...)}
}

// emitUsableSize tells how much a block holds.
func emitUsableSize(o *out, h plan.Heap) {
	large := ""
	if h.LargeGo {
		large = " Of an address outside the heap that is not known: it may be a large block,\n// which is Go's. It is 0 as well."
	}
	first := ", which is what its capacity\n// was at first"
	if h.Exact {
		first = ""
	}
	o.decls(`
// UsableSize is how many bytes the block at p holds` + first + `; 0 for nil.` + large + ` An address that is no block's start panics.
func (c *HeapCache) UsableSize(p unsafe.Pointer) int {
	c.check("HeapCache.UsableSize")
	if p == nil {
		return 0
	}
	size, wrong := c.core.heap.usable(uintptr(p))
	if wrong != "" {
		panic("PKG: HeapCache.UsableSize" + strings.TrimPrefix(wrong, "PKG: Heap.Free"))
	}
	return size
}`)
}

// emitUsable finds a block's size in system memory.
func emitUsable(o *out, h plan.Heap) {
	large := ""
	if h.LargePages {
		large = `
	case heapLargeFree:
		if (p-h.base)%heapPoolSize != 0 {
			return 0, heapMisuse("an address inside a large block", p)
		}
		return h.largeSize(p), ""`
	}
	none := ""
	if h.LargeGo {
		none = "; 0 for one outside the\n// heap"
	}
	o.decls(`
// usable is how many bytes the block at p holds` + none + `, or says what is wrong
// with p.
func (h *Heap) usable(p uintptr) (size int, wrong string) {
	switch id := uint32(h.binOf(p)); id {
	case heapForeign:
		return 0, h.foreign(p)` + large + `
	default:
		if _, _, _, wrong := h.blockAt(id, p); wrong != "" {
			return 0, heapMisuse(wrong+", "+` + classText(h) + `, p)
		}
		return int(heapClassTable[id].size), ""
	}
}`)
}

// emitResizeLarge resizes large blocks in place.
func emitResizeLarge(o *out, h plan.Heap) {
	o.decls(`
// largeSize is the size of a large block.
func (h *Heap) largeSize(p uintptr) int {
	return int(h.span(uint32((p-h.base)>>heapPoolShift)).pools) << heapPoolShift
}`)
	o.decls(`
// resizeLarge makes a large block hold n bytes where it is, and reports whether
// that could be done: it gives its last pools back, or takes those behind it.
// Blocks of classes stay as they are.
func (h *Heap) resizeLarge(p uintptr, n int) bool {
	need := (uint(n) + heapPoolSize - 1) >> heapPoolShift
	first, pools := uint32((p-h.base)>>heapPoolShift), uint32(need)
	if need > heapPools || h.class[first] != heapLargeFree {
		return false
	}
` + wipes(h, `	if have := h.span(first).pools; pools < have {
		clear(h.part(first+pools, have-pools))
	}
`) + `	h.mu.Lock()
	defer h.mu.Unlock()
	have := h.span(first).pools
	if pools > have && !h.takeAt(first+have, pools-have) {
		return false
	}
	h.mark(first, pools, heapLarge)
	h.large += pools - have
	if pools < have {
		h.giveRun(first+pools, have-pools)
	}
	return true
}`)
	limit := ""
	if h.Limit != 0 {
		limit = `
	if !h.within(pools) {
		return false
	}`
	}
	zero := ""
	if h.ZeroAlloc {
		zero = `
		if !heapDecommitZeroes || h.span(at).use != heapBare {
			clear(h.part(at, part))
		}`
	}
	o.decls(`
// takeAt takes the pools from first on, where a run would start, out of the empty
// ones, and reports whether all of them were. Else nothing has changed. h.mu is held.
func (h *Heap) takeAt(first, pools uint32) bool {` + limit + `
	end := first + pools
	for at := first; at < end; at += h.span(at).pools {
		if at >= h.taken || h.span(at).use > heapBare {
			return false
		}
	}
	for at := first; at < end; at += h.span(at).pools {
		if !h.back(at, min(end-at, h.span(at).pools)) {
			h.unback(first, at)
			return false
		}
	}
	for at := first; at < end; {
		part := min(end-at, h.span(at).pools)` + zero + `
		h.cutRun(at, part)
		at += part
	}
	h.occupy(first, pools, 1)
	return true
}`)
	o.decls(`
// unback takes the memory away again that back brought behind the bare ones of
// the runs from first to end. What the system does not take is bare all the same.
func (h *Heap) unback(first, end uint32) {
	for at := first; at < end; at += h.span(at).pools {
		if s := h.span(at); s.use == heapBare {
			heapDecommit(h.part(at, s.pools))
		}
	}
}`)
}

// emitGoUsable finds a block's size in Go memory.
func emitGoUsable(o *out, h plan.Heap) {
	none := ""
	if h.LargeGo {
		none = "; 0 for one outside the\n// heap"
	}
	o.decls(`
// usable is how many bytes the block at p holds` + none + `, or says what is wrong
// with p.
func (h *Heap) usable(p uintptr) (size int, wrong string) {
	h.registry.mu.Lock()
	defer h.registry.mu.Unlock()
	block, wrong := h.registry.at(heapForeign, p, "a free block")
	return block.size, wrong
}`)
	if !h.LargePages {
		return
	}
	o.decls(`
// resizeLarge cannot resize a Go object.
func (h *Heap) resizeLarge(uintptr, int) bool { return false }`)
}
