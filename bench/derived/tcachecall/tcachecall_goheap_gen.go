// Code derived from ../../generated/tcachecall by bench/derive; DO NOT EDIT.

//go:build go1.21 && ((!linux && !darwin && !freebsd && !windows) || allocgen_goheap)

package tcachecall

import (
	"strconv"
	"sync"
	"unsafe"
)

// heapSlot is a block in a bin. It is a pointer: the GC has to see it.
type heapSlot = unsafe.Pointer

// heapMemory is where the blocks of a heap are: in Go memory.
type heapMemory struct{ registry heapRegistry }

// heapFront is what a cache knows of its heap's memory.
type heapFront struct{ registry *heapRegistry }

// heapWork is what the slow paths of bins keep in mind.
type heapWork struct{}

// heapNowhere is the front of released caches and closed heaps: every address is
// foreign.
var heapNowhere = heapFront{registry: new(heapRegistry)}

// heapRegistry knows the blocks of a heap. Each is a Go object of its own, so
// that the race detector, the address sanitizer and the heap profile see it.
type heapRegistry struct {
	mu    sync.Mutex
	known map[uintptr]heapBlock // by address: those in use, and those in freed
	freed []uintptr             // blocks that were freed last, in that order
	kept  int                   // bytes in freed
	bytes int                   // bytes in use
	used  [heapBins]int         // blocks in use, by the bin they go back to
}

// heapBlock is what the registry knows of a block.
type heapBlock struct {
	start unsafe.Pointer // keeps the object alive
	size  int
	bin   uint32 // where the block goes back to
	free  bool   // it is in freed
}

// heapKept is how many bytes of freed blocks stay known, and are not used again:
// a second Free of these is told from one of a foreign address.
const heapKept = 1 << 20

// front makes the front of a cache.
func (h *Heap) front() heapFront { return heapFront{registry: &h.registry} }

// deadCore is the core of a released cache: one for each, so that the race
// detector sees no more than there is.
func (h *Heap) deadCore() *heapCore {
	c := h.makeCore()
	c.dead = true
	return c
}

// open has nothing to ask of the system. h.mu is held.
func (h *Heap) open(string) { h.registry.known = map[uintptr]heapBlock{} }

// trim leaves all to the GC.
func (h *Heap) trim() int64 { return 0 }

// shut leaves all blocks to the GC, and notes those in use.
func (h *Heap) shut(note func(string)) error {
	note(h.live())
	h.registry = heapRegistry{}
	return nil
}

// used is how many blocks of a class, or large ones, are in use. Nothing runs beside it.
func (h *Heap) used(id uint32) int { return h.registry.used[id] }

// count fills in what the blocks in use take.
func (h *Heap) count(stats *HeapStats, classes *[heapClasses + 1]HeapClassStats) {
	r := &h.registry
	r.mu.Lock()
	defer r.mu.Unlock()
	stats.Taken = int64(r.bytes)
	stats.Large = int64(r.bytes)
	stats.LargeBlocks = r.used[heapLargeFree]
	for id := 1; id <= heapClasses; id++ {
		classes[id].Used = int64(r.used[id])
		stats.Large -= classes[id].Used * int64(heapClassTable[id].size)
	}
}

// block makes the block that b is asked for; nil when there is none.
func (b *HeapBin) block() (block heapSlot) {
	c := b.core()
	c.check("HeapBin.Alloc")
	switch {
	case b.id-1 < heapClasses:
		block, c.err = c.heap.add(b.id, int(b.size))
	case b.id == heapLargeAlloc:
		block = c.takeLarge()
	}
	return block
}

// dispose gives p back to the registry.
func (b *HeapBin) dispose(p unsafe.Pointer) {
	h := b.core().heap
	if p != nil && h.state == heapClosed {
		panic("tcachecall: HeapBin.Free: use of closed Heap")
	}
	if wrong := h.registry.take(b.id, uintptr(p)); wrong != "" {
		panic(wrong)
	}
}

