package spec

import (
	"slices"
	"strings"
)

// EntrySections are the parts of a file that hold entries; nil when absent.
type entrySections struct{ heaps, lists, objects *node }

func (s entrySections) none() bool { return s.heaps == nil && s.lists == nil && s.objects == nil }

// Entries decodes the heaps, then lists and objects, which may refer to them.
func (d *decoder) entries(in entrySections) {
	s := d.spec
	d.heap = make(map[string]bool)
	seen := make(map[string]field)
	heaps, lists := d.named(in.heaps, "Heap: {}"), d.named(in.lists, "Ints: int64")
	objects := d.named(in.objects, "Nodes: {of: Node, sync: none}")
	for _, f := range heaps {
		d.heap[f.name] = true
	}
	d.bound(&heaps, &lists, &objects)
	for _, f := range heaps {
		ok := d.entryName(f, seen)
		if h, usable := d.heapEntry(f); ok && usable {
			s.Heaps = append(s.Heaps, h)
		}
	}
	for _, f := range lists {
		ok := d.entryName(f, seen)
		if l, usable := d.listEntry(f); ok && usable {
			l.Heap = d.housed(l.Heap)
			s.Lists = append(s.Lists, l)
		}
	}
	for _, f := range objects {
		f, params, sound := d.params(f)
		ok := d.entryName(f, seen)
		if o, usable := d.objectEntry(f, params); sound && ok && usable && (o.Heap == "" || d.housed(o.Heap) != "") {
			s.Objects = append(s.Objects, o)
		}
	}
}

// MaxEntries bounds the output: each heap has more than 1,000 lines of its own.
const maxEntries = 64

// Bound drops the entries from the one that is too many on, in the order of
// the file.
func (d *decoder) bound(sections ...*[]field) {
	var all []field
	for _, s := range sections {
		all = append(all, *s...)
	}
	if len(all) <= maxEntries {
		return
	}
	slices.SortStableFunc(all, func(a, b field) int { return a.pos.compare(b.pos) })
	over := all[maxEntries]
	d.failAt(over.pos, over.path, "a spec has at most %d entries: split it into several files", maxEntries)
	for _, s := range sections {
		*s = slices.DeleteFunc(slices.Clone(*s), func(f field) bool { return f.pos.compare(over.pos) >= 0 })
	}
}

// Housed is the name of a heap, or "" when its entry was dropped.
func (d *decoder) housed(heap string) string {
	if !slices.ContainsFunc(d.spec.Heaps, func(h Heap) bool { return h.Name == heap }) {
		return ""
	}
	return heap
}

// Named is the entries of a section; the example is for one that has none.
func (d *decoder) named(section *node, example string) []field {
	if section == nil || !d.mapping(section, "a mapping such as {"+example+"}") {
		return nil
	}
	if len(section.fields) == 0 && !section.lost {
		d.fail(section, "no entry: add one (%s), or remove the key", example)
	}
	for _, f := range section.fields {
		d.spec.pos[f.path] = f.pos
	}
	return section.fields
}

// CheckEffect refuses a spec, and a top-level key, from which nothing follows.
func (d *decoder) checkEffect(root *node, in entrySections) {
	unbuilt := slices.ContainsFunc(root.fields, func(f field) bool {
		k := topKeys.find(f.name)
		return k != nil && k.unbuilt
	})
	switch {
	case unbuilt:
	case in.none():
		d.errs.Add(d.spec.At("allocgen"), "nothing to generate: add an entry below heaps (Heap: {}), objects (Nodes: {of: Node, sync: none}) or lists (Ints: int64)")
	case in.heaps == nil && in.objects == nil && d.written("inline"):
		d.failKey("inline", "no effect: lists in Go memory have no path to inline")
	}
}

// Repath moves a node, and what is in it, to another path.
func repath(n *node, from, to string) {
	n.path = to + strings.TrimPrefix(n.path, from)
	for _, item := range n.items {
		repath(item, from, to)
	}
	for i := range n.fields {
		f := &n.fields[i]
		f.path = to + strings.TrimPrefix(f.path, from)
		repath(f.value, from, to)
	}
}
