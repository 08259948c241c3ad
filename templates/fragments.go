package templates

import (
	"strings"

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
		s.when("bin.n >= bin.lim", slow...),
		s.do("bin.slots[bin.n%heapDepth] = heapSlot(block)"),
		s.do("bin.n++"),
	}
}

// allocList takes a block from a bin that is a list: the first, once there is
// one. The block is nil before, and stays so when memory is out. With key its
// address is checked first. Holes: bin, block.
func allocList(s *scope, h plan.Heap) []code {
	var pop []code
	if h.Key {
		pop = []code{s.when("uintptr(bin.head)%heapAlign != 0", s.do("bin.unaligned()"))}
	}
	pop = append(pop, s.do("block = *(*unsafe.Pointer)(unsafe.Pointer(&bin.head))"))
	pop = append(pop, unlink(s, h)...)
	pop = append(pop, s.do("bin.n--"))
	return []code{s.when("bin.n != 0 || bin.refill()", pop...)}
}

// freeList puts a block into a bin that is a list: in front, unless flush has
// disposed of it. With key a block that carries the key is looked for in the
// bin. Holes: bin, block.
func freeList(s *scope, key bool) []code {
	var find []code
	if key {
		find = []code{s.when("(*heapLink)(block).key == heapKey", s.do("bin.find(block)"))}
	}
	return []code{s.when("bin.n < bin.lim || bin.flush(block)",
		join(find, link(s, key), []code{s.do("bin.n++")})...)}
}

// unlink takes the first block off a bin's list, and with key the key out of
// it; where blocks are zero the link as well. The link lies as glibc's safe-linking has it, so that a write to it gives
// no address that the writer chose. Holes: bin, block.
func unlink(s *scope, h plan.Heap) []code {
	body := []code{s.do("*(*uintptr)(unsafe.Pointer(&bin.head)) = (*heapLink)(block).next")}
	if h.Key {
		body = []code{
			s.do("*(*uintptr)(unsafe.Pointer(&bin.head)) = (*heapLink)(block).next ^ uintptr(bin.head)>>12"),
			s.do("(*heapLink)(block).key = 0"),
		}
	}
	if h.Zeroes() {
		body = append(body, s.do("(*heapLink)(block).next = 0"))
	}
	return body
}

// link puts a block in front of a bin's list. Holes: bin, block.
func link(s *scope, key bool) []code {
	next := s.do("(*heapLink)(block).next = uintptr(bin.head)")
	front := s.do("bin.head = heapSlot(block)")
	if !key {
		return []code{next, front}
	}
	return []code{
		s.do("(*heapLink)(block).next = uintptr(bin.head) ^ uintptr(block)>>12"),
		s.do("(*heapLink)(block).key = heapKey"),
		front,
	}
}

// allocAt is the path that allocates, as the plan chose it for a site.
func allocAt(s *scope, h plan.Heap, site plan.Site) (stmts []code, result code) {
	s = s.at(site)
	switch {
	case site.Form == plan.Call:
		return nil, s.expr("bin.alloc()")
	case h.ListBins:
		return splice(site.Fragment, allocList(s, h)), s.expr("block")
	default:
		stmts, result = allocFast(s, s.do("bin.refill()"))
		return splice(site.Fragment, stmts), result
	}
}

// allocInto is allocAt for a site that keeps the block in a new local p.
func allocInto(s *scope, h plan.Heap, site plan.Site) []code {
	if leavesBlock(h, site) {
		return append([]code{s.do("var p unsafe.Pointer")}, allocTo(s, h, site)...)
	}
	stmts, result := allocAt(s, h, site)
	return append(stmts, s.define("p", result))
}

// allocTo is allocAt for a site that keeps the block in its local p, which is nil.
func allocTo(s *scope, h plan.Heap, site plan.Site) []code {
	stmts, result := allocAt(s, h, site)
	if leavesBlock(h, site) {
		return stmts
	}
	return append(stmts, s.assign("p", result))
}

// leavesBlock reports whether the path itself gives p the block: a pop that may
// not happen has no expression for it.
func leavesBlock(h plan.Heap, site plan.Site) bool {
	return h.ListBins && site.Form == plan.Splice
}

// allocReturn is a method that returns the block, as the plan chose it.
func allocReturn(o *out, h plan.Heap, in string, f fn) {
	site := h.Site(in, plan.AllocFast)
	_, method, _ := strings.Cut(in, ".")
	f.head = "(b *HeapBin) " + method + "() unsafe.Pointer"
	if leavesBlock(h, site) {
		f.head = "(b *HeapBin) " + method + "() (p unsafe.Pointer)"
	}
	f.body = func(s *scope) []code {
		stmts, result := allocAt(s, h, site)
		return append(stmts, jen.Return(result))
	}
	o.fn(f)
}

// allocZeroed is a bin's Alloc of blocks that are zero.
func allocZeroed(o *out, h plan.Heap, f fn) {
	site := h.Site("HeapBin.Alloc", plan.AllocFast)
	f.head = "(b *HeapBin) Alloc() unsafe.Pointer"
	f.body = func(s *scope) []code {
		return append(join(allocInto(s, h, site), zeroed(s, h, site)), s.do("return p"))
	}
	o.fn(f)
}

// allocCounted is a bin's Alloc that counts what the bin was last found for.
func allocCounted(o *out, h plan.Heap, f fn) {
	site := h.Site("HeapBin.Alloc", plan.AllocFast)
	f.head = "(b *HeapBin) Alloc() unsafe.Pointer"
	f.body = func(s *scope) []code {
		return append(join(allocInto(s, h, site), zeroed(s, h, site)),
			s.when("p != nil", s.do("b.countAlloc(b.asked)")),
			s.do("return p"))
	}
	o.fn(f)
}

// freeAt is the path that frees at a site for users: where all is counted, that
// comes first, since the path may panic after it took the block; and before that,
// where free memory is zero, what may panic and leaves the block to the user.
func freeAt(s *scope, h plan.Heap, site plan.Site) []code {
	return join(wiped(s, h, site), counted(s.at(site), h, "bin.countFree()"), freePath(s, h, site))
}

// freePath is the path that frees, as the plan chose it for a site.
func freePath(s *scope, h plan.Heap, site plan.Site) []code {
	s = s.at(site)
	switch {
	case site.Form == plan.Call:
		return []code{s.do("bin.free(block)")}
	case h.ListBins:
		return splice(site.Fragment, freeList(s, h.Key))
	default:
		return splice(site.Fragment, freeFast(s, s.do("bin.flush(block)")))
	}
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
			allocReturn(o, h, site.In, fn{
				doc:    "alloc is the path of alloc.fast, for sites that call it.",
				pragma: "//go:noinline",
			})
		case plan.FreeFast:
			o.fn(fn{
				doc:    "free is the path of free.fast, for sites that call it.",
				pragma: "//go:noinline",
				head:   "(b *HeapBin) free(p unsafe.Pointer)",
				body:   func(s *scope) []code { return freePath(s, h, site) },
			})
		}
	}
}
