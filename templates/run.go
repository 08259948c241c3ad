package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitRuns is the supply of empty pools: what is taken and given back.
func emitRuns(o *out, h plan.Heap) {
	limit := ""
	if h.Limit != 0 {
		limit = `
	if !h.within(pools) {
		return heapNone, HeapErrLimit
	}`
	}
	o.decls(`
// takeRun takes pools that lie side by side out of the empty ones: their records
// still say whether there was memory behind them. With grow it may ask the system
// for more. h.mu is held.
func (h *Heap) takeRun(pools uint32, grow bool) (first uint32, err error) {` + limit + `
	first = h.findRun(pools)
	if first == heapNone && grow {
		h.purge(0) // joins what is apart only because one part has memory
		first = h.findRun(pools)
	}
	if first == heapNone && grow {
		if err := h.grow(pools); err != nil {
			return heapNone, err
		}
		first = h.findRun(pools)
	}
	if first == heapNone || !h.back(first, pools) {
		return heapNone, HeapErrSystem
	}
	h.cutRun(first, pools)
	h.occupy(first, pools, 1)
	return first, nil
}`)
	o.decls(`
// findRun finds a run of at least so many pools, or heapNone. One with memory
// behind it comes first, since new memory costs more than all else; a short one is
// looked for in the fullest arenas, so that others drain; then the shortest.
func (h *Heap) findRun(pools uint32) uint32 {
	for _, use := range [...]heapUse{heapEmpty, heapBare} {
		first := heapNone
		if pools <= heapSpanMost {
			first = h.findFull(use, pools)
		}
		if first == heapNone {
			first = h.bestFit(use, pools)
		}
		if first != heapNone {
			return first
		}
	}
	return heapNone
}`)
	o.decls(`
// back brings memory behind the first pools of a run that has none.
func (h *Heap) back(first, pools uint32) bool {
	return h.span(first).use == heapEmpty || heapCommit(h.part(first, pools)) == nil
}`)
	o.decls(`
// cutRun takes the first pools of a run out of it.
func (h *Heap) cutRun(first, pools uint32) {
	s := h.span(first)
	have, use := s.pools, s.use
	h.dropRun(first)
	if have > pools {
		h.putRun(first+pools, have-pools, use)
	}
}`)
	o.decls(`
// giveRun gives pools back. Memory is kept behind so many empty pools; the ones
// that are empty longest lose theirs. h.mu is held.
func (h *Heap) giveRun(first, pools uint32) {
	h.occupy(first, pools, -1)
	h.joinRun(first, pools, heapEmpty)
	h.purge(heapRetain)
}`)
	o.decls(`
// joinRun makes empty pools a run together with those of their kind beside them.
func (h *Heap) joinRun(first, pools uint32, use heapUse) {
	if first > 0 && h.span(first-1).use == use {
		before := first - 1 - h.span(first-1).back
		pools += h.span(before).pools
		first = before
		h.dropRun(first)
	}
	if after := first + pools; after < h.taken && h.span(after).use == use {
		pools += h.span(after).pools
		h.dropRun(after)
	}
	h.putRun(first, pools, use)
}`)
	o.decls(`
// purge gives memory back to the system until no more than so many empty pools
// have any. What the system does not take stays where it is. h.mu is held.
func (h *Heap) purge(most uint32) {
	for h.empty > most {
		first := h.oldest
		pools := h.span(first).pools
		from, to := h.wholePages(first, pools)
		if heapDecommit(h.part(from, to-from)) != nil {
			return
		}
		h.dropRun(first)
		h.joinRun(first, pools, heapBare)
		h.purged += uint64(pools)
	}
}`)
	o.decls(`
// wholePages widens pools to whole pages where those are larger than pools, as far
// as what lies beside is bare. Pools that lose their memory one by one would give no
// page back otherwise.
func (h *Heap) wholePages(first, pools uint32) (from, to uint32) {
	from, to = first, first+pools
	mask := max(heapPageSize, heapPoolSize) - 1
	if from > 0 && h.span(from-1).use == heapBare {
		start := max((h.base+uintptr(from)<<heapPoolShift)&^mask, h.base)
		from = max(uint32((start-h.base)>>heapPoolShift), from-1-h.span(from-1).back)
	}
	if to < h.taken && h.span(to).use == heapBare {
		end := (h.base + uintptr(to)<<heapPoolShift + mask) &^ mask
		to = min(uint32((end-h.base)>>heapPoolShift), to+h.span(to).pools)
	}
	return from, to
}`)
	o.decls(`
// putRun makes pools a run. Its first and last pool know its length.
func (h *Heap) putRun(first, pools uint32, use heapUse) {
	s, last := h.span(first), h.span(first+pools-1)
	last.use, last.back = use, pools-1
	s.use, s.back, s.pools = use, 0, pools
	h.runs[use] = h.insert(h.runs[use], first)
	h.start(first, use)
	if use == heapBare {
		h.bare += pools
		return
	}
	h.empty += pools
	s.prev, s.next = h.newest, heapNone
	if h.newest == heapNone {
		h.oldest = first
	} else {
		h.span(h.newest).next = first
	}
	h.newest = first
}`)
	o.decls(`
// dropRun makes a run none.
func (h *Heap) dropRun(first uint32) {
	s := h.span(first)
	h.runs[s.use] = h.remove(h.runs[s.use], first)
	h.unstart(first, s.use)
	if s.use == heapBare {
		h.bare -= s.pools
		return
	}
	h.empty -= s.pools
	if s.prev == heapNone {
		h.oldest = s.next
	} else {
		h.span(s.prev).next = s.next
	}
	if s.next == heapNone {
		h.newest = s.prev
	} else {
		h.span(s.next).prev = s.prev
	}
}`)
	o.decls(`
// part is the memory of pools.
func (h *Heap) part(first, pools uint32) []byte {
	start := h.base - uintptr(unsafe.Pointer(unsafe.SliceData(h.region))) + uintptr(first)<<heapPoolShift
	return h.region[start:][:uintptr(pools)<<heapPoolShift]
}`)
}

