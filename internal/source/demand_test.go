package source

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/internal/plan"
	"github.com/allocgen/allocgen/internal/spec"
)

// demanding is an output in package p of the folder of x.yaml, whose entries are
// objects.o0, objects.o1 and so on.
func demanding(t *testing.T, demands ...plan.Demand) *Output {
	t.Helper()
	o := output(t, discover(t, "x.yaml"), "x.yaml", ".", "x_gen.go", "package p\n")
	for i, d := range demands {
		d.Entry = fmt.Sprintf("objects.o%d", i)
		o.Plan.Demands = append(o.Plan.Demands, d)
	}
	return o
}

// faults are the errors of demands, without the places in the spec, which has no
// such entries.
func faults(t *testing.T, o *Output) []string {
	t.Helper()
	_, err := Finish([]*Output{o})
	if err == nil {
		return nil
	}
	var bad spec.Errors
	require.True(t, errors.As(err, &bad), "%v", err)
	var lines []string
	for _, e := range bad {
		require.Equal(t, "x.yaml:1:1", e.Pos.String())
		lines = append(lines, e.Text)
	}
	return lines
}

// A demandCase is a demand and what comes after "objects.oN.", or nothing.
type demandCase struct {
	d    plan.Demand
	want string
}

func checkDemandCases(t *testing.T, imports map[string]string, cases []demandCase) {
	t.Helper()
	var demands []plan.Demand
	var want []string
	for i, c := range cases {
		demands = append(demands, c.d)
		if c.want != "" {
			want = append(want, fmt.Sprintf("objects.o%d.%s", i, strings.ReplaceAll(c.want, "HOST", host().goos+"/"+host().goarch)))
		}
	}
	o := demanding(t, demands...)
	o.Plan.Imports = imports
	require.Equal(t, strings.Join(want, "\n"), strings.Join(faults(t, o), "\n"))
}

// A package in the middle of work: it uses what is not generated yet, and more
// that is not there at all.
const treeGo = `package p

import (
	"example.com/m/api"
	"example.com/missing/inner"
	"strings"
)

type node struct{ left, right *node }

type (
	reader interface{ Read() }
	table  map[string]int
	hook   func()
	ptr    *node
	pipe   chan int
)

type Entry[K comparable, V any] struct {
	key K
	val V
}

type session = api.Session

var pool nodes = newNodes()

func f() int { return inner.Broken(strings.Nothing, undefined) }

func clearNode(n *node)           {}
func two(n *node, k int)          {}
func gives(n *node) error         { return nil }
func any1[T any](p *T)            {}
func fits(n *node) bool           { return true }
func anything(v any)              {}
func entry[K comparable, V any](e *Entry[K, V]) {}
func ints(e *Entry[int, int])     {}
func (n *node) Reset()            {}
func (n *node) ResetTo(m *node)   {}
func (n *node) clearBoth()        {}
func clearBoth(n *node)           {}
func (n *node) winBoth()          {}
func (n *node) init()             {}
func init()                       {}
func (e Entry[K, V]) Wipe()       {}

var variable = func(*node) {}
const constant = 1
`

func demandTree(t *testing.T) string {
	return tree(t, map[string]string{
		"x.yaml":           specText,
		"go.mod":           "module example.com/m\n\ngo 1.21\n",
		"tree.go":          treeGo,
		"tree_windows.go":  "package p\n\ntype winNode struct{}\n\nfunc winClear(n *node) {}\n\nfunc winBoth(n *node) {}\n",
		"tagged.go":        "//go:build integration || (windows && amd64)\n\npackage p\n\ntype tagged struct{}\n",
		"tree_test.go":     "package p\n\ntype inTest struct{}\n\nfunc clearInTest(n *node) {}\n",
		"tree_ext_test.go": "package p_test\n\ntype external struct{}\n",
		"api/api.go":       "package api\n\ntype Session struct{ buf []byte }\n\nfunc (s *Session) Reset() {}\nfunc (s *Session) wipe() {}\n\ntype hidden struct{}\n\nfunc Func() {}\n\nfunc Clear(s *Session) {}\n\nfunc clear(s *Session) {}\n",
	})
}

