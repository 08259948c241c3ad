// Code derived from ../../generated/listbincall by bench/derive; DO NOT EDIT.

//go:build go1.21 && (linux || darwin || freebsd || windows) && !allocgen_goheap

package listbincall

import (
	"math/bits"
	"strconv"
	"sync"
	"unsafe"
)

// heapNone ends a list of pools.
const heapNone = ^uint32(0)

// heapUse says what a pool is used for.
type heapUse uint8

const (
	heapEmpty heapUse = iota // part of a run of empty pools that keep their memory
	heapBare                 // part of a run of empty pools without memory
	heapInUse                // part of a span
	heapLarge                // part of a large block
)

// heapSpan is the record of a pool. That of a span's, run's or large block's
// first pool describes the whole. Records are in Go memory: a stray write into
// a block cannot reach them.
type heapSpan struct {
	next, prev  uint32 // neighbours in a list of spans, or of runs as they became empty
	left, right uint32 // of a run, in the tree of its use
	pools       uint32 // length of the whole, in pools
	back        uint32 // pools before this one in the whole
	used        uint32 // blocks that are not in the bitmap
	hint        uint32 // words of the bitmap before this one are empty
	use         heapUse
	class       uint8
	listed      bool                  // in its depot's list of spans with blocks to take
	free        [heapSpanWords]uint64 // a bit per block: set when the span has it
}

// span finds the record of a pool.
func (h *Heap) span(pool uint32) *heapSpan {
	return &(*h.arenas.Load())[pool/heapArenaPools].pools[pool%heapArenaPools]
}

// heapDepot keeps one class's full batches, which change hands between caches
// as they are, and the spans that have blocks to take.
type heapDepot struct {
	mu      sync.Mutex
	batches [][heapBatch]uintptr
	spans   uint32 // the first, heapNone at the end
	pools   uint32 // in spans of this class
	used    uint32 // blocks that are in no span
	wrong   string // a misuse that was found and not yet reported
}

// takeBlocks fills dst with blocks of a class, or a part of it, and returns how
// many there were: none with an error. What is free anywhere comes before new
// memory from the system.
func (h *Heap) takeBlocks(id uint32, dst []uintptr) (int, error) {
	n, err := h.takeFree(id, dst, false)
	if n == 0 {
		h.reclaim()
		n, err = h.takeFree(id, dst, true)
	}
	return n, err
}

// takeFree fills dst from the class's depot and spans, and from empty pools. With
// grow the system is asked too.
func (h *Heap) takeFree(id uint32, dst []uintptr, grow bool) (n int, err error) {
	d := &h.depots[id]
	d.mu.Lock()
	defer d.mu.Unlock()
	batch := int(heapClassTable[id].batch)
	for len(d.batches) > 0 && len(dst)-n >= batch {
		last := len(d.batches) - 1
		n += copy(dst[n:n+batch], d.batches[last][:])
		d.batches = d.batches[:last]
	}
	for n < len(dst) {
		if d.spans == heapNone && len(d.batches) > 0 {
			h.emptyDepot(d, id)
			continue
		}
		if d.spans == heapNone {
			if err = h.newSpan(d, id, grow); err != nil {
				break
			}
		}
		n += h.carve(d, dst[n:])
	}
	return n, err
}

// carve takes blocks from the depot's first span, lowest address first.
func (h *Heap) carve(d *heapDepot, dst []uintptr) int {
	first := d.spans
	s := h.span(first)
	class := &heapClassTable[s.class]
	start := h.base + uintptr(first)<<heapPoolShift
	n := 0
	for n < len(dst) && s.hint < heapSpanWords {
		word := &s.free[s.hint]
		if *word == 0 {
			s.hint++
			continue
		}
		block := s.hint*64 + uint32(bits.TrailingZeros64(*word))
		*word &= *word - 1
		dst[n] = start + uintptr(block)*uintptr(class.size)
		n++
	}
	s.used += uint32(n)
	d.used += uint32(n)
	if s.used == class.blocks {
		h.unlink(d, s)
	}
	return n
}

// giveBlocks takes blocks of a class from a full bin: full batches while there
// is room for them, the rest into their spans. It says what was wrong with any.
func (h *Heap) giveBlocks(id uint32, blocks []uintptr) string {
	d := &h.depots[id]
	class := &heapClassTable[id]
	batch := int(class.batch)
	d.mu.Lock()
	for len(blocks) >= batch && len(d.batches) < int(class.batches) {
		if d.batches == nil {
			d.batches = make([][heapBatch]uintptr, 0, class.batches)
		}
		d.batches = d.batches[:len(d.batches)+1]
		copy(d.batches[len(d.batches)-1][:], blocks[:batch])
		blocks = blocks[batch:]
	}
	d.mu.Unlock()
	return h.returnBlocks(id, blocks)
}

