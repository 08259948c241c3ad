package limits

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// TestLimit fills a heap up to its limit, by every way in: what is above is an
// error that says so and changes nothing, and what is freed can be had again.
func TestLimit(t *testing.T) {
	var h Heap
	c := h.Acquire()
	for round := 0; round < 3; round++ {
		for _, size := range []int{16, 100, 3000, 32 << 10, 100 << 10} {
			var live [][]byte
			for {
				b, err := c.TryAlloc(size)
				if err != nil {
					if !errors.Is(err, HeapErrLimit) || errors.Is(err, HeapErrSystem) || b != nil {
						t.Fatalf("%d bytes: %v", size, err)
					}
					break
				}
				b[0], b[size-1] = 1, 2
				live = append(live, b)
			}
			if got := len(live) * size; got > heapLimit || got < heapLimit*3/4 {
				t.Errorf("%d blocks of %d bytes fit %d", len(live), size, heapLimit)
			}
			if _, err := h.TryAlloc(size); !errors.Is(err, HeapErrLimit) {
				t.Errorf("the heap's own: %v", err)
			}
			if p := c.Bin(size).Alloc(); p != nil {
				t.Errorf("bin: %p", p)
			}
			for name, f := range map[string]func(){
				"limits: HeapCache.Alloc": func() { c.Alloc(size) },
				"limits: HeapCache.Allo":  func() { h.Alloc(size) },
			} {
				func() {
					defer func() {
						err, ok := recover().(error)
						if !ok || !errors.Is(err, HeapErrLimit) || !strings.HasPrefix(err.Error(), name) {
							t.Errorf("%s: panic with %v", name, err)
						}
					}()
					f()
				}()
			}
			// The last freed can be had at once, the others in the next round.
			last := live[len(live)-1]
			c.Free(last)
			last = c.Alloc(size)
			last[0], last[size-1] = 1, 2
			live[len(live)-1] = last
			for _, b := range live {
				if b[0] != 1 || b[size-1] != 2 {
					t.Fatal("a live block was written to")
				}
				c.Free(b)
			}
			if round == 1 {
				c.Flush()
			}
		}
	}
	c.Flush()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestSetLimit lowers and raises the limit in use.
func TestSetLimit(t *testing.T) {
	var h Heap
	h.SetLimit(1 << 20) // before the first use
	c := h.Acquire()
	fill := func() (live [][]byte) {
		for {
			b, err := c.TryAlloc(10000)
			if err != nil {
				return live
			}
			live = append(live, b)
		}
	}
	live := fill()
	if n := len(live) * 10000; n > 1<<20 || n < 3<<18 {
		t.Errorf("%d bytes with a limit of 1 MiB", n)
	}
	h.SetLimit(heapLimit)
	more := fill()
	if n := (len(live) + len(more)) * 10000; n > heapLimit || n < heapLimit*3/4 {
		t.Errorf("%d bytes with the spec's limit", n)
	}
	h.SetLimit(0)
	for _, b := range more {
		c.Free(b)
		c.Flush()
		if _, err := c.TryAlloc(50000); !errors.Is(err, HeapErrLimit) {
			t.Fatalf("above a limit of 0: %v", err)
		}
	}
	for _, b := range live {
		c.Free(b)
	}
	h.SetLimit(heapLimit)
	if n := len(fill()) * 10000; n < heapLimit*3/4 {
		t.Errorf("%d bytes when the limit is back", n)
	}
	for _, wrong := range []int64{-1, heapLimit + 1, -1 << 63} {
		heapPanics(t, "Heap.SetLimit", func() { h.SetLimit(wrong) })
	}
	if err := h.Close(); err == nil {
		t.Error("live blocks are not told")
	}
}

// TestLimitLists: a list that cannot grow is as it was, and shrinking never fails.
func TestLimitLists(t *testing.T) {
	var h Heap
	c := h.Acquire()
	ints, grown := c.NewInts(0), c.NewGrown(0)
	for {
		if err := ints.TryAppend(7); err != nil {
			if !errors.Is(err, HeapErrLimit) {
				t.Fatal(err)
			}
			break
		}
	}
	n, capacity := ints.Len(), ints.Cap()
	for _, err := range []error{
		ints.TryAppend(8), ints.TryAppendSlice(ints.Slice()), ints.TryResize(2 * n),
		grown.TryResize(heapLimit), grown.TryAppendSlice(make([]uint32, heapLimit/2)),
	} {
		if !errors.Is(err, HeapErrLimit) {
			t.Errorf("a full heap: %v", err)
		}
	}
	if ints.Len() != n || ints.Cap() != capacity || grown.Len() != 0 || ints.At(n-1) != 7 {
		t.Errorf("%d items of %d, were %d of %d", ints.Len(), ints.Cap(), n, capacity)
	}
	ints.Release()
	if err := grown.TryResize(1 << 18); err != nil {
		t.Error(err)
	}
	h.SetLimit(0)
	for grown.Len() > 0 {
		if err := grown.TryResize(grown.Len() / 2); err != nil {
			t.Fatal(err)
		}
	}
	heapPanics(t, "length out of range", func() { _ = grown.TryResize(-1) })
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestLimitGoroutines lets goroutines fight for a heap that is too small for them:
// nothing but the limit's error, nothing above it, nothing lost.
func TestLimitGoroutines(t *testing.T) {
	var h Heap
	var group sync.WaitGroup
	for id := 0; id < 8; id++ {
		id := id
		group.Add(1)
		go func() {
			defer group.Done()
			c := h.Acquire()
			defer c.Release()
			random := rand.New(rand.NewSource(int64(id)))
			var live [][]byte
			for step := 0; step < 3000; step++ {
				b, err := c.TryAlloc(1 + random.Intn(1<<uint(random.Intn(18))))
				if err != nil && !errors.Is(err, HeapErrLimit) {
					t.Error(err)
				}
				if err == nil {
					b[0] = byte(id)
					live = append(live, b)
				}
				if err != nil || len(live) > 300 {
					for _, b := range live {
						if b[0] != byte(id) {
							t.Error("two owners")
						}
						c.Free(b)
					}
					live = live[:0]
					c.Flush()
				}
			}
			for _, b := range live {
				c.Free(b)
			}
		}()
	}
	done := make(chan bool)
	go func() {
		group.Wait()
		close(done)
	}()
	for open := true; open; {
		select {
		case <-done:
			open = false
		default:
		}
		if s := h.Stats(); s.Taken-s.Empty-s.Released > heapLimit {
			t.Errorf("%d bytes in use", s.Taken-s.Empty-s.Released)
		}
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestOtherLimits are limits that are no multiple of an arena, or larger than
// what heaps without one reserve.
func TestOtherLimits(t *testing.T) {
	var small Small
	c := small.Acquire()
	n := 0
	for c.Bin(512).Alloc() != nil {
		n++
	}
	if n*512 > smallLimit || n*512 < smallLimit*3/4 {
		t.Errorf("%d blocks of 512 bytes fit %d", n, smallLimit)
	}
	if _, err := c.TryAlloc(1 << 20); err != nil {
		t.Errorf("Go's heap has no limit: %v", err)
	}
	var listed Listed
	l := listed.Acquire()
	var live []unsafe.Pointer
	for p := l.Bin(64).Alloc(); p != nil; p = l.Bin(64).Alloc() {
		live = append(live, p)
	}
	if got := len(live) * 64; got > listedLimit || got < listedLimit*3/4 {
		t.Errorf("%d bytes of %d", got, listedLimit)
	}
	for _, p := range live {
		l.BinOf(p).Free(p)
	}
	l.Flush()
	if _, err := l.TryAlloc(900 << 10); err != nil {
		t.Error(err)
	}
	var huge Huge
	if b, err := huge.TryAlloc(100); err != nil || len(b) != 100 {
		t.Error(err)
	}
}

// TestExact: the capacity of a slice is its length, however it came to be.
func TestExact(t *testing.T) {
	var h Exact
	c := h.Acquire()
	var b []byte
	for _, n := range []int{1, 16, 17, 16, 1000, 999, 32 << 10, 33 << 10, 100 << 10, 99 << 10, 5, 4} {
		if got := c.Alloc(n); len(got) != n || cap(got) != n {
			t.Errorf("Alloc(%d): len %d, cap %d", n, len(got), cap(got))
		} else {
			c.Free(got)
		}
		if got := h.Alloc(n); len(got) != n || cap(got) != n {
			t.Errorf("the heap's Alloc(%d): len %d, cap %d", n, len(got), cap(got))
		} else {
			h.Free(got)
		}
		if b = c.Realloc(b, n); len(b) != n || cap(b) != n {
			t.Errorf("Realloc(%d): len %d, cap %d", n, len(b), cap(b))
		}
	}
	c.Free(b)
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestLimitOwnBins: before a request fails, what the cache's other bins keep is
// given up for it.
func TestLimitOwnBins(t *testing.T) {
	var h Heap
	c := h.Acquire()
	var live []unsafe.Pointer
	for p := c.Bin(100).Alloc(); p != nil; p = c.Bin(100).Alloc() {
		live = append(live, p)
	}
	for _, p := range live {
		c.BinOf(p).Free(p) // no Flush
	}
	n := 0
	for c.Bin(2000).Alloc() != nil {
		n++
	}
	if got := n * 2000; got < heapLimit*3/4 {
		t.Errorf("%d bytes of another size; the limit is %d", got, heapLimit)
	}
}

// TestRefusing: what is above the threshold panics by name, and all is as it was.
func TestRefusing(t *testing.T) {
	var h Refusing
	c := h.Acquire()
	b := c.Alloc(1024)
	b[1023] = 7
	refused := func(op string, n int, f func()) {
		t.Helper()
		defer func() {
			want := fmt.Sprintf("limits: %s: %d bytes are above the threshold, 1024", op, n)
			if got := recover(); got != want {
				t.Errorf("panicked with %v, not with %q", got, want)
			}
		}()
		f()
	}
	for _, n := range []int{1025, 40000, math.MaxInt} {
		refused("RefusingCache.Alloc", n, func() { c.Alloc(n) })
		refused("RefusingCache.Alloc", n, func() { c.TryAlloc(n) })
		refused("RefusingCache.Bin", n, func() { c.Bin(n) })
		refused("RefusingCache.Realloc", n, func() { c.Realloc(b, n) })
		refused("RefusingCache.Realloc", n, func() { c.TryRealloc(nil, n) })
		refused("Refusing.Alloc", n, func() { h.Alloc(n) })
		refused("Refusing.Alloc", n, func() { h.TryAlloc(n) })
		refused("Refusing.Realloc", n, func() { h.Realloc(b, n) })
	}
	if b[1023] != 7 || c.UsableSize(unsafe.Pointer(&b[0])) != 1024 {
		t.Error("a refused Realloc changed its block")
	}
	c.Free(b)

	short, bounded := c.NewShort(0), c.NewBounded(0)
	for i := 0; i < 128; i++ { // 1024 bytes, whatever the rule adds
		short.Append(int64(i))
		bounded.Append(int64(i))
	}
	refused("Short", 1032, func() { short.Append(128) })
	refused("Short", 1032, func() { short.TryAppend(128) })
	refused("Short", 2048, func() { short.AppendSlice(short.Slice()) })
	refused("Short", 8000, func() { short.Resize(1000) })
	refused("Short", 1032, func() { c.NewShort(129) })
	refused("Bounded", 1032, func() { bounded.Append(128) })
	refused("Bounded", 2048, func() { bounded.AppendSlice(bounded.Slice()) })
	if short.Len() != 128 || short.Cap() != 128 || bounded.Len() != 128 || bounded.Cap() != 128 {
		t.Errorf("%d of %d and %d of %d items", short.Len(), short.Cap(), bounded.Len(), bounded.Cap())
	}
	for i := 127; i >= 0; i-- {
		if v, ok := short.Pop(); !ok || v != int64(i) {
			t.Errorf("item %d is %d", i, v)
		}
		if v, ok := bounded.Pop(); !ok || v != int64(i) {
			t.Errorf("item %d is %d", i, v)
		}
	}
	short.Release()
	refusingPanics(t, "not a block", func() { c.Free(make([]byte, 2000)) })
	c.Release()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}
