package own

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// TestProcessorsChange changes how many processors there are while goroutines
// allocate and free: no block has two owners, and none is stranded where a
// processor was.
func TestProcessorsChange(t *testing.T) {
	var h Processors
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var group sync.WaitGroup
	stop := make(chan bool)
	for id := 1; id <= 16; id++ {
		id := byte(id)
		group.Add(1)
		go func() {
			defer group.Done()
			var live [50][]byte
			for step := 0; ; step++ {
				select {
				case <-stop:
					for _, b := range live {
						h.Free(b)
					}
					return
				default:
				}
				b := &live[step*7%len(live)]
				if *b != nil && ((*b)[0] != id || (*b)[len(*b)-1] != id) {
					t.Error("a block has two owners")
				}
				h.Free(*b)
				*b = h.Alloc(1 + step*31%2000)
				(*b)[0], (*b)[len(*b)-1] = id, id
			}
		}()
	}
	for i := 0; i < 60; i++ {
		runtime.GOMAXPROCS(1 + i*5%13)
		time.Sleep(2 * time.Millisecond)
		if i%10 == 0 {
			h.Trim()
		}
	}
	close(stop)
	group.Wait()
	runtime.GOMAXPROCS(1)
	h.Trim()
	stats := h.Stats()
	for _, s := range stats.Classes {
		if s.Used != 0 {
			t.Errorf("%d blocks of %d bytes are stranded", s.Used, s.Size)
		}
	}
	// A pool of a class may stay, and of empty ones what is retained.
	if kept := stats.Taken - stats.Released; kept > 84*8*(16<<10) {
		t.Errorf("%d bytes stay", kept)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestProcessorsOneWay has goroutines that only allocate and others that only
// free: memory stays bounded, and goroutines that end leave nothing.
func TestProcessorsOneWay(t *testing.T) {
	var h Processors
	p := h.Sprites()
	passed := make(chan []unsafe.Pointer, 4)
	var group sync.WaitGroup
	for i := 0; i < 4; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for batch := range passed {
				for i, q := range batch {
					if i%2 == 0 {
						p.Put((*cell)(q))
					} else {
						h.Free(unsafe.Slice((*byte)(q), 1))
					}
				}
			}
		}()
	}
	for round := 0; round < 2000; round++ {
		sent := make(chan bool)
		go func() { // it ends after one batch
			batch := make([]unsafe.Pointer, 64)
			for i := range batch {
				if i%2 == 0 {
					batch[i] = unsafe.Pointer(p.Get())
				} else {
					batch[i] = unsafe.Pointer(unsafe.SliceData(h.Alloc(100)))
				}
			}
			passed <- batch
			close(sent)
		}()
		<-sent
	}
	close(passed)
	group.Wait()
	if s := h.Stats(); s.Taken > 4<<20 {
		t.Errorf("%d bytes for what is never more than 600 blocks", s.Taken)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestProcessorsGiveUp: before a request fails processors give up what they keep, and
// Trim has them do so too.
func TestProcessorsGiveUp(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var h bounded
	for round := 0; round < 5; round++ {
		var live [][]byte
		for {
			b, err := h.TryAlloc(100 + 3000*(round%2) + 17000*(round%3))
			if err != nil {
				break
			}
			live = append(live, b)
		}
		var group sync.WaitGroup
		for i := 0; i < 16; i++ {
			i := i
			group.Add(1)
			go func() {
				defer group.Done()
				for ; i < len(live); i += 16 {
					h.Free(live[i])
					if i%64 == 0 {
						time.Sleep(time.Microsecond) // and go on elsewhere
					}
				}
			}()
		}
		group.Wait()
		if round == 4 {
			break
		}
		b, err := h.TryAlloc(1900 << 10)
		if err != nil {
			t.Fatalf("round %d: %d blocks are free, and %v", round, len(live), err)
		}
		h.Free(b)
	}
	h.Trim()
	for _, s := range h.Stats().Classes {
		if s.Used != 0 || s.Pools > 8 {
			t.Errorf("%d pools of %d bytes stay, with %d blocks in use", s.Pools, s.Size, s.Used)
		}
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestPinWait: who takes something from processors waits for who is pinned to one.
func TestPinWait(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var p processorsPin
	for i := 0; i < 20; i++ {
		var pinned, done atomic.Bool
		go func() {
			p.pin()
			pinned.Store(true)
			for start := time.Now(); time.Since(start) < 3*time.Millisecond; {
			}
			done.Store(true)
			p.unpin()
		}()
		for !pinned.Load() {
			runtime.Gosched()
		}
		if p.wait(); !done.Load() {
			t.Fatal("did not wait")
		}
	}
}

// TestSharedMisuse: what is wrong is said by name, and leaves nobody pinned.
func TestSharedMisuse(t *testing.T) {
	var h Processors
	var g guarded
	b, k := h.Alloc(64), g.Alloc(64)
	for i := 0; i < 3; i++ {
		processorsPanics(t, "not a block", func() { h.Free(make([]byte, 8)) })
		guardedPanics(t, "not a block", func() { g.Free(make([]byte, 8)) })
		processorsPanics(t, "negative size", func() { h.Alloc(-1) })
		guardedPanics(t, "negative size", func() { g.Alloc(-1) })
		runtime.Gosched()
	}
	if len(h.Alloc(0)) != 0 || len(g.Alloc(0)) != 0 {
		t.Error("0 bytes")
	}
	large := h.Alloc(1 << 20)
	h.Free(large)
	h.Free(b)
	g.Free(k)
	for i := 0; i < 2; i++ {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}
	processorsPanics(t, "closed", func() { h.Alloc(64) })
	processorsPanics(t, "closed", func() { h.Free(b) })
	processorsPanics(t, "closed", func() { h.Sprites().Get() })
	guardedPanics(t, "closed", func() { g.Alloc(64) })
	guardedPanics(t, "closed", func() { g.tiles().Get() })
}
