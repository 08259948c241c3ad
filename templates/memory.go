package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitSystem is the state of a heap in system memory, and how it begins and ends.
func emitSystem(o *out, h plan.Heap) {
	dead := "\tdead   atomic.Pointer[heapCore] // of released caches"
	if h.Shared() {
		dead = ""
	}
	large := ""
	if h.LargePages {
		large = `	large  uint32 // pools in large blocks
	blocks uint32 // large blocks
`
	}
	o.decls(`
// heapSlot is the address of a block in a bin. It is no pointer: the GC neither
// scans nor moves blocks.
type heapSlot = uintptr`)
	o.decls(`
// heapMemory is where the blocks of a heap are: in address space of its own. The
// heap's mu guards all but depots.
type heapMemory struct {
	heapFront
	region []byte // the address space, as mapped
	pools  uint32 // pools of the address space
	taken  uint32 // pools that the system has given: the first ones
	arenas atomic.Pointer[[]*heapArena]
	runs   [2]uint32 // by use: the tree of runs
	full   [2][heapFills]uint32 // by use: arenas in which runs start, by how full they are
	fills  [2]uint64 // by use: a bit per list of full, set when it is not empty
	oldest uint32 // run that keeps its memory, newest the last that became empty
	newest uint32
	empty  uint32 // empty pools that keep their memory
	bare   uint32 // empty pools without memory
	purged uint64 // pools that gave their memory back, ever
` + large + `	depots [heapClasses + 1]heapDepot
` + dead + `
}`)
	o.decls(`
// heapFront is what a cache, too, knows of its heap's memory.
type heapFront struct {
	class *[heapPools + 1]uint8 // the bin of each pool's blocks; the last entry is of no pool
	base  uintptr // of pool 0
}

// heapWork is what the slow paths of bins keep in mind.
type heapWork struct {
	armed [(heapBins + 63) / 64]uint64 // bins that have kept blocks
}

// heapNowhere is the front of released caches and closed heaps: every address is
// foreign.
var heapNowhere = heapFront{class: &heapClosedTable}

// heapClosedTable is the class table of no pools.
var heapClosedTable [heapPools + 1]uint8`)
	o.decls(`
// front makes the front of a cache.
func (h *Heap) front() heapFront { return h.heapFront }`)
	if !h.Shared() {
		emitDeadCore(o)
	}
	o.decls(`
// binOf finds the bin that the block at p goes back to.
func (f *heapFront) binOf(p uintptr) uint8 {
	return f.class[min((p-f.base)>>heapPoolShift, heapPools)]
}`)
	o.decls(`
// open reserves the heap's address space. h.mu is held.
func (h *Heap) open(op string) {
	heapUnmapLeft()
	pools := heapPools
	region, table := heapMap(pools)
	for region == nil && pools/2 >= heapMinPools {
		pools /= 2
		region, table = heapMap(pools)
	}
	if region == nil {
		panic(&heapErr{op, pools << heapPoolShift, HeapErrSystem})
	}
	h.region, h.class = region, table
	h.pools = uint32(pools)
	// At a multiple of the page size too: address space starts at one.
	h.base = (uintptr(unsafe.Pointer(unsafe.SliceData(region))) + heapPoolSize - 1) &^ (heapPoolSize - 1)
	h.arenas.Store(new([]*heapArena))
	h.runs = [2]uint32{heapNone, heapNone}
	h.oldest, h.newest = heapNone, heapNone
	for i := range h.depots {
		h.depots[i].spans = heapNone
	}
}`)
	o.decls(`
// shut takes all blocks back that are in no one's use, and gives the memory back.
// It notes what is wrong.
func (h *Heap) shut(note func(string)) error {
	for _, c := range h.cores {
		note(c.drain())
	}
	for id := range h.depots {
		h.emptyDepot(&h.depots[id], uint32(id))
		note(h.returnBlocks(uint32(id), nil))
	}
	note(h.live())
	heapUnmapLeft()
	var err error
	for _, region := range [][]byte{h.region, h.class[:]} {
		if left := heapUnmap(region); left != nil {
			err = errors.Join(err, &heapErr{"Heap.Close", len(region), left})
		}
	}
	h.heapMemory = heapMemory{}
	h.heapFront = heapNowhere
	h.arenas.Store(new([]*heapArena))
	return err
}`)
}

