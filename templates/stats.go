package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitStats counts on slow paths only: blocks in caches count as used.
func emitStats(o *out, h plan.Heap) {
	large := ""
	if !h.LargeGo {
		large = `
	Large       int64 // bytes in blocks above the threshold
	LargeBlocks int   // blocks above the threshold`
	}
	o.decls(`
// HeapStats are plain numbers, ready for JSON.
type HeapStats struct {
	Reserved int64 // bytes of address space; none in Go memory
	Taken    int64 // bytes taken from the system: whole arenas; in Go memory those of used blocks
	Empty    int64 // bytes of pools without blocks that keep their memory
	Released int64 // bytes of pools without memory: given back, or never used` + large + `
	Caches   int   // caches that were not released
	Classes  []HeapClassStats // classes that have pools, or in Go memory used blocks
}

// HeapClassStats are the numbers of one class. In Go memory all but Size and Used
// are 0.
type HeapClassStats struct {
	Size  int   // bytes of a block
	Pools int   // pools that hold its blocks
	Used  int64 // blocks with users and in caches
	Idle  int64 // blocks that released caches left for the next
	Depot int64 // blocks in the depot
	Free  int64 // blocks in spans
}`)
	o.decls(`
// Stats counts what the heap holds. Blocks in caches count as used until Flush or
// Release.
func (h *Heap) Stats() HeapStats {
	var stats HeapStats
	var idle [heapClasses + 1]int64
	cores := h.takeIdle() // their blocks stay where they are meanwhile
	for _, c := range cores {
		c.count(&idle)
	}
	h.mu.Lock()
	h.count(&stats)
	stats.Caches = len(h.cores) - len(cores)
	h.mu.Unlock()
	for id := 1; id <= heapClasses; id++ {
		s := h.classStats(uint32(id))
		s.Used -= idle[id]
		s.Idle = idle[id]
		if s.Pools != 0 || s.Used != 0 {
			stats.Classes = append(stats.Classes, s)
		}
	}
	for _, c := range cores {
		h.giveBack(c)
	}
	return stats
}`)
}

// emitPoolStats counts pools and what depots and spans keep.
func emitPoolStats(o *out, h plan.Heap) {
	large := ""
	if !h.LargeGo {
		large = `
	stats.Large = int64(h.large) << heapPoolShift
	stats.LargeBlocks = int(h.blocks)`
	}
	o.decls(`
// count fills in what there is of pools. h.mu is held.
func (h *Heap) count(stats *HeapStats) {
	stats.Reserved = int64(h.pools) << heapPoolShift
	stats.Taken = int64(h.taken) << heapPoolShift
	stats.Empty = int64(h.empty) << heapPoolShift
	stats.Released = int64(h.bare) << heapPoolShift` + large + `
}`)
	o.decls(`
// classStats counts one class.
func (h *Heap) classStats(id uint32) HeapClassStats {
	class := &heapClassTable[id]
	d := &h.depots[id]
	d.mu.Lock()
	defer d.mu.Unlock()
	depot := int64(len(d.batches)) * int64(class.batch)
	return HeapClassStats{
		Size:  int(class.size),
		Pools: int(d.pools),
		Used:  int64(d.used) - depot,
		Depot: depot,
		Free:  int64(d.pools/class.pools)*int64(class.blocks) - int64(d.used),
	}
}`)
}
