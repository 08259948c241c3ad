package spec

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// Odd YAML, written by others: none of it is a spec.
func TestOddYAML(t *testing.T) {
	for _, path := range oddYAML(t) {
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		name := filepath.Base(path)
		_, errs := Parse(name, src)
		require.NotEmpty(t, errs, path)
		line := regexp.MustCompile(`^` + regexp.QuoteMeta(name) + `:[1-9]\d*:[1-9]\d*: \S.*$`)
		for _, e := range errs {
			require.Regexp(t, line, e.Error())
			require.NotContains(t, e.Text, "yaml: ")
		}
		requireInside(t, src, errs)
		require.False(t, IsSpec(src), path)
	}
}

// OddYAML is the documents of the shared data folder.
func oddYAML(t testing.TB) []string {
	data := os.Getenv("ALLOCGEN_DATA")
	if data == "" {
		data = filepath.Join("..", "..", "..", "shared", "data")
	}
	var all []string
	for _, folder := range []string{"shape", "test-suite"} {
		paths, err := filepath.Glob(filepath.Join(data, "yaml", folder, "*.yaml"))
		require.NoError(t, err)
		all = append(all, paths...)
	}
	if len(all) == 0 {
		t.Skip("no shared data: set ALLOCGEN_DATA")
	}
	return all
}

// RequireInside wants every position in the file, or just behind its end.
func requireInside(t testing.TB, src []byte, errs Errors) {
	lines := strings.Split(strings.TrimPrefix(string(src), "\ufeff"), "\n")
	for _, e := range errs {
		require.LessOrEqual(t, 1, e.Pos.Line, "%v", e)
		require.LessOrEqual(t, e.Pos.Line, len(lines), "%v", e)
		require.LessOrEqual(t, 1, e.Pos.Column, "%v", e)
		require.LessOrEqual(t, e.Pos.Column, utf8.RuneCountInString(lines[e.Pos.Line-1])+1, "%v", e)
	}
}
