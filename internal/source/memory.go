package source

import (
	"fmt"
	"go/types"
	"math"
	"path/filepath"
	"strings"
)

// checkMemory looks at what a demand says about the memory of its type.
func (c *demandCheck) checkMemory(t types.Type) {
	w := &walk{local: c.local, varies: c.varies, seen: map[types.Type]bool{}}
	if c.d.PointerFree {
		if path, what := w.pointer(t, c.d.Of); what != "" {
			text := "%s holds pointers: %s is %s"
			if path == c.d.Of {
				c.fail("of", "%s is %s: a heap takes types without pointers only", path, what)
				return
			}
			if w.unknown {
				text = "%s cannot be looked into: %s is %s"
				if user := c.userError(); user != "" {
					text += ": " + user
				}
			}
			c.fail("of", text, c.d.Of, path, what)
			return
		}
	}
	if w.params || hasParams(t, map[types.Type]bool{}) {
		return // the size is each instance's own
	}
	switch size := c.l.sizes.Sizeof(t); {
	case size < 0 || size > math.MaxInt32:
		c.fail("of", "%s is too large: at most 2GiB fit into the address space of every system", c.d.Of)
	case c.d.MaxSize > 0 && size > c.d.MaxSize:
		c.fail("of", "%s has %d bytes, at most %d can be served", c.d.Of, size, c.d.MaxSize)
	}
	if align := c.l.sizes.Alignof(t); c.d.MaxAlign > 0 && align > c.d.MaxAlign {
		c.fail("of", "%s is aligned to %d bytes, blocks to %d", c.d.Of, align, c.d.MaxAlign)
	}
}

// varies reports whether a name is generated, and something else in Go memory.
func (c *demandCheck) varies(name *types.TypeName) bool {
	path := c.l.path(name.Pos())
	ours := c.l.ours[path]
	on := c.o.platform
	on.tags = strings.TrimPrefix(on.tags+",allocgen_goheap", ",")
	return ours != nil && !on.builds(File{filepath.Base(path), ours.bytes})
}

// A walk looks for pointers in a type.
type walk struct {
	local   types.Qualifier
	varies  func(*types.TypeName) bool // what a name stands for is not the same in every build
	seen    map[types.Type]bool
	params  bool // there are type parameters
	unknown bool // what was found is a type that cannot be seen
}

// pointer finds the first pointer in t, which is at a path, and says what it is.
func (w *walk) pointer(t types.Type, path string) (at, what string) {
	if w.seen[t] {
		return "", ""
	}
	w.seen[t] = true
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		return w.param(p, path)
	}
	if n, ok := t.(interface{ Obj() *types.TypeName }); ok && w.varies(n.Obj()) {
		return path, "generated, and a pointer or with pointers in Go memory"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return w.basic(u, path)
	case *types.Pointer:
		return path, "a pointer"
	case *types.Slice:
		return path, "a slice"
	case *types.Map:
		return path, "a map"
	case *types.Chan:
		return path, "a channel"
	case *types.Signature:
		return path, "a function"
	case *types.Interface:
		return path, "an interface"
	case *types.Array:
		if u.Len() == 0 {
			return "", ""
		}
		return w.pointer(u.Elem(), path+"[0]")
	case *types.Struct:
		for f := range u.Fields() {
			if at, what := w.pointer(f.Type(), path+"."+f.Name()); what != "" {
				return at, what
			}
		}
		return "", ""
	}
	w.unknown = true
	return path, "a type unknown to allocgen"
}

func (w *walk) basic(b *types.Basic, path string) (at, what string) {
	switch b.Kind() {
	case types.String:
		return path, "a string"
	case types.UnsafePointer:
		return path, "an unsafe.Pointer"
	case types.Invalid:
		w.unknown = true
		return path, "a type that is not declared in Go here"
	}
	return "", ""
}

// param takes a type parameter whose constraint lists its types, and looks into
// all of them.
func (w *walk) param(p *types.TypeParam, path string) (at, what string) {
	w.params = true
	terms := termsOf(p.Constraint())
	if terms == nil {
		return path, fmt.Sprintf("a %s, which may be any type that satisfies %s: use a constraint that lists types without pointers",
			p.Obj().Name(), types.TypeString(p.Constraint(), w.local))
	}
	for _, t := range terms {
		if at, what := w.pointer(t, path); what != "" {
			return at, what + " when " + p.Obj().Name() + " is " + types.TypeString(t, w.local)
		}
	}
	return "", ""
}

// termsOf is what the types that satisfy a constraint are or have as underlying
// types; nil when it does not say.
func termsOf(constraint types.Type) []types.Type {
	iface, ok := constraint.Underlying().(*types.Interface)
	if !ok {
		return []types.Type{constraint}
	}
	for e := range iface.EmbeddedTypes() {
		var terms []types.Type
		complete := true
		for _, t := range union(e) {
			more := []types.Type{t}
			if _, ok := t.Underlying().(*types.Interface); ok {
				more = termsOf(t)
			}
			complete = complete && more != nil
			terms = append(terms, more...)
		}
		if complete {
			return terms // others can only take from these
		}
	}
	return nil
}

func union(t types.Type) []types.Type {
	u, ok := t.(*types.Union)
	if !ok {
		return []types.Type{t}
	}
	var all []types.Type
	for term := range u.Terms() {
		all = append(all, term.Type())
	}
	return all
}

// hasParams reports whether the size of a type depends on type parameters.
func hasParams(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return hasParams(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if hasParams(f.Type(), seen) {
				return true
			}
		}
	}
	return false
}
