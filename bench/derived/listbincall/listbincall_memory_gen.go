// Code derived from ../../generated/listbincall by bench/derive; DO NOT EDIT.

//go:build go1.21 && linux && !allocgen_goheap

package listbincall

import (
	"errors"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// heapSlot is the address of a block in a bin. It is no pointer: the GC neither
// scans nor moves blocks.
type heapSlot = uintptr

// heapMemory is where the blocks of a heap are: in address space of its own. The
// heap's mu guards all but depots.
type heapMemory struct {
	region []byte                // the address space, as mapped
	base   uintptr               // of pool 0
	class  *[heapPools + 1]uint8 // the bin of each pool's blocks; the last entry is of no pool
	pools  uint32                // pools of the address space
	taken  uint32                // pools that the system has given: the first ones
	arenas atomic.Pointer[[]*heapArena]
	runs   [2]uint32            // by use: the tree of runs
	full   [2][heapFills]uint32 // by use: arenas in which runs start, by how full they are
	fills  [2]uint64            // by use: a bit per list of full, set when it is not empty
	oldest uint32               // run that keeps its memory, newest the last that became empty
	newest uint32
	empty  uint32 // empty pools that keep their memory
	bare   uint32 // empty pools without memory
	purged uint64 // pools that gave their memory back, ever
	large  uint32 // pools in large blocks
	blocks uint32 // large blocks
	depots [heapClasses + 1]heapDepot
	dead   atomic.Pointer[heapCore] // of released caches
}

// heapFront is what a cache knows of its heap's memory.
type heapFront struct {
	class *[heapPools + 1]uint8 // the heap's
	base  uintptr               // the heap's
}

// heapWork is what the slow paths of bins keep in mind.
type heapWork struct {
	armed [(heapBins + 63) / 64]uint64 // bins that have kept blocks
}

// heapNowhere is the front of released caches and closed heaps: every address is
// foreign.
var heapNowhere = heapFront{class: &heapClosedTable}

// heapClosedTable is the class table of no pools.
var heapClosedTable [heapPools + 1]uint8

// front makes the front of a cache.
func (h *Heap) front() heapFront { return heapFront{class: h.class, base: h.base} }

// deadCore is the core of all released caches. Any number of goroutines may free
// through it at once: its bins never hold more than nothing.
func (h *Heap) deadCore() *heapCore {
	if h.dead.Load() == nil {
		c := h.makeCore()
		c.dead = true
		h.dead.CompareAndSwap(nil, c)
	}
	return h.dead.Load()
}

// binOf finds the bin that the block at p goes back to.
func (f *heapFront) binOf(p uintptr) uint8 {
	return f.class[min((p-f.base)>>heapPoolShift, heapPools)]
}

// open reserves the heap's address space. h.mu is held.
func (h *Heap) open(op string) {
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
	h.base = (uintptr(unsafe.Pointer(unsafe.SliceData(region))) + heapPoolSize - 1) &^ (heapPoolSize - 1)
	h.arenas.Store(new([]*heapArena))
	h.runs = [2]uint32{heapNone, heapNone}
	h.oldest, h.newest = heapNone, heapNone
	for i := range h.depots {
		h.depots[i].spans = heapNone
	}
}

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
	err := errors.Join(heapUnmap(h.region), heapUnmap(h.class[:]))
	h.forget()
	return err
}

// forget leaves nothing of the memory that is gone.
func (h *Heap) forget() {
	h.region, h.class = nil, &heapClosedTable
	h.pools, h.taken, h.empty, h.bare, h.purged = 0, 0, 0, 0, 0
	h.full, h.fills = [2][heapFills]uint32{}, [2]uint64{}
	h.large, h.blocks = 0, 0
	h.arenas.Store(new([]*heapArena))
	h.depots = [heapClasses + 1]heapDepot{}
}

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
}

// heapReserve reserves address space without memory behind it.
func heapReserve(size int) ([]byte, error) {
	return syscall.Mmap(-1, 0, size, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
}

// heapCommit makes a part of the address space usable; its memory is zero.
func heapCommit(part []byte) error {
	return syscall.Mprotect(part, syscall.PROT_READ|syscall.PROT_WRITE)
}

// heapDecommit gives the memory behind a part of the address space back.
func heapDecommit(part []byte) error { return syscall.Madvise(part, syscall.MADV_DONTNEED) }

// heapUnmap gives address space back, with all memory behind it.
func heapUnmap(region []byte) error { return syscall.Munmap(region) }

// heapTable maps a class table of zeros. It is not Go memory, so that it does
// not count when the GC paces itself; pages that are never written cost nothing.
func heapTable() (*[heapPools + 1]uint8, error) {
	table, err := syscall.Mmap(-1, 0, heapPools+1, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		return nil, err
	}
	return (*[heapPools + 1]uint8)(table), nil
}
