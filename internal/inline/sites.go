package inline

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"
)

// A site is a call of an entry point in one of the packages.
type site struct {
	entry    *entry
	place    place   // of the opening parenthesis, by which the compiler names a call
	callers  []place // the functions around it, innermost first
	deferred string  // "go" or "defer" when it is the call of such a statement
}

// sites finds the calls of entry points in those packages that only has, in the
// order of the source. Calls through interfaces and function values name no
// entry point.
func (prog *program) sites(only func(*packages.Package) bool) []site {
	var out []site
	for _, pkg := range prog.packages {
		if !only(pkg) {
			continue
		}
		for _, file := range pkg.Syntax {
			s := siteFinder{prog: prog, pkg: pkg}
			ast.Inspect(file, s.visit)
			out = append(out, s.found...)
		}
	}
	return out
}

// A siteFinder walks a file and keeps the nodes that it is in.
type siteFinder struct {
	prog  *program
	pkg   *packages.Package
	path  []ast.Node
	found []site
}

func (s *siteFinder) visit(n ast.Node) bool {
	if n == nil {
		s.path = s.path[:len(s.path)-1]
		return true
	}
	if call, ok := n.(*ast.CallExpr); ok {
		if fn := typeutil.StaticCallee(s.pkg.TypesInfo, call); fn != nil {
			if e := s.prog.byName[symbolOf(fn)]; e != nil {
				s.add(e, call)
			}
		}
	}
	s.path = append(s.path, n)
	return true
}

func (s *siteFinder) add(e *entry, call *ast.CallExpr) {
	found := site{entry: e, place: position(s.pkg.Fset, call.Lparen)}
	switch s.path[len(s.path)-1].(type) {
	case *ast.GoStmt:
		found.deferred = "go"
	case *ast.DeferStmt:
		found.deferred = "defer"
	}
	for i := len(s.path) - 1; i >= 0; i-- {
		switch s.path[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			found.callers = append(found.callers, position(s.pkg.Fset, s.path[i].Pos()))
		}
	}
	s.found = append(s.found, found)
}

// symbolOf names a function as entries are named. The methods of instances of a
// generic type are those of the type.
func symbolOf(fn *types.Func) symbol {
	fn = fn.Origin()
	if fn.Pkg() == nil {
		return symbol{}
	}
	name := fn.Name()
	if recv := fn.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			name = n.Obj().Name() + "." + name
		}
	}
	return symbol{fn.Pkg().Path(), name}
}
