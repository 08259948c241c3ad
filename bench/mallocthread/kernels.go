package main

import (
	"sync/atomic"
	"unsafe"

	"modernc.org/memory"

	"github.com/allocgen/allocgen/bench/generated/layered"
	"github.com/allocgen/allocgen/bench/workload"
	"github.com/allocgen/allocgen/generated/general"
)

//go:noinline
func layeredKernel(c *layered.HeapCache, set *workload.Set, stop *atomic.Bool) (iterations int64) {
	size, slot := uint(0), uint(0)
	for !stop.Load() {
		size, slot = workload.NextSize(size), workload.NextSlot(slot)
		at := &set[workload.SlotOf[slot]%workload.Slots]
		if p := *at; p != nil {
			c.Free(unsafe.Slice((*byte)(p), 1))
		}
		*at = unsafe.Pointer(unsafe.SliceData(c.Alloc(int(workload.Sizes[size]))))
		iterations++
	}
	return iterations
}

//go:noinline
func calledKernel(c *layered.HeapCache, set *workload.Set, stop *atomic.Bool) (iterations int64) {
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

//go:noinline
func oneStepKernel(c *general.HeapCache, set *workload.Set, stop *atomic.Bool) (iterations int64) {
	size, slot := uint(0), uint(0)
	for !stop.Load() {
		size, slot = workload.NextSize(size), workload.NextSlot(slot)
		at := &set[workload.SlotOf[slot]%workload.Slots]
		if p := *at; p != nil {
			c.Free(unsafe.Slice((*byte)(p), 1))
		}
		*at = unsafe.Pointer(unsafe.SliceData(c.Alloc(int(workload.Sizes[size]))))
		iterations++
	}
	return iterations
}

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

// makeKernel has nothing to free: overwriting the slot leaves the block to the
// garbage collector, whose work is part of the figure.
//
//go:noinline
func makeKernel(set *workload.Set, stop *atomic.Bool) (iterations int64) {
	size, slot := uint(0), uint(0)
	for !stop.Load() {
		size, slot = workload.NextSize(size), workload.NextSlot(slot)
		at := &set[workload.SlotOf[slot]%workload.Slots]
		*at = unsafe.Pointer(unsafe.SliceData(make([]byte, workload.Sizes[size])))
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
