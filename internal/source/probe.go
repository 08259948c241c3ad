package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/allocgen/allocgen/internal/plan"
)

// A probe is a file that is type-checked with an output and never written. In
// it each part of a demand has a function of its own, so that what the type
// checker says is about that part, whatever the templates make of it.
type probe struct {
	path  string
	text  *text
	parts map[int]part // by line
}

// A part of a demand is one key of its entry.
type part struct {
	demand int // index in Plan.Demands
	form   string
}

// The forms of a part: what is done with an object of the demanded type.
const (
	asType      = "of"
	asResetFunc = "reset(x)"
	asMethod    = "x.reset()"
	asInit      = "init(x)"
	asKeep      = "keep(x)"
)

// probed names the object. Nobody calls anything so.
const probed = "allocgenObject"

// newProbe also imports what else must be loaded.
func newProbe(fset *token.FileSet, o *Output, path string, imports []string) *probe {
	p := &probe{path: path, parts: map[int]part{}}
	var b strings.Builder
	line := 1
	emit := func(format string, args ...any) {
		s := fmt.Sprintf(format, args...) + "\n"
		b.WriteString(s)
		line += strings.Count(s, "\n")
	}
	emit("//go:build go1.21\n\npackage %s", o.Spec.Package)
	for _, alias := range slices.Sorted(maps.Keys(o.Plan.Imports)) {
		emit("import %s %q", alias, o.Plan.Imports[alias])
	}
	for _, path := range imports {
		emit("import _ %q", path)
	}
	for i, d := range o.Plan.Demands {
		if typeProblem(d) != "" {
			continue
		}
		add := func(when, form, result, body string) {
			if when == "" {
				return
			}
			p.parts[line] = part{i, form}
			emit("func _%s(%s *%s) %s{ %s }", d.TypeParams, probed, d.Of, result, body)
		}
		add(d.Of, asType, "", "")
		add(d.Reset, asResetFunc, "", d.Reset+"("+probed+")")
		if token.IsIdentifier(d.Reset) {
			add(d.Reset, asMethod, "", probed+"."+d.Reset+"()")
		}
		add(d.Init, asInit, "", d.Init+"("+probed+")")
		add(d.Keep, asKeep, "bool ", "return bool("+d.Keep+"("+probed+"))")
	}
	p.text = &text{bytes: []byte(b.String()), out: o, probe: true}
	// Its parts have been parsed one by one.
	p.text.file, _ = parser.ParseFile(fset, path, p.text.bytes, parser.SkipObjectResolution)
	return p
}

// typeProblem says why the texts of a demand are no Go, or "".
func typeProblem(d plan.Demand) string {
	if _, err := parser.ParseExpr(d.Of); err != nil {
		return "is no Go type: " + errorText(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p; func _"+d.TypeParams+"(x *"+d.Of+") {}", parser.SkipObjectResolution)
	if err != nil {
		return "is no Go type: " + errorText(err)
	}
	if fn, ok := f.Decls[0].(*ast.FuncDecl); !ok || len(f.Decls) > 1 || len(fn.Type.Params.List) != 1 {
		return "is no Go type"
	}
	for _, name := range []string{d.Reset, d.Init, d.Keep} {
		alias, fn, imported := strings.Cut(name, ".")
		if name != "" && (!token.IsIdentifier(alias) || imported && !token.IsIdentifier(fn)) {
			return "comes with " + name + ", which is no name of a function"
		}
	}
	return ""
}
