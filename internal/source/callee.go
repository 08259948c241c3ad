package source

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
)

// checkReset looks at what a demand resets with: a function or a method.
func (c *demandCheck) checkReset(t types.Type) {
	name := c.d.Reset
	if name == "" {
		return
	}
	if strings.Contains(name, ".") {
		c.checkFunc("reset", name, asResetFunc, false)
		return
	}
	fn := c.function(name)
	function, declared := Functions(c.dir)[name] // also where another build has it
	member, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, c.typed.pkg, name)
	method, _ := member.(*types.Func)
	switch {
	case declared && method != nil:
		c.fail("reset", "%s is both a function, %s, and a method of %s, %s: rename one of the two",
			name, function, c.d.Of, c.l.at(method.Pos()))
	case fn != nil:
		c.checkFunc("reset", name, asResetFunc, false)
	case method != nil:
		c.checkMethod(method)
	case member != nil:
		c.fail("reset", "%s is a field of %s, needs a method without parameters and results, or a function %s", name, c.d.Of, c.wants(false))
	default:
		c.fail("reset", "%s", c.noReset(t))
	}
}

func (c *demandCheck) checkMethod(m *types.Func) {
	sig := m.Signature()
	if sig.Params().Len() > 0 || sig.Results().Len() > 0 {
		c.fail("reset", "method %s of %s is %s, needs func(): %s", m.Name(), c.d.Of, c.signature(sig), c.l.at(m.Pos()))
	} else if text := c.failed[asMethod]; text != "" {
		c.fail("reset", "%s", text)
	}
}

// noReset says that there is neither a function nor a method.
func (c *demandCheck) noReset(t types.Type) string {
	name := c.d.Reset
	if named, ok := types.Unalias(t).(*types.Named); ok && !token.IsExported(name) && named.Obj().Pkg() != nil {
		// The method may be there for its own package alone.
		if m, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, named.Obj().Pkg(), name); m != nil {
			return fmt.Sprintf("%s of %s is not exported: package %s alone can use it: %s", name, c.d.Of, named.Obj().Pkg().Path(), c.l.at(m.Pos()))
		}
	}
	if where := c.outsideBuild(name); where != "" {
		return where
	}
	candidates := functionNames(c.typed.pkg.Scope(), false)
	methods := types.NewMethodSet(types.NewPointer(t))
	for i := range methods.Len() {
		candidates = append(candidates, methods.At(i).Obj().Name())
	}
	text := fmt.Sprintf("%s is neither a function of package %s nor a method of %s%s",
		name, c.o.Spec.Package, c.d.Of, didYouMean(name, candidates))
	if syntax := c.syntaxError(); syntax != "" {
		text += ", as far as its files can be read: " + syntax
	}
	return text
}

// function is a function that is not generated, as in Functions.
func (c *demandCheck) function(name string) *types.Func {
	fn, _ := c.typed.pkg.Scope().Lookup(name).(*types.Func)
	if fn == nil || c.l.isOurs(fn.Pos()) {
		return nil
	}
	return fn
}

// checkFunc looks at a function of the package that takes a *T.
func (c *demandCheck) checkFunc(key, name, form string, result bool) {
	if name == "" {
		return
	}
	obj := c.callee(key, name)
	if obj == nil {
		return
	}
	fn, ok := obj.(*types.Func)
	if !ok {
		c.fail(key, "%s is %s, needs a function %s: %s", name, kindOf(obj), c.wants(result), c.l.at(obj.Pos()))
		return
	}
	sig := fn.Signature()
	results := 0
	if result {
		results = 1
	}
	if sig.Results().Len() != results || sig.Params().Len() != 1 || c.failed[form] != "" {
		c.fail(key, "%s is %s, needs %s: %s", name, c.signature(sig), c.wants(result), c.l.at(fn.Pos()))
	}
}

// callee finds what a function's name stands for; nil when that has been
// answered with an error.
func (c *demandCheck) callee(key, name string) types.Object {
	if alias, name, ok := strings.Cut(name, "."); ok {
		return c.imported(key, alias, name, functionNames)
	}
	obj := c.typed.pkg.Scope().Lookup(name)
	switch {
	case obj == nil:
		c.fail(key, "%s", c.undeclared(name, functionNames(c.typed.pkg.Scope(), false)))
	case c.l.isOurs(obj.Pos()):
		c.fail(key, "%s is generated: name a function of your own", name)
	default:
		return obj
	}
	return nil
}

func (c *demandCheck) wants(result bool) string {
	text := "func" + c.d.TypeParams + "(*" + c.d.Of + ")"
	if result {
		text += " bool"
	}
	return text
}

// signature is a function's type without the names of parameters, which add
// nothing.
func (c *demandCheck) signature(sig *types.Signature) string {
	params := ""
	if list := sig.TypeParams(); list.Len() > 0 {
		var all []string
		for p := range list.TypeParams() {
			all = append(all, p.Obj().Name()+" "+types.TypeString(p.Constraint(), c.local))
		}
		params = "[" + strings.Join(all, ", ") + "]"
	}
	bare := types.NewSignatureType(nil, nil, nil, unnamed(sig.Params()), unnamed(sig.Results()), sig.Variadic())
	return "func" + params + strings.TrimPrefix(types.TypeString(bare, c.local), "func")
}

func unnamed(vars *types.Tuple) *types.Tuple {
	var out []*types.Var
	for v := range vars.Variables() {
		out = append(out, types.NewParam(token.NoPos, nil, "", v.Type()))
	}
	return types.NewTuple(out...)
}
