package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/internal/plan"
)

const goodGo = "//go:build go1.21\n\npackage p\n\nimport \"sync\"\n\ntype Made struct{ mu sync.Mutex }\n\nfunc use(n *node) *node { return n.next() }\n"

// nodeGo is what the output needs; it needs the output.
const nodeGo = "package p\n\ntype node struct{ made Made }\n\nfunc (n *node) next() *node { return n }\n"

// The output lands in the user's own package, of which go list and the type
// checker may have much to say that is not about the output.
func TestInUsersPackage(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"nothing wrong": {},
		"main":          {"main.go": "package p\n\nfunc main() {}\n"},
		"does not compile": {"bad.go": "package p\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc f() int { return undefined(fmt.Nothing) }\n" +
			"\nvar x int = \"\"\n"},
		"is not even Go":  {"bad.go": "package p\n\nfunc f( {\n"},
		"no package line": {"bad.go": "pack"},
		"unknown imports": {"bad.go": "package p\n\nimport (\n\t\"example.com/missing/one\"\n\ttwo \"example.com/missing/two\"\n\t. \"example.com/missing/three\"\n)\n" +
			"\nfunc f() { one.F(two.X) }\n"},
		"no go.sum": {
			"go.mod": "module example.com/m\n\ngo 1.21\n\nrequire example.com/missing v1.0.0\n",
			"bad.go": "package p\n\nimport \"example.com/missing/one\"\n\nvar x one.T\n",
		},
		"bad go.mod":          {"go.mod": "module example.com/m\n\ngo 1.21\n\nrequire (\n"},
		"bad requirement":     {"go.mod": "module example.com/m\n\ngo 1.21\n\nrequire example.com/x latest\n"},
		"bad replacement":     {"go.mod": "module example.com/m\n\ngo 1.21\n\nrequire example.com/x v1.0.0\n\nreplace example.com/x => ../nowhere\n"},
		"go.mod of the past":  {"go.mod": "module example.com/m\n"},
		"inconsistent vendor": {"go.mod": "module example.com/m\n\ngo 1.21\n\nrequire example.com/x v1.0.0\n", "vendor/modules.txt": ""},
		"not in go.work":      {"go.work": "go 1.21\n\nuse ./other\n", "other/go.mod": "module example.com/other\n\ngo 1.21\n"},
		"bad go.work":         {"go.work": "use (\n"},
		"in go.work":          {"go.work": "go 1.21\n\nuse .\n"},
		"C":                   {"c.go": "package p\n\n// #include <nowhere.h>\nimport \"C\"\n\nvar n = C.f()\n\ntype c struct{ n C.int }\n"},
		"import cycle":        {"c.go": "package p\n\nimport \"example.com/m/q\"\n\nvar _ q.T\n", "q/q.go": "package q\n\nimport \"example.com/m\"\n\ntype T struct{ p.Made }\n"},
		"assembly":            {"a.s": "TEXT nothing\n", "a.go": "package p\n\nfunc asm(n int)\n"},
		"embedded files":      {"e.go": "package p\n\nimport _ \"embed\"\n\n//go:embed nothing.txt\nvar text string\n"},
	} {
		t.Run(name, func(t *testing.T) {
			all := map[string]string{"x.yaml": specText, "go.mod": "module example.com/m\n\ngo 1.21\n", "node.go": nodeGo}
			for name, text := range files {
				all[name] = text
			}
			tree(t, all)
			finish(t, output(t, discover(t, "x.yaml"), "x.yaml", ".", "x_gen.go", goodGo))
			bad := faults(t, demanding(t, plan.Demand{Of: "node"}, plan.Demand{Of: "nod"}))
			require.Len(t, bad, 1, "checked nonetheless")
			require.Contains(t, bad[0], "objects.o1.of: nod is not declared in package p (did you mean node?)")
		})
	}
}

// The same with a bug in the output is silent when the user's declarations may
// be to blame, and only then.
func TestBugInUsersPackage(t *testing.T) {
	const bad = "package p\n\nfunc use(n *node) int { return n.next() }\n"
	const bug = "x_gen.go:6:32: bug in a template: cannot use n.next() (value of type *node) as int value in return statement: in the line `func use(n *node) int { return n.next() }`"
	for name, c := range map[string]struct{ text, want string }{
		"good":        {"package p\n", bug},
		"body":        {"package p\n\nimport \"os\"\n\nfunc f() { undefined() }\n", bug},
		"declaration": {"package p\n\nvar x undefined\n", ""},
		"syntax":      {"package p\n\nfunc f( {\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			tree(t, map[string]string{
				"x.yaml": specText, "other.go": c.text,
				"node.go": "package p\n\ntype node struct{}\n\nfunc (n *node) next() *node { return n }\n",
			})
			_, err := Finish([]*Output{output(t, discover(t, "x.yaml"), "x.yaml", ".", "x_gen.go", bad)})
			if c.want == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, c.want)
			}
		})
	}
}

// Whatever the environment says, the output is checked for this machine and
// without tags.
func TestEnvironment(t *testing.T) {
	for _, variable := range []string{"GOOS=js", "GOARCH=wasm", "GOFLAGS=-tags=other", "GOPACKAGESDRIVER=/nowhere", "CGO_ENABLED=0"} {
		t.Run(variable, func(t *testing.T) {
			tree(t, map[string]string{
				"x.yaml":   specText,
				"node.go":  nodeGo,
				"other.go": "//go:build other || js || wasm\n\npackage p\n\nfunc use() {}\n",
			})
			name, value, _ := strings.Cut(variable, "=")
			t.Setenv(name, value)
			finish(t, output(t, discover(t, "x.yaml"), "x.yaml", ".", "x_gen.go", goodGo))
		})
	}
}

