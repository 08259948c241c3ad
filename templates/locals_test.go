package templates

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/internal/plan"
)

// TestLocals holds the plan's list of names that an unexported entry cannot
// have: where the output uses the entry's type, something else would be meant.
// These are the locals in whose scope a type of an entry is used, and the
// packages that a file with its declarations imports. Other locals are free:
// what is derived from a key never looks like one, and the type itself is mostly
// used outside of functions.
func TestLocals(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads Go's own source")
	}
	found, all := map[string]bool{}, map[string]bool{}
	for _, s := range checkedOutputs() {
		entries := map[string]bool{}
		for _, names := range s.entries() {
			entries[names["Heap"]], entries[names["List"]] = true, true
			entries[names["Object"]] = true
		}
		for id, obj := range s.info.Uses {
			if obj.Parent() == s.pkg.Scope() && entries[id.Name] {
				hiding(id, s.pkg.Scope(), found)
			}
		}
		for _, scope := range s.info.Scopes {
			for _, name := range scope.Names() { // package names too
				all[name] = true
			}
		}
		for _, f := range s.files {
			for _, i := range f.Imports {
				imported, err := strconv.Unquote(i.Path.Value)
				require.NoError(t, err)
				if s.plan.Imports[path.Base(imported)] == "" {
					found[path.Base(imported)] = true
				}
			}
		}
	}
	// No entry has these names: the format refuses what Go predeclares.
	for _, names := range []map[string]bool{found, all} {
		maps.DeleteFunc(names, func(name string, _ bool) bool {
			return name == "_" || types.Universe.Lookup(name) != nil || theirs[name]
		})
	}
	want := slices.Sorted(maps.Keys(found))
	require.Equal(t, want, plan.Locals(), "internal/plan/names.go has to say:\n%s", literal(want))

	t.Run("others are free", func(t *testing.T) {
		for _, pair := range [][2]string{{"block", "items"}, {"pool", "list"}, {"first", "l"}, {"start", "end"}} {
			for _, name := range pair {
				require.True(t, all[name] && !found[name], "%s is no free local", name)
			}
			checkKeys(t, pair[0], pair[1])
		}
	})
	t.Run("and no helpers", func(t *testing.T) {
		for word := range allWords() {
			for _, stem := range []string{"Heap", "heap", "List", "list", "Object", "object"} {
				suffix, ok := strings.CutPrefix(word, stem)
				for local := range all {
					key := strings.TrimSuffix(local, suffix)
					if ok && suffix != "" && key != local && key != "" {
						t.Errorf("an entry %s would declare %s, which is a local", key, local)
					}
				}
			}
		}
	})
}

// theirs are names of the option sets' own: type parameters, and an import.
var theirs = map[string]bool{"K": true, "V": true, "url": true, "token": true}

// TestObjectLocals holds the plan's list of names that nothing may have that the
// output takes from the user's own code: the locals in whose scope it is named.
func TestObjectLocals(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads Go's own source")
	}
	found := map[string]bool{}
	for _, s := range checkedOutputs() {
		for id, obj := range s.info.Uses {
			_, imported := obj.(*types.PkgName)
			named := fileSet.Position(obj.Pos()).Filename == "own.go" || imported && s.plan.Imports[id.Name] != ""
			if named && obj.Parent() != nil && fileSet.Position(id.Pos()).Filename != "own.go" {
				hiding(id, s.pkg.Scope(), found)
			}
		}
	}
	maps.DeleteFunc(found, func(name string, _ bool) bool {
		return name == "_" || theirs[name] || types.Universe.Lookup(name) != nil || plan.Imports()[name] != ""
	})
	require.Equal(t, slices.Sorted(maps.Keys(found)), plan.ObjectLocals())
}

// allWords are the words of all entries of all option sets.
func allWords() map[string]bool {
	out := map[string]bool{}
	for _, s := range outputs() {
		for _, names := range s.entries() {
			for word := range names {
				out[word] = true
			}
		}
	}
	return out
}

// hiding adds the locals that are in scope at a use of an entry's type.
func hiding(id *ast.Ident, pkg *types.Scope, found map[string]bool) {
	for i := range pkg.NumChildren() {
		for s := pkg.Child(i).Innermost(id.Pos()); s != nil && s != pkg; s = s.Parent() {
			for _, name := range s.Names() {
				if in, obj := s.LookupParent(name, id.Pos()); obj != nil && in != pkg {
					found[name] = true
				}
			}
		}
	}
}

// checkKeys holds that the output compiles when a heap and a list have the names
// of locals.
func checkKeys(t *testing.T, heap, list string) {
	t.Helper()
	s := newSet(heap+" and "+list, fmt.Sprintf("heaps: {'%s': {}}\nlists: {'%s': {of: int64, heap: '%[1]s', sizing: cpython}}", heap, list))
	require.Empty(t, typeCheck(s, "linux").errs, s.name)
	require.Empty(t, typeCheck(s, "js").errs, s.name)
}

