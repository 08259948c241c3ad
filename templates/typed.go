package templates

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/allocgen/allocgen/internal/plan"
)

// emitTyped is the type of objects in a heap: a bin of their own class.
func emitTyped(o *out, e plan.Object) {
	o.decls(`
// objectBin is the bin of Object in a HeapCache.
const objectBin = BIN`, "BIN", itoa(e.Bin()))
	o.decls(comment("Object is the bin of a HeapCache that keeps free objects of type "+verbatim(e.Of)+", for the goroutine of the cache. It ends with its cache: "+
		"Object of HeapCache returns it.") + `
type Object HeapBin`)
	article := "Object returns the bin of objects of type " + verbatim(e.Of) + ", the same each time."
	o.decls(comment(article) + `
func (c *HeapCache) Object() *Object { return (*Object)(&c.bins[objectBin]) }`)
}

// emitTypedMethods are Get and Put, and what their paths call.
func emitTypedMethods(o *out, e plan.Object) {
	o.fn(fn{
		doc:  wrap(typedGetDoc(e)),
		head: "(b *Object) Get() *ELEM",
		body: func(s *scope) []code { return typedGet(s, e) },
	})
	o.fn(fn{
		doc:  wrap(typedPutDoc(e)),
		head: "(b *Object) Put(x *ELEM)",
		body: func(s *scope) []code { return typedPut(s, e) },
	})
	emitTypedCallees(o, e)
	emitTypedSlow(o, *e.Heap)
}

func typedGetDoc(e plan.Object) string {
	state := "zero"
	switch {
	case e.Reset.Zero:
	case e.Reset == (plan.Reset{}):
		state = "zero, or as it was when it was Put"
	default:
		state = "zero, or as " + hookText(e) + " left it"
	}
	return "Get returns an object that is " + state + ". When memory is out it panics with an error that wraps " + memoryErrs(*e.Heap) + "."
}

func typedPutDoc(e plan.Object) string {
	from := ", from any cache of the heap"
	if e.Heap.Shared() {
		from = ""
	}
	doc := "Put takes an object of Get that nobody uses any more" + from + ". nil does nothing."
	if e.Reset != (plan.Reset{}) {
		doc += " It writes to the object, which is no memory after Close."
	}
	return doc
}

// typedGet takes an object. Where bins write into free blocks, what they wrote
// goes.
func typedGet(s *scope, e plan.Object) []code {
	h, site := *e.Heap, e.Site("Object.Get", plan.AllocFast)
	if !h.ListBins && !h.Full {
		stmts, result := allocAt(s, h, site)
		return append(stmts, jen.Return(jen.Parens(jen.Op("*").Add(s.expr("ELEM"))).Parens(result)))
	}
	body := join(allocInto(s, h, site), counted(s, h, "b.countAlloc()"))
	if h.ListBins {
		body = append(body, s.do("*(*heapLink)(p) = heapLink{}"))
	}
	return append(body, s.do("return (*ELEM)(p)"))
}

// typedPut gives an object back. What resets it takes the key as well, so that
// the path alone would not find a second Put.
func typedPut(s *scope, e plan.Object) []code {
	site := e.Site("Object.Put", plan.FreeFast)
	var body []code
	if e.Heap.Key {
		body = append(body, s.do(`
if b.n != 0 && (*heapLink)(unsafe.Pointer(x)).key == heapKey {
	b.find(unsafe.Pointer(x))
}`))
	}
	body = join(body, resetCode(s, e), counted(s.at(site), *e.Heap, "bin.countFree()"), freePath(s, *e.Heap, site))
	return []code{s.when("x != nil", body...)}
}

// emitTypedCallees adds the functions that Get and Put call where the plan says
// call.
func emitTypedCallees(o *out, e plan.Object) {
	h := *e.Heap
	for _, site := range e.Callees {
		if site.Fragment == plan.AllocFast {
			head := "(b *Object) alloc() unsafe.Pointer"
			if leavesBlock(h, site) {
				head = "(b *Object) alloc() (p unsafe.Pointer)"
			}
			o.fn(fn{
				doc:    "alloc is the path of alloc.fast, for Get.",
				pragma: "//go:noinline",
				head:   head,
				body: func(s *scope) []code {
					stmts, result := allocAt(s, h, site)
					return append(stmts, jen.Return(result))
				},
			})
			continue
		}
		o.fn(fn{
			doc:    "free is the path of free.fast, for Put.",
			pragma: "//go:noinline",
			head:   "(b *Object) free(p unsafe.Pointer)",
			body:   func(s *scope) []code { return freePath(s, h, site) },
		})
	}
}

