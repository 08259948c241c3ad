package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/internal/spec"
)

func buildObject1(t *testing.T, entry string, functions ...string) Object {
	t.Helper()
	s, errs := spec.Parse("p.yaml", []byte(head+"objects:\n  "+entry+"\n"))
	require.Empty(t, errs, entry)
	p, errs := Build(s, Beside{Functions: functions})
	require.Empty(t, errs, entry)
	return p.Objects[0]
}

// TestReset: what a name in reset means follows from the functions that the
// package has.
func TestReset(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reset string
		want  Reset
	}{
		{"zero", Reset{Zero: true}},
		{"none", Reset{}},
		{"Clean", Reset{Method: "Clean"}},
		{"wipe", Reset{Func: "wipe"}},
	} {
		o := buildObject1(t, "Nodes: {of: Node, sync: none, reset: "+test.reset+"}", "wipe", "zero")
		require.Equal(t, test.want, o.Reset, test.reset)
		require.Equal(t, test.want.Func+test.want.Method != "", o.Hooked())
	}
	o := buildObject1(t, "Nodes: {of: Node, sync: none, reset: none, init: wipe}")
	require.True(t, o.Hooked())
}

// TestObjectSites: each way to call has its sites, and a called path one more.
func TestObjectSites(t *testing.T) {
	t.Parallel()
	const (
		own    = "Object.Get: %[1]s object.get, pool is p\nObject.Put: %[2]s object.put, object is x, pool is p"
		pinned = "Object.Get: %[1]s object.get.percpu, object is x, pool is p\nObject.Put: %[2]s object.put.percpu, object is x, pool is p"
		cached = "\nObjectCache.Get: %[1]s object.get, pool is c\nObjectCache.Put: %[2]s object.put.spill, object is x, pool is c"
	)
	for sync, sites := range map[string]string{"none": own, "mutex": own, "cache": own + cached, "percpu": pinned} {
		for inline, forms := range map[string][2]Form{"fast": {Splice, Splice}, "call": {Call, Call}, "{alloc: call}": {Call, Splice}} {
			o := buildObject1(t, "Nodes: {of: Node, sync: "+sync+", inline: "+inline+"}")
			require.Equal(t, fmt.Sprintf(sites, forms[0], forms[1]), show(o.Sites[:len(o.Sites)-len(o.Callees)]))
			for _, callee := range o.Callees {
				require.Equal(t, Splice, callee.Form)
			}
			called := strings.Count(show(o.Sites), ": call ")
			require.Len(t, o.Callees, called)
		}
	}
	o := buildObject1(t, "Nodes: {of: Node, sync: none, names: {Get: Take}}")
	require.Equal(t, "Nodes.Take", o.Site("Object.Get", ObjectGet).Func)
}

// TestTestTypes: tests of generic entries use int, where that is known to do.
func TestTestTypes(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string][3]string{
		`P: {of: "[2]pair[K, int]", sync: none}`:                        {"", "[2]pair[K, int]", "true"},
		`P[K comparable, V any]: {of: "pair[K, x.K[V]]", sync: none}`:   {"[int, int]", "pair[int, x.K[int]]", "true"},
		`P[K, V any]: {of: "pair[V, map[K]V]", sync: none}`:             {"[int, int]", "pair[int, map[int]int]", "true"},
		`P[K ~int]: {of: "pair[K]", sync: none}`:                        {"", "", "false"},
		`P[K any, V x.Stringer]: {of: "pair[K, V]", sync: none}`:        {"", "", "false"},
		`P[T any, L interface{ ~[]T }]: {of: "pair[T, L]", sync: none}`: {"", "", "false"},
	} {
		s, errs := spec.Parse("p.yaml", []byte(head+"imports: {x: example.com/x}\nobjects:\n  "+entry+"\n"))
		for _, err := range errs { // x is not used by all of them
			require.Contains(t, err.Text, "no effect", entry)
		}
		args, of, ok := testTypes(s.Objects[0])
		require.Equal(t, want, [3]string{args, of, fmt.Sprint(ok)}, entry)
	}
}

