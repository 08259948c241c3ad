package main

import (
	"sync/atomic"
	"unsafe"

	listbinchoice "github.com/allocgen/allocgen/bench/derived/listbincall"
	tcachechoice "github.com/allocgen/allocgen/bench/derived/tcachecall"
	"github.com/allocgen/allocgen/bench/generated/listbin"
	"github.com/allocgen/allocgen/bench/generated/tcachecall"
	"github.com/allocgen/allocgen/bench/workload"
	"github.com/allocgen/allocgen/generated/tcache"
)

// What is compared: c.Free(b) and c.Alloc(n), one call each from the loop, as
// free and malloc are in the original.
const (
	fastName       = "fast"          // tcache: the paths are written out behind the call
	callName       = "call"          // the same numbers with inline: call: a call that calls
	keyChoiceName  = "compiler"      // the same source, the call left to the compiler
	listName       = "list"          // without the key
	listChoiceName = "list compiler" // without the key, the call left to the compiler
)

var allocators = []workload.Allocator{
	workload.Generated(callName, (*tcachecall.Heap).Acquire, callKernel),
	workload.Generated(fastName, (*tcache.Heap).Acquire, fastKernel),
	workload.Generated(keyChoiceName, (*tcachechoice.Heap).Acquire, keyChoiceKernel),
	workload.Generated(listName, (*listbin.Heap).Acquire, listKernel),
	workload.Generated(listChoiceName, (*listbinchoice.Heap).Acquire, listChoiceKernel),
}

//go:noinline
func callKernel(c *tcachecall.HeapCache, set *workload.Set, stop *atomic.Bool) (iterations int64) {
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
func fastKernel(c *tcache.HeapCache, set *workload.Set, stop *atomic.Bool) (iterations int64) {
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
func keyChoiceKernel(c *tcachechoice.HeapCache, set *workload.Set, stop *atomic.Bool) (iterations int64) {
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
func listKernel(c *listbin.HeapCache, set *workload.Set, stop *atomic.Bool) (iterations int64) {
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
func listChoiceKernel(c *listbinchoice.HeapCache, set *workload.Set, stop *atomic.Bool) (iterations int64) {
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
