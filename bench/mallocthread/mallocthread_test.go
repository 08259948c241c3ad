package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/bench/workload/workloadtest"
)

func TestKernels(t *testing.T) { workloadtest.Kernels(t, allocators) }

func TestRows(t *testing.T) {
	f := report.Figures{}
	for _, a := range allocators {
		f[a.Name] = report.Figure{Best: report.Sample{Elapsed: 10, Ops: 1}}
	}
	f[twoStepName] = report.Figure{Best: report.Sample{Elapsed: 82, Ops: 10}}
	targets := func(threads int) map[string]float64 {
		m := map[string]float64{}
		for _, r := range rows(f, threads) {
			if r.Target != 0 {
				assert.Equal(t, twoStepName, r.Subject)
				assert.InDelta(t, 0.82, r.Ratio, 1e-9)
				m[r.Baseline] = r.Target
			}
		}
		return m
	}
	assert.Equal(t, map[string]float64{"layered": 0.80, "make": 0.15, "modernc": 0.6}, targets(1))
	assert.Equal(t, map[string]float64{"layered": 0.85, "make": 0.15, "modernc": 0.6}, targets(4))
}

func TestOriginalsJSON(t *testing.T) {
	var out bytes.Buffer
	f := report.Figure{Best: report.Sample{Elapsed: 45, Ops: 10}, MaxRSS: 7}
	require.NoError(t, writeOriginal(&out, f, 4))
	assert.Equal(t, `{
 "timing_type": "clock_gettime",
 "functions": {
  "malloc": {
   "": {
    "duration": 45,
    "iterations": 10,
    "time_per_iteration": 4.5,
    "max_rss": 7,
    "threads": 4,
    "min_size": 4,
    "max_size": 32768,
    "random_seed": 88
   }
  }
 }
}
`, out.String())
}
