package plan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/internal/spec"
)

// The head of every spec here: entries start on line 3.
const head = "allocgen: 1\npackage: p\n"

// build decides a spec that nothing is wrong with; text starts at line 3.
func build(t testing.TB, text string) *Plan {
	t.Helper()
	s, errs := spec.Parse("specs/p.yaml", []byte(head+text+"\n"))
	require.Empty(t, errs, text)
	p, errs := Build(s, Beside{})
	require.Empty(t, errs, text)
	return p
}

// buildHeapOf is the one heap of a spec whose entry is this mapping.
func buildHeapOf(t testing.TB, entry string) Heap {
	t.Helper()
	return build(t, "heaps: {Heap: "+entry+"}").Heaps[0]
}

// problems are the errors of the plan, a line each; the format finds nothing
// wrong with the spec.
func problems(t testing.TB, text string) []string {
	t.Helper()
	s, errs := spec.Parse("p.yaml", []byte(head+text+"\n"))
	require.Empty(t, errs, text)
	_, errs = Build(s, Beside{})
	if len(errs) == 0 {
		return nil
	}
	return strings.Split(errs.Error(), "\n")
}

// TestTopLevel holds what the plan takes over from the spec as it is.
func TestTopLevel(t *testing.T) {
	t.Parallel()
	p := build(t, "out: ../gen\ndoc: Words.\nbuild: amd64\ntests: false\nlists: {Ints: int64}")
	p.Lists, p.Sites, p.Promises, p.Names = nil, nil, nil, nil
	require.Equal(t, &Plan{
		File: "specs/p.yaml", Base: "p", Out: "../gen", Package: "p",
		Doc: "Words.", Build: "amd64", Tests: false, Imports: map[string]string{},
	}, p)
}

// TestListsPointIntoPlan: what the plan says of a heap after its lists are
// known must be seen through the list as well.
func TestListsPointIntoPlan(t *testing.T) {
	t.Parallel()
	p := build(t, "heaps: {A: {}, B: {large: go}}\nlists: {L: {of: int8, heap: B}, M: {of: int16, heap: B}, O: int32}")
	require.Same(t, &p.Heaps[1], p.Lists[0].Heap)
	require.Same(t, &p.Heaps[1], p.Lists[1].Heap)
	require.Nil(t, p.Lists[2].Heap)
	require.False(t, p.Heaps[0].Held, "no list asks")
	require.False(t, p.Heaps[1].Held, "its bins know")
	pages := build(t, "heaps: {A: {}, B: {large: go}}\nlists: {L: {of: int8, heap: A}, M: {of: int8, heap: B}}")
	require.True(t, pages.Heaps[0].Held)
	require.True(t, pages.Lists[0].Heap.Held)
	require.False(t, p.Heaps[0].LargeGo)
	require.True(t, p.Heaps[1].LargeGo)
}

// TestErrors holds every refusal of the plan, with its place in the file.
func TestErrors(t *testing.T) {
	t.Parallel()
	const tooMany = "use a larger step or fewer per doubling"
	for _, test := range []struct{ name, text, want string }{
		{
			"more classes than a byte can number",
			"heaps: {Heap: {threshold: 4KiB, classes: {step: 16, to: 4KiB}}}",
			"p.yaml:3:33: heaps.Heap.classes: this makes 256 classes, at most 120 are possible: " + tooMany,
		},
		{
			"one class too many",
			"heaps: {Heap: {threshold: 1936, classes: {to: 1936}}}",
			"p.yaml:3:33: heaps.Heap.classes: this makes 121 classes, at most 120 are possible: " + tooMany,
		},
		{
			"the largest block needs ten of the pools, and the first that needs nine is named",
			"heaps: {Heap: {pool: 4KiB, arena: 64KiB, threshold: 40KiB}}",
			"p.yaml:3:16: heaps.Heap.pool: a block of 40960 bytes does not fit 8 pools of 4096 bytes: use a larger pool or a lower threshold",
		},
		{
			"a listed class that fits no span",
			"heaps: {Heap: {classes: [64KiB, 128KiB], pool: 8KiB}}",
			"p.yaml:3:42: heaps.Heap.pool: a block of 131072 bytes does not fit 8 pools of 8192 bytes: use a larger pool or a lower threshold",
		},
		{
			"two entries with one type name",
			"heaps: {Heap: {}}\nlists: {HeapCache: int64}",
			"p.yaml:4:9: lists.HeapCache: its name HeapCache is taken by heaps.Heap; choose another",
		},
		{
			"helpers of two heaps meet",
			"heaps: {Heap: {}, HeapClass: {}}",
			`p.yaml:3:19: heaps.HeapClass: its name heapClassTable is taken by heaps.Heap; choose another
p.yaml:3:19: heaps.HeapClass: its name HeapClassStats is taken by heaps.Heap; choose another`,
		},
		{
			"helpers of two lists meet",
			"lists: {Ints: int64, intsItem: int8}",
			"p.yaml:3:22: lists.intsItem: its name intsItem is taken by lists.Ints; choose another",
		},
		{
			"a key that is another entry's helper",
			"heaps: {Heap: {}}\nlists:\n  heapDepth: int64",
			"p.yaml:5:3: lists.heapDepth: its name heapDepth is taken by heaps.Heap; choose another",
		},
	} {
		require.Equal(t, test.want, strings.Join(problems(t, test.text), "\n"), test.name)
	}
	require.Empty(t, problems(t, "heaps: {Heap: {threshold: 1920, classes: {to: 1920}}}"), "120 classes are possible")
	require.Empty(t, problems(t, "heaps: {Heap: {pool: 4KiB, arena: 64KiB}}"), "8 pools are possible")
}

