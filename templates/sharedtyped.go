package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/allocgen/allocgen/internal/plan"
)

// emitSharedTyped are objects in a heap that any goroutine uses without a cache.
func emitSharedTyped(o *out, e plan.Object) {
	h := *e.Heap
	o.decls(`
// objectBin is the class of Object.
const objectBin = BIN`, "BIN", itoa(e.Bin()))
	o.decls(comment("Object is a Heap as the free list of its objects of type "+verbatim(e.Of)+": Object of Heap returns it. Any goroutine may use it.") + `
type Object Heap`)
	o.decls(comment("Object returns the free list of objects of type "+verbatim(e.Of)+", the same each time.") + `
func (h *Heap) Object() *Object { return (*Object)(h) }`)
	o.fn(fn{
		doc:  wrap(typedGetDoc(e)),
		head: "(p *Object) Get() *ELEM",
		body: func(s *scope) []code {
			body := []code{s.do("h := (*Heap)(p)")}
			if h.Sync == plan.SyncPerCPU {
				return append(body, s.do(`return (*ELEM)(h.take(objectBin, int(heapClassTable[objectBin].size), "Object.Get"))`))
			}
			return join(body, borrowed(s, h, `"Object.Get"`), []code{s.do("return (*ELEM)(c.bins[objectBin].Alloc())")})
		},
	})
	o.fn(fn{
		doc:  wrap(typedPutDoc(e)),
		head: "(p *Object) Put(x *ELEM)",
		body: func(s *scope) []code {
			body := []code{
				jen.If(s.expr("x == nil")).Block(jen.Return()),
			}
			body = append(body, resetCode(s, e)...)
			body = append(body, s.do("h := (*Heap)(p)"))
			if h.Sync == plan.SyncPerCPU {
				return append(body, s.do("h.put(objectBin, unsafe.Pointer(x))"))
			}
			return join(body, borrowed(s, h, `"Object.Put"`), []code{s.do("c.bins[objectBin].Free(unsafe.Pointer(x))")})
		},
	})
}
