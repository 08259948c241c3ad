package templates

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/internal/plan"
	"github.com/allocgen/allocgen/internal/spec"
)

// planOf decides a spec.
func planOf(t *testing.T, text string) *plan.Plan {
	t.Helper()
	s, errs := spec.Parse("specs/some.yaml", []byte("allocgen: 1\npackage: some\n"+text+"\n"))
	require.Empty(t, errs)
	p, errs := plan.Build(s, plan.Beside{})
	require.Empty(t, errs)
	return p
}

// TestDeterministic: the same plan gives the same bytes, in spite of the maps
// behind names and holes.
func TestDeterministic(t *testing.T) {
	t.Parallel()
	const text = "inline: call\nheaps: {Heap: {}, Other: {large: go}}\nlists: {Ints: {of: int64, heap: Heap, sizing: cpython}, Words: {of: uint32, heap: Other}}"
	want, err := Render(planOf(t, text))
	require.NoError(t, err)
	for range 5 {
		got, err := Render(planOf(t, text))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

// TestFileNames: a file per concept, named after the spec, each once.
func TestFileNames(t *testing.T) {
	t.Parallel()
	names := func(text string) []string {
		files, err := Render(planOf(t, text))
		require.NoError(t, err)
		var out []string
		for _, f := range files {
			out = append(out, f.Name)
		}
		return out
	}
	heap := []string{"some_heap_gen.go", "some_stats_gen.go", "some_cache_gen.go", "some_bin_gen.go", "some_pool_gen.go", "some_memory_gen.go",
		"some_unix_gen.go", "some_windows_gen.go", "some_goheap_gen.go", "some_table_gen.go"}
	heapTests := []string{"some_gen_test.go", "some_stats_gen_test.go", "some_check_gen_test.go", "some_goheap_gen_test.go"}
	list := []string{"some_list_gen.go", "some_list_gen_test.go"}
	require.ElementsMatch(t, slices.Concat(heap, heapTests), names("heaps: {Heap: {}, Other: {}}"))
	require.ElementsMatch(t, heap, names("tests: false\nheaps: {Heap: {}}"))
	require.NotContains(t, names("heaps: {Heap: {stats: none}}"), "some_stats_gen.go")
	require.ElementsMatch(t, list, names("lists: {Ints: int64, Words: uint8}"))
	require.ElementsMatch(t, []string{"some_object_gen.go", "some_object_gen_test.go", "some_pin_gen.go", "some_nopin_gen.go"},
		names("objects: {A: {of: node, sync: percpu}, B: {of: node, sync: percpu}}"))
	require.ElementsMatch(t, slices.Concat(heap, heapTests, list), names("heaps: {Heap: {}}\nlists: {Ints: int64}"))
}

// TestBuildLines: each file says which Go it needs, for which memory it is where
// it is not for both, and what its spec adds; the condition of the spec stays whole.
func TestBuildLines(t *testing.T) {
	t.Parallel()
	line := func(text, file string) string {
		files, err := Render(planOf(t, text))
		require.NoError(t, err)
		i := slices.IndexFunc(files, func(f File) bool { return f.Name == file })
		require.GreaterOrEqual(t, i, 0)
		first, _, _ := strings.Cut(string(files[i].Source), "\n")
		return first
	}
	require.Equal(t, "//go:build go1.21", line("lists: {Ints: int64}", "some_list_gen.go"))
	const heap = "heaps: {Heap: {}}"
	for _, file := range []string{"some_heap_gen.go", "some_cache_gen.go", "some_table_gen.go", "some_gen_test.go"} {
		require.Equal(t, "//go:build go1.21", line(heap, file))
	}
	for _, file := range []string{"some_bin_gen.go", "some_pool_gen.go", "some_memory_gen.go", "some_check_gen_test.go"} {
		require.Equal(t, "//go:build go1.21 && (linux || darwin || freebsd || windows) && !allocgen_goheap", line(heap, file))
	}
	require.Equal(t, "//go:build go1.21 && (linux || darwin || freebsd) && !allocgen_goheap", line(heap, "some_unix_gen.go"))
	require.Equal(t, "//go:build go1.21 && windows && !allocgen_goheap", line(heap, "some_windows_gen.go"))
	for _, file := range []string{"some_goheap_gen.go", "some_goheap_gen_test.go"} {
		require.Equal(t, "//go:build go1.21 && ((!linux && !darwin && !freebsd && !windows) || allocgen_goheap)", line(heap, file))
	}
	require.Equal(t, "//go:build go1.21 && ((!linux && !darwin && !freebsd && !windows) || allocgen_goheap) && (amd64 || arm64)",
		line("build: amd64 || arm64\n"+heap, "some_goheap_gen.go"))
	const pins = "objects: {A: {of: node, sync: percpu}, B: {of: node, sync: percpu}}"
	require.Equal(t, "//go:build go1.21 && gc && !tinygo && !race && !allocgen_nopin", line(pins, "some_pin_gen.go"))
	require.Equal(t, "//go:build go1.21 && (!gc || tinygo || race || allocgen_nopin) && (amd64 || arm64)",
		line("build: amd64 || arm64\n"+pins, "some_nopin_gen.go"))
	require.Equal(t, "//go:build go1.21", line(pins, "some_object_gen.go"))
	require.Equal(t, "//go:build go1.21", line(heap+"\nlists: {Ints: {of: int64, heap: Heap}}", "some_list_gen.go"))
	require.Equal(t, "//go:build go1.21 && (amd64 || arm64)", line("build: amd64 || arm64\nlists: {Ints: int64}", "some_list_gen_test.go"))
}

// TestBugs: a mistake in a template is an error that says where to look; it
// must never take the tool down, nor pass for an error of the spec.
func TestBugs(t *testing.T) {
	t.Parallel()
	const text = "heaps: {Heap: {}, Other: {}}\nlists: {Ints: {of: int64, heap: Heap}}"
	for _, test := range []struct {
		name string
		bug  func(p *plan.Plan)
		want []string
	}{
		{"a site that the plan does not have", func(p *plan.Plan) {
			p.Heaps[1].Sites = nil
		}, []string{"cache, heap Other", "no site of alloc.fast"}},
		{"a word that the plan does not have", func(p *plan.Plan) {
			p.Heaps[0].Names = maps.Clone(p.Heaps[0].Names)
			delete(p.Heaps[0].Names, "HeapStats")
		}, []string{"stats, heap Heap", "unknown identifier HeapStats"}},
		{"a hole that is no expression", func(p *plan.Plan) {
			for _, s := range p.Lists[0].Sites {
				s.Holes["list"] = "l["
			}
		}, []string{"list, list Ints", `"l["`}},
		{"a bug of Go", func(p *plan.Plan) {
			p.Heaps[0].Sites = p.Heaps[0].Sites[:0]
			p.Heaps[0].Names = nil
			p.Heaps[0].Classes = nil
		}, []string{"heap, heap Heap"}},
	} {
		p := planOf(t, text)
		test.bug(p)
		files, err := Render(p)
		require.Nil(t, files, test.name)
		for _, part := range test.want {
			require.ErrorContains(t, err, part, test.name)
		}
	}
}

// TestWordsInUserText: the user's own words in the package's documentation stay
// as written, though a template would rename some of them.
func TestWordsInUserText(t *testing.T) {
	t.Parallel()
	files, err := Render(planOf(t, "doc: Package some has a Heap of ELEM, heapDepth and PKG.\nheaps: {Buf: {}}"))
	require.NoError(t, err)
	require.Contains(t, string(files[0].Source), "// Package some has a Heap of ELEM, heapDepth and PKG.\n")
}

// TestObjectDocs: the documentation shows what there is: a type in a heap has
// no value of its own and no Trim, a generic one has type arguments.
func TestObjectDocs(t *testing.T) {
	t.Parallel()
	doc := func(text string) string {
		files, err := Render(planOf(t, text))
		require.NoError(t, err)
		before, _, _ := strings.Cut(string(files[0].Source), "\npackage some")
		return before
	}
	heap := doc("heaps: {Heap: {}}\nobjects: {Cells: {of: Cell, heap: Heap, names: {Get: Take}}}")
	require.Contains(t, heap, "p := c.Cells()")
	require.Contains(t, heap, "x := p.Take()")
	for _, not := range []string{"var p", "p.Trim", "Go memory. Those"} {
		require.NotContains(t, heap, not)
	}
	generic := doc("objects:\n  Pool[K ~int]: {of: 'Entry[K]', sync: none}\n  Any[K any]: {of: 'Entry[K]', sync: none}")
	require.Contains(t, generic, "var p some.Pool[K] //")
	require.Contains(t, generic, "var p some.Any[int] //")
	require.NotContains(t, generic, "Objects in a heap")
}

// TestImportNames: what a package calls itself need not be the end of its path,
// in the standard library and in modules without a dot in theirs.
func TestImportNames(t *testing.T) {
	t.Parallel()
	files, err := Render(planOf(t, "imports: {v2: math/rand/v2, api: mymod/api, sync: sync}\nobjects: {A: {of: v2.PCG, sync: mutex}, B: {of: api.T, sync: none}, C: {of: sync.Mutex, sync: none}}"))
	require.NoError(t, err)
	text := string(files[0].Source)
	for _, want := range []string{`v2 "math/rand/v2"`, `api "mymod/api"`, `"sync"`} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, `sync "sync"`)
}
