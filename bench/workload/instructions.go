package workload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/allocgen/allocgen/bench/report"
)

// instructionsEnv tells a process that valgrind runs which subject it is, and
// for how long: "1s two-step".
const instructionsEnv = "ALLOCGEN_BENCH_INSTRUCTIONS"

// The two runs whose difference counts, on valgrind's clock: what both begin
// with, an empty cache and an empty set, is in neither figure. Their numbers of
// iterations are those that the kernel returns, about a million and five.
var instructionRuns = [2]time.Duration{time.Second, 5 * time.Second}

// An InstructionRow is one figure of -instructions, beside that of a baseline.
type InstructionRow struct {
	Subject      string  `json:"subject"`
	Instructions float64 `json:"instructions_per_op"`
	Baseline     string  `json:"baseline"`
	Ratio        float64 `json:"ratio"`  // subject / baseline
	Target       float64 `json:"target"` // the most instructions aimed at; 0: for information
	OK           bool    `json:"ok"`     // false only when there is a target and it is missed
}

// CountInstructions is the work of -instructions: it counts and prints a row per
// subject.
func CountInstructions(w io.Writer, asJSON bool, allocators []Allocator, baseline string, targets map[string]float64) error {
	counts, err := instructions(allocators)
	if err != nil {
		return err
	}
	var rows []InstructionRow
	for _, a := range allocators {
		if n, ok := counts[a.Name]; ok {
			target := targets[a.Name]
			rows = append(rows, InstructionRow{a.Name, n, baseline, n / counts[baseline], target, target == 0 || n <= target})
		}
	}
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(rows)
	}
	return writeInstructions(w, rows)
}

func writeInstructions(w io.Writer, rows []InstructionRow) error {
	fmt.Fprintln(w, "\nbench-malloc-thread, threads: 1, under callgrind")
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "subject\tinstructions/op\tagainst\tratio\ttarget")
	for _, r := range rows {
		target := "-"
		if r.Target != 0 {
			target = fmt.Sprintf("<= %g instructions  ok", r.Target)
			if !r.OK {
				target = fmt.Sprintf("<= %g instructions  MISSED", r.Target)
			}
		}
		fmt.Fprintf(tab, "%s\t%.1f\t%s\t%.3f\t%s\n", r.Subject, r.Instructions, r.Baseline, r.Ratio, target)
	}
	return tab.Flush()
}

// instructions counts the instructions of an iteration of each subject that has
// a Symbol, by name: callgrind counts while its kernel runs, in the kernel and in
// all that it calls. The kernels are those that are timed.
//
// In a process that valgrind runs, it runs the one subject that it was started
// for and exits.
func instructions(allocators []Allocator) (map[string]float64, error) {
	if job := os.Getenv(instructionsEnv); job != "" {
		return nil, serveInstructions(job, allocators)
	}
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		return nil, errors.New("-instructions needs valgrind, which is not on PATH; it is a package of that name on Debian and most other systems")
	}
	dir, err := os.MkdirTemp("", "allocgen-instructions-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	command, err := report.Build(dir)
	if err != nil {
		return nil, err
	}
	counts := map[string]float64{}
	for _, a := range allocators {
		if a.Symbol == "" {
			continue
		}
		var n [2]count
		for i, d := range instructionRuns {
			if n[i], err = callgrind(valgrind, command, a, d); err != nil {
				return nil, fmt.Errorf("%s: %w", a.Name, err)
			}
		}
		if counts[a.Name], err = perIteration(n); err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
	}
	return counts, nil
}

// A count is what one run of valgrind gives.
type count struct{ instructions, iterations int64 }

// perIteration is what the longer run did beyond the shorter one.
func perIteration(n [2]count) (float64, error) {
	instructions, iterations := n[1].instructions-n[0].instructions, n[1].iterations-n[0].iterations
	if iterations < 100_000 {
		return 0, errors.New("the longer run did hardly more than the shorter one: the machine is too busy, run again")
	}
	return float64(instructions) / float64(iterations), nil
}

// callgrind runs this command under valgrind. Without asyncpreemptoff Go's
// signals meet an assertion of valgrind's; the collector would add its own work.
func callgrind(valgrind, command string, a Allocator, d time.Duration) (count, error) {
	cmd := exec.Command(valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect="+a.Symbol, command)
	cmd.Args = append(cmd.Args, os.Args[1:]...)
	cmd.Env = append(os.Environ(), instructionsEnv+"="+d.String()+" "+a.Name,
		"GODEBUG=asyncpreemptoff=1", "GOGC=off", "GOMAXPROCS=2") // one for the kernel, one to stop it
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return count{}, fmt.Errorf("%w\n%s", err, &stderr)
	}
	return readCount(stdout.String(), stderr.String())
}

var collected = regexp.MustCompile(`Collected : (\d+)`)

// readCount reads the iterations that the child printed, and the instructions
// that valgrind did.
func readCount(stdout, stderr string) (count, error) {
	iterations, err := strconv.ParseInt(strings.TrimSpace(stdout), 10, 64)
	if err != nil {
		return count{}, err
	}
	m := collected.FindStringSubmatch(stderr)
	if m == nil {
		return count{}, fmt.Errorf("valgrind did not say what it collected:\n%s", stderr)
	}
	instructions, err := strconv.ParseInt(m[1], 10, 64)
	if err == nil && instructions == 0 {
		err = errors.New("valgrind collected nothing: the kernel has another name in this build")
	}
	return count{instructions, iterations}, err
}

// serveInstructions is the part of the process that valgrind runs.
func serveInstructions(job string, allocators []Allocator) error {
	text, name, _ := strings.Cut(job, " ")
	d, err := time.ParseDuration(text)
	if err != nil {
		return err
	}
	for _, a := range allocators {
		if a.Name == name {
			_, iterations := NewTeam(1, a.Kernels()).Run(d)
			fmt.Println(iterations)
			os.Exit(0)
		}
	}
	return fmt.Errorf("no subject %q", name)
}
