package main

import (
	"sync/atomic"
	"unsafe"

	"modernc.org/memory"

	"github.com/allocgen/allocgen/bench/generated/layered"
	"github.com/allocgen/allocgen/generated/general"
)

// A workingSet is what one thread holds: blocks, or nil. A store tests the flag
// of the write barrier; the barrier itself runs only while the collector marks.
type workingSet [slots]unsafe.Pointer

// A kernel is the original's loop: until stop, free what the next slot holds
// and put a block of the next size there. It returns the iterations done.
//
// There is one hand-written kernel per subject, out of line: a shared loop that
// calls through an interface or a func would cost more than what is measured.
// They differ in the free and alloc statements alone. All that free test for nil,
// because the []byte of "no block" cannot be made (unsafe.Slice panics).
type kernel func(set *workingSet, stop *atomic.Bool) int64

// next steps to the following entry and wraps; walks begin at 0 and step
// first, so the entry used first is 1, as in the original.
func next(i, n uint) uint {
	if i++; i >= n {
		return 0
	}
	return i
}

//go:noinline
func layeredKernel(c *layered.HeapCache, set *workingSet, stop *atomic.Bool) (iterations int64) {
	size, slot := uint(0), uint(0)
	for !stop.Load() {
		size, slot = next(size, sizeCount), next(slot, slotCount)
		at := &set[slotOf[slot]%slots]
		if p := *at; p != nil {
			c.Free(unsafe.Slice((*byte)(p), 1))
		}
		*at = unsafe.Pointer(unsafe.SliceData(c.Alloc(int(sizes[size]))))
		iterations++
	}
	return iterations
}

//go:noinline
func calledKernel(c *layered.HeapCache, set *workingSet, stop *atomic.Bool) (iterations int64) {
	size, slot := uint(0), uint(0)
	for !stop.Load() {
		size, slot = next(size, sizeCount), next(slot, slotCount)
		at := &set[slotOf[slot]%slots]
		if p := *at; p != nil {
			c.BinOf(p).Free(p)
		}
		*at = c.Bin(int(sizes[size])).Alloc()
		iterations++
	}
	return iterations
}

//go:noinline
func oneStepKernel(c *general.HeapCache, set *workingSet, stop *atomic.Bool) (iterations int64) {
	size, slot := uint(0), uint(0)
	for !stop.Load() {
		size, slot = next(size, sizeCount), next(slot, slotCount)
		at := &set[slotOf[slot]%slots]
		if p := *at; p != nil {
			c.Free(unsafe.Slice((*byte)(p), 1))
		}
		*at = unsafe.Pointer(unsafe.SliceData(c.Alloc(int(sizes[size]))))
		iterations++
	}
	return iterations
}

//go:noinline
func twoStepKernel(c *general.HeapCache, set *workingSet, stop *atomic.Bool) (iterations int64) {
	size, slot := uint(0), uint(0)
	for !stop.Load() {
		size, slot = next(size, sizeCount), next(slot, slotCount)
		at := &set[slotOf[slot]%slots]
		if p := *at; p != nil {
			c.BinOf(p).Free(p)
		}
		*at = c.Bin(int(sizes[size])).Alloc()
		iterations++
	}
	return iterations
}

// makeKernel has nothing to free: overwriting the slot leaves the block to the
// garbage collector, whose work is part of the figure.
//
//go:noinline
func makeKernel(set *workingSet, stop *atomic.Bool) (iterations int64) {
	size, slot := uint(0), uint(0)
	for !stop.Load() {
		size, slot = next(size, sizeCount), next(slot, slotCount)
		at := &set[slotOf[slot]%slots]
		*at = unsafe.Pointer(unsafe.SliceData(make([]byte, sizes[size])))
		iterations++
	}
	return iterations
}

// moderncKernel uses the form that costs least there, on uintptr: its set is
// read as such, which spares each store the test for the write barrier, and
// errors are not looked at.
//
//go:noinline
func moderncKernel(a *memory.Allocator, set *workingSet, stop *atomic.Bool) (iterations int64) {
	addresses := (*[slots]uintptr)(unsafe.Pointer(set))
	size, slot := uint(0), uint(0)
	for !stop.Load() {
		size, slot = next(size, sizeCount), next(slot, slotCount)
		at := &addresses[slotOf[slot]%slots]
		if p := *at; p != 0 {
			_ = a.UintptrFree(p)
		}
		*at, _ = a.UintptrMalloc(int(sizes[size]))
		iterations++
	}
	return iterations
}
