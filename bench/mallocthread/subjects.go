package main

import (
	"github.com/allocgen/allocgen/bench/generated/layered"
	"github.com/allocgen/allocgen/bench/workload"
	"github.com/allocgen/allocgen/bench/workload/kernels"
	"github.com/allocgen/allocgen/generated/general"
)

const (
	layeredName = "layered"
	calledName  = "called"
	oneStepName = "one-step"
	makeName    = "make"
)

var (
	twoStepName = kernels.TwoStep.Name
	moderncName = kernels.Modernc.Name
)

var allocators = []workload.Allocator{
	workload.Generated(layeredName, (*layered.Heap).Acquire, layeredKernel),
	workload.Generated(calledName, (*layered.Heap).Acquire, calledKernel),
	workload.Generated(oneStepName, (*general.Heap).Acquire, oneStepKernel),
	kernels.TwoStep,
	{Name: makeName, Kernels: func() func() workload.Kernel { return func() workload.Kernel { return makeKernel } }},
	kernels.Modernc,
}
