package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// checked writes x.yaml's output, lets change do its worst, and checks against
// text.
func checked(t *testing.T, text string, change func(path string)) []Finding {
	t.Helper()
	dir := tree(t, map[string]string{"x.yaml": specText})
	_, err := write(t, "x_gen.go", textA)
	require.NoError(t, err)
	change(filepath.Join(dir, "gen", "x_gen.go"))
	found := discover(t)
	findings, err := Check(found, finish(t, output(t, found, "x.yaml", "gen", "x_gen.go", text)))
	require.NoError(t, err)
	return findings
}

func replace(t *testing.T, old, new string) func(string) {
	return func(path string) {
		text := get(t, path)
		require.Contains(t, text, old)
		put(t, path, strings.Replace(text, old, new, 1))
	}
}

func TestCheck(t *testing.T) {
	nothing := func(string) {}
	for name, c := range map[string]struct {
		text   string
		change func(path string)
		kind   Kind
		say    string
		diff   string
	}{
		"missing":         {textA, func(path string) { require.NoError(t, os.Remove(path)) }, Missing, "its spec emits it", "+const A = 1"},
		"broken header":   {textA, replace(t, ": spec ", ": spec 0123456789abcdef body 0123456789abcdef\n//"), Edited, "", ""},
		"edited":          {textA, replace(t, "A = 1", "A = 2"), Edited, "changed by hand", "-const A = 2\n+const A = 1"},
		"edited last":     {textA, replace(t, "A = 1\n", "A = 1"), Edited, "changed by hand", ""},
		"second line":     {textA, replace(t, "// allocgen:", "// Allocgen:"), Edited, "changed by hand", ""},
		"first line":      {textA, replace(t, "DO NOT EDIT.", "DO NOT EDIT"), Edited, "without allocgen's header", ""},
		"drift":           {textB, nothing, Drift, "templates have changed", "-const A = 1\n+const B = 1"},
		"moved":           {textA, replace(t, "../x.yaml", "../w.yaml"), Stale, "made from ../w.yaml, now from ../x.yaml", ""},
		"edited and more": {textB, replace(t, "A = 1", "A = 2"), Edited, "changed by hand", ""},
		"folder": {textA, func(path string) {
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.Mkdir(path, 0o755))
		}, Edited, "a folder is in the place", ""},
	} {
		t.Run(name, func(t *testing.T) {
			findings := checked(t, c.text, c.change)
			require.Len(t, findings, 1)
			f := findings[0]
			require.Equal(t, c.kind, f.Kind)
			require.Equal(t, "gen/x_gen.go", f.File)
			require.Contains(t, f.Text, c.say)
			require.Contains(t, string(f.Diff), c.diff)
		})
	}
}

func TestCheckStale(t *testing.T) {
	dir := tree(t, map[string]string{"x.yaml": specText})
	found := discover(t)
	o := output(t, found, "x.yaml", "gen", "x_gen.go", textA)
	_, err := Write(found, finish(t, o), false)
	require.NoError(t, err)
	path := filepath.Join(dir, "gen", "x_gen.go")
	put(t, path, strings.Replace(get(t, path), ": spec "+o.Spec.Hash(), ": spec 0123456789abcdef", 1))
	findings, err := Check(found, finish(t, o))
	require.NoError(t, err)
	require.Len(t, findings, 1)
	require.Equal(t, "gen/x_gen.go: stale: its spec has changed: run allocgen gen", findings[0].String())
	require.Contains(t, string(findings[0].Diff), "-// allocgen: spec 0123456789abcdef")
}

func TestCheckClean(t *testing.T) {
	require.Empty(t, checked(t, textA, func(string) {}))
	require.Empty(t, checked(t, textA, func(path string) {
		put(t, path, strings.ReplaceAll(get(t, path), "\n", "\r\n"))
	}), "a Windows checkout")
	drift := checked(t, textB, func(path string) {
		put(t, path, strings.ReplaceAll(get(t, path), "\n", "\r\n"))
	})
	require.Equal(t, Drift, drift[0].Kind)
	require.NotContains(t, string(drift[0].Diff), "\r")
}

func TestCheckOrphans(t *testing.T) {
	old := func(spec string) string { return string(withHeader(spec, "0123456789abcdef", []byte("package p\n"))) }
	tree(t, map[string]string{
		"x.yaml":           specText,
		"gen/x_old_gen.go": old("../x.yaml"),
		"gen/user.go":      "package p\n",
		"lost/l_gen.go":    old("../specs/l.yaml"),
	})
	_, err := write(t, "x_gen.go", textA)
	require.NoError(t, err)
	require.NoFileExists(t, "lost/l_gen.go")
	put(t, "gen/x_old_gen.go", old("../x.yaml"))
	put(t, "lost/l_gen.go", old("../specs/l.yaml"))
	found := discover(t)
	findings, err := Check(found, finish(t, output(t, found, "x.yaml", "gen", "x_gen.go", textA)))
	require.NoError(t, err)
	var lines []string
	for _, f := range findings {
		lines = append(lines, f.String())
		require.Contains(t, string(f.Diff), "-package p")
	}
	require.Equal(t, []string{
		"gen/x_old_gen.go: orphan: x.yaml no longer emits it: run allocgen gen, which removes the file",
		"lost/l_gen.go: orphan: specs/l.yaml is gone: run allocgen gen, which removes the file",
	}, lines)
	require.FileExists(t, "lost/l_gen.go")
}
