package allocgen_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/internal/plan"
)

// TestSplices holds that every copy of a fragment is the same: each matches the
// pattern of its fragment, with the holes that the plan names in place, and the
// copies are as many as the plan's sites.
func TestSplices(t *testing.T) {
	t.Parallel()
	files := render(t, discover(t))
	for _, p := range plans(t) {
		pkg := parse(t, p.Package, files)
		splices := pkg.splices(t)
		total := 0
		check := func(sites []plan.Site, names map[string]string) {
			for _, site := range sites {
				where := p.Base + ": " + site.Golden() + " in " + site.Func
				found := splices[site.Func+" "+site.Fragment]
				if site.Form == plan.Call {
					require.Empty(t, found, where)
					continue
				}
				require.Len(t, found, 1, where)
				total++
				m := &matcher{names: names, holes: map[string]string{}}
				require.True(t, m.splice(golden(t, site.Golden()), found[0]), where)
				for hole, expr := range m.holes {
					require.Equal(t, site.Holes[hole], expr, "%s: hole %s", where, hole)
				}
			}
		}
		for _, h := range p.Heaps {
			check(h.Sites, withWords(h.Names, "PKG", p.Package))
		}
		for _, l := range p.Lists {
			check(l.Sites, withWords(l.Names, "PKG", p.Package, "ELEM", l.Of))
		}
		require.Equal(t, total, pkg.comments, "%s: splices in the output and in the plan", p.Base)
	}
}

// TestNoCalls holds that nothing calls a fragment's function, or a method whose
// body is a splice, unless the plan says call.
func TestNoCalls(t *testing.T) {
	t.Parallel()
	files := render(t, discover(t))
	for _, p := range plans(t) {
		pkg := parse(t, p.Package, files)
		want := map[string]int{}
		for _, site := range p.Sites {
			if site.Form == plan.Call {
				want[site.Func]++
			}
		}
		require.Equal(t, want, pkg.callsOfBins(t, p), p.Base)
	}
}

// TestOneDefinition changes one constant in a fragment, in a copy of the
// generator, and finds it changed in every copy of the fragment.
func TestOneDefinition(t *testing.T) {
	t.Parallel()
	module := t.TempDir()
	for _, dir := range []string{"cmd", "internal", "templates", "specs"} {
		copyTree(t, dir, filepath.Join(module, dir))
	}
	for _, file := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		writeFile(t, filepath.Join(module, file), string(text))
	}
	fragments := filepath.Join(module, "templates", "fragments.go")
	text, err := os.ReadFile(fragments)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), `"bin.n++"`), "defined once")
	writeFile(t, fragments, strings.Replace(string(text), `"bin.n++"`, `"bin.n += 7"`, 1))
	run(t, module, "go", "run", "./cmd/allocgen", "gen")

	copies := 0
	for name, text := range generatedFiles(t, filepath.Join(module, "generated")) {
		if !strings.HasSuffix(name, "_test.go") {
			require.False(t, push.MatchString(text), "%s has an old copy", name)
			copies += strings.Count(text, ".n += 7")
		}
	}
	sites := 0
	for _, p := range plans(t) {
		if strings.HasPrefix(p.File, "specs/") {
			for _, s := range p.Sites {
				if s.Fragment == plan.FreeFast && s.Form == plan.Splice {
					sites++
				}
			}
		}
	}
	require.Positive(t, sites)
	require.Equal(t, sites, copies)
}

var push = regexp.MustCompile(`\bb(in)?\.n\+\+`)

// A parsed is one package's release files.
type parsed struct {
	fset     *token.FileSet
	files    []*ast.File
	comments int // splice comments
}

func parse(t *testing.T, pkg string, files map[string]string) *parsed {
	t.Helper()
	p := &parsed{fset: token.NewFileSet()}
	for name, text := range files {
		if strings.Contains(name, "/"+pkg+"/") && !strings.HasSuffix(name, "_test.go") {
			f, err := parser.ParseFile(p.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
			require.NoError(t, err)
			p.files = append(p.files, f)
		}
	}
	require.NotEmpty(t, p.files, pkg)
	return p
}

// splices finds the statements that follow each splice comment, by function
// and fragment.
func (p *parsed) splices(t *testing.T) map[string][][]ast.Stmt {
	t.Helper()
	out := map[string][][]ast.Stmt{}
	for _, f := range p.files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				if fragment, ok := strings.CutPrefix(c.Text, "// splice: "); ok {
					p.comments++
					decl := enclosing(f, c.Pos())
					require.NotNil(t, decl, "a splice outside a function")
					key := funcName(decl) + " " + fragment
					out[key] = append(out[key], following(decl, c.Pos()))
				}
			}
		}
	}
	return out
}

func enclosing(f *ast.File, pos token.Pos) *ast.FuncDecl {
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Pos() <= pos && pos < fd.End() {
			return fd
		}
	}
	return nil
}

// funcName is "Type.Method", or the name of a plain function.
func funcName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	recv := f.Recv.List[0].Type
	if star, ok := recv.(*ast.StarExpr); ok {
		recv = star.X
	}
	return recv.(*ast.Ident).Name + "." + f.Name.Name
}

// following is the rest of the block in which a comment stands.
func following(f *ast.FuncDecl, pos token.Pos) []ast.Stmt {
	var rest []ast.Stmt
	ast.Inspect(f, func(n ast.Node) bool {
		if block, ok := n.(*ast.BlockStmt); ok && block.Pos() < pos && pos < block.End() {
			rest = nil
			for i, s := range block.List {
				if s.Pos() > pos {
					rest = block.List[i:]
					break
				}
			}
		}
		return true
	})
	return rest
}

