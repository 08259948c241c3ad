package templates

import (
	"maps"
	"regexp"
	"strings"

	"github.com/dave/jennifer/jen"
)

// An out is one output file in the making.
type out struct {
	*jen.File
	words    *scope          // the names of the entry at hand
	promised map[string]bool // functions that must inline, as emitted
}

// scope is a fresh scope for one declaration, with the holes of all.
func (o *out) scope() *scope {
	s := newScope(o.words.names)
	s.user = o.words.user
	s.holes = maps.Clone(o.words.holes)
	return s
}

// decls adds whole declarations: the form for code without options. Pairs bind
// holes.
func (o *out) decls(text string, pairs ...string) {
	o.Line()
	o.Add(o.scope().bind(pairs...).convert(declarations, o.assert(strings.TrimSpace(text))))
}

// mustInline tells github.com/jordanlewis/gcassert to hold every call of a
// function: the public tool for what allocgen inline proves.
const mustInline = "//gcassert:inline"

var methodHead = regexp.MustCompile(`(?m)^(?:func )?\(\w+ \*?(\w+)[^)]*\) (\w+)\(`)

// promises reports whether the method whose head is given must inline.
func (o *out) promises(head string) bool {
	m := methodHead.FindStringSubmatch(head)
	return m != nil && o.promised[o.words.rename(m[1])+"."+o.words.rename(m[2])]
}

// assert marks the promised methods in a text, as their last comment line.
func (o *out) assert(text string) string {
	return methodHead.ReplaceAllStringFunc(text, func(head string) string {
		if o.promises(head) {
			return "//\n" + mustInline + "\n" + head
		}
		return head
	})
}

// A fn is one emitted function whose body is built from pieces.
type fn struct {
	doc    string // the doc comment, without slashes
	pragma string // such as "//go:noinline", or ""
	head   string // "(b *HeapBin) Alloc() unsafe.Pointer"
	body   func(s *scope) []code
}

// fn adds a function, after a blank line. Pairs bind holes.
func (o *out) fn(d fn, pairs ...string) {
	s := o.scope().bind(pairs...)
	o.Line()
	o.doc(s, d.doc)
	pragma := d.pragma
	if o.promises(d.head) {
		pragma = mustInline
	}
	if pragma != "" {
		o.Comment("//")
		o.Comment(pragma)
	}
	head := s.convert(signature, d.head)
	o.Add(jen.Func().Add(head).Block(d.body(s)...))
}

// doc adds a comment, a line each.
func (o *out) doc(s *scope, text string) {
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		o.Comment(s.rename(strings.TrimRight("// "+strings.TrimSpace(line), " ")))
	}
}

// join strings pieces of a body together.
func join(pieces ...[]code) []code {
	var all []code
	for _, p := range pieces {
		all = append(all, p...)
	}
	return all
}

// wrap breaks a text of one paragraph into lines for a comment.
func wrap(text string) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		width := len(strings.ReplaceAll(word, theirMark, ""))
		switch {
		case column == 0:
		case column+1+width > 77:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += width
	}
	return b.String()
}

// comment is a paragraph as a comment, for declarations.
func comment(text string) string {
	return "// " + strings.ReplaceAll(wrap(text), "\n", "\n// ")
}