func TestDemands(t *testing.T) {
	demandTree(t)
	node := func(d plan.Demand) plan.Demand { d.Of = "node"; return d }
	checkDemandCases(t, map[string]string{"api": "example.com/m/api"}, []demandCase{
		{d: plan.Demand{Of: "node"}},
		{d: plan.Demand{Of: "session"}},
		{d: plan.Demand{Of: "int"}},
		{d: plan.Demand{Of: "[4]node"}},
		{d: plan.Demand{Of: "[]byte"}},
		{d: plan.Demand{Of: "api.Session", Reset: "Reset"}},
		{d: plan.Demand{Of: "Entry[int, string]"}},
		{d: plan.Demand{Of: "Entry[K, V]", TypeParams: "[K comparable, V any]"}},
		{d: plan.Demand{Of: "V", TypeParams: "[V any]"}},

		{d: plan.Demand{Of: "nod"}, want: "of: nod is not declared in package p (did you mean node?)"},
		{d: plan.Demand{Of: "Tree"}, want: "of: Tree is not declared in package p"},
		{d: plan.Demand{Of: "external"}, want: "of: external is not declared in package p"},
		{d: plan.Demand{Of: "[3]nod"}, want: "of: nod is not declared in package p (did you mean node?)"},
		{d: plan.Demand{Of: "winNode"}, want: "of: winNode is declared only in tree_windows.go:3:6, which is not built here, on HOST: declare it for every build, or limit the output to the same ones with build: windows"},
		{d: plan.Demand{Of: "tagged"}, want: "of: tagged is declared only in tagged.go:5:6, which is not built here, on HOST: declare it for every build, or limit the output to the same ones with build: integration || (windows && amd64)"},
		{d: plan.Demand{Of: "inTest"}, want: "of: inTest is declared only in a test, tree_test.go:3:6: move it to a file that is none"},
		{d: plan.Demand{Of: "clearNode"}, want: "of: clearNode is a function, not a type: tree.go:30:6"},
		{d: plan.Demand{Of: "variable"}, want: "of: variable is a variable, not a type: tree.go:47:5"},
		{d: plan.Demand{Of: "constant"}, want: "of: constant is a constant, not a type: tree.go:48:7"},
		{d: plan.Demand{Of: "len"}, want: "of: len is a function, not a type"},
		{d: plan.Demand{Of: "reader"}, want: "of: reader is an interface: write the type of the values in it"},
		{d: plan.Demand{Of: "any"}, want: "of: any is an interface: write the type of the values in it"},
		{d: plan.Demand{Of: "table"}, want: "of: table is a map, and so a pointer already: make it a field of a struct, and name that"},
		{d: plan.Demand{Of: "hook"}, want: "of: hook is a function type: make it a field of a struct, and name that"},
		{d: plan.Demand{Of: "pipe"}, want: "of: pipe is a channel, and so a pointer already: make it a field of a struct, and name that"},
		{d: plan.Demand{Of: "ptr"}, want: "of: ptr is a pointer: write the type it points to, node"},
		{d: plan.Demand{Of: "*node"}, want: "of: *node is a pointer: objects are handed out as pointers anyway, so write node"},
		{d: plan.Demand{Of: "Entry"}, want: "of: Entry has type parameters: write its type arguments, which may be the entry's own type parameters: o27[K comparable, V any]: {of: \"Entry[K, V]\"}"},
		{d: plan.Demand{Of: "Entry[int]"}, want: "of: Entry[int]: not enough type arguments for type Entry: have 1, want 2"},
		{d: plan.Demand{Of: "Entry[[]int, int]"}, want: "of: Entry[[]int, int]: []int does not satisfy comparable"},
		{d: plan.Demand{Of: "Entry[K, V]", TypeParams: "[K, V any]"}, want: "of: Entry[K, V]: K does not satisfy comparable"},
		{d: plan.Demand{Of: "Entry[int, nod]"}, want: "of: nod is not declared in package p (did you mean node?)"},
		{d: plan.Demand{Of: "node[int]"}, want: "of: node[int]: invalid operation: node[int] (node is not a generic type)"},
		{d: plan.Demand{Of: "apis.Session"}, want: "of: apis.Session: no package apis in imports: add its path, imports: {apis: example.com/apis}"},
		{d: plan.Demand{Of: "api.Sesion"}, want: "of: api.Sesion is not declared in package example.com/m/api (did you mean Session?)"},
		{d: plan.Demand{Of: "api.hidden"}, want: "of: api.hidden is not exported: package example.com/m/api alone can name it"},
		{d: plan.Demand{Of: "api.Func"}, want: "of: api.Func is a function, not a type: api/api.go:10:6"},
		{d: plan.Demand{Of: "node) {}; func x("}, want: "of: node) {}; func x( is no Go type: expected 'EOF', found ')'"},

		{d: node(plan.Demand{Reset: "clearNode"})},
		{d: node(plan.Demand{Reset: "Reset"})},
		{d: node(plan.Demand{Reset: "init"})},
		{d: node(plan.Demand{Reset: "any1", Init: "any1"})},
		{d: node(plan.Demand{Reset: "anything"})},
		{d: node(plan.Demand{Init: "clearNode", Keep: "fits"})},
		{d: plan.Demand{Of: "Entry[K, V]", TypeParams: "[K comparable, V any]", Reset: "entry", Init: "entry"}},
		{d: plan.Demand{Of: "Entry[K, V]", TypeParams: "[K comparable, V any]", Reset: "Wipe"}},
		{d: plan.Demand{Of: "Entry[int, int]", Reset: "ints", Init: "entry"}},

		{d: plan.Demand{Of: "session", Reset: "api.Clear", Init: "api.Clear"}},
		{d: plan.Demand{Of: "session", Reset: "api.Func"}, want: "reset: api.Func is func(), needs func(*session): api/api.go:10:6"},
		{d: plan.Demand{Of: "session", Reset: "api.Cleer"}, want: "reset: api.Cleer is not declared in package example.com/m/api (did you mean Clear?)"},
		{d: plan.Demand{Of: "session", Init: "api.clear"}, want: "init: api.clear is not exported: package example.com/m/api alone can name it"},
		{d: plan.Demand{Of: "session", Init: "apis.Clear"}, want: "init: apis.Clear: no package apis in imports: add its path, imports: {apis: example.com/apis}"},
		{d: node(plan.Demand{Keep: "api.Session"}), want: "keep: api.Session is a type, needs a function func(*node) bool: api/api.go:3:6"},
		{d: node(plan.Demand{Keep: "x y"}), want: "of: node comes with x y, which is no name of a function"},

		{d: node(plan.Demand{Reset: "two"}), want: "reset: two is func(*node, int), needs func(*node): tree.go:31:6"},
		{d: node(plan.Demand{Reset: "gives"}), want: "reset: gives is func(*node) error, needs func(*node): tree.go:32:6"},
		{d: node(plan.Demand{Reset: "ResetTo"}), want: "reset: method ResetTo of node is func(*node), needs func(): tree.go:39:16"},
		{d: node(plan.Demand{Reset: "clearBoth"}), want: "reset: clearBoth is both a function, tree.go:41:6, and a method of node, tree.go:40:16: rename one of the two"},
		{d: node(plan.Demand{Reset: "winBoth"}), want: "reset: winBoth is both a function, tree_windows.go:7:6, and a method of node, tree.go:42:16: rename one of the two"},
		{d: node(plan.Demand{Reset: "left"}), want: "reset: left is a field of node, needs a method without parameters and results, or a function func(*node)"},
		{d: node(plan.Demand{Reset: "clearnode"}), want: "reset: clearnode is neither a function of package p nor a method of node (did you mean clearNode?)"},
		{d: node(plan.Demand{Reset: "Rest"}), want: "reset: Rest is neither a function of package p nor a method of node (did you mean Reset?)"},
		{d: node(plan.Demand{Reset: "winClear"}), want: "reset: winClear is declared only in tree_windows.go:5:6, which is not built here, on HOST: declare it for every build, or limit the output to the same ones with build: windows"},
		{d: plan.Demand{Of: "api.Session", Reset: "wipe"}, want: "reset: wipe of api.Session is not exported: package example.com/m/api alone can use it: api/api.go:6:19"},
		{d: plan.Demand{Of: "Entry[K, V]", TypeParams: "[K comparable, V any]", Reset: "ints"}, want: "reset: ints is func(*Entry[int, int]), needs func[K comparable, V any](*Entry[K, V]): tree.go:37:6"},
		{d: plan.Demand{Of: "V", TypeParams: "[V any]", Reset: "entry"}, want: "reset: entry is func[K comparable, V any](*Entry[K, V]), needs func[V any](*V): tree.go:36:6"},
		{d: node(plan.Demand{Init: "fits"}), want: "init: fits is func(*node) bool, needs func(*node): tree.go:34:6"},
		{d: node(plan.Demand{Init: "Reset"}), want: "init: Reset is not declared in package p"},
		{d: node(plan.Demand{Init: "variable"}), want: "init: variable is a variable, needs a function func(*node): tree.go:47:5"},
		{d: node(plan.Demand{Init: "clearInTest"}), want: "init: clearInTest is declared only in a test, tree_test.go:5:6: move it to a file that is none"},
		{d: node(plan.Demand{Keep: "gives"}), want: "keep: gives is func(*node) error, needs func(*node) bool: tree.go:32:6"},
		{d: node(plan.Demand{Keep: "clearNode"}), want: "keep: clearNode is func(*node), needs func(*node) bool: tree.go:30:6"},
		{d: node(plan.Demand{Keep: "clear"}), want: "keep: clear is not declared in package p"},
	})
}

