package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// readFolder looks at the Go files of an output folder that stay there as they
// are: their package, and what they declare. A file that the go command would
// not build here counts when it is of the same package: it may be built
// elsewhere, though `//go:build ignore` often holds another.
func (c *conflicts) readFolder(o *Output) {
	entries, err := os.ReadDir(o.Place.Dir)
	if err != nil {
		return // the folder is new
	}
	for _, e := range entries {
		// As the go command does, follow links to files.
		path := filepath.Join(o.Place.Dir, e.Name())
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || !isGo(e.Name()) || replaced(path, c.atHand) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		fset := token.NewFileSet()
		f := parsePart(fset, path, text)
		if f == nil {
			continue
		}
		file := File{e.Name(), text}
		here := inHostBuild(file)
		switch {
		case f.Name.Name == o.Spec.Package:
			c.note(o.Place.Dir, fset, f, file, here)
		case here:
			c.errs.Add(o.Spec.At("package"), "package: %s, but %s says package %s", o.Spec.Package, shown(path), f.Name.Name)
			c.mains[o.Place.Dir] = true // more than one error about the package is too much
			return
		}
	}
}

// note takes down what a file declares.
func (c *conflicts) note(dir string, fset *token.FileSet, f *ast.File, file File, here bool) {
	if here && hasMain(f) && !isTest(file.Name) {
		c.mains[dir] = true
	}
	var limit *File
	if buildLine(file.Source) != nil || !namedForAll(file.Name) {
		limit = &file
	}
	add := func(name string, pos token.Pos) {
		at := fset.PositionFor(pos, false)
		where := fmt.Sprintf("%s:%d:%d", shown(at.Filename), at.Line, at.Column)
		if !here {
			where += " (not built here)"
		}
		key := dir + "\x00" + name
		c.names[key] = append(c.names[key], owner{where: where, limit: limit})
	}
	for _, id := range declared(f) {
		add(id.Name, id.Pos())
	}
	for _, m := range methods(f) {
		c.adding[dir] = true
		add(m.name, m.pos)
	}
}

// replaced reports whether a file is ours to rewrite or remove now.
func replaced(path string, atHand map[string]bool) bool {
	h, err := readHeader(path)
	if err != nil || h == nil {
		return false
	}
	origin, err := h.origin(filepath.Dir(path))
	if err != nil || atHand[origin] {
		return err == nil
	}
	lost, err := gone(origin)
	return err == nil && lost
}

// parsePart reads a file, unless it is an external test.
func parsePart(fset *token.FileSet, path string, text []byte) *ast.File {
	f, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
	if f == nil || f.Name == nil || err != nil && f.Name.Name == "" {
		return nil
	}
	if isTest(path) && strings.HasSuffix(f.Name.Name, "_test") {
		return nil
	}
	return f
}

func hasMain(f *ast.File) bool {
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Recv == nil && fn.Name.Name == "main"
	})
}

// declared lists the package-level identifiers of a file.
func declared(f *ast.File) []*ast.Ident {
	var out []*ast.Ident
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				out = append(out, d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					out = append(out, s.Name)
				case *ast.ValueSpec:
					out = append(out, s.Names...)
				}
			}
		}
	}
	return out
}

// A method is one in a file, by the name of its type.
type method struct {
	recv string
	name string // with the type: "Heap.Alloc"
	pos  token.Pos
}

func methods(f *ast.File) []method {
	var all []method
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil || len(fn.Recv.List) != 1 || fn.Name.Name == "_" {
			continue
		}
		if recv := receiver(fn.Recv.List[0].Type); recv != "" {
			all = append(all, method{recv, recv + "." + fn.Name.Name, fn.Name.Pos()})
		}
	}
	return all
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.ParenExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	}
	return ""
}
