// Package kernels has the kernels of the workload that several commands time.
package kernels

import (
	"sync/atomic"
	"unsafe"

	"modernc.org/memory"

	"github.com/allocgen/allocgen/bench/workload"
	"github.com/allocgen/allocgen/generated/general"
)

// TwoStep is c.BinOf(p).Free(p) and c.Bin(n).Alloc() of generated/general.
var TwoStep = workload.Generated("two-step", (*general.Heap).Acquire, twoStepKernel)

// Modernc is modernc.org/memory. Each thread has an Allocator of its own: they
// are not safe for use by several goroutines, and a lock would be measured instead.
var Modernc = workload.Allocator{Name: "modernc", Kernels: func() func() workload.Kernel {
	return func() workload.Kernel {
		a := new(memory.Allocator)
		return func(set *workload.Set, stop *atomic.Bool) int64 { return moderncKernel(a, set, stop) }
	}
}}

//go:noinline
func twoStepKernel(c *general.HeapCache, set *workload.Set, stop *atomic.Bool) (iterations int64) {
	size, slot := uint(0), uint(0)
	for !stop.Load() {
		size, slot = workload.NextSize(size), workload.NextSlot(slot)
		at := &set[workload.SlotOf[slot]%workload.Slots]
		if p := *at; p != nil {
			c.BinOf(p).Free(p)
		}
		*at = c.Bin(int(workload.Sizes[size])).Alloc()
		iterations++
	}
	return iterations
}

// moderncKernel uses the form that costs least there, on uintptr: its set is
// read as such, which spares each store the test for the write barrier, and
// errors are not looked at.
//
//go:noinline
func moderncKernel(a *memory.Allocator, set *workload.Set, stop *atomic.Bool) (iterations int64) {
	addresses := (*[workload.Slots]uintptr)(unsafe.Pointer(set))
	size, slot := uint(0), uint(0)
	for !stop.Load() {
		size, slot = workload.NextSize(size), workload.NextSlot(slot)
		at := &addresses[workload.SlotOf[slot]%workload.Slots]
		if p := *at; p != 0 {
			_ = a.UintptrFree(p)
		}
		*at, _ = a.UintptrMalloc(int(workload.Sizes[size]))
		iterations++
	}
	return iterations
}
