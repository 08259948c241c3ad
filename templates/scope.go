package templates

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"

	"github.com/dave/jennifer/jen"

	"github.com/allocgen/allocgen/internal/plan"
)

// A code is one emitted statement or declaration.
type code = jen.Code

// A scope says what the identifiers of a text stand for.
type scope struct {
	names map[string]string // names of the output, by their word in the templates
	holes map[string]string // expressions of the site, by the name of the hole
	known map[string]bool   // parameters and locals of the emitted function
	user  user
}

// A user is what the spec names of the user's code.
type user struct {
	idents  map[string]bool   // types, functions and type parameters
	imports map[string]string // packages, by the name that the spec gives them
}

func newScope(names map[string]string) *scope {
	return &scope{names: names, holes: map[string]string{}, known: map[string]bool{}}
}

// bind gives a site's scope: pairs of a hole and the expression in its place.
// The expression is in the words of the scope that it is bound in.
func (s *scope) bind(pairs ...string) *scope {
	t := &scope{names: s.names, known: s.known, holes: maps.Clone(s.holes), user: s.user}
	for i := 0; i < len(pairs); i += 2 {
		t.holes[pairs[i]] = s.resolve(pairs[i+1])
	}
	return t
}

// bindTheirs is bind for an expression of the user's: its names mean what they
// say.
func (s *scope) bindTheirs(hole, expr string) *scope {
	t := s.bind()
	t.holes[hole] = expr
	return t
}

// at binds the holes of a site.
func (s *scope) at(site plan.Site) *scope {
	var pairs []string
	for hole, expr := range site.Holes {
		pairs = append(pairs, hole, expr)
	}
	return s.bind(pairs...)
}

// bindWords adds words that rename replaces.
func (s *scope) bindWords(pairs ...string) *scope {
	t := newScope(maps.Clone(s.names))
	t.user = s.user
	for i := 0; i < len(pairs); i += 2 {
		t.names[pairs[i]] = pairs[i+1]
	}
	return t
}

// resolve replaces the holes and names in an expression.
func (s *scope) resolve(expr string) string {
	src := expression.prefix + expr + expression.suffix
	file, err := parser.ParseFile(token.NewFileSet(), "", src, 0)
	if err != nil {
		panic(fmt.Errorf("hole bound to %q: %v", expr, err))
	}
	for i := len(file.Unresolved) - 1; i >= 0; i-- { // in the order of the text
		id := file.Unresolved[i]
		if text, ok := s.lookup(id.Name); ok {
			at := int(id.Pos()-file.FileStart) - len(expression.prefix)
			expr = expr[:at] + text + expr[at+len(id.Name):]
		}
	}
	return expr
}

// lookup finds what a free identifier stands for.
func (s *scope) lookup(name string) (string, bool) {
	if expr, ok := s.holes[name]; ok {
		return parenthesise(expr), true
	}
	if ident, ok := s.names[name]; ok {
		return ident, true
	}
	if s.known[name] || types.Universe.Lookup(name) != nil || name == "_" {
		return name, true
	}
	return "", false
}

// emits reports whether ident is a name of the output.
func (s *scope) emits(ident string) bool {
	for _, name := range s.names {
		if name == ident {
			return true
		}
	}
	return false
}

// parenthesise keeps a bound expression whole wherever it lands.
func parenthesise(expr string) string {
	e, err := parser.ParseExpr(expr)
	if err != nil {
		panic(fmt.Errorf("hole bound to %q: %v", expr, err))
	}
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr, *ast.IndexExpr, *ast.IndexListExpr, *ast.ArrayType, *ast.BasicLit, *ast.ParenExpr:
		return expr
	}
	return "(" + expr + ")"
}

// declareLocals makes the locals of a statement text known to the texts after it.
func (s *scope) declareLocals(file *ast.File) {
	for _, stmt := range file.Decls[0].(*ast.FuncDecl).Body.List {
		switch stmt := stmt.(type) {
		case *ast.AssignStmt:
			if stmt.Tok == token.DEFINE {
				for _, e := range stmt.Lhs {
					s.known[e.(*ast.Ident).Name] = true
				}
			}
		case *ast.DeclStmt:
			for _, spec := range stmt.Decl.(*ast.GenDecl).Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					s.know(v.Names)
				}
			}
		}
	}
}

// declareParams makes receiver, parameters and results known to the body.
func (s *scope) declareParams(file *ast.File) {
	f := file.Decls[0].(*ast.FuncDecl)
	for _, list := range []*ast.FieldList{f.Recv, f.Type.Params, f.Type.Results} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			s.know(field.Names)
		}
	}
}

func (s *scope) know(ids []*ast.Ident) {
	for _, id := range ids {
		s.known[id.Name] = true
	}
}

// do is one statement, or a few that belong together.
func (s *scope) do(text string) code { return s.convert(statements, text) }

// expr is an expression.
func (s *scope) expr(text string) code { return s.convert(expression, text) }

// when is an if statement with a body made elsewhere.
func (s *scope) when(condition string, body ...code) code {
	return jen.If(s.expr(condition)).Block(body...)
}

// define declares a local with a value made elsewhere.
func (s *scope) define(local string, value code) code {
	s.known[local] = true
	return jen.Id(local).Op(":=").Add(value)
}

// assign gives a value made elsewhere to a local.
func (s *scope) assign(local string, value code) code {
	return jen.Id(local).Op("=").Add(value)
}
