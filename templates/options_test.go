package templates

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/internal/plan"
	"github.com/allocgen/allocgen/internal/spec"
)

// An optionSet is one spec and what it becomes.
type optionSet struct {
	name  string
	plan  *plan.Plan
	texts map[string]string // the rendered files
	files []*ast.File
}

// newSet renders a spec.
func newSet(name, text string) optionSet {
	fail := func(problem any) { panic(fmt.Sprintf("%s: %v", name, problem)) }
	s, errs := spec.Parse("specs/some.yaml", []byte("allocgen: 1\npackage: some\n"+text+"\n"))
	if len(errs) > 0 {
		fail(errs)
	}
	p, errs := plan.Build(s, plan.Beside{Functions: []string{"forget"}})
	if len(errs) > 0 {
		fail(errs)
	}
	rendered, err := Render(p)
	if err != nil {
		fail(err)
	}
	set := optionSet{name: name, plan: p, texts: map[string]string{}}
	for _, f := range rendered {
		set.texts[f.Name] = string(f.Source)
		file, err := parser.ParseFile(fileSet, name+"/"+f.Name, f.Source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			fail(err)
		}
		set.files = append(set.files, file)
	}
	return set
}

// outputs are all option sets that change which text is emitted, rendered once
// for all tests. Positions are in fileSet.
var outputs = sync.OnceValue(func() []optionSet {
	var sets []optionSet
	add := func(name, text string) { sets = append(sets, newSet(name, text)) }
	inlines := []string{"fast", "call", "{alloc: call}", "{free: call}"}
	rules := []string{"double", "go", "cpython", "cpython2"}
	for _, large := range []string{"pages", "go", "refuse"} {
		for _, inline := range inlines {
			heap := "inline: " + inline + "\nheaps: {Heap: {large: " + large + "}}\n"
			lists := "lists:\n"
			for _, rule := range rules {
				lists += "  L" + rule + ": {of: int64, heap: Heap, sizing: " + rule + "}\n"
			}
			add(large+" "+inline, heap+lists)
		}
		add(large+" alone", "heaps: {Heap: {large: "+large+"}}")
	}
	for _, rule := range rules {
		add(rule, "lists: {List: {of: uint16, sizing: "+rule+"}}")
	}
	for _, bin := range []string{"bin: list", "bin: list, double_free: key"} {
		lists := "\nlists: {L: {of: int64, heap: Heap}, M: {of: int64, heap: Heap, sizing: cpython}}"
		add(bin, "heaps: {Heap: {"+bin+"}}"+lists)
		add(bin+" go", "heaps: {Heap: {"+bin+", large: go}}"+lists)
		add(bin+" call", "inline: call\nheaps: {Heap: {"+bin+"}}"+lists)
	}
	for _, bin := range []string{"stack", "list", "list, double_free: key"} {
		for _, inline := range inlines {
			full := "inline: " + inline + "\nheaps: {Heap: {stats: full, bin: " + bin + "}, Go: {stats: full, large: go, bin: " + bin + "}}\n"
			add("full "+bin+" "+inline, full+"lists: {L: {of: int64, heap: Heap}, M: {of: int64, heap: Go, sizing: cpython}, O: {of: int8, heap: Heap, sizing: cpython}}\n"+
				"objects: {Cells: {of: cell, heap: Heap}, pairs: {of: 'pair[int, cell]', heap: Go}}")
		}
	}
	add("stats none", "heaps: {Heap: {stats: none}, Go: {stats: none, large: go, bin: list}}")
	add("refuse", "heaps: {Heap: {large: refuse, stats: full}, Keyed: {large: refuse, stats: full, bin: list, double_free: key}}\n"+
		"lists: {L: {of: int64, heap: Heap}, M: {of: int64, heap: Keyed, sizing: cpython, inline: call}}")
	for _, sync := range []string{"percpu", "mutex"} {
		add("refuse "+sync, "heaps: {Heap: {large: refuse, sync: "+sync+"}}")
	}
	add("stats full", "heaps: {Heap: {stats: full}}")
	add("no tests", "tests: false\nheaps: {Heap: {}}\nlists: {List: {of: bool, heap: Heap}}")
	add("unexported", "heaps: {heap: {}}\nlists: {list: {of: bool, heap: heap}, words: uint32}")
	add("several", `heaps: {Buf: {align: 64}, Small: {threshold: 512, large: go, depth: 1}}
lists:
  Ints: {of: int, heap: Buf}
  Floats: {of: float64, heap: Small, inline: call, sizing: go}
  Words: {of: uint32, heap: Small, sizing: cpython, inline: {alloc: call}}
  Bytes: byte`)
	const hooks = ", reset: clean, init: prepare, keep: worthIt"
	for _, inline := range inlines {
		objects := "inline: " + inline + "\nimports: {url: net/url}\nobjects:\n"
		for i, sync := range []string{"none", "mutex", "cache", "percpu"} {
			objects += fmt.Sprintf("  A%d: {of: node, sync: %s}\n  b%[1]d: {of: node, sync: %[2]s, chunk: 8%s}\n", i, sync, hooks)
			objects += fmt.Sprintf("  C%d: {of: url.URL, sync: %s, depth: 1, reset: none, names: {Get: Take, Put: Give}}\n", i, sync)
			objects += fmt.Sprintf("  D%d[K comparable, V any]: {of: '[2]pair[K, *V]', sync: %s, chunk: 2}\n", i, sync)
			objects += fmt.Sprintf("  e%d[K ~int | ~string]: {of: 'pair[K, node]', sync: %s, reset: forget}\n", i, sync)
		}
		add("objects "+inline, objects)
	}
	for _, bins := range []string{"stack", "list", "list, double_free: key"} {
		for _, inline := range inlines {
			add("typed "+bins+" "+inline, "imports: {token: go/token}\ninline: "+inline+"\nheaps: {Heap: {bin: "+bins+"}}\nobjects:\n"+
				"  Cells: {of: cell, heap: Heap}\n  pairs: {of: 'pair[int, cell]', heap: Heap}\n  Places: {of: token.Pos, heap: Heap, names: {Get: Take, Put: Give}}\n"+
				"lists: {Ints: {of: int64, heap: Heap}}")
		}
	}
	for _, heap := range []string{"limit: 8MiB", "large: go", "large: go, stats: full", "sync: percpu, large: go", "sync: mutex, large: go, stats: full", "sync: mutex, limit: 8MiB"} {
		add("slices "+heap, "heaps: {Heap: {"+heap+"}}\nobjects: {Cells: {of: cell, heap: Heap, slices: true, names: {PutSlice: Give}}, pairs: {of: 'pair[int, cell]', heap: Heap, slices: true}}")
	}
	for _, zero := range []string{"alloc", "free"} {
		for _, heap := range []string{"stats: full", "bin: list", "bin: list, double_free: key, large: refuse", "sync: mutex, stats: full", "limit: 1MiB, inline: call"} {
			text := "heaps: {Heap: {zero: " + zero + ", " + heap + "}}\nobjects: {cells: {of: cell, heap: Heap, slices: true}}\n"
			if !strings.Contains(heap, "sync") {
				text += "lists: {L: {of: int64, heap: Heap}, M: {of: int64, heap: Heap, sizing: cpython}}"
			}
			add("zero "+zero+" "+heap, text)
		}
	}
	add("zero go", "heaps: {Heap: {zero: alloc, large: go}, Pinned: {zero: alloc, sync: percpu}}")
	for _, reset := range []string{"none", "wipe", "forget"} {
		add("typed "+reset, "heaps: {Heap: {large: go}}\nobjects: {cells: {of: cell, heap: Heap, reset: "+reset+"}}")
	}
	return sets
})

