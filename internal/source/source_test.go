package source

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/internal/plan"
	"github.com/allocgen/allocgen/internal/spec"
)

const specText = "allocgen: 1\npackage: p\n"

// tree makes a folder with these files, a module unless files says otherwise,
// and the working directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	if _, ok := files["go.mod"]; !ok {
		put(t, filepath.Join(dir, "go.mod"), "module example.com/m\n")
	}
	for name, text := range files {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	t.Chdir(dir)
	return dir
}

func put(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func get(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

func symlink(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip("no right to make symbolic links")
		}
		require.NoError(t, err)
	}
}

// output is what the stages before this one make of a spec: package p, and
// files as name, text, name, text.
func output(t *testing.T, found *Found, name, out string, files ...string) *Output {
	t.Helper()
	for _, f := range found.Specs {
		if f.Name != name {
			continue
		}
		s := &spec.Spec{File: name, Package: "p", Out: out}
		place, errs := Locate(f, s)
		require.Empty(t, errs)
		o := &Output{Spec: s, Plan: &plan.Plan{Package: "p"}, Place: place}
		for i := 0; i < len(files); i += 2 {
			o.Files = append(o.Files, File{files[i], []byte(files[i+1])})
		}
		return o
	}
	require.Fail(t, "no spec "+name)
	return nil
}

func discover(t *testing.T, args ...string) *Found {
	t.Helper()
	found, err := Discover(args)
	require.NoError(t, err)
	return found
}

func finish(t *testing.T, outs ...*Output) []*Package {
	t.Helper()
	pkgs, err := Finish(outs)
	require.NoError(t, err)
	return pkgs
}

// write discovers and writes x.yaml's output into gen/.
func write(t *testing.T, files ...string) ([]Change, error) {
	t.Helper()
	found := discover(t)
	return Write(found, finish(t, output(t, found, "x.yaml", "gen", files...)), false)
}

// names is the content of a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}
