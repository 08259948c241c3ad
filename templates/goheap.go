package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitGoMemory is the state of a heap in Go memory, and how it begins and ends.
func emitGoMemory(o *out, h plan.Heap) {
	work, settle := "struct{}", ""
	if !h.ListBins {
		work = `struct {
	last *HeapBin // a block may still be in its slots
}`
		settle = `
	for _, c := range h.cores {
		c.settle()
	}`
	}
	o.decls(`
// heapSlot is a block in a bin. It is a pointer: the GC has to see it.
type heapSlot = unsafe.Pointer

// heapMemory is where the blocks of a heap are: in Go memory.
type heapMemory struct{ registry heapRegistry }

// heapFront is what a cache knows of its heap's memory.
type heapFront struct{ registry *heapRegistry }

// heapWork is what the slow paths of bins keep in mind.
type heapWork ` + work + `

// heapNowhere is the front of released caches and closed heaps: every address is
// foreign.
var heapNowhere = heapFront{registry: new(heapRegistry)}

// heapRegistry knows the blocks of a heap. Each is a Go object of its own, so
// that the race detector, the address sanitizer and the heap profile see it.
type heapRegistry struct {
	mu    sync.Mutex
	known map[uintptr]heapBlock // by address: those in use, and those in freed
	freed []uintptr // blocks that were freed last, in that order
	kept  int // bytes in freed
	bytes int // bytes in use
	used  [heapBins]int // blocks in use, by the bin they go back to
}

// heapBlock is what the registry knows of a block.
type heapBlock struct {
	start unsafe.Pointer // keeps the object alive
	size  int
	bin   uint32 // where the block goes back to
	free  bool // it is in freed
}

// heapKept is how many bytes of freed blocks stay known, and are not used again:
// a second Free of these is told from one of a foreign address.
const heapKept = 1 << 20`)
	o.decls(`
// front makes the front of a cache.
func (h *Heap) front() heapFront { return heapFront{registry: &h.registry} }`)
	if !h.Shared() {
		o.decls(`
// deadCore is the core of a released cache: one for each, so that the race
// detector sees no more than there is.
func (h *Heap) deadCore() *heapCore {
	c := h.makeCore()
	c.dead = true
	return c
}`)
	}
	o.decls(`
// open has nothing to ask of the system. h.mu is held.
func (h *Heap) open(string) { h.registry.known = map[uintptr]heapBlock{} }`)
	o.decls(`
// trim leaves all to the GC.
func (h *Heap) trim() int64 { return 0 }`)
	o.decls(`
// shut leaves all blocks to the GC, and notes those in use.
func (h *Heap) shut(note func(string)) error {
	note(h.live())` + settle + `
	h.registry = heapRegistry{}
	return nil
}`)
}

// emitGoUsed counts blocks for Close.
func emitGoUsed(o *out, h plan.Heap) {
	what := "of a class"
	if h.LargePages {
		what += ", or large ones,"
	}
	o.decls(`
// used is how many blocks ` + what + ` are in use. Nothing runs beside it.
func (h *Heap) used(id uint32) int { return h.registry.used[id] }`)
}

// emitGoStats counts blocks in use: nothing else is known.
func emitGoStats(o *out, h plan.Heap) {
	large := ""
	if h.LargePages {
		large = `
	stats.Large = int64(r.bytes)
	stats.LargeBlocks = r.used[heapLargeFree]`
	}
	rest := ""
	if h.LargePages {
		rest = `
		stats.Large -= classes[id].Used * int64(heapClassTable[id].size)`
	}
	o.decls(`
// count fills in what the blocks in use take.
func (h *Heap) count(stats *HeapStats, classes *[heapClasses + 1]HeapClassStats) {
	r := &h.registry
	r.mu.Lock()
	defer r.mu.Unlock()
	stats.Taken = int64(r.bytes)` + large + `
	for id := 1; id <= heapClasses; id++ {
		classes[id].Used = int64(r.used[id])` + rest + `
	}
}`)
}

