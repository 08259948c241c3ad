//go:build (linux || darwin || freebsd || windows) && !allocgen_goheap

package general

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// errFault is what a test has the system say.
var errFault = errors.New("no, says the test")

// failing has calls of the system fail, by their number from 0, until the test
// ends or sets another. It returns how many there were.
func failing(t *testing.T, fails func(call int) bool) (calls *int) {
	t.Helper()
	calls = new(int)
	heapFault = func(call string) error {
		*calls++
		if fails(*calls - 1) {
			failed = call
			return errFault
		}
		return nil
	}
	t.Cleanup(func() { heapFault = nil })
	return calls
}

// failed is the call of the system that failed last.
var failed string

// never lets all calls of the system through.
func never(int) bool { return false }

// outOfMemory runs f and reports whether it panicked; that must be with an error
// for memory that the system did not give.
func outOfMemory(t *testing.T, f func()) (out bool) {
	t.Helper()
	defer func() {
		if v := recover(); v != nil {
			out = true
			err, ok := v.(error)
			require.True(t, ok, "%v", v)
			require.ErrorIs(t, err, HeapErrSystem)
			require.Contains(t, err.Error(), "general: Heap")
		}
	}()
	f()
	return false
}

// A holder has a heap's blocks in use, each with its number at both ends.
type holder struct {
	heap  Heap
	cache *HeapCache
	live  [][]byte
}

// get allocates a block, by the form that its number says. When the
// system gives no memory it reports false.
func (o *holder) get(t *testing.T, n int) bool {
	t.Helper()
	var b []byte
	out := outOfMemory(t, func() {
		switch i := len(o.live); {
		case i%3 == 0:
			b = o.heap.Alloc(n)
		case i%3 == 1:
			b = o.cache.Alloc(n)
		default:
			if p := o.cache.Bin(n).Alloc(); p != nil { // a bin says it with nil
				b = unsafe.Slice((*byte)(p), n)
			}
		}
	})
	if out || b == nil {
		return false
	}
	b[0], b[n-1] = byte(len(o.live)), byte(len(o.live))
	o.live = append(o.live, b)
	return true
}

// put frees every stride-th block.
func (o *holder) put(t *testing.T, stride int) {
	t.Helper()
	var kept [][]byte
	for i, b := range o.live {
		require.Equal(t, b[0], b[len(b)-1])
		if i%stride == 0 {
			o.cache.Free(b)
		} else {
			kept = append(kept, b)
		}
	}
	o.live = kept
	o.cache.Flush()
	heapCheck(t, &o.heap)
}

// use runs a heap through all that asks the system, but Close: it opens, grows by
// small blocks and by large ones, frees and grows again. What fails is tried
// again, at most so many times; it reports whether all was had.
func (o *holder) use(t *testing.T, tries int) bool {
	t.Helper()
	try := func(do func() bool) bool {
		for range tries {
			if do() {
				return true
			}
			if o.cache != nil {
				heapCheck(t, &o.heap)
			}
		}
		return false
	}
	if o.cache == nil && !try(func() bool { return !outOfMemory(t, func() { o.cache = o.heap.Acquire() }) }) {
		return false
	}
	all := true
	for range 2 {
		for _, kind := range []struct{ size, count int }{{1000, 400}, {3 << 20, 2}, {heapThreshold, 20}, {5 * heapThreshold, 4}} {
			for range kind.count {
				if !try(func() bool { return o.get(t, kind.size) }) {
					all = false
					break
				}
			}
		}
		o.put(t, 2)
	}
	return all
}

// end frees what is left and closes the heap.
func (o *holder) end(t *testing.T) error {
	t.Helper()
	if o.cache != nil {
		o.put(t, 1)
		o.cache.Release()
		o.heap.reclaim()
		heapCheck(t, &o.heap)
		stats := o.heap.Stats()
		require.Equal(t, stats.Taken, stats.Empty+stats.Released, "pools are lost")
	}
	return o.heap.Close()
}

// TestOneFault fails one call of the system, each in turn. The operation behind
// it says so or does without, nothing is lost, and what is tried again works.
func TestOneFault(t *testing.T) {
	for k := 0; ; k++ {
		calls := failing(t, func(call int) bool { return call == k })
		var o holder
		require.True(t, o.use(t, 2), "call %d failed, and nothing works since", k)
		err := o.end(t)
		if *calls <= k {
			require.NoError(t, err)
			require.Greater(t, k, 12, "too few calls: the test does not do what it says")
			break
		}
		if k >= *calls-3 && failed == "unmap" { // Close's
			require.ErrorIs(t, err, errFault)
			require.ErrorContains(t, err, "general: Heap.Close: ")
		} else {
			require.NoError(t, err, "call %d", k)
		}
		require.NoError(t, o.heap.Close(), "a second Close has nothing to do")
		requireNothingLeft(t)
	}
}

