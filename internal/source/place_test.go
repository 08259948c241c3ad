package source

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/internal/plan"
	"github.com/allocgen/allocgen/internal/spec"
)

func TestLocate(t *testing.T) {
	dir := tree(t, map[string]string{
		"m/go.mod":        "module example.com/m\n",
		"m/specs/x.yaml":  specText,
		"m/file":          "",
		"m/nested/go.mod": "module example.com/nested\n",
		"m/real/y":        "",
	})
	symlink(t, dir, filepath.Join(dir, "m", "escape"))
	symlink(t, filepath.Join(dir, "m", "real"), filepath.Join(dir, "m", "alias"))
	symlink(t, filepath.Join(dir, "gone"), filepath.Join(dir, "m", "dangling"))
	f := discover(t, "m/specs/x.yaml").Specs[0]
	for _, c := range []struct{ out, dir, spec, problem string }{
		{out: ".", dir: "m/specs", spec: "x.yaml"},
		{out: "../generated/x", dir: "m/generated/x", spec: "../../specs/x.yaml"},
		{out: "..", dir: "m", spec: "specs/x.yaml"},
		{out: "../alias/new", dir: "m/real/new", spec: "../../specs/x.yaml"},
		{out: "../..", problem: "out: ../.. is ., outside the module in m"},
		{out: "../../m2", problem: "out: ../../m2 is m2, outside the module in m"},
		{out: "../escape/new", problem: "out: ../escape/new is new, outside the module in m"},
		{out: "../nested/gen", problem: "out: ../nested/gen is in another module, the one in m/nested"},
		{out: "../file", problem: "out: ../file leads to a file: a folder is needed"},
		{out: "../file/gen", problem: "out: ../file/gen leads to a file: a folder is needed"},
		{out: "../dangling/gen", problem: "symbolic link to nowhere"},
		{out: "/tmp", problem: "out: /tmp is absolute: it is relative to the spec's own folder"},
	} {
		place, errs := Locate(f, &spec.Spec{File: f.Name, Out: c.out})
		if c.problem != "" {
			require.ErrorContains(t, errs, c.problem, c.out)
			require.ErrorContains(t, errs, "m/specs/x.yaml:1:1: out: ")
			continue
		}
		require.Empty(t, errs, c.out)
		require.Equal(t, Place{filepath.Join(dir, c.dir), c.spec}, place, c.out)
	}
}

func TestLocateWithoutModule(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "x.yaml"), specText)
	f := discover(t, filepath.Join(dir, "x.yaml")).Specs[0]
	_, errs := Locate(f, &spec.Spec{Out: "."})
	require.ErrorContains(t, errs, "no go.mod in the spec's folder or above")
}

func TestLocateRefusesNames(t *testing.T) {
	dir := tree(t, nil)
	problem := func(name string) string {
		_, errs := Locate(SpecFile{Path: filepath.Join(dir, name)}, &spec.Spec{File: "s.yaml", Out: "."})
		return errs.Error()
	}
	require.Contains(t, problem("a\nb.yaml"), `s.yaml:1:1: the path of the spec, "a\nb.yaml", cannot stand in a comment`)
	require.Contains(t, problem("a\xff.yaml"), `cannot stand in a comment`)
	for _, base := range []string{
		"", "_x", ".x", "-x", "x_windows.v2", "x.y", "x y", "x'", `x"`, "x:y", "x*", "x+", "x#", "e\u0301",
	} {
		for _, ext := range []string{".yaml", ".yml"} {
			require.Equal(t, fmt.Sprintf("s.yaml:1:1: the names of the output files start with the name of the spec, and %q does not do for that: "+
				"use letters, digits, '_' and '-', and a letter or digit first", base), problem(base+ext))
		}
	}
	for _, name := range []string{"x.yaml", "1.yml", "X_y-z.yaml", "\u00e9t\u00e9.yaml", "x_windows.yaml", "noext", "x.conf"} {
		require.Empty(t, problem(name), name)
	}
}

func TestConflicts(t *testing.T) {
	tree(t, map[string]string{"a/x.yaml": specText, "b/X.yaml": specText, "c/y.yaml": specText})
	found := discover(t)
	a := output(t, found, "a/x.yaml", "../gen", "x_gen.go", "")
	b := output(t, found, "b/X.yaml", "../gen", "X_gen.go", "")
	c := output(t, found, "c/y.yaml", "../gen", "y_gen.go", "")
	a.Plan.Names = []plan.Name{{Ident: "Heap", Entry: "heaps.Heap"}, {Ident: "HeapBin", Entry: "heaps.Heap"}}
	b.Plan.Names = []plan.Name{{Ident: "Other", Entry: "heaps.Other"}}
	c.Plan.Names = a.Plan.Names
	require.EqualError(t, Conflicts([]*Output{a, b, c}), ""+
		"b/X.yaml:1:1: out: would write gen/X_gen.go, as a/x.yaml:1:1 does: rename one of the two specs, or give it another folder\n"+
		"c/y.yaml:1:1: heaps.Heap: Heap is also declared by a/x.yaml:1:1 (heaps.Heap), in the same package")

	c.Plan.Names = nil
	c.Spec.Package = "q"
	require.EqualError(t, Conflicts([]*Output{a, c}),
		"c/y.yaml:1:1: package: q, but a/x.yaml:1:1 says p and writes to the same folder, gen")

	elsewhere := output(t, found, "c/y.yaml", "../other", "x_gen.go", "")
	elsewhere.Plan.Names = a.Plan.Names
	elsewhere.Spec.Package = "q"
	require.Empty(t, Conflicts([]*Output{a, elsewhere}))
}
