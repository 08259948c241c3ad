package spec

import "path/filepath"

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
	d := &decoder{errs: errs, bad: make(map[string]bool), used: make(map[string]bool), spec: &Spec{
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
	used map[string]bool // names of `imports` that entries use
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
	var build, imports *node
	var sections entrySections
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
			imports = f.value
		case "build":
			build = f.value
		case "tests":
			s.Tests = d.bool(f.value, s.Tests)
		case "inline":
			s.Inline = d.inline(f.value, s.Inline)
		case "heaps":
			sections.heaps = f.value
		case "lists":
			sections.lists = f.value
		case "objects":
			sections.objects = f.value
		}
	}
	if !d.written("package") && !root.lost {
		d.failAt(s.At("allocgen"), "package", "missing: name the package of the output")
	}
	if imports != nil {
		d.imports(imports)
	}
	d.entries(sections)
	d.checkImports()
	s.Build = d.build(build)
	d.checkEffect(root, sections)
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
