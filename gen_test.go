// Package allocgen_test holds the checked-in output against its specs: drift,
// determinism, the identity of all splices, and what compiler and tools say.
package allocgen_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/internal/generate"
	"github.com/allocgen/allocgen/internal/plan"
	"github.com/allocgen/allocgen/internal/source"
	"github.com/allocgen/allocgen/internal/spec"
)

//go:generate go run ./cmd/allocgen gen . bench

// TestRegenerate holds that the checked-in packages are what their specs make,
// both ways: nothing differs, nothing is missing, nothing is left over.
func TestRegenerate(t *testing.T) {
	t.Parallel()
	for _, root := range []string{".", "bench"} {
		module := t.TempDir()
		copyTree(t, filepath.Join(root, "specs"), filepath.Join(module, "specs"))
		copyOwn(t, filepath.Join(root, "generated"), filepath.Join(module, "generated"))
		writeFile(t, filepath.Join(module, "go.mod"), "module regenerated\n\ngo 1.24\n")
		allocgen(t, module, "gen")

		want := generatedFiles(t, filepath.Join(root, "generated"))
		got := generatedFiles(t, filepath.Join(module, "generated"))
		for name := range got {
			require.Contains(t, want, name, "not checked in")
		}
		for name, text := range want {
			require.Contains(t, got, name, "checked in, but no spec emits it")
			require.Equal(t, got[name], text, "%s: run go generate", name)
		}
	}
}

// TestDeterministic renders everything twice, in two orders.
func TestDeterministic(t *testing.T) {
	t.Parallel()
	found := discover(t)
	once := render(t, found)
	slices.Reverse(found)
	twice := render(t, found)
	require.Equal(t, once, twice)
	require.NotEmpty(t, once)
	for name, text := range once {
		for _, leftover := range []string{"TODO", "%!", "<nil>", "PKG", "ELEM"} {
			require.NotContains(t, text, leftover, name)
		}
	}
}

// TestMatrix compiles, vets and tests packages far from the default numbers:
// called paths, every sizing rule, odd classes, several heaps in one package, in
// both kinds of memory. Beside its own tests each gets those of testdata/extra.
func TestMatrix(t *testing.T) {
	t.Parallel()
	module := t.TempDir()
	copyTree(t, filepath.Join("testdata", "specs"), filepath.Join(module, "specs"))
	copyOwn(t, filepath.Join("testdata", "own"), filepath.Join(module, "own"))
	writeFile(t, filepath.Join(module, "go.mod"), "module matrix\n\ngo 1.21\n")
	allocgen(t, module, "gen")
	allocgen(t, module, "check")
	walk(t, filepath.Join("testdata", "extra"), func(path string, text []byte) {
		pkg, _, _ := strings.Cut(path, "_")
		writeFile(t, filepath.Join(module, "out", pkg, path), string(text))
	})
	for _, tags := range []string{"-tags=", "-tags=allocgen_goheap"} {
		run(t, module, "go", "vet", tags, "./...")
		run(t, module, "go", "test", tags, "./...")
	}
}

// discover finds the specs whose output is checked in or tested.
func discover(t *testing.T) []source.SpecFile {
	t.Helper()
	found, err := source.Discover([]string{"specs", "bench/specs", "testdata/specs", "testdata/own"})
	require.NoError(t, err)
	return found.Specs
}

// plans decides all specs.
func plans(t *testing.T) []*plan.Plan {
	t.Helper()
	var out []*plan.Plan
	for _, f := range discover(t) {
		s, errs := spec.Parse(f.Name, f.Text)
		require.Empty(t, errs)
		place, errs := source.Locate(f, s)
		require.Empty(t, errs)
		p, errs := plan.Build(s, source.Beside(place))
		require.Empty(t, errs)
		out = append(out, p)
	}
	return out
}

// render gives the finished files of specs, by package and name.
func render(t *testing.T, specs []source.SpecFile) map[string]string {
	t.Helper()
	pkgs, err := generate.Packages(specs)
	require.NoError(t, err)
	out := map[string]string{}
	for _, p := range pkgs {
		for _, f := range p.Files {
			out[p.Name+"/"+f.Name] = string(f.Source)
		}
	}
	return out
}

// allocgen runs the tool in a folder, which must succeed.
func allocgen(t *testing.T, dir string, args ...string) {
	t.Helper()
	run(t, dir, built, args...)
}

// built is the path of the tool, for all tests.
var built string

// TestMain builds the tool once for all tests.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "allocgen")
	if err != nil {
		panic(err)
	}
	built = filepath.Join(dir, "allocgen")
	out, err := exec.Command("go", "build", "-o", built, "./cmd/allocgen").CombinedOutput()
	if err != nil {
		os.Stderr.Write(out)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// run is a command that must succeed; its output comes back.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	require.NoError(t, cmd.Run(), "%s %s\n%s", name, strings.Join(args, " "), &out)
	return out.String()
}

// generatedFiles reads the generated files below a folder: those with a header.
func generatedFiles(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	walk(t, root, func(path string, text []byte) {
		if bytes.HasPrefix(text, []byte("// Code generated by allocgen ")) {
			out[path] = string(text)
		}
	})
	require.NotEmpty(t, out)
	return out
}

// copyOwn copies packages without what is generated in them.
func copyOwn(t *testing.T, from, to string) {
	t.Helper()
	walk(t, from, func(path string, text []byte) {
		if !bytes.HasPrefix(text, []byte("// Code generated by allocgen ")) {
			writeFile(t, filepath.Join(to, path), string(text))
		}
	})
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	walk(t, from, func(path string, text []byte) {
		writeFile(t, filepath.Join(to, path), string(text))
	})
}

// walk visits the files below a folder, by their path in it.
func walk(t *testing.T, root string, visit func(path string, text []byte)) {
	t.Helper()
	require.NoError(t, fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(root, path))
		visit(path, text)
		return err
	}))
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
}