// TestObjectRefusals: names that mean something else in the output, and methods
// that there are not.
func TestObjectRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"objects: {Nodes: {of: x, sync: none}}", "p.yaml:3:11: objects.Nodes: the output uses x for itself: rename yours"},
		{"objects: {Nodes: {of: sync, sync: none}}", "p.yaml:3:11: objects.Nodes: the output uses sync for a package of Go: rename yours"},
		{"objects: {Nodes: {of: Node, sync: none, reset: none, init: p}}", "p.yaml:3:11: objects.Nodes: the output uses p for itself: rename yours"},
		{"objects:\n  Nodes[c any]: {of: 'Node[c]', sync: none}", "p.yaml:4:3: objects.Nodes: the output uses c for itself: rename yours"},
		{"imports: {rand: crypto/rand}\nobjects: {Nodes: {of: rand.R, sync: none}}", "p.yaml:3:11: imports.rand: the output uses rand for Go's math/rand: choose another name"},
		{"objects: {Nodes: {of: Node, sync: none, names: {Acquire: Lend}}}", "p.yaml:3:49: objects.Nodes.names.Acquire: no method of this entry: it has Get, Put and Trim"},
		{"objects: {Nodes: {of: Node, sync: none, names: {Get: Put}}}", "p.yaml:3:49: objects.Nodes.names.Get: Put is the name of Put: choose another"},
		{"objects: {Nodes: {of: Node, sync: cache, names: {Get: Acquire}}}", "p.yaml:3:50: objects.Nodes.names.Get: Acquire is the name of Acquire: choose another"},
		{"objects: {Nodes: {of: Node, sync: none, names: {Get: X, Put: X}}}", "p.yaml:3:57: objects.Nodes.names.Put: X is the name of Get: choose another"},
		{"objects: {Nodes: {of: Node, sync: none, names: {Get: refill}}}", "p.yaml:3:49: objects.Nodes.names.Get: the output uses refill for itself: choose another name"},
		{"objects: {Nodes: {of: Node, sync: cache, names: {Flush: drain}}}", "p.yaml:3:50: objects.Nodes.names.Flush: the output uses drain for itself: choose another name"},
		{"heaps: {H: {}}\nobjects: {Cells: {of: Cell, heap: H, names: {Get: lim}}}", "p.yaml:4:46: objects.Cells.names.Get: the output uses lim for itself: choose another name"},
		{"heaps: {H: {sync: mutex}}\nobjects: {lock: {of: Cell, heap: H}}", "p.yaml:4:11: objects.lock: H has a lock of its own: choose another name"},
		{"heaps: {H: {sync: percpu}}\nobjects: {Stats: {of: Cell, heap: H}}", "p.yaml:4:11: objects.Stats: H has a Stats of its own: choose another name"},
		{"heaps: {H: {limit: 1MiB}}\nobjects: {A: {of: Cell, heap: H, names: {Get: Put1, Put: TryPut1}}}", "p.yaml:4:53: objects.A.names.Put: TryPut1 is the name of the twin of Put1 that returns an error: choose another"},
		{"heaps: {H: {limit: 1MiB}}\nobjects: {A: {of: Cell, heap: H, slices: true, names: {Get: Slice, GetSlice: TrySlice}}}", "p.yaml:4:68: objects.A.names.GetSlice: TrySlice is the name of the twin of Slice that returns an error: choose another"},
		{"heaps: {H: {}}\nlists: {ints: {of: int, heap: H}}\nobjects: {newInts: {of: Cell, heap: H}}", "p.yaml:5:11: objects.newInts: a cache of H has a newInts that makes ints: choose another name"},
		{"imports: {nodesDepth: a/b}\nobjects: {Nodes: {of: nodesDepth.N, sync: none}}", "p.yaml:3:11: imports.nodesDepth: objects.Nodes declares nodesDepth: choose another name"},
		{"objects:\n  Nodes[Nodes any]: {of: 'Node[Nodes]', sync: none}", "p.yaml:4:3: objects.Nodes: the output uses Nodes for itself: rename the type parameter"},
		{"objects:\n  Nodes[nodesCached any]: {of: 'Node[nodesCached]', sync: cache}", "p.yaml:4:3: objects.Nodes: the output uses nodesCached for itself: rename the type parameter"},
		{"objects:\n  Nodes[slots any]: {of: 'Node[slots]', sync: none}", "p.yaml:4:3: objects.Nodes: the output uses slots for itself: rename the type parameter"},
		{"imports: {K: a/b}\nobjects:\n  Nodes[K any]: {of: 'Node[K]', sync: none}\n  Other: {of: K.T, sync: none}", "p.yaml:5:3: objects.Nodes: K is also a name in imports: rename the type parameter"},
		{"objects:\n  Nodes[K any]: {of: 'Node[K]', sync: none, reset: none, init: K}", "p.yaml:4:3: objects.Nodes: K is also the name of a function here: rename the type parameter"},
		{"objects: {Nodes: {of: Node, sync: percpu, names: {Trim: fit}}}", "p.yaml:3:51: objects.Nodes.names.Trim: the output uses fit for itself: choose another name"},
		{"objects:\n  A: {of: Node, sync: percpu}\n  aPin: {of: Node, sync: none}", "p.yaml:5:3: objects.aPin: its name aPin is taken by objects.A; choose another"},
		{"objects: {sync: {of: Node, sync: none}}", "p.yaml:3:11: objects.sync: the output uses sync for itself; choose a longer name"},
	} {
		require.Equal(t, []string{test.want}, problems(t, test.text), test.text)
	}
	require.Empty(t, problems(t, "objects: {Nodes: {of: Node, sync: none, names: {Get: Put, Put: Get}}}"), "a swap")
	require.Empty(t, problems(t, "imports: {rand: math/rand}\nobjects: {Nodes: {of: rand.Rand, sync: none}}"))
}

