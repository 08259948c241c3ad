package source

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"go/scanner"
	"path/filepath"
	"slices"
	"strings"
)

// Finish turns rendered outputs into packages: formatted, with their headers,
// type-checked. What is wrong with specs comes back as spec.Errors; any other
// error is a bug in a template, or the go command does not work.
func Finish(outs []*Output) ([]*Package, error) {
	byDir := map[string]*Package{}
	var pkgs []*Package
	for _, o := range outs {
		p := byDir[o.Place.Dir]
		if p == nil {
			p = &Package{Dir: o.Place.Dir, Name: shown(o.Place.Dir), owners: map[string]*Output{}}
			byDir[o.Place.Dir] = p
			pkgs = append(pkgs, p)
		}
		if err := p.add(o); err != nil {
			return nil, err
		}
	}
	for _, p := range pkgs {
		slices.SortFunc(p.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	}
	slices.SortFunc(pkgs, func(a, b *Package) int { return strings.Compare(a.Dir, b.Dir) })
	if err := findLeaving(pkgs); err != nil {
		return nil, err
	}
	if err := typecheck(pkgs); err != nil {
		return nil, err
	}
	return pkgs, nil
}

func (p *Package) add(o *Output) error {
	p.outs = append(p.outs, o)
	o.platform = platformOf(o)
	specHash := o.Spec.Hash()
	for _, f := range o.Files {
		if !namedForAll(f.Name) {
			return fmt.Errorf("%s: bug in a template: the name alone keeps the go command from building the file", p.shown(f.Name))
		}
		text := apart(f.Source)
		body, err := format.Source(text)
		if err != nil {
			return formatError(p.shown(f.Name), text, err)
		}
		p.Files = append(p.Files, File{f.Name, withHeader(o.Place.Spec, specHash, body)})
		p.owners[f.Name] = o
	}
	return nil
}

// findLeaving finds the files in output folders that are about to be removed.
func findLeaving(pkgs []*Package) error {
	atHand := map[string]bool{}
	for _, p := range pkgs {
		for _, o := range p.outs {
			atHand[o.specPath()] = true
		}
	}
	for _, p := range pkgs {
		files, err := goFiles(p.Dir)
		if err != nil {
			return err
		}
		for _, path := range files {
			if p.owners[filepath.Base(path)] == nil && replaced(path, atHand) {
				p.leaving = append(p.leaving, path)
			}
		}
	}
	return nil
}

// apart puts a blank line after a first //go:build line: directly above a
// comment gofmt needs two runs to come to rest.
func apart(src []byte) []byte {
	first, rest, ok := bytes.Cut(src, []byte("\n"))
	if !ok || !bytes.HasPrefix(first, []byte("//go:build ")) {
		return src
	}
	return slices.Concat(first, []byte("\n\n"), rest)
}

// path is where a file of the package is on disk.
func (p *Package) path(name string) string { return filepath.Join(p.Dir, name) }

func (p *Package) shown(name string) string { return shown(p.path(name)) }

// excerptLines is how many lines an excerpt shows before and after the place.
const excerptLines = 5

// formatError shows the text around the place: no file holds it.
func formatError(name string, src []byte, err error) error {
	line := 1
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		line = list[0].Pos.Line
	}
	return fmt.Errorf("%s: bug in a template: the rendered text is no Go: %w\n%s", name, err, excerpt(src, line))
}

func excerpt(src []byte, line int) string {
	var b strings.Builder
	for i, text := range bytes.Split(src, []byte("\n")) {
		if n := i + 1; n >= line-excerptLines && n <= line+excerptLines {
			mark := " "
			if n == line {
				mark = ">"
			}
			fmt.Fprintf(&b, "%s%5d | %s\n", mark, n, text)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
