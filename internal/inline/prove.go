// Package inline proves from the compiler's own report that what generated code
// promises to inline does inline, and says the same of each call.
package inline

import (
	"fmt"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
)

// budget is what a function may cost to be inlined, since Go 1.9.
const budget = 80

// A Proof is what the compiler says, once or by several versions of Go.
type Proof struct {
	Runs []Run `json:"runs"`
}

// Holds reports whether every promise was proven in every run.
func (p *Proof) Holds() bool {
	return !slices.ContainsFunc(p.Runs, func(r Run) bool { return r.Error != "" || len(r.Broken) > 0 })
}

// A Run is the word of one version of Go.
type Run struct {
	Go        string      `json:"go"`              // "go1.26.8 linux/amd64", or what was asked for
	Error     string      `json:"error,omitempty"` // why there is no word
	Unchecked []Unchecked `json:"unchecked,omitempty"`
	Entries   []Entry     `json:"entries"`
	Sites     []Site      `json:"sites"`
	Broken    []Broken    `json:"broken"`
}

// Unchecked is a generated package that a copy alone would not build.
type Unchecked struct {
	Package string `json:"package"`
	Why     string `json:"why"`
}

// An Entry is what the compiler says of one entry point.
type Entry struct {
	Package string `json:"package"`
	Spec    string `json:"spec"`
	Func    string `json:"func"`
	Place   string `json:"place,omitempty"`  // its declaration
	Called  string `json:"called,omitempty"` // why it is not promised to inline
	Inlines bool   `json:"inlines"`
	Unused  bool   `json:"unused,omitempty"` // generic code that no given package instantiates: nothing is proven of it
	Cost    int    `json:"cost"`             // of Budget; 0 when the compiler does not count it
	Reason  string `json:"reason,omitempty"` // the compiler's, when it does not inline
	Budget  int    `json:"budget"`

	// What lies inside it as compiled on its own: distinct places.
	Checks        int `json:"checks"`
	ChecksAllowed int `json:"checks_allowed"`
	Barriers      int `json:"barriers"`
	Escapes       int `json:"escapes"`

	Sites   int `json:"sites"`         // calls of it in the packages
	Inlined int `json:"sites_inlined"` // of these
	Bytes   int `json:"bytes_median"`  // of code per inlined call, in the function that holds the call
	Total   int `json:"bytes_total"`   // of all copies, also where that function was inlined in turn
}

// A Site is what became of one call of an entry point.
type Site struct {
	Place   string `json:"place"`
	Package string `json:"package"` // of the entry point
	Func    string `json:"func"`
	Inlined bool   `json:"inlined"`
	Bytes   int    `json:"bytes"`
	Total   int    `json:"bytes_total"`
	Why     string `json:"why,omitempty"` // it was not inlined, or what it still calls
}

// A Broken is a promise that the compiler does not keep.
type Broken struct {
	Place   string `json:"place"`
	Package string `json:"package"`
	Func    string `json:"func"`
	Cost    int    `json:"cost"`
	Why     string `json:"why"`
}

func (b Broken) String() string { return fmt.Sprintf("%s: %s: %s", b.Place, b.Func, b.Why) }

// A judge holds promises and calls against a report.
type judge struct {
	dir    string // paths are shown relative to it
	report *report
	run    *Run
}

// judge fills a run with the entry points and calls of those packages that only
// has, or of all.
func (prog *program) judge(dir string, report *report, run *Run, only func(*packages.Package) bool) {
	j := judge{dir, report, run}
	index := map[*entry]int{}
	for _, e := range prog.entries {
		if only(e.pkg) {
			index[e] = len(run.Entries)
			run.Entries = append(run.Entries, j.entry(e))
		}
	}
	bytes := map[*entry][]int{}
	for _, s := range prog.sites(only) {
		out := j.site(s)
		run.Sites = append(run.Sites, out)
		i, ok := index[s.entry]
		if !ok {
			continue
		}
		e := &run.Entries[i]
		e.Sites++
		if out.Inlined {
			e.Inlined++
			e.Total += out.Total
			bytes[s.entry] = append(bytes[s.entry], out.Bytes)
		}
	}
	for e, all := range bytes {
		slices.Sort(all)
		run.Entries[index[e]].Bytes = all[len(all)/2]
	}
}

