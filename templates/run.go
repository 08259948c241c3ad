package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitRuns is the supply of empty pools.
func emitRuns(o *out, h plan.Heap) {
	o.decls(`
// heapRunLists is how many lists of runs there are: list i holds those of i
// pools, the last one all that are longer.
const heapRunLists = 64`)
	o.decls(`
// takeRun takes pools that lie side by side, or heapNone. h.mu is held.
func (h *Heap) takeRun(pools uint32) uint32 {
	first := h.findRun(pools)
	if first == heapNone {
		if !h.grow(pools) {
			return heapNone
		}
		first = h.findRun(pools)
	}
	have := h.span(first).pools
	h.dropRun(first)
	if have > pools {
		h.putRun(first+pools, have-pools)
	}
	return first
}`)
	o.decls(`
// findRun finds the shortest run that holds so many pools, or heapNone.
func (h *Heap) findRun(pools uint32) uint32 {
	if set := h.filled >> min(pools, heapRunLists-1); pools < heapRunLists-1 && set != 0 {
		list := pools + uint32(bits.TrailingZeros64(set))
		if list < heapRunLists-1 {
			return h.runs[list]
		}
	}
	best := heapNone
	for r := h.runs[heapRunLists-1]; r != heapNone; r = h.span(r).next {
		if n := h.span(r).pools; n >= pools && (best == heapNone || n < h.span(best).pools) {
			best = r
		}
	}
	return best
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
	list := min(pools, heapRunLists-1)
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
	list := min(s.pools, heapRunLists-1)
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
// open reserves the heap's address space. h.mu is held.
func (h *Heap) open(op string) {
	if h.state == heapClosed {
		panic("PKG: " + op + ": use of closed Heap")
	}
	pools := heapPools
	region, err := heapReserve((pools + 1) << heapPoolShift)
	for err != nil && pools/2 >= heapMinPools {
		pools /= 2
		region, err = heapReserve((pools + 1) << heapPoolShift)
	}
	if err != nil {
		panic(&heapErr{op, (pools + 1) << heapPoolShift, HeapErrSystem})
	}
	table, err := heapTable()
	if err != nil {
		heapUnmap(region)
		panic(&heapErr{op, heapPools + 1, HeapErrSystem})
	}
	h.region, h.class = region, table
	h.pools = uint32(pools)
	// One pool more than needed was reserved, so that pools start at multiples of their size.
	h.base = (uintptr(unsafe.Pointer(unsafe.SliceData(region))) + heapPoolSize - 1) &^ (heapPoolSize - 1)
	h.arenas.Store(new([]*heapArena))
	for i := range h.runs {
		h.runs[i] = heapNone
	}
	for i := range h.depots {
		h.depots[i].spans = heapNone
	}
	h.state = heapOpen
}`)
	o.decls(`
// grow takes arenas from the system until a run of so many pools can be had,
// counting the empty pools at the end of the last one. h.mu is held.
func (h *Heap) grow(pools uint32) bool {
	if h.taken > 0 && h.span(h.taken-1).use == heapFree {
		pools -= h.span(h.taken-1).back + 1
	}
	arenas := (pools + heapArenaPools - 1) / heapArenaPools
	if h.pools-h.taken < arenas*heapArenaPools {
		return false
	}
	start := h.base - uintptr(unsafe.Pointer(unsafe.SliceData(h.region))) + uintptr(h.taken)<<heapPoolShift
	if heapCommit(h.region[start:][:arenas*heapArenaPools<<heapPoolShift]) != nil {
		return false
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
	return true
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
		first := uint32(pool) - h.span(uint32(pool)).back
		if h.span(first).use == heapLarge {
			return heapMisuse("an address inside a large block", p)
		}
	}
	return heapMisuse("not a block of this heap (freed before?)", p)
}`)
}

// emitLarge serves requests above the threshold with runs of pools.
func emitLarge(o *out, h plan.Heap) {
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
	o.decls(`
// large loads a reserved bin with one block above the threshold.
//
//go:noinline
func (c *HeapCache) large(n int) *HeapBin {
	if n < 0 {
		heapNegative("HeapCache.Bin", n)
	}
	c.check("HeapCache.Bin")
	c.dropLarge()
	b := &c.bins[heapLargeAlloc]
	p, _ := c.heap.newLarge(n)
	b.slots[0] = uintptr(p)
	b.n, b.lim = 1, 1
	return b
}`)
	o.decls(`
// dropLarge frees the block that large loaded and nobody took.
func (c *HeapCache) dropLarge() string {
	b := &c.bins[heapLargeAlloc]
	p := b.slots[0]
	idle := b.n == 0 || p == 0
	b.n, b.lim = 0, 0
	if idle {
		return ""
	}
	return c.heap.freeLarge(p)
}`)
	o.decls(`
// newLarge returns a block of at least n bytes and its size; nil when memory
// is out.
func (h *Heap) newLarge(n int) (unsafe.Pointer, int) {
	need := (uint(n) + heapPoolSize - 1) >> heapPoolShift
	h.mu.Lock()
	defer h.mu.Unlock()
	if need > uint(h.pools) {
		return nil, 0
	}
	pools := uint32(need)
	first := h.takeRun(pools)
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
	pools := h.span(first).pools
	h.class[first] = heapForeign
	h.large -= pools
	h.blocks--
	h.giveRun(first, pools)
	return ""
}`)
}
