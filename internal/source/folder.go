package source

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// readFolder looks at the Go files of an output folder that stay there as they
// are: their package, and what they declare. Only files that the go command
// would build count: `//go:build ignore` often holds another package.
func (c *conflicts) readFolder(o *Output) {
	entries, err := os.ReadDir(o.Place.Dir)
	if err != nil {
		return // the folder is new
	}
	for _, e := range entries {
		// As the go command does, follow links to files.
		info, err := os.Stat(filepath.Join(o.Place.Dir, e.Name()))
		if err != nil || !info.Mode().IsRegular() || !isGo(e.Name()) || c.replaced(o.Place.Dir, e.Name()) {
			continue
		}
		fset := token.NewFileSet()
		f := parseFile(fset, o.Place.Dir, e.Name())
		if f == nil {
			continue
		}
		if f.Name.Name != o.Spec.Package {
			c.errs.Add(o.Spec.At("package"), "package: %s, but %s says package %s",
				o.Spec.Package, shown(filepath.Join(o.Place.Dir, e.Name())), f.Name.Name)
			c.mains[o.Place.Dir] = true // more than one error about the package is too much
			return
		}
		if hasMain(f) && !strings.HasSuffix(e.Name(), "_test.go") {
			c.mains[o.Place.Dir] = true
		}
		for _, id := range declared(f) {
			pos := fset.Position(id.Pos())
			c.names[o.Place.Dir+"\x00"+id.Name] = owner{
				where: fmt.Sprintf("%s:%d:%d", shown(pos.Filename), pos.Line, pos.Column),
			}
		}
	}
}

// replaced reports whether a file is ours to rewrite or remove now.
func (c *conflicts) replaced(dir, name string) bool {
	h, err := readHeader(filepath.Join(dir, name))
	if err != nil || h == nil {
		return false
	}
	origin, err := h.origin(dir)
	if err != nil || c.atHand[origin] {
		return err == nil
	}
	lost, err := gone(origin)
	return err == nil && lost
}

// parseFile reads a file that adds to the folder's package, as far as it can be
// read; nil when it adds nothing.
func parseFile(fset *token.FileSet, dir, name string) *ast.File {
	useHost()
	if ok, err := build.Default.MatchFile(dir, name); err != nil || !ok {
		return nil
	}
	f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
	if f == nil || f.Name == nil || err != nil && f.Name.Name == "" {
		return nil
	}
	if strings.HasSuffix(name, "_test.go") && strings.HasSuffix(f.Name.Name, "_test") {
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