// literal is the list as names.go spells it.
func literal(names []string) string {
	var b strings.Builder
	b.WriteString("var locals = []string{")
	for i, name := range names {
		if i%12 == 0 {
			b.WriteString("\n\t")
		} else {
			b.WriteString(" ")
		}
		fmt.Fprintf(&b, "%q,", name)
	}
	b.WriteString("\n}\n")
	return b.String()
}

// TestParamLocals holds the plan's list of names that no type parameter may have:
// what functions of generic entries declare where their receiver's are.
func TestParamLocals(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, s := range outputs() {
		for _, file := range s.files {
			for _, d := range file.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if ok && fn.Recv != nil && isGeneric(fn.Recv.List[0].Type) {
					declaredIn(fn, found)
				}
			}
		}
	}
	require.Equal(t, slices.Sorted(maps.Keys(found)), plan.ParamLocals())
}

func isGeneric(receiver ast.Expr) bool {
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	switch receiver.(type) {
	case *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}

// declaredIn adds what a function declares, in whatever scope.
func declaredIn(fn *ast.FuncDecl, found map[string]bool) {
	add := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
			found[id.Name] = true
		}
	}
	for _, list := range []*ast.FieldList{fn.Recv, fn.Type.Params, fn.Type.Results} {
		if list != nil {
			for _, field := range list.List {
				for _, id := range field.Names {
					add(id)
				}
			}
		}
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, e := range n.Lhs {
					add(e)
				}
			}
		case *ast.RangeStmt:
			add(n.Key)
			if n.Value != nil {
				add(n.Value)
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				add(id)
			}
		}
		return true
	})
}

// TestMembers holds the plan's lists of names that no method may be given, and
// that no entry in a heap may have: what types of entries have already.
func TestMembers(t *testing.T) {
	t.Parallel()
	plain, typed, cache, heap := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, s := range outputs() {
		methods, fields := map[string]map[string]bool{}, map[string]map[string]bool{} // by type
		users := map[string]bool{}                                                    // methods named after entries, or by them
		isCache := map[string]bool{}
		for _, h := range s.plan.Heaps {
			methods[h.Names["HeapCache"]], fields[h.Names["HeapCache"]] = cache, cache
			methods[h.Names["heapFront"]], fields[h.Names["heapFront"]] = cache, cache
			isCache[h.Names["HeapCache"]] = true
			if h.Shared() { // where the heap has what caches have elsewhere
				for _, word := range []string{"Heap", "heapMemory", "heapPerCPU", "heapFront"} {
					methods[h.Names[word]], fields[h.Names[word]], isCache[h.Names[word]] = heap, heap, true
				}
			}
		}
		for _, l := range s.plan.Lists {
			users[l.Names["NewList"]] = true
		}
		for _, e := range s.plan.Objects {
			users[e.Name] = true
			if e.Heap != nil {
				// The type has the fields of a bin, and not its methods.
				methods[e.Name], fields[e.Heap.Names["HeapBin"]] = typed, typed
				continue
			}
			methods[e.Name], fields[e.Name] = plain, plain
			methods[e.Names["ObjectCache"]], fields[e.Names["ObjectCache"]] = plain, plain
		}
		for _, file := range s.files {
			for _, m := range members(file) {
				list := fields[m.owner]
				if m.method {
					list = methods[m.owner]
				}
				renamable := token.IsExported(m.name) && list != nil && !isCache[m.owner]
				if list != nil && m.name != "_" && !users[m.name] && !renamable {
					list[m.name] = true
				}
			}
		}
	}
	wantPlain, wantTyped, wantCache, wantHeap := plan.ObjectMembers()
	require.Equal(t, slices.Sorted(maps.Keys(plain)), wantPlain)
	require.Equal(t, slices.Sorted(maps.Keys(typed)), wantTyped)
	require.Equal(t, slices.Sorted(maps.Keys(cache)), wantCache)
	require.Equal(t, slices.Sorted(maps.Keys(heap)), wantHeap)
}

// A member is a field or a method of a type.
type member struct {
	owner, name string
	method      bool
}

// members lists those of all types in a file, embedded fields left out.
func members(file *ast.File) (all []member) {
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
			all = append(all, member{typeName(fn.Recv.List[0].Type), fn.Name.Name, true})
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		if body, ok := spec.Type.(*ast.StructType); ok {
			for _, field := range body.Fields.List {
				for _, id := range field.Names {
					all = append(all, member{spec.Name.Name, id.Name, false})
				}
			}
		}
		return false
	})
	return all
}

// typeName is a type's without pointer and type arguments.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	}
	return ""
}
