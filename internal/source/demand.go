package source

import (
	"errors"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/allocgen/allocgen/internal/plan"
)

// A demandCheck is the check of one demand of an output.
type demandCheck struct {
	*packageCheck
	o      *Output
	d      plan.Demand
	probe  *probe
	index  int
	params map[string]bool // names of type parameters
	failed map[string]string
}

// checkImports looks at the packages that a spec names.
func (c *packageCheck) checkImports(o *Output) {
	for _, alias := range slices.Sorted(maps.Keys(o.Plan.Imports)) {
		path, key := o.Plan.Imports[alias], "imports."+alias
		// Go refuses some packages to this one alone: those of a cycle, internal ones.
		refused := slices.IndexFunc(c.meta.Errors, func(e packages.Error) bool { return strings.Contains(e.Msg, path) })
		switch err := c.typed.imports[path]; {
		case refused >= 0:
			c.faults.Add(o.Spec.At(key), "%s: %s: %s", key, path, oneLine(c.meta.Errors[refused].Msg))
		case err != nil:
			c.faults.Add(o.Spec.At(key), "%s: %s cannot be loaded: %v", key, path, err)
		}
	}
}

// checkDemands looks at all that the entries of a spec ask of the package.
func (c *packageCheck) checkDemands(o *Output) {
	said := c.probeErrors(o)
	for i, d := range o.Plan.Demands {
		if problem := typeProblem(d); problem != "" {
			c.faults.Add(o.Spec.At(d.Entry+".of"), "%s.of: %s %s", d.Entry, d.Of, problem)
			continue
		}
		check := &demandCheck{packageCheck: c, o: o, d: d, probe: c.probes[o], index: i, failed: said[i]}
		check.run()
	}
}

// probeErrors is the first error of each part of each demand.
func (c *packageCheck) probeErrors(o *Output) map[int]map[string]string {
	said := map[int]map[string]string{}
	for _, err := range c.typed.errs {
		pos := c.l.fset.PositionFor(err.Pos, false)
		part, ok := c.probes[o].parts[pos.Line]
		if !ok || pos.Filename != c.probes[o].path {
			continue
		}
		if said[part.demand] == nil {
			said[part.demand] = map[string]string{}
		}
		if _, ok := said[part.demand][part.form]; !ok {
			said[part.demand][part.form] = oneLine(err.Msg)
		}
	}
	return said
}

func (c *demandCheck) fail(key, format string, args ...any) {
	path := c.d.Entry + "." + key
	c.faults.Add(c.o.Spec.At(path), "%s: %s", path, fmt.Sprintf(format, args...))
}

func (c *demandCheck) run() {
	fn := c.probeFunc(asType)
	c.params = map[string]bool{}
	if fn.Type.TypeParams != nil {
		for _, field := range fn.Type.TypeParams.List {
			for _, id := range field.Names {
				c.params[id.Name] = true
			}
		}
	}
	param := fn.Type.Params.List[0]
	expr := param.Type.(*ast.StarExpr).X
	if !c.resolve(expr) {
		return
	}
	if text := c.failed[asType]; text != "" {
		c.fail("of", "%s: %s", c.d.Of, text)
		return
	}
	obj := c.typed.defs[param.Names[0]]
	if obj == nil {
		return
	}
	t := obj.Type().(*types.Pointer).Elem()
	if problem := c.unfit(expr, t); problem != "" {
		c.fail("of", "%s %s", c.d.Of, problem)
		return
	}
	c.checkMemory(t)
	c.checkReset(t)
	c.checkFunc("init", c.d.Init, asInit, false)
	c.checkFunc("keep", c.d.Keep, asKeep, true)
}

func (c *demandCheck) probeFunc(form string) *ast.FuncDecl {
	for _, d := range c.probe.text.file.Decls {
		line := c.l.fset.PositionFor(d.Pos(), false).Line
		if c.probe.parts[line] == (part{c.index, form}) {
			return d.(*ast.FuncDecl)
		}
	}
	panic("no probe of " + c.d.Entry)
}

// unfit says why a type is none for objects, or "".
func (c *demandCheck) unfit(e ast.Expr, t types.Type) string {
	if _, ok := t.(*types.TypeParam); ok {
		return ""
	}
	const wrap = "make it a field of a struct, and name that"
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if star, ok := e.(*ast.StarExpr); ok {
			return "is a pointer: objects are handed out as pointers anyway, so write " + types.ExprString(star.X)
		}
		return "is a pointer: write the type it points to, " + types.TypeString(u.Elem(), c.local)
	case *types.Interface:
		return "is an interface: write the type of the values in it"
	case *types.Chan:
		return "is a channel, and so a pointer already: " + wrap
	case *types.Map:
		return "is a map, and so a pointer already: " + wrap
	case *types.Signature:
		return "is a function type: " + wrap
	}
	return ""
}

// local writes types as the package itself would.
func (c *demandCheck) local(p *types.Package) string {
	if p == c.typed.pkg {
		return ""
	}
	return p.Name()
}

// errorText is a parser's error without its place in a text that nobody sees.
func errorText(err error) string {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return list[0].Msg
	}
	return err.Error()
}
