package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func subject(name string, round Round) Subject {
	return Subject{Name: name, Start: func() (Round, error) { return round, nil }}
}

func idle() (time.Duration, int64) { return 10 * time.Nanosecond, 2 }

func counted() Subject {
	return Subject{Name: "counted", Once: func() (map[string]float64, error) {
		return map[string]float64{"bytes": 7}, nil
	}}
}

// TestMain lets the test binary be its own child, as a command is.
func TestMain(m *testing.M) {
	if os.Getenv(childEnv) == "" {
		os.Exit(m.Run())
	}
	if err := Main(&Options{Processes: 1, Rounds: 2}, []Subject{subject("idle", idle), counted()}, nil); err != nil {
		os.Exit(1)
	}
}

func TestChildren(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	external := Subject{Name: "external", Command: func(rounds int) *exec.Cmd {
		return exec.Command("go", "env", "-json", "GOOS") // JSON without figures
	}}
	figures, err := collect([]string{self, self}, 2, []Subject{subject("idle", idle), counted()}, startChild)
	require.NoError(t, err)
	assert.Equal(t, int64(2), figures["idle"].Best.Ops)
	assert.Equal(t, 5.0, figures["idle"].Best.NsPerOp())

	assert.Equal(t, map[string]float64{"bytes": 7}, figures["counted"].Values)

	_, err = collect([]string{self}, 2, []Subject{subject("unknown to the child", idle)}, startChild)
	assert.Error(t, err)
	_, err = collect([]string{self}, 2, []Subject{external}, startChild)
	assert.EqualError(t, err, "external: no figures")
	assert.Error(t, Main(&Options{Processes: 1, Rounds: 0}, nil, nil))
}

func TestFlagsOfTheRunningBuild(t *testing.T) {
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{
		{Key: "-tags", Value: "allocgen_goheap"}, {Key: "-race", Value: "true"}, {Key: "vcs", Value: "git"},
	}}
	assert.Equal(t, []string{"-tags=allocgen_goheap", "-race=true"}, flagsOf(info))
}

func TestCollectAlternatesAndTakesTheMinimum(t *testing.T) {
	samples := func(ns ...time.Duration) Output {
		out := Output{MaxRSS: int64(ns[0])}
		for _, n := range ns {
			out.Samples = append(out.Samples, Sample{Elapsed: 10 * n, Ops: 10})
		}
		return out
	}
	answers := map[string][]Output{
		"a": {samples(9, 8, 7), samples(5, 6, 4), samples(6, 6, 6)},
		"b": {samples(3, 9, 9), samples(8, 8, 8), samples(9, 9, 9)},
	}
	var order string
	start := func(cmd *exec.Cmd) (Output, error) {
		name := cmd.Args[len(cmd.Args)-1]
		order += cmd.Path + name
		out := answers[name][0]
		answers[name] = answers[name][1:]
		return out, nil
	}
	b := Subject{Name: "b", Command: func(rounds int) *exec.Cmd {
		assert.Equal(t, 3, rounds)
		return &exec.Cmd{Path: "c", Args: []string{"c", "b"}}
	}}
	figures, err := collect([]string{"1", "2", "3"}, 3, []Subject{{Name: "a"}, b}, func(cmd *exec.Cmd) (Output, error) {
		if cmd.Path != "c" {
			assert.Contains(t, cmd.Env, childEnv+"=a")
			cmd.Args = []string{"a"}
		}
		return start(cmd)
	})
	require.NoError(t, err)
	assert.Equal(t, "1acb2acb3acb", order)
	assert.Equal(t, 4.0, figures["a"].Best.NsPerOp())
	assert.Equal(t, int64(5), figures["a"].MaxRSS, "of the process with the best round")
	assert.Equal(t, 3.0, figures["b"].Best.NsPerOp())
	assert.Equal(t, 4.0/3, figures.Row("w", "a", "b", 0).Ratio)
}