// All demands of all specs are answered at once, before anything is written.
func TestDemandsTogether(t *testing.T) {
	dir := demandTree(t)
	o := demanding(t, plan.Demand{Of: "nod"}, plan.Demand{Of: "node", Reset: "two", Init: "fits", Keep: "gives"})
	o.Plan.Imports = map[string]string{"gone": "example.com/gone/away"}
	require.Equal(t, []string{
		"imports.gone: example.com/gone/away cannot be loaded: no required module provides package example.com/gone/away; to add it: go get example.com/gone/away",
		"objects.o0.of: nod is not declared in package p (did you mean node?)",
		"objects.o1.reset: two is func(*node, int), needs func(*node): tree.go:31:6",
		"objects.o1.init: fits is func(*node) bool, needs func(*node): tree.go:34:6",
		"objects.o1.keep: gives is func(*node) error, needs func(*node) bool: tree.go:32:6",
	}, faults(t, o))
	require.NoFileExists(t, filepath.Join(dir, "x_gen.go"))
}

// What cannot be read is not called missing without saying why.
func TestDemandsAndSyntax(t *testing.T) {
	tree(t, map[string]string{
		"x.yaml": specText,
		"a.go":   "package p\n\ntype node struct{}\n\nfunc f( {\n",
		"b.go":   "package p\n\nfunc clear(n *node) {}\n",
	})
	require.Empty(t, faults(t, demanding(t, plan.Demand{Of: "node", Reset: "clear"})))
	got := faults(t, demanding(t, plan.Demand{Of: "leaf"}))
	require.Len(t, got, 1)
	require.Regexp(t, `^objects\.o0\.of: leaf is not declared in package p, as far as its files can be read: a\.go:5:\d+: `, got[0])
}

