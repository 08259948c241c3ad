package templates

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/allocgen/allocgen/internal/plan"
)

// emitListMove brings the items into a buffer of another capacity.
func emitListMove(o *out, l plan.List) {
	d := fn{
		doc:  "move brings the items into a buffer for at least capacity items.",
		head: "(l *List) move(capacity int)",
		body: func(s *scope) []code {
			return append(
				[]code{s.when("uint(capacity) > uint(listMax)", s.do(`listTooLarge("List", capacity)`))},
				moveAt(s, l, "List.move")...)
		},
	}
	if l.Sizing.Shrinks() {
		d.doc = "move brings the items that still count, up to need, into a buffer for capacity\nitems."
		d.head = "(l *List) move(capacity, need int)"
	}
	o.fn(d)
}

// moveAt is listMove in one of the list's functions.
func moveAt(s *scope, l plan.List, in string) []code {
	site := l.Site(in, plan.ListMove)
	s = s.at(site)
	switch {
	case l.Heap != nil:
		return splice(site.Fragment, listMove(s, l, in))
	case site.Shrinks:
		return splice(site.Fragment, []code{
			s.do("items := make([]ELEM, capacity)"),
			s.do("n := copy(items, list.items()[:min(list.n, need)])"),
			s.do("list.ptr, list.n, list.cap = unsafe.SliceData(items), n, capacity"),
		})
	case l.Sizing.Shrinks():
		return splice(site.Fragment, []code{
			s.do("items := make([]ELEM, capacity)"),
			s.do("copy(items, list.items())"),
			s.do("list.ptr, list.cap = unsafe.SliceData(items), capacity"),
		})
	default:
		return splice(site.Fragment, []code{
			jen.Comment("// append rounds up to what Go's size class holds."),
			s.do("items := append([]ELEM(nil), make([]ELEM, capacity)...)"),
			s.do("copy(items, list.items())"),
			s.do("list.ptr, list.cap = unsafe.SliceData(items), cap(items)"),
		})
	}
}

// listMove brings the items into a buffer for capacity items: the block at hand
// when it holds them, and, where the buffer may shrink, stays at least 3/4 used.
// Holes: list, capacity.
func listMove(s *scope, l plan.List, in string) []code {
	return join(
		[]code{
			s.do("c := list.cache"),
			s.when("c == nil", s.do(`panic("PKG: List: not made by NewList")`)),
			s.do("size := capacity * listItem"),
			s.do("from := unsafe.Pointer(list.ptr)"),
			s.do("old := c.BinOf(from)"),
		},
		moveInPlace(s, l, in),
		moveAlloc(s, l, in),
		[]code{s.when("p == nil", moveFails(s, l, in)...)},
		moveCounts(s, l),
		roundUp(s, l),
		[]code{
			s.do("items := list.items()"),
			moveItems(s, l, in),
			s.when("from != nil", join(
				[]code{s.do("copy(list.items(), items)")},
				freeAt(s, *l.Heap, l.Site(in, plan.FreeFast)),
			)...),
		},
	)
}

// moveItems makes the new buffer the list's; where it may shrink, with the items
// that still count.
func moveItems(s *scope, l plan.List, in string) code {
	if shrinks(l, in) {
		return s.do("list.ptr, list.n, list.cap = (*ELEM)(p), min(list.n, need), capacity")
	}
	return s.do("list.ptr, list.cap = (*ELEM)(p), capacity")
}

// shrinks reports whether the list may come out of a function smaller.
func shrinks(l plan.List, in string) bool {
	return l.Site(in, plan.ListMove).Shrinks
}

// moveInPlace keeps the block when it holds the new capacity. Rules that never
// shrink use all of a block from the start, so for them there is nothing to keep.
func moveInPlace(s *scope, l plan.List, in string) []code {
	if !l.Sizing.Shrinks() {
		return nil
	}
	held := "c.held(old, from)"
	if !l.Heap.LargePages {
		held = "int(old.size)"
	}
	s = s.bind("HELD", held)
	keep := s.do("list.cap = capacity")
	if shrinks(l, in) {
		return []code{
			s.do("held := HELD"),
			s.when("size <= held && size > held-held/4", keep, s.do("list.n = min(list.n, need)"), s.do("return")),
		}
	}
	return []code{s.when("size <= HELD", keep, s.do("return"))}
}

// moveFails is what happens when there is no memory.
func moveFails(s *scope, l plan.List, in string) []code {
	fail := s.do(`heapOutOfMemory("List", size, c.core.err)`)
	if shrinks(l, in) {
		return []code{s.when("need <= list.cap", s.do("return // what fits never fails")), fail}
	}
	return []code{fail}
}

// moveAlloc declares p: the new buffer.
func moveAlloc(s *scope, l plan.List, in string) []code {
	bin := s.do("bin := c.Bin(size)")
	if l.Heap.Refuses() {
		bin = s.do("if size > heapThreshold {\n\tpanic(heapRefused(\"List\", size))\n}\nbin := c.Bin(size)")
	}
	site := l.Site(in, plan.AllocFast)
	if !l.Heap.LargeGo {
		return join([]code{bin}, allocInto(s, *l.Heap, site), zeroed(s, *l.Heap, site))
	}
	p := s.do("var p unsafe.Pointer")
	goes := []code{
		s.do(`c.check("List")`),
		s.do(`p = unsafe.Pointer(unsafe.SliceData(heapMake[ELEM]("List", capacity)))`),
	}
	return []code{
		p,
		jen.If(s.expr("size > heapThreshold")).Block(
			join(goes, counted(s, *l.Heap, "c.core.counts.request(size)"))...,
		).Else().Block(join(
			[]code{bin},
			allocTo(s, *l.Heap, site),
			zeroed(s, *l.Heap, site),
			counted(s, *l.Heap, "if p != nil {\n\tbin.countAlloc(size)\n}"),
		)...),
	}
}

// moveCounts counts the request where the path did not; a buffer of Go's was no
// bin's.
func moveCounts(s *scope, l plan.List) []code {
	if !l.Heap.LargeGo {
		return counted(s, *l.Heap, "bin.countAlloc(size)")
	}
	return nil
}

// roundUp uses all that the block holds where the rule leaves that open.
func roundUp(s *scope, l plan.List) []code {
	switch {
	case l.Sizing.Shrinks():
		return nil
	case l.Heap.LargeGo:
		return []code{s.do("capacity = max(capacity, int(c.BinOf(p).size)/listItem)")}
	case l.Heap.Refuses():
		return []code{s.do("capacity = int(bin.size) / listItem")}
	default:
		return []code{s.do("capacity = c.held(c.BinOf(p), p) / listItem")}
	}
}

// emitHeld tells lists how much a block holds that may be a large one.
func emitHeld(o *out, h plan.Heap) {
	o.decls(`
// held is how many bytes the block at p, of bin b, holds; 0 when there is none.
func (c *HeapCache) held(b *HeapBin, p unsafe.Pointer) int {
	if b.id == heapLargeFree {
		return c.core.heap.largeSize(uintptr(p))
	}
	return int(b.size)
}`)
}

// capAt keeps the rule within the threshold where the heap refuses more, as far as
// the items that are needed allow.
func capAt(s *scope, l plan.List) []code {
	if l.Heap == nil || !l.Heap.Refuses() {
		return nil
	}
	return []code{s.do("capacity = max(need, min(capacity, heapThreshold/listItem))")}
}

func itoa(n int) string { return strconv.Itoa(n) }