// TestObjectPromises: Get inlines but behind a mutex, Put where it calls nothing.
func TestObjectPromises(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string]string{
		"P: {of: T, sync: none}":                          "P.Get P.Put",
		"P: {of: T, sync: none, reset: none}":             "P.Get P.Put",
		"P: {of: T, sync: none, reset: clean}":            "P.Get",
		"P: {of: T, sync: none, keep: ok}":                "P.Get",
		"P: {of: T, sync: none, inline: call}":            "",
		"P: {of: T, sync: none, inline: {free: call}}":    "P.Get",
		"P: {of: T, sync: mutex}":                         "",
		"P: {of: T, sync: percpu}":                        "",
		"P: {of: T, sync: cache}":                         "PCache.Get",
		"P: {of: T, sync: none, names: {Get: A, Put: B}}": "P.A P.B",
		"P[K any]: {of: 'T[K]', sync: none}":              "P.Get P.Put",
	} {
		o := buildObject1(t, entry)
		var kept []string
		for _, p := range objectPromises(&o) {
			if p.Called == "" {
				kept = append(kept, p.Func)
			}
			require.Equal(t, o.Params != "", p.Generic)
			require.False(t, p.System)
		}
		require.Equal(t, want, strings.Join(kept, " "), entry)
	}
}

// TestPin: what pins is there once, named after the first entry that does.
func TestPin(t *testing.T) {
	t.Parallel()
	pin := func(objects string) *Plan {
		s, errs := spec.Parse("p.yaml", []byte(head+"objects: "+objects+"\n"))
		require.Empty(t, errs)
		p, errs := Build(s, Beside{})
		require.Empty(t, errs)
		return p
	}
	require.Nil(t, pin("{A: {of: T, sync: mutex}}").Pin)
	p := pin("{A: {of: T, sync: cache}, B: {of: T, sync: percpu}, D: {of: T, sync: percpu}}")
	require.Equal(t, &Pin{"objects.B", map[string]string{"entryPin": "bPin", "entryProcPin": "bProcPin", "entryProcUnpin": "bProcUnpin"}}, p.Pin)
	require.Equal(t, "bPin", p.Objects[2].Names["entryPin"])
	require.Contains(t, p.Names, Name{"bProcPin", "objects.B"})
}
