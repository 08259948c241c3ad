package plan

import (
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/allocgen/allocgen/internal/spec"
)

// entryNames are the identifiers of an entry with this key, once as a heap and
// once as a list, by their word; none when the key is refused.
func entryNames(key string) []map[string]string {
	var out []map[string]string
	for _, text := range []string{"heaps: {'" + key + "': {}}\n", "lists: {'" + key + "': int64}\n"} {
		s, errs := spec.Parse("p.yaml", []byte(head+text))
		if len(errs) > 0 {
			continue
		}
		p, errs := Build(s, Beside{})
		if len(errs) > 0 {
			continue
		}
		for _, h := range p.Heaps {
			out = append(out, h.Names)
		}
		for _, l := range p.Lists {
			out = append(out, l.Names)
		}
	}
	return out
}

// Keys that the format accepts, or nearly: the first letter has a case.
var keys = rapid.Custom(func(t *rapid.T) string {
	first := rapid.RuneFrom([]rune("AZaz"), unicode.Lu, unicode.Ll).Draw(t, "first")
	rest := rapid.StringOfN(rapid.RuneFrom([]rune("aZ0_"), unicode.Letter), 0, 5, -1).Draw(t, "rest")
	return string(first) + rest
})

// TestNamesOfAnEntry: nothing else keeps an entry's own identifiers apart, and
// without the entry's key in front two specs could not share a package.
func TestNamesOfAnEntry(t *testing.T) {
	t.Parallel()
	// The last two have a first letter without a partner in the other case.
	for _, key := range []string{"Heap", "heap", "ßig", "𝜬"} {
		for _, names := range entryNames(key) {
			require.Empty(t, checkEntryNames(key, names))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		key := keys.Draw(t, "key")
		for _, names := range entryNames(key) {
			if problem := checkEntryNames(key, names); problem != "" {
				t.Fatal(problem)
			}
		}
	})
}

func checkEntryNames(key string, names map[string]string) string {
	seen := map[string]string{}
	for _, word := range slices.Sorted(maps.Keys(names)) {
		ident := names[word]
		if other, ok := seen[ident]; ok {
			return ident + ": both " + word + " and " + other
		}
		seen[ident] = word
		if !token.IsIdentifier(ident) {
			return ident + ": no identifier"
		}
		if strings.HasPrefix(word, "Test") || strings.HasPrefix(word, "Benchmark") || word == "NewList" {
			continue
		}
		if !strings.HasPrefix(ident, key) && !strings.HasPrefix(ident, lowerFirst(key)) {
			return ident + " does not start with the key " + key
		}
		if exported := token.IsExported(word) && token.IsExported(key); token.IsExported(ident) != exported {
			return fmt.Sprintf("%s for %s, of the entry %s: exported should be %v", ident, word, key, exported)
		}
	}
	return ""
}

// TestNewList: the method that makes a list is exported exactly when the list
// is.
func TestNewList(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{"Ints": "NewInts", "ints": "newInts", "eté": "newEté", "Ints_": "NewInts_"} {
		require.Equal(t, want, entryNames(key)[1]["NewList"])
	}
}

// TestTestNames: the go command runs, and vet accepts, only tests whose name
// goes on without a small letter after Test, whatever the entry's first letter.
func TestTestNames(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"Heap", "heap", "H", "h", "hß"} {
		for _, names := range entryNames(key) {
			for word, ident := range names {
				for _, prefix := range []string{"Test", "Benchmark"} {
					if strings.HasPrefix(word, prefix) {
						require.True(t, strings.HasPrefix(ident, prefix), ident)
						next, _ := utf8.DecodeRuneInString(strings.TrimPrefix(ident, prefix))
						require.False(t, unicode.IsLower(next), "%s: the go command does not run it", ident)
					}
				}
			}
		}
	}
}