// TestDepthErrors: a lowered depth that names no class is an error at the size
// as written, not at the start of the mapping.
func TestDepthErrors(t *testing.T) {
	t.Parallel()
	got := problems(t, "heaps: {Heap: {depth: {all: 64, 100: 8, 112: 16}}}")
	require.Len(t, got, 1)
	require.Contains(t, got[0], "100 is no class; the class that serves it is 112")
	require.Contains(t, got[0], "p.yaml:3:33: heaps.Heap.depth")
	got = problems(t, "heaps:\n  Heap:\n    depth:\n      1025: 8\n      all: 64")
	require.Len(t, got, 1)
	require.Contains(t, got[0], "1025 is no class; the class that serves it is 1280")
	require.Contains(t, got[0], "p.yaml:6:7: heaps.Heap.depth")
}

// TestDepthAboveThreshold: no class serves sizes above the threshold, so the
// error must not name one that does.
func TestDepthAboveThreshold(t *testing.T) {
	t.Parallel()
	got := problems(t, "heaps: {Heap: {depth: {all: 64, 64KiB: 8}}}")
	require.Len(t, got, 1)
	require.Contains(t, got[0], "65536 is no class")
	require.NotContains(t, got[0], "the class that serves it is 32768")
}

// TestCountsAllClasses: the number in the error is what the spec asks for, not
// where the plan stopped to count.
func TestCountsAllClasses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{classes: {to: 4KiB}}":                                "268", // 256 and 3 doublings of 4
		"{threshold: 128KiB, classes: {per_doubling: 64}}":     "512", // 64 and 7 doublings of 64
		"{threshold: 64KiB, classes: {to: 1KiB, step: 32}}":    "",    // 1, 32 and 6 doublings of 4: fits
		"{threshold: 128KiB, classes: {per_doubling: 16}}":     "176", // 64 and 7 doublings of 16
		"{threshold: 16KiB, classes: {min: 8KiB, step: 8KiB}}": "",
	} {
		got := strings.Join(problems(t, "heaps: {Heap: "+text+"}"), "\n")
		if want == "" {
			require.Empty(t, got, text)
			continue
		}
		require.Contains(t, got, "this makes "+want+" classes,", text)
	}
}

// TestNoFollowUpErrors: classes past the limit are dropped, and what names one
// of them is not wrong because of that.
func TestNoFollowUpErrors(t *testing.T) {
	t.Parallel()
	require.Len(t, problems(t, "heaps: {Heap: {threshold: 4KiB, classes: {to: 4KiB}, depth: {all: 64, 4KiB: 8}}}"), 1)
}

// TestErrorsOfAllEntries: one bad entry does not hide the next, and errors come
// in the order of the file.
func TestErrorsOfAllEntries(t *testing.T) {
	t.Parallel()
	got := problems(t, `heaps:
  A: {depth: {all: 64, 24: 8}}
  B: {threshold: 4KiB, classes: {to: 4KiB}}
lists:
  ADepth: int64
  aDepot: int64`)
	require.Len(t, got, 3)
	require.Contains(t, got[0], "heaps.A.depth: 24 is no class")
	require.Contains(t, got[1], "heaps.B.classes: this makes")
	require.Contains(t, got[2], "lists.aDepot: its name aDepot is taken by heaps.A")
}
