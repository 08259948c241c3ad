package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/allocgen/allocgen/bench/report"
)

// A table makes the rows of one workload.
type table struct {
	*bench
	name    string
	figures report.Figures
	absent  map[string]string // why a subject has no figure
	rows    []report.Row

	// What a figure is: the name of the value that Once returned, or nanoseconds
	// per operation; its unit, and how many of the figure's are one of it.
	value string
	unit  string
	per   float64
}

func (b *bench) table(name string, f report.Figures) *table {
	return &table{bench: b, name: name, figures: f, absent: map[string]string{}, per: 1}
}

// A side is one figure of a comparison, 0 where there is none.
type side struct {
	name   string
	figure float64
	note   string // why it does not count
}

func (t *table) side(subject string) side {
	s := side{name: subject}
	f, ok := t.figures[subject]
	switch {
	case !ok:
		s.note = t.why(subject)
	case t.value != "":
		s.figure = f.Values[t.value] / t.per
	default:
		s.figure = f.Best.NsPerOp() / t.per
		if f.Disturbed {
			s.note = fmt.Sprintf("disturbed: %.2f cores for %s", f.Best.Cores(), subject)
		}
	}
	return s
}

// why says why a subject was not measured.
func (t *table) why(subject string) string {
	if why := t.absent[subject]; why != "" {
		return why
	}
	for _, p := range t.peers {
		if p.name == subject && p.missing != "" {
			return p.missing
		}
	}
	return subject + " was not measured"
}

// info adds subjects for information, compared with nothing.
func (t *table) info(subjects ...string) {
	for _, s := range subjects {
		t.add(t.side(s), side{}, 0)
	}
}

// against compares two subjects.
func (t *table) against(subject, baseline string, target float64) {
	t.add(t.side(subject), t.side(baseline), target)
}

// againstBest compares with the best of some subjects, which the row names. It
// does not where one of them is missing: that might have been the best.
func (t *table) againstBest(subject string, of []string, target float64) {
	best := side{name: "the best of " + strings.Join(of, ", ")}
	for _, name := range of {
		switch s := t.side(name); {
		case s.note != "":
			best.figure, best.note = 0, s.note
			t.add(t.side(subject), best, target)
			return
		case best.figure == 0 || s.figure < best.figure:
			best.figure, best.name = s.figure, fmt.Sprintf("%s, best of %d", name, len(of))
		}
	}
	t.add(t.side(subject), best, target)
}

func (t *table) add(subject, baseline side, target float64) {
	if t.short {
		target = 0
	}
	row := report.Row{Name: t.name, Subject: subject.name, Baseline: baseline.name, NsPerOp: subject.figure, Target: target, OK: true}
	if subject.figure != 0 && baseline.figure != 0 {
		row = report.NewRow(t.name, subject.name, subject.figure, baseline.name, baseline.figure, target)
	}
	if notes := slices.DeleteFunc([]string{subject.note, baseline.note}, func(s string) bool { return s == "" }); len(notes) > 0 {
		row = row.NotJudged(strings.Join(slices.Compact(notes), "; "))
	}
	if t.unit != "" {
		row = row.In(t.unit)
	}
	t.rows = append(t.rows, row)
}