// An output for another platform is checked as there.
func TestDemandsElsewhere(t *testing.T) {
	demandTree(t)
	for build, name := range map[string]string{"windows": "winNode", "integration": "tagged"} {
		o := demanding(t, plan.Demand{Of: name}, plan.Demand{Of: "nod"})
		o.Files[0].Source = []byte("//go:build go1.21 && " + build + "\n\npackage p\n")
		require.Equal(t, []string{"objects.o1.of: nod is not declared in package p (did you mean node?)"}, faults(t, o), build)
	}
}

func TestMemoryDemands(t *testing.T) {
	tree(t, map[string]string{
		"x.yaml": specText,
		"go.mod": "module example.com/m\n\ngo 1.21\n",
		"p.go": `package p

import ("sync"; "time"; "unsafe")

type plain struct { a int; b [4]struct{ c uintptr; d float64 }; none [0]string; mu sync.Mutex }
type inner struct { ok bool; buf []byte }
type Cell struct { id int64; next inner }
type rows struct { all [3]struct{ name string } }
type linked struct { n int; next *linked }
type G[T any] struct { val T }
type num interface { ~int32 | small }
type small interface { ~int8 | ~int16 }
type mixed interface { ~int | ~string }
type all struct { m map[int]int }
type fn struct { f func() }
type ch struct { c chan int }
type ifc struct { e error }
type raw struct { p unsafe.Pointer }
type stamp struct { at time.Time }
type broken struct { n int; x nothing }
type str string
`,
	})
	cases := []demandCase{
		{plan.Demand{Of: "plain"}, ""},
		{plan.Demand{Of: "G[int]"}, ""},
		{plan.Demand{Of: "G[plain]"}, ""},
		{plan.Demand{Of: "G[T]", TypeParams: "[T num]"}, ""},
		{plan.Demand{Of: "T", TypeParams: "[T ~[4]int64]"}, ""},
		{plan.Demand{Of: "[8]plain"}, ""},
		{plan.Demand{Of: "Cell"}, "Cell holds pointers: Cell.next.buf is a slice"},
		{plan.Demand{Of: "rows"}, "rows holds pointers: rows.all[0].name is a string"},
		{plan.Demand{Of: "linked"}, "linked holds pointers: linked.next is a pointer"},
		{plan.Demand{Of: "G[Cell]"}, "G[Cell] holds pointers: G[Cell].val.next.buf is a slice"},
		{plan.Demand{Of: "G[*int]"}, "G[*int] holds pointers: G[*int].val is a pointer"},
		{plan.Demand{Of: "G[T]", TypeParams: "[T any]"}, "G[T] holds pointers: G[T].val is a T, which may be any type that satisfies any: use a constraint that lists types without pointers"},
		{plan.Demand{Of: "G[T]", TypeParams: "[T comparable]"}, "G[T] holds pointers: G[T].val is a T, which may be any type that satisfies comparable: use a constraint that lists types without pointers"},
		{plan.Demand{Of: "G[T]", TypeParams: "[T mixed]"}, "G[T] holds pointers: G[T].val is a string when T is string"},
		{plan.Demand{Of: "all"}, "all holds pointers: all.m is a map"},
		{plan.Demand{Of: "fn"}, "fn holds pointers: fn.f is a function"},
		{plan.Demand{Of: "ch"}, "ch holds pointers: ch.c is a channel"},
		{plan.Demand{Of: "ifc"}, "ifc holds pointers: ifc.e is an interface"},
		{plan.Demand{Of: "raw"}, "raw holds pointers: raw.p is an unsafe.Pointer"},
		{plan.Demand{Of: "stamp"}, "stamp holds pointers: stamp.at.loc is a pointer"},
		{plan.Demand{Of: "str"}, "str is a string: a heap takes types without pointers only"},
		{plan.Demand{Of: "broken"}, "broken cannot be looked into: broken.x is a type that is not declared in Go here: p.go:20:31: undefined: nothing"},
		{plan.Demand{Of: "[5]int64", MaxSize: 40}, ""},
		{plan.Demand{Of: "[5]int64", MaxSize: 39}, "[5]int64 has 40 bytes, at most 39 can be served"},
		{plan.Demand{Of: "[4611686018427387904]int64"}, "[4611686018427387904]int64 is too large: at most 2GiB fit into the address space of every system"},
		{plan.Demand{Of: "[8193]int64"}, ""},
		{plan.Demand{Of: "plain", MaxAlign: 8}, ""},
		{plan.Demand{Of: "plain", MaxAlign: 4}, "plain is aligned to 8 bytes, blocks to 4"},
		{plan.Demand{Of: "G[T]", TypeParams: "[T num]", MaxSize: 1}, ""},
	}
	for i := range cases {
		cases[i].d.PointerFree = true
		if cases[i].want != "" {
			cases[i].want = "of: " + cases[i].want
		}
	}
	checkDemandCases(t, nil, cases)
}

