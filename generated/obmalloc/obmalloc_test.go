package obmalloc_test

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/allocgen/allocgen/generated/obmalloc"
)

// CPython's numbers since 3.10, and what follows from them.
const (
	threshold = 512
	step      = 16
)

func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

func requirePanic(t require.TestingT, part string, f func()) {
	v := panicOf(f)
	require.NotNil(t, v, "no panic; wanted one with %q", part)
	text := fmt.Sprint(v)
	require.True(t, strings.HasPrefix(text, "obmalloc: "), "%q does not name its package", text)
	require.Contains(t, text, part)
}

func address(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

// TestClasses holds CPython's table: 32 classes 16 bytes apart; above the
// threshold the slice that make returns.
func TestClasses(t *testing.T) {
	var h obmalloc.Heap
	c := h.Acquire()
	for n := 1; n <= threshold; n++ {
		b := c.Alloc(n)
		require.Len(t, b, n)
		require.Equal(t, (n+step-1)/step*step, cap(b))
		require.Zero(t, uintptr(address(b))%step)
		require.Same(t, c.Bin(n), c.BinOf(address(b)))
		c.Free(b)
	}
	live := make([][]byte, 0, threshold)
	for n := range cap(live) {
		live = append(live, c.Alloc(n+1))
	}
	require.Len(t, h.Stats().Classes, 32)
	for _, b := range live {
		c.Free(b)
	}
	for _, n := range []int{threshold + 1, threshold + 16, 1 << 20} {
		b := c.Alloc(n)
		require.Len(t, b, n)
		require.Equal(t, n, cap(b))
		require.Equal(t, make([]byte, n), b)
	}
	require.NoError(t, h.Close())
}

// A block is what TestOracle knows of a live one.
type block struct {
	b     []byte
	stamp byte
}

func (k block) start() uintptr { return uintptr(address(k.b)) }

// TestOracle allocates and frees on both sides of the threshold, in all forms,
// through two caches and the heap: blocks never overlap and keep their bytes.
func TestOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h obmalloc.Heap
		caches := []*obmalloc.HeapCache{h.Acquire(), h.Acquire()}
		var live []block // by address
		var stamps byte
		lent := false
		alloc := func(t *rapid.T) {
			c := rapid.SampledFrom(caches).Draw(t, "cache")
			n := rapid.IntRange(1, threshold+32).Draw(t, "size")
			form := rapid.SampledFrom([]string{"heap", "one-step", "two-step"}).Draw(t, "form")
			for range rapid.IntRange(1, 150).Draw(t, "count") {
				var b []byte
				switch {
				case form == "heap":
					lent = true
					b = h.Alloc(n)
				case form == "two-step" && n <= threshold:
					b = unsafe.Slice((*byte)(c.Bin(n).Alloc()), n)
				default:
					b = c.Alloc(n)
				}
				b = b[:cap(b)]
				stamps += 31
				k := block{b, stamps}
				i, found := slices.BinarySearchFunc(live, k, func(a, b block) int { return cmp.Compare(a.start(), b.start()) })
				require.False(t, found, "in use")
				require.True(t, i == 0 || live[i-1].start()+uintptr(len(live[i-1].b)) <= k.start(), "overlap")
				require.True(t, i == len(live) || k.start()+uintptr(len(b)) <= live[i].start(), "overlap")
				for at := range b {
					b[at] = k.stamp
				}
				live = slices.Insert(live, i, k)
			}
		}
		free := func(t *rapid.T) {
			if len(live) == 0 {
				t.Skip("nothing to free")
			}
			c := rapid.SampledFrom(caches).Draw(t, "cache")
			form := rapid.SampledFrom([]string{"heap", "one-step", "two-step", "sized"}).Draw(t, "form")
			first := rapid.IntRange(0, len(live)-1).Draw(t, "first")
			count := min(rapid.IntRange(1, 200).Draw(t, "count"), len(live)-first)
			for _, k := range live[first : first+count] {
				for at, v := range k.b {
					if v != k.stamp {
						require.FailNow(t, "contents changed", "byte %d of %d: %d, not %d", at, len(k.b), v, k.stamp)
					}
				}
				switch {
				case form == "heap":
					lent = true
					h.Free(k.b)
				case form == "two-step":
					c.BinOf(address(k.b)).Free(address(k.b)) // ignored above the threshold
				case form == "sized" && len(k.b) <= threshold:
					c.Bin(len(k.b)).Free(address(k.b))
				default:
					c.Free(k.b[:0])
				}
			}
			live = slices.Delete(live, first, first+count)
		}
		t.Repeat(map[string]func(*rapid.T){
			"alloc": alloc,
			"free":  free,
			"less":  free,
			"flush": func(t *rapid.T) { rapid.SampledFrom(caches).Draw(t, "cache").Flush() },
			"cycle": func(*rapid.T) { caches[0].Release(); caches[0] = h.Acquire() },
		})
		for _, k := range live {
			caches[1].Free(k.b)
		}
		for _, c := range caches {
			c.Flush()
		}
		for _, s := range h.Stats().Classes {
			require.True(t, lent || s.Used == 0, "class %d", s.Size)
		}
		require.NoError(t, h.Close())
	})
}

