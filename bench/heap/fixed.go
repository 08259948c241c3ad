package main

import (
	"fmt"
	"unsafe"

	"modernc.org/memory"

	"github.com/allocgen/allocgen/bench/generated/burst"
	"github.com/allocgen/allocgen/bench/generated/cells"
	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/generated/general"
)

const (
	twoStepName = "two-step"
	typedName   = "typed"
	moderncName = "modernc"
	calledName  = "called"

	fixedSize = 64
	mostLive  = 1 << 20
	burstSize = 512 // blocks
)

// next steps the generator that fixed and drift draw from: Knuth's MMIX. Its
// high bits are good.
func next(x uint64) uint64 { return x*6364136223846793005 + 1442695040888963407 }

// slots are the blocks that are live, from the first on.
type slots [mostLive]unsafe.Pointer

// A walk says which slot is next: it is drawn before the loop, because the
// generator's state would cost Go a store in each iteration and C none.
type walk [4 * mostLive]uint32

// newWalk draws a walk over live slots, and how long it is, less one.
func newWalk(live int) (w *walk, mask uint) {
	w = new(walk)
	n, x := max(4*live, 1<<16), uint64(1)
	for i := range n {
		x = next(x)
		w[i] = uint32(x >> 32 * uint64(live) >> 32) // as in C
	}
	return w, uint(n - 1)
}

// The kernels of fixed sizes free a random block and put another there. There is
// one per subject, and one in cdriver/fixed.c. Sizes are arguments, so that
// nothing is known of them. What is said twice of an index spares a test.

//go:noinline
func twoStepReplace(c *general.HeapCache, set *slots, w *walk, mask uint, ops, size int) {
	for i := range uint(ops) {
		at := &set[w[i&mask%(4*mostLive)]%mostLive]
		p := *at
		c.BinOf(p).Free(p)
		*at = c.Bin(size).Alloc()
	}
}

//go:noinline
func typedReplace(c *cells.Cells, set *[mostLive]*[8]uint64, w *walk, mask uint, ops int) {
	for i := range uint(ops) {
		at := &set[w[i&mask%(4*mostLive)]%mostLive]
		c.Put(*at)
		*at = c.Get()
	}
}

//go:noinline
func moderncReplace(a *memory.Allocator, set *[mostLive]uintptr, w *walk, mask uint, ops, size int) {
	for i := range uint(ops) {
		at := &set[w[i&mask%(4*mostLive)]%mostLive]
		_ = a.UintptrFree(*at)
		*at, _ = a.UintptrMalloc(size)
	}
}

// fixed replaces random blocks of 64 bytes.
func (b *bench) fixed(name string, live int) group {
	live = min(live, b.scaled(mostLive))
	ops := b.scaled(4_000_000)
	return group{
		name: name,
		subjects: append(b.inC(four, 0, "fixed", live, ops, fixedSize),
			timed(moderncName, ops, func() func(int) {
				a, set := new(memory.Allocator), new([mostLive]uintptr)
				for i := range live {
					set[i], _ = a.UintptrMalloc(fixedSize)
				}
				w, mask := newWalk(live)
				return func(ops int) { moderncReplace(a, set, w, mask, ops, fixedSize) }
			}),
			timed(twoStepName, ops, func() func(int) {
				c, set := new(general.Heap).Acquire(), new(slots)
				for i := range live {
					set[i] = c.Bin(fixedSize).Alloc()
				}
				w, mask := newWalk(live)
				return func(ops int) { twoStepReplace(c, set, w, mask, ops, fixedSize) }
			}),
			timed(typedName, ops, func() func(int) {
				c, set := new(cells.Heap).Acquire().Cells(), new([mostLive]*[8]uint64)
				for i := range live {
					set[i] = c.Get()
				}
				w, mask := newWalk(live)
				return func(ops int) { typedReplace(c, set, w, mask, ops) }
			}),
		),
		rows: func(f report.Figures) []report.Row {
			t := b.table(fmt.Sprintf("64 bytes, %d live, a random one replaced", live), f)
			t.info(append(four, moderncName)...)
			if name == "fixed-1k" {
				t.againstBest(typedName, four, 0)
				t.againstBest(twoStepName, four, 1)
				t.against(twoStepName, moderncName, 0.7)
				return t.rows
			}
			t.againstBest(twoStepName, four, 0.9)
			t.againstBest(typedName, four, 0.6)
			return t.rows
		},
	}
}

// The kernels of bursts allocate blocks and free them in the same order.

//go:noinline
func twoStepBurst(c *burst.HeapCache, bursts, size int) {
	var set [burstSize]unsafe.Pointer
	for range bursts {
		for i := range set {
			set[i] = c.Bin(size).Alloc()
		}
		for _, p := range &set {
			c.BinOf(p).Free(p)
		}
	}
}

//go:noinline
func shallowBurst(c *general.HeapCache, bursts, size int) {
	var set [burstSize]unsafe.Pointer
	for range bursts {
		for i := range set {
			set[i] = c.Bin(size).Alloc()
		}
		for _, p := range &set {
			c.BinOf(p).Free(p)
		}
	}
}

func (b *bench) burst() group {
	const shallowName = "two-step, depth 64"
	bursts := b.scaled(16_000)
	return group{
		name: "burst",
		subjects: append(b.inC(four, 0, "burst", bursts, fixedSize),
			timed(shallowName, bursts*burstSize, func() func(int) {
				c := new(general.Heap).Acquire()
				return func(ops int) { shallowBurst(c, ops/burstSize, fixedSize) }
			}),
			timed(twoStepName, bursts*burstSize, func() func(int) {
				c := new(burst.Heap).Acquire()
				return func(ops int) { twoStepBurst(c, ops/burstSize, fixedSize) }
			}),
		),
		rows: func(f report.Figures) []report.Row {
			t := b.table(fmt.Sprintf("bursts of %d blocks of 64 bytes, depth 128", burstSize), f)
			t.info(four...)
			t.againstBest(shallowName, four, 0)
			t.againstBest(twoStepName, four, 1.2)
			return t.rows
		},
	}
}
