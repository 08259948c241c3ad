package plan

import (
	"path"
	"slices"
	"strings"

	"github.com/allocgen/allocgen/internal/spec"
)

// Build decides what a spec becomes. Errors name places in the spec file.
func Build(s *spec.Spec) (*Plan, spec.Errors) {
	var errs spec.Errors
	file := path.Base(s.File)
	p := &Plan{
		File:    s.File,
		Base:    strings.TrimSuffix(file, path.Ext(file)),
		Out:     s.Out,
		Package: s.Package,
		Doc:     s.Doc,
		Build:   s.Build,
		Tests:   s.Tests,
	}
	for _, h := range s.Heaps {
		p.Heaps = append(p.Heaps, buildHeap(s, h, &errs))
	}
	for _, l := range s.Lists {
		p.Lists = append(p.Lists, buildList(l, p.Heaps))
	}
	shareDriver(p.Lists)
	for i := range p.Heaps {
		h := &p.Heaps[i]
		h.Callees = callees(h, p.Lists)
		h.Sites = append(heapSites(h), h.Callees...)
		p.Sites = append(p.Sites, h.Sites...)
	}
	for i := range p.Lists {
		l := &p.Lists[i]
		l.Sites = listSites(l)
		p.Sites = append(p.Sites, l.Sites...)
	}
	p.Names = collectNames(p)
	checkNames(s, p.Names, &errs)
	p.Promises = promises(p)
	errs.Sort()
	return p, errs
}

// collectNames lists every package-level identifier, in a fixed order.
func collectNames(p *Plan) []Name {
	var out []Name
	add := func(entry string, words []string, names map[string]string) {
		for _, w := range words {
			out = append(out, Name{names[w], entry})
		}
	}
	for _, h := range p.Heaps {
		add("heaps."+h.Name, heapWords, h.Names)
		if p.Tests {
			add("heaps."+h.Name, heapTestWords, h.Names)
		}
	}
	for _, l := range p.Lists {
		add("lists."+l.Name, listWords, l.Names)
		if p.Tests {
			add("lists."+l.Name, listTestWords, l.Names)
		}
		if p.Tests && l.Driver {
			add("lists."+l.Name, listDriverWords, l.Names)
		}
	}
	return out
}

// checkNames refuses entries whose identifiers meet, or hide what the output
// itself needs.
func checkNames(s *spec.Spec, names []Name, errs *spec.Errors) {
	taken := map[string]string{}
	for _, n := range names {
		key := n.Entry[strings.IndexByte(n.Entry, '.')+1:]
		if n.Ident == key && slices.Contains(locals, key) {
			errs.Add(s.At(n.Entry), "%s: the output uses %s for itself; choose a longer name", n.Entry, key)
		}
		other, ok := taken[n.Ident]
		if ok && other != n.Entry {
			errs.Add(s.At(n.Entry), "%s: its name %s is taken by %s; choose another", n.Entry, n.Ident, other)
		}
		taken[n.Ident] = n.Entry
	}
}