// TestLargeIsGo holds what the package doc says of requests above the
// threshold: they are Go's memory, Free ignores them, and with them every address
// outside the heap; the two-step form refuses them.
func TestLargeIsGo(t *testing.T) {
	var h, other obmalloc.Heap
	c := h.Acquire()
	large := c.Alloc(threshold + 1)
	theirs := other.Alloc(64)
	before := h.Stats()
	for range 2 {
		for _, b := range [][]byte{large, large[100:], make([]byte, 8), theirs, append(make([]byte, 0, 8), 1), nil, {}} {
			c.Free(b)
			h.Free(b)
			c.BinOf(address(b)).Free(address(b))
		}
	}
	clear(large)
	after := h.Stats()
	after.Caches = before.Caches // h.Free has made one
	require.Equal(t, before, after)
	for _, n := range []int{threshold + 1, 1 << 20, math.MaxInt} {
		requirePanic(t, "above the threshold", func() { c.Bin(n) })
	}
	require.NoError(t, h.Close())
	other.Free(theirs)
	require.NoError(t, other.Close())
}

// TestLargeIsCollected allocates 1 GiB of large blocks without a Free: Go's
// collector takes them back.
func TestLargeIsCollected(t *testing.T) {
	var h obmalloc.Heap
	c := h.Acquire()
	for range 256 {
		c.Free(c.Alloc(4 << 20))
	}
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	require.Less(t, stats.HeapAlloc, uint64(256<<20))
	require.NoError(t, h.Close())
}

// TestSizes tries the sizes that are none.
func TestSizes(t *testing.T) {
	var h obmalloc.Heap
	c := h.Acquire()
	for _, n := range []int{-1, math.MinInt} {
		requirePanic(t, fmt.Sprint("negative size ", n), func() { c.Alloc(n) })
		requirePanic(t, fmt.Sprint("negative size ", n), func() { h.Alloc(n) })
		requirePanic(t, fmt.Sprint("negative size ", n), func() { c.Bin(n) })
	}
	b := c.Alloc(0)
	require.NotNil(t, b)
	require.Zero(t, cap(b))
	c.Free(b)
	require.Nil(t, c.Bin(0).Alloc())
	require.NoError(t, h.Close())
}

// TestOutOfMemory asks for more than any memory holds. Where int has 32 bits, Go
// ends the process instead of refusing.
func TestOutOfMemory(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("make of half of the address space is fatal")
	}
	var h obmalloc.Heap
	c := h.Acquire()
	for _, n := range []int{math.MaxInt, math.MaxInt - 15, math.MaxInt / 2} {
		for _, f := range []func(){func() { c.Alloc(n) }, func() { h.Alloc(n) }} {
			err, ok := panicOf(f).(error)
			require.True(t, ok)
			require.ErrorIs(t, err, obmalloc.HeapErrSystem, "%d bytes: %v", n, err)
		}
	}
	c.Free(c.Alloc(100))
	require.NoError(t, h.Close())
}

// TestMisuse frees what may not be freed: all is found when it goes back, in Go
// memory at once, and after that nothing is wrong with the heap.
func TestMisuse(t *testing.T) {
	var h obmalloc.Heap
	c := h.Acquire()
	stay, b := c.Alloc(64), c.Alloc(64)
	for _, at := range []int{1, 16, 63} {
		requirePanic(t, "an address inside a block", func() {
			c.Free(b[at:])
			c.Flush()
		})
	}
	requirePanic(t, "not a block of this class", func() {
		c.Bin(32).Free(address(b))
		c.Flush()
	})
	requirePanic(t, "block freed twice", func() {
		c.Free(b)
		c.Free(b)
		c.Flush()
	})
	c.Free(stay)
	late, large := c.Alloc(64), c.Alloc(threshold+1)
	c.Release()
	requirePanic(t, "use of released HeapCache", func() { c.Alloc(1) })
	requirePanic(t, "use of released HeapCache", func() { c.Alloc(threshold + 1) })
	requirePanic(t, "use of released HeapCache", c.Release)
	c.Free(late)
	c.Free(large)
	require.NoError(t, h.Close())
	requirePanic(t, "use of closed Heap", func() { c.Alloc(1) })
	requirePanic(t, "use of closed Heap", func() { c.Alloc(threshold + 1) })
	requirePanic(t, "use of closed Heap", func() { c.Free(late) })
	requirePanic(t, "use of closed Heap", func() { h.Acquire() })
	require.NoError(t, h.Close())
}

// TestGoroutines passes blocks of both kinds from allocating goroutines to
// freeing ones.
func TestGoroutines(t *testing.T) {
	const senders, each = 8, 5000
	var h obmalloc.Heap
	work := make(chan []byte, 100)
	for id := range senders {
		go func() {
			c := h.Acquire()
			for i := range each {
				b := c.Alloc(1 + i%(threshold+50))
				for at := range b {
					b[at] = byte(id)
				}
				work <- b
			}
			c.Release() // before the last word: Close must not run beside it
			work <- nil
		}()
	}
	c := h.Acquire()
	for open := senders; open > 0; {
		b := <-work
		if b == nil {
			open--
			continue
		}
		for _, v := range b {
			if v != b[0] || v >= senders {
				require.FailNow(t, "two owners", "%d and %d", v, b[0])
			}
		}
		c.Free(b)
	}
	c.Release()
	for _, s := range h.Stats().Classes {
		require.Zero(t, s.Used, "class %d", s.Size)
	}
	require.NoError(t, h.Close())
}
