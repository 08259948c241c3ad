package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitArenas takes memory from the system, and knows how full each arena is.
func emitArenas(o *out, h plan.Heap) {
	o.decls(`
// heapArena has the records of its pools, and what findFull looks at.
type heapArena struct {
	pools  [heapArenaPools]heapSpan
	starts [2][(heapArenaPools + 63) / 64]uint64 // by use: a bit per pool, set where a run starts
	runs   [2]uint32 // by use: runs that start here
	listed [2]uint32 // by use: 1 + the list that it is in; 0 when no run starts here
	next   [2]uint32 // by use: neighbours in that list, by number
	prev   [2]uint32
	used   uint32 // pools that are not empty
}

// heapFills is how many lists of arenas there are, by how full they are.
const heapFills = 64`)
	o.decls(`
// arena finds an arena by its number.
func (h *Heap) arena(i uint32) *heapArena { return (*h.arenas.Load())[i] }`)
	halved := ""
	if h.Limit != 0 {
		halved = `
		if h.pools < heapPools { // the system did not let it reserve all
			return HeapErrSystem
		}`
	}
	o.decls(`
// grow takes arenas from the system so that a run of so many pools can be had,
// counting the empty pools at the end of the last one, or says why there are none.
// h.mu is held.
func (h *Heap) grow(pools uint32) error {
	if h.taken > 0 && h.span(h.taken-1).use == heapBare {
		pools -= min(pools, h.span(h.taken-1).back+1)
	}
	arenas := (pools + heapArenaPools - 1) / heapArenaPools
	if h.pools-h.taken < arenas*heapArenaPools {`+halved+`
		return EXHAUSTED
	}
	if heapCommit(h.part(h.taken, arenas*heapArenaPools)) != nil {
		return HeapErrSystem
	}
	list := *h.arenas.Load()
	for i := uint32(0); i < arenas; i++ {
		list = append(list, new(heapArena))
	}
	// Readers without the lock keep the list that they have loaded.
	h.arenas.Store(&list)
	first := h.taken
	h.taken += arenas * heapArenaPools
	h.joinRun(first, arenas*heapArenaPools, heapBare)
	return nil
}`, "EXHAUSTED", tooMuch(h))
	recall := ""
	if h.Sync == plan.SyncPerCPU {
		recall = "\n\th.recall()"
	}
	o.decls(`
// trim gives back what no one uses.
func (h *Heap) trim() int64 {
	h.mu.Lock()
	before := h.purged
	h.mu.Unlock()` + recall + `
	h.reclaim()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.purge(0)
	return int64(h.purged-before) << heapPoolShift
}`)
	o.decls(`
// findFull finds a run of a use with at least so many pools in the fullest arena
// that has one, or gives up after a few.
func (h *Heap) findFull(use heapUse, pools uint32) uint32 {
	left := 8
	for set := h.fills[use]; set != 0; {
		fill := uint32(bits.Len64(set)) - 1
		set &^= 1 << fill
		for i := h.full[use][fill]; i != heapNone; i = h.arena(i).next[use] {
			if first := h.findIn(i, use, pools); first != heapNone {
				return first
			}
			if left--; left == 0 {
				return heapNone
			}
		}
	}
	return heapNone
}`)
	o.decls(`
// findIn finds the first run of a use in an arena that has at least so many pools.
func (h *Heap) findIn(i uint32, use heapUse, pools uint32) uint32 {
	for w, word := range h.arena(i).starts[use] {
		for ; word != 0; word &= word - 1 {
			first := i*heapArenaPools + uint32(w*64+bits.TrailingZeros64(word))
			if h.span(first).pools >= pools {
				return first
			}
		}
	}
	return heapNone
}`)
	o.decls(`
// occupy tells arenas that pools of theirs are used, by 1, or empty, by -1.
func (h *Heap) occupy(first, pools uint32, by int) {
	for end := first + pools; first < end; {
		i := first / heapArenaPools
		n := min(end, (i+1)*heapArenaPools) - first
		a := h.arena(i)
		a.used = uint32(int(a.used) + by*int(n))
		h.place(i)
		first += n
	}
}`)
	o.decls(`
// start notes that a run of a use starts at a pool, unstart that none does.
func (h *Heap) start(first uint32, use heapUse) {
	i, at := first/heapArenaPools, first%heapArenaPools
	a := h.arena(i)
	a.starts[use][at/64] |= 1 << (at % 64)
	a.runs[use]++
	h.place(i)
}

func (h *Heap) unstart(first uint32, use heapUse) {
	i, at := first/heapArenaPools, first%heapArenaPools
	a := h.arena(i)
	a.starts[use][at/64] &^= 1 << (at % 64)
	a.runs[use]--
	h.place(i)
}`)
	o.decls(`
// place keeps an arena in the lists of arenas that are as full as it is.
func (h *Heap) place(i uint32) {
	a := h.arena(i)
	for use := range a.listed {
		list := uint32(0)
		if a.runs[use] > 0 {
			list = 1 + a.used*(heapFills-1)/heapArenaPools
		}
		if list != a.listed[use] {
			h.unlist(i, heapUse(use))
			h.list(i, heapUse(use), list)
		}
	}
}`)
	o.decls(`
// list puts an arena in front of a list, if there is one for it.
func (h *Heap) list(i uint32, use heapUse, list uint32) {
	a := h.arena(i)
	a.listed[use] = list
	if list == 0 {
		return
	}
	front := &h.full[use][list-1]
	if h.fills[use]>>(list-1)&1 == 0 {
		*front = heapNone
		h.fills[use] |= 1 << (list - 1)
	}
	a.prev[use], a.next[use] = heapNone, *front
	if *front != heapNone {
		h.arena(*front).prev[use] = i
	}
	*front = i
}`)
	o.decls(`
// unlist takes an arena out of the list that it is in.
func (h *Heap) unlist(i uint32, use heapUse) {
	a := h.arena(i)
	if a.listed[use] == 0 {
		return
	}
	front := &h.full[use][a.listed[use]-1]
	if a.next[use] != heapNone {
		h.arena(a.next[use]).prev[use] = a.prev[use]
	}
	if a.prev[use] != heapNone {
		h.arena(a.prev[use]).next[use] = a.next[use]
	} else if *front = a.next[use]; *front == heapNone {
		h.fills[use] &^= 1 << (a.listed[use] - 1)
	}
}`)
}
