package source

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// Functions lists the package-level functions in the Go files of a folder, with
// where they are, and generic ones among them: of the files that the go command
// would build here and that are neither tests nor ours. It only parses, so that
// the output can depend on it.
func Functions(dir string) map[string]token.Position {
	out := map[string]token.Position{}
	fset := token.NewFileSet()
	for _, f := range ownFiles(fset, dir) {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				pos := fset.Position(fn.Name.Pos())
				pos.Filename = shown(pos.Filename)
				out[fn.Name.Name] = pos
			}
		}
	}
	return out
}

// ownFiles parses the Go files of a folder that the go command would build here
// and that are neither tests nor ours.
func ownFiles(fset *token.FileSet, dir string) []*ast.File {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // the folder is new
	}
	var out []*ast.File
	for _, e := range entries {
		if !isGo(e.Name()) || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		if h, err := readHeader(filepath.Join(dir, e.Name())); err == nil && h != nil {
			continue
		}
		if f := parseFile(fset, dir, e.Name()); f != nil {
			out = append(out, f)
		}
	}
	return out
}
