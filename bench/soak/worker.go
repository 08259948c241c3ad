package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"unsafe"

	"github.com/allocgen/allocgen/bench/generated/soak"
)

const (
	mostSize    = 256 << 10 // bytes
	sharedShare = 16        // one block of so many is of the heap that has no caches
)

// A worker is one goroutine's life: a cache, and the blocks that it holds.
type worker struct {
	*session
	random *rand.Rand
	cache  *soak.HeapCache
	blocks []block // of the heap that it has a cache of
	shared []block // of the other
	bytes  int     // in both
}

func newWorker(s *session, id uint64) *worker {
	s.counts.caches.Add(1)
	return &worker{session: s, random: rand.New(rand.NewPCG(s.seed, 1+id)), cache: s.heap.Acquire()}
}

// work does some thousand steps. Then it leaves a few blocks to others, frees
// the rest and ends.
func (w *worker) work() {
	defer w.cache.Release()
	for range 1_000 + w.random.IntN(100_000) {
		if w.stop.Load() {
			break
		}
		w.step()
	}
	for range w.random.IntN(16) {
		w.send()
	}
	w.shed(0)
}

func (w *worker) step() {
	switch n := w.random.IntN(64); {
	case n < 4:
		w.send()
	case n < 8:
		w.receive()
	case n < 12:
		w.resize()
	case n == 12 && w.random.IntN(64) == 0:
		w.cache.Flush()
	case w.bytes > w.live:
		w.shed(w.live)
	default:
		w.add()
	}
}

// size is random, around the mean of this time.
func (w *worker) size() int {
	return min(1+int(-float64(w.mean.Load())*math.Log(1-w.random.Float64())), mostSize)
}

// refused says whether a request got nothing because of the limit; then the
// worker frees half of what it holds. Any other error is wrong.
func (w *worker) refused(err error) bool {
	if err == nil {
		return false
	}
	if !errors.Is(err, soak.HeapErrLimit) {
		w.fail(fmt.Errorf("allocating: %w", err))
	}
	w.counts.refused.Add(1)
	w.shed(w.bytes / 2)
	return true
}

func (w *worker) add() {
	var (
		n   = w.size()
		to  = &w.blocks
		b   = block{stamp: w.stamps.Add(1)}
		err error
	)
	switch {
	case w.random.IntN(sharedShare) == 0:
		to = &w.shared
		b.bytes, err = w.session.shared.TryAlloc(n)
	case n%2 == 0:
		b.bytes, err = twoStep(w.cache, n)
	default:
		b.bytes, err = w.cache.TryAlloc(n)
	}
	if w.refused(err) {
		return
	}
	if len(b.bytes) != n {
		w.fail(fmt.Errorf("asked for %d bytes, got %d", n, len(b.bytes)))
		return
	}
	w.counts.allocs.Add(1)
	b.write()
	*to = append(*to, b)
	w.bytes += n
}

// shed frees random blocks until so many bytes are left.
func (w *worker) shed(left int) {
	for w.bytes > left && len(w.blocks)+len(w.shared) > 0 {
		if i := w.random.IntN(len(w.blocks) + len(w.shared)); i < len(w.blocks) {
			w.free(w.take(&w.blocks, i))
		} else {
			b := w.take(&w.shared, i-len(w.blocks))
			w.checked(b)
			w.session.shared.Free(b.bytes)
		}
	}
}

// take removes a block from those held.
func (w *worker) take(from *[]block, i int) block {
	b, last := (*from)[i], len(*from)-1
	(*from)[i] = (*from)[last]
	*from = (*from)[:last]
	w.bytes -= len(b.bytes)
	return b
}

func (w *worker) checked(b block) {
	if err := b.check(); err != nil {
		w.fail(err)
	}
	w.counts.frees.Add(1)
}

// free gives a block back, in one of the ways that there are.
func (w *worker) free(b block) {
	w.checked(b)
	switch p := unsafe.Pointer(unsafe.SliceData(b.bytes)); w.random.IntN(3) {
	case 0:
		w.cache.BinOf(p).Free(p)
	case 1:
		w.cache.Free(b.bytes[:0])
	default:
		w.cache.Free(b.bytes)
	}
}

// send leaves a block to whoever takes it.
func (w *worker) send() {
	if len(w.blocks) == 0 {
		return
	}
	i := w.random.IntN(len(w.blocks))
	select {
	case w.transit <- w.blocks[i]:
		w.take(&w.blocks, i)
		w.counts.handedOver.Add(1)
	default:
	}
}

// receive takes a block that another left, and keeps it or frees it.
func (w *worker) receive() {
	select {
	case b := <-w.transit:
		if w.random.IntN(2) == 0 {
			w.free(b)
			return
		}
		w.blocks = append(w.blocks, b)
		w.bytes += len(b.bytes)
	default:
	}
}

// resize gives a block another size.
func (w *worker) resize() {
	if len(w.blocks) == 0 {
		return
	}
	i := w.random.IntN(len(w.blocks))
	old, n := w.blocks[i], w.size()
	resized, err := w.cache.TryRealloc(old.bytes, n)
	if w.refused(err) {
		return
	}
	b := block{resized, old.stamp}
	if len(resized) != n {
		w.fail(fmt.Errorf("resized to %d bytes, got %d", n, len(resized)))
		return
	}
	if err := b.checkFirst(min(n, len(old.bytes))); err != nil {
		w.fail(fmt.Errorf("resized from %d bytes: %w", len(old.bytes), err))
	}
	w.counts.resized.Add(1)
	b.write()
	w.blocks[i] = b
	w.bytes += n - len(old.bytes)
}

// twoStep allocates by bin: nil when memory is out.
func twoStep(c *soak.HeapCache, n int) ([]byte, error) {
	p := c.Bin(n).Alloc()
	if p == nil {
		return nil, soak.HeapErrLimit
	}
	return unsafe.Slice((*byte)(p), n), nil
}
