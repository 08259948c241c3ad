package templates

import (
	"github.com/allocgen/allocgen/internal/plan"
)

// emitCache is the cache's and the bin's type.
func emitCache(o *out, h plan.Heap) {
	want := ""
	doc := `
// HeapCache keeps free blocks for one goroutine at a time: a bin per class.
// Acquire makes it. It may free blocks of any cache of its heap.`
	coreDoc := `
// heapCore is what a cache holds. Acquire lends it and Release takes it back,
// warm, while the HeapCache that had it stays what it is: released.`
	user, dead := "\tuser  *HeapCache // who has it: own, unless it is lent", "\n\tdead  bool // of released caches: all passes through"
	if h.Shared() {
		doc = `
// HeapCache keeps free blocks: a bin per class.`
		coreDoc = `
// heapCore is a cache with its bins. One call at a time has it.`
		user, dead = "", ""
	}
	if h.LargePages {
		want = `
	want int // bytes of the large block that was asked for last`
	}
	o.decls(doc + `
type HeapCache struct {
	_ heapNoCopy
	heapFront
	bins *[256]HeapBin // those of core, of which there may be fewer: a byte needs neither check nor mask
	core *heapCore
}

` + coreDoc + `
type heapCore struct {
	heap  *Heap
` + user + `
	own   HeapCache // for the heap's own methods
	index int // in the heap's cores` + want + dead + `
	err   error // why nothing could be had` + countsIn(h) + `
	heapWork
	bins [heapBins]HeapBin
}`)
	if h.ListBins {
		emitListBin(o, h)
		return
	}
	o.decls(`
// HeapBin keeps the free blocks of one class, last in, first out. It belongs to
// its cache: a bin of c.Bin(n) may be kept as long as c, where n is within the
// classes.
type HeapBin struct {
	// With n == lim == 0 everything passes through: refill leaves one block, or
	// nil, and flush disposes of the block and leaves n so that the push that
	// follows wraps to 0. Bins of new and released caches are in that state, and
	// reserved ones and all in Go memory for ever: the fast paths need no test
	// for them.
	_     heapNoCopy
	n     uint // blocks in slots
	lim   uint // blocks that may be
	id    uint32 // index in the cache's bins: the class, or a reserved bin
	size  uint32 // bytes of a block; 0 in reserved bins
	owned bool // by a cache
	slots [heapDepth]heapSlot` + askedIn(h) + freshIn(h) + `
}`)
}

// emitBinMethods are the two-step form's second steps: each body is a splice.
func emitBinMethods(o *out, h plan.Heap) {
	alloc := fn{
		doc: "Alloc returns a block of the bin's class, " + contents(h) + "; nil when\nmemory is out." + oneCall(h),
	}
	switch {
	case h.Full:
		allocCounted(o, h, alloc)
	case h.ZeroAlloc:
		allocZeroed(o, h, alloc)
	default:
		allocReturn(o, h, "HeapBin.Alloc", alloc)
	}
	o.fn(fn{
		doc: `
			Free takes a block: one of the bin's class for c.Bin(n).Free(p), where nil is
			a mistake, any for c.BinOf(p).Free(p), where nil does nothing.`,
		head: "(b *HeapBin) Free(p unsafe.Pointer)",
		body: func(s *scope) []code {
			return freeAt(s, h, h.Site("HeapBin.Free", plan.FreeFast))
		},
	})
}

// oneCall is what to know of bins that serve large blocks, where there are any.
func oneCall(h plan.Heap) string {
	if !h.LargePages {
		return ""
	}
	return " A bin of Bin(n) above the threshold serves one call."
}

// emitFindBin are the two-step form's first steps.
func emitFindBin(o *out, h plan.Heap) {
	size, bin := "", "return &c.bins[heapBinTable[(n+heapAlignMask)>>heapAlignShift]]"
	if h.Full {
		size = " A bin counts what it hands out\n// as requests of the size that it was found for last."
		bin = `b := &c.bins[heapBinTable[(n+heapAlignMask)>>heapAlignShift]]
	b.asked = n
	return b`
	}
	above := `Such a bin may be kept; above
// the threshold it serves the next call only. n < 0 panics.`
	if h.Refuses() {
		above = `Such a bin may be kept. n < 0
// panics, and so does n above the threshold.`
	}
	if h.LargeGo {
		above = `Such a bin may be kept. n < 0
// panics, and so does n above the threshold: such blocks are Go's, from Alloc.`
	}
	o.decls(`
// Bin finds the bin that serves n bytes: c.Bin(n).Alloc(), and c.Bin(n).Free(p)
// where the size is known, n up to the threshold. ` + above + ` Bin(0).Alloc()
// is nil: there is no block of 0 bytes.` + size + `
func (c *HeapCache) Bin(n int) *HeapBin {
	if uint(n) > heapThreshold {
		return c.large(n)
	}
	` + bin + `
}`)
	foreign := `An
// address outside all pools in use reaches a bin whose Free panics.`
	if h.LargeGo {
		foreign = `An
// address outside the heap reaches a bin whose Free does nothing: it may be a
// large block, and those are Go's.`
	}
	o.decls(`
// BinOf finds the bin that p goes back to: c.BinOf(p).Free(p). ` + foreign + `
func (c *HeapCache) BinOf(p unsafe.Pointer) *HeapBin {
	// Bins are aligned: the mask only keeps the sum in a register of its own, without
	// which processors are slow to hand n from one path to the next.
	return (*HeapBin)(unsafe.Pointer(uintptr(unsafe.Pointer(&c.bins[c.binOf(uintptr(p))])) &^ 1))
}`)
}

