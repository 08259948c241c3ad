package main

import (
	"sync/atomic"
	"unsafe"

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
