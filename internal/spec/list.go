package spec

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ListEntry decodes one entry of `lists`: a mapping, or the element alone.
func (d *decoder) listEntry(f field) (l List, ok bool) {
	l = List{Name: f.name, Inline: d.spec.Inline, Sizing: "double"}
	n := f.value
	if n.kind == scalarKind {
		l.Of = d.element(n)
		return l, l.Of != ""
	}
	if !d.mapping(n, "an element such as int64, or a mapping with of") {
		return l, false
	}
	for _, f := range d.fields(n, &listKeys) {
		switch f.name {
		case "inline":
			l.Inline = d.inline(f.value, l.Inline)
		case "of":
			l.Of = d.element(f.value)
		case "heap":
			l.Heap = d.heapName(f.value)
		case "sizing":
			l.Sizing = d.sizing(f.value, l.Sizing)
		}
	}
	if of := f.path + ".of"; !d.written(of) && !n.lost {
		d.failAt(f.pos, of, "missing: name the element, such as int64")
	}
	if inline := f.path + ".inline"; d.written(inline) && !d.written(f.path+".heap") && !n.lost {
		d.failKey(inline, "no effect: a list in Go memory has no path to inline; add heap, or remove the key")
	}
	return l, l.Of != ""
}

// Element decodes `of`.
func (d *decoder) element(n *node) string {
	of, ok := d.text(n, "an element such as int64")
	if !ok || slices.Contains(elements, of) {
		return of
	}
	switch near := nearest(of, elements); {
	case of == "":
		d.fail(n, "no element: name one, such as int64")
	case slices.Contains([]string{"string", "any", "error", "comparable"}, of):
		d.fail(n, "%s holds pointers: not supported yet: write a predeclared type without pointers", of)
	case near != "":
		d.fail(n, "%s is no predeclared type (did you mean %s?); other types are not supported yet", show(of), near)
	default:
		d.fail(n, "%s: not supported yet: write a predeclared type without pointers, such as int64", show(of))
	}
	return ""
}

// HeapName decodes `heap`, which names an entry of `heaps`.
func (d *decoder) heapName(n *node) string {
	name, ok := d.text(n, "an entry of heaps")
	if !ok || d.heap[name] {
		return name
	}
	names := slices.Sorted(maps.Keys(d.heap))
	hint := "this spec has none"
	if near := nearest(name, names); near != "" {
		hint = fmt.Sprintf("did you mean %s?", near)
	} else if len(names) > 0 {
		hint = "there is " + show(strings.Join(names, ", "))
	}
	d.fail(n, "%s is not an entry of heaps (%s)", show(name), hint)
	return ""
}

// Sizing decodes `sizing`, of which only the named rules are built.
func (d *decoder) sizing(n *node, def string) string {
	k := listKeys.must("sizing")
	if n.kind == mappingKind {
		d.fail(n, "a rule of one's own is not supported yet: write %s", or(k.words))
		return def
	}
	return d.word(n, k, def)
}
