package plan

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/allocgen/allocgen/"

// A sourceFile is one Go file of the module that is no test.
type sourceFile struct {
	path    string // from the module's root, with forward slashes
	file    *ast.File
	imports []string
}

// sources are the files of internal and templates.
func sources(t *testing.T) []sourceFile {
	t.Helper()
	root := filepath.Join("..", "..")
	var out []sourceFile
	for _, dir := range []string{"internal", "templates"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(root, path)
			s := sourceFile{path: filepath.ToSlash(name), file: f}
			for _, i := range f.Imports {
				imported, err := strconv.Unquote(i.Path.Value)
				require.NoError(t, err)
				s.imports = append(s.imports, imported)
			}
			out = append(out, s)
			return err
		}))
	}
	require.NotEmpty(t, out)
	return out
}

// TestArrows holds the arrows of the flow: the plan decides and knows neither
// how specs are written nor how output is; templates spell the plan and nothing
// else.
func TestArrows(t *testing.T) {
	t.Parallel()
	const plan, templates = "internal/plan/", "templates/"
	own := map[string]string{plan: module + "internal/spec", templates: module + "internal/plan"}
	seen := map[string]bool{}
	for _, s := range sources(t) {
		for dir, allowed := range own {
			if !strings.HasPrefix(s.path, dir) {
				continue
			}
			for _, i := range s.imports {
				require.NotContains(t, i, "yaml", s.path)
				if strings.HasPrefix(i, module) {
					require.Equal(t, allowed, i, "%s imports %s", s.path, i)
					seen[dir] = true
				}
				if dir == plan {
					require.NotContains(t, i, "jennifer", s.path)
				}
			}
		}
	}
	require.Len(t, seen, 2, "the folders have moved")
}

// Functions of path/filepath that ask the disk; the others only read text.
var askDisk = map[string]bool{"Abs": true, "EvalSymlinks": true, "Glob": true, "Walk": true, "WalkDir": true}

// TestOnlySourceTouchesDisk: a bad spec leaves the tree as it was because no
// stage before the last can do otherwise. internal/inline is no stage: it runs
// the go command, and lays out modules for it outside the tree.
func TestOnlySourceTouchesDisk(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if strings.HasPrefix(s.path, "internal/source/") || strings.HasPrefix(s.path, "internal/inline/") {
			continue
		}
		for _, banned := range []string{"os", "os/exec", "io/ioutil", "syscall", "go/build", "golang.org/x/tools/go/packages"} {
			require.NotContains(t, s.imports, banned, s.path)
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "filepath" {
					require.False(t, askDisk[sel.Sel.Name], "%s: filepath.%s", s.path, sel.Sel.Name)
				}
			}
			return true
		})
	}
}
