package templates

import (
	"strconv"

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
	heapRetain     = RETAIN // empty pools that keep their memory, at most
	heapSpanMost   = SPANMOST // pools of the longest span
	heapSpanWords  = SPANWORDS // 64-bit words of a span's bitmap
	heapBatch      = BATCH // the most blocks that change hands at once
	heapFirstLimit = 8 // blocks that a bin keeps at first; doubles up to its class's depth
	heapScaleBits  = SCALEBITS // offset * scale >> heapScaleBits is offset / size

`+reservation(h)+`
)`,
		"THRESHOLD", itoa(h.Threshold), "ALIGN", itoa(h.Align), "ALIGNSHIFT", itoa(h.AlignShift),
		"CLASSES", itoa(len(h.Classes)+len(h.Typed)), "SIZED", itoa(len(h.Classes)), "DEPTH", itoa(h.Depth), "BINS", itoa(h.Bins),
		"POOLSHIFT", itoa(h.PoolShift), "ARENAPOOLS", itoa(h.ArenaPools), "RETAIN", itoa(h.Retain), "SPANMOST", itoa(plan.MaxSpan), "LIMIT", strconv.FormatInt(h.Limit, 10), "MOSTPOOLS", strconv.FormatInt(h.MostPools, 10), "LIMITPOOLS", strconv.FormatInt(h.LimitPools, 10), "SPANWORDS", itoa(h.SpanWords),
		"BATCH", itoa(h.Batch), "SCALEBITS", itoa(plan.ScaleBits))
	if !h.LargePages {
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

// reservation are the numbers of the address space.
func reservation(h plan.Heap) string {
	if h.Limit == 0 {
		return `
	// The most that a heap holds: 64 GiB, or 512 MiB where int has 32 bits. In
	// system memory it is reserved, with no memory behind it until an arena is
	// taken.
	heapPools    = 1 << (29 + 7*(^uint(0)>>63) - heapPoolShift)
	heapMinPools = 64 << 20 >> heapPoolShift // a smaller reservation is refused`
	}
	return `
	// The most that a heap holds, in bytes. In system memory twice that is reserved,
	// with no memory behind it until an arena is taken: room for pools that lie apart.
	// Where int has 32 bits it is 512 MiB at most.
	heapLimit    = LIMIT
	heapPools    = min(MOSTPOOLS, 1<<(29+15*(^uint(0)>>63)-heapPoolShift))
	heapMinPools = min(64<<20>>heapPoolShift, LIMITPOOLS) // a smaller reservation is refused`
}

