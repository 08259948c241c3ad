package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// show spells sites, a line each: where, what, how, and the holes.
func show(sites []Site) string {
	var lines []string
	for _, s := range sites {
		line := fmt.Sprintf("%s: %s %s", s.In, s.Form, s.Golden())
		for _, hole := range slices.Sorted(maps.Keys(s.Holes)) {
			line += fmt.Sprintf(", %s is %s", hole, s.Holes[hole])
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// TestHeapSites: the public functions of a heap hold a site each, and each path
// that anyone calls is emitted once more, as the function behind the calls.
func TestHeapSites(t *testing.T) {
	t.Parallel()
	const (
		sites = `
HeapBin.Alloc: %[1]s alloc.fast, bin is b
HeapBin.Free: %[2]s free.fast, bin is b, block is p
HeapCache.Alloc: %[1]s alloc.fast, bin is b
HeapCache.Free: %[2]s free.fast, bin is bin, block is p
HeapCache.Realloc: %[1]s alloc.fast, bin is to`
		alloc = "\nHeapBin.alloc: splice alloc.fast, bin is b"
		free  = "\nHeapBin.free: splice free.fast, bin is b, block is p"
	)
	for _, test := range []struct {
		text        string
		alloc, free Form
		callees     string
	}{
		{"heaps: {Heap: {}}", Splice, Splice, ""},
		{"inline: call\nheaps: {Heap: {}}", Call, Call, alloc + free},
		{"inline: {free: call}\nheaps: {Heap: {}}", Splice, Call, free},
		{"inline: call\nheaps: {Heap: {inline: {free: fast}}}", Call, Splice, alloc},
		{"inline: call\nheaps: {Heap: {inline: fast}}", Splice, Splice, ""},
		// The list calls what the heap itself splices; other lists do not count.
		{"heaps: {Heap: {}}\nlists: {L: {of: int8, heap: Heap, inline: {alloc: call}}}", Splice, Splice, alloc},
		{"heaps: {Heap: {}, B: {}}\nlists: {L: {of: int8, heap: B, inline: call}}", Splice, Splice, ""},
		{"heaps: {Heap: {inline: {alloc: call}}}\nlists: {L: {of: int8, heap: Heap, inline: {alloc: fast, free: call}}}", Call, Splice, alloc + free},
	} {
		h := build(t, test.text).Heaps[0]
		require.Equal(t, strings.TrimSpace(fmt.Sprintf(sites, test.alloc, test.free)+test.callees), show(h.Sites), test.text)
		require.Equal(t, strings.TrimSpace(test.callees), show(h.Callees), test.text)
	}
}

// TestListSites: every sizing rule, in a heap and in Go memory. Only rules that
// shrink release in three places.
func TestListSites(t *testing.T) {
	t.Parallel()
	// Only List.move of a rule that shrinks may make a buffer smaller.
	shrinks := func(move, in string) string {
		if in == "List.move" && !strings.Contains(move, "full") {
			place, rest, _ := strings.Cut(move, "_")
			return strings.TrimSuffix(place+"_shrink_"+rest, "_")
		}
		return move
	}
	needs := func(move, in string) string {
		if shrinks(move, in) != move {
			return ", need is need"
		}
		return ""
	}
	inHeap := func(rule, move string, releasers ...string) string {
		lines := []string{
			"List.grow: splice list.grow." + rule + ", list is l, need is need",
			"List.reserve: splice list.grow." + rule + ", list is l, need is need",
		}
		for _, in := range []string{"List.grow", "List.move"} {
			lines = append(lines,
				in+": splice list.move."+shrinks(move, in)+", capacity is capacity, list is l"+needs(move, in),
				in+": splice alloc.fast, bin is bin",
				in+": splice free.fast, bin is old, block is from")
		}
		for _, in := range releasers {
			lines = append(lines,
				in+": splice list.release.heap, list is l",
				in+": splice free.fast, bin is bin, block is unsafe.Pointer(l.ptr)")
		}
		return strings.Join(lines, "\n")
	}
	// inGo is the same without blocks.
	inGo := func(rule, move string, releasers ...string) string {
		var lines []string
		for _, line := range strings.Split(inHeap(rule, move, releasers...), "\n") {
			if !strings.Contains(line, ".fast") {
				lines = append(lines, strings.Replace(line, "release.heap", "release.go", 1))
			}
		}
		return strings.Join(lines, "\n")
	}
	shrinking := []string{"List.resize", "List.Clear", "List.Release"}
	for _, rule := range []string{"double", "go", "cpython", "cpython2"} {
		releasers, full := []string{"List.Release"}, "_full"
		if Sizing(rule).Shrinks() {
			releasers, full = shrinking, ""
		}
		require.Equal(t, strings.HasPrefix(rule, "cpython"), Sizing(rule).Shrinks())
		for large, option := range map[string]string{"pages": "", "go": "_largego"} {
			p := build(t, "heaps: {Heap: {large: "+large+"}}\nlists: {Ints: {of: int64, heap: Heap, sizing: "+rule+"}}")
			require.Equal(t, inHeap(rule, "heap"+full+option, releasers...), show(p.Lists[0].Sites), rule)
		}
		p := build(t, "lists: {Ints: {of: int64, sizing: "+rule+"}}")
		require.Equal(t, inGo(rule, "go"+full, releasers...), show(p.Lists[0].Sites), rule)
	}
}

// TestListCalls: each path of a list is called or spliced on its own, at all of
// its sites, and the fragments around it say so: their goldens differ.
func TestListCalls(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ inline, move, release string }{
		{"fast", "heap_full", "heap"},
		{"call", "heap_full_alloccall_freecall", "heap_call"},
		{"{alloc: call}", "heap_full_alloccall", "heap"},
		{"{free: call}", "heap_full_freecall", "heap_call"},
	} {
		l := build(t, "heaps: {Heap: {}}\nlists: {Ints: {of: int64, heap: Heap, inline: "+test.inline+"}}").Lists[0]
		for _, s := range l.Sites {
			switch s.Fragment {
			case AllocFast:
				require.Equal(t, l.Alloc, s.Form, test.inline)
			case FreeFast:
				require.Equal(t, l.Free, s.Form, test.inline)
			case ListMove:
				require.Equal(t, test.move, s.Options)
			case ListRelease:
				require.Equal(t, test.release, s.Options)
			}
			if s.Fragment != AllocFast && s.Fragment != FreeFast {
				require.Equal(t, Splice, s.Form, "only the two paths are ever called")
			}
		}
		require.Equal(t, strings.Contains(test.move, "alloccall"), l.Alloc == Call)
		require.Equal(t, strings.Contains(test.move, "freecall"), l.Free == Call)
	}
}

// TestSiteFunctions: a site names its function as emitted, and the plan has all
// sites of all entries, each function and fragment once.
func TestSiteFunctions(t *testing.T) {
	t.Parallel()
	p := build(t, "inline: call\nheaps: {Buf: {}, small: {}}\nlists: {Ints: {of: int64, heap: small, sizing: cpython}, Words: uint32}")
	var all []Site
	for _, h := range p.Heaps {
		all = append(all, h.Sites...)
	}
	for _, l := range p.Lists {
		all = append(all, l.Sites...)
	}
	require.Equal(t, all, p.Sites)
	seen := map[string]bool{}
	for _, s := range p.Sites {
		key := s.Func + " " + s.Fragment
		require.False(t, seen[key], "%s twice", key)
		seen[key] = true
	}
	for _, f := range []string{"BufBin.Alloc", "BufCache.Free", "smallBin.alloc", "smallCache.Alloc"} {
		require.True(t, seen[f+" alloc.fast"] || seen[f+" free.fast"], f)
	}
	for _, f := range []string{"Ints.grow", "Ints.reserve", "Words.grow"} {
		require.True(t, seen[f+" list.grow"], f)
	}
}

// TestFindSite: templates ask for sites by name; a site that the plan does not
// have is a bug, never an empty one.
func TestFindSite(t *testing.T) {
	t.Parallel()
	p := build(t, "heaps: {Heap: {}}\nlists: {Ints: {of: int64, heap: Heap}}")
	require.Equal(t, "HeapCache.Free", p.Heaps[0].Site("HeapCache.Free", FreeFast).Func)
	require.Equal(t, "Ints.Release", p.Lists[0].Site("List.Release", ListRelease).Func)
	require.PanicsWithValue(t, "no site of alloc.fast in HeapBin.Free", func() { p.Heaps[0].Site("HeapBin.Free", AllocFast) })
	require.Panics(t, func() { p.Lists[0].Site("List.Clear", ListRelease) }, "double keeps the buffer")
}
