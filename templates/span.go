package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitSpan is the record of a pool and its bitmap.
func emitSpan(o *out, h plan.Heap) {
	fresh := ""
	if h.KnowsFresh() {
		fresh = "\tfresh      uint32 // of a span: from this block on nobody has used any\n"
	}
	large, whole := "", "span's or run's"
	if h.LargePages {
		large, whole = "\theapLarge                // part of a large block\n", "span's, run's or large block's"
	}
	o.decls(`
// heapNone ends a list of pools.
const heapNone = ^uint32(0)

// heapUse says what a pool is used for.
type heapUse uint8

const (
	heapEmpty heapUse = iota // part of a run of empty pools that keep their memory
	heapBare                 // part of a run of empty pools without memory
	heapInUse                // part of a span
` + large + `)

// heapSpan is the record of a pool. That of a ` + whole + `
// first pool describes the whole. Records are in Go memory: a stray write into
// a block cannot reach them.
type heapSpan struct {
	next, prev  uint32 // neighbours in a list of spans, or of runs as they became empty
	left, right uint32 // of a run, in the tree of its use
	pools      uint32 // length of the whole, in pools
	back       uint32 // pools before this one in the whole
	used       uint32 // blocks that are not in the bitmap
` + fresh + `	hint       uint32 // words of the bitmap before this one are empty
	use        heapUse
	class      uint8
	listed     bool // in its depot's list of spans with blocks to take
	free       [heapSpanWords]uint64 // a bit per block: set when the span has it
}`)
	o.decls(`
// span finds the record of a pool.
func (h *Heap) span(pool uint32) *heapSpan {
	return &(*h.arenas.Load())[pool/heapArenaPools].pools[pool%heapArenaPools]
}`)
}

// emitDepot moves blocks between bins and spans.
func emitDepot(o *out, h plan.Heap) {
	o.decls(`
// heapDepot keeps one class's full batches, which change hands between caches
// as they are, and the spans that have blocks to take.
type heapDepot struct {
	mu      sync.Mutex
	batches [][heapBatch]uintptr
	spans   uint32 // the first, heapNone at the end
	pools   uint32 // in spans of this class
	used    uint32 // blocks that are in no span
	wrong   string // a misuse that was found and not yet reported
}`)
	recall := ""
	if h.Sync == plan.SyncPerCPU {
		recall = `
	if n == 0 {
		h.recall()
		h.reclaim()
		n, err = h.takeFree(id, dst, true)
	}`
	}
	o.decls(`
// takeBlocks fills dst with blocks of a class, or a part of it, and returns how
// many there were: none with an error. What is free anywhere comes before new
// memory from the system.
func (h *Heap) takeBlocks(id uint32, dst []uintptr) (int, error) {
	n, err := h.takeFree(id, dst, false)
	if n == 0 {
		h.reclaim()
		n, err = h.takeFree(id, dst, true)
	}` + recall + `
	return n, err
}`)
	o.decls(`
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
}`)
	fresh := ""
	if h.KnowsFresh() {
		fresh = `
		if block >= s.fresh {
			s.fresh = block + 1
			dst[n] |= heapFresh
		}`
	}
	o.decls(`
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
		dst[n] = start + uintptr(block)*uintptr(class.size)` + fresh + `
		n++
	}
	s.used += uint32(n)
	d.used += uint32(n)
	if s.used == class.blocks {
		h.unlink(d, s)
	}
	return n
}`)
	o.decls(`
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
}`)
	o.decls(`
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
}`)
	o.decls(`
// emptyDepot takes a depot's batches back into their spans.
func (h *Heap) emptyDepot(d *heapDepot, id uint32) {
	for n := len(d.batches); n > 0; n-- {
		batch := &d.batches[n-1]
		for _, p := range batch[:heapClassTable[id].batch] {
			h.returnBlock(d, id, p)
		}
		d.batches = d.batches[:n-1]
	}
}`)
	leave := ""
	if h.Sync == plan.SyncPerCPU {
		leave = "\th.leave()\n"
	}
	o.decls(`
// reclaim makes pools empty that hold free blocks only: those of all depots, and
// of the caches that the heap's own methods use. No lock is held.
func (h *Heap) reclaim() {
` + leave + `	for _, c := range h.takeIdle() {
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
}`)
	o.decls(`
// dropIdle gives the pools of a listed span back when all its blocks are in.
func (h *Heap) dropIdle(d *heapDepot, first uint32) {
	if s := h.span(first); s.used == 0 {
		h.unlink(d, s)
		h.freeSpan(d, first, s)
	}
}`)
	o.decls(`
// returnBlock puts one block into its span's bitmap, or notes what is wrong. A
// span whose blocks are all in is kept only as long as it is alone.
func (h *Heap) returnBlock(d *heapDepot, id uint32, p uintptr) {
	s, first, block, wrong := h.locate(id, p)
	if wrong != "" {
		d.wrong = heapMisuse(wrong+", "+` + classText(h) + `, p)
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
}`)
	o.decls(`
// locate finds a block that is in use: its span, the span's first pool and the
// block's number, or says why there is none.
func (h *Heap) locate(id uint32, p uintptr) (s *heapSpan, first, block uint32, wrong string) {
	s, first, block, wrong = h.blockAt(id, p)
	if wrong == "" && s.free[block/64]&(1<<(block%64)) != 0 {
		return nil, 0, 0, "block freed twice"
	}
	return s, first, block, wrong
}`)
	o.decls(`
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
}`)
}

