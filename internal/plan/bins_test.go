package plan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestListBinSites: the form of the two paths follows how a bin keeps its blocks,
// at every site; where it is spliced, the block lands in the site's p.
func TestListBinSites(t *testing.T) {
	t.Parallel()
	for options, keys := range map[string]string{"list": "bin: list", "list_key": "bin: list, double_free: key"} {
		p := build(t, "heaps: {Heap: {"+keys+"}}\nlists: {Ints: {of: int64, heap: Heap, sizing: cpython}}")
		require.Equal(t, strings.NewReplacer("FORM", options).Replace(strings.TrimSpace(`
HeapBin.Alloc: splice alloc.fast.FORM, bin is b, block is p
HeapBin.Free: splice free.fast.FORM, bin is b, block is p
HeapCache.Alloc: splice alloc.fast.FORM, bin is b, block is p
HeapCache.Free: splice free.fast.FORM, bin is bin, block is p
HeapCache.Realloc: splice alloc.fast.FORM, bin is to, block is p`)), show(p.Heaps[0].Sites))
		require.Contains(t, show(p.Lists[0].Sites), strings.NewReplacer("FORM", options).Replace(`
List.move: splice list.move.heap_shrink_FORM, capacity is capacity, list is l, need is need
List.move: splice alloc.fast.FORM, bin is bin, block is p
List.move: splice free.fast.FORM, bin is old, block is from
List.resize: splice list.release.heap_FORM, list is l
List.resize: splice free.fast.FORM, bin is bin, block is unsafe.Pointer(l.ptr)`))

		// Around calls the form of a bin does not show.
		called := build(t, "inline: call\nheaps: {Heap: {"+keys+"}}\nlists: {Ints: {of: int64, heap: Heap}}")
		require.Equal(t, "heap_full_alloccall_freecall", called.Lists[0].Site("List.move", ListMove).Options)
		require.Equal(t, "heap_call", called.Lists[0].Site("List.Release", ListRelease).Options)
		require.Equal(t, strings.NewReplacer("FORM", options).Replace(strings.TrimSpace(`
HeapBin.alloc: splice alloc.fast.FORM, bin is b, block is p
HeapBin.free: splice free.fast.FORM, bin is b, block is p`)), show(called.Heaps[0].Callees))
	}
}

// TestListBinsCalled: what does not fit the inliner's budget is not promised,
// nor what is called, and the plan says why.
func TestListBinsCalled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		keys, promised string
		alloc, free    string // the key that is named as the reason
	}{
		{"{}", "Alloc Free", "", ""},
		{"{bin: list}", "Free", "bin: list", ""},
		{"{bin: list, double_free: key}", "", "double_free: key", "double_free: key"},
		{"{bin: list, inline: call}", "", "inline: call", "inline: call"},
		{"{bin: list, double_free: key, inline: {free: call}}", "", "double_free: key", "inline: call"},
		{"{bin: list, double_free: key, inline: {alloc: call}}", "", "inline: call", "double_free: key"},
	} {
		p := build(t, "heaps: {Heap: "+test.keys+"}")
		var promised []string
		for _, promise := range p.Promises {
			if bin, method, _ := strings.Cut(promise.Func, "."); bin == "HeapBin" && promise.Called == "" {
				promised = append(promised, method)
			}
		}
		require.Equal(t, test.promised, strings.Join(promised, " "), test.keys)
		alloc, _, _ := strings.Cut(p.Heaps[0].AllocCalled(), " reads")
		alloc, _, _ = strings.Cut(alloc, " tests")
		free, _, _ := strings.Cut(p.Heaps[0].FreeCalled(), " tests")
		require.Equal(t, test.alloc, alloc, test.keys)
		require.Equal(t, test.free, free, test.keys)
	}
}

// TestListBinNames: what only bins that are lists declare.
func TestListBinNames(t *testing.T) {
	t.Parallel()
	has := func(keys, ident string) bool {
		for _, n := range build(t, "heaps: {Buf: "+keys+"}").Names {
			if n.Ident == ident {
				return true
			}
		}
		return false
	}
	require.False(t, has("{}", "bufLink"))
	require.True(t, has("{bin: list}", "bufLink"))
	require.False(t, has("{bin: list}", "bufKey"))
	require.True(t, has("{bin: list, double_free: key}", "bufKey"))
}
