package general_test

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/allocgen/allocgen/generated/general"
)

// The numbers that the spec leaves at their defaults, written down a second
// time: what the generator computes from them must agree.
const (
	threshold = 32 << 10
	poolSize  = 16 << 10
	arenaSize = 1 << 20
	alignment = 16
)

// classSizes are 16-byte steps to 1 KiB, then four per doubling.
func classSizes() []int {
	var sizes []int
	for n := 16; n <= 1024; n += 16 {
		sizes = append(sizes, n)
	}
	for half := 1024; half < threshold; half *= 2 {
		for quarter := 1; quarter <= 4; quarter++ {
			sizes = append(sizes, half+quarter*half/4)
		}
	}
	return sizes
}

// panicOf runs f and returns what it panicked with.
func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// requirePanic runs f, which must panic with a text that names the package and
// holds part.
func requirePanic(t require.TestingT, part string, f func()) {
	v := panicOf(f)
	require.NotNil(t, v, "no panic; wanted one with %q", part)
	text := fmt.Sprint(v)
	require.True(t, strings.HasPrefix(text, "general: "), "%q does not name its package", text)
	require.Contains(t, text, part)
}

func address(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

// TestEverySize asks for every size up to four pools: the capacity is that of
// the smallest class that holds it, above the threshold whole pools.
func TestEverySize(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	sizes := classSizes()
	for n := 1; n <= 4*poolSize; n++ {
		want := (n + poolSize - 1) / poolSize * poolSize
		if n <= threshold {
			i, _ := slices.BinarySearch(sizes, n)
			want = sizes[i]
		}
		b := c.Alloc(n)
		if len(b) != n || cap(b) != want || uintptr(address(b))%alignment != 0 {
			require.FailNow(t, "wrong block", "%d bytes: len %d, cap %d (want %d) at %p", n, len(b), cap(b), want, b)
		}
		if c.BinOf(address(b)) != c.Bin(n) && n <= threshold {
			require.FailNow(t, "two bins", "%d bytes come from one bin and go to another", n)
		}
		c.Free(b)
	}
	require.NoError(t, h.Close())
}

// TestEveryBlock takes all blocks of three spans of every class, so that the
// last block of a span and the waste behind it are among them.
func TestEveryBlock(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	for _, size := range classSizes() {
		bin := c.Bin(size)
		blocks := make([]unsafe.Pointer, 0, 3*8*poolSize/size)
		for len(blocks) < cap(blocks) {
			p := bin.Alloc()
			*(*byte)(p) = 1
			*(*byte)(unsafe.Add(p, size-1)) = 2
			require.Same(t, bin, c.BinOf(p), "class %d", size)
			blocks = append(blocks, p)
		}
		slices.SortFunc(blocks, func(p, q unsafe.Pointer) int { return cmp.Compare(uintptr(p), uintptr(q)) })
		for i := 1; i < len(blocks); i++ {
			if uintptr(blocks[i])-uintptr(blocks[i-1]) < uintptr(size) {
				require.FailNow(t, "overlap", "class %d: %#x and %#x", size, blocks[i-1], blocks[i])
			}
		}
		for _, p := range blocks {
			bin.Free(p)
		}
		c.Flush()
		for _, s := range h.Stats().Classes {
			require.Zero(t, s.Used, "class %d", s.Size)
		}
	}
	require.NoError(t, h.Close())
}

// TestSmallSets frees sets of one to four blocks in every order and takes two
// more than that: a free list that hands its last block out for ever, or forgets
// one, shows.
func TestSmallSets(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	for _, size := range []int{1, 16, 1280, threshold} {
		for n := 1; n <= 4; n++ {
			permute(n, func(order []int) {
				set := make([][]byte, n)
				for i := range set {
					set[i] = c.Alloc(size)
				}
				for _, i := range order {
					c.Free(set[i])
				}
				seen := map[unsafe.Pointer]bool{}
				var again [][]byte
				for range n + 2 {
					b := c.Alloc(size)
					require.False(t, seen[address(b)], "handed out twice")
					seen[address(b)] = true
					again = append(again, b)
				}
				for _, b := range again {
					c.Free(b)
				}
			})
		}
	}
	require.NoError(t, h.Close())
}

// permute calls visit with every order of 0 to n-1.
func permute(n int, visit func([]int)) {
	var grow func(prefix []int)
	grow = func(prefix []int) {
		if len(prefix) == n {
			visit(prefix)
			return
		}
		for i := range n {
			if !slices.Contains(prefix, i) {
				grow(append(slices.Clone(prefix), i))
			}
		}
	}
	grow(nil)
}

// A block is what the oracle knows of a live one.
type block struct {
	b     []byte // with its whole capacity
	n     int    // as asked for
	stamp byte
}

func (k block) start() uintptr { return uintptr(address(k.b)) }

// probe visits both ends and up to 64 places between them.
func (k block) probe(visit func(at *byte, want byte)) {
	for i := 0; i < len(k.b); i += 1 + len(k.b)/64 {
		visit(&k.b[i], k.stamp+byte(i))
	}
	last := len(k.b) - 1
	visit(&k.b[last], k.stamp+byte(last))
}

// An oracle is a heap beside a model of its live blocks, sorted by address.
type oracle struct {
	heap   general.Heap
	caches [3]*general.HeapCache
	live   []block
	stamps byte
	lent   bool // the heap's own methods have a cache that no test can flush
}

// sizeOf draws sizes of every magnitude, and those beside a boundary often.
func sizeOf(t *rapid.T) int {
	sizes := classSizes()
	switch rapid.IntRange(0, 2).Draw(t, "kind of size") {
	case 0:
		return max(1, rapid.SampledFrom(sizes).Draw(t, "class")+rapid.IntRange(-1, 1).Draw(t, "beside"))
	case 1:
		return 1 << rapid.IntRange(0, 18).Draw(t, "magnitude")
	}
	return rapid.IntRange(1, 5*poolSize).Draw(t, "size")
}

func (o *oracle) cache(t *rapid.T) *general.HeapCache {
	return rapid.SampledFrom(o.caches[:]).Draw(t, "cache")
}

// add checks a fresh block against its neighbours and fills it.
func (o *oracle) add(t *rapid.T, k block) {
	require.GreaterOrEqual(t, len(k.b), k.n)
	require.Zero(t, k.start()%alignment)
	i, found := slices.BinarySearchFunc(o.live, k, func(a, b block) int { return cmp.Compare(a.start(), b.start()) })
	require.False(t, found, "%d bytes at %#x are in use", k.n, k.start())
	if i > 0 {
		before := o.live[i-1]
		require.LessOrEqual(t, before.start()+uintptr(len(before.b)), k.start(), "block overlaps the one before it")
	}
	if i < len(o.live) {
		require.LessOrEqual(t, k.start()+uintptr(len(k.b)), o.live[i].start(), "block overlaps the one behind it")
	}
	o.stamps += 37
	k.stamp = o.stamps
	k.probe(func(at *byte, want byte) { *at = want })
	o.live = slices.Insert(o.live, i, k)
}

func (o *oracle) alloc(t *rapid.T) {
	n, c := sizeOf(t), o.cache(t)
	form := rapid.SampledFrom([]string{"heap", "one-step", "two-step", "kept bin"}).Draw(t, "form")
	count := min(rapid.IntRange(1, 100).Draw(t, "count"), 1+1<<19/n)
	bin := c.Bin(min(n, threshold))
	for range count {
		var b []byte
		switch form {
		case "heap":
			o.lent = true
			b = o.heap.Alloc(n)
		case "one-step":
			b = c.Alloc(n)
		case "two-step":
			b = unsafe.Slice((*byte)(c.Bin(n).Alloc()), n)
		case "kept bin":
			n = min(n, threshold)
			b = unsafe.Slice((*byte)(bin.Alloc()), n)
		}
		o.add(t, block{b: b[:cap(b)], n: n})
	}
}

// check looks at the contents of a block that is about to go.
func check(t *rapid.T, k block) {
	k.probe(func(at *byte, want byte) {
		if *at != want {
			require.FailNow(t, "contents changed", "%d bytes at %#x: %d, not %d", k.n, k.start(), *at, want)
		}
	})
}

func (o *oracle) free(t *rapid.T) {
	if len(o.live) == 0 {
		t.Skip("nothing to free")
	}
	c := o.cache(t)
	form := rapid.SampledFrom([]string{"heap", "one-step", "emptied", "two-step", "sized"}).Draw(t, "form")
	// Runs of neighbours empty whole spans, so that they change their class.
	first := rapid.IntRange(0, len(o.live)-1).Draw(t, "first")
	count := min(rapid.IntRange(1, 120).Draw(t, "count"), len(o.live)-first)
	for _, k := range o.live[first : first+count] {
		check(t, k)
		switch form {
		case "heap":
			o.lent = true
			o.heap.Free(k.b)
		case "one-step":
			c.Free(k.b[:k.n])
		case "emptied":
			c.Free(k.b[:0])
		case "two-step":
			c.BinOf(address(k.b)).Free(address(k.b))
		case "sized":
			if k.n <= threshold {
				c.Bin(k.n).Free(address(k.b))
			} else {
				c.Free(k.b)
			}
		}
	}
	o.live = slices.Delete(o.live, first, first+count)
}

// cycle releases a cache, frees a block through what is left of it, and takes
// another one.
func (o *oracle) cycle(t *rapid.T) {
	i := rapid.IntRange(0, len(o.caches)-1).Draw(t, "cache")
	o.caches[i].Release()
	if len(o.live) > 0 {
		o.caches[i].Free(o.live[0].b)
		o.live = o.live[1:]
	}
	o.caches[i] = o.heap.Acquire()
}

// balance compares the heap's numbers with each other and with the model.
func (o *oracle) balance(t *rapid.T) {
	stats := o.heap.Stats()
	var live, bytes, large, largeBytes int64
	sizes := classSizes()
	for _, k := range o.live {
		if k.n <= threshold {
			i, _ := slices.BinarySearch(sizes, k.n)
			live++
			bytes += int64(sizes[i])
		} else {
			large++
			largeBytes += int64((k.n + poolSize - 1) / poolSize * poolSize)
		}
	}
	var used int64
	for _, s := range stats.Classes {
		used += s.Used
		require.GreaterOrEqual(t, s.Free, int64(0))
	}
	require.GreaterOrEqual(t, used, live)
	require.Equal(t, large, int64(stats.LargeBlocks))
	require.Equal(t, largeBytes, stats.Large)
	balanced(t, stats, live, bytes+largeBytes)
}

// end frees everything: all numbers go to zero, and Close has nothing to say.
func (o *oracle) end(t *rapid.T) {
	for _, k := range o.live {
		check(t, k)
		o.caches[0].Free(k.b)
	}
	for _, c := range o.caches {
		c.Flush()
	}
	stats := o.heap.Stats()
	require.Zero(t, stats.Large)
	require.Zero(t, stats.LargeBlocks)
	for _, s := range stats.Classes {
		if !o.lent {
			require.Zero(t, s.Used, "class %d", s.Size)
		}
	}
	require.NoError(t, o.heap.Close())
}

// TestOracle does what users may do, in every form and through any cache: live
// blocks never overlap, keep their contents, and the heap's numbers add up.
func TestOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := new(oracle)
		for i := range o.caches {
			o.caches[i] = o.heap.Acquire()
		}
		t.Repeat(map[string]func(*rapid.T){
			"alloc": o.alloc,
			"more":  o.alloc,
			"free":  o.free,
			"less":  o.free,
			"flush": func(t *rapid.T) { o.cache(t).Flush() },
			"cycle": o.cycle,
			"":      o.balance,
		})
		o.end(t)
	})
}

