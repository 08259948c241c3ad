package main

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/memory"

	"github.com/allocgen/allocgen/bench/generated/layered"
	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/generated/general"
)

// An allocator is one subject before it meets threads: kernels returns a
// function that makes the kernel of one thread, with what belongs to the
// thread (its cache) bound to it.
type allocator struct {
	name    string
	kernels func() func() kernel
}

const (
	layeredName = "layered"
	calledName  = "called"
	oneStepName = "one-step"
	twoStepName = "two-step"
	makeName    = "make"
	moderncName = "modernc"
)

var allocators = []allocator{
	{layeredName, layeredKernels(layeredKernel)},
	{calledName, layeredKernels(calledKernel)},
	{oneStepName, generalKernels(oneStepKernel)},
	{twoStepName, generalKernels(twoStepKernel)},
	{makeName, func() func() kernel { return func() kernel { return makeKernel } }},
	{moderncName, moderncKernels},
}

func layeredKernels(run func(*layered.HeapCache, *workingSet, *atomic.Bool) int64) func() func() kernel {
	return func() func() kernel {
		heap := new(layered.Heap)
		return func() kernel {
			cache := heap.Acquire()
			return func(set *workingSet, stop *atomic.Bool) int64 { return run(cache, set, stop) }
		}
	}
}

func generalKernels(run func(*general.HeapCache, *workingSet, *atomic.Bool) int64) func() func() kernel {
	return func() func() kernel {
		heap := new(general.Heap)
		return func() kernel {
			cache := heap.Acquire()
			return func(set *workingSet, stop *atomic.Bool) int64 { return run(cache, set, stop) }
		}
	}
}

// moderncKernels gives each thread an Allocator of its own: they are not safe
// for use by several goroutines, and a lock would be measured instead.
func moderncKernels() func() kernel {
	return func() kernel {
		a := new(memory.Allocator)
		return func(set *workingSet, stop *atomic.Bool) int64 { return moderncKernel(a, set, stop) }
	}
}

// subject binds an allocator to a number of threads.
func (a allocator) subject(threads int, d time.Duration) report.Subject {
	return report.Subject{Name: a.name, Start: func() (report.Round, error) {
		team := newTeam(threads, a.kernels())
		return func() (time.Duration, int64) { return team.run(d) }, nil
	}}
}

// A team is the threads of one process. Caches and working sets last over all
// rounds, so that only the warm-up sees empty ones.
type team struct {
	_       [64]byte
	stop    atomic.Bool // on a cache line of its own: every iteration reads it
	_       [64]byte
	kernels []kernel
	sets    []*workingSet
}

func newTeam(threads int, newKernel func() kernel) *team {
	t := new(team)
	for range threads {
		t.kernels = append(t.kernels, newKernel())
		t.sets = append(t.sets, new(workingSet))
	}
	return t
}

// run lets all threads work for d and sums up their time and iterations.
func (t *team) run(d time.Duration) (elapsed time.Duration, iterations int64) {
	var (
		wg    sync.WaitGroup
		times = make([]time.Duration, len(t.kernels))
		done  = make([]int64, len(t.kernels))
		start = make(chan struct{})
	)
	t.stop.Store(false)
	for i, run := range t.kernels {
		wg.Add(1)
		go func() {
			defer wg.Done()
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			<-start
			begin := time.Now()
			done[i] = run(t.sets[i], &t.stop)
			times[i] = time.Since(begin)
		}()
	}
	close(start)
	time.Sleep(d)
	t.stop.Store(true)
	wg.Wait()
	for i := range times {
		elapsed += times[i]
		iterations += done[i]
	}
	return elapsed, iterations
}
