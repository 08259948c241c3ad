package main

import (
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/bench/pairs"
	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/generated/nodes"
)

// Each kernel does the same work: trees of one shape, dropped whole.
func TestTrees(t *testing.T) {
	const depth = 8
	p, pool := new(nodes.Nodes), pairs.NewNodePool()
	for _, root := range []*nodes.Node{typedTree(p, depth), syncPoolTree(pool, depth), newTree(depth)} {
		assert.Equal(t, 1<<(depth+1)-1, count(t, root, depth))
	}
	var root *nodes.Node
	for range 2 { // the first shows how much room it takes
		root = typedTree(p, depth)
		typedDrop(p, root)
	}
	assert.Equal(t, 1<<(depth+1)-1, p.Trim())
	assert.Zero(t, *root, "nodes are given back zeroed")
}

func count(t *testing.T, x *nodes.Node, depth int) int {
	t.Helper()
	if x == nil {
		return 0
	}
	assert.EqualValues(t, depth, x.Key)
	return 1 + count(t, x.Left, depth-1) + count(t, x.Right, depth-1)
}

func TestSubjects(t *testing.T) {
	names := map[string]bool{}
	for _, s := range subjects() {
		require.False(t, names[s.Name])
		names[s.Name] = true
		round, err := s.Start()
		require.NoError(t, err)
		elapsed, ops := round()
		assert.Positive(t, elapsed)
		assert.Positive(t, ops)
	}
}

func TestRows(t *testing.T) {
	f := report.Figures{}
	for _, s := range subjects() {
		f[s.Name] = report.Figure{Best: report.Sample{Elapsed: 10, Ops: 1}}
	}
	f["pair/nodes.Nodes"] = report.Figure{Best: report.Sample{Elapsed: 4, Ops: 1}}
	for _, row := range rows(f) {
		assert.Positive(t, row.NsPerOp, row.Subject)
		if row.Target != 0 {
			assert.Equal(t, row.Ratio <= row.Target, row.OK)
		}
	}
}

// The whole way: builds, processes, JSON.
func TestCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command twice")
	}
	out, err := exec.Command("go", "run", ".", "-json", "-processes", "1", "-rounds", "1").Output()
	require.NoError(t, err)
	var got []report.Row
	require.NoError(t, json.Unmarshal(out, &got), "an array of rows and nothing else")
	require.NotEmpty(t, got)
}
