package spec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every document of `bad` is refused with exactly these lines.
func TestBad(t *testing.T) {
	for _, c := range bad {
		_, errs := Parse("a.yaml", []byte(c.src))
		got := strings.ReplaceAll(errs.Error(), "a.yaml:", "")
		require.Equal(t, strings.TrimSpace(c.want), got, "%s", c.src)
		requireInside(t, []byte(c.src), errs)
	}
}

func TestGood(t *testing.T) {
	for _, c := range good {
		s, errs := Parse("a.yaml", []byte(c.src))
		require.Empty(t, errs, c.src)
		require.NotNil(t, s)
		require.True(t, IsSpec([]byte(c.src)))
		requireSound(t, s)
		if c.check != nil {
			c.check(t, s)
		}
	}
}

var general = Heap{
	Name: "Heap", Inline: Inline{Fast, Fast}, Threshold: 32768,
	Classes: Classes{Min: 16, Step: 16, To: 1024, PerDoubling: 4},
	Large:   "pages", Align: 16, Depth: Depth{All: 64}, Pool: 16384, Arena: 1 << 20, Retain: 1 << 20, Cap: "class",
	Sync: "cache", Bin: "stack", DoubleFree: "flush", Stats: "basic", Zero: "never",
}

var good = []struct {
	src   string
	check func(*testing.T, *Spec)
}{
	{"allocgen: 1\npackage: buf\nheaps:\n  Heap: {}\n", func(t *testing.T, s *Spec) {
		require.Equal(t, "a.yaml", s.File)
		require.Equal(t, "buf", s.Package)
		require.Equal(t, ".", s.Out)
		require.True(t, s.Tests)
		require.Equal(t, Inline{Fast, Fast}, s.Inline)
		require.Equal(t, []Heap{general}, s.Heaps)
		require.Equal(t, Pos{"a.yaml", 4, 3}, s.At("heaps.Heap.depth"))
		require.Equal(t, Pos{"a.yaml", 1, 1}, s.At("nothing"))
	}},
	{"\ufeff# first\r\n\r\nallocgen: 1\r\npackage: buf\r\nlists: {Ints: int64}\r\n", func(t *testing.T, s *Spec) {
		require.Equal(t, []List{{Name: "Ints", Inline: Inline{Fast, Fast}, Of: "int64", Sizing: "double"}}, s.Lists)
		require.Equal(t, Pos{"a.yaml", 5, 9}, s.At("lists.Ints.of"))
	}},
	{`allocgen: 1
package: pylist
out: ./../generated//pylist/
doc: |
  Lists as CPython has them.

  	Second paragraph.
build: "linux  &&  (amd64)"
tests: false
imports: {}
inline: {free: call}
lists:
  Ints: {of: int64, heap: obmalloc, sizing: cpython, inline: call}
  Floats: {of: float64, heap: obmalloc, sizing: cpython2}
heaps:
  obmalloc:
    threshold: 512
    classes: {min: 16, step: 16, to: 512}
    large: go
    depth: {64: 16, all: 32, 16: 8}
`, func(t *testing.T, s *Spec) {
		require.Equal(t, "../generated/pylist", s.Out)
		require.Equal(t, "Lists as CPython has them.\n\n\tSecond paragraph.", s.Doc)
		require.Equal(t, "linux && amd64", s.Build)
		require.False(t, s.Tests)
		require.Equal(t, Inline{Fast, Call}, s.Heaps[0].Inline)
		require.Equal(t, Classes{Min: 16, Step: 16, To: 512, PerDoubling: 4}, s.Heaps[0].Classes)
		require.Equal(t, Depth{32, []ClassDepth{{16, 8}, {64, 16}}}, s.Heaps[0].Depth)
		require.Equal(t, Inline{Call, Call}, s.Lists[0].Inline)
		require.Equal(t, Inline{Fast, Call}, s.Lists[1].Inline)
		require.Equal(t, "obmalloc", s.Lists[0].Heap)
		require.Equal(t, Pos{"a.yaml", 20, 13}, s.At("heaps.obmalloc.depth.64"))
	}},
	{"allocgen: 1\npackage: p\nheaps:\n  A: {threshold: 512}\n  B: {align: 64}\n  C: {align: 4KiB, threshold: 4096}\n  D: {align: 8, classes: [8, 24, 1KiB]}\n  E: {classes: [16, 32], threshold: 32}\n", func(t *testing.T, s *Spec) {
		require.Equal(t, Classes{Min: 16, Step: 16, To: 512, PerDoubling: 4}, s.Heaps[0].Classes)
		require.Equal(t, Classes{Min: 64, Step: 64, To: 1024, PerDoubling: 4}, s.Heaps[1].Classes)
		require.Equal(t, Classes{Min: 4096, Step: 4096, To: 4096, PerDoubling: 4}, s.Heaps[2].Classes)
		require.Equal(t, Classes{Sizes: []int{8, 24, 1024}}, s.Heaps[3].Classes)
		require.Equal(t, 1024, s.Heaps[3].Threshold)
		require.Equal(t, Pos{"a.yaml", 7, 30}, s.At("heaps.D.classes.1"))
	}},
	{"allocgen: 1\npackage: main\nheaps:\n  A: &a {pool: 32KiB, stats: basic}\n  B: *a\n  \"N\": {}\n  Größe: {}\n", func(t *testing.T, s *Spec) {
		require.Equal(t, 32768, s.Heaps[1].Pool)
		require.Equal(t, "N", s.Heaps[2].Name)
	}},
	{"allocgen: 1\npackage: \"no\"\ndoc: \"yes\"\nlists:\n  Ints: {of: uint8}\n...\n", nil},
	{"allocgen: 1\npackage: p\nheaps: {Heap: {sync: cache, bin: stack, double_free: flush, stats: basic, large: pages, arena: 64KiB}}", nil},
}

