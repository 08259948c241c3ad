package templates

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"
	"github.com/stretchr/testify/require"
)

// words are the names that the texts of these tests use.
var words = map[string]string{"Heap": "Buf", "heapDepth": "bufDepth", "heapGrow": "bufGrow", "NewList": "newInts"}

// file spells code as a whole file, formatted.
func file(t *testing.T, emit func(o *out)) string {
	t.Helper()
	f := jen.NewFile("p")
	f.NoFormat = true
	emit(&out{File: f, words: newScope(words), promised: map[string]bool{"Buf.Get": true}})
	var b bytes.Buffer
	require.NoError(t, f.Render(&b))
	text, err := format.Source(b.Bytes())
	require.NoError(t, err, "%s", &b)
	return strings.TrimSpace(strings.TrimPrefix(string(text), "package p\n"))
}

// statement spells a text as the body of a function.
func statement(t *testing.T, s *scope, text string) string {
	t.Helper()
	return file(t, func(o *out) { o.Func().Id("f").Params().Block(s.do(text)) })
}

// body is statement without the function around it.
func body(t *testing.T, s *scope, text string) string {
	t.Helper()
	lines := strings.Split(statement(t, s, text), "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "\t")
	}
	return strings.Join(lines[1:len(lines)-1], "\n")
}

// knows is a scope with these locals.
func knows(locals ...string) *scope {
	s := newScope(words)
	for _, l := range locals {
		s.known[l] = true
	}
	return s
}

// TestHoles: a hole is its expression, whole, everywhere.
func TestHoles(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ bound, text, want string }{
		{"b", "HOLE.n = HOLE.n + x", "b.n = b.n + x"},
		{"b + x", "x = HOLE*2", "x = (b + x) * 2"},
		{"b + x", "x = HOLE", "x = (b + x)"},
		{"-x", "x = -HOLE", "x = -(-x)"},
		{"*b", "HOLE.n++", "(*b).n++"},
		{"&x", "x = *HOLE", "x = *(&x)"},
		{"c.bins[3]", "HOLE.n++", "c.bins[3].n++"},
		{"f(x, b)", "x = HOLE[1]", "x = f(x, b)[1]"},
		{"(x + 1)", "x = HOLE*2", "x = (x + 1) * 2"},
		{"7", "x = HOLE", "x = 7"},
		{"heapDepth", "x = x % HOLE", "x = x % bufDepth"},
		{"heapDepth - 1", "x &= HOLE", "x &= (bufDepth - 1)"},
	} {
		s := knows("b", "c", "f", "x").bind("HOLE", test.bound)
		require.Equal(t, test.want, body(t, s, test.text), "HOLE is %s", test.bound)
	}
}

// TestHolesInHoles: a site binds a fragment's hole in its own words, which may
// be holes too; the fragment's and the site's may share a name.
func TestHolesInHoles(t *testing.T) {
	t.Parallel()
	outer := knows("c", "p").bind("bin", "c.bins[3]", "size", "p + 1")
	inner := outer.bind("bin", "bin.next", "n", "2*size", "both", "size - size")
	require.Equal(t, "c.bins[3].next.n = (2 * (p + 1))", body(t, inner, "bin.n = n"))
	require.Equal(t, "p = ((p + 1) - (p + 1))", body(t, inner, "p = both"))
	require.Equal(t, "c.bins[3].n++", body(t, outer, "bin.n++"), "the site's own hole is as before")
}

// TestHoleImports: the packages of a hole's expression are imported like those
// of the text around it.
func TestHoleImports(t *testing.T) {
	t.Parallel()
	s := knows("l").bind("block", "unsafe.Pointer(l.ptr)")
	text := statement(t, s, "l.n = uintptr(block)")
	require.Contains(t, text, "uintptr(unsafe.Pointer(l.ptr))")
	require.Contains(t, text, `import "unsafe"`)
}

// TestUnknownHoles: an expression that speaks of what nobody declared is a
// mistake wherever it stands.
func TestUnknownHoles(t *testing.T) {
	t.Parallel()
	require.Panics(t, func() { knows("b").bind("HOLE", "b +") })
	require.Panics(t, func() { knows("b").bind("HOLE", "nowhere").do("b = HOLE") })
}