// returnBlocks takes blocks of a class back into their spans, where misuse
// shows. It takes all that can be taken, and says what was wrong with another.
func (h *Heap) returnBlocks(id uint32, blocks []uintptr) string {
	d := &h.depots[id]
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range blocks {
		h.returnBlock(d, id, p)
	}
	wrong := d.wrong
	d.wrong = ""
	return wrong
}

// emptyDepot takes a depot's batches back into their spans.
func (h *Heap) emptyDepot(d *heapDepot, id uint32) {
	for n := len(d.batches); n > 0; n-- {
		batch := &d.batches[n-1]
		for _, p := range batch[:heapClassTable[id].batch] {
			h.returnBlock(d, id, p)
		}
		d.batches = d.batches[:n-1]
	}
}

// reclaim makes pools empty that hold free blocks only: those of all depots, and
// of the caches that the heap's own methods use. No lock is held.
func (h *Heap) reclaim() {
	for _, c := range h.takeIdle() {
		h.note(c.drain())
		h.giveBack(c)
	}
	for id := uint32(1); id <= heapClasses; id++ {
		d := &h.depots[id]
		d.mu.Lock()
		h.emptyDepot(d, id)
		if d.spans != heapNone {
			h.dropIdle(d, d.spans)
		}
		d.mu.Unlock()
	}
}

// dropIdle gives the pools of a listed span back when all its blocks are in.
func (h *Heap) dropIdle(d *heapDepot, first uint32) {
	if s := h.span(first); s.used == 0 {
		h.unlink(d, s)
		h.freeSpan(d, first, s)
	}
}

// returnBlock puts one block into its span's bitmap, or notes what is wrong. A
// span whose blocks are all in is kept only as long as it is alone.
func (h *Heap) returnBlock(d *heapDepot, id uint32, p uintptr) {
	s, first, block, wrong := h.locate(id, p)
	if wrong != "" {
		d.wrong = heapMisuse(wrong+", "+"class "+strconv.Itoa(int(heapClassTable[id].size)), p)
		return
	}
	s.free[block/64] |= 1 << (block % 64)
	s.hint = min(s.hint, block/64)
	s.used--
	d.used--
	if !s.listed {
		h.link(d, first, s)
		if s.next != heapNone {
			h.dropIdle(d, s.next)
		}
	}
	if s.next != heapNone || s.prev != heapNone {
		h.dropIdle(d, first)
	}
}

// locate finds a block that is in use: its span, the span's first pool and the
// block's number, or says why there is none.
func (h *Heap) locate(id uint32, p uintptr) (s *heapSpan, first, block uint32, wrong string) {
	s, first, block, wrong = h.blockAt(id, p)
	if wrong == "" && s.free[block/64]&(1<<(block%64)) != 0 {
		return nil, 0, 0, "block freed twice"
	}
	return s, first, block, wrong
}

// blockAt is locate for any block that starts at p. That a block stays where it is
// needs no lock.
func (h *Heap) blockAt(id uint32, p uintptr) (s *heapSpan, first, block uint32, wrong string) {
	pool := (p - h.base) >> heapPoolShift
	switch {
	case pool >= uintptr(h.pools) || h.class[pool] == heapForeign:
		return nil, 0, 0, "not a block of this heap (freed before?)"
	case uint32(h.class[pool]) != id:
		return nil, 0, 0, "not a block of this class"
	}
	s, first = h.span(uint32(pool)), uint32(pool)
	if s.back != 0 {
		first -= s.back
		s = h.span(first)
	}
	class := &heapClassTable[id]
	offset := p - h.base - uintptr(first)<<heapPoolShift
	block = uint32(uint64(offset) * class.scale >> heapScaleBits)
	if block >= class.blocks || uintptr(block)*uintptr(class.size) != offset {
		return nil, 0, 0, "an address inside a block"
	}
	return s, first, block, ""
}

// link puts a span in front of the depot's list.
func (h *Heap) link(d *heapDepot, first uint32, s *heapSpan) {
	s.listed = true
	s.prev, s.next = heapNone, d.spans
	if d.spans != heapNone {
		h.span(d.spans).prev = first
	}
	d.spans = first
}

// unlink takes a span out of the depot's list.
func (h *Heap) unlink(d *heapDepot, s *heapSpan) {
	s.listed = false
	if s.next != heapNone {
		h.span(s.next).prev = s.prev
	}
	if s.prev != heapNone {
		h.span(s.prev).next = s.next
	} else {
		d.spans = s.next
	}
}

