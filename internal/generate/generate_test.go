package generate

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/internal/source"
	"github.com/allocgen/allocgen/internal/spec"
)

// module makes a module with these specs.
func module(t *testing.T, specs map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n"), 0o644))
	for name, text := range specs {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

func packages(t *testing.T) ([]*source.Package, error) {
	t.Helper()
	found, err := source.Discover(nil)
	require.NoError(t, err)
	return Packages(found.Specs)
}

func TestOutputIsTheSameFromEverywhere(t *testing.T) {
	dir := module(t, map[string]string{
		"specs/a.yaml": "allocgen: 1\npackage: p\nout: ../gen\nlists: {A: int64}\n",
		"specs/b.yaml": "allocgen: 1\npackage: p\nout: ../gen\nlists: {B: int32}\n",
		"c/c.yaml":     "allocgen: 1\npackage: c\nlists: {C: uint8}\n",
	})
	t.Chdir(dir)
	want, err := packages(t)
	require.NoError(t, err)
	require.Len(t, want, 2)
	require.Equal(t, "c", want[0].Name)
	require.Equal(t, "gen", want[1].Name)

	t.Chdir(filepath.Join(dir, "specs"))
	got, err := packages(t)
	require.NoError(t, err)
	for i := range want {
		require.Equal(t, want[i].Files, got[i].Files)
	}
}

func TestErrorsOfAllFiles(t *testing.T) {
	t.Chdir(module(t, map[string]string{
		"a.yaml": "allocgen: 1\npackage: p\nout: ../..\nlists: {A: int65}\n",
		"b.yaml": "allocgen: 1\npackage: p\n{\n",
		"c.yaml": "allocgen: 1\npackage: p\nout: gen\nlists: {C: int64}\n",
		"d.yaml": "allocgen: 1\npackage: q\nout: gen\nlists: {D: int64}\n",
	}))
	pkgs, err := packages(t)
	require.Nil(t, pkgs)
	var errs spec.Errors
	require.ErrorAs(t, err, &errs)
	var files []string
	for _, e := range errs {
		files = append(files, e.Pos.File)
	}
	require.Subset(t, files, []string{"a.yaml", "b.yaml", "d.yaml"})
	require.IsNonDecreasing(t, files)
	require.ErrorContains(t, err, "a.yaml:3:1: out: ../.. is ")
	require.ErrorContains(t, err, "d.yaml:2:1: package: q, but c.yaml:2:1 says p")
}