// TestNames: a word becomes the entry's name in code, comments and strings, and
// only as a whole word.
func TestNames(t *testing.T) {
	t.Parallel()
	got := file(t, func(o *out) {
		o.decls(`
// Heap is not a Heaps; it has heapDepth.
type Heap struct{ Heap *Heap }

/* Heap.grow: heapGrow */
func (h *Heap) grow() string {
	return "Heap: " + ` + "`heapDepth, heapDepths`" + ` + heapGrow
}

const heapGrow = "x" // of Heap`)
	})
	require.Equal(t, `// Buf is not a Heaps; it has bufDepth.
type Buf struct{ Heap *Buf }

/* Buf.grow: bufGrow */
func (h *Buf) grow() string {
	return "Buf: " + `+"`bufDepth, heapDepths`"+` + bufGrow
}

const bufGrow = "x" // of Buf`, got)
}

// TestMethodNames: a method that is named after an entry is declared and called
// by that name.
func TestMethodNames(t *testing.T) {
	t.Parallel()
	got := file(t, func(o *out) {
		o.decls("func (h *Heap) NewList() int { return h.NewList() }")
	})
	require.Equal(t, "func (h *Buf) newInts() int { return h.newInts() }", got)
}

// TestImports: packages are imported by use, once, under their own names.
func TestImports(t *testing.T) {
	t.Parallel()
	got := file(t, func(o *out) {
		o.decls(`
func (h *Heap) f(mu *sync.Mutex, n *atomic.Int64) error {
	n.Store(int64(bits.Len(3)) + int64(unsafe.Sizeof(*mu)) + int64(bits.Len(4)))
	return errors.New("bits.Len")
}`)
		o.decls("var heapGrow = bits.Len(5)")
	})
	head, _, ok := strings.Cut(got, "\n)")
	require.True(t, ok)
	require.Equal(t, []string{`"errors"`, `"math/bits"`, `"sync"`, `"sync/atomic"`, `"unsafe"`}, strings.Fields(head)[2:])
	require.Contains(t, got, "n.Store(int64(bits.Len(3)) + int64(unsafe.Sizeof(*mu)) + int64(bits.Len(4)))")
}

// TestEveryImport: jennifer writes an alias for what it does not know, and two
// packages of one name would get one.
func TestEveryImport(t *testing.T) {
	t.Parallel()
	for name, path := range imports {
		got := file(t, func(o *out) { o.decls("var heapGrow = " + name + ".X") })
		require.Equal(t, fmt.Sprintf("import %q\n\nvar bufGrow = %s.X", path, name), got)
	}
}

// TestRefused: each mistake in a text stops with the text that has it.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"x := nowhere + 1", "unknown identifier nowhere"},
		{"x.y = nowhere.z", "unknown identifier"},
		{"heapDept(x)", "unknown identifier heapDept"},
		{"io.EOF.Error()", "unknown identifier io"},
		{"bits = 3", "unknown identifier bits"},
		{"x = ", "expected"},
		{"if x { ", "expected"},
		{"}\nfunc g() {", ""},
	} {
		func() {
			defer func() {
				bug := recover()
				require.NotNil(t, bug, test.text)
				text := fmt.Sprint(bug)
				require.Contains(t, text, test.want)
				require.True(t, strings.HasSuffix(text, test.text), "%s: does not show its text", text)
			}()
			knows("x").do(test.text)
		}()
	}
	require.Panics(t, func() { knows("x").expr("x\nvar y = x") }, "more than an expression")
}

