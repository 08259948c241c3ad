// Command tcache runs the workload of glibc's bench-malloc-thread on the
// generated thread cache of glibc, with its paths written out in the methods
// that allocate and free, and called from them.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/bench/workload"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "tcache:", err)
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
		return workload.CountInstructions(os.Stdout, *asJSON, allocators, callName, nil)
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
		if err := report.WriteTable(os.Stdout, rows(f, *threads)); err != nil {
			return err
		}
		return workload.WriteMachine(os.Stdout, f, allocators, *threads)
	})
}

// rows compares with calls, and with what the compiler makes of the same source
// when it may choose. The targets are what glibc's developers reported of the
// patch that wrote free's path out, on this workload.
func rows(f report.Figures, threads int) []report.Row {
	name := fmt.Sprintf("bench-malloc-thread, threads: %d", threads)
	patch := 0.904
	if threads > 1 {
		patch = 0.919
	}
	return []report.Row{
		f.Row(name, callName, "", 0),
		f.Row(name, fastName, callName, patch),
		f.Row(name, keyChoiceName, "", 0),
		f.Row(name, fastName, keyChoiceName, 0),
		f.Row(name, listChoiceName, "", 0),
		f.Row(name, listName, listChoiceName, 0),
	}
}