// requireNothingLeft opens and closes one more heap, which gives back what the
// system would not take before.
func requireNothingLeft(t *testing.T) {
	t.Helper()
	failing(t, never)
	var h Heap
	h.Free(h.Alloc(1))
	require.NoError(t, h.Close())
	require.Empty(t, heapLeft.regions)
}

// TestAllFaults fails all calls of the system from one on, each in turn: what was
// had before stays of use. Once the system gives again, all works.
func TestAllFaults(t *testing.T) {
	for k := 0; ; k++ {
		calls := failing(t, func(call int) bool { return call >= k })
		var o holder
		all := o.use(t, 1)
		done := *calls <= k
		failing(t, never)
		require.True(t, all || !done)
		require.True(t, o.use(t, 1), "calls from %d on failed, and nothing works since", k)
		require.NoError(t, o.end(t))
		requireNothingLeft(t)
		if done {
			break
		}
	}
}

// TestCloseKeeps has the system take nothing back: Close says so for each region,
// the memory behind them is gone where the system lets it, and the next heap
// gives them back.
func TestCloseKeeps(t *testing.T) {
	var o holder
	require.True(t, o.use(t, 1))
	region := o.heap.region
	lost := 0
	heapFault = func(call string) error {
		if call == "unmap" {
			lost++
			return errFault
		}
		return nil
	}
	t.Cleanup(func() { heapFault = nil })
	err := o.end(t)
	require.ErrorIs(t, err, errFault)
	require.Equal(t, 2, lost)
	require.Len(t, heapLeft.regions, 2)
	require.Equal(t, unsafe.SliceData(region), unsafe.SliceData(heapLeft.regions[0]))
	require.Zero(t, o.heap.Stats().Reserved, "a closed heap has nothing")
	require.NoError(t, o.heap.Close())
	require.Len(t, heapLeft.regions, 2)
	requireNothingLeft(t)
}

// TestPages finds the whole pages of parts, for every size of page.
func TestPages(t *testing.T) {
	for _, page := range []uintptr{4 << 10, 16 << 10, 64 << 10} {
		base := uintptr(^uint(0))&^(1<<20-1) - 1<<20 // addresses near the last one
		for _, c := range []struct{ start, size, from, to uintptr }{
			{0, 4 * page, 0, 4 * page},
			{0, page, 0, page},
			{0, page - 1, 0, 0},
			{1, page - 1, page - 1, page - 1},
			{1, page, page - 1, page - 1},
			{1, 2*page - 1, page - 1, 2*page - 1},
			{1, 2 * page, page - 1, 2*page - 1},
			{page - 1, page + 2, 1, page + 1},
			{5, 6, 6, 6},
			{5, 0, 0, 0},
			{page / 2, page / 2, page / 2, page / 2},
			{page / 4, page / 4, page / 4, page / 4},
			{page / 2, page, page / 2, page / 2},
			{3 * page, 1 << 20, 0, 1 << 20},
		} {
			from, to := heapPages(base+c.start, c.size, page)
			require.Equal(t, [2]uintptr{c.from, c.to}, [2]uintptr{from, to}, "%d bytes from %d on, pages of %d", c.size, c.start, page)
		}
	}
}

// TestAllPages compares with a search, for all parts of a few pages.
func TestAllPages(t *testing.T) {
	const page = 8
	for start := uintptr(16); start < 16+page; start++ {
		for size := uintptr(0); size < 4*page; size++ {
			whole := uintptr(0)
			for at := uintptr(16); at+page <= start+size; at += page {
				if at >= start {
					whole += page
				}
			}
			from, to := heapPages(start, size, page)
			require.LessOrEqual(t, from, to)
			require.LessOrEqual(t, to, size)
			require.Equal(t, whole, to-from, "%d bytes from %d on", size, start)
			if whole > 0 {
				require.Zero(t, (start+from)%page)
			}
		}
	}
}

// TestBase: pool 0 starts at a multiple of a pool and of a page, whichever is
// larger, and the last pool ends within the region.
func TestBase(t *testing.T) {
	var h Heap
	h.Free(h.Alloc(1))
	require.Zero(t, h.base%heapPoolSize)
	start := uintptr(unsafe.Pointer(unsafe.SliceData(h.region)))
	require.GreaterOrEqual(t, h.base, start)
	require.LessOrEqual(t, h.base+uintptr(h.pools)<<heapPoolShift-start, uintptr(len(h.region)))
	require.NoError(t, h.Close())
}
