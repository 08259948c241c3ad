package workload

import (
	"bytes"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type someHeap struct{}

func acquireSome(*someHeap) int { return 1 }

func someKernel(c int, set *Set, stop *atomic.Bool) int64 { return int64(c) }

func TestSymbolIsTheKernels(t *testing.T) {
	a := Generated("some", acquireSome, someKernel)
	assert.Equal(t, "github.com/allocgen/allocgen/bench/workload.someKernel", a.Symbol)
	assert.Equal(t, int64(1), a.Kernels()()(nil, nil))
}

func TestReadCount(t *testing.T) {
	n, err := readCount("300000\n", "==7== Events    : Ir\n==7== Collected : 23415000\n==7== \n")
	require.NoError(t, err)
	assert.Equal(t, count{23415000, 300000}, n)
	for stdout, stderr := range map[string]string{
		"":  "==7== Collected : 5",
		"1": "==7== nothing",
		"2": "==7== Collected : 0",
	} {
		_, err := readCount(stdout, stderr)
		assert.Error(t, err, stderr)
	}
}

func TestPerIteration(t *testing.T) {
	n, err := perIteration([2]count{{1_000_000, 100_000}, {16_600_000, 300_000}})
	require.NoError(t, err)
	assert.Equal(t, 78.0, n, "what both runs begin with does not count")
	_, err = perIteration([2]count{{1000, 100}, {1100, 101}})
	assert.ErrorContains(t, err, "too busy")
}

func TestInstructionsWithoutValgrind(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := CountInstructions(new(bytes.Buffer), false, nil, "", nil)
	assert.ErrorContains(t, err, "package of that name on Debian")
}

func TestWriteInstructions(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, writeInstructions(&out, []InstructionRow{
		{"layered", 151, "layered", 1, 0, true},
		{"two-step", 74, "layered", 0.49, 78, true},
		{"two-step", 79, "layered", 0.52, 78, false},
	}))
	assert.Equal(t, `
bench-malloc-thread, threads: 1, under callgrind
subject   instructions/op  against  ratio  target
layered   151.0            layered  1.000  -
two-step  74.0             layered  0.490  <= 78 instructions  ok
two-step  79.0             layered  0.520  <= 78 instructions  MISSED
`, out.String())
}