// cacheOp is what a user calls a method of caches. Where caches are the
// heap's own that is the heap's method.
func cacheOp(h plan.Heap, method string) string {
	if h.Shared() {
		return "Heap." + method
	}
	return "HeapCache." + method
}

// capacity says what the capacity of a slice is.
func capacity(h plan.Heap) string {
	if h.Exact {
		return "n"
	}
	return "the block's size"
}

// allocDoc is the contract of Alloc.
func allocDoc(h plan.Heap) string {
	doc := `
		Alloc returns n bytes, ` + contents(h) + `; the capacity is ` + capacity(h) + `. n == 0 gives an empty slice without a block, ` + mistaken(h) + ` panics. When memory
		is out it panics with an error that wraps ` + memoryErrs(h)
	if h.LargeGo {
		return doc + `; above the
		threshold only if Go cannot address so much: less than that ends the program,
		as with make.`
	}
	return doc + "."
}

// emitCacheAlloc is the one-step form: one call, everything spliced behind it.
func emitCacheAlloc(o *out, h plan.Heap) {
	o.fn(fn{
		doc:  wrap(allocDoc(h)),
		head: "(c *HeapCache) Alloc(n int) []byte",
		body: func(s *scope) []code {
			find := []code{
				s.when("uint(n-1) >= heapThreshold", s.do("return c.allocLarge(n)")),
				s.do("b := &c.bins[heapBinTable[(n+heapAlignMask)>>heapAlignShift]]"),
			}
			return join(
				find,
				allocInto(s, h, h.Site("HeapCache.Alloc", plan.AllocFast)),
				[]code{s.when("p == nil", s.do(`heapOutOfMemory("`+cacheOp(h, "Alloc")+`", n, c.core.err)`))},
				zeroed(s, h, h.Site("HeapCache.Alloc", plan.AllocFast)),
				counted(s, h, "b.countAlloc(n)"),
				[]code{
					s.do("return unsafe.Slice((*byte)(p), b.size)" + upTo(h)),
				},
			)
		},
	})
	if h.LargeGo {
		count := ""
		if h.Full {
			count = "\n\tif n > 0 {\n\t\tc.core.counts.request(n)\n\t}"
		}
		o.decls(`
// allocLarge serves what the classes do not: sizes up to 0, and above the
// threshold Go's heap.
func (c *HeapCache) allocLarge(n int) []byte {
	if n < 0 {
		heapNegative("` + cacheOp(h, "Alloc") + `", n)
	}
	c.check("` + cacheOp(h, "Alloc") + `")
	return c.makeLarge("` + cacheOp(h, "Alloc") + `", n)
}`)
		o.decls(`
// makeLarge makes a block of Go's.
func (c *HeapCache) makeLarge(op string, n int) []byte {
	b := heapMake[byte](op, n)` + count + `
	return b
}`)
		o.decls(`
// heapMake makes items that are more than the threshold, in Go's heap.
func heapMake[T any](op string, n int) []T {
	defer func() {
		if recover() != nil { // more than Go can address
			heapOutOfMemory(op, n*int(unsafe.Sizeof(*new(T))), HeapErrSystem)
		}
	}()
	return make([]T, n)
}`)
		return
	}
	if h.Refuses() {
		o.decls(`
// allocLarge serves what the classes do not: 0 bytes. All else is refused.
func (c *HeapCache) allocLarge(n int) []byte {
	if n != 0 {
		panic(heapRefused("` + cacheOp(h, "Alloc") + `", n))
	}
	c.check("` + cacheOp(h, "Alloc") + `")
	return []byte{}
}`)
		return
	}
	count := ""
	if h.Full {
		count = "\n\tc.bins[heapLargeAlloc].countAlloc(n)"
	}
	o.decls(`
// allocLarge serves what the classes do not: sizes up to 0, and above the
// threshold runs of pools.
func (c *HeapCache) allocLarge(n int) []byte {
	if n < 0 {
		heapNegative("` + cacheOp(h, "Alloc") + `", n)
	}
	c.check("` + cacheOp(h, "Alloc") + `")
	if n == 0 {
		return []byte{}
	}
	p, size := c.core.newLarge(n)
	if p == nil {
		heapOutOfMemory("` + cacheOp(h, "Alloc") + `", n, c.core.err)
	}` + count + `
	return unsafe.Slice((*byte)(p), size)` + upTo(h) + `
}`)
}

// emitCacheFree is the one-step form of free.
func emitCacheFree(o *out, h plan.Heap) {
	o.fn(fn{
		doc: `
			Free gives a block back: b starts where its block started, its length and
			capacity do not count. A slice without capacity is no block: nothing happens.`,
		head: "(c *HeapCache) Free(b []byte)",
		body: func(s *scope) []code {
			return join(
				[]code{
					s.when("cap(b) == 0", s.do("return")),
					s.do("p := unsafe.Pointer(unsafe.SliceData(b))"),
					s.do("bin := c.BinOf(p)"),
				},
				freeAt(s, h, h.Site("HeapCache.Free", plan.FreeFast)),
			)
		},
	})
}
