package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitForeign says what is wrong with an address that is no block.
func emitForeign(o *out, h plan.Heap) {
	if h.LargeGo {
		o.decls(`
// foreign answers the free of an address outside all pools in use. One outside
// the heap may be a large block: those are Go's, and the GC's to free.
func (h *Heap) foreign(p uintptr) string {
	if p-h.base >= uintptr(h.pools)<<heapPoolShift {
		return ""
	}
	return heapMisuse("not a block of this heap (freed before?)", p)
}`)
		return
	}
	if h.Refuses() {
		o.decls(`
// foreign says what is wrong with an address outside all pools in use.
func (h *Heap) foreign(p uintptr) string {
	if p-h.base >= uintptr(h.pools)<<heapPoolShift {
		return heapMisuse("not a block of this heap (grown by append?)", p)
	}
	return heapMisuse("not a block of this heap (freed before?)", p)
}`)
		return
	}
	o.decls(`
// foreign says what is wrong with an address outside all pools in use.
func (h *Heap) foreign(p uintptr) string {
	pool := (p - h.base) >> heapPoolShift
	if pool >= uintptr(h.pools) {
		return heapMisuse("not a block of this heap (grown by append?)", p)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if pool < uintptr(h.taken) {
		// Records of pools within runs are old.
		first := uint32(pool) - h.span(uint32(pool)).back
		if whole := h.span(first); whole.use == heapLarge && uint32(pool)-first < whole.pools {
			return heapMisuse("an address inside a large block", p)
		}
	}
	return heapMisuse("not a block of this heap (freed before?)", p)
}`)
}

// refuse is where a function with a size n panics on one that is a mistake.
func refuse(s *scope, h plan.Heap, op string) code { return s.do(refuseText(h, op)) }

func refuseText(h plan.Heap, op string) string {
	if h.Refuses() {
		return `if uint(n) > heapThreshold {
		panic(heapRefused("` + op + `", n))
	}`
	}
	return `if n < 0 {
		heapNegative("` + op + `", n)
	}`
}

// mistaken are the sizes that panic.
func mistaken(h plan.Heap) string {
	if h.Refuses() {
		return "n < 0 or above the threshold"
	}
	return "n < 0"
}

// emitRefusal is Bin above the threshold, and what is said of all such sizes.
func emitRefusal(o *out) {
	o.decls(`
// large refuses sizes above the threshold.
//
//go:noinline
func (c *HeapCache) large(n int) *HeapBin {
	panic(heapRefused("HeapCache.Bin", n))
}`)
	o.decls(`
// heapRefused says what is wrong with a size above the threshold; one below 0
// panics itself.
//
//go:noinline
func heapRefused(op string, n int) string {
	if n < 0 {
		heapNegative(op, n)
	}
	return "PKG: " + op + ": " + strconv.Itoa(n) + " bytes are above the threshold, " + strconv.Itoa(heapThreshold)
}`)
}

// emitFindLarge is Bin above the threshold.
func emitFindLarge(o *out, h plan.Heap) {
	if h.Refuses() {
		emitRefusal(o)
		return
	}
	if h.LargeGo {
		o.decls(`
// large refuses sizes above the threshold: such blocks are Go's, and an address
// in a bin would hide them from the GC.
//
//go:noinline
func (c *HeapCache) large(n int) *HeapBin {
	if n < 0 {
		heapNegative("HeapCache.Bin", n)
	}
	panic("PKG: HeapCache.Bin: " + strconv.Itoa(n) + " bytes are above the threshold: use Alloc")
}`)
		return
	}
	asked := ""
	if h.Full {
		asked = "\n\tc.bins[heapLargeAlloc].asked = n"
	}
	o.decls(`
// large finds the reserved bin whose next Alloc takes a block of n bytes.
//
//go:noinline
func (c *HeapCache) large(n int) *HeapBin {
	if n < 0 {
		heapNegative("HeapCache.Bin", n)
	}
	c.check("HeapCache.Bin")
	c.core.want = n` + asked + `
	return &c.bins[heapLargeAlloc]
}`)
}

// emitLarge serves requests above the threshold with runs of pools.
func emitLarge(o *out, h plan.Heap) {
	bare, zero, recall := "", "", ""
	if h.Sync == plan.SyncPerCPU {
		recall = `
	if err != nil {
		h.mu.Unlock()
		h.recall()
		h.reclaim()
		h.mu.Lock()
		first, err = h.takeRun(pools, true)
	}`
	}
	if h.ZeroAlloc {
		bare = "\tbare := heapDecommitZeroes && h.span(first).use == heapBare // so all is zero\n"
		zero = `
	if !bare {
		h.mu.Unlock()
		clear(h.part(first, pools))
		h.mu.Lock()
	}`
	}
	o.decls(`
// newLarge returns a block of at least n bytes and its size; nil when memory
// is out. What is free anywhere, in c too, comes before new memory from the
// system.
func (c *heapCore) newLarge(n int) (unsafe.Pointer, int) {
	h := c.heap
	need := (uint(n) + heapPoolSize - 1) >> heapPoolShift
	if need > heapPools {
		c.err = TOOMUCH
		return nil, 0
	}
	pools := uint32(need)
	h.mu.Lock()
	defer h.mu.Unlock()
	first, err := h.takeRun(pools, false)
	if err != nil {
		h.mu.Unlock()
		h.note(c.drain())
		h.reclaim()
		h.mu.Lock()
		first, err = h.takeRun(pools, true)
	}`+recall+`
	if err != nil {
		c.err = err
		return nil, 0
	}
`+bare+`	h.mark(first, pools, heapLarge)
	h.class[first] = heapLargeFree
	h.large += pools
	h.blocks++`+zero+`
	return unsafe.Add(nil, h.base+uintptr(first)<<heapPoolShift), int(pools) << heapPoolShift
}`, "TOOMUCH", tooMuch(h))
	o.decls(`
// freeLarge takes a large block back, or says what is wrong with it.
func (h *Heap) freeLarge(p uintptr) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	pool := (p - h.base) >> heapPoolShift
	if pool >= uintptr(h.taken) || h.class[pool] != heapLargeFree {
		return heapMisuse("not a large block", p)
	}
	if (p-h.base)%heapPoolSize != 0 {
		return heapMisuse("an address inside a large block", p)
	}
	first := uint32(pool)
	s := h.span(first)
	pools := s.pools` + wipes(h, `
	h.class[first] = heapForeign // no second Free comes here
	h.mu.Unlock()
	clear(h.part(first, pools))
	h.mu.Lock()`) + `
	s.use = heapEmpty // also when it becomes the middle of a run
	h.class[first] = heapForeign
	h.large -= pools
	h.blocks--
	h.giveRun(first, pools)
	return ""
}`)
}
