package templates

import (
	"strings"

	"github.com/allocgen/allocgen/internal/plan"
)

// emitConstants spells the numbers of the spec and what the plan made of them.
func emitConstants(o *out, h plan.Heap) {
	sized := ""
	if len(h.Typed) > 0 {
		sized = `
	heapSized      = SIZED // those to heapSized sizes, the others a type`
	}
	o.decls(`
// The numbers of the spec, and what follows from them.
const (
	heapThreshold  = THRESHOLD // the largest request that classes serve, in bytes
	heapAlign      = ALIGN // of every block, in bytes
	heapAlignMask  = heapAlign - 1
	heapAlignShift = ALIGNSHIFT
	heapClasses    = CLASSES // bins 1 to heapClasses serve a class each`+sized+`
	heapDepth      = DEPTH // slots of a bin: a power of two
	heapBins       = BINS // a power of two above the classes and the reserved bins
	heapPoolShift  = POOLSHIFT
	heapPoolSize   = 1 << heapPoolShift // bytes carved for one class at a time
	heapArenaPools = ARENAPOOLS // pools that are taken from the system at a time
	heapSpanWords  = SPANWORDS // 64-bit words of a span's bitmap
	heapBatch      = BATCH // the most blocks that change hands at once
	heapFirstLimit = 8 // blocks that a bin keeps at first; doubles up to its class's depth
	heapScaleBits  = SCALEBITS // offset * scale >> heapScaleBits is offset / size

	// The most that a heap holds: 64 GiB, or 512 MiB where int has 32 bits. In
	// system memory it is reserved, with no memory behind it until an arena is
	// taken.
	heapReserveShift = 29 + 7*(^uint(0)>>63)
	heapPools        = 1 << (heapReserveShift - heapPoolShift)
	heapMinPools     = 64 << 20 >> heapPoolShift // a smaller reservation is refused
)`,
		"THRESHOLD", itoa(h.Threshold), "ALIGN", itoa(h.Align), "ALIGNSHIFT", itoa(h.AlignShift),
		"CLASSES", itoa(len(h.Classes)+len(h.Typed)), "SIZED", itoa(len(h.Classes)), "DEPTH", itoa(h.Depth), "BINS", itoa(h.Bins),
		"POOLSHIFT", itoa(h.PoolShift), "ARENAPOOLS", itoa(h.ArenaPools), "SPANWORDS", itoa(h.SpanWords),
		"BATCH", itoa(h.Batch), "SCALEBITS", itoa(plan.ScaleBits))
	if h.LargeGo {
		o.decls(`
// heapForeign is the bin of addresses outside all pools in use. It keeps
// nothing: every call on it reaches refill or flush.
const heapForeign = 0`)
		return
	}
	o.decls(`
// Reserved bins. They keep nothing: every call on them reaches refill or flush.
const (
	heapForeign    = 0               // of addresses outside all pools in use
	heapLargeAlloc = heapClasses + 1 // hands out one block above the threshold
	heapLargeFree  = heapClasses + 2 // takes blocks above the threshold
)`)
}

// emitHeap is the heap's type.
func emitHeap(o *out, h plan.Heap) {
	counts := ""
	if h.Full {
		counts = "\n\tcounts heapCounts // of released caches, and of frees that no bin takes"
	}
	o.decls(`
// Heap owns blocks of bytes. Its zero value is ready; it opens at the first
// use. Any goroutine may use it and its methods; those that allocate often
// Acquire a cache. It must not be copied.
type Heap struct {
	_      heapNoCopy
	mu     sync.Mutex
	state  heapState
	caches []*HeapCache // all but released ones
	wrong  string // a misuse that was found and not yet reported` + counts + `
	spare  [heapSpares]atomic.Pointer[HeapCache] // caches that the methods of Heap borrow

	heapMemory
}`)
	o.decls(`
// heapState says what a heap may be used for.
type heapState uint8

const (
	heapNew heapState = iota // not used yet
	heapOpen
	heapClosed
)`)
	lint := "\n//\n//lint:ignore ST1012 every name starts with that of its heap"
	if strings.HasPrefix(strings.ToLower(h.Name), "err") {
		lint = "" // the check is content with it
	}
	o.decls(`
// HeapErrSystem is the error in a panic when the system gives no more memory,
// or the heap holds all that it may.` + lint + `
var HeapErrSystem = errors.New("out of memory")`)
	o.decls(`
// heapErr says what could not be had.
type heapErr struct {
	op   string
	size int
	err  error
}

func (e *heapErr) Error() string {
	return "PKG: " + e.op + ": " + strconv.Itoa(e.size) + " bytes: " + e.err.Error()
}

func (e *heapErr) Unwrap() error { return e.err }`)
	o.decls(`
// heapOutOfMemory panics with an error that wraps HeapErrSystem.
//
//go:noinline
func heapOutOfMemory(op string, size int) {
	panic(&heapErr{op, size, HeapErrSystem})
}`)
	o.decls(`
// heapMisuse says what is wrong with a freed address.
func heapMisuse(what string, p uintptr) string {
	return "PKG: Heap.Free: " + what + ": 0x" + strconv.FormatUint(uint64(p), 16)
}`)
	o.decls(`
// heapNoCopy makes vet refuse copies.
type heapNoCopy struct{}

func (*heapNoCopy) Lock()   {}
func (*heapNoCopy) Unlock() {}`)
}

