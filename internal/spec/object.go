package spec

import (
	"go/token"
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
	case "slices":
		o.Slices = d.bool(v, o.Slices)
	}
}

const missingSync = "say who may call it: sync: none (one goroutine at a time, fastest), mutex (any), percpu (any; what sync.Pool does) or cache (any, plus caches for one goroutine each)"

// CheckObject checks keys against each other.
func (d *decoder) checkObject(o *Object, f field, lost bool) {
	inHeap := d.written(f.path + ".heap")
	if !inHeap {
		if o.Slices {
			d.failKey(f.path+".slices", "only for objects in a heap, whose size classes serve the slices: name a heap, or remove the key")
			o.Slices = false
		}
		if !d.written(f.path+".sync") && !lost {
			d.failAt(f.pos, f.path, "%s", missingSync)
		}
		if o.Chunk > o.Depth && !d.bad[f.path+".chunk"] && !d.bad[f.path+".depth"] {
			d.failKey(f.path+".chunk", "%d objects at a time, but depth keeps %d: write at most that", o.Chunk, o.Depth)
			o.Chunk = 1
		}
		if o.Init != "" && o.Reset == "zero" && !d.bad[f.path+".reset"] {
			d.failKey(f.path+".init", "Put zeroes what it made (reset: zero): write reset: none, or the name of a method or function that keeps it")
			o.Init = ""
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
	switch {
	case pkg == "_":
		return "_ is no name of a function"
	case qualified:
		return d.checkImported(pkg, member)
	}
	return "" // a method may have the name of a predeclared function
}

// Renames decodes `names`.
func (d *decoder) renames(n *node) []Rename {
	if !d.mapping(n, "a mapping such as {Get: Acquire, Put: Release}") {
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
