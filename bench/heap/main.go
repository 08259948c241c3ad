// Command heap compares the generated heap with C allocators and with what Go
// offers: time, memory that is resident, and what the collector has to do.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"time"

	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/bench/workload"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "heap:", err)
		os.Exit(1)
	}
}

func run() (err error) {
	var (
		options  = report.Flags()
		rows     = flag.String("rows", "", "a regular expression: the groups of rows to measure, all when empty")
		list     = flag.Bool("list", false, "print the names of the groups")
		short    = flag.Bool("short", false, "a sixteenth of the sizes, and no targets: to see that it runs")
		duration = flag.Duration("duration", 150*time.Millisecond, "of one round of bench-malloc-thread")
		asJSON   = flag.Bool("json", false, "print the rows as JSON")
	)
	flag.Parse()
	wanted, err := regexp.Compile(*rows)
	if err != nil {
		return fmt.Errorf("-rows: %w", err)
	}
	if *duration <= 0 {
		return errors.New("-duration must be positive")
	}
	if err := workload.CheckTables(); err != nil {
		return err
	}
	b := &bench{short: *short, duration: *duration}
	if !report.Child() && !*list {
		dir, err := os.MkdirTemp("", "allocgen-bench-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		if b.peers, err = findPeers(dir); err != nil {
			return err
		}
	}
	groups := chosen(b.groups(), wanted)
	if len(groups) == 0 {
		return fmt.Errorf("-rows: no group of that name; there are %v", names(b.groups()))
	}
	if *list {
		fmt.Println(names(groups))
		return nil
	}
	return report.Main(options, subjectsOf(groups), func(f report.Figures) error {
		rows := rowsOf(groups, f)
		if *asJSON {
			return report.WriteJSON(os.Stdout, rows)
		}
		if err := report.WriteTable(os.Stdout, rows); err != nil {
			return err
		}
		return writeMachine(os.Stdout, b)
	})
}

func writeMachine(w io.Writer, b *bench) error {
	fmt.Fprintf(w, "\n%s %s/%s, GOMAXPROCS %d of %d CPUs\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), runtime.NumCPU())
	for _, p := range b.peers {
		where := p.library
		if p.missing != "" {
			where = p.missing
		}
		fmt.Fprintf(w, "%s: %s\n", p.name, where)
	}
	if b.short {
		fmt.Fprintln(w, "-short: these figures mean nothing")
	}
	return nil
}
