package source

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/allocgen/allocgen/internal/spec"
)

// maxTypeErrors keeps a bug in one template from filling the screen: it shows
// in every package.
const maxTypeErrors = 10

// typecheck checks output in the packages where it will be, tests left out:
// together with the files that stay there, as if it were written already.
// What specs demand of those files and what clashes with them comes back as
// spec.Errors; anything else is a bug in a template.
func typecheck(pkgs []*Package) error {
	fset := token.NewFileSet()
	texts := map[string]*text{}
	for _, p := range pkgs {
		if err := p.parse(fset, texts); err != nil {
			return err
		}
	}
	var faults spec.Errors
	var bugs []error
	shared := map[platform]map[string]*typed{}
	for _, b := range batches(pkgs) {
		if shared[b.platform] == nil {
			shared[b.platform] = map[string]*typed{}
		}
		l := &loader{
			fset:   fset,
			sizes:  types.SizesFor("gc", b.platform.goarch),
			ours:   maps.Clone(texts),
			done:   map[string]*typed{},
			shared: shared[b.platform],
		}
		bad, err := l.judge(b, pkgs)
		faults = append(faults, bad...)
		if err != nil {
			bugs = append(bugs, err)
		}
		if len(bugs) >= maxTypeErrors {
			break
		}
	}
	if len(faults) > 0 {
		faults.Sort()
		return faults
	}
	return errors.Join(bugs[:min(len(bugs), maxTypeErrors)]...)
}

// parse adds the files of a package that are no tests to texts.
func (p *Package) parse(fset *token.FileSet, texts map[string]*text) error {
	for _, f := range p.Files {
		if isTest(f.Name) {
			continue
		}
		file, err := parser.ParseFile(fset, p.path(f.Name), f.Source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		texts[p.path(f.Name)] = &text{file: file, bytes: f.Source, out: p.owners[f.Name]}
	}
	return nil
}

func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

// judge checks a batch. All output is there to be imported, whatever batch it is
// in.
func (l *loader) judge(b *batch, pkgs []*Package) (spec.Errors, error) {
	probes := map[*Output]*probe{}
	beside := map[*Package][]neighbour{}
	for _, p := range b.pkgs {
		beside[p] = p.neighbours(l.fset)
		for i, o := range b.outs(p) {
			probe := newProbe(l.fset, o, filepath.Join(p.Dir, fmt.Sprintf("allocgen_probe%d.go", i)), dotImports(beside[p]))
			probes[o] = probe
			l.ours[probe.path] = probe.text
		}
	}
	overlay := map[string][]byte{}
	for path, t := range l.ours {
		overlay[path] = head(l.fset, t)
	}
	for _, p := range pkgs {
		for _, path := range p.leaving {
			overlay[path] = []byte("//go:build ignore\n\npackage ignored\n")
		}
	}
	found, err := b.list(overlay)
	if err != nil {
		return nil, err
	}
	l.refusal = b.refusal
	var faults spec.Errors
	var bugs []error
	for _, p := range b.pkgs {
		c := &packageCheck{l: l, dir: p.Dir, outs: b.outs(p), meta: found[p.Dir], probes: probes, neighbours: beside[p], leaving: p.leaving}
		c.run()
		faults = append(faults, c.faults...)
		bugs = append(bugs, c.bugs...)
		if len(bugs) >= maxTypeErrors {
			break
		}
	}
	return faults, errors.Join(bugs[:min(len(bugs), maxTypeErrors)]...)
}

// head is all of a file that go list reads.
func head(fset *token.FileSet, t *text) []byte {
	end := t.file.Name.End()
	for _, d := range t.file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			end = d.End()
		}
	}
	return append(slices.Clone(t.bytes[:fset.PositionFor(end, false).Offset]), '\n')
}

// A packageCheck is the check of one output folder on one platform.
type packageCheck struct {
	l          *loader
	dir        string
	outs       []*Output
	meta       *packages.Package
	typed      *typed
	probes     map[*Output]*probe
	neighbours []neighbour
	leaving    []string // files that are about to be removed
	faults     spec.Errors
	bugs       []error
}