// A round that lacked a core is kept only until there is one that did not.
func TestDisturbedRounds(t *testing.T) {
	sample := func(ns, cpu time.Duration) Sample { return Sample{Elapsed: ns, Ops: 1, CPU: cpu, Wall: 100} }
	s := Subject{Name: "s", Cores: 1.8}
	processes := []Output{
		{Samples: []Sample{sample(5, 120), sample(3, 179)}},
		{Samples: []Sample{sample(4, 100), {Elapsed: 1, CPU: 200, Wall: 100}}},
		{Samples: []Sample{sample(9, 180), sample(2, 150), sample(8, 200)}},
	}
	started := 0
	start := func(*exec.Cmd) (Output, error) {
		started++
		return processes[min(started, len(processes))-1], nil
	}
	figures, err := collect([]string{"1", "2"}, 1, []Subject{s}, start)
	require.NoError(t, err)
	assert.Equal(t, 3, started, "more processes, until a round counts")
	assert.Equal(t, 8.0, figures["s"].Best.NsPerOp())
	assert.False(t, figures["s"].Disturbed)

	processes, started = processes[:1], 0
	figures, err = collect([]string{"1", "2"}, 1, []Subject{s}, start)
	require.NoError(t, err)
	assert.Equal(t, 4, started, "and then no more")
	assert.Equal(t, 3.0, figures["s"].Best.NsPerOp())
	assert.True(t, figures["s"].Disturbed)
}

func TestValuesAreTheLeast(t *testing.T) {
	f := Figures{}
	f.add(counted(), Output{Values: map[string]float64{"x": 3, "y": 1}})
	f.add(counted(), Output{Values: map[string]float64{"x": 2, "y": 4}})
	assert.Equal(t, map[string]float64{"x": 2, "y": 1}, f["counted"].Values)
}

func TestMeasureWarmsUpOnce(t *testing.T) {
	calls := 0
	p, err := measure(subject("s", func() (time.Duration, int64) { calls++; return time.Duration(calls), 1 }), 7)
	require.NoError(t, err)
	require.Len(t, p.Samples, 7)
	assert.Equal(t, time.Duration(2), p.Samples[0].Elapsed, "the first round is not measured")

	p, err = measure(subject("s", func() (time.Duration, int64) { return 1, 0 }), 1)
	require.NoError(t, err)
	assert.Error(t, p.check(), "no operations: no figure")
	_, err = measure(Subject{Start: func() (Round, error) { return nil, errors.New("out of memory") }}, 1)
	assert.Error(t, err)
}

func TestRowTargets(t *testing.T) {
	assert.True(t, NewRow("w", "s", 8, "b", 10, 0.8).OK)
	assert.False(t, NewRow("w", "s", 8.1, "b", 10, 0.8).OK)
	assert.True(t, NewRow("w", "s", 99, "b", 10, 0).OK, "for information")
	assert.Zero(t, NewRow("w", "s", 99, "", 0, 0).Ratio)
	assert.False(t, NewRow("w", "s", 8, "b", 10, 0.8).NotJudged("why").OK)
	assert.True(t, NewRow("w", "s", 8, "b", 10, 0).NotJudged("why").OK, "for information")
}

func TestWriteJSON(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, WriteJSON(&out, []Row{NewRow("w", "s", 3, "b", 6, 0.8)}))
	assert.JSONEq(t, `[{"name":"w","subject":"s","baseline":"b","ns_per_op":3,"ratio":0.5,"target":0.8,"ok":true}]`, out.String())

	out.Reset()
	require.NoError(t, WriteJSON(&out, []Row{NewRow("w", "s", 3, "b", 6, 0.8).In("MiB").NotJudged("why")}))
	assert.JSONEq(t, `[{"name":"w","subject":"s","baseline":"b","ns_per_op":0,"ratio":0.5,"target":0.8,"ok":false,
		"unit":"MiB","value":3,"note":"why"}]`, out.String())

	out.Reset()
	require.NoError(t, WriteJSON(&out, []Row{}))
	assert.True(t, json.Valid(out.Bytes()))
}

func TestWriteTable(t *testing.T) {
	var out bytes.Buffer
	rows := []Row{
		NewRow("first", "called", 8, "", 0, 0),
		NewRow("first", "spliced", 4, "called", 8, 0.8),
		NewRow("first", "spliced", 4, "make", 4, 0.15),
		NewRow("first", "spliced", 7, "called", 8, 0.904),
		NewRow("second", "all", 123456, "", 0, 0),
		NewRow("third", "heap", 30, "b", 20, 0.5).In("MiB").NotJudged("disturbed"),
		{Name: "third", Subject: "other", Baseline: "b", Unit: "MiB", Note: "needs b", OK: true},
	}
	require.NoError(t, WriteTable(&out, rows))
	assert.Equal(t, `
first
subject  ns/op  against  ratio  target
called   8.00   -        -      -
spliced  4.00   called   0.500  <= 0.80  ok
spliced  4.00   make     1.000  <= 0.15  MISSED
spliced  7.00   called   0.875  <= 0.904  ok

second
subject  ns/op   against  ratio  target
all      123456  -        -      -

third
subject  MiB    against  ratio  target
heap     30.00  b        1.500  <= 0.50  disturbed
other    -      b        -      -  needs b
`, out.String())
}
