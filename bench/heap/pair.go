package main

import (
	"runtime"
	"sync"
	"time"

	"github.com/allocgen/allocgen/bench/generated/layered"
	"github.com/allocgen/allocgen/bench/pairs"
	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/generated/general"
	"github.com/allocgen/allocgen/generated/nodes"
)

// The kernels of pairs allocate a block, write to it and free it. Those of typed
// objects, which also clear them, are in bench/pairs.

//go:noinline
func twoStepPairs(c *general.HeapCache, pairs, size int) {
	for i := range pairs {
		p := c.Bin(size).Alloc()
		(*nodes.Cell)(p).Key = uint64(i)
		c.BinOf(p).Free(p)
	}
}

//go:noinline
func sizedPairs(c *general.HeapCache, pairs, size int) {
	for i := range pairs {
		p := c.Bin(size).Alloc()
		(*nodes.Cell)(p).Key = uint64(i)
		c.Bin(size).Free(p)
	}
}

//go:noinline
func calledPairs(c *layered.HeapCache, pairs, size int) {
	for i := range pairs {
		p := c.Bin(size).Alloc()
		(*nodes.Cell)(p).Key = uint64(i)
		c.BinOf(p).Free(p)
	}
}

//go:noinline
func syncPoolPairs(p *sync.Pool, pairs int) {
	for i := range pairs {
		x := p.Get().(*nodes.Cell)
		x.Key = uint64(i)
		p.Put(x)
	}
}

// Subjects of pairs, by what the object is and whether Get must find it cleared.
const (
	nodesName       = "Nodes, typed, 48 bytes with pointers"
	nodePoolName    = "sync.Pool, 48 bytes, cleared"
	cellsName       = "Cells, typed, 64 bytes"
	clearedPoolName = "sync.Pool, 64 bytes, cleared"
	plainPoolName   = "sync.Pool, 64 bytes"
	sizedName       = "two-step, freed by size"
	pointerName     = "two-step, freed by pointer"
	percpuName      = "percpu, typed, 48 bytes with pointers"
)

func (b *bench) pair() group {
	ops := b.scaled(4_000_000)
	subjects := []report.Subject{
		timed(nodePoolName, ops, func() func(int) {
			p := pairs.NewNodePool()
			return func(n int) { pairs.SyncPoolNodes(p, n) }
		}),
		timed(nodesName, ops, func() func(int) {
			p := new(nodes.Nodes)
			return func(n int) { pairs.Nodes(p, n) }
		}),
		timed(clearedPoolName, ops, func() func(int) {
			p := pairs.NewCellPool()
			return func(n int) { pairs.SyncPoolCells(p, n) }
		}),
		timed(cellsName, ops, func() func(int) {
			p := new(nodes.Heap).Acquire().Cells()
			return func(n int) { pairs.Cells(p, n) }
		}),
		timed(plainPoolName, ops, func() func(int) {
			p := pairs.NewCellPool()
			return func(n int) { syncPoolPairs(p, n) }
		}),
		timed(sizedName, ops, func() func(int) {
			c := new(general.Heap).Acquire()
			return func(n int) { sizedPairs(c, n, fixedSize) }
		}),
		timed(pointerName, ops, func() func(int) {
			c := new(general.Heap).Acquire()
			return func(n int) { twoStepPairs(c, n, fixedSize) }
		}),
		timed(calledName, ops, func() func(int) {
			c := new(layered.Heap).Acquire()
			return func(n int) { calledPairs(c, n, fixedSize) }
		}),
		timed(percpuName, ops, percpuPairs),
	}
	return group{name: "pair", subjects: subjects, rows: func(f report.Figures) []report.Row {
		t := b.table("pair: an object taken, written to and given back", f)
		t.info(nodePoolName, clearedPoolName, plainPoolName, calledName)
		t.against(sizedName, plainPoolName, 0)
		t.against(nodesName, nodePoolName, 0.55)
		t.against(cellsName, clearedPoolName, 0.55)
		t.against(pointerName, plainPoolName, 1)
		t.against(pointerName, calledName, 1)
		t.against(percpuName, nodePoolName, 0.9)
		return t.rows
	}}
}

func percpuPairs() func(ops int) {
	p := new(nodes.PerCPU)
	return func(n int) { pairs.PerCPU(p, n) }
}

// busyPair keeps a goroutine on every P.
func (b *bench) busyPair() group {
	ops := b.scaled(2_000_000)
	subjects := []report.Subject{
		together(nodePoolName, ops, func() func(int) {
			p := pairs.NewNodePool()
			return func(n int) { pairs.SyncPoolNodes(p, n) }
		}),
		together(percpuName, ops, percpuPairs),
	}
	return group{name: "pair-busy", subjects: subjects, rows: func(f report.Figures) []report.Row {
		t := b.table("pair, all Ps busy with it", f)
		t.info(nodePoolName)
		t.against(percpuName, nodePoolName, 0.9)
		return t.rows
	}}
}

// together is timed on all Ps at once: the time of an operation is the
// goroutines' own, summed, over their operations.
func together(name string, ops int, start func() func(ops int)) report.Subject {
	return report.Subject{Name: name, Cores: parallelCores, Start: func() (report.Round, error) {
		work, workers := start(), runtime.GOMAXPROCS(0)
		return func() (elapsed time.Duration, done int64) {
			var wg sync.WaitGroup
			times, begin := make([]time.Duration, workers), make(chan struct{})
			for i := range workers {
				wg.Add(1)
				go func() {
					defer wg.Done()
					<-begin
					start := time.Now()
					work(ops)
					times[i] = time.Since(start)
				}()
			}
			close(begin)
			wg.Wait()
			for _, t := range times {
				elapsed += t
			}
			return elapsed, int64(workers * ops)
		}, nil
	}}
}
