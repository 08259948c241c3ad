package templates

import (
	"go/ast"
	"go/format"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTypeChecks: every option set compiles, its tests included.
func TestTypeChecks(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads Go's own source")
	}
	for _, s := range checkedOutputs() {
		for _, err := range s.errs {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}

// TestNamesOfOutput: the plan refuses and compares names by its list, so that
// the list must be what the output declares, no more and no less.
func TestNamesOfOutput(t *testing.T) {
	t.Parallel()
	wrong := map[string][]string{} // sets by what is wrong with them
	for _, s := range outputs() {
		var want, got []string
		for _, n := range s.plan.Names {
			want = append(want, n.Ident)
		}
		for _, f := range s.files {
			for _, id := range declared(f) {
				got = append(got, id.Name)
			}
		}
		unique := slices.Sorted(maps.Keys(set(want)))
		require.Len(t, unique, len(want), "%s: the plan has a name twice", s.name)
		for _, ident := range without(got, want) {
			problem := ident + " is declared, and not in the plan's names"
			wrong[problem] = append(wrong[problem], s.name)
		}
		for _, ident := range without(want, got) {
			problem := ident + " is in the plan's names, and not declared"
			wrong[problem] = append(wrong[problem], s.name)
		}
	}
	for _, problem := range slices.Sorted(maps.Keys(wrong)) {
		t.Errorf("%s: in the sets %q", problem, wrong[problem])
	}
}

// TestEveryWord: a word of the plan's lists that no option set declares is dead.
func TestEveryWord(t *testing.T) {
	t.Parallel()
	used, all := map[string]bool{}, map[string]bool{}
	for _, s := range outputs() {
		idents := map[string]bool{}
		for _, f := range s.files {
			for _, id := range declared(f) {
				idents[id.Name] = true
			}
			for _, d := range f.Decls { // methods, which lists' heaps get
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv != nil {
					idents[fd.Name.Name] = true
				}
			}
		}
		for _, names := range s.entries() {
			for word, ident := range names {
				all[word] = true
				used[word] = used[word] || idents[ident]
			}
		}
	}
	for _, word := range slices.Sorted(maps.Keys(all)) {
		require.True(t, used[word], "%s is in the plan's lists, and nowhere in the output", word)
	}
}

func set(list []string) map[string]bool {
	out := map[string]bool{}
	for _, s := range list {
		out[s] = true
	}
	return out
}

func without(list, other []string) []string {
	drop := set(other)
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return drop[s] })
}

// TestDocs: whatever is for users says what it is, in Go's form: the comment
// starts with the name, that of a type perhaps after an article.
func TestDocs(t *testing.T) {
	t.Parallel()
	wrong := map[string]bool{} // reported once, not for each set
	for _, s := range outputs() {
		check := func(name string, doc *ast.CommentGroup, isType bool) {
			text := doc.Text()
			if isType {
				text = strings.TrimPrefix(strings.TrimPrefix(text, "A "), "An ")
			}
			first, _, _ := strings.Cut(strings.ReplaceAll(text, "\n", " "), " ")
			if first != name && !wrong[name] {
				wrong[name] = true
				t.Errorf("%s: the doc of %s starts with %q", s.name, name, first)
			}
		}
		for _, f := range s.files {
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					owned := d.Recv == nil && s.isForUsers(d.Name.Name)
					if d.Recv != nil {
						owned = s.isForUsers(receiver(d)) && (token.IsExported(d.Name.Name) || s.isForUsers(d.Name.Name))
					}
					if owned {
						check(d.Name.Name, d.Doc, false)
					}
				case *ast.GenDecl:
					for _, spec := range d.Specs {
						switch spec := spec.(type) {
						case *ast.TypeSpec:
							if s.isForUsers(spec.Name.Name) {
								check(spec.Name.Name, either(spec.Doc, d.Doc), true)
							}
						case *ast.ValueSpec:
							for _, id := range spec.Names {
								if s.isForUsers(id.Name) {
									check(id.Name, either(spec.Doc, d.Doc), false)
								}
							}
						}
					}
				}
			}
		}
	}
}

func receiver(d *ast.FuncDecl) string {
	recv := d.Recv.List[0].Type
	if star, ok := recv.(*ast.StarExpr); ok {
		recv = star.X
	}
	switch generic := recv.(type) {
	case *ast.IndexExpr:
		recv = generic.X
	case *ast.IndexListExpr:
		recv = generic.X
	}
	return recv.(*ast.Ident).Name
}

