package main

import (
	"fmt"
	"runtime"
	"time"
	"unsafe"

	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/generated/general"
)

// A goObject is a node of a binary tree in Go memory.
type goObject struct {
	left, right *goObject
	data        [6]uint64
}

// A heapObject is the same in a heap: its links are addresses of other blocks.
type heapObject struct {
	left, right uintptr
	data        [6]uint64
}

func goTree(n int) *goObject {
	if n == 0 {
		return nil
	}
	left := (n - 1) / 2
	return &goObject{left: goTree(left), right: goTree(n - 1 - left), data: [6]uint64{uint64(n)}}
}

func heapTree(c *general.HeapCache, n int) uintptr {
	if n == 0 {
		return 0
	}
	left := (n - 1) / 2
	p := c.Bin(int(unsafe.Sizeof(heapObject{}))).Alloc()
	*(*heapObject)(p) = heapObject{left: heapTree(c, left), right: heapTree(c, n-1-left), data: [6]uint64{uint64(n)}}
	return uintptr(p)
}

// collection forces the collector to run beside many live objects.
func (b *bench) collection() group {
	const (
		goName    = "Go heap"
		treeName  = "heap"
		sliceName = "heap, blocks held in a []unsafe.Pointer"
	)
	objects := b.scaled(5_000_000)
	return group{
		name: "gc",
		subjects: []report.Subject{
			forced(goName, func() any { return goTree(objects) }),
			forced(sliceName, func() any {
				c, blocks := new(general.Heap).Acquire(), make([]unsafe.Pointer, objects)
				for i := range blocks {
					blocks[i] = c.Bin(fixedSize).Alloc()
				}
				return []any{c, blocks}
			}),
			forced(treeName, func() any {
				c := new(general.Heap).Acquire()
				return []any{c, heapTree(c, objects)}
			}),
		},
		rows: func(f report.Figures) []report.Row {
			t := b.table(fmt.Sprintf("a forced collection beside a tree of %d objects of 64 bytes", objects), f)
			t.unit, t.per = "ms", float64(time.Millisecond)
			t.info(goName)
			t.against(sliceName, goName, 0)
			t.against(treeName, goName, 0.03)
			return t.rows
		},
	}
}

// forced measures runtime.GC while what start made is live.
func forced(name string, start func() any) report.Subject {
	return report.Subject{Name: name, Start: func() (report.Round, error) {
		live := start()
		return func() (time.Duration, int64) {
			begin := time.Now()
			runtime.GC()
			elapsed := time.Since(begin)
			runtime.KeepAlive(live)
			return elapsed, 1
		}, nil
	}}
}
