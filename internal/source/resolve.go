package source

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/allocgen/allocgen/internal/spec"
)

// resolve checks the names in a type expression, in words that say more than the
// type checker's. What it does not know it leaves to that.
func (c *demandCheck) resolve(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return c.resolveName(e, false)
	case *ast.ParenExpr:
		return c.resolve(e.X)
	case *ast.StarExpr:
		return c.resolve(e.X)
	case *ast.ArrayType:
		return c.resolve(e.Elt)
	case *ast.IndexExpr:
		return c.resolveInstance(e.X, e.Index)
	case *ast.IndexListExpr:
		return c.resolveInstance(e.X, e.Indices...)
	}
	return true
}

func (c *demandCheck) resolveInstance(generic ast.Expr, args ...ast.Expr) bool {
	ok := c.resolveName(generic, true)
	for _, arg := range args {
		ok = c.resolve(arg) && ok
	}
	return ok
}

// resolveName checks a name; with type arguments behind it, or without.
func (c *demandCheck) resolveName(e ast.Expr, args bool) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return c.resolveLocal(e.Name, args)
	case *ast.SelectorExpr:
		return c.resolveImported(e, args)
	}
	return true
}

func (c *demandCheck) resolveLocal(name string, args bool) bool {
	if c.params[name] {
		return true
	}
	scope := c.typed.pkg.Scope()
	obj := scope.Lookup(name)
	if obj == nil {
		if obj = types.Universe.Lookup(name); obj == nil {
			c.fail("of", "%s", c.undeclared(name, c.theirs(scope, typeNames(scope, false))))
			return false
		}
	}
	return c.isType(name, obj, args)
}

func (c *demandCheck) resolveImported(e *ast.SelectorExpr, args bool) bool {
	x, ok := e.X.(*ast.Ident)
	if !ok {
		return true
	}
	obj := c.imported("of", x.Name, e.Sel.Name, typeNames)
	return obj != nil && c.isType(x.Name+"."+e.Sel.Name, obj, args)
}

// imported finds a name in a package that the spec imports; nil when that has
// been answered with an error.
func (c *demandCheck) imported(key, alias, name string, candidates func(*types.Scope, bool) []string) types.Object {
	path, ok := c.o.Plan.Imports[alias]
	if !ok {
		c.fail(key, "%s.%s: no package %s in imports: add its path, imports: {%s: example.com/%s}", alias, name, alias, alias, alias)
		return nil
	}
	pkg, err := c.l.find(c.meta, path)
	if err != nil {
		return nil // said of the import
	}
	obj := pkg.Scope().Lookup(name)
	switch {
	case obj == nil:
		c.fail(key, "%s.%s is not declared in package %s%s", alias, name, path, didYouMean(name, candidates(pkg.Scope(), true)))
	case !obj.Exported():
		c.fail(key, "%s.%s is not exported: package %s alone can name it", alias, name, path)
	default:
		return obj
	}
	return nil
}

func (c *demandCheck) isType(name string, obj types.Object, args bool) bool {
	if _, ok := obj.(*types.TypeName); ok {
		return args || c.isWhole(name, obj.Type())
	}
	where := ""
	if obj.Pos().IsValid() {
		where = ": " + c.l.at(obj.Pos())
	}
	c.fail("of", "%s is %s, not a type%s", name, kindOf(obj), where)
	return false
}

// isWhole refuses a generic type without type arguments.
func (c *demandCheck) isWhole(name string, t types.Type) bool {
	generic, ok := t.(interface{ TypeParams() *types.TypeParamList })
	if !ok || generic.TypeParams().Len() == 0 {
		return true
	}
	var list, names []string
	for i := range generic.TypeParams().Len() {
		p := generic.TypeParams().At(i)
		list = append(list, p.Obj().Name()+" "+types.TypeString(p.Constraint(), c.local))
		names = append(names, p.Obj().Name())
	}
	_, entry, _ := strings.Cut(c.d.Entry, ".")
	if i := strings.IndexByte(entry, '['); i >= 0 {
		entry = entry[:i]
	}
	c.fail("of", "%s has type parameters: write its type arguments, which may be the entry's own type parameters: %s[%s]: {of: \"%s[%s]\"}",
		name, entry, strings.Join(list, ", "), name, strings.Join(names, ", "))
	return false
}

func kindOf(obj types.Object) string {
	switch obj.(type) {
	case *types.TypeName:
		return "a type"
	case *types.Func, *types.Builtin:
		return "a function"
	case *types.Const:
		return "a constant"
	case *types.Var:
		return "a variable"
	}
	return "something else"
}

func typeNames(scope *types.Scope, exported bool) []string {
	return namesOf(scope, func(obj types.Object) bool {
		_, ok := obj.(*types.TypeName)
		return ok && (obj.Exported() || !exported)
	})
}

func functionNames(scope *types.Scope, exported bool) []string {
	return namesOf(scope, func(obj types.Object) bool {
		_, ok := obj.(*types.Func)
		return ok && (obj.Exported() || !exported)
	})
}

func namesOf(scope *types.Scope, want func(types.Object) bool) []string {
	return slices.DeleteFunc(scope.Names(), func(name string) bool { return !want(scope.Lookup(name)) })
}

// theirs leaves out the names that the output declares: nobody means those.
func (c *demandCheck) theirs(scope *types.Scope, names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool {
		return c.l.ours[c.l.path(scope.Lookup(name).Pos())] != nil
	})
}

func didYouMean(name string, candidates []string) string {
	if near := spec.Nearest(name, candidates); near != "" {
		return " (did you mean " + near + "?)"
	}
	return ""
}

// undeclared says that a name is not there, and what may be the matter.
func (c *demandCheck) undeclared(name string, candidates []string) string {
	if where := c.outsideBuild(name); where != "" {
		return where
	}
	text := fmt.Sprintf("%s is not declared in package %s%s", name, c.o.Spec.Package, didYouMean(name, candidates))
	if syntax := c.syntaxError(); syntax != "" {
		text += ", as far as its files can be read: " + syntax
	}
	return text
}
