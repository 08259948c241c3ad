package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
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

// TestMain lets the test binary be its own child, as a command is.
func TestMain(m *testing.M) {
	if os.Getenv(childEnv) == "" {
		os.Exit(m.Run())
	}
	if err := Main(&Options{Processes: 1, Rounds: 2}, []Subject{subject("idle", idle)}, nil); err != nil {
		os.Exit(1)
	}
}

func TestChildren(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	figures, err := collect([]string{self, self}, []Subject{subject("idle", idle)}, startChild)
	require.NoError(t, err)
	assert.Equal(t, int64(2), figures["idle"].Best.Ops)
	assert.Equal(t, 5.0, figures["idle"].Best.NsPerOp())

	_, err = collect([]string{self}, []Subject{subject("unknown to the child", idle)}, startChild)
	assert.Error(t, err)
	assert.Error(t, Main(&Options{Processes: 1, Rounds: 0}, nil, nil))
}

func TestFlagsOfTheRunningBuild(t *testing.T) {
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{
		{Key: "-tags", Value: "allocgen_goheap"}, {Key: "-race", Value: "true"}, {Key: "vcs", Value: "git"},
	}}
	assert.Equal(t, []string{"-tags=allocgen_goheap", "-race=true"}, flagsOf(info))
}

func TestCollectAlternatesAndTakesTheMinimum(t *testing.T) {
	samples := func(ns ...time.Duration) process {
		p := process{MaxRSS: int64(ns[0])}
		for _, n := range ns {
			p.Samples = append(p.Samples, Sample{Elapsed: 10 * n, Ops: 10})
		}
		return p
	}
	answers := map[string][]process{
		"a": {samples(9, 8, 7), samples(5, 6, 4), samples(6, 6, 6)},
		"b": {samples(3, 9, 9), samples(8, 8, 8), samples(9, 9, 9)},
	}
	var order string
	start := func(command, name string) (process, error) {
		order += command + name
		p := answers[name][0]
		answers[name] = answers[name][1:]
		return p, nil
	}
	figures, err := collect([]string{"1", "2", "3"}, []Subject{{Name: "a"}, {Name: "b"}}, start)
	require.NoError(t, err)
	assert.Equal(t, "1a1b2a2b3a3b", order)
	assert.Equal(t, 4.0, figures["a"].Best.NsPerOp())
	assert.Equal(t, int64(5), figures["a"].MaxRSS, "of the process with the best round")
	assert.Equal(t, 3.0, figures["b"].Best.NsPerOp())
	assert.Equal(t, 4.0/3, figures.Row("w", "a", "b", 0).Ratio)
}

func TestMeasureWarmsUpOnce(t *testing.T) {
	calls := 0
	p, err := measure(subject("s", func() (time.Duration, int64) { calls++; return time.Duration(calls), 1 }), 7)
	require.NoError(t, err)
	require.Len(t, p.Samples, 7)
	assert.Equal(t, time.Duration(2), p.Samples[0].Elapsed, "the first round is not measured")

	_, err = measure(subject("s", func() (time.Duration, int64) { return 1, 0 }), 1)
	assert.Error(t, err, "no operations: no figure")
	_, err = measure(Subject{Start: func() (Round, error) { return nil, errors.New("out of memory") }}, 1)
	assert.Error(t, err)
}

func TestRowTargets(t *testing.T) {
	assert.True(t, NewRow("w", "s", 8, "b", 10, 0.8).OK)
	assert.False(t, NewRow("w", "s", 8.1, "b", 10, 0.8).OK)
	assert.True(t, NewRow("w", "s", 99, "b", 10, 0).OK, "for information")
	assert.Zero(t, NewRow("w", "s", 99, "", 0, 0).Ratio)
}

func TestWriteJSON(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, WriteJSON(&out, []Row{NewRow("w", "s", 3, "b", 6, 0.8)}))
	assert.JSONEq(t, `[{"name":"w","subject":"s","baseline":"b","ns_per_op":3,"ratio":0.5,"target":0.8,"ok":true}]`, out.String())

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
`, out.String())
}