// newSpan makes empty pools a span of a class, with all its blocks to take.
func (h *Heap) newSpan(d *heapDepot, id uint32, grow bool) error {
	class := &heapClassTable[id]
	h.mu.Lock()
	first, err := h.takeRun(class.pools, grow)
	if err != nil {
		h.mu.Unlock()
		return err
	}
	h.mark(first, class.pools, heapInUse)
	for i := uint32(0); i < class.pools; i++ {
		h.class[first+i] = uint8(id)
	}
	h.mu.Unlock()
	s := h.span(first)
	s.class = uint8(id)
	s.used, s.hint = 0, 0
	for i := range s.free {
		left := min(max(int(class.blocks)-i*64, 0), 64)
		s.free[i] = ^uint64(0) >> (64 - left)
	}
	d.pools += class.pools
	h.link(d, first, s)
	return nil
}

// freeSpan gives the pools of a span back when all its blocks are in.
func (h *Heap) freeSpan(d *heapDepot, first uint32, s *heapSpan) {
	d.pools -= s.pools
	h.mu.Lock()
	for i := uint32(0); i < s.pools; i++ {
		h.class[first+i] = heapForeign
	}
	h.giveRun(first, s.pools)
	h.mu.Unlock()
}

// mark makes pools one whole. h.mu is held.
func (h *Heap) mark(first, pools uint32, use heapUse) {
	for i := uint32(0); i < pools; i++ {
		s := h.span(first + i)
		s.use, s.back, s.pools = use, i, pools
	}
}

// takeRun takes pools that lie side by side out of the empty ones: their records
// still say whether there was memory behind them. With grow it may ask the system
// for more. h.mu is held.
func (h *Heap) takeRun(pools uint32, grow bool) (first uint32, err error) {
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
}

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
}

// back brings memory behind the first pools of a run that has none.
func (h *Heap) back(first, pools uint32) bool {
	return h.span(first).use == heapEmpty || heapCommit(h.part(first, pools)) == nil
}

// cutRun takes the first pools of a run out of it.
func (h *Heap) cutRun(first, pools uint32) {
	s := h.span(first)
	have, use := s.pools, s.use
	h.dropRun(first)
	if have > pools {
		h.putRun(first+pools, have-pools, use)
	}
}

// giveRun gives pools back. Memory is kept behind so many empty pools; the ones
// that are empty longest lose theirs. h.mu is held.
func (h *Heap) giveRun(first, pools uint32) {
	h.occupy(first, pools, -1)
	h.joinRun(first, pools, heapEmpty)
	h.purge(heapRetain)
}

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
}

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
}

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
}

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
}

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
}

// part is the memory of pools.
func (h *Heap) part(first, pools uint32) []byte {
	start := h.base - uintptr(unsafe.Pointer(unsafe.SliceData(h.region))) + uintptr(first)<<heapPoolShift
	return h.region[start:][:uintptr(pools)<<heapPoolShift]
}

// shorter orders runs: by length, then by address.
func (h *Heap) shorter(a, b uint32) bool {
	m, n := h.span(a).pools, h.span(b).pools
	return m < n || m == n && a < b
}

// heapPriority is what keeps a tree of runs flat: a number of its own for each
// pool.
func heapPriority(pool uint32) uint32 {
	pool *= 0x9e3779b1
	return (pool ^ pool>>15) * 0x85ebca77
}

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
}

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
}

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
}

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
}

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
}

// heapArena has the records of its pools, and what findFull looks at.
type heapArena struct {
	pools  [heapArenaPools]heapSpan
	starts [2][(heapArenaPools + 63) / 64]uint64 // by use: a bit per pool, set where a run starts
	runs   [2]uint32                             // by use: runs that start here
	listed [2]uint32                             // by use: 1 + the list that it is in; 0 when no run starts here
	next   [2]uint32                             // by use: neighbours in that list, by number
	prev   [2]uint32
	used   uint32 // pools that are not empty
}

// heapFills is how many lists of arenas there are, by how full they are.
const heapFills = 64

// arena finds an arena by its number.
func (h *Heap) arena(i uint32) *heapArena { return (*h.arenas.Load())[i] }

// grow takes arenas from the system so that a run of so many pools can be had,
// counting the empty pools at the end of the last one, or says why there are none.
// h.mu is held.
func (h *Heap) grow(pools uint32) error {
	if h.taken > 0 && h.span(h.taken-1).use == heapBare {
		pools -= min(pools, h.span(h.taken-1).back+1)
	}
	arenas := (pools + heapArenaPools - 1) / heapArenaPools
	if h.pools-h.taken < arenas*heapArenaPools {
		return HeapErrSystem
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
}

// trim gives back what no one uses.
func (h *Heap) trim() int64 {
	h.mu.Lock()
	before := h.purged
	h.mu.Unlock()
	h.reclaim()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.purge(0)
	return int64(h.purged-before) << heapPoolShift
}

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
}

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
}

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
}

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
}

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
}

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
}

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
}

