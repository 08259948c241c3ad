package main

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/bench/report"
)

func TestGlibcRand(t *testing.T) {
	r := newGlibcRand(1)
	assert.Equal(t, []uint32{1804289383, 846930886, 1681692777}, []uint32{r.next(), r.next(), r.next()})
}

func TestTablesAreTheOriginals(t *testing.T) {
	require.NoError(t, checkTables())
	assert.Equal(t, []uint32{25, 6, 18, 19, 45, 4, 6, 17, 5, 8, 7, 10, 6, 8, 83, 47}, sizes[:16])
	assert.Equal(t, []uint32{546, 911, 1001, 616, 103, 480, 700, 1007, 998, 713, 452, 725}, slotOf[:12])

	sum := 0
	atMost := map[uint32]int{}
	for _, s := range sizes {
		sum += int(s)
		for _, limit := range []uint32{8, 16, 24, 32, 64, 128, 256, 512, 1032} {
			if s <= limit {
				atMost[limit]++
			}
		}
	}
	assert.Equal(t, 311130, sum)
	assert.Equal(t, map[uint32]int{
		8: 4434, 16: 6108, 24: 6722, 32: 7038, 64: 7504, 128: 7737, 256: 7856, 512: 7920, 1032: 7967,
	}, atMost)
	assert.Equal(t, uint32(minSize), slices.Min(sizes[:]))
	assert.Equal(t, uint32(31126), slices.Max(sizes[:]))
	assert.Equal(t, 1005, usedSlots())
}

func usedSlots() int {
	used := map[uint32]bool{}
	for _, s := range slotOf {
		used[s] = true
	}
	return len(used)
}

// Every subject does at least 10,000 iterations per thread; by then, all slots
// of the workload hold a block, and no two hold the same.
func TestKernels(t *testing.T) {
	for _, a := range allocators {
		t.Run(a.name, func(t *testing.T) {
			team := newTeam(2, a.kernels())
			blocks := map[uintptr]bool{}
			held := 0
			// A thread may get no core for a while: run until each has filled its set.
			for iterations := int64(0); iterations < 10*10_000 || held < 2*usedSlots(); {
				elapsed, n := team.run(10 * time.Millisecond)
				assert.Positive(t, elapsed)
				iterations += n
				clear(blocks)
				held = 0
				for _, set := range team.sets {
					for _, p := range set {
						if p != nil {
							blocks[uintptr(p)] = true
							held++
						}
					}
				}
			}
			assert.Equal(t, 2*usedSlots(), held)
			assert.Len(t, blocks, held)
		})
	}
}

func TestRows(t *testing.T) {
	f := report.Figures{}
	for _, a := range allocators {
		f[a.name] = report.Figure{Best: report.Sample{Elapsed: 10, Ops: 1}}
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

func TestCores(t *testing.T) {
	assert.Equal(t, "1.98", cores(report.Sample{CPU: 198, Wall: 100}, 2))
	assert.Equal(t, "1.20 (disturbed)", cores(report.Sample{CPU: 120, Wall: 100}, 2))
}
