package templates

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKeywords: jennifer prints some words with punctuation of its own, such as
// Op("default") with a colon; every keyword must come out as it went in.
func TestKeywords(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"switch x {\ncase 1, 2:\n\tfallthrough\ncase 3:\n\tx = 1\ndefault:\n\tx = 2\n}",
		"switch {\ndefault: // nothing\n}",
		"select {\ncase <-x:\ndefault:\n}",
		"if x {\n\tx = 1\n} else if y := 2; y > 1 {\n\tx = y\n} else {\n\tx = 3\n}",
		"for i, v := range x {\n\tif i > 3 {\n\t\tcontinue\n\t}\n\tx = v\n\tbreak\n}",
		"for i := 0; i < 3; i++ {\n}",
		"for x {\n}",
		"for {\n}",
		"defer x()\ngo x()",
		"var y map[string]chan<- int",
		"const y = 1\ntype z struct{ a, b int }",
		"goto end\nend:\nreturn",
		"x = func(y ...int) interface{} { return y[1:2:3] }",
		"x = 'a' + \"default\" + 0x1p-2 + 1i",
		"x &^= 1 << 3 &^ ^x\nx--\nx <- <-x",
	} {
		require.Equal(t, text, body(t, knows("x"), text))
	}
}

// TestComments: comments stay where they are, also behind code and in blocks,
// and so do single blank lines. More of them become one, as gofmt has it.
func TestComments(t *testing.T) {
	t.Parallel()
	const text = `// first
x = 1 // behind

// before
if x > 1 { // of the block
	/* inside */
	x = 2

	// last in the block
}
x = /* between */ 3 // last`
	require.Equal(t, text, body(t, knows("x"), text))
	require.Equal(t, "x = 1\n\nx = 2", body(t, knows("x"), "x = 1\n\n\n\nx = 2"))
	require.Equal(t, "x = `a\n\n\nb`\nx = 2", body(t, knows("x"), "x = `a\n\n\nb`\nx = 2"), "lines of a string are no blank lines")
}

// TestStructComments: the comments of fields document the output.
func TestStructComments(t *testing.T) {
	t.Parallel()
	const text = `// Buf has fields.
type Buf struct {
	// of both
	a, b int // and behind

	c [3]uint64 // tail
}`
	require.Equal(t, text, file(t, func(o *out) {
		o.decls("// Heap has fields.\ntype Heap struct {\n\t// of both\n\ta, b int // and behind\n\n\tc [3]uint64 // tail\n}")
	}))
}

// TestPragmas: a pragma that is not directly above its function is a comment
// like any other, and the function then inlines.
func TestPragmas(t *testing.T) {
	t.Parallel()
	const want = `// f grows.
//
//go:noinline
func (h *Buf) f() {}`
	require.Equal(t, want, file(t, func(o *out) {
		o.decls("\n// f grows.\n//\n//go:noinline\nfunc (h *Heap) f() {}\n")
	}))
	require.Equal(t, want, file(t, func(o *out) {
		o.fn(fn{doc: "f grows.", pragma: "//go:noinline", head: "(h *Heap) f()", body: func(*scope) []code { return nil }})
	}))
}

// TestApart: declarations stand apart, and a doc comment of several paragraphs
// is line comments.
func TestApart(t *testing.T) {
	t.Parallel()
	got := file(t, func(o *out) {
		o.decls("var Heap = HOLE", "HOLE", "1")
		o.fn(fn{
			doc: `
				heapGrow is one paragraph
				of Heap.

				And another.`,
			head: "heapGrow(n int) (ok bool)",
			body: func(s *scope) []code { return []code{s.do("ok = n > HOLE"), s.do("return")} },
		}, "HOLE", "heapDepth + 1")
		o.decls("var heapDepth = 2")
	})
	require.Equal(t, `var Buf = 1

// bufGrow is one paragraph
// of Buf.
//
// And another.
func bufGrow(n int) (ok bool) {
	ok = n > (bufDepth + 1)
	return
}

var bufDepth = 2`, got)
}

// TestWhen: an if statement whose body is made elsewhere, bodies in bodies.
func TestWhen(t *testing.T) {
	t.Parallel()
	s := knows("x").bind("HOLE", "x - 1")
	got := file(t, func(o *out) {
		o.Func().Id("f").Params().Block(
			s.when("HOLE == 0 || x > heapDepth",
				s.when("x == 1", s.do("x++ // once"), s.do("return")),
				s.do("x = HOLE")),
			s.do("x = 2"),
		)
	})
	require.Equal(t, `func f() {
	if (x-1) == 0 || x > bufDepth {
		if x == 1 {
			x++ // once
			return
		}
		x = (x - 1)
	}
	x = 2
}`, got)
}
