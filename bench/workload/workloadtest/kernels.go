// Package workloadtest holds what the tests of commands on the workload share.
package workloadtest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/allocgen/allocgen/bench/workload"
)

// Kernels lets every subject do at least 10,000 iterations per thread; by then,
// all slots of the workload hold a block, and no two hold the same.
func Kernels(t *testing.T, allocators []workload.Allocator) {
	used := map[uint32]bool{}
	for _, s := range workload.SlotOf {
		used[s] = true
	}
	for _, a := range allocators {
		t.Run(a.Name, func(t *testing.T) {
			team := workload.NewTeam(2, a.Kernels())
			blocks := map[uintptr]bool{}
			held := 0
			// A thread may get no core for a while: run until each has filled its set.
			for iterations := int64(0); iterations < 10*10_000 || held < 2*len(used); {
				elapsed, n := team.Run(10 * time.Millisecond)
				assert.Positive(t, elapsed)
				iterations += n
				clear(blocks)
				held = 0
				for _, set := range team.Sets {
					for _, p := range set {
						if p != nil {
							blocks[uintptr(p)] = true
							held++
						}
					}
				}
			}
			assert.Equal(t, 2*len(used), held)
			assert.Len(t, blocks, held)
		})
	}
}
