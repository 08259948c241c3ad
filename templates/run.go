package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitRuns is the supply of empty pools.
func emitRuns(o *out, h plan.Heap) {
	o.decls(`
// heapRunLists is how many lists of runs there are: one for each length up to 15
// pools, then two per doubling.
const heapRunLists = 64`)
	o.decls(`
// heapRunList is the list of runs of so many pools.
func heapRunList(pools uint32) uint32 {
	if pools < 16 {
		return pools
	}
	log := uint32(bits.Len32(pools)) - 1
	return 16 + 2*(log-4) + pools>>(log-1)&1
}`)
	o.decls(`
// findRun finds a run of at least so many pools, or heapNone: in the lists of
// longer ones without a search, else among the first few of its own length's
// list, or among all of them.
func (h *Heap) findRun(pools uint32, all bool) uint32 {
	list := heapRunList(pools)
	exact := list == pools
	if set := h.filled >> list >> 1; set != 0 && !exact {
		return h.runs[list+1+uint32(bits.TrailingZeros64(set))]
	}
	if set := h.filled >> list; set != 0 && exact {
		return h.runs[list+uint32(bits.TrailingZeros64(set))]
	}
	left := 128
	for r := h.runs[list]; r != heapNone && (all || left > 0); r = h.span(r).next {
		if h.span(r).pools >= pools {
			return r
		}
		left--
	}
	return heapNone
}`)
	o.decls(`
// takeRun takes pools that lie side by side out of the empty ones; with grow, new
// ones from the system if there is no other way. It returns heapNone when there
// are none. h.mu is held.
func (h *Heap) takeRun(pools uint32, grow bool) uint32 {
	first := h.findRun(pools, false)
	if first == heapNone && grow {
		h.grow(pools)
		first = h.findRun(pools, true)
	}
	if first == heapNone {
		return heapNone
	}
	have := h.span(first).pools
	h.dropRun(first)
	if have > pools {
		h.putRun(first+pools, have-pools)
	}
	return first
}`)
	o.decls(`
// giveRun gives pools back and joins them with the runs beside them. h.mu is held.
func (h *Heap) giveRun(first, pools uint32) {
	if first > 0 && h.span(first-1).use == heapFree {
		before := first - 1 - h.span(first-1).back
		pools += h.span(before).pools
		first = before
		h.dropRun(first)
	}
	if after := first + pools; after < h.taken && h.span(after).use == heapFree {
		pools += h.span(after).pools
		h.dropRun(after)
	}
	h.putRun(first, pools)
}`)
	o.decls(`
// putRun adds a run to its list. Its first and last pool know its length.
func (h *Heap) putRun(first, pools uint32) {
	list := heapRunList(pools)
	s, last := h.span(first), h.span(first+pools-1)
	last.use, last.back = heapFree, pools-1
	s.use, s.back, s.pools = heapFree, 0, pools
	s.prev, s.next = heapNone, h.runs[list]
	if s.next != heapNone {
		h.span(s.next).prev = first
	}
	h.runs[list] = first
	h.filled |= 1 << list
	h.empty += pools
}`)
	o.decls(`
// dropRun takes a run off its list.
func (h *Heap) dropRun(first uint32) {
	s := h.span(first)
	list := heapRunList(s.pools)
	if s.next != heapNone {
		h.span(s.next).prev = s.prev
	}
	if s.prev != heapNone {
		h.span(s.prev).next = s.next
	} else {
		h.runs[list] = s.next
	}
	if h.runs[list] == heapNone {
		h.filled &^= 1 << list
	}
	h.empty -= s.pools
}`)
}

// emitArenas takes memory from the system.
func emitArenas(o *out, h plan.Heap) {
	o.decls(`
// grow takes arenas from the system so that a run of so many pools can be had,
// counting the empty pools at the end of the last one. h.mu is held.
func (h *Heap) grow(pools uint32) {
	if h.taken > 0 && h.span(h.taken-1).use == heapFree {
		last := h.span(h.taken-1).back + 1
		if last >= pools {
			return
		}
		pools -= last
	}
	arenas := (pools + heapArenaPools - 1) / heapArenaPools
	if h.pools-h.taken < arenas*heapArenaPools {
		return
	}
	start := h.base - uintptr(unsafe.Pointer(unsafe.SliceData(h.region))) + uintptr(h.taken)<<heapPoolShift
	if heapCommit(h.region[start:][:uintptr(arenas*heapArenaPools)<<heapPoolShift]) != nil {
		return
	}
	list := *h.arenas.Load()
	for i := uint32(0); i < arenas; i++ {
		list = append(list, new(heapArena))
	}
	// Readers without the lock keep the list that they have loaded.
	h.arenas.Store(&list)
	first := h.taken
	h.taken += arenas * heapArenaPools
	h.giveRun(first, arenas*heapArenaPools)
}`)
}

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

// emitFindLarge is Bin above the threshold.
func emitFindLarge(o *out, h plan.Heap) {
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
	c.want = n` + asked + `
	return &c.bins[heapLargeAlloc]
}`)
}

// emitLarge serves requests above the threshold with runs of pools.
func emitLarge(o *out, h plan.Heap) {
	o.decls(`
// newLarge returns a block of at least n bytes and its size; nil when memory
// is out. What is free anywhere, in c too, comes before new memory from the
// system.
func (c *HeapCache) newLarge(n int) (unsafe.Pointer, int) {
	h := c.heap
	need := (uint(n) + heapPoolSize - 1) >> heapPoolShift
	if need > heapPools {
		return nil, 0
	}
	pools := uint32(need)
	h.mu.Lock()
	defer h.mu.Unlock()
	first := h.takeRun(pools, false)
	if first == heapNone {
		h.mu.Unlock()
		h.note(c.drain())
		h.reclaim()
		h.mu.Lock()
		first = h.takeRun(pools, true)
	}
	if first == heapNone {
		return nil, 0
	}
	h.mark(first, pools, heapLarge)
	h.class[first] = heapLargeFree
	h.large += pools
	h.blocks++
	return unsafe.Add(nil, h.base+uintptr(first)<<heapPoolShift), int(pools) << heapPoolShift
}`)
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
	pools := s.pools
	s.use = heapFree // also when it becomes the middle of a run
	h.class[first] = heapForeign
	h.large -= pools
	h.blocks--
	h.giveRun(first, pools)
	return ""
}`)
}