// TestNothing tries the requests and frees that concern no block.
func TestNothing(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	for range 2 {
		for _, b := range [][]byte{h.Alloc(0), c.Alloc(0)} {
			require.NotNil(t, b)
			require.Empty(t, b)
			require.Zero(t, cap(b))
			c.Free(b)
			h.Free(b)
		}
		block := c.Alloc(100)
		for _, b := range [][]byte{nil, {}, make([]byte, 0), block[:0:0], block[cap(block):cap(block)]} {
			c.Free(b)
			h.Free(b)
		}
		c.Free(block)
		c.BinOf(nil).Free(nil)
		c.Bin(0).Free(nil)
		require.Nil(t, c.Bin(0).Alloc())
		require.Equal(t, h.Stats(), h.Stats())
	}
	require.NoError(t, h.Close())

	var unused general.Heap
	require.Zero(t, unused.Stats())
	require.NoError(t, unused.Close())
}

// TestImpossibleSizes asks for what no memory holds, by each form. Nothing is
// lost by it: the heap serves the next request.
func TestImpossibleSizes(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	for _, n := range []int{-1, -16, math.MinInt, math.MinInt + 1} {
		requirePanic(t, fmt.Sprint("negative size ", n), func() { c.Alloc(n) })
		requirePanic(t, fmt.Sprint("negative size ", n), func() { h.Alloc(n) })
		requirePanic(t, fmt.Sprint("negative size ", n), func() { c.Bin(n) })
	}
	for back := range 20 {
		for _, n := range []int{math.MaxInt - back*997, math.MaxInt - back, math.MaxInt>>1 + back} {
			for _, f := range []func(){func() { c.Alloc(n) }, func() { h.Alloc(n) }} {
				err, ok := panicOf(f).(error)
				require.True(t, ok, "%d bytes: the panic is no error", n)
				require.ErrorIs(t, err, general.HeapErrSystem)
				require.Contains(t, err.Error(), fmt.Sprint(n))
			}
			require.Nil(t, c.Bin(n).Alloc())
		}
	}
	b := c.Alloc(threshold + 1)
	clear(b)
	c.Free(b)
	require.Zero(t, h.Stats().Large)
	require.NoError(t, h.Close())
}