func TestNoGoCommand(t *testing.T) {
	tree(t, map[string]string{"x.yaml": specText})
	o := output(t, discover(t), "x.yaml", "gen", "x_gen.go", "package p\n")
	t.Setenv("PATH", t.TempDir())
	_, err := Finish([]*Output{o})
	require.ErrorContains(t, err, "type-check: in .: ")
	require.ErrorContains(t, err, "executable file not found")
}

// Output is there for other packages of the same run, written or not, and what
// will be removed is gone.
func TestSeveralPackages(t *testing.T) {
	old := string(withHeader("../x.yaml", "0123456789abcdef", []byte("package p\n\ntype T int\n\nfunc f() {}\n")))
	tree(t, map[string]string{
		"x.yaml": specText, "y.yaml": specText,
		"go.mod":         "module example.com/m\n\ngo 1.21\n",
		"between/b.go":   "package between\n\nimport p \"example.com/m/new\"\n\ntype B struct{ p.T }\n",
		"b/x_old_gen.go": old,
		"b/hand.go":      "package p\n\nimport \"example.com/m/between\"\n\ntype T between.B\n\nfunc f() {}\n",
	})
	found := discover(t)
	x := output(t, found, "x.yaml", "new", "x_gen.go", "package p\n\ntype T struct{ N int }\n")
	y := output(t, found, "y.yaml", "b", "y_gen.go", "package p\n\nvar _ string = T{}.N\n")
	_, err := Finish([]*Output{x, y})
	require.EqualError(t, err, "b/y_gen.go:6:16: bug in a template: cannot use T{}.N (value of type int) as string value in variable declaration: in the line `var _ string = T{}.N`")
}

// Modules are loaded one by one.
func TestSeveralModules(t *testing.T) {
	tree(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.21\n", "x.yaml": specText,
		"sub/go.mod":  "module example.com/sub\n\ngo 1.21\n\nrequire example.com/m v0.0.0\n\nreplace example.com/m => ../\n",
		"sub/y.yaml":  specText,
		"sub/hand.go": "package p\n\nimport p \"example.com/m/gen\"\n\ntype U = p.T\n",
	})
	x := output(t, discover(t, "x.yaml"), "x.yaml", "gen", "x_gen.go", "package p\n\ntype T struct{ N int }\n")
	y := output(t, discover(t, "sub"), "sub/y.yaml", ".", "y_gen.go", "package p\n\nvar _ string = U{}.N\n")
	_, err := Finish([]*Output{x, y})
	require.EqualError(t, err, "sub/y_gen.go:6:16: bug in a template: cannot use U{}.N (value of type int) as string value in variable declaration: in the line `var _ string = U{}.N`")
}

// Packages that a spec names may come from another module.
func TestImportsOfSpec(t *testing.T) {
	files := map[string]string{
		"x.yaml":                          specText,
		"go.mod":                          "module example.com/m\n\ngo 1.21\n\nrequire example.com/x v1.0.0\n",
		"vendor/modules.txt":              "# example.com/x v1.0.0\n## explicit; go 1.21\nexample.com/x/api\n",
		"vendor/example.com/x/api/api.go": "package sessions\n\ntype Session struct{ buf []byte }\n",
	}
	o := func() *Output {
		o := demanding(t, plan.Demand{Of: "api.Session", PointerFree: true})
		o.Plan.Imports = map[string]string{"api": "example.com/x/api"}
		return o
	}
	tree(t, files)
	require.Equal(t, []string{"objects.o0.of: api.Session holds pointers: api.Session.buf is a slice"}, faults(t, o()))

	delete(files, "vendor/modules.txt")
	delete(files, "vendor/example.com/x/api/api.go")
	tree(t, files)
	got := faults(t, o())
	require.Len(t, got, 1)
	require.Contains(t, got[0], "imports.api: example.com/x/api cannot be loaded: ")

	tree(t, map[string]string{
		"x.yaml": specText, "go.mod": "module example.com/m\n\ngo 1.21\n", "hand.go": "package p\n\ntype T int\n",
		"cycle/c.go":                "package cycle\n\nimport p \"example.com/m\"\n\ntype T p.T\n",
		"other/internal/inner/i.go": "package inner\n\ntype T int\n",
		"program/main.go":           "package main\n\ntype T int\n",
	})
	for path, want := range map[string]string{
		"example.com/m/cycle":                "import cycle not allowed: ",
		"example.com/m/other/internal/inner": "use of internal package example.com/m/other/internal/inner not allowed",
		"example.com/m/program":              `import "example.com/m/program" is a program, not an importable package`,
	} {
		o := demanding(t, plan.Demand{Of: "int"})
		o.Plan.Imports = map[string]string{"api": path}
		got := faults(t, o)
		require.Len(t, got, 1, path)
		require.Contains(t, got[0], "imports.api: "+path+": "+want)
	}
}

func TestNothingIsLeft(t *testing.T) {
	dir := tree(t, map[string]string{"x.yaml": specText, "go.mod": "module example.com/m\n\nrequire (\n"})
	temp := filepath.Join(dir, "temp")
	require.NoError(t, os.Mkdir(temp, 0o755))
	t.Setenv("TMPDIR", temp)
	finish(t, output(t, discover(t), "x.yaml", "gen", "x_gen.go", "package p\n"))
	require.Empty(t, names(t, temp))
}