// emitHeap is the heap's type.
func emitHeap(o *out, h plan.Heap) {
	often := `; those that allocate often
// Acquire a cache`
	if h.Shared() {
		often = ""
	}
	counts, cut, lock, perCPU := "", "", "", ""
	switch h.Sync {
	case plan.SyncMutex:
		lock = "\n\tlock   sync.Mutex // held by the calls of users; before mu"
	case plan.SyncPerCPU:
		perCPU = "\n\theapPerCPU"
	}
	if h.Full {
		counts = "\n\tcounts heapCounts // of emptied caches, and of frees that no bin takes"
	}
	if h.Limit != 0 {
		cut = "\n\tcut    atomic.Int64 // bytes that the limit is below the spec's"
	}
	o.decls(`
// Heap owns blocks of bytes. Its zero value is ready; it opens at the first
// use. Any goroutine may use it and its methods` + often + `. It must not be copied.
type Heap struct {
	_      heapNoCopy
	mu     sync.Mutex
	state  heapState` + lock + `
	cores  []*heapCore // of all caches, and idle ones
	wrong  string // a misuse that was found and not yet reported
	idle   [heapIdle]atomic.Pointer[heapCore] // not lent to a cache` + counts + cut + `

	heapMemory` + perCPU + `
}`)
	o.decls(`
// heapState says what a heap may be used for.
type heapState uint8

const (
	heapNew heapState = iota // not used yet
	heapOpen
	heapClosed
)`)
	o.decls(`
// HeapErrSystem is the error in a panic when the system gives no more memory,
// or the heap holds all that it may.` + lintErr(h) + `
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
// heapOutOfMemory panics with an error that wraps err.
//
//go:noinline
func heapOutOfMemory(op string, size int, err error) {
	if err == nil { // there was a block, and it was none
		panic("PKG: " + op + ": " + strconv.Itoa(size) + " bytes: nil was freed as a block")
	}
	panic(&heapErr{op, size, err})
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
		doc:  wrap(allocDoc(h)),
		head: "(h *Heap) Alloc(n int) []byte",
		body: func(s *scope) []code {
			return join(
				[]code{refuse(s, h, "Heap.Alloc")},
				borrowed(s, h, `"Heap.Alloc"`),
				[]code{s.do("return c.own.Alloc(n)")})
		},
	})
	o.decls(`
// Free gives a block back: b starts where its block started, its length and
// capacity do not count. A slice without capacity is no block: nothing happens.
func (h *Heap) Free(b []byte) {
	if cap(b) == 0 {
		return
	}` + lockHeap(h) + `
	c := h.borrow("Heap.Free")
	defer h.giveBack(c)
	c.own.Free(b)
}`)
}

// emitAcquire is where users get their caches.
func emitAcquire(o *out, h plan.Heap) {
	o.decls(`
// Acquire makes a cache, for one goroutine at a time until its Release: of one
// that was released if there is any, with the blocks that it kept. Hold it for a
// worker's or a request's life.
func (h *Heap) Acquire() *HeapCache {
	core := h.borrow("Heap.Acquire")
	c := new(HeapCache)
	c.use(core, core.own.heapFront)
	core.user = c
	return c
}`)
}

// emitTrim is what a user may ask for when memory is short.
func emitTrim(o *out, h plan.Heap) {
	stays := " What caches keep stays: Flush them first."
	switch h.Sync {
	case plan.SyncPerCPU:
		stays = " What processors keep is given up for it, for which the world stops for a moment."
	case plan.SyncMutex:
		stays = ""
	}
	doc := "Trim gives the memory of free blocks back to the system, as far as whole pools are free, and returns how many bytes that were." +
		stays + " In Go memory there is nothing to do."
	o.decls(comment(doc) + `
func (h *Heap) Trim() int64 {
	h.mu.Lock()
	opened := h.state == heapOpen
	h.mu.Unlock()
	if !opened {
		return 0
	}
	return h.trim()
}`)
}

// emitClose ends a heap.
func emitClose(o *out, h plan.Heap) {
	user, second := ", c.user.heapFront", ", heapNowhere"
	if h.Shared() {
		user, second = "", ""
	}
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
	for _, c := range h.cores {
		c.own.heapFront` + user + ` = heapNowhere` + second + `
	}
	h.cores = nil` + counts + `
	for i := range h.idle {
		h.idle[i].Store(nil)
	}
	return err
}`)
	large := ""
	if h.LargePages {
		large = `
	if n := h.used(heapLargeFree); n != 0 {
		text = append(text, strconv.Itoa(n)+" large")
	}`
	}
	typed := ""
	if len(h.Typed) > 0 {
		typed = `
			if id > heapSized {
				what = heapTypes[id-heapSized-1]
			}`
	}
	o.decls(`
// live names the blocks that were not freed, by class, when no cache keeps any.
func (h *Heap) live() string {
	var text []string
	for id := uint32(1); id <= heapClasses; id++ {
		if n := h.used(id); n != 0 {
			what := strconv.Itoa(int(heapClassTable[id].size)) + " bytes"` + typed + `
			text = append(text, strconv.Itoa(n)+" of "+what)
		}
	}` + large + `
	if text == nil {
		return ""
	}
	return "PKG: Heap.Close: live blocks: " + strings.Join(text, ", ")
}`)
}