// TestUntakenLargeBlock asks for a large block by Bin and does not take it.
func TestUntakenLargeBlock(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	for range 3 {
		c.Bin(2 * threshold)
	}
	require.Zero(t, h.Stats().LargeBlocks)

	bin := c.Bin(3 * threshold)
	p := bin.Alloc()
	requirePanic(t, "serves one call", func() { bin.Alloc() })
	c.Bin(3 * threshold).Free(p)
	require.Zero(t, h.Stats().LargeBlocks)

	c.Bin(2 * threshold)
	c.Release()
	require.Zero(t, h.Stats().LargeBlocks)
	h.Acquire().Bin(2 * threshold)
	require.NoError(t, h.Close())
}

// TestLargeBinKept uses a bin of a large size more often than it serves.
func TestLargeBinKept(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	bin := c.Bin(1 << 20)
	p := bin.Alloc()
	bin.Free(p) // goes straight back
	require.Zero(t, h.Stats().LargeBlocks)
	requirePanic(t, "not a block", func() { c.BinOf(p).Free(p) })
	requirePanic(t, "serves one call", func() { bin.Alloc() })
	q := c.Alloc(1 << 20)
	c.Bin(1 << 20)
	require.Equal(t, 1, h.Stats().LargeBlocks, "q is still there")

	small := c.Bin(64).Alloc()
	bin.Free(small) // by its address, whatever the bin
	c.Free(q)
	c.Release()
	require.NoError(t, h.Close())
}

// TestClosedHeapIsSmall holds that a closed heap keeps no records of its memory.
func TestClosedHeapIsSmall(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var h general.Heap
	c := h.Acquire()
	c.Free(c.Alloc(256 << 20))
	c.Release()
	require.NoError(t, h.Close())
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(1<<20))
	runtime.KeepAlive(&h)
}
