package main

import (
	"sync/atomic"

	"modernc.org/memory"

	"github.com/allocgen/allocgen/bench/generated/layered"
	"github.com/allocgen/allocgen/bench/workload"
	"github.com/allocgen/allocgen/generated/general"
)

const (
	layeredName = "layered"
	calledName  = "called"
	oneStepName = "one-step"
	twoStepName = "two-step"
	makeName    = "make"
	moderncName = "modernc"
)

var allocators = []workload.Allocator{
	workload.Generated(layeredName, (*layered.Heap).Acquire, layeredKernel),
	workload.Generated(calledName, (*layered.Heap).Acquire, calledKernel),
	workload.Generated(oneStepName, (*general.Heap).Acquire, oneStepKernel),
	workload.Generated(twoStepName, (*general.Heap).Acquire, twoStepKernel),
	{Name: makeName, Kernels: func() func() workload.Kernel { return func() workload.Kernel { return makeKernel } }},
	{Name: moderncName, Kernels: moderncKernels},
}

// moderncKernels gives each thread an Allocator of its own: they are not safe
// for use by several goroutines, and a lock would be measured instead.
func moderncKernels() func() workload.Kernel {
	return func() workload.Kernel {
		a := new(memory.Allocator)
		return func(set *workload.Set, stop *atomic.Bool) int64 { return moderncKernel(a, set, stop) }
	}
}
