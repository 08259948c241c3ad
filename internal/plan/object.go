package plan

import (
	"go/ast"
	"go/parser"
	"go/types"
	"slices"
	"strings"

	"github.com/allocgen/allocgen/internal/spec"
)

// An Object is one entry of `objects`, decided.
type Object struct {
	Name     string            // the entry's key without type parameters: the type's name
	Names    map[string]string // identifiers of the output, by their word in the templates
	Params   string            // type parameters, as declared: "[K comparable, V any]", or ""
	Args     string            // and as used: "[K, V]", or ""
	Idents   []string          // identifiers in Params, Of and the hooks that are not the output's own
	Of       string            // the type
	Heap     *Heap             // nil: Go memory
	Sync     Sync
	Depth    int // free objects that are kept
	Chunk    int // objects per Go allocation
	Room     int // for free objects, at first
	Cached   int // free objects that a cache or a P keeps
	Reset    Reset
	Init     string // a function, or ""
	Keep     string // a function, or ""
	Alloc    Form   // of object.get in the entry's functions
	Free     Form   // of object.put
	Sites    []Site // in its functions
	Callees  []Site // of these, the functions that sites with the form Call reach
	TestArgs string // type arguments in tests: "[int, int]"; "" without parameters
	TestOf   string // the type with these arguments
	TestHeld int    // objects that a test takes at once
	Tested   bool   // whether tests can be written: type arguments are known
}

// Sync says who may call.
type Sync string

// Who may call the methods of an entry.
const (
	SyncNone   Sync = "none"   // one goroutine at a time
	SyncMutex  Sync = "mutex"  // any
	SyncPerCPU Sync = "percpu" // any, pinned to its P
	SyncCache  Sync = "cache"  // any, and caches for one goroutine at a time
)

// Reset is what Put does to an object.
type Reset struct {
	Zero   bool
	Method string // of the type, or ""
	Func   string // a function, or ""
}

// Hooked reports whether the user's own code runs in Get or Put.
func (o *Object) Hooked() bool {
	return o.Reset.Method+o.Reset.Func+o.Init+o.Keep != ""
}

// MaxCached is how many free objects a cache or a P keeps, where depth allows it.
const MaxCached = 64

func buildObject(o spec.Object, heaps []Heap, beside Beside) Object {
	out := Object{
		Name:   o.Name,
		Names:  objectNames(o),
		Of:     o.Of,
		Sync:   Sync(o.Sync),
		Depth:  o.Depth,
		Chunk:  o.Chunk,
		Room:   max(8, o.Chunk),
		Cached: min(MaxCached, o.Depth),
		Reset:  reset(o.Reset, beside),
		Init:   o.Init,
		Keep:   o.Keep,
		Alloc:  form(o.Inline.Alloc),
		Free:   form(o.Inline.Free),
	}
	var declared, used []string
	for _, p := range o.Params {
		declared = append(declared, p.Name+" "+p.Constraint)
		used = append(used, p.Name)
	}
	if len(o.Params) > 0 {
		out.Params = "[" + strings.Join(declared, ", ") + "]"
		out.Args = "[" + strings.Join(used, ", ") + "]"
	}
	for i := range heaps {
		if heaps[i].Name == o.Heap {
			out.Heap = &heaps[i]
			for w, ident := range heaps[i].Names {
				out.Names[w] = ident
			}
		}
	}
	out.TestArgs, out.TestOf, out.Tested = testTypes(o)
	out.TestHeld = min(o.Depth, 100)
	out.Idents = objectIdents(o, out.Reset.Func)
	return out
}

// reset tells a function from a method: a name that the package has as a
// function is that, and so is one of an imported package.
func reset(name string, beside Beside) Reset {
	switch {
	case name == "zero":
		return Reset{Zero: true}
	case name == "none":
		return Reset{}
	case strings.Contains(name, ".") || slices.Contains(beside.Functions, name):
		return Reset{Func: name}
	}
	return Reset{Method: name}
}

// testTypes are the type arguments for tests, where int will do for all.
func testTypes(o spec.Object) (args, of string, ok bool) {
	if len(o.Params) == 0 {
		return "", o.Of, true
	}
	subst := map[string]bool{}
	for _, p := range o.Params {
		if p.Constraint != "any" && p.Constraint != "comparable" {
			return "", "", false
		}
		subst[p.Name] = true
	}
	expr, err := parser.ParseExpr(o.Of)
	if err != nil {
		panic(err) // the parser of specs has read it
	}
	eachIdent(expr, func(id *ast.Ident) {
		if subst[id.Name] {
			id.Name = "int"
		}
	})
	return "[" + strings.TrimSuffix(strings.Repeat("int, ", len(o.Params)), ", ") + "]", types.ExprString(expr), true
}