// emitSpanLists keeps the spans that have blocks to take, and makes and
// dissolves spans.
func emitSpanLists(o *out, h plan.Heap) {
	o.decls(`
// link puts a span in front of the depot's list.
func (h *Heap) link(d *heapDepot, first uint32, s *heapSpan) {
	s.listed = true
	s.prev, s.next = heapNone, d.spans
	if d.spans != heapNone {
		h.span(d.spans).prev = first
	}
	d.spans = first
}`)
	o.decls(`
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
}`)
	zero, bare := "", ""
	if h.KnowsFresh() || len(h.Typed) > 0 && !h.ZeroFree {
		bare = `
	bare := heapDecommitZeroes && h.span(first).use == heapBare // so all is zero`
	}
	if h.KnowsFresh() {
		zero = `
	s.fresh = 0
	if !bare {
		s.fresh = class.blocks
	}`
	}
	if len(h.Typed) > 0 && !h.ZeroFree {
		zero += `
	if id > heapSized && !bare { // objects are zero at first
		clear(unsafe.Slice((*byte)(unsafe.Add(nil, h.base+uintptr(first)<<heapPoolShift)), class.pools<<heapPoolShift))
	}`
	}
	o.decls(`
// newSpan makes empty pools a span of a class, with all its blocks to take.
func (h *Heap) newSpan(d *heapDepot, id uint32, grow bool) error {
	class := &heapClassTable[id]
	h.mu.Lock()
	first, err := h.takeRun(class.pools, grow)
	if err != nil {
		h.mu.Unlock()
		return err
	}` + bare + `
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
	h.link(d, first, s)` + zero + `
	return nil
}`)
	wiped := ""
	if len(h.Typed) > 0 && h.ZeroFree {
		wiped = `
	if s.class > heapSized { // objects stay as they were
		clear(unsafe.Slice((*byte)(unsafe.Add(nil, h.base+uintptr(first)<<heapPoolShift)), s.pools<<heapPoolShift))
	}`
	}
	o.decls(`
// freeSpan gives the pools of a span back when all its blocks are in.
func (h *Heap) freeSpan(d *heapDepot, first uint32, s *heapSpan) {
	d.pools -= s.pools` + wiped + `
	h.mu.Lock()
	for i := uint32(0); i < s.pools; i++ {
		h.class[first+i] = heapForeign
	}
	h.giveRun(first, s.pools)
	h.mu.Unlock()
}`)
	o.decls(`
// mark makes pools one whole. h.mu is held.
func (h *Heap) mark(first, pools uint32, use heapUse) {
	for i := uint32(0); i < pools; i++ {
		s := h.span(first + i)
		s.use, s.back, s.pools = use, i, pools
	}
}`)
}
