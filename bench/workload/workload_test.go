package workload

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/bench/report"
)

func TestGlibcRand(t *testing.T) {
	r := newGlibcRand(1)
	assert.Equal(t, []uint32{1804289383, 846930886, 1681692777}, []uint32{r.next(), r.next(), r.next()})
}

func TestTablesAreTheOriginals(t *testing.T) {
	require.NoError(t, CheckTables())
	assert.Equal(t, []uint32{25, 6, 18, 19, 45, 4, 6, 17, 5, 8, 7, 10, 6, 8, 83, 47}, Sizes[:16])
	assert.Equal(t, []uint32{546, 911, 1001, 616, 103, 480, 700, 1007, 998, 713, 452, 725}, SlotOf[:12])

	sum := 0
	atMost := map[uint32]int{}
	for _, s := range Sizes {
		sum += int(s)
		for _, limit := range []uint32{8, 16, 24, 32, 64, 128, 256, 512, 1024, 1032} {
			if s <= limit {
				atMost[limit]++
			}
		}
	}
	assert.Equal(t, 311130, sum)
	assert.Equal(t, map[uint32]int{
		8: 4434, 16: 6108, 24: 6722, 32: 7038, 64: 7504, 128: 7737, 256: 7856, 512: 7920, 1024: 7967, 1032: 7967,
	}, atMost)
	assert.Equal(t, uint32(MinSize), slices.Min(Sizes[:]))
	assert.Equal(t, uint32(31126), slices.Max(Sizes[:]))
	assert.Equal(t, 1005, usedSlots())
}

func usedSlots() int {
	used := map[uint32]bool{}
	for _, s := range SlotOf {
		used[s] = true
	}
	return len(used)
}

func TestCores(t *testing.T) {
	assert.Equal(t, "1.98", cores(report.Sample{CPU: 198, Wall: 100}, 2))
	assert.Equal(t, "1.20 (disturbed)", cores(report.Sample{CPU: 120, Wall: 100}, 2))
}
