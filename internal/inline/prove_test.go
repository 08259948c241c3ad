package inline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/internal/generate"
	"github.com/allocgen/allocgen/internal/source"
)

// module makes a module with a list in its package lists, and a package of its
// own that uses it.
func module(t *testing.T, spec, use string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.21\n")
	write(t, dir, "lists/some.yaml", "allocgen: 1\npackage: lists\ntests: false\n"+spec)
	write(t, dir, "use/use.go", use)
	found, err := source.Discover([]string{dir})
	require.NoError(t, err)
	pkgs, err := generate.Packages(found.Specs)
	require.NoError(t, err)
	_, err = source.Write(found, pkgs, false)
	require.NoError(t, err)
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
}

const use = `package use

import "example.com/m/lists"

func helper(l *lists.Ints) int { return l.At(0) }

func calls(l *lists.Ints) int {
	defer l.Append(1)
	go l.Append(2)
	l.
		Append(3)
	f := l.Append
	f(4)
	l.Resize(5)
	func() { l.Append(6) }()
	return helper(l) + helper(l)
}

func repeats(l *lists.Ints, n int) {
	if n > 0 {
		repeats(l, n-1)
	}
	(l.Append)(n)
}

func shapes[T any](l *lists.Ints, v T) T {
	l.Append(7)
	return v
}

func never[T any](l *lists.Ints, v T) T {
	l.Append(8)
	return v
}

var _ = shapes(new(lists.Ints), "")

func big(l *lists.Ints, x int) int {
	l.Append(x)
	x += l.Len()
	BIG
	return x
}
`

// TestSites: every call, found by types and positions, with the reason where it
// was not inlined.
func TestSites(t *testing.T) {
	t.Parallel()
	text := strings.Replace(use, "BIG", strings.Repeat("x += x*x - l.Cap()\n", 700), 1)
	dir := module(t, "lists: {Ints: int}\n", text)
	proof, err := Prove(dir, []string{"./use"}, nil) // lists comes along
	require.NoError(t, err)
	require.True(t, proof.Holds())
	require.Len(t, proof.Runs, 1)
	run := proof.Runs[0]

	type got struct {
		inlined bool
		why     string
	}
	sites := map[string]got{}
	for _, s := range run.Sites {
		if name := s.Place + " " + s.Func; strings.HasPrefix(name, "use/") && s.Func != "Ints.Cap" {
			sites[strings.TrimPrefix(name, "use/use.go:")] = got{s.Inlined, s.Why}
			require.Equal(t, s.Inlined, s.Bytes > 0, name)
		}
	}
	const bigCaller = "the caller is big: over 5000 nodes, where only costs up to 20 are inlined"
	require.Equal(t, map[string]got{
		"5:45 Ints.At":      {true, ""},
		"8:16 Ints.Append":  {true, "in the wrapper that the defer statement calls"},
		"9:13 Ints.Append":  {true, "in the wrapper that the go statement calls"},
		"11:9 Ints.Append":  {true, ""},
		"14:10 Ints.Resize": {false, "may move the items"},
		"15:19 Ints.Append": {true, ""},
		"23:12 Ints.Append": {true, ""},
		"27:10 Ints.Append": {true, ""},
		"32:10 Ints.Append": {false, silent},
		"39:10 Ints.Append": {false, bigCaller},
		"40:12 Ints.Len":    {true, ""},
	}, sites)

	for _, e := range run.Entries {
		switch e.Func {
		case "Ints.Append":
			require.Equal(t, []int{8, 6}, []int{e.Sites, e.Inlined})
			require.Positive(t, e.Bytes)
		case "Ints.At":
			require.Equal(t, 1, e.Sites)
			require.Greater(t, e.Total, 2*e.Bytes, "the helper was inlined twice more")
		case "Ints.Resize":
			require.Equal(t, "may move the items", e.Called)
		}
	}
}

// TestFolders: the go command repeats what it kept with the paths of another
// folder; the proof is the same from everywhere.
func TestFolders(t *testing.T) {
	t.Parallel()
	dir := module(t, "lists: {Ints: int}\n", "package use\n")
	for _, from := range []string{"", "lists", "use"} {
		proof, err := Prove(filepath.Join(dir, from), []string{"example.com/m/lists"}, nil)
		require.NoError(t, err)
		require.True(t, proof.Holds(), "%q: %v", from, proof.Runs[0].Broken)
	}
}

// TestBroken: more inside a fast path than it promises, and entry points that
// are gone.
func TestBroken(t *testing.T) {
	t.Parallel()
	dir := module(t, "lists: {Ints: int}\n", "package use\n")
	path := filepath.Join(dir, "lists", "some_list_gen.go")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	edit := strings.NewReplacer(
		"func (l *Ints) At(i int) int { return l.items()[i] }", "func (l *Ints) At(i int) int { return l.items()[i] + l.items()[i+1] }",
		"func (l *Ints) Len() int { return l.n }", "var kept **int\n\nfunc (l *Ints) Len() int { *kept = new(int); return l.n }",
		") Cap() int", ") Capacity() int",
	)
	write(t, dir, "lists/some_list_gen.go", edit.Replace(string(text)))
	proof, err := Prove(dir, []string{"./..."}, nil)
	require.NoError(t, err)
	require.False(t, proof.Holds())
	var broken []string
	for _, b := range proof.Runs[0].Broken {
		_, what, _ := strings.Cut(b.String(), ": ")
		broken = append(broken, what)
		require.NotEmpty(t, b.Place)
	}
	require.Equal(t, []string{
		"Ints.At: bounds check inside: 2, at most 1 promised",
		"Ints.Len: write barrier inside: 1, at most 0 promised",
		"Ints.Len: escape to the heap inside: 1, at most 0 promised",
		"Ints.Cap: not in the package: run allocgen gen",
	}, broken)
}