func either(a, b *ast.CommentGroup) *ast.CommentGroup {
	if a != nil {
		return a
	}
	return b
}

// TestPackageDoc: one file of a package carries the contract.
func TestPackageDoc(t *testing.T) {
	t.Parallel()
	for _, s := range outputs() {
		docs := 0
		for _, f := range s.files {
			if f.Doc != nil {
				docs++
				require.True(t, strings.HasPrefix(f.Doc.Text(), "Package some "), s.name)
			}
		}
		require.Equal(t, 1, docs, s.name)
	}
}

var stdPath = regexp.MustCompile(`^[a-z0-9]+(/[a-z0-9]+)*$`)

// TestImportsOfOutput: the output needs the standard library only, and names
// packages by their own names.
func TestImportsOfOutput(t *testing.T) {
	t.Parallel()
	allowed := set(slices.Collect(maps.Values(imports)))
	for _, s := range outputs() {
		for _, f := range s.files {
			for _, i := range f.Imports {
				path, err := strconv.Unquote(i.Path.Value)
				require.NoError(t, err)
				require.Regexp(t, stdPath, path, s.name)
				if slices.Contains(slices.Collect(maps.Values(s.plan.Imports)), path) {
					continue // the user's
				}
				require.True(t, allowed[path], "%s imports %s", s.name, path)
				if path == "unsafe" && i.Name != nil { // go:linkname wants it
					require.Equal(t, "_", i.Name.Name, s.name)
					continue
				}
				require.Nil(t, i.Name, "%s: %s has an alias", s.name, path)
				require.Equal(t, path == "testing" && !isTestFile(f), false, "%s: a release file imports testing", s.name)
			}
		}
	}
}

// TestNoLeftovers: nothing that shows the generator. A value that is assigned
// to _ only to be used is one, and so is an empty block.
func TestNoLeftovers(t *testing.T) {
	t.Parallel()
	for _, s := range outputs() {
		for name, text := range s.texts {
			for _, leftover := range []string{"TODO", "%!", "<nil>", "PKG", "ELEM", "HELD", "MISALIGNED", "/*"} {
				require.NotContains(t, text, leftover, "%s/%s", s.name, name)
			}
		}
		for _, f := range s.files {
			ast.Inspect(f, func(n ast.Node) bool {
				at := func() string { return fileSet.Position(n.Pos()).String() }
				switch n := n.(type) {
				case *ast.AssignStmt:
					for _, e := range n.Lhs {
						if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
							require.Greater(t, len(n.Lhs), 1, "%s: a value for _ alone", at())
						}
					}
				case *ast.IfStmt:
					require.NotEmpty(t, n.Body.List, "%s: a branch without a statement", at())
				case *ast.BlockStmt:
					for _, stmt := range n.List {
						_, bare := stmt.(*ast.BlockStmt)
						require.False(t, bare, "%s: a bare block", at())
					}
				}
				return true
			})
		}
	}
}

// TestFormats: gofmt accepts each file, and blank lines do not pile up.
func TestFormats(t *testing.T) {
	t.Parallel()
	for _, s := range outputs() {
		for name, text := range s.texts {
			once, err := format.Source([]byte(text))
			require.NoError(t, err, "%s/%s", s.name, name)
			require.NotContains(t, string(once), "\n\n\n", "%s/%s", s.name, name)
		}
	}
}

// TestTestFiles: users check the emitted tests in; those of one entry fit the
// length that a reviewer reads, and `tests: false` leaves none.
func TestTestFiles(t *testing.T) {
	t.Parallel()
	for _, s := range outputs() {
		tests := 0
		for name, text := range s.texts {
			if !strings.HasSuffix(name, "_test.go") {
				continue
			}
			tests++
			pretty, err := format.Source([]byte(text))
			require.NoError(t, err)
			lines := strings.Count(string(pretty), "\n") + 3 // the header is to come
			if len(s.plan.Heaps)+len(s.plan.Lists) == 1 && lines > 300 {
				t.Errorf("%s: %s has %d lines, at most 300", s.name, name, lines)
			}
		}
		require.Equal(t, s.plan.Tests, tests > 0, s.name)
	}
}