// emitTypedSlow gives the type what its paths call of the bin: conversions in the
// paths would cost more than the inliner allows.
func emitTypedSlow(o *out, h plan.Heap) {
	if h.Full {
		o.decls(`
// countAlloc counts an object that b handed out.
func (b *Object) countAlloc() { (*HeapBin)(b).core().counts.allocs[b.id].Add(1) }

// countFree is that of the bin.
func (b *Object) countFree() { (*HeapBin)(b).countFree() }`)
	}
	if !h.ListBins {
		o.decls(`
// refill is that of the bin.
//
//go:noinline
func (b *Object) refill() { (*HeapBin)(b).refill() }

// flush is that of the bin.
//
//go:noinline
func (b *Object) flush(p unsafe.Pointer) { (*HeapBin)(b).flush(p) }`)
		return
	}
	o.decls(`
// refill is that of the bin.
func (b *Object) refill() bool { return (*HeapBin)(b).refill() }

// flush is that of the bin.
func (b *Object) flush(p unsafe.Pointer) bool { return (*HeapBin)(b).flush(p) }`)
	if h.Key {
		o.decls(`
// find is that of the bin.
func (b *Object) find(p unsafe.Pointer) { (*HeapBin)(b).find(p) }

// unaligned is that of the bin.
func (b *Object) unaligned() { (*HeapBin)(b).unaligned() }`)
	}
}

// classText is the expression that names the class of id in a misuse.
func classText(h plan.Heap) string {
	if len(h.Typed) > 0 {
		return "heapClassName(id)"
	}
	return `"class " + strconv.Itoa(int(heapClassTable[id].size))`
}

// emitTypes is what a heap knows of the types that have classes of their own.
func emitTypes(o *out, h plan.Heap) {
	var names []string
	for _, t := range h.Typed {
		names = append(names, `"`+verbatim(t.Name)+`"`)
	}
	o.decls(`
// heapTypes are the names of the types with a class of their own: bins from
// heapSized+1 on.
var heapTypes = [...]string{` + strings.Join(names, ", ") + `}`)
	least := "heapAlign"
	if h.Key {
		least = "max(heapAlign, 2*unsafe.Sizeof(uintptr(0)))" // a link and a key lie in free blocks
	} else if h.ListBins {
		least = "max(heapAlign, unsafe.Sizeof(uintptr(0)))"
	}
	o.decls(`
// heapTyped is the class of a type of so many bytes, by the rules of those of
// sizes.
func heapTyped(bytes uintptr) heapClass {
	size := uint32(max(bytes, LEAST)+heapAlignMask) &^ heapAlignMask
	pools, waste := uint32(0), uint32(0)
	for n := uint32(1); n <= MAXSPAN; n++ { // the first span that wastes little, or the best
		left := n << heapPoolShift % size
		if n<<heapPoolShift < size || pools != 0 && left*pools >= waste*n {
			continue
		}
		pools, waste = n, left
		if left*WASTEPART <= n<<heapPoolShift {
			break
		}
	}
	depth, batch := max(1, min(heapDepth, BINBYTES/size)), uint32(1) // a bin keeps at most 64 KiB
	if half := depth / 2; half > 0 {
		parts := (half + MAXBATCH - 1) / MAXBATCH
		batch = half / parts
		depth = 2 * parts * batch
	}
	batches := uint32(0) // a depot keeps at most 256 KiB
	if batch > 1 {
		batches = max(1, min(MAXBATCHES, DEPOTBYTES/(batch*size)))
	}
	return heapClass{
		size: size, pools: pools, blocks: pools << heapPoolShift / size, depth: depth, batch: batch, batches: batches,
		scale: (1<<heapScaleBits + uint64(size) - 1) / uint64(size),
	}
}`, "LEAST", least, "MAXSPAN", itoa(plan.MaxSpan), "WASTEPART", itoa(int(1/plan.MaxWaste)), "BINBYTES", itoa(plan.MaxBinBytes),
		"MAXBATCH", itoa(plan.MaxBatch), "MAXBATCHES", itoa(plan.MaxBatches), "DEPOTBYTES", itoa(plan.MaxDepot))
	o.decls(`
// heapClassName is what a misuse of a class is told with.
func heapClassName(id uint32) string {
	if id > heapSized {
		return "an object of " + heapTypes[id-heapSized-1]
	}
	return "class " + strconv.Itoa(int(heapClassTable[id].size))
}`)
	o.decls(`
// noObject panics when there is no memory for an object, rather than let Get
// return nil.
func (b *HeapBin) noObject() {
	if b.id > heapSized && b.id <= heapClasses {
		heapOutOfMemory(heapTypes[b.id-heapSized-1]+".Get", int(b.size), b.core().err)
	}
}`)
}
