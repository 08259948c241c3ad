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
	)
	flag.Parse()
	if *threads < 1 || *duration <= 0 {
		return errors.New("-threads and -duration must be positive")
	}
	if err := checkTables(); err != nil {
		return err
	}
	runtime.GOMAXPROCS(max(*threads, runtime.GOMAXPROCS(0)))

	var subjects []report.Subject
	for _, a := range allocators {
		subjects = append(subjects, a.subject(*threads, *duration))
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
	fmt.Fprintf(w, "\n%s %s/%s, GOMAXPROCS %d of %d CPUs\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), runtime.NumCPU())
	fmt.Fprint(w, "CPU/wall in the best round (how many cores it really had):")
	for _, a := range allocators {
		fmt.Fprintf(w, "  %s %s", a.name, cores(f[a.name].Best, min(threads, runtime.NumCPU())))
	}
	_, err := fmt.Fprintln(w)
	return err
}

// cores is CPU/wall, marked when other work on the machine took a tenth or
// more of the cores that the threads could have used.
func cores(s report.Sample, usable int) string {
	had := s.CPU.Seconds() / s.Wall.Seconds()
	if had < 0.9*float64(usable) {
		return fmt.Sprintf("%.2f (disturbed)", had)
	}
	return fmt.Sprintf("%.2f", had)
}
