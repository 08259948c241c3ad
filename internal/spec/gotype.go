package spec

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// TypeOf decodes `of`.
func (d *decoder) typeOf(n *node, params []Param) string {
	text, ok := d.text(n, "a type such as Node")
	if !ok {
		return ""
	}
	expr, err := parser.ParseExpr(text)
	if err != nil {
		d.fail(n, "%s is no Go type: write one such as Node, api.Session or swiss.Group[int64, int64]", show(text))
		return ""
	}
	if problem := d.checkType(expr, true); problem != "" {
		d.fail(n, "%s: %s", show(text), problem)
		return ""
	}
	for _, p := range params {
		if types.ExprString(expr) == p.Name {
			d.fail(n, "%s: a type parameter alone: write a type that uses it, such as Node[%s]", show(text), p.Name)
			return ""
		}
	}
	return types.ExprString(expr)
}

// CheckType says why e is no type that can be pooled, or, inside of one (top is
// false), no type at all.
func (d *decoder) checkType(e ast.Expr, top bool) string {
	const wrong = "write a type such as Node, api.Session or swiss.Group[int64, int64]"
	switch e := e.(type) {
	case *ast.Ident:
		return checkTypeName(e.Name, top)
	case *ast.SelectorExpr:
		if pkg, ok := e.X.(*ast.Ident); ok {
			return d.checkImported(pkg.Name, e.Sel.Name)
		}
	case *ast.IndexExpr:
		return d.checkTypes(e.X, e.Index)
	case *ast.IndexListExpr:
		return d.checkTypes(e.X, e.Indices...)
	case *ast.ArrayType:
		if e.Len != nil {
			if lit, ok := e.Len.(*ast.BasicLit); ok && lit.Kind == token.INT {
				return d.checkType(e.Elt, false)
			}
			return "the length of an array is a number here"
		}
		if !top {
			return d.checkType(e.Elt, false)
		}
		return "a slice: pool a struct or an array that holds it"
	case *ast.StarExpr:
		if !top {
			return d.checkType(e.X, false)
		}
		return "a pointer: write the type that it points to, Get returns a pointer to it"
	case *ast.MapType:
		if !top {
			return d.checkTypes(e.Key, e.Value)
		}
		return "a map: pool a struct that holds it"
	case *ast.InterfaceType, *ast.StructType, *ast.FuncType, *ast.ChanType:
		return "a type without a name: declare it, and write its name"
	}
	return "no Go type: " + wrong
}

func (d *decoder) checkTypes(first ast.Expr, rest ...ast.Expr) string {
	for _, e := range append([]ast.Expr{first}, rest...) {
		if problem := d.checkType(e, false); problem != "" {
			return problem
		}
	}
	return ""
}

func checkTypeName(name string, top bool) string {
	obj := types.Universe.Lookup(name)
	if obj == nil {
		return ""
	}
	switch _, isType := obj.(*types.TypeName); {
	case !isType:
		return name + " is no type in Go: one of your own needs another name"
	case top && slices.Contains([]string{"any", "error", "comparable", "string"}, name):
		return name + " is not pooled: write a type of your own that holds it"
	}
	return ""
}

// CheckImported looks pkg up in `imports` and marks it as used.
func (d *decoder) checkImported(pkg, member string) string {
	if !ast.IsExported(member) {
		return member + " is not exported by " + pkg
	}
	if slices.ContainsFunc(d.spec.Imports, func(i Import) bool { return i.Name == pkg }) {
		d.used[pkg] = true
		return ""
	}
	if d.bad["imports."+pkg] {
		return ""
	}
	return fmt.Sprintf("imports does not name %s: add imports: {%s: the path of the package}", pkg, pkg)
}

// Params splits the key of an entry into name and type parameters.
func (d *decoder) params(f field) (field, []Param, bool) {
	name, rest, generic := strings.Cut(f.name, "[")
	if !generic {
		return f, nil, true
	}
	key, path := f.name, f.path
	f.name = strings.TrimSpace(name)
	f.path = join(path[:len("objects")], f.name)
	d.spec.pos[f.path] = f.pos
	repath(f.value, path, f.path)
	text := "package p\ntype T[" + rest + " struct{}"
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	list := typeParams(file)
	if err != nil || list == nil || strings.ContainsAny(key, "/\n") {
		d.failAt(f.pos, f.path, "%s: type parameters are written as in Go, such as Pool[K comparable, V any]", show(key))
		return f, nil, false
	}
	var params []Param
	problem := ""
	for _, group := range list {
		for _, id := range group.Names {
			if slices.ContainsFunc(params, func(p Param) bool { return p.Name == id.Name }) {
				problem = show(id.Name) + " is there twice: type parameters have names of their own"
			}
			if bad := checkIdentifier(id.Name); bad != "" {
				problem = show(id.Name) + " " + bad
			}
			params = append(params, Param{id.Name, text[group.Type.Pos()-file.FileStart : group.Type.End()-file.FileStart]})
		}
		if bad := d.checkConstraint(group.Type); bad != "" {
			problem = bad
		}
	}
	if problem != "" {
		d.failAt(f.pos, f.path, "%s", problem)
		return f, nil, false
	}
	return f, params, true
}

// TypeParams is those of the one type that a file declares, or nil.
func typeParams(file *ast.File) []*ast.Field {
	if file == nil || len(file.Decls) != 1 {
		return nil
	}
	decl, ok := file.Decls[0].(*ast.GenDecl)
	if !ok || len(decl.Specs) != 1 {
		return nil
	}
	spec, ok := decl.Specs[0].(*ast.TypeSpec)
	if !ok || spec.TypeParams == nil {
		return nil
	}
	if body, ok := spec.Type.(*ast.StructType); !ok || body.Fields.NumFields() > 0 {
		return nil
	}
	return spec.TypeParams.List
}

// CheckConstraint looks at the packages that a constraint names, and says what
// is wrong with one, or "".
func (d *decoder) checkConstraint(e ast.Expr) (problem string) {
	ast.Inspect(e, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := sel.X.(*ast.Ident); ok {
				if bad := d.checkImported(pkg.Name, sel.Sel.Name); bad != "" {
					problem = bad
				}
			}
		}
		return true
	})
	return problem
}