// emitGoBlocks is what the registry does.
func emitGoBlocks(o *out, h plan.Heap) {
	limit := ""
	if h.Limit != 0 {
		limit = `
	if int64(size) > h.most()-int64(r.bytes) {
		return nil, HeapErrLimit
	}`
	}
	o.decls(`
// add makes a block that goes back to a bin, or says why there is none.
func (h *Heap) add(bin uint32, size int) (unsafe.Pointer, error) {
	r := &h.registry
	r.mu.Lock()
	defer r.mu.Unlock()` + limit + `
	if size > heapPools<<heapPoolShift-r.bytes {
		return nil, HeapErrSystem
	}
	p := heapObject(size)
	if p == nil {
		return nil, HeapErrSystem
	}
	r.known[uintptr(p)] = heapBlock{start: p, size: size, bin: bin}
	r.bytes += size
	r.used[bin]++
	return p, nil
}`)
	o.decls(`
// heapObject makes a Go object for a block of so many bytes, and finds the
// block's start in it; nil when Go cannot address so much.
func heapObject(size int) (p unsafe.Pointer) {
	defer func() {
		if recover() != nil {
			p = nil
		}
	}()
	p = unsafe.Pointer(unsafe.SliceData(make([]byte, max(size, 16)))) // Go puts smaller ones together
	if uintptr(p)&heapAlignMask != 0 {
		p = unsafe.Pointer(unsafe.SliceData(make([]byte, size+heapAlignMask)))
		p = unsafe.Add(p, -uintptr(p)&heapAlignMask)
	}
	return p
}`)
	emitGoFind(o, h)
	emitGoTake(o, h)
}

// emitGoFind looks addresses up. Those of no block are mistakes, but where large
// blocks are Go's: there a look at all blocks would take too long.
func emitGoFind(o *out, h plan.Heap) {
	if h.LargeGo {
		o.decls(`
// find returns the block that address p is in. Blocks start at multiples of
// heapAlign: the first start that is not above p decides. r.mu is held.
func (r *heapRegistry) find(p uintptr) (heapBlock, bool) {
	if p == 0 {
		return heapBlock{}, false
	}
	for back := uintptr(0); back < heapThreshold; back += heapAlign {
		block, ok := r.known[p&^heapAlignMask-back]
		if ok && p-uintptr(block.start) < uintptr(block.size) {
			return block, true
		}
		if ok {
			break
		}
	}
	return heapBlock{}, false
}`)
		return
	}
	o.decls(`
// find returns the block that address p is in. r.mu is held.
func (r *heapRegistry) find(p uintptr) (heapBlock, bool) {
	if block, ok := r.known[p]; ok || p == 0 {
		return block, ok
	}
	for _, block := range r.known { // p is a mistake, so that time does not count
		if p-uintptr(block.start) < uintptr(block.size) {
			return block, true
		}
	}
	return heapBlock{}, false
}`)
}

// emitGoTake is where misuse shows.
func emitGoTake(o *out, h plan.Heap) {
	twice := "block freed twice"
	if h.Key {
		twice = "double free: " + twice
	}
	ignore, large, drop := `
	case !ok && (p == 0 || id == heapForeign): // it may be a large block: those are Go's, and the GC's to free
		return block, ""`, "", ""
	if !h.LargeGo {
		ignore = `
	case p == 0:
		return block, ""`
	}
	if h.LargePages {
		large = `
	case p != uintptr(block.start) && id == heapLargeFree:
		wrong = "an address inside a large block"`
		drop = `
	if block.bin == heapLargeFree {
		delete(r.known, p)
		return ""
	}`
	}
	o.decls(`
// at finds the block at p, or says what is wrong with p. Where id is a class it must
// be of that class. A free block is wrong by what it is asked for. Nil is no block and
// not wrong, and so is what may be Go's. r.mu is held.
func (r *heapRegistry) at(id uint32, p uintptr, free string) (block heapBlock, wrong string) {
	block, ok := r.find(p)
	if id-1 >= heapClasses {
		id = block.bin
	}
	switch {` + ignore + `
	case !ok:
		wrong = "not a block of this heap (freed before? grown by append?)"
	case block.bin != id:
		wrong = "not a block of this class"` + large + `
	case p != uintptr(block.start):
		wrong = "an address inside a block"
	case block.free:
		wrong = free
	default:
		return block, ""
	}
	if id-1 < heapClasses {
		wrong += ", " + ` + classText(h) + `
	}
	return heapBlock{}, heapMisuse(wrong, p)
}`)
	o.decls(`
// take takes the block at p back, or says what is wrong with it. Where id is a
// class it must be of that class.
func (r *heapRegistry) take(id uint32, p uintptr) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	block, wrong := r.at(id, p, "` + twice + `")
	if wrong != "" || block.start == nil {
		return wrong
	}
` + wipes(h, `	clear(unsafe.Slice((*byte)(block.start), block.size))
`) + `	r.bytes -= block.size
	r.used[block.bin]--` + drop + `
	block.free = true
	r.known[p] = block
	r.keep(p, block.size)
	return ""
}`)
	o.decls(`
// keep adds a block to those that were freed last, and lets the GC have the
// oldest. r.mu is held.
func (r *heapRegistry) keep(p uintptr, size int) {
	r.freed = append(r.freed, p)
	r.kept += size
	for r.kept > heapKept {
		oldest := r.freed[0]
		r.freed = r.freed[1:]
		r.kept -= r.known[oldest].size
		delete(r.known, oldest)
	}
}`)
}
