package report

import (
	"errors"
	"os/exec"
	"slices"
	"time"
)

// A Subject is one thing that is measured, in one of three ways.
type Subject struct {
	Name string

	// Start runs once per process and returns the round that is then measured
	// repeatedly.
	Start func() (Round, error)

	// Once is for what has no rounds: it runs once per process and returns
	// figures by name, in units of their own.
	Once func() (map[string]float64, error)

	// Command is for another program, which measures so many rounds, after one
	// to warm up, and prints an Output as JSON.
	Command func(rounds int) *exec.Cmd

	// Cores is how many cores a round must have had, as CPU/wall, to count: what
	// runs in parallel means nothing where other work held a core. A subject
	// without a round that counts gets more processes.
	Cores float64
}

// A Round does the work once. It returns the time spent, summed over the
// threads that worked side by side, and the operations they did.
type Round func() (elapsed time.Duration, ops int64)

// A Sample is one measured round.
type Sample struct {
	Elapsed time.Duration `json:"elapsed"` // as Round returned it
	Ops     int64         `json:"ops"`     // as Round returned it
	Wall    time.Duration `json:"wall"`
	CPU     time.Duration `json:"cpu"` // of the whole process, user and system; 0 where it cannot be asked
}

// NsPerOp is the mean cost of an operation in this round.
func (s Sample) NsPerOp() float64 { return float64(s.Elapsed) / float64(s.Ops) }

// Cores is how many cores the round had.
func (s Sample) Cores() float64 { return float64(s.CPU) / float64(s.Wall) }

// An Output is what one process prints: its measured rounds, or the figures of
// Once. Times are in nanoseconds.
type Output struct {
	Samples []Sample           `json:"samples"`
	Values  map[string]float64 `json:"values,omitempty"`
	MaxRSS  int64              `json:"max_rss"` // as getrusage counts it
}

// A Figure is what is known about a subject in the end.
type Figure struct {
	Best      Sample             // the round with the least time per operation, of those that count
	Disturbed bool               // no round counted: Best had too few cores
	MaxRSS    int64              // of the process that ran Best, as getrusage counts it
	Values    map[string]float64 // the least of each
}

// Figures holds one Figure per subject, by name.
type Figures map[string]Figure

// Row compares two subjects; an empty baseline compares with nothing.
func (f Figures) Row(name, subject, baseline string, target float64) Row {
	ns := f[subject].Best.NsPerOp()
	if baseline == "" {
		return NewRow(name, subject, ns, "", 0, 0)
	}
	return NewRow(name, subject, ns, baseline, f[baseline].Best.NsPerOp(), target)
}

// check refuses figures that are none.
func (o Output) check() error {
	if len(o.Samples) == 0 && len(o.Values) == 0 {
		return errors.New("no figures")
	}
	worked := func(s Sample) bool { return s.Ops > 0 }
	if len(o.Samples) > 0 && !slices.ContainsFunc(o.Samples, worked) {
		return errors.New("no round with operations")
	}
	return nil
}

func (f Figures) add(s Subject, out Output) {
	figure, known := f[s.Name]
	for _, sample := range out.Samples {
		if sample.Ops == 0 {
			continue // other work held all cores while the round lasted
		}
		disturbed := sample.Cores() < s.Cores
		better := sample.NsPerOp() < figure.Best.NsPerOp()
		if !known || figure.Disturbed && !disturbed || figure.Disturbed == disturbed && better {
			known = true
			figure.Best, figure.Disturbed, figure.MaxRSS = sample, disturbed, out.MaxRSS
		}
	}
	for name, value := range out.Values {
		if least, ok := figure.Values[name]; !ok || value < least {
			if figure.Values == nil {
				figure.Values = map[string]float64{}
			}
			figure.Values[name] = value
		}
	}
	f[s.Name] = figure
}
