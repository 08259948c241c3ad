//go:build linux && !allocgen_goheap

package general_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/generated/general"
)

// mappings are the lines of /proc/self/maps.
func mappings(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("/proc/self/maps")
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// reservations counts the heaps whose address space is there: a mapping, or
// the unused rest of one, that nothing but a reservation is as long as. Go's
// own reservations are shorter, or lie in one piece at fixed addresses that
// both of a test's counts see.
func reservations(t *testing.T) int {
	t.Helper()
	const least = 1 << (27 + 7*(^uint(0)>>63)) // a quarter of a heap's address space
	n := 0
	for _, line := range mappings(t) {
		span, rest, _ := strings.Cut(line, " ")
		from, to, _ := strings.Cut(span, "-")
		start, err := strconv.ParseUint(from, 16, 64)
		require.NoError(t, err)
		end, err := strconv.ParseUint(to, 16, 64)
		require.NoError(t, err)
		if strings.HasPrefix(rest, "---p") && end-start >= least {
			n += int((end - start + 2*least) / (4 * least)) // neighbours are shown as one
		}
	}
	return n
}

// TestManyArenas holds 300 MiB at once, most of it never touched, in blocks of
// every kind. When all is free the same requests need no more.
func TestManyArenas(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	sizes := []int{threshold, 28 << 10, 7 << 10, 3584, 64 * poolSize, 65 * poolSize, 200 * poolSize}
	const bytes = 300 << 20
	var taken int64
	for round := range 3 {
		var live []unsafe.Pointer
		for sum, i := 0, 0; sum < bytes; i++ {
			n := sizes[i%len(sizes)]
			sum += n
			p := c.Bin(n).Alloc()
			*(*int)(p) = i
			live = append(live, p)
		}
		stats := h.Stats()
		require.GreaterOrEqual(t, stats.Taken, int64(bytes))
		require.LessOrEqual(t, stats.Taken, int64(bytes+bytes/4), "more than a quarter is waste")
		if round > 0 {
			require.LessOrEqual(t, stats.Taken, taken+taken/10, "round %d does not use freed memory", round)
		}
		taken = stats.Taken
		// Every second first: empty pools join with both neighbours.
		for _, odd := range []int{1, 0} {
			for i := odd; i < len(live); i += 2 {
				require.Equal(t, i, *(*int)(live[i]))
				c.BinOf(live[i]).Free(live[i])
			}
		}
		c.Flush()
	}
	require.NoError(t, h.Close())
}

// TestLongRuns takes runs at and beside 64 pools, where lists of runs end and
// arenas do too, and beside several arenas; free ones join again.
func TestLongRuns(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	for pools := 3; pools < 400; pools = pools*9/8 + 1 {
		for _, n := range []int{pools*poolSize - 1, pools * poolSize, pools*poolSize + 1} {
			one, two, three := c.Alloc(n), c.Alloc(n), c.Alloc(n)
			one[0], two[n-1], three[n-1] = 1, 2, 3
			c.Free(one)
			c.Free(three)
			require.Equal(t, byte(2), two[n-1])
			c.Free(two)
		}
	}
	stats := h.Stats()
	require.Equal(t, stats.Taken, stats.Empty+stats.Released)
	whole := c.Alloc(int(stats.Taken)) // all pools are one run
	require.Equal(t, stats.Taken, h.Stats().Taken)
	c.Free(whole)
	for n := 62; n <= 66; n++ {
		b := c.Alloc(n * poolSize)
		require.Equal(t, n*poolSize, cap(b))
		c.Free(b)
	}
	stats = h.Stats()
	require.Equal(t, stats.Taken, stats.Empty+stats.Released)
	require.NoError(t, h.Close())
}

// TestPoolsServeAnyClass fills memory with one class after another.
func TestPoolsServeAnyClass(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	const bytes = 8 << 20
	for _, size := range classSizes() {
		live := make([]unsafe.Pointer, bytes/size)
		for i := range live {
			live[i] = c.Bin(size).Alloc()
		}
		for _, p := range live {
			c.Bin(size).Free(p)
		}
		c.Flush()
	}
	// What one class may keep: 16 batches in the depot and an empty span.
	require.LessOrEqual(t, h.Stats().Taken, int64(3*bytes+84*8*poolSize))
	require.NoError(t, h.Close())
}

// TestManyHeaps opens and closes heaps: nothing of them stays.
func TestManyHeaps(t *testing.T) {
	cycle := func() {
		var h general.Heap
		c := h.Acquire()
		for n := 1; n <= 4*threshold; n *= 2 {
			clear(c.Alloc(n))
		}
		require.Error(t, h.Close())
	}
	cycle()
	before, open := len(mappings(t)), reservations(t)
	for range 300 {
		cycle()
	}
	require.Equal(t, open, reservations(t))
	require.InDelta(t, before, len(mappings(t)), 20, "mappings stay behind") // Go's own change a little

	// Where int has 32 bits there is room for no more than a few.
	var heaps [3 + 17*(^uint(0)>>63)]general.Heap
	for i := range heaps {
		heaps[i].Free(heaps[i].Alloc(100))
	}
	require.Equal(t, open+len(heaps), reservations(t))
	for i := range heaps {
		require.NoError(t, heaps[i].Close())
	}
	require.Equal(t, open, reservations(t))
}

// alone runs f in a process of its own, where it may do what would end all
// tests.
func alone(t *testing.T, f func()) {
	t.Helper()
	const key = "GENERAL_TEST_ALONE"
	if os.Getenv(key) == t.Name() {
		f()
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.count=1", "-test.v")
	cmd.Env = append(os.Environ(), key+"="+t.Name())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: "+t.Name())
}

// inLittleSpace runs f in a process that gets so much more address space than
// it has, as under ulimit -v.
func inLittleSpace(t *testing.T, more uint64, f func()) {
	t.Helper()
	alone(t, func() {
		text, err := os.ReadFile("/proc/self/statm")
		require.NoError(t, err)
		pages, err := strconv.ParseUint(strings.Fields(string(text))[0], 10, 64)
		require.NoError(t, err)
		limit := pages*uint64(os.Getpagesize()) + more
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: limit, Max: limit}))
		f()
	})
}

