package templates

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
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

// outputs are all option sets that change which text is emitted, rendered once
// for all tests. Positions are in fileSet.
var outputs = sync.OnceValue(func() []optionSet {
	var sets []optionSet
	add := func(name, text string) {
		s, errs := spec.Parse("specs/some.yaml", []byte("allocgen: 1\npackage: some\n"+text+"\n"))
		if len(errs) > 0 {
			panic(fmt.Sprintf("%s: %v", name, errs))
		}
		p, errs := plan.Build(s)
		if len(errs) > 0 {
			panic(fmt.Sprintf("%s: %v", name, errs))
		}
		set := optionSet{name: name, plan: p, texts: map[string]string{}}
		rendered, err := Render(p)
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err))
		}
		for _, f := range rendered {
			set.texts[f.Name] = string(f.Source)
			file, err := parser.ParseFile(fileSet, name+"/"+f.Name, f.Source, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				panic(err)
			}
			set.files = append(set.files, file)
		}
		sets = append(sets, set)
	}
	inlines := []string{"fast", "call", "{alloc: call}", "{free: call}"}
	rules := []string{"double", "go", "cpython", "cpython2"}
	for _, large := range []string{"pages", "go"} {
		for _, inline := range inlines {
			heap := "inline: " + inline + "\nheaps: {Heap: {large: " + large + "}}"
			add(large+" "+inline, heap)
			for _, rule := range rules {
				add(large+" "+inline+" "+rule, heap+"\nlists: {List: {of: int64, heap: Heap, sizing: "+rule+"}}")
			}
		}
	}
	for _, rule := range rules {
		add(rule, "lists: {List: {of: uint16, sizing: "+rule+"}}")
	}
	add("no tests", "tests: false\nheaps: {Heap: {}}\nlists: {List: {of: bool, heap: Heap}}")
	add("unexported", "heaps: {heap: {}}\nlists: {list: {of: bool, heap: heap}, words: uint32}")
	add("several", `heaps: {Buf: {align: 64}, Small: {threshold: 512, large: go, depth: 1}}
lists:
  Ints: {of: int, heap: Buf}
  Floats: {of: float64, heap: Small, inline: call, sizing: go}
  Words: {of: uint32, heap: Small, sizing: cpython, inline: {alloc: call}}
  Bytes: byte`)
	return sets
})

var fileSet = token.NewFileSet()

// entries are the names of a set's entries, by word, with those of tests.
func (s optionSet) entries() []map[string]string {
	var out []map[string]string
	for _, h := range s.plan.Heaps {
		out = append(out, h.Names)
	}
	for _, l := range s.plan.Lists {
		out = append(out, l.Names)
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

func isTest(f *ast.File) bool {
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