// callsOfBins counts calls of a bin's methods, by the calling function.
func (p *parsed) callsOfBins(t *testing.T, pl *plan.Plan) map[string]int {
	t.Helper()
	info := &types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}}
	conf := types.Config{Importer: importer.ForCompiler(p.fset, "source", nil)}
	_, err := conf.Check(pl.Package, p.fset, p.files, info)
	require.NoError(t, err)
	bins := map[string]bool{}
	for _, h := range pl.Heaps {
		bins[h.Names["HeapBin"]] = true
	}
	calls := map[string]int{}
	for _, f := range p.files {
		ast.Inspect(f, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || info.Selections[sel] == nil {
				return true
			}
			fn, ok := info.Selections[sel].Obj().(*types.Func)
			if !ok || !strings.EqualFold(fn.Name(), "alloc") && !strings.EqualFold(fn.Name(), "free") {
				return true
			}
			recv := fn.Signature().Recv().Type().(*types.Pointer).Elem().(*types.Named)
			if bins[recv.Obj().Name()] {
				calls[funcName(enclosing(f, sel.Pos()))]++
			}
			return true
		})
	}
	return calls
}

// golden reads the pattern of a fragment: statements, after a comment that
// names the holes.
func golden(t *testing.T, name string) pattern {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("templates", "testdata", name+".golden"))
	require.NoError(t, err)
	f, err := parser.ParseFile(token.NewFileSet(), name, "package p\nfunc _() {\n"+string(text)+"}\n", parser.SkipObjectResolution)
	require.NoError(t, err)
	list := holeList.FindStringSubmatch(string(text))
	require.NotNil(t, list, "%s names no holes", name)
	p := pattern{f.Decls[0].(*ast.FuncDecl).Body.List, map[string]bool{}}
	for _, hole := range strings.Split(list[1], ", ") {
		p.holes[hole] = true
	}
	return p
}

var holeList = regexp.MustCompile(`Holes?: (.+)\.\n`)

// A pattern is a fragment as it must appear.
type pattern struct {
	stmts []ast.Stmt
	holes map[string]bool // identifiers that stand for expressions
}

func withWords(names map[string]string, pairs ...string) map[string]string {
	out := maps.Clone(names)
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = pairs[i+1]
	}
	return out
}

// A matcher compares a pattern with statements of the output: equal in
// structure, names mapped, every hole bound to one expression throughout.
type matcher struct {
	pattern pattern
	names   map[string]string
	holes   map[string]string
}

// splice matches a pattern with the statements at its place. A result that the
// pattern returns may be returned, declared or assigned by the site.
func (m *matcher) splice(pattern pattern, stmts []ast.Stmt) bool {
	m.pattern = pattern
	if len(stmts) < len(pattern.stmts) {
		return false
	}
	for i, p := range pattern.stmts {
		ret, ok := p.(*ast.ReturnStmt)
		if !ok {
			if !m.match(reflect.ValueOf(p), reflect.ValueOf(stmts[i])) {
				return false
			}
			continue
		}
		var result ast.Expr
		switch s := stmts[i].(type) {
		case *ast.ReturnStmt:
			result = s.Results[0]
		case *ast.AssignStmt:
			result = s.Rhs[0]
		}
		if !m.match(reflect.ValueOf(ret.Results[0]), reflect.ValueOf(result)) {
			return false
		}
	}
	return true
}

var posType = reflect.TypeFor[token.Pos]()

func (m *matcher) match(p, s reflect.Value) bool {
	if p.Kind() == reflect.Interface && !p.IsNil() {
		p = p.Elem()
	}
	if s.Kind() == reflect.Interface && !s.IsNil() {
		s = s.Elem()
	}
	if !p.IsValid() || !s.IsValid() {
		return p.IsValid() == s.IsValid()
	}
	if id, ok := p.Interface().(*ast.Ident); ok && id != nil {
		return m.ident(id.Name, s.Interface())
	}
	if p.Type() != s.Type() {
		return false
	}
	switch p.Kind() {
	case reflect.Pointer, reflect.Interface:
		return p.IsNil() == s.IsNil() && (p.IsNil() || m.match(p.Elem(), s.Elem()))
	case reflect.Struct:
		for i := range p.NumField() {
			if p.Type().Field(i).Type != posType && !m.match(p.Field(i), s.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if p.Len() != s.Len() {
			return false
		}
		for i := range p.Len() {
			if !m.match(p.Index(i), s.Index(i)) {
				return false
			}
		}
		return true
	case reflect.String: // a literal may speak of names
		return word.ReplaceAllStringFunc(p.String(), m.name) == s.String()
	default:
		return p.Interface() == s.Interface()
	}
}

var word = regexp.MustCompile(`\b\w+\b`)

func (m *matcher) name(w string) string {
	if ident, ok := m.names[w]; ok {
		return ident
	}
	return w
}

func (m *matcher) ident(name string, node any) bool {
	expr, ok := node.(ast.Expr)
	if !ok {
		return false
	}
	text := types.ExprString(expr)
	if m.pattern.holes[name] {
		bound, ok := m.holes[name]
		m.holes[name] = text
		return !ok || bound == text
	}
	return text == m.name(name)
}
