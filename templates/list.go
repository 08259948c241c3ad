package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitList is the list's type and how it comes to be.
func emitList(o *out, l plan.List) {
	o.decls(`
// listItem is the size of an item in bytes. listMax is the longest list: no
// capacity or size that is computed from a length overflows.
const (
	listItem = int(unsafe.Sizeof(*new(ELEM)))
	listMax  = math.MaxInt / 2 / listItem
)`)
	if l.Heap == nil {
		o.decls(`
// List is a growable array of ELEM in Go memory; one goroutine at a time. Its
// zero value is ready. It must not be copied.
type List struct {
	_      listNoCopy
	ptr    *ELEM // nil iff cap is 0; ptr, n and cap lie as in a slice
	n, cap int
}`)
	} else {
		o.decls(`
// List is a growable array of ELEM in blocks of Heap; one goroutine at a
// time, that of its cache. It ends before the cache's Release. It must not be
// copied.
type List struct {
	_      listNoCopy
	ptr    *ELEM // nil iff cap is 0; ptr, n and cap lie as in a slice
	n, cap int
	cache  *HeapCache
}`)
		o.decls(`
// NewList makes a list with room for capacity items; with 0 it takes no block. A
// negative capacity panics, and so does each method of a list that finds no memory for
// more, with an error that wraps ` + memoryErrs(*l.Heap) + `.
func (c *HeapCache) NewList(capacity int) (l List) {
	l.cache = c
	if capacity != 0 {
		l.move(` + newArgs(l) + `)
	}
	return
}`)
	}
	o.decls(`
// listNoCopy makes vet refuse copies.
type listNoCopy struct{}

func (*listNoCopy) Lock()   {}
func (*listNoCopy) Unlock() {}`)
	o.decls(`
// listTooLarge panics on a length that no memory holds.
//
//go:noinline
func listTooLarge(op string, n int) {
	panic("PKG: " + op + ": length out of range: " + strconv.Itoa(n))
}`)
}

// emitListItems are the calls that touch single items; all inline.
func emitListItems(o *out, l plan.List) {
	o.decls(`
// Len is the number of items.
func (l *List) Len() int { return l.n }`)
	o.decls(`
// Cap is the number of items that the buffer holds; 0 when there is none.
func (l *List) Cap() int { return l.cap }`)
	o.decls(`
// Slice is a view of the items, valid until the next call that may resize.
func (l *List) Slice() []ELEM { return l.items()[:l.n:l.n] }`)
	o.decls(`
// items reads ptr, n and cap as the slice that they are.
func (l *List) items() []ELEM { return *(*[]ELEM)(unsafe.Pointer(&l.ptr)) }`)
	o.decls(`
// At returns item i. Like a slice it panics when i is out of range.
func (l *List) At(i int) ELEM { return l.items()[i] }`)
	o.decls(`
// Set replaces item i. Like a slice it panics when i is out of range.
func (l *List) Set(i int, v ELEM) { l.items()[i] = v }`)
	o.decls(`
// Append adds v at the end.
func (l *List) Append(v ELEM) {
	if l.n == l.cap {
		l.grow()
	}
	*(*ELEM)(unsafe.Add(unsafe.Pointer(l.ptr), l.n*listItem)) = v
	l.n++
}`)
	o.fn(fn{
		doc:    "grow makes room for one more item.",
		pragma: "//go:noinline",
		head:   "(l *List) grow()",
		body: func(s *scope) []code {
			return join(
				[]code{s.do("need := l.n + 1")},
				growAt(s, l.Site("List.grow", plan.ListGrow), l.Sizing),
				capAt(s, l),
				moveAt(s, l, "List.grow"),
			)
		},
	})
	o.decls(`
// AppendSlice adds the items of vs at the end; vs may be a view of l.
func (l *List) AppendSlice(vs []ELEM) {
	if len(vs) > l.cap-l.n {
		// The items move: find vs again if it is among them.
		first := uintptr(unsafe.Pointer(unsafe.SliceData(vs))) - uintptr(unsafe.Pointer(l.ptr))
		own := l.ptr != nil && first < uintptr(l.n*listItem)
		l.reserve(l.n + len(vs))
		if own {
			vs = l.items()[first/uintptr(listItem):][:len(vs)]
		}
	}
	l.n += copy(l.items()[l.n:l.cap], vs)
}`)
}

