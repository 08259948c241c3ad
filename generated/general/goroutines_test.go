package general_test

import (
	"encoding/binary"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/generated/general"
)

// sign writes an owner at both ends of a block of at least 16 bytes; signed
// tells whether it is still there.
func sign(b []byte, owner uint64) {
	binary.LittleEndian.PutUint64(b, owner)
	binary.LittleEndian.PutUint64(b[len(b)-8:], owner)
}

func signed(b []byte, owner uint64) bool {
	return binary.LittleEndian.Uint64(b) == owner && binary.LittleEndian.Uint64(b[len(b)-8:]) == owner
}

// TestManyGoroutines lets far more goroutines than processors allocate and
// free. Each signs what it holds: a block that two of them got shows.
func TestManyGoroutines(t *testing.T) {
	const goroutines, rounds = 3000, 100
	type front interface {
		Alloc(int) []byte
		Free([]byte)
	}
	for name, enter := range map[string]func(*general.Heap) (front, func()){
		"heap": func(h *general.Heap) (front, func()) { return h, func() {} },
		"cache": func(h *general.Heap) (front, func()) {
			c := h.Acquire()
			return c, c.Release
		},
	} {
		t.Run(name, func(t *testing.T) {
			var h general.Heap
			var wrong atomic.Int64
			var all sync.WaitGroup
			// A cache is 70 KB: not all goroutines hold one at the same time.
			entered := make(chan struct{}, 64)
			for id := range uint64(goroutines) {
				all.Add(1)
				go func() {
					defer all.Done()
					entered <- struct{}{}
					f, leave := enter(&h)
					var held [4][]byte
					for i := range rounds {
						k := &held[i%len(held)]
						if *k != nil && !signed(*k, id) {
							wrong.Add(1)
						}
						f.Free(*k)
						*k = f.Alloc(16 + (int(id)*131+i*i*37)%3000)
						sign(*k, id)
						if i%32 == 0 {
							runtime.Gosched()
						}
					}
					for _, b := range held {
						if !signed(b, id) {
							wrong.Add(1)
						}
						f.Free(b)
					}
					leave()
					<-entered
				}()
			}
			all.Wait()
			require.Zero(t, wrong.Load(), "blocks with two owners")
			require.NoError(t, h.Close())
		})
	}
}

// TestHandOver passes blocks one way, from caches that only allocate to caches
// that only free. They must come back: memory stays as small as what is under way.
func TestHandOver(t *testing.T) {
	const producers, consumers, each, batch = 4, 4, 100, 200
	var h general.Heap
	work := make(chan [][]byte, 8)
	var made, done sync.WaitGroup
	var wrong atomic.Int64
	for id := range uint64(producers) {
		made.Add(1)
		go func() {
			defer made.Done()
			c := h.Acquire()
			defer c.Release()
			for i := range each {
				blocks := make([][]byte, batch)
				for k := range blocks {
					blocks[k] = c.Alloc(16 << ((i + k) % 8))
					sign(blocks[k], id)
				}
				work <- blocks
			}
		}()
	}
	for id := range consumers {
		done.Add(1)
		go func() {
			defer done.Done()
			c := h.Acquire()
			defer c.Release()
			for blocks := range work {
				for i, b := range blocks {
					if binary.LittleEndian.Uint64(b) >= producers || !signed(b, binary.LittleEndian.Uint64(b)) {
						wrong.Add(1)
					}
					switch (i + id) % 3 {
					case 0:
						c.Free(b)
					case 1:
						p := unsafe.Pointer(&b[0])
						c.Bin(len(b)).Free(p)
					case 2:
						h.Free(b[:0])
					}
				}
			}
		}()
	}
	made.Wait()
	close(work)
	done.Wait()
	require.Zero(t, wrong.Load(), "blocks with a wrong or torn owner")
	// 16 batches of 200 blocks are under way at once: about 2 MiB, in pools
	// of eight classes, beside what bins and depots keep.
	require.LessOrEqual(t, h.Stats().Taken, int64(16<<20), "memory that is freed elsewhere is not used again")
	require.NoError(t, h.Close())
}

// TestRing passes large and small blocks around while others look at the
// heap's numbers: the race detector watches what both touch.
func TestRing(t *testing.T) {
	const members, hops = 8, 400
	var h general.Heap
	var links [members]chan []byte
	for i := range links {
		links[i] = make(chan []byte, 4)
	}
	stop := make(chan struct{})
	var watcher, all sync.WaitGroup
	watcher.Add(1)
	go func() {
		defer watcher.Done()
		for {
			select {
			case <-stop:
				return
			default:
				_ = h.Stats()
				runtime.Gosched()
			}
		}
	}()
	for i := range members {
		all.Add(1)
		go func() {
			defer all.Done()
			c := h.Acquire()
			for hop := range hops {
				b := c.Alloc(64 + (hop*997)%(4*poolSize))
				sign(b, uint64(i))
				links[(i+1)%members] <- b
				got := <-links[i]
				if !signed(got, uint64((i+members-1)%members)) {
					t.Errorf("member %d got a block of %d", i, binary.LittleEndian.Uint64(got))
				}
				c.Free(got)
				if hop%50 == 0 {
					c.Release()
					c = h.Acquire()
				}
			}
			c.Release()
		}()
	}
	all.Wait()
	close(stop)
	watcher.Wait()
	stats := h.Stats()
	require.Zero(t, stats.LargeBlocks)
	for _, s := range stats.Classes {
		require.Zero(t, s.Used, "class %d", s.Size)
	}
	require.NoError(t, h.Close())
}

// TestLateFree lets a deferred Free run after its cache's Release, as the
// package doc allows, while another goroutine works with a cache that it
// acquired after that Release.
func TestLateFree(t *testing.T) {
	var h general.Heap
	for range 200 {
		c := h.Acquire()
		late := make([][]byte, 200)
		for i := range late {
			late[i] = c.Alloc(64)
		}
		c.Release()
		var other sync.WaitGroup
		other.Add(1)
		go func() {
			defer other.Done()
			c := h.Acquire()
			defer c.Release()
			for range 200 {
				c.Free(c.Alloc(64))
			}
		}()
		for _, b := range late {
			c.Free(b)
		}
		other.Wait()
	}
	for _, s := range h.Stats().Classes {
		require.Zero(t, s.Used, "blocks were lost")
	}
	require.NoError(t, h.Close())
}

// TestBorrowedCaches lets many goroutines use the heap's own methods: the caches
// behind them are no more than the heap keeps.
func TestBorrowedCaches(t *testing.T) {
	var h general.Heap
	var group sync.WaitGroup
	for range 3000 {
		group.Add(1)
		go func() {
			defer group.Done()
			for n := range 50 {
				b := h.Alloc(1 + 100*n)
				b[0] = 1
				h.Free(b)
			}
		}()
	}
	group.Wait()
	require.LessOrEqual(t, h.Stats().Caches, 64)
	require.NoError(t, h.Close())
}
