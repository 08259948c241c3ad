package source

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFunctions(t *testing.T) {
	ours := string(withHeader("../gone.yaml", "0123456789abcdef", []byte("package p\n\nfunc Ours() {}\n")))
	dir := tree(t, map[string]string{
		"p/a.go":           "package p\n\nfunc clear(n *node) {}\n\ntype node struct{}\n\nfunc (n *node) Reset() {}\n\nfunc init() {}\n\nvar v = func() {}\n",
		"p/b.go":           "package p\n\nfunc broken(n *nod { \n",
		"p/c.go":           "package p\n\nfunc Generic[K comparable](e *Entry[K]) {}\n\nfunc half(",
		"p/d_test.go":      "package p\n\nfunc inTest() {}\n",
		"p/e_plan9.go":     "package p\n\nfunc elsewhere() {}\n",
		"p/e_js_amd64.go":  "package p\n\nfunc nowhere() {}\n",
		"p/tools.go":       "//go:build tools\n\npackage tools\n\nfunc tools() {}\n",
		"p/f.go":           "//go:build ignore\n\npackage main\n\nfunc ignored() {}\n",
		"p/g_gen.go":       ours,
		"p/h.go/folder.go": "package p\n",
	})
	found := Functions(filepath.Join(dir, "p"))
	var all []string
	for name, pos := range found {
		all = append(all, name+" "+pos.String())
	}
	require.Subset(t, all, []string{"clear p/a.go:3:6", "Generic p/c.go:3:6", "elsewhere p/e_plan9.go:3:6"})
	for _, name := range []string{"Reset", "init", "v", "inTest", "nowhere", "tools", "ignored", "Ours"} {
		require.NotContains(t, found, name)
	}
	require.Empty(t, Functions(filepath.Join(dir, "new")))
}
