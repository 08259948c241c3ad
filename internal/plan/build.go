package plan

import (
	"path"
	"slices"
	"strings"

	"github.com/allocgen/allocgen/internal/spec"
)

// Build decides what a spec becomes beside what its package holds already.
// Errors name places in the spec file.
func Build(s *spec.Spec, beside Beside) (*Plan, spec.Errors) {
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
		Own:     beside.Own,
		Imports: importsOf(s),
	}
	checkImports(s, &errs)
	checkShared(s, &errs)
	for _, h := range s.Heaps {
		p.Heaps = append(p.Heaps, buildHeap(s, h, &errs))
	}
	for _, l := range s.Lists {
		p.Lists = append(p.Lists, buildList(l, p.Heaps))
	}
	shareDriver(p.Lists)
	for _, o := range s.Objects {
		p.Objects = append(p.Objects, buildObject(o, p.Heaps, beside))
	}
	p.Pin = sharePin(p.Heaps, p.Objects)
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
	for i := range p.Objects {
		o := &p.Objects[i]
		o.Sites = objectSites(o)
		o.Callees = objectCallees(o)
		o.Sites = append(o.Sites, o.Callees...)
		p.Sites = append(p.Sites, o.Sites...)
		p.Demands = append(p.Demands, o.demand())
		checkObject(s, o, &errs)
	}
	p.Names = collectNames(p)
	checkNames(s, p.Names, &errs)
	checkImportNames(s, p.Names, &errs)
	p.Promises = promises(p)
	errs.Sort()
	return p, errs
}

// collectNames lists every package-level identifier, in a fixed order.
func collectNames(p *Plan) []Name {
	var out []Name
	add := func(when bool, entry string, words []string, names map[string]string) {
		if !when {
			return
		}
		for _, w := range words {
			out = append(out, Name{names[w], entry})
		}
	}
	for _, h := range p.Heaps {
		entry := "heaps." + h.Name
		add(true, entry, heapWords, h.Names)
		add(h.Stats, entry, heapStatsWords, h.Names)
		add(h.Full, entry, heapFullWords, h.Names)
		add(h.LargePages, entry, heapPagesWords, h.Names)
		add(h.LargeGo, entry, heapMakeWords, h.Names)
		add(h.Refuses(), entry, heapRefuseWords, h.Names)
		add(h.KnowsFresh(), entry, heapFreshWords, h.Names)
		add(h.Full && !h.Refuses(), entry, heapFullLargeWords, h.Names)
		add(h.ListBins, entry, heapLinkWords, h.Names)
		add(h.Key, entry, heapKeyWords, h.Names)
		add(len(h.Typed) > 0, entry, heapTypedWords, h.Names)
		add(h.Limit != 0, entry, heapLimitWords, h.Names)
		add(h.Sync == SyncPerCPU, entry, heapPerCPUWords, h.Names)
		add(p.Tests, entry, heapTestWords, h.Names)
		add(p.Tests && h.Shared(), entry, heapSharedTestWords, h.Names)
		add(p.Tests && h.Stats, entry, heapStatsTestWords, h.Names)
		add(p.Tests && h.Zeroes(), entry, heapZeroTestWords, h.Names)
		add(p.Tests && h.Full, entry, heapFullTestWords, h.Names)
	}
	for _, l := range p.Lists {
		entry := "lists." + l.Name
		add(true, entry, listWords, l.Names)
		add(p.Tests, entry, listTestWords, l.Names)
		add(p.Tests && l.Heap != nil, entry, listBlocksWords, l.Names)
		add(p.Tests && l.Driver, entry, listDriverWords, l.Names)
	}
	if p.Pin != nil {
		add(true, p.Pin.Entry, pinWords, p.Pin.Names)
	}
	for _, o := range p.Objects {
		entry := "objects." + o.Name
		if o.Heap != nil {
			add(true, entry, typedWords, o.Names)
			add(p.Tests, entry, typedTestWords, o.Names)
			add(p.Tests && o.Slices, entry, sliceTestWords, o.Names)
			add(p.Tests && !o.Hooked(), entry, objectPlainWords, o.Names)
			continue
		}
		add(true, entry, objectWordsOf(&o), o.Names)
		tests := p.Tests && o.Tested
		add(tests, entry, objectTestWords, o.Names)
		add(tests && !o.Hooked(), entry, objectPlainWords, o.Names)
		add(tests && o.Sync != SyncNone, entry, objectSharedWords, o.Names)
	}
	return out
}

// checkNames refuses entries whose identifiers meet, or hide what the output
// itself needs.
func checkNames(s *spec.Spec, names []Name, errs *spec.Errors) {
	taken := map[string]string{}
	for _, n := range names {
		key := n.Entry[strings.IndexByte(n.Entry, '.')+1:]
		if n.Ident == key && slices.Contains(Locals(), key) {
			errs.Add(s.At(n.Entry), "%s: the output uses %s for itself; choose a longer name", n.Entry, key)
		}
		other, ok := taken[n.Ident]
		if ok && other != n.Entry {
			errs.Add(s.At(n.Entry), "%s: its name %s is taken by %s; choose another", n.Entry, n.Ident, other)
		}
		taken[n.Ident] = n.Entry
	}
}