// Two spellings of one spec have one hash; another spec has another.
func TestHash(t *testing.T) {
	hash := func(file, src string) string {
		s, errs := Parse(file, []byte(src))
		require.Empty(t, errs, src)
		return s.Hash()
	}
	a := hash("a.yaml", "allocgen: 1\npackage: p\nheaps:\n  Heap: {threshold: 32KiB, depth: {all: 64}, inline: {alloc: fast}}\nlists:\n  Ints: int64\n")
	b := hash("x/b.yaml", "# same\nallocgen: 1\npackage: \"p\"\ntests: true\nlists: {Ints: {sizing: double, of: int64}}\nout: ./\nheaps:\n  Heap:\n    threshold: 32768B\n    classes: {step: 16}\n")
	require.Regexp(t, "^[0-9a-f]{16}$", a)
	require.Equal(t, a, b)
	require.NotEqual(t, a, hash("a.yaml", "allocgen: 1\npackage: p\nheaps:\n  Heap: {}\nlists:\n  Ints: uint64\n"))
}

func TestIsSpec(t *testing.T) {
	for _, src := range []string{"allocgen: 1", "allocgen:", "\ufeffallocgen: 1", "# a\n\n \t\n  # b\r\nallocgen: 9\n", "\r\nallocgen: 1\r\n"} {
		require.True(t, IsSpec([]byte(src)), "%q", src)
	}
	for _, src := range []string{"", "# allocgen: 1", "---\nallocgen: 1", " allocgen: 1", "\"allocgen\": 1", "allocgen : 1", "{allocgen: 1}", "a: 1\nallocgen: 1", "Allocgen: 1"} {
		require.False(t, IsSpec([]byte(src)), "%q", src)
	}
}

// Files on Windows have the same positions.
func TestFile(t *testing.T) {
	_, errs := Parse("specs/a.yaml", nil)
	require.EqualError(t, errs, "specs/a.yaml:1:1: the file is empty: a spec starts with allocgen: 1")
}