// own is the user's code that the objects above name.
const own = `package some

type node struct{ next *node }

func (n *node) clean() {}

type cell struct {
	a byte
	b uint64
}

func (c *cell) wipe() {}

func prepare(*node)      {}
func worthIt(*node) bool { return true }

type pair[K, V any] struct{ k K; v V }

func forget[T any](*T) {}
`

var fileSet = token.NewFileSet()

// stdlib reads packages from the source of Go. Only one test at a time may use
// it: see checkedOutputs.
var stdlib = importer.ForCompiler(fileSet, "source", nil)

// A checkedSet is what the type checker says of an option set, built for one kind
// of memory.
type checkedSet struct {
	optionSet
	pkg  *types.Package
	info *types.Info
	errs []error
}

// checkedOutputs are the option sets, type-checked once for all tests as Go of
// the version that their files ask for, tests included: those with heaps for
// either kind of memory, those that pin with a mutex in its place too.
var checkedOutputs = sync.OnceValue(func() []checkedSet {
	var out []checkedSet
	for _, s := range outputs() {
		out = append(out, typeCheck(s, "linux"))
		if len(s.plan.Heaps) > 0 || s.plan.Pin != nil {
			out = append(out, typeCheck(s, "js"))
		}
	}
	return out
})

// typeCheck checks what is built for a GOOS.
func typeCheck(s optionSet, goos string) checkedSet {
	s.name += " on " + goos
	s.files = slices.DeleteFunc(slices.Clone(s.files), func(f *ast.File) bool { return !builtOn(f, goos) })
	c := checkedSet{optionSet: s, info: &types.Info{
		Uses:   map[*ast.Ident]types.Object{},
		Scopes: map[ast.Node]*types.Scope{},
	}}
	conf := types.Config{
		Importer:  stdlib,
		GoVersion: "go1.21",
		Error:     func(err error) { c.errs = append(c.errs, err) },
	}
	user, err := parser.ParseFile(fileSet, "own.go", own, parser.SkipObjectResolution)
	if err != nil {
		panic(err)
	}
	c.pkg, _ = conf.Check("some", fileSet, append(s.files[:len(s.files):len(s.files)], user), c.info)
	return c
}

