package stats

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

// TestNone: there is no Stats, and Close names live blocks all the same.
func TestNone(t *testing.T) {
	for _, h := range []any{new(Silent), new(Mute)} {
		if _, ok := reflect.TypeOf(h).MethodByName("Stats"); ok {
			t.Errorf("%T has statistics", h)
		}
	}
	var h Silent
	c := h.Acquire()
	c.Alloc(100)
	c.Alloc(100)
	c.Alloc(1000)
	c.Alloc(1 << 20)
	c.Free(c.Alloc(1 << 20))
	if err := h.Close(); err == nil || err.Error() != "stats: Silent.Close: live blocks: 2 of 112 bytes, 1 of 1008 bytes, 1 large" {
		t.Errorf("closed with %v", err)
	}
	var m Mute
	q := m.Acquire().NewQuiet(10)
	if err := m.Close(); err == nil || err.Error() != "stats: Mute.Close: live blocks: 1 of 80 bytes" {
		t.Errorf("closed with %v and a list of %d", err, q.Cap())
	}
}

// TestLists: a list's buffers count as requests of their size, and are given back.
func TestLists(t *testing.T) {
	var h Full
	c := h.Acquire()
	l := c.NewInts(1)
	for i := 0; i < 1<<15; i++ {
		l.Append(int64(i))
	}
	s := h.Stats()
	want := []FullRequests{}
	for size := 8; size <= 1<<15*8; size *= 2 {
		want = append(want, FullRequests{max(size, 16), 1})
	}
	// A block of 16 bytes has room for two.
	want = want[1:]
	if !reflect.DeepEqual(s.Requests, want) {
		t.Errorf("asked for %v, should be %v", s.Requests, want)
	}
	if s.LargeAllocs != 3 || s.LargeFrees != 2 || s.LargeBlocks != 1 {
		t.Errorf("large: %+v", s)
	}
	l.Release()
	c.Flush()
	s = h.Stats()
	for _, k := range s.Classes {
		if k.Allocs != k.Frees || k.Used != 0 || k.Allocs != 1 {
			t.Errorf("class of %d bytes: %+v", k.Size, k)
		}
	}
	if s.LargeAllocs != 3 || s.LargeFrees != 3 || s.Large != 0 {
		t.Errorf("large: %+v", s)
	}
}

// TestGoLists: above the threshold buffers are Go's: requests, and no more.
func TestGoLists(t *testing.T) {
	var h Stack
	c := h.Acquire()
	l := c.NewShrinks(0)
	l.Resize(200)  // 800 bytes
	l.Resize(2500) // 10000
	l.Resize(200)  // 912, with room to grow
	l.Release()
	c.Free(c.Alloc(1001))
	c.Free(c.Alloc(1 << 12))
	c.Free(c.Alloc(1<<12 + 1))
	s := h.Stats()
	want := []StackRequests{{800, 1}, {912, 1}, {1024, 1}, {4096, 1}, {8192, 1}, {16384, 1}}
	if !reflect.DeepEqual(s.Requests, want) {
		t.Errorf("asked for %v, should be %v", s.Requests, want)
	}
	for _, k := range s.Classes {
		if k.Allocs != 1 || k.Frees != 1 {
			t.Errorf("class of %d bytes: %+v", k.Size, k)
		}
	}
}

// TestKeptBin: a bin counts the size that it was found for last.
func TestKeptBin(t *testing.T) {
	var h Called
	c := h.Acquire()
	b := c.Bin(100)
	for i := 0; i < 1000; i++ {
		b.Free(b.Alloc())
	}
	c.Bin(64).Free(c.Bin(16).Alloc())
	c.Free(c.Alloc(2000))
	want := []CalledRequests{{16, 1}, {112, 1000}, {2016, 1}}
	if got := h.Stats().Requests; !reflect.DeepEqual(got, want) {
		t.Errorf("asked for %v, should be %v", got, want)
	}
	c.Release()
	if got := h.Stats().Requests; !reflect.DeepEqual(got, want) {
		t.Errorf("asked for %v once the cache is gone, should be %v", got, want)
	}
}

