package main

import (
	"regexp"
	"runtime"
	"time"

	"github.com/allocgen/allocgen/bench/report"
)

// A bench is what the command line asks for.
type bench struct {
	short    bool
	duration time.Duration
	peers    []peer // none in the processes that measure a subject in Go
}

// shortened is by how much -short divides sizes and counts.
const shortened = 16

func (b *bench) scaled(n int) int {
	if b.short {
		return n / shortened
	}
	return n
}

// A group is the rows of one workload, chosen together.
type group struct {
	name     string // of -rows, and before the names of its subjects
	subjects []report.Subject
	rows     func(report.Figures) []report.Row
}

func (b *bench) groups() []group {
	groups := []group{b.thread(1), b.thread(2), b.thread(4)}
	groups = append(groups, b.fixed("fixed-1k", 1<<10), b.fixed("fixed-1m", 1<<20), b.burst())
	groups = append(groups, b.pair(), b.busyPair(), b.channel(), b.channelMemory(), b.buffer())
	return append(groups, b.drift(), b.trim(), b.collection())
}

func chosen(groups []group, wanted *regexp.Regexp) []group {
	var out []group
	for _, g := range groups {
		if wanted.MatchString(g.name) {
			out = append(out, g)
		}
	}
	return out
}

func names(groups []group) []string {
	var out []string
	for _, g := range groups {
		out = append(out, g.name)
	}
	return out
}

// nameOf tells a subject's figures in different groups apart.
func nameOf(group, subject string) string { return group + "/" + subject }

func subjectsOf(groups []group) []report.Subject {
	var out []report.Subject
	for _, g := range groups {
		for _, s := range g.subjects {
			s.Name = nameOf(g.name, s.Name)
			out = append(out, s)
		}
	}
	return out
}

func rowsOf(groups []group, f report.Figures) []report.Row {
	out := []report.Row{} // "[]" in JSON, not "null"
	for _, g := range groups {
		own := report.Figures{}
		for _, s := range g.subjects {
			if figure, ok := f[nameOf(g.name, s.Name)]; ok {
				own[s.Name] = figure
			}
		}
		out = append(out, g.rows(own)...)
	}
	return out
}

// timed is a subject whose rounds do so many operations: start makes what works
// and returns what does them. A collection that is under way falls into no round.
func timed(name string, ops int, start func() func(ops int)) report.Subject {
	return report.Subject{Name: name, Start: func() (report.Round, error) {
		work := start()
		return func() (time.Duration, int64) {
			runtime.GC()
			begin := time.Now()
			work(ops)
			return time.Since(begin), int64(ops)
		}, nil
	}}
}
