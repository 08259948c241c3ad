package source

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// A Kind is why a file is not what it should be.
type Kind string

// The kinds of findings.
const (
	Missing Kind = "missing" // a spec emits the file, and it is not there
	Stale   Kind = "stale"   // its spec has changed since
	Edited  Kind = "edited"  // changed by hand, or not ours at all
	Drift   Kind = "drift"   // spec and file are unchanged: the templates have changed
	Orphan  Kind = "orphan"  // no spec emits it
)

// Kinds is all of them.
var Kinds = []Kind{Missing, Stale, Edited, Drift, Orphan}

// A Finding is one file that gen would change, or refuse to.
type Finding struct {
	Kind Kind
	File string // for messages
	Text string // why, and what to do
	Diff []byte // unified, from the file on disk to the generated one; nil when there is no text to compare
}

func (f Finding) String() string { return fmt.Sprintf("%s: %s: %s", f.File, f.Kind, f.Text) }

// Check compares the packages with what is on disk, both ways, and changes
// nothing. Line ends do not count.
func Check(found *Found, pkgs []*Package) ([]Finding, error) {
	atHand := found.atHand()
	var all []Finding
	for _, p := range pkgs {
		targets, err := p.targets(atHand)
		if err != nil {
			return nil, err
		}
		for _, t := range targets {
			if !t.current() {
				all = append(all, t.finding())
			}
		}
	}
	lost, err := orphans(found, pkgs)
	if err != nil {
		return nil, err
	}
	for _, o := range lost {
		all = append(all, o.finding())
	}
	slices.SortFunc(all, func(a, b Finding) int { return strings.Compare(a.File, b.File) })
	return all, nil
}

func (t *target) finding() Finding {
	kind, text := t.verdict()
	f := Finding{Kind: kind, File: shown(t.path), Text: text}
	if t.odd == "" {
		f.Diff = unified(f.File, t.have, t.want)
	}
	return f
}

// verdict reads the hashes in the header: they tell what has changed without
// the templates and the spec of that day.
func (t *target) verdict() (Kind, string) {
	if why := t.foreign(); why != "" {
		return Edited, why
	}
	if t.have == nil {
		return Missing, "its spec emits it: run allocgen gen"
	}
	want, _ := parseHeader(t.want)
	switch {
	case t.edited():
		return Edited, "changed by hand: take the change to the spec or the templates, then run allocgen gen, which overwrites the file"
	case t.header.spec != want.spec:
		return Stale, fmt.Sprintf("made from %s, now from %s: run allocgen gen", t.header.spec, want.spec)
	case t.header.specHash != want.specHash:
		return Stale, "its spec has changed: run allocgen gen"
	}
	return Drift, "allocgen's templates have changed: run allocgen gen"
}

func (o orphan) finding() Finding {
	name := shown(o.path)
	return Finding{
		Kind: Orphan,
		File: name,
		Text: o.why + ": run allocgen gen, which removes the file",
		Diff: unified(name, o.have, nil),
	}
}

func unified(name string, have, want []byte) []byte {
	return diff.Diff(name, unixLines(have), name+" (generated)", want)
}
