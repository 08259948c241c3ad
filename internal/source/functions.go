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
	entries, err := os.ReadDir(dir)
	if err != nil {
		return out // the folder is new
	}
	for _, e := range entries {
		if !isGo(e.Name()) || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		if h, err := readHeader(filepath.Join(dir, e.Name())); err == nil && h != nil {
			continue
		}
		fset := token.NewFileSet()
		f := parseFile(fset, dir, e.Name())
		if f == nil {
			continue
		}
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