// newLarge returns a block of at least n bytes and its size; nil when memory
// is out. What is free anywhere, in c too, comes before new memory from the
// system.
func (c *heapCore) newLarge(n int) (unsafe.Pointer, int) {
	h := c.heap
	need := (uint(n) + heapPoolSize - 1) >> heapPoolShift
	if need > heapPools {
		c.err = HeapErrSystem
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
	}
	if err != nil {
		c.err = err
		return nil, 0
	}
	h.mark(first, pools, heapLarge)
	h.class[first] = heapLargeFree
	h.large += pools
	h.blocks++
	return unsafe.Add(nil, h.base+uintptr(first)<<heapPoolShift), int(pools) << heapPoolShift
}

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
	s.use = heapEmpty // also when it becomes the middle of a run
	h.class[first] = heapForeign
	h.large -= pools
	h.blocks--
	h.giveRun(first, pools)
	return ""
}

// largeSize is the size of a large block.
func (h *Heap) largeSize(p uintptr) int {
	return int(h.span(uint32((p-h.base)>>heapPoolShift)).pools) << heapPoolShift
}

// resizeLarge makes a large block hold n bytes where it is, and reports whether
// that could be done: it gives its last pools back, or takes those behind it.
// Blocks of classes stay as they are.
func (h *Heap) resizeLarge(p uintptr, n int) bool {
	need := (uint(n) + heapPoolSize - 1) >> heapPoolShift
	first, pools := uint32((p-h.base)>>heapPoolShift), uint32(need)
	if need > heapPools || h.class[first] != heapLargeFree {
		return false
	}
	h.mu.Lock()
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
}

// takeAt takes the pools from first on, where a run would start, out of the empty
// ones, and reports whether all of them were. Else nothing has changed. h.mu is held.
func (h *Heap) takeAt(first, pools uint32) bool {
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
		part := min(end-at, h.span(at).pools)
		h.cutRun(at, part)
		at += part
	}
	h.occupy(first, pools, 1)
	return true
}

// unback takes the memory away again that back brought behind the bare ones of
// the runs from first to end. What the system does not take is bare all the same.
func (h *Heap) unback(first, end uint32) {
	for at := first; at < end; at += h.span(at).pools {
		if s := h.span(at); s.use == heapBare {
			heapDecommit(h.part(at, s.pools))
		}
	}
}

// usable is how many bytes the block at p holds, or says what is wrong
// with p.
func (h *Heap) usable(p uintptr) (size int, wrong string) {
	switch id := uint32(h.binOf(p)); id {
	case heapForeign:
		return 0, h.foreign(p)
	case heapLargeFree:
		if (p-h.base)%heapPoolSize != 0 {
			return 0, heapMisuse("an address inside a large block", p)
		}
		return h.largeSize(p), ""
	default:
		if _, _, _, wrong := h.blockAt(id, p); wrong != "" {
			return 0, heapMisuse(wrong+", "+"class "+strconv.Itoa(int(heapClassTable[id].size)), p)
		}
		return int(heapClassTable[id].size), ""
	}
}

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
}

// used is how many blocks of a class are in no span, or how many large ones
// there are. Nothing runs beside it.
func (h *Heap) used(id uint32) int {
	if id == heapLargeFree {
		return int(h.blocks)
	}
	return int(h.depots[id].used)
}

// count fills in what there is of pools and of blocks by class: all at one
// time, so that it adds up.
func (h *Heap) count(stats *HeapStats, classes *[heapClasses + 1]HeapClassStats) {
	for i := range h.depots { // before h.mu, as where spans are made
		h.depots[i].mu.Lock()
	}
	h.mu.Lock()
	stats.Reserved = int64(h.pools) << heapPoolShift
	stats.Taken = int64(h.taken) << heapPoolShift
	stats.Empty = int64(h.empty) << heapPoolShift
	stats.Released = int64(h.bare) << heapPoolShift
	stats.Large = int64(h.large) << heapPoolShift
	stats.LargeBlocks = int(h.blocks)
	for id := 1; id <= heapClasses; id++ {
		class, d := &heapClassTable[id], &h.depots[id]
		depot := int64(len(d.batches)) * int64(class.batch)
		classes[id] = HeapClassStats{
			Pools: int(d.pools),
			Used:  int64(d.used) - depot,
			Depot: depot,
			Free:  int64(d.pools/class.pools)*int64(class.blocks) - int64(d.used),
		}
	}
	h.mu.Unlock()
	for i := range h.depots {
		h.depots[i].mu.Unlock()
	}
}
