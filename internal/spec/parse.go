package spec

import (
	"path/filepath"
	"slices"
)

// Parse decodes the spec in src; file is its name in positions. It returns all
// that is wrong, in the order of the file.
//
// Without a usable document the spec is nil. Otherwise each bad value has been
// replaced by its default and each bad entry dropped, so that package plan can
// check the rest without reporting the same thing again.
func Parse(file string, src []byte) (*Spec, Errors) {
	file = filepath.ToSlash(file)
	var errs Errors
	root := read(file, src, &errs)
	if root == nil {
		errs.Sort()
		return nil, errs
	}
	d := &decoder{errs: errs, bad: make(map[string]bool), spec: &Spec{
		File:   file,
		Out:    ".",
		Tests:  true,
		Inline: Inline{Alloc: Fast, Free: Fast},
		pos:    make(map[string]Pos),
	}}
	if !d.version(root, src) {
		d.errs.Sort()
		return nil, d.errs
	}
	d.top(root)
	d.errs.Sort()
	return d.spec, d.errs
}

// A decoder turns nodes into a Spec.
type decoder struct {
	spec *Spec
	errs Errors
	bad  map[string]bool // paths that have an error of their own
	heap map[string]bool // names below `heaps`, wrong ones too
}

// Fail reports what is wrong with the value n.
func (d *decoder) fail(n *node, format string, args ...any) {
	d.failAt(n.pos, n.path, format, args...)
}

// FailAt reports what is wrong with path as a whole.
func (d *decoder) failAt(pos Pos, path, format string, args ...any) {
	d.bad[path] = true
	d.errs.Add(pos, "%s: "+format, append([]any{path}, args...)...)
}

// FailKey reports a key that does not fit the other keys.
func (d *decoder) failKey(path, format string, args ...any) {
	d.failAt(d.spec.At(path), path, format, args...)
}

func (d *decoder) written(path string) bool {
	_, ok := d.spec.pos[path]
	return ok
}

// Version checks that the file is a spec of this version. Of a later version
// nothing else can be said.
func (d *decoder) version(root *node, src []byte) bool {
	line, number := firstLine(src)
	start := Pos{d.spec.File, number, 1}
	for i, f := range root.fields {
		if f.name != "allocgen" {
			continue
		}
		if f.value.kind == scalarKind {
			if n, ok := parseCount(f.value.text); ok && n > 1 {
				d.fail(f.value, "version %s is newer than this tool, which reads version 1: update allocgen", show(f.value.text))
				return false
			}
		}
		switch {
		case i > 0:
			d.failAt(f.pos, f.path, "must be the first key")
		case !IsSpec(src):
			d.failAt(start, f.path, "the first line that is neither blank nor comment must start with allocgen: (it is %s)", show(string(line)))
		}
		return true
	}
	d.failAt(start, "allocgen", "missing: a spec starts with allocgen: 1")
	return true
}

func (d *decoder) top(root *node) {
	s := d.spec
	var build, heaps, lists *node
	for _, f := range d.fields(root, &topKeys) {
		switch f.name {
		case "allocgen":
			if text, ok := d.scalar(f.value, "1"); ok && text != "1" {
				d.fail(f.value, "%s is not a version of the format: write 1", show(text))
			}
		case "package":
			s.Package = d.packageName(f.value)
		case "out":
			s.Out = d.out(f.value)
		case "doc":
			s.Doc = d.doc(f.value)
		case "imports":
			d.imports(f.value)
		case "build":
			build = f.value
		case "tests":
			s.Tests = d.bool(f.value, s.Tests)
		case "inline":
			s.Inline = d.inline(f.value, s.Inline)
		case "heaps":
			heaps = f.value
		case "lists":
			lists = f.value
		}
	}
	if !d.written("package") && !root.lost {
		d.failAt(s.At("allocgen"), "package", "missing: name the package of the output")
	}
	d.entries(heaps, lists)
	s.Build = d.build(build, len(d.heap) > 0)
	d.checkEffect(root, heaps, lists)
}

// Imports accepts no entry: elements are predeclared types, which need none.
func (d *decoder) imports(n *node) {
	if !d.mapping(n, "{}") {
		return
	}
	for _, f := range n.fields {
		d.failAt(f.pos, f.path, "no effect: elements from other packages are not supported yet")
	}
}

