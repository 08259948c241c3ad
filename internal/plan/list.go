package plan

import "github.com/allocgen/allocgen/internal/spec"

// A List is one entry of `lists`, decided.
type List struct {
	Name   string            // the entry's key: the type's name
	Names  map[string]string // identifiers of the output, by their word in the templates
	Of     string            // the element type
	Heap   *Heap             // nil: buffers in Go memory
	Sizing Sizing
	Alloc  Form // of alloc.fast in the list's functions
	Free   Form // of free.fast
	Sites  []Site
	Driver bool // its tests hold what those of all lists share

	TestItems int // a length whose capacity is within the heap's threshold, up to 50
	Most      int // where the heap refuses large blocks, a length that it serves; else 0
}

// Sizing is the rule by which a list's capacity follows its length.
type Sizing string

// The sizing rules.
const (
	Double   Sizing = "double"   // twice the capacity; never shrinks
	Go       Sizing = "go"       // append's rule; never shrinks
	CPython  Sizing = "cpython"  // list_resize of CPython 3.9 and later
	CPython2 Sizing = "cpython2" // list_resize of CPython 2.4 to 3.8
)

// Shrinks reports whether the rule gives capacity back: below half it
// reallocates, at zero it releases the buffer.
func (s Sizing) Shrinks() bool { return s == CPython || s == CPython2 }

// itemSize is the most bytes that an element takes on any system.
func itemSize(of string) int {
	switch of {
	case "bool", "byte", "int8", "uint8":
		return 1
	case "int16", "uint16":
		return 2
	case "int32", "uint32", "float32", "rune":
		return 4
	case "complex128":
		return 16
	default:
		return 8
	}
}

// shareDriver names the functions that the tests of all lists share after the
// first of them.
func shareDriver(lists []List) {
	for i := range lists {
		lists[i].Driver = i == 0
		for w, ident := range names(listDriverWords, "List", lists[0].Name) {
			lists[i].Names[w] = ident
		}
	}
}

func buildList(l spec.List, heaps []Heap) List {
	out := List{
		Name:   l.Name,
		Of:     l.Of,
		Sizing: Sizing(l.Sizing),
		Alloc:  form(l.Inline.Alloc),
		Free:   form(l.Inline.Free),
	}
	for i := range heaps {
		if heaps[i].Name == l.Heap {
			out.Heap = &heaps[i]
		}
	}
	out.Names = listNames(l.Name)
	if out.Heap != nil {
		// No rule gives n items more than room for 2n, or n + n/8 + 6.
		fits := out.Heap.Threshold / itemSize(l.Of)
		out.TestItems = max(0, min(50, fits/2, fits-14))
		if out.Heap.Refuses() {
			out.Most = fits
		}
		out.Heap.Held = out.Heap.Held || out.Heap.LargePages
		for w, ident := range out.Heap.Names {
			out.Names[w] = ident
		}
	}
	return out
}