// TestMeanwhile reads while goroutines count: no byte is ever lost, nothing is
// given back that was not taken, no counter falls; and at the end all agree.
func TestMeanwhile(t *testing.T) {
	const goroutines, rounds = 4, 1000
	var h Full
	var done atomic.Int32
	var wg sync.WaitGroup
	pass := make(chan unsafe.Pointer, 64) // blocks change goroutines
	for g := 0; g < goroutines; g++ {
		wg.Add(1)
		go func(g int) {
			defer wg.Done()
			defer done.Add(1)
			c := h.Acquire()
			for i := 0; i < rounds; i++ {
				select {
				case p := <-pass:
					c.BinOf(p).Free(p)
				default:
				}
				p := c.Bin(1 + i*7%3000).Alloc()
				select {
				case pass <- p:
				default:
					c.BinOf(p).Free(p)
				}
				h.Free(h.Alloc(40000))
				if i%500 == g {
					c.Release()
					c = h.Acquire()
				}
			}
			c.Release()
		}(g)
	}
	var allocs, requests int64
	for done.Load() < goroutines {
		select {
		case p := <-pass:
			c := h.Acquire()
			c.BinOf(p).Free(p)
			c.Release()
		default:
		}
		s := fullAddsUp(t, &h)
		var all, asked int64
		for _, k := range s.Classes {
			if k.Frees > k.Allocs {
				t.Fatalf("more freed than taken: %+v", k)
			}
			all += k.Allocs
		}
		for _, r := range s.Requests {
			asked += r.Count
		}
		if all < allocs || asked < requests || s.LargeFrees > s.LargeAllocs {
			t.Fatalf("counters fell: from %d to %d, from %d to %d; %+v", allocs, all, requests, asked, s)
		}
		allocs, requests = all, asked
	}
	wg.Wait()
	close(pass)
	c := h.Acquire()
	for p := range pass {
		c.BinOf(p).Free(p)
	}
	c.Release()
	s := fullAddsUp(t, &h)
	var taken, asked int64
	for _, k := range s.Classes {
		taken += k.Allocs
		if k.Allocs != k.Frees || k.Used != 0 {
			t.Errorf("not balanced: %+v", k)
		}
	}
	for _, r := range s.Requests {
		asked += r.Count
	}
	const large = goroutines * rounds
	if s.LargeAllocs != large || s.LargeFrees != large || taken != large || taken+large != asked {
		t.Errorf("%d blocks were taken, %d large; asked for %d: %+v", taken, s.LargeAllocs, asked, s)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestJSON: names stay.
func TestJSON(t *testing.T) {
	s := FullStats{Reserved: 1, Taken: 2, Released: 3, Empty: 4, Large: 5, LargeBlocks: 6, LargeAllocs: 7, LargeFrees: 8, Caches: 9,
		Classes:  []FullClassStats{{Class: 10, Size: 11, Pools: 12, Used: 13, Idle: 20, Depot: 14, Free: 15, Allocs: 16, Frees: 17}},
		Requests: []FullRequests{{Size: 18, Count: 19}}}
	const want = `{"reserved":1,"taken":2,"released":3,"empty":4,"large":5,"large_blocks":6,"large_allocs":7,"large_frees":8,"caches":9,` +
		`"classes":[{"class":10,"size":11,"pools":12,"used":13,"idle":20,"depot":14,"free":15,"allocs":16,"frees":17}],"requests":[{"size":18,"count":19}]}`
	got, err := json.Marshal(s)
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	var back FullStats
	if err := json.Unmarshal(got, &back); err != nil || !reflect.DeepEqual(back, s) {
		t.Errorf("%+v, %v", back, err)
	}
}

// TestReport: the report in full, where every number is known.
func TestReport(t *testing.T) {
	s := FullStats{Reserved: 1 << 36, Taken: 3 << 20, Released: 64 << 10, Empty: 3<<20 - 64<<10 - 48<<10 - 16<<10, Large: 16 << 10, LargeBlocks: 1, LargeAllocs: 5, LargeFrees: 4,
		Classes: []FullClassStats{
			{Class: 0, Size: 16, Pools: 1, Used: 24, Depot: 32, Free: 968, Allocs: 1234567, Frees: 1234560},
			{Class: 2, Size: 48, Pools: 2, Used: 300, Free: 382},
		}}
	want := strings.TrimPrefix(`
Small block threshold = 32768, in 84 size classes.

class   size   num pools   blocks in use  avail blocks
-----   ----   ---------   -------------  ------------
    0     16           1              24          1000
    2     48           2             300           382

# blocks taken so far              =            1,234,572
# blocks given back so far         =            1,234,564
# arenas allocated total           =                    3
# arenas highwater mark            =                    3
# arenas allocated current         =                    3
3 arenas * 1048576 bytes/arena     =            3,145,728

# bytes in allocated blocks        =               14,784
# bytes in available blocks        =               34,336
184 unused pools * 16384 bytes     =            3,014,656
4 released pools * 16384 bytes     =               65,536
1 large blocks                     =               16,384
# bytes lost to quantization       =                   32
Total                              =            3,145,728
`, "\n")
	if got := s.String(); got != want {
		t.Errorf("got:\n%s\nshould be:\n%s", got, want)
	}
}

// TestBuckets: every size is in the bucket that says so, and no other, to the last.
func TestBuckets(t *testing.T) {
	last := uint(0)
	for n := 1; n <= fullThreshold; n++ {
		b := fullBucket(n)
		if size := fullBucketSize(b); size < n || size-n >= max(16, n/32) {
			t.Fatalf("%d bytes count as %d", n, size)
		}
		if b > last+1 || b < last || b > 0 && fullBucketSize(b-1) >= n {
			t.Fatalf("%d bytes are in bucket %d after %d", n, b, last)
		}
		last = b
	}
	if last != fullBuckets-1 {
		t.Errorf("the last of %d buckets is %d", fullBuckets, last)
	}
	if b := stackBucket(stackThreshold); b != stackBuckets-1 || stackBucketSize(b) != stackThreshold {
		t.Errorf("the last of %d buckets is %d, to %d", stackBuckets, b, stackBucketSize(b))
	}
}