// refill puts a block into b, and reports whether there is one. It is called when
// b is empty.
func (b *HeapBin) refill() bool {
	p := b.block()
	if p != nil {
		b.link(p)
		b.n = 1
	}
	return p != nil
}

// flush takes p, which is not to be put into b. It is called on every Free.
func (b *HeapBin) flush(p unsafe.Pointer) bool {
	b.dispose(p)
	return false
}

// drain has nothing to do: no bin keeps a block.
func (c *heapCore) drain() string { return "" }

// holds reports whether a block starts at p.
func (h *Heap) holds(p uintptr) bool {
	h.registry.mu.Lock()
	defer h.registry.mu.Unlock()
	_, ok := h.registry.known[p]
	return ok
}

// count has nothing to add: no bin keeps a block.
func (c *heapCore) count(*[heapClasses + 1]int64) {}

// binOf finds the bin that the block at p goes back to.
func (f *heapFront) binOf(p uintptr) uint32 {
	f.registry.mu.Lock()
	defer f.registry.mu.Unlock()
	block, _ := f.registry.find(p)
	return block.bin
}

// newLarge returns a block of at least n bytes and its size; nil when there is
// none.
func (c *heapCore) newLarge(n int) (unsafe.Pointer, int) {
	need := (uint(n) + heapPoolSize - 1) >> heapPoolShift
	if need > heapPools {
		c.err = HeapErrSystem
		return nil, 0
	}
	size := int(need) << heapPoolShift
	var p unsafe.Pointer
	p, c.err = c.heap.add(heapLargeFree, size)
	return p, size
}

// add makes a block that goes back to a bin, or says why there is none.
func (h *Heap) add(bin uint32, size int) (unsafe.Pointer, error) {
	r := &h.registry
	r.mu.Lock()
	defer r.mu.Unlock()
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
}

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
}

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
}

// at finds the block at p, or says what is wrong with p. Where id is a class it must
// be of that class. A free block is wrong by what it is asked for. Nil is no block and
// not wrong, and so is what may be Go's. r.mu is held.
func (r *heapRegistry) at(id uint32, p uintptr, free string) (block heapBlock, wrong string) {
	block, ok := r.find(p)
	if id-1 >= heapClasses {
		id = block.bin
	}
	switch {
	case p == 0:
		return block, ""
	case !ok:
		wrong = "not a block of this heap (freed before? grown by append?)"
	case block.bin != id:
		wrong = "not a block of this class"
	case p != uintptr(block.start) && id == heapLargeFree:
		wrong = "an address inside a large block"
	case p != uintptr(block.start):
		wrong = "an address inside a block"
	case block.free:
		wrong = free
	default:
		return block, ""
	}
	if id-1 < heapClasses {
		wrong += ", " + "class " + strconv.Itoa(int(heapClassTable[id].size))
	}
	return heapBlock{}, heapMisuse(wrong, p)
}

// take takes the block at p back, or says what is wrong with it. Where id is a
// class it must be of that class.
func (r *heapRegistry) take(id uint32, p uintptr) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	block, wrong := r.at(id, p, "double free: block freed twice")
	if wrong != "" || block.start == nil {
		return wrong
	}
	r.bytes -= block.size
	r.used[block.bin]--
	if block.bin == heapLargeFree {
		delete(r.known, p)
		return ""
	}
	block.free = true
	r.known[p] = block
	r.keep(p, block.size)
	return ""
}

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
}

// usable is how many bytes the block at p holds, or says what is wrong
// with p.
func (h *Heap) usable(p uintptr) (size int, wrong string) {
	h.registry.mu.Lock()
	defer h.registry.mu.Unlock()
	block, wrong := h.registry.at(heapForeign, p, "a free block")
	return block.size, wrong
}

// resizeLarge cannot resize a Go object.
func (h *Heap) resizeLarge(uintptr, int) bool { return false }