// A spec with errors has defaults where they are, and no entry that is broken.
func TestRepaired(t *testing.T) {
	s, errs := Parse("a.yaml", []byte("allocgen: 1\npackage: 1\nout: /\nheaps:\n  Heap: {align: 3, pool: 5, arena: 9, threshold: 64K, classes: [1], depth: 7, large: x, sync: mutexes}\n  type: {}\n  Bad: none\nlists:\n  A: {of: int64, heap: Bad}\n  B: string\n  C: {of: int8, heap: Heap}\n"))
	require.Len(t, errs, 13)
	require.Equal(t, []Heap{general}, s.Heaps)
	require.Equal(t, "", s.Package)
	require.Equal(t, ".", s.Out)
	require.Equal(t, []string{"A", "C"}, []string{s.Lists[0].Name, s.Lists[1].Name})
	require.Equal(t, []string{"", "Heap"}, []string{s.Lists[0].Heap, s.Lists[1].Heap})
}

// Folders and expressions next to those that are refused.
func TestAllowed(t *testing.T) {
	for _, out := range []string{".", "..", "../..", "./a//b/", "a/../b", "com1x", "a..b", "1x", "x.go", "a~b", "A_b-c", "testdata2", "../internal/x"} {
		_, errs := Parse("a.yaml", []byte(top("package: p\nout: "+out)))
		require.Empty(t, errs, out)
	}
	for _, build := range []string{"unix", "android", "linux || windows", "'!windows'", "amd64 || arm64", "cgo && !race", "windows", "'!linux'"} {
		_, errs := Parse("a.yaml", []byte(top("package: p\nbuild: "+build)))
		require.Empty(t, errs, build)
	}
	for _, build := range []string{"windows", "ios && darwin", "illumos && solaris", "'!unix'", "gopher", "a && b && c && d && e && f && g && h && i && j && k && l && m && !a"} {
		_, errs := Parse("a.yaml", []byte(spec("build: "+build+"\nlists: {A: int8}")))
		require.Empty(t, errs, build)
	}
}

// A spec with too many entries keeps the first ones of the file, and says so
// once.
func TestTooMany(t *testing.T) {
	entries := func(section, value string, n int) string {
		var b strings.Builder
		b.WriteString(section + ":\n")
		for i := range n {
			fmt.Fprintf(&b, "  %s%d: %s\n", strings.ToUpper(section[:1]), i, value)
		}
		return b.String()
	}
	lists, heaps := entries("lists", "{of: int8, heap: H299}", 10), entries("heaps", "{}", 300)
	s, errs := Parse("a.yaml", []byte(spec(lists+heaps)))
	require.EqualError(t, errs, "a.yaml:69:3: heaps.H54: a spec has at most 64 entries: split it into several files")
	require.Len(t, s.Heaps, 54)
	require.Len(t, s.Lists, 10)
	_, errs = Parse("a.yaml", []byte(spec(entries("heaps", "{}", 54)+entries("lists", "int8", 10))))
	require.Empty(t, errs)
	_, errs = Parse("a.yaml", []byte(spec(entries("heaps", "{}", 54)+entries("lists", "int8", 12))))
	require.EqualError(t, errs, "a.yaml:69:3: lists.L10: a spec has at most 64 entries: split it into several files")
}

// What would cost too much is refused in little time, with one error.
func TestUnusable(t *testing.T) {
	bomb := "allocgen: 1\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for _, level := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"} {
		below := "*a" + string(level[0]-1)
		bomb += "a" + level + ": &a" + level + " [" + below + strings.Repeat(", "+below, 9) + "]\n"
	}
	large := "allocgen: 1\n" + strings.Repeat("#", maxFile)
	for src, want := range map[string]string{
		bomb:  "a.yaml:5:45: more than 10000 values, aliases included",
		large: "a.yaml:1:1: the file has 262156 bytes: a spec has at most 256KiB",
		"allocgen: 1\nx: " + strings.Repeat("[", 20000): "a.yaml:2:1: not YAML: exceeded max depth of 10000",
		"allocgen: 1\n# a\xff\n":                        "a.yaml:2:4: invalid UTF-8: save the file as UTF-8",
	} {
		s, errs := Parse("a.yaml", []byte(src))
		require.Nil(t, s)
		require.EqualError(t, errs, want)
	}
	require.True(t, IsSpec([]byte(large)))
}
