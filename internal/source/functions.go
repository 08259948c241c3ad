package source

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
)

// Functions lists the package-level functions in the Go files of a folder, with
// where they are, and generic ones among them: of the files that are neither
// tests nor ours. It only parses, so that the output can depend on it.
func Functions(dir string) map[string]token.Position {
	out := map[string]token.Position{}
	fset := token.NewFileSet()
	for _, f := range ownFiles(fset, dir) {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name != "init" { // which nothing can name
				pos := fset.PositionFor(fn.Name.Pos(), false)
				pos.Filename = shown(pos.Filename)
				out[fn.Name.Name] = pos
			}
		}
	}
	return out
}

// anywhere stands for output that is built everywhere.
var anywhere = []File{{"x_gen.go", []byte("package p\n")}}

// ownFiles parses the Go files of a folder that are neither tests nor ours. The
// output must be the same on every machine: a file counts that some build has,
// unless files that are built here are of another package.
func ownFiles(fset *token.FileSet, dir string) []*ast.File {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // the folder is new
	}
	var here, elsewhere []*ast.File
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if !isGo(e.Name()) || isTest(e.Name()) {
			continue
		}
		if h, err := readHeader(path); err == nil && h != nil {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		f := parsePart(fset, path, text)
		file := File{e.Name(), text}
		switch {
		case f == nil:
		case inHostBuild(file):
			here = append(here, f)
		case together(file, anywhere):
			elsewhere = append(elsewhere, f)
		}
	}
	if len(here) > 0 {
		elsewhere = slices.DeleteFunc(elsewhere, func(f *ast.File) bool { return f.Name.Name != here[0].Name.Name })
	}
	return append(here, elsewhere...)
}
