package main

import (
	"fmt"
	"sync"
	"time"
	"unsafe"

	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/generated/general"
	"github.com/allocgen/allocgen/generated/nodes"
)

const (
	handSize = 64 // blocks that change hands at once
	inFlight = 16 // batches
)

// The kernels of hand-over fill a batch in one goroutine and empty it in
// another. Each block is written to and read.

//go:noinline
func twoStepFill(c *general.HeapCache, batch *[handSize]unsafe.Pointer, size int) {
	for i := range batch {
		p := c.Bin(size).Alloc()
		(*nodes.Cell)(p).Key = uint64(i)
		batch[i] = p
	}
}

//go:noinline
func twoStepEmpty(c *general.HeapCache, batch *[handSize]unsafe.Pointer) (sum uint64) {
	for _, p := range batch {
		sum += (*nodes.Cell)(p).Key
		c.BinOf(p).Free(p)
	}
	return sum
}

//go:noinline
func syncPoolFill(p *sync.Pool, batch *[handSize]*nodes.Cell) {
	for i := range batch {
		x := p.Get().(*nodes.Cell)
		x.Key = uint64(i)
		batch[i] = x
	}
}

//go:noinline
func syncPoolEmpty(p *sync.Pool, batch *[handSize]*nodes.Cell) (sum uint64) {
	for _, x := range batch {
		sum += x.Key
		p.Put(x)
	}
	return sum
}

// handOver sends batches from a goroutine that fills them to this one and back.
// It returns what the blocks sum up to.
func handOver[B any](batches int, fill func(*B), empty func(*B) uint64) (sum uint64) {
	full, back := make(chan *B, inFlight), make(chan *B, inFlight)
	for range inFlight {
		back <- new(B)
	}
	go func() {
		for range batches {
			b := <-back
			fill(b)
			full <- b
		}
		close(full)
	}()
	for b := range full {
		sum += empty(b)
		back <- b
	}
	return sum
}

// twoStepHandOver starts a heap with a cache on either side.
func twoStepHandOver() func(batches int) uint64 {
	h := new(general.Heap)
	producer, consumer := h.Acquire(), h.Acquire()
	return func(batches int) uint64 {
		return handOver(batches,
			func(b *[handSize]unsafe.Pointer) { twoStepFill(producer, b, fixedSize) },
			func(b *[handSize]unsafe.Pointer) uint64 { return twoStepEmpty(consumer, b) })
	}
}

func syncPoolHandOver() func(batches int) uint64 {
	p := &sync.Pool{New: func() any { return new(nodes.Cell) }}
	return func(batches int) uint64 {
		return handOver(batches,
			func(b *[handSize]*nodes.Cell) { syncPoolFill(p, b) },
			func(b *[handSize]*nodes.Cell) uint64 { return syncPoolEmpty(p, b) })
	}
}

func (b *bench) channel() group {
	batches := b.scaled(20_000)
	// Go's scheduler wakes the other side on the P of the one that woke it: they
	// mostly run by turns, on one core, however many there are. So rounds need no
	// more than that to count.
	subject := func(name string, start func() func(int) uint64) report.Subject {
		return report.Subject{Name: name, Start: func() (report.Round, error) {
			work := start()
			return func() (time.Duration, int64) {
				begin := time.Now()
				work(batches)
				return time.Since(begin), int64(batches) * handSize
			}, nil
		}}
	}
	return group{
		name:     "channel",
		subjects: []report.Subject{subject(plainPoolName, syncPoolHandOver), subject(twoStepName, twoStepHandOver)},
		rows: func(f report.Figures) []report.Row {
			t := b.table(fmt.Sprintf("allocated in one goroutine, freed in another, batches of %d through a channel", handSize), f)
			t.info(plainPoolName)
			t.against(twoStepName, plainPoolName, 0.45)
			return t.rows
		},
	}
}

// channelMemory looks at the memory after a tenth of the batches, and after all.
func (b *bench) channelMemory() group {
	const tenth, end = "after a tenth", "at the end"
	batches := b.scaled(400_000)
	return group{
		name: "channel-memory",
		subjects: onLinux(report.Subject{Name: twoStepName, Once: func() (map[string]float64, error) {
			work := twoStepHandOver()
			work(batches / 10)
			first, err := report.Resident()
			if err != nil {
				return nil, err
			}
			work(batches - batches/10)
			last, err := report.Resident()
			return map[string]float64{tenth: float64(first), end: float64(last)}, err
		}}),
		rows: func(f report.Figures) []report.Row {
			t := b.table(fmt.Sprintf("resident memory of the same, %d batches", batches), f)
			t.unit, t.per, t.absent[twoStepName] = "MiB", 1<<20, onlyLinux
			t.value = tenth
			first := t.side(twoStepName)
			t.value = end
			last := t.side(twoStepName)
			first.name, last.name = tenth, twoStepName+", "+end
			t.add(last, first, 1.05)
			return t.rows
		},
	}
}