// emitListResize are the calls that change capacity.
func emitListResize(o *out, l plan.List) {
	o.fn(fn{
		doc:  reserveDoc(l),
		head: "(l *List) reserve(need int)",
		body: func(s *scope) []code {
			body := join(
				[]code{s.when("uint(need) > uint(listMax)", s.do(`listTooLarge("List", need)`))},
				growAt(s, l.Site("List.reserve", plan.ListGrow), l.Sizing),
				capAt(s, l),
			)
			return append(body, s.do("l.move("+moveArgs(l)+")"))
		},
	})
	emitListMove(o, l)
	if l.Sizing.Shrinks() {
		emitShrinkingResize(o, l)
	} else {
		emitKeepingResize(o)
	}
	o.fn(fn{
		doc:  "Release gives the buffer back; l is empty and usable.",
		head: "(l *List) Release()",
		body: func(s *scope) []code { return releaseAt(s, l, "List.Release") },
	})
}

// moveArgs are what a move needs to know: where it may shrink, how many items
// have to fit.
func moveArgs(l plan.List) string {
	if l.Sizing.Shrinks() {
		return "capacity, need"
	}
	return "capacity"
}

func newArgs(l plan.List) string {
	if l.Sizing.Shrinks() {
		return "capacity, capacity"
	}
	return "capacity"
}

func reserveDoc(l plan.List) string {
	if l.Sizing.Shrinks() {
		return `
			reserve finds a capacity for need items by the sizing rule and moves there,
			with the items that still count.`
	}
	return "reserve finds a capacity for need items by the sizing rule and moves there."
}

// emitShrinkingResize is CPython's list_resize, with one change that was
// proposed for it: a length of zero releases the buffer at once.
func emitShrinkingResize(o *out, l plan.List) {
	o.fn(fn{
		doc:  "resize sets the length. Below half of the capacity the buffer shrinks, at 0 it goes.",
		head: "(l *List) resize(n int)",
		body: func(s *scope) []code {
			return []code{
				s.when("n == 0", append(releaseAt(s, l, "List.resize"), s.do("return"))...),
				s.when("n > l.cap || n < l.cap>>1", s.do("l.reserve(n)")),
				s.do("l.n = n"),
			}
		},
	})
	o.decls(`
// Resize sets the length to n; new items are zero. Below half of the capacity
// the buffer shrinks, at 0 it is given back.
func (l *List) Resize(n int) {
	if uint(n) > uint(listMax) {
		listTooLarge("List.Resize", n)
	}
	old := l.n
	l.resize(n)
	if n > old {
		clear(l.items()[old:])
	}
}`)
	o.decls(`
// Pop takes the last item; ok is false when there is none.
func (l *List) Pop() (v ELEM, ok bool) {
	if l.n == 0 {
		return v, false
	}
	v = l.items()[l.n-1]
	l.resize(l.n - 1)
	return v, true
}`)
	o.fn(fn{
		doc:  "Clear drops all items and gives the buffer back.",
		head: "(l *List) Clear()",
		body: func(s *scope) []code { return releaseAt(s, l, "List.Clear") },
	})
}

// emitKeepingResize is for rules that never shrink.
func emitKeepingResize(o *out) {
	o.decls(`
// Resize sets the length to n; new items are zero. The buffer never shrinks.
func (l *List) Resize(n int) {
	if uint(n) > uint(listMax) {
		listTooLarge("List.Resize", n)
	}
	if n > l.cap {
		l.reserve(n)
	}
	old := l.n
	l.n = n
	if n > old {
		clear(l.items()[old:])
	}
}`)
	o.decls(`
// Pop takes the last item; ok is false when there is none.
func (l *List) Pop() (v ELEM, ok bool) {
	if l.n == 0 {
		return v, false
	}
	l.n--
	return *(*ELEM)(unsafe.Add(unsafe.Pointer(l.ptr), l.n*listItem)), true
}`)
	o.decls(`
// Clear drops all items and keeps the buffer.
func (l *List) Clear() { l.n = 0 }`)
}
