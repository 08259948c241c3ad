package source

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPackageOfFolder(t *testing.T) {
	ours := string(withHeader("../x.yaml", "0123456789abcdef", []byte("package old\n")))
	gone := string(withHeader("../gone.yaml", "0123456789abcdef", []byte("package old\n")))
	dir := tree(t, map[string]string{
		"x.yaml":             specText,
		"gen/a_gen.go":       ours,
		"gen/b_gen.go":       gone,
		"gen/broken.go":      "pack",
		"gen/ext_test.go":    "package p_test\n",
		"gen/ignored.go":     "//go:build ignore\n\npackage main\n",
		"gen/same.go":        "package p\n",
		"gen/text.txt":       "package q\n",
		"gen/folder.go/x":    "",
		"gen/within_test.go": "package p\n",
	})
	found := discover(t)
	o := output(t, found, "x.yaml", "gen")
	require.Empty(t, Conflicts([]*Output{o}))

	put(t, filepath.Join(dir, "gen", "user.go"), "// Package q is older.\npackage q\n")
	require.EqualError(t, Conflicts([]*Output{o}), "x.yaml:1:1: package: p, but gen/user.go says package q")
}

// What Go or its library calls by a name, no file beside the output may declare
// when the output uses it.
func TestNeedsOfOutput(t *testing.T) {
	const text = "package p\n\nimport \"sync\"\n\nvar mu sync.Mutex\n\nfunc f(n int) int { return min(n, 1) }\n"
	for name, c := range map[string]struct{ file, text, want string }{
		"predeclared function": {"hand.go", "package p\n\nfunc min(a, b int) int { return a }\n", "min, but gen/hand.go:3:6"},
		"predeclared type":     {"hand.go", "package p\n\ntype (\n\tint int64\n)\n", "int, but gen/hand.go:4:2"},
		"package":              {"hand.go", "package p\n\nvar a, sync = 1, 2\n", "sync, but gen/hand.go:3:8"},
		"test":                 {"hand_test.go", "package p\n\nconst min = 1\n", "min, but gen/hand_test.go:3:7"},
		"one for each file":    {"hand.go", "package p\n\nvar int, min, sync int64\n", "int, but gen/hand.go:3:5"},
		"method":               {"hand.go", "package p\n\ntype T struct{ min bool }\n\nfunc (T) sync() { var int bool; _ = int }\n", ""},
		"import":               {"hand.go", "package p\n\nimport sync \"time\"\n\nvar _ sync.Time\n", ""},
		"not used":             {"hand.go", "package p\n\nfunc max() {}\n\nvar unsafe, bool int\n", ""},
		"external test":        {"hand_test.go", "package p_test\n\nconst min = 1\n", ""},
		"not built":            {"hand.go", "//go:build ignore\n\npackage p\n\nconst min = 1\n", ""},
		"ours":                 {"y_gen.go", string(withHeader("../gone.yaml", "0123456789abcdef", []byte("package p\n\nconst min = 1\n"))), ""},
	} {
		t.Run(name, func(t *testing.T) {
			tree(t, map[string]string{"x.yaml": specText, "gen/" + c.file: c.text})
			errs := Conflicts([]*Output{output(t, discover(t, "x.yaml"), "x.yaml", "gen", "x_gen.go", text)})
			if c.want == "" {
				require.Empty(t, errs)
				return
			}
			require.EqualError(t, errs,
				"x.yaml:1:1: package: the output uses Go's "+c.want+" declares its own, in the same package: rename that one")
		})
	}
}

func TestMainNeedsMain(t *testing.T) {
	const main = "package main\n\nfunc main() {}\n"
	const problem = "x.yaml:1:1: package: package main needs a func main in gen"
	for name, c := range map[string]struct{ file, text, want string }{
		"new folder":  {"other.txt", "", problem},
		"main":        {"gen/user.go", main, ""},
		"in a test":   {"gen/user_test.go", main, problem},
		"not built":   {"gen/user.go", "//go:build ignore\n\n" + main, problem},
		"method":      {"gen/user.go", "package main\n\ntype T int\n\nfunc (T) main() {}\n", problem},
		"ours":        {"gen/y_gen.go", string(withHeader("../gone.yaml", "0123456789abcdef", []byte(main))), problem},
		"one problem": {"gen/user.go", "package p\n", "x.yaml:1:1: package: main, but gen/user.go says package p"},
	} {
		t.Run(name, func(t *testing.T) {
			tree(t, map[string]string{"x.yaml": specText, c.file: c.text})
			o := output(t, discover(t, "x.yaml"), "x.yaml", "gen", "x_gen.go", "package main\n")
			o.Spec.Package = "main"
			if c.want == "" {
				require.Empty(t, Conflicts([]*Output{o}))
				return
			}
			require.EqualError(t, Conflicts([]*Output{o}), c.want)
		})
	}

	dir := tree(t, map[string]string{"x.yaml": specText, "main.go": main})
	o := output(t, discover(t), "x.yaml", "gen", "x_gen.go", "//go:build !linux && !windows && !darwin\n\npackage main\n")
	o.Spec.Package = "main"
	require.Empty(t, Conflicts([]*Output{o}), "not for this system")
	o.Files[0].Source = []byte("package main\n")
	put(t, filepath.Join(dir, "gen", "x.txt"), "")
	symlink(t, filepath.Join(dir, "main.go"), filepath.Join(dir, "gen", "main.go"))
	require.Empty(t, Conflicts([]*Output{o}), "the go command follows links to files")
}
