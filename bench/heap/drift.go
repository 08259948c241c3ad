package main

import (
	"fmt"
	"math"
	"time"
	"unsafe"

	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/generated/general"
)

const (
	quantiles = 1 << 16
	meanShift = 16
	churn     = 3 // how often the live bytes are replaced in a phase
)

// driftMeans are the mean sizes of the phases.
var driftMeans = []int{64, 64, 1024, 64, 4096, 256, 64, 2000, 100}

// exponential gives the quantiles of the distribution of that name with mean 1,
// in units of 1/65536.
func exponential() *[quantiles]uint32 {
	q := new([quantiles]uint32)
	for i := range q {
		q[i] = uint32(math.Floor(-math.Log((float64(i)+0.5)/quantiles)*65536 + 0.5))
	}
	return q
}

// A drift replaces random blocks while the live bytes stay. cdriver/drift.c does
// the same, request for request.
type drift struct {
	c        *general.HeapCache
	quantile *[quantiles]uint32
	blocks   []driftBlock // with all its room from the start
	live     int          // bytes
	target   int          // bytes
	made     int          // bytes allocated so far
	requests int
	x        uint64
	pattern  []byte // what blocks are written with
}

// A driftBlock holds an address: its block is not in Go memory.
type driftBlock struct {
	p    uintptr
	size uint64
}

// newDrift touches what it will use, so that this is not counted later.
func newDrift(c *general.HeapCache, target int) *drift {
	d := &drift{c: c, quantile: exponential(), target: target, x: 1, pattern: make([]byte, 1<<18)}
	blocks := make([]driftBlock, target/32)
	for i := range blocks {
		blocks[i].size = 1
	}
	for i := range d.pattern {
		d.pattern[i] = 1
	}
	d.blocks = blocks[:0]
	return d
}

// add puts a block of random size into the set and writes all of it.
func (d *drift) add(mean int) {
	d.x = next(d.x)
	size := 1 + int(uint64(mean)*uint64(d.quantile[d.x>>48])>>meanShift)
	p := d.c.Bin(size).Alloc()
	copy(unsafe.Slice((*byte)(p), size), d.pattern)
	d.blocks = append(d.blocks, driftBlock{uintptr(p), uint64(size)})
	d.live += size
	d.made += size
	d.requests++
}

// drop frees a random block.
func (d *drift) drop() {
	d.x = next(d.x)
	b := &d.blocks[d.x>>32*uint64(len(d.blocks))>>32]
	p := *(*unsafe.Pointer)(unsafe.Pointer(&b.p))
	d.c.BinOf(p).Free(p)
	d.live -= int(b.size)
	last := len(d.blocks) - 1
	*b = d.blocks[last]
	d.blocks = d.blocks[:last]
}

func (d *drift) fill(mean int) {
	for d.live < d.target {
		d.add(mean)
	}
}

//go:noinline
func (d *drift) phase(mean int) {
	for end := d.made + churn*d.target; d.made < end; {
		d.drop()
		d.fill(mean)
	}
}

func phaseName(i int) string { return fmt.Sprintf("phase %d", i+1) }

// run goes through the phases: what is resident beyond what was before, per live
// byte, after each; and the time of a request.
func (d *drift) run(afterPhase func()) (map[string]float64, error) {
	values := map[string]float64{}
	before, err := report.Resident()
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	d.fill(driftMeans[0])
	for i, mean := range driftMeans {
		d.phase(mean)
		afterPhase()
		after, err := report.Resident()
		if err != nil {
			return nil, err
		}
		values[phaseName(i)] = float64(after-before) / float64(d.live)
	}
	values["ns"] = float64(time.Since(begin)) / float64(d.requests)
	return values, nil
}

func (b *bench) drift() group {
	const trimName = "two-step, Trim after each phase"
	live := b.scaled(200 << 20)
	subject := func(name string, afterPhase func(*general.Heap)) report.Subject {
		return report.Subject{Name: name, Once: func() (map[string]float64, error) {
			h := new(general.Heap)
			return newDrift(h.Acquire(), live).run(func() { afterPhase(h) })
		}}
	}
	subjects := append(b.inC(four, 0, "drift", live), onLinux(subject(twoStepName, func(*general.Heap) {}))...)
	subjects = append(subjects, onLinux(subject(trimName, func(h *general.Heap) { h.Trim() }))...)
	return group{name: "drift", subjects: subjects, rows: func(f report.Figures) (rows []report.Row) {
		table := func(name string) *table {
			t := b.table(fmt.Sprintf("%d MiB live, sizes drift: %s", live>>20, name), f)
			t.absent[twoStepName], t.absent[trimName] = onlyLinux, onlyLinux
			return t
		}
		for i, mean := range driftMeans {
			t := table(fmt.Sprintf("%s, mean %d bytes", phaseName(i), mean))
			t.value, t.unit = phaseName(i), "resident/live"
			t.info(four...)
			for _, subject := range []string{twoStepName, trimName} {
				t.againstBest(subject, []string{mimallocName, jemallocName}, 1.15)
				if i == len(driftMeans)-1 {
					t.against(subject, glibcName, 0)
				}
			}
			rows = append(rows, t.rows...)
		}
		t := table("time of a request")
		t.value = "ns"
		t.info(four...)
		t.againstBest(twoStepName, four, 0)
		t.againstBest(trimName, four, 0)
		return append(rows, t.rows...)
	}}
}