// Entries decodes the heaps, then the lists, which may refer to them.
func (d *decoder) entries(heaps, lists *node) {
	s := d.spec
	d.heap = make(map[string]bool)
	seen := make(map[string]field)
	heapFields, listFields := d.named(heaps, "Heap: {}"), d.named(lists, "Ints: int64")
	for _, f := range heapFields {
		d.heap[f.name] = true
	}
	heapFields, listFields = d.bound(heapFields, listFields)
	for _, f := range heapFields {
		ok := d.entryName(f, seen)
		if h, usable := d.heapEntry(f); ok && usable {
			s.Heaps = append(s.Heaps, h)
		}
	}
	for _, f := range listFields {
		ok := d.entryName(f, seen)
		if l, usable := d.listEntry(f); ok && usable {
			s.Lists = append(s.Lists, d.housed(l))
		}
	}
}

// MaxEntries bounds the output: each heap has more than 1,000 lines of its own.
const maxEntries = 64

// Bound drops the entries from the one that is too many on, in the order of
// the file.
func (d *decoder) bound(heaps, lists []field) (_, _ []field) {
	if len(heaps)+len(lists) <= maxEntries {
		return heaps, lists
	}
	all := slices.Concat(heaps, lists)
	slices.SortStableFunc(all, func(a, b field) int { return a.pos.compare(b.pos) })
	over := all[maxEntries]
	d.failAt(over.pos, over.path, "a spec has at most %d entries: split it into several files", maxEntries)
	kept := func(fields []field) []field {
		for i, f := range fields {
			if f.pos.compare(over.pos) >= 0 {
				return fields[:i]
			}
		}
		return fields
	}
	return kept(heaps), kept(lists)
}

// Housed moves a list whose heap was dropped to Go memory.
func (d *decoder) housed(l List) List {
	if !slices.ContainsFunc(d.spec.Heaps, func(h Heap) bool { return h.Name == l.Heap }) {
		l.Heap = ""
	}
	return l
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
func (d *decoder) checkEffect(root, heaps, lists *node) {
	unbuilt := false
	for _, f := range root.fields {
		k := topKeys.find(f.name)
		unbuilt = unbuilt || k != nil && k.unbuilt
	}
	switch {
	case unbuilt:
	case heaps == nil && lists == nil:
		d.errs.Add(d.spec.At("allocgen"), "nothing to generate: add an entry below heaps (Heap: {}) or lists (Ints: int64)")
	case heaps == nil && d.written("inline"):
		d.failKey("inline", "no effect: lists in Go memory have no path to inline")
	}
}

// Fields is the keys of a mapping that this version builds, with their
// positions recorded; the others are reported.
func (d *decoder) fields(n *node, s *section) []field {
	var known []field
	for _, f := range n.fields {
		switch k := s.find(f.name); {
		case k == nil:
			d.failAt(f.pos, f.path, "%s", s.unknown(f.name))
		case k.unbuilt:
			d.failAt(f.pos, f.path, "not supported yet")
		default:
			d.spec.pos[f.path] = f.pos
			known = append(known, f)
		}
	}
	return known
}

// Inline decodes `inline: fast` and `inline: {alloc: fast, free: call}`.
func (d *decoder) inline(n *node, outer Inline) Inline {
	if n.kind != mappingKind {
		form := Form(d.word(n, inlineKeys.must("alloc"), ""))
		if form == "" {
			return outer
		}
		return Inline{form, form}
	}
	if d.empty(n) {
		return outer
	}
	in := outer
	for _, f := range d.fields(n, &inlineKeys) {
		switch f.name {
		case "alloc":
			in.Alloc = Form(d.word(f.value, inlineKeys.must(f.name), string(in.Alloc)))
		case "free":
			in.Free = Form(d.word(f.value, inlineKeys.must(f.name), string(in.Free)))
		}
	}
	return in
}

// Empty refuses a mapping without keys where that says nothing.
func (d *decoder) empty(n *node) bool {
	if n.kind != mappingKind || n.lost || len(n.fields) > 0 {
		return false
	}
	d.fail(n, "empty: remove the key for the default")
	return true
}