// TestNotFree: identifiers that are no uses of an outer declaration stay as they
// are, even when a hole or a name is spelled alike.
func TestNotFree(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"x = T{n: n, HOLE: HOLE2}.HOLE", // a field, in a literal and selected
		"x.HOLE.n = 1",                  // fields
		"HOLE:\nfor {\n\tbreak HOLE\n}", // a label
		"HOLE:\nfor {\n\tcontinue HOLE\n}",
		"goto HOLE\nHOLE:\nx = 1",
		"for HOLE := range x {\n\tx = HOLE\n}", // a local hides the hole
		"HOLE := 1\nx = HOLE",
		"x = func(HOLE int) int { return HOLE }",
		"if heapDepth := 3; heapDepth > 2 {\n\tx = heapDepth\n}",
		"switch bits := x.(type) {\ncase T:\n\tbits.Len()\n}", // a local hides the package
		"var y struct{ HOLE int }",
		"type y interface{ HOLE() }",
	} {
		s := knows("x", "n", "T", "HOLE2").bind("HOLE", "a.b+c")
		require.Equal(t, text, body(t, s, text))
	}
	// The key of a literal names the field, whatever else has its name.
	got := file(t, func(o *out) {
		o.decls("type Heap struct{ heapGrow int }\n\nvar heapGrow = Heap{heapGrow: 1}.heapDepth")
	})
	require.Equal(t, "type Buf struct{ heapGrow int }\n\nvar bufGrow = Buf{heapGrow: 1}.heapDepth",
		strings.ReplaceAll(got, ".bufDepth", ".heapDepth"))
}

// TestLocalsHideTheRest: parameters, and locals of an earlier text of the same
// body, are the ones that a later text means, also where a package has their
// name.
func TestLocalsHideTheRest(t *testing.T) {
	t.Parallel()
	got := file(t, func(o *out) {
		o.fn(fn{
			doc:  "f is Heap's.",
			head: "(h *Heap) f(errors []error) (n int)",
			body: func(s *scope) []code {
				return []code{
					s.do("bits, more := h.bits(), 1\nvar a, b = 1, 2"),
					s.define("last", s.expr("errors[a].Error() + more")),
					s.do("n = bits.Len() + b"),
					s.assign("n", s.expr("last")),
				}
			},
		})
	})
	require.Equal(t, `// f is Buf's.
func (h *Buf) f(errors []error) (n int) {
	bits, more := h.bits(), 1
	var a, b = 1, 2
	last := errors[a].Error() + more
	n = bits.Len() + b
	n = last
}`, got)
}

// TestLocalsEnd: a local of one function means nothing in the next.
func TestLocalsEnd(t *testing.T) {
	t.Parallel()
	method := func(name, text string) fn {
		return fn{head: "(h *Heap) " + name + "()", body: func(s *scope) []code { return []code{s.do(text)} }}
	}
	file(t, func(o *out) {
		o.fn(method("f", "x := 1\n_ = x"))
		require.PanicsWithError(t, "unknown identifier x in\n_ = x", func() { o.fn(method("g", "_ = x")) })
		require.PanicsWithError(t, "unknown identifier h in\nvar heapGrow = h", func() { o.decls("var heapGrow = h") })
	})
}

// TestTheirWords: what the user's code calls like a word of the templates, or
// like a method that the spec renames, keeps its name, in code and in comments.
func TestTheirWords(t *testing.T) {
	t.Parallel()
	files, err := Render(planOf(t, `heaps: {Buf: {}}
objects:
  Nodes: {of: ELEM, sync: cache, reset: Release, init: Get, keep: PKG, names: {Get: Take, Release: End}}
  Heap: {of: "[2]Object", heap: Buf, reset: Object}`))
	require.NoError(t, err)
	text := ""
	for _, f := range files {
		text += string(f.Source)
	}
	bare := func(text string) string { // gofmt comes later
		return strings.Join(strings.Fields(strings.ReplaceAll(text, "//", "")), "")
	}
	require.False(t, strings.Contains(text, theirMark))
	for _, want := range []string{
		"func (p *Nodes) Take() *ELEM", "type ELEM for later use", "that Get has just made", "as its method Release left it", "What PKG refuses",
		"x.Release()", "Get(&fresh)", "x != nil && PKG(x)", "func (c *NodesCache) End()",
		"x.Object()", "of type [2]Object,", `{"Heap"}`,
	} {
		require.True(t, strings.Contains(bare(text), bare(want)), want)
	}
}