// emitRunTree finds the shortest run that is long enough.
func emitRunTree(o *out, h plan.Heap) {
	o.decls(`
// shorter orders runs: by length, then by address.
func (h *Heap) shorter(a, b uint32) bool {
	m, n := h.span(a).pools, h.span(b).pools
	return m < n || m == n && a < b
}`)
	o.decls(`
// heapPriority is what keeps a tree of runs flat: a number of its own for each
// pool.
func heapPriority(pool uint32) uint32 {
	pool *= 0x9e3779b1
	return (pool ^ pool>>15) * 0x85ebca77
}`)
	o.decls(`
// insert adds a run to a tree that is ordered by shorter, and by priorities from
// the root down, and returns its root.
func (h *Heap) insert(root, first uint32) uint32 {
	if root == heapNone || heapPriority(first) > heapPriority(root) {
		s := h.span(first)
		s.left, s.right = h.split(root, first)
		return first
	}
	if s := h.span(root); h.shorter(first, root) {
		s.left = h.insert(s.left, first)
	} else {
		s.right = h.insert(s.right, first)
	}
	return root
}`)
	o.decls(`
// split parts a tree into the runs before and after one that is not in it.
func (h *Heap) split(root, first uint32) (before, after uint32) {
	if root == heapNone {
		return heapNone, heapNone
	}
	s := h.span(root)
	if h.shorter(first, root) {
		before, s.left = h.split(s.left, first)
		return before, root
	}
	s.right, after = h.split(s.right, first)
	return root, after
}`)
	o.decls(`
// remove takes a run out of a tree and returns its root.
func (h *Heap) remove(root, first uint32) uint32 {
	s := h.span(root)
	switch {
	case root == first:
		return h.merge(s.left, s.right)
	case h.shorter(first, root):
		s.left = h.remove(s.left, first)
	default:
		s.right = h.remove(s.right, first)
	}
	return root
}`)
	o.decls(`
// merge joins two trees of which one is all before the other.
func (h *Heap) merge(before, after uint32) uint32 {
	switch {
	case before == heapNone:
		return after
	case after == heapNone:
		return before
	case heapPriority(before) > heapPriority(after):
		s := h.span(before)
		s.right = h.merge(s.right, after)
		return before
	default:
		s := h.span(after)
		s.left = h.merge(before, s.left)
		return after
	}
}`)
	o.decls(`
// bestFit finds the shortest run of at least so many pools, or heapNone.
func (h *Heap) bestFit(use heapUse, pools uint32) uint32 {
	best := heapNone
	for root := h.runs[use]; root != heapNone; {
		if s := h.span(root); s.pools >= pools {
			best, root = root, s.left
		} else {
			root = s.right
		}
	}
	return best
}`)
}
