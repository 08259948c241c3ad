package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/bench/workload/workloadtest"
)

func TestKernels(t *testing.T) { workloadtest.Kernels(t, allocators) }

func TestRows(t *testing.T) {
	f := report.Figures{}
	for _, a := range allocators {
		assert.Regexp(t, `^github.com/allocgen/allocgen/bench/tcache\.\w+Kernel$`, a.Symbol) // main. in the command
		f[a.Name] = report.Figure{Best: report.Sample{Elapsed: 10, Ops: 1}}
	}
	f[fastName] = report.Figure{Best: report.Sample{Elapsed: 91, Ops: 10}}
	for threads, ok := range map[int]bool{1: false, 4: true} {
		for _, r := range rows(f, threads) {
			switch {
			case r.Target != 0:
				assert.Equal(t, [2]string{fastName, callName}, [2]string{r.Subject, r.Baseline})
				assert.Equal(t, map[int]float64{1: 0.904, 4: 0.919}[threads], r.Target)
				assert.Equal(t, ok, r.OK)
			case r.Baseline != "":
				assert.Contains(t, []string{keyChoiceName, listChoiceName}, r.Baseline)
			}
		}
	}
}
