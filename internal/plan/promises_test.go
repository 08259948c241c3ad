package plan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPromises: what the compiler must inline, by the emitted names, and why the
// rest is called.
func TestPromises(t *testing.T) {
	t.Parallel()
	const spec = "heaps: {Buf: {}, small: {large: go, inline: {free: call}}}\n" +
		"lists: {Ints: {of: int64, heap: Buf}, octets: {of: uint8, heap: Buf, sizing: cpython}, words: {of: uint32, sizing: cpython}}"
	var inlines []string
	called := map[string]string{}
	for _, p := range build(t, spec).Promises {
		if p.Called == "" {
			inlines = append(inlines, p.Func)
		} else {
			called[p.Func] = p.Called
		}
	}
	require.Equal(t, []string{
		"BufBin.Alloc", "BufBin.Free", "BufCache.Bin", "BufCache.BinOf",
		"smallBin.Alloc", "smallCache.Bin", "smallCache.BinOf",
		"Ints.Append", "Ints.At", "Ints.Set", "Ints.Slice", "Ints.Len", "Ints.Cap", "Ints.Pop", "Ints.Clear",
		"octets.Append", "octets.At", "octets.Set", "octets.Slice", "octets.Len", "octets.Cap",
		"words.Append", "words.At", "words.Set", "words.Slice", "words.Len", "words.Cap", "words.Clear", "words.Release",
	}, inlines)
	const oneStep = "one step: a single call with the path behind it"
	require.Equal(t, map[string]string{
		"BufCache.Alloc": oneStep, "BufCache.Free": oneStep, "smallCache.Alloc": oneStep, "smallCache.Free": oneStep,
		"BufCache.Realloc": "may move the block", "smallCache.Realloc": "may move the block",
		"BufCache.UsableSize": "looks the block up", "smallCache.UsableSize": "looks the block up",
		"Buf.Realloc": "borrows a cache", "small.Realloc": "borrows a cache",
		"Buf.Alloc": "borrows a cache", "Buf.Free": "borrows a cache", "small.Alloc": "borrows a cache", "small.Free": "borrows a cache",
		"smallBin.Free":    "inline: call",
		"Ints.AppendSlice": "may move the items", "Ints.Resize": "may move the items", "Ints.Release": "frees the buffer",
		"octets.AppendSlice": "may move the items", "octets.Resize": "may move the items", "octets.Release": "frees the buffer",
		// A rule that shrinks may give the buffer back in Pop.
		"octets.Pop": "may shrink", "octets.Clear": "frees the buffer",
		"words.AppendSlice": "may move the items", "words.Resize": "may move the items", "words.Pop": "may shrink",
	}, called)
}

// TestFullPromises: where every request counts, paths are called, and only those
// that count.
func TestFullPromises(t *testing.T) {
	t.Parallel()
	for _, h := range []string{"stats: full", "stats: full, bin: list", "stats: full, bin: list, double_free: key"} {
		called := map[string]string{}
		p := build(t, "heaps: {Buf: {"+h+"}, Same: {stats: none}}\nobjects: {Cells: {of: cell, heap: Buf}}")
		for _, promise := range p.Promises {
			called[promise.Func] = promise.Called
		}
		require.Equal(t, "stats: full counts the request, which is over the budget", called["BufBin.Alloc"], h)
		require.Equal(t, "stats: full counts the request, which is over the budget", called["Cells.Get"], h)
		require.Equal(t, "stats: full counts the free, which is over the budget", called["BufBin.Free"], h)
		require.Equal(t, "stats: full notes the size, which is over the budget", called["BufCache.Bin"], h)
		for _, inlined := range []string{"BufCache.BinOf", "SameBin.Alloc", "SameBin.Free", "SameCache.Bin"} {
			require.Empty(t, called[inlined], h)
		}
		require.Equal(t, 224, p.Heaps[0].Buckets)
	}
}
