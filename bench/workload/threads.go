package workload

import (
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/allocgen/allocgen/bench/report"
)

// A Set is what one thread holds: blocks, or nil. A store tests the flag of the
// write barrier; the barrier itself runs only while the collector marks.
type Set [Slots]unsafe.Pointer

// A Kernel is the original's loop: until stop, free what the next slot holds
// and put a block of the next size there. It returns the iterations done.
//
// There is one hand-written kernel per subject, out of line: a shared loop that
// calls through an interface, a func or a type parameter would cost more than
// what is measured. They differ in the free and alloc statements alone. All that
// free test for nil, because the []byte of "no block" cannot be made
// (unsafe.Slice panics).
type Kernel func(set *Set, stop *atomic.Bool) int64

// NextSize steps to the following entry of Sizes and wraps; walks begin at 0 and
// step first, so the entry used first is 1, as in the original.
func NextSize(i uint) uint {
	if i++; i >= SizeCount {
		return 0
	}
	return i
}

// NextSlot is the same for SlotOf, whose length is a power of two: that spares
// the loop a test for bounds, which the original does not have.
func NextSlot(i uint) uint { return (i + 1) % SlotCount }

// An Allocator is one subject before it meets threads: Kernels returns a
// function that makes the kernel of one thread, with what belongs to the
// thread (its cache) bound to it.
type Allocator struct {
	Name    string
	Kernels func() func() Kernel
	Symbol  string // the kernel's function, "main.calledKernel"; "" when instructions are not counted
}

// Generated is the subject of a generated package: a heap, a cache per thread,
// and the loop on it.
func Generated[H, C any](name string, acquire func(*H) C, run func(C, *Set, *atomic.Bool) int64) Allocator {
	symbol := runtime.FuncForPC(reflect.ValueOf(run).Pointer()).Name()
	return Allocator{Name: name, Symbol: symbol, Kernels: func() func() Kernel {
		heap := new(H)
		return func() Kernel {
			cache := acquire(heap)
			return func(set *Set, stop *atomic.Bool) int64 { return run(cache, set, stop) }
		}
	}}
}

// Subject binds an allocator to a number of threads.
func (a Allocator) Subject(threads int, d time.Duration) report.Subject {
	return report.Subject{Name: a.Name, Start: func() (report.Round, error) {
		team := NewTeam(threads, a.Kernels())
		return func() (time.Duration, int64) { return team.Run(d) }, nil
	}}
}

// A Team is the threads of one process. Caches and working sets last over all
// rounds, so that only the warm-up sees empty ones.
type Team struct {
	_       [64]byte
	stop    atomic.Bool // on a cache line of its own: every iteration reads it
	_       [64]byte
	kernels []Kernel
	Sets    []*Set
}

// NewTeam makes a kernel and an empty set for each thread.
func NewTeam(threads int, newKernel func() Kernel) *Team {
	t := new(Team)
	for range threads {
		t.kernels = append(t.kernels, newKernel())
		t.Sets = append(t.Sets, new(Set))
	}
	return t
}

// Run lets all threads work for d and sums up their time and iterations.
func (t *Team) Run(d time.Duration) (elapsed time.Duration, iterations int64) {
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
			done[i] = run(t.Sets[i], &t.stop)
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
