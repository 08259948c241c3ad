package main

import (
	"fmt"
	"runtime"

	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/bench/workload"
	"github.com/allocgen/allocgen/bench/workload/kernels"
)

// parallelCores is what a round of a workload in parallel must have had to count.
const parallelCores = 1.8

// thread is glibc's bench-malloc-thread.
func (b *bench) thread(threads int) group {
	cores := 0.0
	if threads > 1 {
		cores = parallelCores
	}
	subject := func(a workload.Allocator) report.Subject {
		s := a.Subject(threads, b.duration)
		s.Cores = cores
		start := s.Start
		s.Start = func() (report.Round, error) {
			runtime.GOMAXPROCS(max(threads, runtime.GOMAXPROCS(0)))
			return start()
		}
		return s
	}
	twoStep, modernc := kernels.TwoStep.Name, kernels.Modernc.Name
	return group{
		name:     fmt.Sprintf("thread-%d", threads),
		subjects: append(b.inC(four, cores, "thread", threads, int(b.duration)), subject(kernels.Modernc), subject(kernels.TwoStep)),
		rows: func(f report.Figures) []report.Row {
			t := b.table(fmt.Sprintf("bench-malloc-thread, threads: %d", threads), f)
			t.info(append(four, modernc)...)
			t.against(twoStep, mimallocName, 1.05)
			if threads > 1 {
				t.against(twoStep, tcmallocName, 0.8)
				return t.rows
			}
			t.against(twoStep, tcmallocName, 0.95)
			t.against(twoStep, jemallocName, 0.8)
			t.against(twoStep, glibcName, 0.3)
			t.against(twoStep, modernc, 0.55)
			return t.rows
		},
	}
}
