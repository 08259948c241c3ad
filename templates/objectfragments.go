package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/allocgen/allocgen/internal/plan"
)

// objectGet takes a free object: refill, then pop. It leaves the pointer in its
// slot. Hole: pool.
func objectGet(s *scope, slow ...code) (stmts []code, result code) {
	return []code{
		s.when("pool.n == 0", slow...),
		s.do("pool.n--"),
	}, s.expr("pool.slots[pool.n]")
}

// objectPut keeps an object where there is room; the statements in full are for
// one without. Holes: pool, object.
func objectPut(s *scope, full ...code) []code {
	keep := jen.If(s.expr("pool.n < uint(len(pool.slots))")).Block(
		s.do("pool.slots[pool.n] = object"),
		s.do("pool.n++"),
	)
	return []code{keep.Else().Block(full...)}
}

// perCPUGet takes a free object of the processor it runs on, or what refill has.
// Nothing of the user's runs while pinned, and nothing waits there. Holes: pool,
// object.
func perCPUGet(s *scope) []code {
	return []code{s.do(`
id := pool.cpu.pin()
if all := pool.locals.Load(); all != nil && id < uint(len(*all)) && (*all)[id].n > 0 {
	l := (*all)[id]
	l.n--
	object = l.slots[l.n]
	l.slots[l.n] = nil
	pool.cpu.unpin()
} else {
	pool.cpu.unpin()
	object = pool.refill()
}`)}
}

// perCPUPut keeps an object with the processor it runs on, or has spill make
// room there. Holes: pool, object.
func perCPUPut(s *scope) []code {
	return []code{s.do(`
id := pool.cpu.pin()
if all := pool.locals.Load(); all != nil && id < uint(len(*all)) && (*all)[id].n < objectCached {
	l := (*all)[id]
	l.slots[l.n] = object
	l.n++
	pool.cpu.unpin()
} else {
	pool.cpu.unpin()
	pool.spill(object)
}`)}
}

// getAt is objectGet as the plan chose it for a site.
func getAt(s *scope, site plan.Site) (stmts []code, result code) {
	s = s.at(site)
	if site.Form == plan.Call {
		return nil, s.expr("pool.get()")
	}
	if site.Options == "percpu" {
		declare := s.do("var " + site.Holes["object"] + " *ELEM")
		return join([]code{declare}, splice(site.Fragment, perCPUGet(s))), s.expr("object")
	}
	stmts, result = objectGet(s, s.do("pool.refill()"))
	return splice(site.Fragment, stmts), result
}

// putAt is objectPut as the plan chose it for a site.
func putAt(s *scope, site plan.Site) []code {
	s = s.at(site)
	if site.Form == plan.Call {
		return []code{s.do("pool.put(object)")}
	}
	if site.Options == "percpu" {
		return splice(site.Fragment, perCPUPut(s))
	}
	full := s.do("pool.over++") // the object is left to the GC
	if site.Options == "spill" {
		full = s.do("pool.spill(object)")
	}
	return splice(site.Fragment, objectPut(s, full))
}

// emitObjectCallees adds the functions that sites call where the plan says call.
func emitObjectCallees(o *out, e plan.Object) {
	for _, site := range e.Callees {
		recv := "(" + site.Holes["pool"] + " *" + ownerOf(site) + ") "
		switch site.Fragment {
		case plan.ObjectGet:
			o.fn(fn{
				doc:    "get is the path of object.get, for sites that call it.",
				pragma: "//go:noinline",
				head:   recv + "get() *ELEM",
				body: func(s *scope) []code {
					stmts, result := getAt(s, site)
					return append(stmts, jen.Return(result))
				},
			})
		case plan.ObjectPut:
			o.fn(fn{
				doc:    "put is the path of object.put, for sites that call it.",
				pragma: "//go:noinline",
				head:   recv + "put(x *ELEM)",
				body:   func(s *scope) []code { return putAt(s, site) },
			})
		}
	}
}