func (c *packageCheck) run() {
	c.typed = c.l.check(c.meta)
	for _, f := range c.typed.files {
		if f.Name.Name != c.outs[0].Spec.Package {
			return // Conflicts has found it
		}
	}
	for _, o := range c.outs {
		c.checkImports(o)
	}
	for _, o := range c.outs {
		c.checkDemands(o)
	}
	c.checkFileScopes()
	c.checkCycles()
	// What is wrong with the output may follow from what is wrong beside it.
	if len(c.faults) == 0 && c.userError() == "" {
		c.findBugs()
	}
}

// userError is the first error in the declarations of files that are not ours,
// or "". The errors in those files are their author's business: they are told
// only where they explain something.
func (c *packageCheck) userError() string {
	if len(c.typed.syntax) > 0 {
		return c.syntaxError()
	}
	for _, err := range c.typed.errs {
		if !c.l.isOurs(err.Pos) {
			return c.l.at(err.Pos) + ": " + err.Msg
		}
	}
	return ""
}

// syntaxError is the first one of those in files that are not ours, or "".
func (c *packageCheck) syntaxError() string {
	if len(c.typed.syntax) == 0 {
		return ""
	}
	var list scanner.ErrorList
	if !errors.As(c.typed.syntax[0], &list) || len(list) == 0 {
		return c.typed.syntax[0].Error()
	}
	first := *list[0]
	first.Pos.Filename = shown(first.Pos.Filename)
	return first.Error()
}

// checkCycles finds generic entries of which each instance needs another one.
func (c *packageCheck) checkCycles() {
	for _, err := range c.typed.errs {
		t := c.l.ours[c.l.path(err.Pos)]
		if t == nil || t.probe || !slices.Contains(c.outs, t.out) || !strings.HasPrefix(err.Msg, "instantiation cycle") {
			continue
		}
		for _, decl := range t.file.Decls {
			if decl.Pos() <= err.Pos && err.Pos < decl.End() {
				c.failCycle(t.out, decl)
			}
		}
	}
}

// failCycle blames the entry that a declaration belongs to.
func (c *packageCheck) failCycle(o *Output, decl ast.Decl) {
	names := declared(&ast.File{Decls: []ast.Decl{decl}})
	for _, n := range o.Plan.Names {
		if slices.ContainsFunc(names, func(id *ast.Ident) bool { return id.Name == n.Ident }) {
			c.faults.Add(o.Spec.At(n.Entry+".of"), "%s.of: each instance of %s needs another one, without end", n.Entry, n.Ident)
		}
	}
}

func (c *packageCheck) findBugs() {
	for _, err := range c.typed.errs {
		t := c.l.ours[c.l.path(err.Pos)]
		if t == nil || t.probe || !slices.Contains(c.outs, t.out) || len(c.bugs) >= maxTypeErrors {
			continue
		}
		c.bugs = append(c.bugs, c.bug(err, t))
	}
}

// bug shows the line as well: no file holds it.
func (c *packageCheck) bug(err types.Error, t *text) error {
	if path, ok := c.failedImport(err, t); ok {
		return fmt.Errorf("type-check: cannot import %q: %w", path, c.typed.imports[path])
	}
	n := c.l.fset.PositionFor(err.Pos, false).Line
	lines := bytes.Split(t.bytes, []byte("\n"))
	return fmt.Errorf("%s: bug in a template: %s: in the line `%s`", c.l.at(err.Pos), err.Msg, bytes.TrimSpace(lines[n-1]))
}

func (c *packageCheck) failedImport(err types.Error, t *text) (string, bool) {
	for _, i := range t.file.Imports {
		if i.Pos() <= err.Pos && err.Pos < i.End() {
			path := importPath(i)
			return path, c.typed.imports[path] != nil
		}
	}
	return "", false
}