// TestLittleSpace opens a heap where 64 GiB are not to be had, and uses all
// that is: out of memory is an error or nil, and what is freed serves again.
func TestLittleSpace(t *testing.T) {
	inLittleSpace(t, 240<<20, func() { // the rest is for Go's own memory
		var h general.Heap
		c := h.Acquire()
		require.Equal(t, int64(128<<20), h.Stats().Reserved)
		for _, size := range []int{threshold, 512, 5 * threshold, 3584} {
			var live []unsafe.Pointer
			for {
				p := c.Bin(size).Alloc()
				if p == nil {
					break
				}
				live = append(live, p)
			}
			require.Greater(t, len(live)*size, 100<<20, "blocks of %d bytes", size)
			for _, f := range []func(){func() { c.Alloc(size) }, func() { h.Alloc(size) }} {
				v := panicOf(f)
				err, ok := v.(error)
				require.True(t, ok, "%v", v)
				require.ErrorIs(t, err, general.HeapErrSystem)
				require.Contains(t, err.Error(), fmt.Sprint(size))
			}
			require.Nil(t, c.Bin(size).Alloc())
			c.BinOf(live[0]).Free(live[0])
			live[0] = c.Bin(size).Alloc()
			require.NotNil(t, live[0])
			for _, p := range live {
				c.BinOf(p).Free(p)
			}
			c.Flush()
		}
		require.NoError(t, h.Close())
	})
}

// TestNoSpace opens a heap where not even the least reservation is to be had.
func TestNoSpace(t *testing.T) {
	inLittleSpace(t, 40<<20, func() {
		before := reservations(t) // Go's own
		var h general.Heap
		for range 3 {
			err, ok := panicOf(func() { h.Alloc(1) }).(error)
			require.True(t, ok)
			require.True(t, errors.Is(err, general.HeapErrSystem), "%v", err)
			require.Contains(t, err.Error(), "general: Heap.Alloc")
		}
		require.Equal(t, before, reservations(t))
		require.Zero(t, h.Stats())
		require.NoError(t, h.Close())
	})
}

// TestCloseFindsFreedTwice holds that a Close which finds a block that was freed
// twice says so, and gives everything back all the same.
func TestCloseFindsFreedTwice(t *testing.T) {
	var h general.Heap
	c, other := h.Acquire(), h.Acquire()
	b := c.Alloc(64)
	c.Free(b)
	c.Free(b)
	before := reservations(t)
	require.ErrorContains(t, h.Close(), "block freed twice")
	require.NoError(t, h.Close())
	requirePanic(t, "use of closed Heap", func() { other.Alloc(64) })
	requirePanic(t, "use of closed Heap", func() { h.Alloc(64) })
	require.Equal(t, before-1, reservations(t), "the heap's address space is not given back")
}
