package source

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/internal/plan"
)

// A name of the output that a file beside it has as well: in the package's
// scope, or in its own.
func TestClashes(t *testing.T) {
	const linux, other = "//go:build linux\n\n", "//go:build other\n\n"
	for name, c := range map[string]struct {
		file, text string
		build      string // of the output
		want       string
	}{
		"import":              {file: "a.go", text: "package p\n\nimport Ints \"strings\"\n\nvar _ Ints.Builder\n", want: "Ints is also what a.go:3:8 calls its import of strings, in the same package: give that import another name"},
		"import by its name":  {file: "a.go", text: "package p\n\nimport \"example.com/m/strange\"\n", want: "intsGrow is also what a.go:3:8 calls its import of example.com/m/strange, in the same package: give that import another name"},
		"import of a test":    {file: "a_test.go", text: "package p\n\nimport \"example.com/unknown/intsGrow/v2\"\n", want: "intsGrow is also what a_test.go:3:8 calls its import of example.com/unknown/intsGrow/v2, in the same package: give that import another name"},
		"import elsewhere":    {file: "a_plan9.go", text: "package p\n\nimport Ints \"strings\"\n", want: "Ints is also what a_plan9.go:3:8 calls its import of strings, in the same package: give that import another name"},
		"import nowhere":      {file: "a_plan9.go", text: "package p\n\nimport Ints \"strings\"\n", build: "//go:build !plan9\n\n"},
		"dot import":          {file: "a.go", text: "package p\n\nimport . \"example.com/m/dot\"\n\nvar _ Ints\n", want: "Ints is also taken from example.com/m/dot by the import at a.go:3:8, in the same package: give that import a name"},
		"dot import of test":  {file: "a_test.go", text: "package p\n\nimport . \"example.com/m/dot\"\n", want: "Ints is also taken from example.com/m/dot by the import at a_test.go:3:8, in the same package: give that import a name"},
		"other dot import":    {file: "a.go", text: "package p\n\nimport . \"strings\"\n\nvar _ Builder\n"},
		"import of external":  {file: "a_test.go", text: "package p_test\n\nimport Ints \"strings\"\n"},
		"ignored import":      {file: "a.go", text: "//go:build ignore\n\npackage p\n\nimport Ints \"strings\"\n"},
		"other system":        {file: "a_plan9.go", text: "package p\n\ntype Ints int\n", want: "Ints is also declared by a_plan9.go:3:6 (not built here), in the same package"},
		"other tag":           {file: "a.go", text: other + "package p\n\ntype Ints int\n", want: "Ints is also declared by a.go:5:6 (not built here), in the same package"},
		"other tag in test":   {file: "a_test.go", text: other + "package p\n\ntype Ints int\n", want: "Ints is also declared by a_test.go:5:6 (not built here), in the same package"},
		"ignored":             {file: "a.go", text: "//go:build ignore\n\npackage p\n\ntype Ints int\n"},
		"other package":       {file: "a.go", text: other + "package q\n\ntype Ints int\n"},
		"never together":      {file: "a.go", text: "//go:build !linux\n\npackage p\n\ntype Ints int\n", build: linux},
		"never together here": {file: "a_linux.go", text: "package p\n\ntype Ints int\n", build: "//go:build !linux\n\n"},
		"tags apart":          {file: "a.go", text: "//go:build !other\n\npackage p\n\ntype Ints int\n", build: other},
		"sometimes together":  {file: "a.go", text: "//go:build !other\n\npackage p\n\ntype Ints int\n", build: linux, want: "Ints is also declared by a.go:5:6, in the same package"},
		"method of its own":   {file: "a.go", text: "package p\n\ntype T struct{}\n\nfunc (T) Ints() {}\nfunc (T) Len() {}\n"},
		"method added":        {file: "a.go", text: "package p\n\nfunc (l *Ints) Sum() {}\n"},
		"method twice":        {file: "a.go", text: "package p\n\nfunc (l Ints) Len() int { return 0 }\n", want: "Ints.Len is also declared by a.go:3:15, in the same package"},
		"name of an import":   {file: "a.go", text: "package p\n\nvar api int\n", want: "-"},
	} {
		t.Run(name, func(t *testing.T) {
			tree(t, map[string]string{
				"x.yaml": specText, "go.mod": "module example.com/m\n\ngo 1.21\n", c.file: c.text,
				"strange/s.go": "package intsGrow\n",
				"dot/d.go":     "package dot\n\ntype Ints int\n",
				"api/a.go":     "package api\n",
			})
			o := output(t, discover(t, "x.yaml"), "x.yaml", ".", "x_gen.go",
				c.build+"package p\n\ntype Ints struct{}\n\nfunc (l *Ints) Len() int { return 0 }\n\nfunc intsGrow() {}\n")
			o.Plan.Names = []plan.Name{{Ident: "Ints", Entry: "lists.Ints"}, {Ident: "intsGrow", Entry: "lists.Ints"}}
			o.Plan.Imports = map[string]string{"api": "example.com/m/api"}
			var got []string
			for _, e := range Conflicts([]*Output{o}) {
				got = append(got, e.Error())
			}
			if len(got) == 0 {
				got = faults(t, o)
			}
			switch c.want {
			case "":
				require.Empty(t, got)
			case "-":
				require.Equal(t, []string{"x.yaml:1:1: imports.api: api is also declared by a.go:3:5, in the same package: choose another name"}, got)
			default:
				require.Len(t, got, 1)
				require.Contains(t, got[0], "lists.Ints: "+c.want)
			}
		})
	}
}

func TestTogether(t *testing.T) {
	file := func(name, line string) File { return File{name, []byte(line + "\n\npackage p\n")} }
	plain := []File{file("x_gen.go", "//go:build go1.21")}
	require.True(t, together(file("a_js.go", ""), plain))
	require.True(t, together(file("a_test.go", ""), plain))
	require.True(t, together(file("a.go", "//go:build a && !b && (c || d)"), plain))
	require.False(t, together(file("a.go", "//go:build ignore"), plain))
	require.False(t, together(file("a.go", "//go:build windows && linux"), plain))
	require.False(t, together(file("a_js.go", "//go:build amd64"), plain))
	require.False(t, together(file("a.go", "//go:build a"), []File{file("x_gen.go", "//go:build !a && linux")}))
	require.True(t, together(file("a.go", "//go:build a"), []File{file("y_gen.go", "//go:build !a"), file("x_gen.go", "//go:build linux")}))
}
