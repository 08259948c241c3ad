package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/allocgen/allocgen/bench/generated/soak"
	"github.com/allocgen/allocgen/bench/report"
)

// means are the mean sizes of blocks that follow each other.
var means = []int{64, 64, 1024, 64, 4096, 256, 64, 2000, 100}

const (
	meanLasts  = 3 * time.Second
	lookEvery  = 100 * time.Millisecond
	sayEvery   = time.Minute
	inTransit  = 1024 // blocks between goroutines
	mostProcs  = 13
	procsEvery = 5 // looks between changes of GOMAXPROCS
)

// A session is one run.
type session struct {
	heap   soak.Heap // used through caches
	shared soak.Heap // used by its own methods
	live   int       // bytes that a worker holds
	bound  int64     // bytes that may be resident
	before int64     // bytes that were resident

	workers int
	seed    uint64
	mean    atomic.Int64
	stop    atomic.Bool
	transit chan block
	stamps  atomic.Uint64
	wg      sync.WaitGroup

	mu    sync.Mutex
	wrong error // the first that went wrong

	counts counts
}

// counts is what was done.
type counts struct {
	allocs, frees, resized, handedOver atomic.Int64
	refused                            atomic.Int64 // by the limit
	caches, trims, procs               atomic.Int64
	most                               atomic.Int64 // resident bytes
}

func newSession(workers, live int, bound int64, seed uint64) (*session, error) {
	s := &session{live: live / workers, bound: bound, workers: workers, seed: seed, transit: make(chan block, inTransit)}
	s.mean.Store(int64(means[0]))
	var err error
	s.before, err = report.Resident()
	return s, err
}

// fail remembers what went wrong first and ends the run.
func (s *session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wrong == nil {
		s.wrong = err
	}
	s.stop.Store(true)
}

// work keeps the workers going until the time is over or something is wrong.
func (s *session) work(d time.Duration) {
	procs := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(procs)
	for i := range s.workers {
		s.start(uint64(i))
	}
	random := rand.New(rand.NewPCG(s.seed, 0))
	begin, said := time.Now(), time.Now()
	for look := 1; time.Since(begin) < d && !s.stop.Load(); look++ {
		time.Sleep(min(lookEvery, d))
		s.mean.Store(int64(means[int(time.Since(begin)/meanLasts)%len(means)]))
		if look%procsEvery == 0 {
			runtime.GOMAXPROCS(1 + random.IntN(mostProcs))
			s.counts.procs.Add(1)
		}
		if look%(3*procsEvery) == 0 {
			s.heap.Trim()
			s.shared.Trim()
			s.counts.trims.Add(1)
		}
		s.look()
		if time.Since(said) >= sayEvery {
			said = time.Now()
			fmt.Printf("%s: %s\n", time.Since(begin).Round(time.Second), s.report())
		}
	}
	s.stop.Store(true)
	s.wg.Wait()
}

// start lets a worker live for a while; where it ends, another begins.
func (s *session) start(id uint64) {
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		defer func() {
			if r := recover(); r != nil {
				s.fail(fmt.Errorf("panic: %v\n%s", r, debug.Stack()))
			}
		}()
		newWorker(s, id).work()
		if !s.stop.Load() {
			s.start(id + uint64(s.workers))
		}
	}()
}

// look asks for statistics beside the work, and how much is resident.
func (s *session) look() {
	if err := plausible(s.heap.Stats()); err != nil {
		s.fail(err)
	}
	s.checkResident("while working")
}

func (s *session) checkResident(when string) {
	now, err := report.Resident()
	if err != nil {
		s.fail(err)
		return
	}
	more := now - s.before
	s.counts.most.Store(max(more, s.counts.most.Load()))
	if more > s.bound {
		s.fail(fmt.Errorf("%d MiB are resident %s beyond those at the start; the bound is %d MiB", more>>20, when, s.bound>>20))
	}
}

// finish frees what is left and checks that nothing stays.
func (s *session) finish() error {
	s.wg.Wait()
	close(s.transit)
	c := s.heap.Acquire()
	for b := range s.transit {
		if err := b.check(); err != nil {
			s.fail(err)
		}
		c.Free(b.bytes)
		s.counts.frees.Add(1)
	}
	c.Release()
	if s.wrong != nil {
		return s.wrong // blocks may be held by workers that ended early
	}
	s.heap.Trim()
	s.shared.Trim()
	debug.FreeOSMemory() // Go's own part
	s.checkResident("at the end")
	if a, f := s.counts.allocs.Load(), s.counts.frees.Load(); a != f {
		s.fail(fmt.Errorf("%d blocks allocated, %d freed", a, f))
	}
	err := errors.Join(s.wrong, balanced(s.heap.Stats()), s.heap.Close(), s.shared.Close())
	return err
}

func (s *session) report() string {
	c := &s.counts
	return fmt.Sprintf("%d blocks allocated, %d freed, %d resized, %d handed over, %d refused by the limit; "+
		"%d caches, %d trims, GOMAXPROCS changed %d times; at most %d MiB resident",
		c.allocs.Load(), c.frees.Load(), c.resized.Load(), c.handedOver.Load(), c.refused.Load(),
		c.caches.Load(), c.trims.Load(), c.procs.Load(), c.most.Load()>>20)
}