func (j *judge) entry(e *entry) Entry {
	out := Entry{
		Package:       e.pkg.PkgPath,
		Spec:          e.spec,
		Func:          e.Func,
		Called:        e.Called,
		Budget:        budget,
		ChecksAllowed: e.Checks,
	}
	if out.Reason = e.missing; e.missing != "" {
		if e.Called == "" {
			j.broken(e, e.spec, 0, e.missing)
		}
		return out
	}
	out.Place = j.shown(e.from)
	v, ok := j.report.verdict(e.from.onLine(), e.compiler)
	if !ok {
		v.reason = silent
	}
	out.Inlines, out.Cost, out.Reason = v.can, v.cost, v.reason
	checks := j.inside(e, check)
	barriers := j.inside(e, barrier)
	escapes := j.inside(e, escape)
	out.Checks, out.Barriers, out.Escapes = len(checks), len(barriers), len(escapes)
	if e.Called != "" {
		return out
	}
	if out.Unused = !ok && e.Generic; out.Unused {
		return out
	}
	if !v.can {
		j.broken(e, out.Place, v.cost, "does not inline: "+v.reason)
	}
	j.excess(e, v.cost, check, checks, e.Checks)
	j.excess(e, v.cost, barrier, barriers, e.Barriers)
	j.excess(e, v.cost, escape, escapes, 0)
	return out
}

// wrapperColumn is where the compiler sees what is in the wrapper of an instance:
// after "func ".
const wrapperColumn = 6

// inside lists what the compiler left in the body of an entry point.
func (j *judge) inside(e *entry, what trace) []place {
	var found []place
	for p := range j.report.inside[what] {
		if e.Generic && p.line == e.from.line && p.col == wrapperColumn {
			continue
		}
		if p.file == e.from.file && e.from.line <= p.line && p.line <= e.to.line {
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b place) int {
		if a.line != b.line {
			return a.line - b.line
		}
		return a.col - b.col
	})
	return found
}

// excess breaks a promise for more of something than it allows.
func (j *judge) excess(e *entry, cost int, what trace, found []place, allowed int) {
	if len(found) > allowed {
		j.broken(e, j.shown(found[allowed]), cost, fmt.Sprintf("%s inside: %d, at most %d promised", what, len(found), allowed))
	}
}

func (j *judge) broken(e *entry, place string, cost int, why string) {
	j.run.Broken = append(j.run.Broken, Broken{place, e.pkg.PkgPath, e.Func, cost, why})
}

func (j *judge) site(s site) Site {
	out := Site{
		Place:   j.shown(s.place),
		Package: s.entry.pkg.PkgPath,
		Func:    s.entry.Func,
		Inlined: j.report.inlines(s.place, s.entry.compiler),
	}
	switch {
	case s.entry.Called != "":
		out.Why = s.entry.Called
	case !out.Inlined:
		out.Why = j.why(s)
	case s.deferred != "":
		out.Why = "in the wrapper that the " + s.deferred + " statement calls"
	}
	if out.Inlined {
		out.Bytes, out.Total = j.report.code(s.place, s.entry.compiler)
	}
	return out
}

// why a call was not inlined: the compiler names the reason at the callee or at
// the caller, never at the call.
func (j *judge) why(s site) string {
	v, ok := j.report.verdict(s.entry.from.onLine(), s.entry.compiler)
	switch {
	case ok && !v.can:
		return v.reason
	case j.report.repeated[s.place]:
		return "would repeat a cycle of recursion"
	case slices.ContainsFunc(s.callers, func(p place) bool { return j.report.big[p.onLine()] }):
		return "the caller is big: over 5000 nodes, where only costs up to 20 are inlined"
	case s.deferred != "":
		return "the call of a " + s.deferred + " statement"
	}
	return silent
}

// silent is all that is known where the compiler says nothing.
const silent = "the compiler does not say: unreachable, or generic code that no given package instantiates"

// shown is a place as people read it.
func (j *judge) shown(p place) string {
	file := p.file
	if rel, err := filepath.Rel(j.dir, file); err == nil && len(rel) < len(file) {
		file = rel
	}
	return fmt.Sprintf("%s:%d:%d", filepath.ToSlash(file), p.line, p.col)
}
