package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDerived: what is checked in is what derive writes, and differs from the
// generated package in two pragmas alone.
func TestDerived(t *testing.T) {
	t.Chdir("..")
	for _, name := range packages {
		files, err := derive(name)
		require.NoError(t, err)
		pragmas := 0
		for file, want := range files {
			got, err := os.ReadFile(filepath.Join("derived", name, file))
			require.NoError(t, err)
			require.Equal(t, want, string(got), "run go run ./derive in bench")
			generated, err := os.ReadFile(filepath.Join("generated", name, file))
			require.NoError(t, err)
			pragmas += strings.Count(string(generated), "//go:noinline") - strings.Count(want, "//go:noinline")
		}
		require.Equal(t, 2, pragmas)
		there, err := os.ReadDir(filepath.Join("derived", name))
		require.NoError(t, err)
		require.Len(t, there, len(files))
	}
}