// emitHeapMethods are the calls that any goroutine may make.
func emitHeapMethods(o *out, h plan.Heap) {
	o.fn(fn{
		doc:  allocDoc(h),
		head: "(h *Heap) Alloc(n int) []byte",
		body: func(s *scope) []code {
			return []code{
				s.when("n < 0", s.do(`heapNegative("Heap.Alloc", n)`)),
				s.do(`c := h.borrow("Heap.Alloc")`),
				s.do("defer h.giveBack(c)"),
				s.do("return c.Alloc(n)"),
			}
		},
	})
	o.decls(`
// Free gives a block back: b starts where its block started, its length and
// capacity do not count. A slice without capacity is no block: nothing happens.
func (h *Heap) Free(b []byte) {
	if cap(b) == 0 {
		return
	}
	c := h.borrow("Heap.Free")
	defer h.giveBack(c)
	c.Free(b)
}`)
	o.decls(`
// Acquire makes a cache, for one goroutine at a time until its Release. That
// costs as much as many blocks: hold it for a worker's or a request's life.
func (h *Heap) Acquire() *HeapCache { return h.newCache("Heap.Acquire") }`)
	o.decls(`
// newCache makes a cache whose bins are all empty. The first opens the heap.
func (h *Heap) newCache(op string) *HeapCache {
	h.ready(op)
	c := &HeapCache{heap: h}
	c.heapFront = h.front()
	for i := range c.bins {
		c.bins[i].id, c.bins[i].owned = uint32(i), true
	}
	for i, class := range heapClassTable {
		c.bins[i].size = class.size
	}
	h.mu.Lock()
	c.index = len(h.caches)
	h.caches = append(h.caches, c)
	h.mu.Unlock()
	return c
}`)
	o.decls(`
// ready opens the heap at its first use.
func (h *Heap) ready(op string) {
	h.mu.Lock()
	defer h.mu.Unlock() // open may panic
	switch h.state {
	case heapNew:
		h.open(op)
		h.state = heapOpen
	case heapClosed:
		panic("PKG: " + op + ": use of closed Heap")
	}
}`)
	o.decls(`
// heapSpares is how many caches are kept for borrowing; more are released.
const heapSpares = 64`)
	o.decls(`
// borrow takes a cache for one call.
func (h *Heap) borrow(op string) *HeapCache {
	for i := range h.spare {
		if h.spare[i].Load() != nil {
			if c := h.spare[i].Swap(nil); c != nil {
				return c
			}
		}
	}
	return h.newCache(op)
}`)
	settle := ""
	if !h.ListBins {
		settle = "\n\tc.settle()"
	}
	o.decls(`
// giveBack ends a borrow; the cache keeps its blocks for the next one. It never
// waits: a goroutine that did would keep a cache from the others.
func (h *Heap) giveBack(c *HeapCache) {` + settle + `
	for i := range h.spare {
		if h.spare[i].CompareAndSwap(nil, c) {
			return
		}
	}
	h.note(c.drain())
	c.retire()
}`)
	o.decls(`
// note keeps a misuse that no call of the one who did it can report, for Close.
func (h *Heap) note(wrong string) {
	if wrong != "" {
		h.mu.Lock()
		h.wrong = wrong
		h.mu.Unlock()
	}
}`)
}

// emitClose ends a heap.
func emitClose(o *out, h plan.Heap) {
	counts := ""
	if h.Full {
		counts = "\n\th.counts = heapCounts{}"
	}
	o.decls(`
// Close gives all memory back to the system. It must not run beside other
// calls; afterwards allocating and freeing panic, and a second Close does
// nothing. Its error names the blocks that were not freed, and a misuse that only
// now shows; the memory is gone all the same.
func (h *Heap) Close() error {
	opened := h.state == heapOpen
	h.state = heapClosed
	if !opened {
		return nil
	}
	var err error
	note := func(text string) {
		if text != "" {
			err = errors.Join(err, errors.New(text))
		}
	}
	note(h.wrong)
	err = errors.Join(err, h.shut(note))
	for _, c := range h.caches {
		c.heapFront = heapNowhere
	}
	h.caches = nil` + counts + `
	for i := range h.spare {
		h.spare[i].Store(nil)
	}
	return err
}`)
	large := ""
	if !h.LargeGo {
		large = `
	if n := h.used(heapLargeFree); n != 0 {
		text = append(text, strconv.Itoa(n)+" large")
	}`
	}
	o.decls(`
// live names the blocks that were not freed, by class, when no cache keeps any.
func (h *Heap) live() string {
	var text []string
	for id := uint32(1); id <= heapClasses; id++ {
		if n := h.used(id); n != 0 {
			text = append(text, strconv.Itoa(n)+" of "+strconv.Itoa(int(heapClassTable[id].size))+" bytes")
		}
	}` + large + `
	if text == nil {
		return ""
	}
	return "PKG: Heap.Close: live blocks: " + strings.Join(text, ", ")
}`)
}
