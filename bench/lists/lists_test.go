package main

import (
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/generated/pylist"
)

func TestKernels(t *testing.T) {
	const lists = 10_000
	cache := new(pylist.Heap).Acquire()
	for _, n := range lengths {
		want := int64(lists * (n - 1))
		assert.Equal(t, want, heapKernel(cache, lists, n))
		assert.Equal(t, want, goKernel(lists, n))
		assert.Equal(t, want, appendKernel(lists, n))
	}
}

func TestRounds(t *testing.T) {
	for _, s := range subjectsOf(10) {
		round, err := s.Start()
		require.NoError(t, err)
		elapsed, lists := round()
		assert.Positive(t, elapsed)
		assert.EqualValues(t, itemsPerRound/10, lists)
	}
}

func TestRows(t *testing.T) {
	f := report.Figures{}
	for _, n := range lengths {
		f[nameOf(heapName, n)] = report.Figure{Best: report.Sample{Elapsed: 1, Ops: 1}}
		f[nameOf(goName, n)] = report.Figure{Best: report.Sample{Elapsed: 4, Ops: 1}}
		f[nameOf(appendName, n)] = report.Figure{Best: report.Sample{Elapsed: 2, Ops: 1}}
	}
	got := rows(f)
	require.Len(t, got, 6)
	assert.Equal(t, report.Row{
		Name: "list of 50 int64, built and released", Subject: heapName, Baseline: goName,
		NsPerOp: 1, Ratio: 0.25, Target: 0.4, OK: true,
	}, got[5])
}

// The whole way: builds, processes, JSON.
func TestCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command twice")
	}
	cmd := exec.Command("go", "run", ".", "-json", "-processes", "1", "-rounds", "1")
	out, err := cmd.Output()
	require.NoError(t, err)
	var got []report.Row
	require.NoError(t, json.Unmarshal(out, &got), "an array of rows and nothing else")
	require.Len(t, got, 6)
	assert.Positive(t, got[0].NsPerOp)
}