// objectIdents lists the identifiers of the user's code that an entry names.
func objectIdents(o spec.Object, reset string) []string {
	var out []string
	add := func(text string) {
		expr, err := parser.ParseExpr(text)
		if err != nil {
			panic(err) // the parser of specs has read it
		}
		eachIdent(expr, func(id *ast.Ident) {
			if types.Universe.Lookup(id.Name) == nil && !slices.Contains(out, id.Name) {
				out = append(out, id.Name)
			}
		})
	}
	for _, p := range o.Params {
		add(p.Name)
		add(constraintExpr(p.Constraint))
	}
	add(o.Of)
	for _, hook := range []string{reset, o.Init, o.Keep} {
		if hook != "" {
			add(hook)
		}
	}
	return out
}

// constraintExpr makes a constraint such as ~int | ~string an expression.
func constraintExpr(text string) string { return "interface{ " + text + " }" }

// eachIdent visits the identifiers that are not selected from something.
func eachIdent(expr ast.Expr, visit func(*ast.Ident)) {
	ast.Inspect(expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			eachIdent(n.X, visit)
			return false
		case *ast.Ident:
			visit(n)
		}
		return true
	})
}

// demand is what an entry asks of the user's code.
func (o *Object) demand() Demand {
	d := Demand{
		Entry:      "objects." + o.Name,
		TypeParams: o.Params,
		Of:         o.Of,
		Reset:      o.Reset.Func + o.Reset.Method,
		Init:       o.Init,
		Keep:       o.Keep,
	}
	if o.Heap != nil {
		d.PointerFree = true
		d.MaxSize = int64(MaxSpan * o.Heap.PoolSize)
		d.MaxAlign = int64(o.Heap.Align)
	}
	return d
}

// Bin is the bin of an entry in a heap.
func (o *Object) Bin() int {
	i := slices.IndexFunc(o.Heap.Typed, func(t Typed) bool { return t.Name == o.Name })
	return len(o.Heap.Classes) + 1 + i
}

// objectSites lists the places where fragments appear in an entry's functions.
func objectSites(o *Object) []Site {
	if o.Heap != nil {
		return typedSites(o)
	}
	site := func(in, fragment string, form Form, holes ...string) Site {
		return newSite(o.Names, in, fragment, form, holes)
	}
	spill := func(s Site) Site {
		s.Options = "spill"
		return s
	}
	if o.Sync == SyncPerCPU {
		get := site("Object.Get", ObjectGet, o.Alloc, "pool", "p", "object", "x")
		put := site("Object.Put", ObjectPut, o.Free, "pool", "p", "object", "x")
		get.Options, put.Options = "percpu", "percpu"
		return []Site{get, put}
	}
	sites := []Site{
		site("Object.Get", ObjectGet, o.Alloc, "pool", "p"),
		site("Object.Put", ObjectPut, o.Free, "pool", "p", "object", "x"),
	}
	if o.Sync == SyncCache {
		sites = append(sites,
			site("ObjectCache.Get", ObjectGet, o.Alloc, "pool", "c"),
			spill(site("ObjectCache.Put", ObjectPut, o.Free, "pool", "c", "object", "x")))
	}
	return sites
}

// objectCallees lists the functions that calls reach.
func objectCallees(o *Object) []Site {
	var out []Site
	for _, s := range o.Sites {
		if s.Form == Call {
			out = append(out, o.callee(s))
		}
	}
	return out
}

// callee is the function that a call at a site reaches.
func (o *Object) callee(s Site) Site {
	owner, _, _ := strings.Cut(s.In, ".")
	switch s.Fragment {
	case AllocFast:
		return o.Heap.allocSite(o.Names, owner+".alloc", Splice, "b")
	case FreeFast:
		return o.Heap.freeSite(o.Names, owner+".free", Splice, "b", "p")
	}
	name, holes := "get", []string{"pool", s.Holes["pool"]}
	if s.Fragment == ObjectPut {
		name = "put"
	}
	if object := s.Holes["object"]; object != "" {
		holes = append(holes, "object", object)
	}
	callee := newSite(o.Names, owner+"."+name, s.Fragment, Splice, holes)
	callee.Options = s.Options
	return callee
}

// Site finds a place by the function, in the words of the templates.
func (o Object) Site(in, fragment string) Site { return find(o.Sites, in, fragment) }
