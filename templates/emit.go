package templates

import (
	"strings"

	"github.com/dave/jennifer/jen"
)

// An out is one output file in the making.
type out struct {
	*jen.File
	words *scope // the names of the entry at hand
}

// scope is a fresh scope for one declaration.
func (o *out) scope() *scope { return newScope(o.words.names) }

// decls adds whole declarations: the form for code without options. Pairs bind
// holes.
func (o *out) decls(text string, pairs ...string) {
	o.Line()
	o.Add(o.scope().bind(pairs...).convert(declarations, strings.TrimSpace(text)))
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
	if d.pragma != "" {
		o.Comment("//")
		o.Comment(d.pragma)
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