// builtOn reports whether a file is built for a GOOS, with no tags given: on Linux
// by gc, elsewhere by a compiler that cannot pin.
func builtOn(f *ast.File, goos string) bool {
	expr, err := constraint.Parse(f.Comments[0].List[0].Text)
	if err != nil {
		panic(err)
	}
	return expr.Eval(func(tag string) bool { return tag == goos || tag == "go1.21" || tag == "gc" && goos == "linux" })
}

// entries are the names of a set's entries, by word, with those of tests.
func (s optionSet) entries() []map[string]string {
	var out []map[string]string
	for _, h := range s.plan.Heaps {
		out = append(out, h.Names)
	}
	for _, l := range s.plan.Lists {
		out = append(out, l.Names)
	}
	for _, e := range s.plan.Objects {
		out = append(out, e.Names)
	}
	return out
}

// isForUsers reports whether ident is what an exported word of an entry became: a
// name for users, which an unexported key makes unexported.
func (s optionSet) isForUsers(ident string) bool {
	for _, names := range s.entries() {
		for word, name := range names {
			if name == ident && token.IsExported(word) {
				return true
			}
		}
	}
	return false
}

func isTestFile(f *ast.File) bool {
	return strings.HasSuffix(fileSet.Position(f.Pos()).Filename, "_test.go")
}

// declared lists the package-level identifiers of a file.
func declared(f *ast.File) []*ast.Ident {
	var out []*ast.Ident
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				out = append(out, d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					out = append(out, s.Name)
				case *ast.ValueSpec:
					out = append(out, s.Names...)
				}
			}
		}
	}
	return out
}

// TestOptionSets: the sets below differ in what they emit; one that repeats
// another would only cost time.
func TestOptionSets(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, s := range outputs() {
		text := ""
		for _, f := range s.files {
			name := strings.TrimPrefix(fileSet.Position(f.Pos()).Filename, s.name+"/")
			text += s.texts[name]
		}
		require.Empty(t, seen[text], "%s emits the same", s.name)
		seen[text] = s.name
	}
}
