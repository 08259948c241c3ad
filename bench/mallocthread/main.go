// Command mallocthread runs the workload of glibc's bench-malloc-thread, bit
// for bit, on generated allocators and on what Go offers beside them.
//
// It prints the original's JSON for the two-step form, then a table; with
// -json, the table's rows only.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/bench/workload"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "mallocthread:", err)
		os.Exit(1)
	}
}

func run() error {
	var (
		options  = report.Flags()
		threads  = flag.Int("threads", 1, "threads that allocate and free, each from a cache of its own")
		duration = flag.Duration("duration", 150*time.Millisecond, "of one round")
		asJSON   = flag.Bool("json", false, "print the rows as JSON")
		count    = flag.Bool("instructions", false, "count instructions under valgrind instead of time, with one thread")
	)
	flag.Parse()
	if *threads < 1 || *duration <= 0 {
		return errors.New("-threads and -duration must be positive")
	}
	if err := workload.CheckTables(); err != nil {
		return err
	}
	if *count {
		return workload.CountInstructions(os.Stdout, *asJSON, allocators, layeredName, map[string]float64{twoStepName: 78})
	}
	runtime.GOMAXPROCS(max(*threads, runtime.GOMAXPROCS(0)))

	var subjects []report.Subject
	for _, a := range allocators {
		subjects = append(subjects, a.Subject(*threads, *duration))
	}
	return report.Main(options, subjects, func(f report.Figures) error {
		if *asJSON {
			return report.WriteJSON(os.Stdout, rows(f, *threads))
		}
		return show(os.Stdout, f, *threads)
	})
}

// rows lists the figures for information first, then those with a target.
func rows(f report.Figures, threads int) []report.Row {
	name := fmt.Sprintf("bench-malloc-thread, threads: %d", threads)
	calls := 0.80
	if threads > 1 {
		calls = 0.85
	}
	return []report.Row{
		f.Row(name, layeredName, "", 0),
		f.Row(name, makeName, "", 0),
		f.Row(name, moderncName, "", 0),
		f.Row(name, calledName, layeredName, 0),
		f.Row(name, oneStepName, layeredName, 0),
		f.Row(name, twoStepName, layeredName, calls),
		f.Row(name, twoStepName, makeName, 0.15),
		f.Row(name, twoStepName, moderncName, 0.6),
	}
}

func show(w io.Writer, f report.Figures, threads int) error {
	if err := writeOriginal(w, f[twoStepName], threads); err != nil {
		return err
	}
	if err := report.WriteTable(w, rows(f, threads)); err != nil {
		return err
	}
	return workload.WriteMachine(w, f, allocators, threads)
}
