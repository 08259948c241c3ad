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
	figures, err := collect(commands, o.Rounds, subjects, startChild)
	if err != nil {
		return err
	}
	return show(figures)
}

// collect runs one process per command and subject, one at a time, all
// subjects of a command before the next command. Then it goes round once more for
// those whose rounds were all disturbed.
func collect(commands []string, rounds int, subjects []Subject, start func(*exec.Cmd) (Output, error)) (Figures, error) {
	figures := Figures{}
	turns := func(wanted func(Subject) bool) error {
		for _, command := range commands {
			for _, s := range subjects {
				if !wanted(s) {
					continue
				}
				out, err := start(s.command(command, rounds))
				if err == nil {
					err = out.check()
				}
				if err != nil {
					return fmt.Errorf("%s: %w", s.Name, err)
				}
				figures.add(s, out)
			}
		}
		return nil
	}
	err := turns(func(Subject) bool { return true })
	if err == nil {
		err = turns(func(s Subject) bool { return figures[s.Name].Disturbed })
	}
	return figures, err
}

// command is what measures s: this command, with the arguments of this process,
// or the subject's own.
func (s Subject) command(self string, rounds int) *exec.Cmd {
	if s.Command != nil {
		return s.Command(rounds)
	}
	cmd := exec.Command(self, os.Args[1:]...)
	cmd.Env = append(os.Environ(), childEnv+"="+s.Name)
	return cmd
}

func startChild(cmd *exec.Cmd) (Output, error) {
	var (
		out    Output
		stdout bytes.Buffer
	)
	cmd.Stdout = &stdout
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return out, err
	}
	return out, json.Unmarshal(stdout.Bytes(), &out)
}

// Child says whether this process measures a subject for the command that
// started it.
func Child() bool { return os.Getenv(childEnv) != "" }

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

func measure(s Subject, rounds int) (Output, error) {
	var out Output
	if s.Once != nil {
		values, err := s.Once()
		return Output{Values: values, MaxRSS: usage().maxRSS}, err
	}
	round, err := s.Start()
	if err != nil {
		return out, err
	}
	round() // warm-up
	for range rounds {
		out.Samples = append(out.Samples, take(round))
	}
	out.MaxRSS = usage().maxRSS
	return out, nil
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
