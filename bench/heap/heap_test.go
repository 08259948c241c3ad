package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/bench/workload"
)

func hash(table []uint32) string {
	h := fnv.New64a()
	for _, x := range table {
		h.Write(binary.LittleEndian.AppendUint32(nil, x))
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// peersHere are those that can be measured on this machine.
func peersHere(t *testing.T) []peer {
	t.Helper()
	all, err := findPeers(t.TempDir())
	require.NoError(t, err)
	here := slices.DeleteFunc(all, func(p peer) bool { return p.missing != "" })
	if len(here) == 0 {
		t.Skip("there is no C side here")
	}
	return here
}

// Both sides walk the same tables.
func TestTablesAgree(t *testing.T) {
	glibc := peersHere(t)[0]
	out, err := glibc.command("tables", 0, 1024).Output()
	require.NoError(t, err)
	w, mask := newWalk(1024)
	assert.Equal(t, []string{
		hash(workload.Sizes[:]), hash(workload.SlotOf[:]), hash(exponential()[:]), hash(w[:mask+1]),
	}, strings.Fields(string(out)))
}

// Every peer runs every workload, with its own malloc.
func TestDriver(t *testing.T) {
	for _, p := range peersHere(t) {
		for work, numbers := range map[string][]int{
			"thread": {2, int(5 * time.Millisecond)}, "fixed": {1024, 10_000, 64}, "burst": {20, 64}, "drift": {1 << 20},
		} {
			t.Run(p.name+"/"+work, func(t *testing.T) {
				text, err := p.command(work, 3, numbers...).Output()
				require.NoError(t, err)
				var out report.Output
				require.NoError(t, json.Unmarshal(text, &out))
				assert.Positive(t, out.MaxRSS)
				if work == "drift" {
					require.Len(t, out.Values, len(driftMeans)+1)
					for name, v := range out.Values {
						assert.Greater(t, v, 1.0, name)
					}
					return
				}
				require.Len(t, out.Samples, 3)
				for _, s := range out.Samples {
					assert.Positive(t, s.Elapsed)
					assert.Positive(t, s.Ops)
					assert.Positive(t, s.Wall)
				}
			})
		}
	}
}

// A library that the loader does not find must not be measured as glibc.
func TestDriverRefusesAnotherMalloc(t *testing.T) {
	p := peersHere(t)[0]
	p.symbol = "libjemalloc"
	out, err := p.command("burst", 1, 1, 64).CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(out), "malloc is not that of the library")
}

func TestMissingLibrary(t *testing.T) {
	p := peer{name: "x", file: "libnosuch.so.9", pkg: "libnosuch9"}
	p.find()
	assert.Equal(t, "needs libnosuch.so.9: apt-get install libnosuch9", p.missing)
}

func small() *bench { return &bench{short: true, duration: time.Millisecond} }

// Every subject in Go starts and does what it says.
func TestSubjects(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range subjectsOf(small().groups()) {
		require.False(t, seen[s.Name], s.Name)
		seen[s.Name] = true
		if s.Start == nil {
			continue // Once: TestDrift, TestTrim
		}
		round, err := s.Start()
		require.NoError(t, err)
		elapsed, ops := round()
		assert.Positive(t, elapsed, s.Name)
		assert.Positive(t, ops, s.Name)
	}
}

// figuresOf gives every subject of the groups 4 ns per operation, glibc 8.
func figuresOf(groups []group) report.Figures {
	f := report.Figures{}
	for _, s := range subjectsOf(groups) {
		sample := report.Sample{Elapsed: 4, Ops: 1, CPU: 2, Wall: 1}
		if strings.HasSuffix(s.Name, "/"+glibcName) {
			sample.Elapsed = 8
		}
		f[s.Name] = report.Figure{Best: sample, Values: map[string]float64{"ns": 1, "after a tenth": 1, "at the end": 1, "live": 1, "freed": 1, "trimmed": 1}}
		for i := range driftMeans {
			f[s.Name].Values[phaseName(i)] = 1
		}
	}
	return f
}

func TestRows(t *testing.T) {
	b := &bench{duration: time.Second, peers: allPeers()}
	groups := b.groups()
	f := figuresOf(groups)
	rows := rowsOf(groups, f)
	judged := map[string]int{}
	for _, r := range rows {
		if r.Target == 0 {
			continue
		}
		judged[r.Name]++
		if r.Note == "" {
			assert.Positive(t, r.Ratio, r)
			assert.Equal(t, r.Ratio <= r.Target, r.OK, r)
		} else {
			assert.False(t, r.OK, r)
		}
	}
	assert.Equal(t, 5, judged["bench-malloc-thread, threads: 1"])
	assert.Equal(t, 2, judged["bench-malloc-thread, threads: 4"])
	assert.Equal(t, 5, judged["pair: an object taken, written to and given back"])
	text, err := json.Marshal(rows)
	require.NoError(t, err, "no figure is infinite or not a number")
	require.NotEmpty(t, text)
}

func TestBestOfFour(t *testing.T) {
	b := &bench{peers: allPeers()}
	f := report.Figures{}
	for name, ns := range map[string]time.Duration{glibcName: 9, jemallocName: 5, tcmallocName: 4, mimallocName: 6, "s": 8} {
		f[name] = report.Figure{Best: report.Sample{Elapsed: ns, Ops: 1}}
	}
	table := b.table("w", f)
	table.againstBest("s", four, 1.5)
	assert.Equal(t, report.Row{Name: "w", Subject: "s", Baseline: "tcmalloc, best of 4", NsPerOp: 8, Ratio: 2, Target: 1.5}, table.rows[0])

	// Without one of them the best is not known.
	delete(f, jemallocName)
	b.peers[1].missing = "needs it"
	table.againstBest("s", four, 1.5)
	assert.Zero(t, table.rows[1].Ratio)
	assert.Equal(t, "needs it", table.rows[1].Note)
	assert.False(t, table.rows[1].OK)

	f[mimallocName] = report.Figure{Best: report.Sample{Elapsed: 6, Ops: 1, CPU: 12, Wall: 10}, Disturbed: true}
	table.against("s", mimallocName, 1.5)
	assert.Equal(t, "disturbed: 1.20 cores for mimalloc", table.rows[2].Note)
	assert.False(t, table.rows[2].OK, "a disturbed row does not count")
}

func TestChosen(t *testing.T) {
	groups := small().groups()
	assert.Equal(t, []string{"fixed-1k", "fixed-1m"}, names(chosen(groups, regexp.MustCompile("^fixed"))))
	assert.Len(t, chosen(groups, regexp.MustCompile("")), len(groups))
}

// The whole way: builds, processes, JSON.
func TestCommand(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("builds the command twice")
	}
	out, err := exec.Command("go", "run", ".", "-json", "-short", "-rows", "burst|channel-memory", "-processes", "1", "-rounds", "1").Output()
	require.NoError(t, err)
	var rows []report.Row
	require.NoError(t, json.Unmarshal(out, &rows), "an array of rows and nothing else")
	require.NotEmpty(t, rows)
}