// A type of C could hold anything. What the environment says of C changes nothing.
func TestMemoryOfC(t *testing.T) {
	t.Setenv("CGO_ENABLED", "0")
	tree(t, map[string]string{
		"x.yaml": specText,
		"c.go":   "package p\n\nimport \"C\"\n\ntype foreign struct{ n C.int }\n\ntype other struct{ n int }\n",
	})
	checkDemandCases(t, nil, []demandCase{
		{plan.Demand{Of: "foreign"}, ""},
		{plan.Demand{Of: "foreign", PointerFree: true}, "of: foreign cannot be looked into: foreign.n is a type that is not declared in Go here"},
		{plan.Demand{Of: "other", PointerFree: true}, ""},
	})
}

// What the same run removes is not declared anywhere.
func TestDemandOfLeaving(t *testing.T) {
	leaving := string(withHeader("gone.yaml", "0123456789abcdef", []byte("package p\n\ntype Old struct{}\n")))
	tree(t, map[string]string{"x.yaml": specText, "old_gen.go": leaving})
	require.Equal(t, []string{"objects.o0.of: Old is not declared in package p"}, faults(t, demanding(t, plan.Demand{Of: "Old"})))
}

// A package of another module cannot be had while go.mod is wrong: that is said.
func TestImportsWithoutModule(t *testing.T) {
	tree(t, map[string]string{"x.yaml": specText, "go.mod": "module example.com/m\n\ngo 1.21\n\nrequire example.com/x latest 1\n"})
	o := demanding(t)
	o.Plan.Imports = map[string]string{"x": "example.com/x"}
	require.Equal(t, []string{"imports.x: example.com/x cannot be loaded: " +
		"go: errors parsing go.mod: go.mod:5: usage: require module/path v1.2.3"}, faults(t, o))
}

