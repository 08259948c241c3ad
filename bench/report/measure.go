package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// childEnv names the subject that this process measures. It is set in the
// processes that a command starts of itself.
const childEnv = "ALLOCGEN_BENCH_SUBJECT"

// Options say how often each subject is measured.
type Options struct {
	Processes int // per subject, in turn with those of the other subjects
	Rounds    int // per process, after one to warm up
}

// Flags adds -processes and -rounds to the command's flags.
func Flags() *Options {
	o := new(Options)
	flag.IntVar(&o.Processes, "processes", 5, "processes per subject")
	flag.IntVar(&o.Rounds, "rounds", 7, "measured rounds per process")
	return o
}

func (o *Options) check() error {
	if o.Processes < 1 || o.Rounds < 1 {
		return errors.New("-processes and -rounds must be at least 1")
	}
	return nil
}

// A Subject is one thing that is measured. Start runs once per process and
// returns the round that is then measured repeatedly.
type Subject struct {
	Name  string
	Start func() (Round, error)
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

// A process is what a child prints: its measured rounds.
type process struct {
	Samples []Sample `json:"samples"`
	MaxRSS  int64    `json:"max_rss"` // as getrusage counts it
}

// A Figure is what is known about a subject in the end.
type Figure struct {
	Best   Sample // the round with the least time per operation
	MaxRSS int64  // of the process that ran it, as getrusage counts it
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

// Main measures the subjects and hands the figures to show.
//
// A figure is the minimum over all rounds of all processes: disturbance only
// adds time. The processes of the subjects take turns, because a machine's
// speed drifts, and a drift must not fall on one subject alone. Each turn uses
// another build (build.go), because what a build or a start fixes moves a
// figure by more than rounds differ.
//
// In a child Main measures the one subject it was started for and prints; show
// is not called.
func Main(o *Options, subjects []Subject, show func(Figures) error) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	if name := os.Getenv(childEnv); name != "" {
		return serve(name, o.Rounds, subjects)
	}
	dir, err := os.MkdirTemp("", "allocgen-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	commands, err := builds(dir, o.Processes)
	if err != nil {
		return err
	}
	figures, err := collect(commands, subjects, startChild)
	if err != nil {
		return err
	}
	return show(figures)
}

// collect runs one process per command and subject, one at a time, all
// subjects of a command before the next command.
func collect(commands []string, subjects []Subject, start func(command, subject string) (process, error)) (Figures, error) {
	figures := Figures{}
	for _, command := range commands {
		for _, s := range subjects {
			p, err := start(command, s.Name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.Name, err)
			}
			figures.add(s.Name, p)
		}
	}
	return figures, nil
}

func (f Figures) add(subject string, p process) {
	for _, s := range p.Samples {
		best, ok := f[subject]
		if !ok || s.NsPerOp() < best.Best.NsPerOp() {
			f[subject] = Figure{Best: s, MaxRSS: p.MaxRSS}
		}
	}
}

// startChild runs command with the arguments of this process.
func startChild(command, subject string) (process, error) {
	var p process
	var stdout bytes.Buffer
	cmd := exec.Command(command, os.Args[1:]...)
	cmd.Env = append(os.Environ(), childEnv+"="+subject)
	cmd.Stdout = &stdout
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return p, err
	}
	return p, json.Unmarshal(stdout.Bytes(), &p)
}

// serve is the child's part.
func serve(name string, rounds int, subjects []Subject) error {
	for _, s := range subjects {
		if s.Name == name {
			p, err := measure(s, rounds)
			if err != nil {
				return err
			}
			return json.NewEncoder(os.Stdout).Encode(p)
		}
	}
	return fmt.Errorf("no subject %q", name)
}

func measure(s Subject, rounds int) (process, error) {
	var p process
	round, err := s.Start()
	if err != nil {
		return p, err
	}
	round() // warm-up
	for range rounds {
		sample := take(round)
		if sample.Ops == 0 {
			return p, errors.New("a round without operations")
		}
		p.Samples = append(p.Samples, sample)
	}
	p.MaxRSS = usage().maxRSS
	return p, nil
}

func take(round Round) Sample {
	cpu, start := usage().cpu, time.Now()
	elapsed, ops := round()
	return Sample{Elapsed: elapsed, Ops: ops, Wall: time.Since(start), CPU: usage().cpu - cpu}
}

// A rusage is the part of getrusage that is reported.
type rusage struct {
	cpu    time.Duration
	maxRSS int64
}