// emitMemory is all that the heap asks of the system, in the terms of no system.
func emitMemory(o *out, h plan.Heap) {
	o.decls(`
// heapMap reserves address space for pools, and their class table; nil when
// that cannot be had, or would leave too little for everything else.
func heapMap(pools int) ([]byte, *[heapPools + 1]uint8) {
	// One pool more, so that the first can start at a multiple of its size.
	size := (pools + 1) << heapPoolShift
	region, err := heapReserve(size)
	if err != nil {
		return nil, nil
	}
	margin, err := heapReserve(min(size/2, 1<<30))
	if err == nil {
		err = heapUnmap(margin)
	}
	var table *[heapPools + 1]uint8
	if err == nil {
		table, err = heapTable()
	}
	if err != nil {
		heapUnmap(region)
		return nil, nil
	}
	return region, table
}`)
	o.decls(`
// heapTable maps a class table of zeros. It is not Go memory, so that it does
// not count when the GC paces itself; pages that are never written take no
// memory.
func heapTable() (*[heapPools + 1]uint8, error) {
	table, err := heapReserve(heapPools + 1)
	if err != nil {
		return nil, err
	}
	if err := heapCommit(table); err != nil {
		heapUnmap(table)
		return nil, err
	}
	return (*[heapPools + 1]uint8)(table), nil
}`)
	emitCalls(o)
	emitUnmap(o)
}

// emitCalls are the only functions that call the system, and what tests put in
// its place.
func emitCalls(o *out) {
	o.decls(`
// heapFault is nil but in tests. It is asked before each call of the system, and
// an error of it is the call's, which is then not made.
var heapFault func(call string) error

// heapFails is the error that a test wants of a call.
func heapFails(call string) error {
	if heapFault == nil {
		return nil
	}
	return heapFault(call)
}`)
	o.decls(`
// heapReserve reserves address space without memory behind it, from a multiple
// of the page size on.
func heapReserve(size int) ([]byte, error) {
	if err := heapFails("reserve"); err != nil {
		return nil, err
	}
	return heapSysReserve(size)
}`)
	o.decls(`
// heapCommit makes a part of the address space usable, with all of the pages in
// which it begins and ends. New memory is zero; what is usable already stays as
// it is.
func heapCommit(part []byte) error {
	if err := heapFails("commit"); err != nil {
		return err
	}
	return heapSysCommit(part)
}`)
	o.decls(`
// heapDecommit gives the memory behind a usable part back, and keeps the address
// space: heapCommit makes it usable again. What it holds is lost, unless
// that is said to have failed. Pages that are not all of the part stay; where
// heapDecommitZeroes the part of them is cleared, so that it all is zero
// once it is usable again.
func heapDecommit(part []byte) error {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(part)))
	from, to := heapPages(start, uintptr(len(part)), heapPageSize)
	if from < to {
		err := heapFails("decommit")
		if err == nil {
			err = heapSysDecommit(part[from:to])
		}
		if err != nil {
			return err
		}
	}
	if heapDecommitZeroes {
		clear(part[:from])
		clear(part[to:])
	}
	return nil
}`)
	o.decls(`
// heapPageSize is the system's. Tests make it larger.
var heapPageSize = uintptr(syscall.Getpagesize())`)
	o.decls(`
// heapPages finds the whole pages of so many bytes from start on, as offsets.
func heapPages(start, size, page uintptr) (from, to uintptr) {
	from = min(-start&(page-1), size)
	return from, size - min((start+size)&(page-1), size-from)
}`)
}

// emitUnmap gives address space back, once and again.
func emitUnmap(o *out) {
	o.decls(`
// heapLeft is address space that the system did not take back: Linux refuses
// when that would split a mapping, and the process has as many as it may.
var heapLeft struct {
	mu      sync.Mutex
	regions [][]byte
}

// heapUnmap gives address space back, as it was reserved, with all memory behind
// it. What the system does not take is kept for heapUnmapLeft, without
// memory if that can be had.
func heapUnmap(region []byte) error {
	err := heapFails("unmap")
	if err == nil {
		err = heapSysUnmap(region)
	}
	if err != nil {
		heapSysDecommit(region)
		heapLeft.mu.Lock()
		heapLeft.regions = append(heapLeft.regions, region)
		heapLeft.mu.Unlock()
	}
	return err
}

// heapUnmapLeft tries again to give back what the system did not take.
func heapUnmapLeft() {
	heapLeft.mu.Lock()
	left := heapLeft.regions
	heapLeft.regions = nil
	heapLeft.mu.Unlock()
	for _, region := range left {
		heapUnmap(region)
	}
}`)
}

// emitDeadCore is for caches that were released.
func emitDeadCore(o *out) {
	o.decls(`
// deadCore is the core of all released caches. Any number of goroutines may free
// through it at once: its bins never hold more than nothing.
func (h *Heap) deadCore() *heapCore {
	if h.dead.Load() == nil {
		c := h.makeCore()
		c.dead = true
		h.dead.CompareAndSwap(nil, c)
	}
	return h.dead.Load()
}`)
}
