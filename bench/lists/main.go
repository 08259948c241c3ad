// Command lists builds lists of int64 item by item and releases them: on a
// generated heap, and with the same code on Go memory.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/generated/pylist"
)

// itemsPerRound keeps the rounds of short and long lists about equally long.
const itemsPerRound = 5_000_000

var lengths = []int{10, 50}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "lists:", err)
		os.Exit(1)
	}
}

func run() error {
	options := report.Flags()
	asJSON := flag.Bool("json", false, "print the rows as JSON")
	flag.Parse()
	var subjects []report.Subject
	for _, n := range lengths {
		subjects = append(subjects, subjectsOf(n)...)
	}
	return report.Main(options, subjects, func(f report.Figures) error {
		if *asJSON {
			return report.WriteJSON(os.Stdout, rows(f))
		}
		return report.WriteTable(os.Stdout, rows(f))
	})
}

const (
	heapName   = "pylist.Ints"
	goName     = "golist.Ints"
	appendName = "append"
)

// nameOf tells a subject's figures for different lengths apart.
func nameOf(subject string, length int) string { return fmt.Sprintf("%s/%d", subject, length) }

func subjectsOf(length int) []report.Subject {
	subject := func(name string, kernel func(lists, length int) int64) report.Subject {
		return report.Subject{Name: nameOf(name, length), Start: func() (report.Round, error) {
			return roundOf(kernel, length), nil
		}}
	}
	return []report.Subject{
		{Name: nameOf(heapName, length), Start: func() (report.Round, error) {
			cache := new(pylist.Heap).Acquire()
			onHeap := func(lists, length int) int64 { return heapKernel(cache, lists, length) }
			return roundOf(onHeap, length), nil
		}},
		subject(goName, goKernel),
		subject(appendName, appendKernel),
	}
}

func roundOf(kernel func(lists, length int) int64, length int) report.Round {
	lists := itemsPerRound / length
	return func() (time.Duration, int64) {
		begin := time.Now()
		runtime.KeepAlive(kernel(lists, length))
		return time.Since(begin), int64(lists)
	}
}

func rows(f report.Figures) []report.Row {
	var rows []report.Row
	for _, n := range lengths {
		name := fmt.Sprintf("list of %d int64, built and released", n)
		ns := func(subject string) float64 { return f[nameOf(subject, n)].Best.NsPerOp() }
		rows = append(rows,
			report.NewRow(name, goName, ns(goName), "", 0, 0),
			report.NewRow(name, appendName, ns(appendName), goName, ns(goName), 0),
			report.NewRow(name, heapName, ns(heapName), goName, ns(goName), 0.4),
		)
	}
	return rows
}