// TestSpelling is the golden of how words become identifiers.
func TestSpelling(t *testing.T) {
	t.Parallel()
	words := []string{"Heap", "HeapBin", "heapDepth", "TestHeapSizes", "BenchmarkHeap"}
	spell := func(key string) []string {
		var out []string
		for _, w := range words {
			out = append(out, heapNames(spec.Heap{Name: key}, false)[w])
		}
		return out
	}
	require.Equal(t, words, spell("Heap"))
	require.Equal(t, []string{"Buf", "BufBin", "bufDepth", "TestBufSizes", "BenchmarkBuf"}, spell("Buf"))
	require.Equal(t, []string{"buf", "bufBin", "bufDepth", "TestBufSizes", "BenchmarkBuf"}, spell("buf"))
	require.Equal(t, []string{"listItem", "listItemBin", "listItemDepth", "TestListItemSizes", "BenchmarkListItem"}, spell("listItem"))
	require.Equal(t, "RunList", listNames("RunList")["List"])
	require.Equal(t, "TestRunListRandom", listNames("RunList")["TestListRandom"])
}

// TestNames: the plan's list has each entry's identifiers, in the order of the
// entries, and those of tests only where there are tests.
func TestNames(t *testing.T) {
	t.Parallel()
	const entries = "heaps: {Heap: {}}\nlists: {ints: {of: int64, heap: Heap}}"
	p := build(t, entries)
	var heap, list []string
	for _, n := range p.Names {
		switch n.Entry {
		case "heaps.Heap":
			require.Empty(t, list, "heaps come first")
			heap = append(heap, n.Ident)
		case "lists.ints":
			list = append(list, n.Ident)
		default:
			t.Fatalf("%s: an entry %s", n.Ident, n.Entry)
		}
	}
	for ident, names := range map[string][]string{"Heap": heap, "ints": list} {
		require.Contains(t, names, ident)
		require.NotContains(t, names, "", ident)
		require.Len(t, slices.Compact(slices.Sorted(slices.Values(names))), len(names), ident)
	}
	require.Contains(t, heap, "TestHeapRandom")
	require.Contains(t, list, "BenchmarkInts")
	require.NotContains(t, list, "newInts", "a method")

	for _, n := range build(t, "tests: false\n"+entries).Names {
		require.NotContains(t, []string{"TestHeapRandom", "heapCheck", "TestIntsRandom", "BenchmarkInts"}, n.Ident)
	}
}

// TestListNamesReachHeap: a list's functions speak of its heap's types, so that
// its names are in the list's map, and a list's own win over none of them.
func TestListNamesReachHeap(t *testing.T) {
	t.Parallel()
	p := build(t, "heaps: {Buf: {}}\nlists: {Ints: {of: int64, heap: Buf}, Words: uint32}")
	require.Subset(t, p.Lists[0].Names, listNames("Ints"))
	require.Subset(t, p.Lists[0].Names, heapNames(spec.Heap{Name: "Buf"}, false))
	require.Subset(t, p.Lists[1].Names, listNames("Words"))
	require.NotContains(t, p.Lists[1].Names, "Heap", "a list in Go memory has no heap")
	require.Equal(t, heapNames(spec.Heap{Name: "Buf"}, false), p.Heaps[0].Names)
}

// TestLocals: an unexported entry whose name functions of the output declare
// themselves, or that is a package they import, would be hidden inside them.
// This test changes what others read, so it runs before the parallel ones.
func TestLocals(t *testing.T) {
	before := locals
	defer func() { locals = before }()
	locals = []string{"bin", "sync"}
	require.Equal(t, []string{
		"p.yaml:3:9: heaps.bin: the output uses bin for itself; choose a longer name",
		"p.yaml:4:9: lists.sync: the output uses sync for itself; choose a longer name",
	}, problems(t, "heaps: {bin: {}}\nlists: {sync: int64, bins: int64}"))
	require.Empty(t, problems(t, "heaps: {Bin: {}}\nlists: {Sync: int64}"), "exported names are no locals")

	locals = before
	for _, name := range before {
		require.True(t, token.IsIdentifier(name), name)
		require.NotEmpty(t, problems(t, "lists: {'"+name+"': int64}"), name)
	}
}
