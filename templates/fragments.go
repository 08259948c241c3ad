package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/allocgen/allocgen/internal/plan"
)

// A fragment is a path that is defined once, here, and written out at many
// sites. It has no locals and a single exit; its holes are named in its
// comment. The slow path is an argument, so that splice and call share it. What is
// in a slot is an address in system memory, a pointer in Go memory: the texts read
// and write both.

// allocFast takes a block from a bin: refill, then pop. Hole: bin.
func allocFast(s *scope, slow ...code) (stmts []code, result code) {
	return []code{
		s.when("bin.n == 0", slow...),
		s.do("bin.n--"),
	}, s.expr("*(*unsafe.Pointer)(unsafe.Pointer(&bin.slots[bin.n%heapDepth]))")
}

// freeFast puts a block into a bin: make room, then push. Holes: bin, block.
func freeFast(s *scope, slow ...code) []code {
	return []code{
		s.when("bin.n == bin.lim", slow...),
		s.do("bin.slots[bin.n%heapDepth] = heapSlot(block)"),
		s.do("bin.n++"),
	}
}

// allocAt is allocFast as the plan chose it for a site.
func allocAt(s *scope, site plan.Site) (stmts []code, result code) {
	s = s.at(site)
	if site.Form == plan.Call {
		return nil, s.expr("bin.alloc()")
	}
	stmts, result = allocFast(s, s.do("bin.refill()"))
	return splice(site.Fragment, stmts), result
}

// freeAt is freeFast as the plan chose it for a site.
func freeAt(s *scope, site plan.Site) []code {
	s = s.at(site)
	if site.Form == plan.Call {
		return []code{s.do("bin.free(block)")}
	}
	return splice(site.Fragment, freeFast(s, s.do("bin.flush(block)")))
}

// splice names a fragment at its site; tests count the comments.
func splice(fragment string, stmts []code) []code {
	return append([]code{jen.Comment("// splice: " + fragment)}, stmts...)
}

// emitCallees adds the functions that sites call where the plan says call.
// Without the pragma the compiler would inline them and "call" would mean nothing.
func emitCallees(o *out, h plan.Heap) {
	for _, site := range h.Callees {
		switch site.Fragment {
		case plan.AllocFast:
			o.fn(fn{
				doc:    "alloc is the path of alloc.fast, for sites that call it.",
				pragma: "//go:noinline",
				head:   "(b *HeapBin) alloc() unsafe.Pointer",
				body: func(s *scope) []code {
					stmts, result := allocAt(s, site)
					return append(stmts, jen.Return(result))
				},
			})
		case plan.FreeFast:
			o.fn(fn{
				doc:    "free is the path of free.fast, for sites that call it.",
				pragma: "//go:noinline",
				head:   "(b *HeapBin) free(p unsafe.Pointer)",
				body:   func(s *scope) []code { return freeAt(s, site) },
			})
		}
	}
}