// A generic type that needs ever more instances of itself shows in the output.
func TestCycles(t *testing.T) {
	tree(t, map[string]string{"x.yaml": specText, "go.mod": "module example.com/m\n\ngo 1.21\n", "box.go": "package p\n\ntype box[T any] struct{ p *T }\n"})
	o := output(t, discover(t, "x.yaml"), "x.yaml", ".", "x_gen.go",
		"//go:build go1.21\n\npackage p\n\ntype Pool[T any] struct{ free []*box[PoolCache[[]T]] }\n\ntype PoolCache[T any] struct{ free []*box[PoolCache[[]T]] }\n\nfunc (c *PoolCache[T]) Put(x *box[PoolCache[[]T]]) {}\n")
	o.Plan.Names = []plan.Name{{Ident: "Pool", Entry: "objects.Pool"}, {Ident: "PoolCache", Entry: "objects.Pool"}}
	require.Equal(t, []string{"objects.Pool.of: each instance of PoolCache needs another one, without end"}, faults(t, o))
}

// A generated type may be free of pointers in system memory alone.
func TestMemoryOfGenerated(t *testing.T) {
	tree(t, map[string]string{"x.yaml": specText, "p.go": "package p\n\ntype mine struct{ bin Bin }\n"})
	o := demanding(t, plan.Demand{Of: "Bin", PointerFree: true}, plan.Demand{Of: "mine", PointerFree: true}, plan.Demand{Of: "Plain", PointerFree: true})
	o.Files[0].Source = []byte("//go:build go1.21\n\npackage p\n\ntype Bin struct{ slots [4]slot }\n\ntype Plain struct{ n int }\n")
	o.Files = append(o.Files, File{"x_memory_gen.go", []byte("//go:build go1.21 && !allocgen_goheap\n\npackage p\n\ntype slot = uintptr\n")})
	require.Equal(t, []string{
		"objects.o0.of: Bin holds pointers: Bin.slots[0] is generated, and a pointer or with pointers in Go memory",
		"objects.o1.of: mine holds pointers: mine.bin.slots[0] is generated, and a pointer or with pointers in Go memory",
	}, faults(t, o))
}
