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

var defaultObject = Object{Depth: 1024, Chunk: 1, Reset: "zero"}

// ObjectEntry decodes one entry of `objects`; f.name is without parameters.
func (d *decoder) objectEntry(f field, params []Param) (o Object, ok bool) {
	o = defaultObject
	o.Name, o.Params, o.Inline = f.name, params, d.spec.Inline
	n := f.value
	if n.kind == scalarKind {
		o.Of = d.typeOf(n, params)
		d.failAt(f.pos, f.path, "%s", missingSync)
		return o, false
	}
	if !d.mapping(n, "a mapping with of and sync") {
		return o, false
	}
	for _, f := range d.fields(n, &objectKeys) {
		d.objectKey(&o, f)
	}
	if of := f.path + ".of"; !d.written(of) && !n.lost {
		d.failAt(f.pos, of, "missing: name the type, such as Node")
	}
	d.checkObject(&o, f, n.lost)
	return o, o.Of != "" && (o.Sync != "" || o.Heap != "")
}

func (d *decoder) objectKey(o *Object, f field) {
	k, v := objectKeys.must(f.name), f.value
	switch f.name {
	case "inline":
		o.Inline = d.inline(v, o.Inline)
	case "of":
		o.Of = d.typeOf(v, o.Params)
	case "heap":
		o.Heap = d.heapName(v)
	case "sync":
		o.Sync = d.word(v, k, "")
	case "depth":
		if slices.Contains(k.later, v.text) {
			d.fail(v, "%s is not supported yet: write a count", v.text)
			return
		}
		o.Depth = d.number(v, k.limits, o.Depth)
	case "chunk":
		o.Chunk = d.number(v, k.limits, o.Chunk)
	case "reset":
		o.Reset = d.hook(v, k, o.Reset)
	case "init":
		o.Init = d.function(v, k)
	case "keep":
		o.Keep = d.function(v, k)
	case "names":
		o.Names = d.renames(v)
	}
}

const missingSync = "say who may call it: sync: none (one goroutine at a time, fastest), mutex (any) or cache (any, plus caches for one goroutine each)"

// CheckObject checks keys against each other.
func (d *decoder) checkObject(o *Object, f field, lost bool) {
	inHeap := d.written(f.path + ".heap")
	if !inHeap {
		if !d.written(f.path+".sync") && !lost {
			d.failAt(f.pos, f.path, "%s", missingSync)
		}
		if o.Chunk > o.Depth && !d.bad[f.path+".chunk"] && !d.bad[f.path+".depth"] {
			d.failKey(f.path+".chunk", "%d objects at a time, but depth keeps %d: write at most that", o.Chunk, o.Depth)
			o.Chunk = 1
		}
		return
	}
	for _, key := range []string{"sync", "depth", "chunk", "init", "keep"} {
		if path := f.path + "." + key; d.written(path) {
			why := "the heap says that: remove the key"
			if key == "init" || key == "keep" {
				why = "a heap does not tell new objects from others, and leaves none to the GC: remove the key"
			}
			d.failKey(path, "no effect in a heap: %s", why)
		}
	}
	o.Sync, o.Init, o.Keep = "", "", ""
	o.Depth, o.Chunk = defaultObject.Depth, defaultObject.Chunk
	if len(o.Params) > 0 {
		d.failKey(f.path+".heap", "a class of a heap has one size, and this entry has type parameters: give the heap an entry of its own for each instance")
		o.Heap = ""
	}
}

// Function decodes `none`, which gives "", or the name of a function.
func (d *decoder) function(n *node, k *key) string {
	if name := d.hook(n, k, "none"); name != "none" {
		return name
	}
	return ""
}

// Hook decodes a word of k, or the name of a method or function.
func (d *decoder) hook(n *node, k *key, def string) string {
	name, ok := d.text(n, or(k.words)+", or the name of a function")
	if !ok || slices.Contains(k.words, name) {
		if !ok {
			return def
		}
		return name
	}
	if problem := d.checkHook(name); problem != "" {
		d.fail(n, "%s", problem)
		return def
	}
	return name
}

// CheckHook says why name is no method or function, or "". A function of an
// imported package has the package's name in front.
func (d *decoder) checkHook(name string) string {
	pkg, member, qualified := strings.Cut(name, ".")
	if !token.IsIdentifier(pkg) || qualified && !token.IsIdentifier(member) {
		return show(name) + " is no name of a function: write it without parentheses, such as resetNode or api.Reset"
	}
	if problem := checkIdentifier(pkg); problem != "" {
		return show(pkg) + " " + problem
	}
	if qualified {
		return d.checkImported(pkg, member)
	}
	return ""
}

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
		return name + " is no type"
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

// Renames decodes `names`.
func (d *decoder) renames(n *node) []Rename {
	if !d.mapping(n, "a mapping such as {Get: Acquire, Put: Release}") || d.empty(n) {
		return nil
	}
	var all []Rename
	for _, f := range n.fields {
		d.spec.pos[f.path] = f.pos
		name, ok := d.text(f.value, "the name of a method")
		if !ok {
			continue
		}
		if problem := checkIdentifier(name); problem != "" {
			d.fail(f.value, "%s %s", show(name), problem)
			continue
		}
		all = append(all, Rename{f.name, name})
	}
	slices.SortFunc(all, func(a, b Rename) int { return strings.Compare(a.Method, b.Method) })
	return all
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
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\ntype T["+rest+" struct{}", parser.SkipObjectResolution)
	list := typeParams(file)
	if err != nil || list == nil || strings.ContainsAny(key, "/\n") {
		d.failAt(f.pos, f.path, "%s: type parameters are written as in Go, such as Pool[K comparable, V any]", show(key))
		return f, nil, false
	}
	var params []Param
	for _, group := range list {
		for _, id := range group.Names {
			if problem := checkIdentifier(id.Name); problem != "" {
				d.failAt(f.pos, f.path, "%s %s", show(id.Name), problem)
				return f, nil, false
			}
			params = append(params, Param{id.Name, types.ExprString(group.Type)})
		}
		d.markUsed(group.Type)
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

// MarkUsed marks the packages that a constraint names.
func (d *decoder) markUsed(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := sel.X.(*ast.Ident); ok {
				d.used[pkg.Name] = true
			}
		}
		return true
	})
}
