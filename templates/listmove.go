package templates

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/allocgen/allocgen/internal/plan"
)

// emitListMove brings the items into a buffer of another capacity.
func emitListMove(o *out, l plan.List) {
	switch {
	case l.Heap == nil && l.Sizing.Shrinks():
		o.decls(`
// move brings the items into a buffer for capacity items.
func (l *List) move(capacity int) {
	items := make([]ELEM, capacity)
	copy(items, l.Slice())
	l.ptr, l.cap = unsafe.SliceData(items), capacity
}`)
	case l.Heap == nil:
		o.decls(`
// move brings the items into a buffer for at least capacity items: append
// rounds up to what Go's size class holds.
func (l *List) move(capacity int) {
	items := append([]ELEM(nil), make([]ELEM, capacity)...)
	copy(items, l.Slice())
	l.ptr, l.cap = unsafe.SliceData(items), cap(items)
}`)
	default:
		emitHeapMove(o, l)
	}
}

func emitHeapMove(o *out, l plan.List) {
	doc := `
		move brings the items into a buffer for capacity items: the block at hand
		when it holds them and stays at least 3/4 used.`
	if !l.Sizing.Shrinks() {
		doc = `
			move brings the items into a buffer for at least capacity items: the block
			at hand when it holds them. All that a block holds is used.`
	}
	o.fn(fn{
		doc:  doc,
		head: "(l *List) move(capacity int)",
		body: func(s *scope) []code {
			return join(
				[]code{
					s.do("c := l.cache"),
					s.when("c == nil", s.do(`panic("PKG: List: not made by NewList")`)),
					s.do("size := capacity * listItem"),
				},
				moveInPlace(s, l),
				moveAlloc(s, l),
				[]code{
					s.when("p == nil",
						s.when("capacity <= l.cap", s.do("return // shrinking never fails")),
						s.do(`heapOutOfMemory("List", size)`)),
				},
				roundUp(s, l),
				[]code{
					s.do("copy(unsafe.Slice((*ELEM)(p), capacity), l.Slice())"),
					s.when("l.ptr != nil", moveFree(s, l)...),
					s.do("l.ptr, l.cap = (*ELEM)(p), capacity"),
				},
			)
		},
	})
}

// moveInPlace keeps the block when it holds the new capacity. Rules that never
// shrink use all of a block from the start, so for them there is nothing to keep.
func moveInPlace(s *scope, l plan.List) []code {
	if !l.Sizing.Shrinks() {
		return nil
	}
	return []code{s.do(`
if held := c.held(unsafe.Pointer(l.ptr)); size <= held && 4*size > 3*held {
	l.cap = capacity
	return
}`)}
}

// moveAlloc declares p: the new buffer.
func moveAlloc(s *scope, l plan.List) []code {
	bin := s.do("bin := c.Bin(size)")
	stmts, result := allocAt(s, l.Site("List.move", plan.AllocFast))
	if !l.Heap.LargeGo {
		return join([]code{bin}, stmts, []code{s.define("p", result)})
	}
	return []code{
		s.do("var p unsafe.Pointer"),
		jen.If(s.expr("size > heapThreshold")).Block(
			s.do("p = unsafe.Pointer(unsafe.SliceData(make([]ELEM, capacity)))"),
		).Else().Block(
			join([]code{bin}, stmts, []code{s.assign("p", result)})...,
		),
	}
}

func moveFree(s *scope, l plan.List) []code {
	return append(
		[]code{s.do("bin := c.BinOf(unsafe.Pointer(l.ptr))")},
		freeAt(s, l.Site("List.move", plan.FreeFast))...)
}

// roundUp uses all that the block holds where the rule leaves that open.
func roundUp(s *scope, l plan.List) []code {
	if l.Sizing.Shrinks() {
		return nil
	}
	return []code{s.do("capacity = max(capacity, c.held(p)/listItem)")}
}

// emitHeld tells lists how much a block holds.
func emitHeld(o *out, h plan.Heap) {
	if h.LargeGo {
		o.decls(`
// held is how many bytes the block at p holds; 0 when it is none of the heap's.
func (c *HeapCache) held(p unsafe.Pointer) int {
	return int(heapClassTable[c.BinOf(p).id].size)
}`)
		return
	}
	o.decls(`
// held is how many bytes the block at p holds; 0 when p is nil.
func (c *HeapCache) held(p unsafe.Pointer) int {
	id := c.BinOf(p).id
	if id == heapLargeFree {
		return c.heap.largeSize(uintptr(p))
	}
	return int(heapClassTable[id].size)
}`)
	o.decls(`
// largeSize is the size of a large block.
func (h *Heap) largeSize(p uintptr) int {
	return int(h.span(uint32((p-h.base)>>heapPoolShift)).pools) << heapPoolShift
}`)
}

func itoa(n int) string { return strconv.Itoa(n) }
