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

// TestLocals holds the plan's list of names that an entry cannot have: inside a
// function that declares one, or in a file that imports a package of that name,
// the entry's type would be hidden.
func TestLocals(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, s := range outputs() {
		for _, f := range s.files {
			collectLocals(f, found)
			for _, i := range f.Imports {
				imported, err := strconv.Unquote(i.Path.Value)
				require.NoError(t, err)
				found[path.Base(imported)] = true
			}
		}
	}
	// No entry has these names: the format refuses what Go predeclares.
	maps.DeleteFunc(found, func(name string, _ bool) bool {
		return name == "_" || types.Universe.Lookup(name) != nil
	})
	want := slices.Sorted(maps.Keys(found))
	require.Equal(t, want, plan.Locals(), "internal/plan/names.go has to say:\n%s", literal(want))
}

// TestLocalsAndHelpers: the list is compared with keys only, so that no local
// may look like what is derived from one.
func TestLocalsAndHelpers(t *testing.T) {
	t.Parallel()
	for _, s := range outputs() {
		for _, names := range s.entries() {
			for word := range names {
				for _, stem := range []string{"Heap", "heap", "List", "list"} {
					suffix, ok := strings.CutPrefix(word, stem)
					if !ok || suffix == "" {
						continue
					}
					for _, local := range plan.Locals() {
						key, ok := strings.CutSuffix(local, suffix)
						require.False(t, ok && key != "", "an entry %s would declare %s", key, local)
					}
				}
			}
		}
	}
}

// collectLocals adds what a file declares inside functions: receivers,
// parameters, results, variables, constants, types and labels.
func collectLocals(f *ast.File, found map[string]bool) {
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			found[id.Name] = true
		}
	}
	fields := func(list *ast.FieldList) {
		if list == nil {
			return
		}
		for _, field := range list.List {
			add(field.Names...)
		}
	}
	define := func(tok token.Token, exprs ...ast.Expr) {
		for _, e := range exprs {
			if id, ok := e.(*ast.Ident); ok && tok == token.DEFINE {
				add(id)
			}
		}
	}
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok {
			fields(fd.Recv)
			fields(fd.Type.Params)
			fields(fd.Type.Results)
		}
		inside := func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				fields(n.Type.Params)
				fields(n.Type.Results)
			case *ast.AssignStmt:
				define(n.Tok, n.Lhs...)
			case *ast.RangeStmt:
				define(n.Tok, n.Key, n.Value)
			case *ast.ValueSpec:
				add(n.Names...)
			case *ast.TypeSpec:
				add(n.Name)
			case *ast.LabeledStmt:
				add(n.Label)
			}
			return true
		}
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
			ast.Inspect(fd.Body, inside)
		}
	}
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
