package pylist_test

import (
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/allocgen/allocgen/generated/pylist"
)

// A list is what all generated lists of T have.
type list[T any] interface {
	Len() int
	Cap() int
	Slice() []T
	At(int) T
	Set(int, T)
	Append(T)
	AppendSlice([]T)
	Resize(int)
	Pop() (T, bool)
	Clear()
	Release()
}

var (
	_ list[int64]   = (*pylist.Ints)(nil)
	_ list[float64] = (*pylist.Floats)(nil)
	_ list[uint32]  = (*pylist.Words)(nil)
)

// threshold is in bytes: buffers above it are Go's memory.
const threshold = 512

func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

func requirePanic(t require.TestingT, part string, f func()) {
	v := panicOf(f)
	require.NotNil(t, v, "no panic; wanted one with %q", part)
	text := fmt.Sprint(v)
	require.True(t, strings.HasPrefix(text, "pylist: "), "%q does not name its package", text)
	require.Contains(t, text, part)
}

// used is how many blocks have users; no cache keeps any.
func used(h *pylist.Heap, caches ...*pylist.HeapCache) (n int64) {
	for _, c := range caches {
		c.Flush()
	}
	for _, s := range h.Stats().Classes {
		n += s.Used
	}
	return n
}

// TestAppendCapacities is the golden sequence of CPython 3.9 and later: the
// capacities of a list that 1000 items are appended to, in 28 reallocations.
func TestAppendCapacities(t *testing.T) {
	var h pylist.Heap
	c := h.Acquire()
	l := c.NewInts(0)
	capacities, moves := fmt.Sprint(l.Cap()), 0
	for i := range 1000 {
		before := l.Cap()
		l.Append(int64(i))
		if l.Cap() != before {
			moves++
			if l.Cap() <= 1000 {
				capacities += fmt.Sprint(" ", l.Cap())
			}
		}
	}
	require.Equal(t, "0 4 8 16 24 32 40 52 64 76 92 108 128 148 172 200 232 268 308 352 400 456 520 592 672 760 860 972", capacities)
	require.Equal(t, 28, moves)
	require.Equal(t, 1100, l.Cap())
	for i, v := range l.Slice() {
		require.Equal(t, int64(i), v)
	}
	l.Release()
	require.NoError(t, h.Close())
}

// TestPopCapacities is the other golden sequence: 200 items are popped; at the
// last one the buffer goes.
func TestPopCapacities(t *testing.T) {
	var h pylist.Heap
	c := h.Acquire()
	l := c.NewInts(0)
	for i := range 200 {
		l.Append(int64(i))
	}
	require.Equal(t, 200, l.Cap())
	var changes []string
	for i := 199; i >= 0; i-- {
		before := l.Cap()
		v, ok := l.Pop()
		require.True(t, ok)
		require.Equal(t, int64(i), v)
		if l.Cap() != before {
			changes = append(changes, fmt.Sprintf("%d:%d", l.Len(), l.Cap()))
		}
	}
	require.Equal(t, "99:116 57:68 33:40 19:24 11:16 7:12 5:8 1:4 0:0", strings.Join(changes, " "))
	require.Nil(t, l.Slice())
	require.Zero(t, used(&h, c))
	_, ok := l.Pop()
	require.False(t, ok)
	require.NoError(t, h.Close())
}

// TestZeroReleases resizes lists of every small capacity to 0, by each way: the
// buffer goes at once, from capacity 1 too, where CPython's fast path would keep it.
func TestZeroReleases(t *testing.T) {
	var h pylist.Heap
	c := h.Acquire()
	for capacity := 1; capacity <= 2*threshold/8; capacity++ {
		for n := 0; n <= min(capacity, 2); n++ {
			for name, empty := range map[string]func(*pylist.Ints){
				"Resize":  func(l *pylist.Ints) { l.Resize(0) },
				"Clear":   func(l *pylist.Ints) { l.Clear() },
				"Release": func(l *pylist.Ints) { l.Release() },
				"Pop": func(l *pylist.Ints) {
					if l.Len() == 0 {
						l.Append(0)
					}
					for l.Len() > 0 {
						l.Pop()
					}
				},
			} {
				l := c.NewInts(capacity)
				require.Equal(t, capacity, l.Cap())
				require.NotNil(t, l.Slice())
				require.Empty(t, l.Slice())
				for i := range n {
					l.Append(int64(i))
				}
				require.Equal(t, capacity, l.Cap(), "room for %d items was asked for", capacity)
				empty(&l)
				require.Zero(t, l.Len(), name)
				require.Zero(t, l.Cap(), name)
				require.Nil(t, l.Slice(), name)
				l.Append(7) // usable again
				require.Equal(t, 4, l.Cap())
				require.Equal(t, []int64{7}, l.Slice())
				l.Release()
			}
		}
	}
	require.Zero(t, used(&h, c))
	require.NoError(t, h.Close())
}

// TestJumps grows by more than the slack would be: no slack, but a multiple of 4.
func TestJumps(t *testing.T) {
	var h pylist.Heap
	c := h.Acquire()
	for from := range 40 {
		for to := from + 1; to < 300; to++ {
			resized, appended := c.NewInts(0), c.NewInts(0)
			for i := range from {
				resized.Append(int64(i))
				appended.Append(int64(i))
			}
			want := resize(from, resized.Cap(), to)
			if to-from > 100 {
				require.Equal(t, (to+3)/4*4, want, "the rule itself")
			}
			resized.Resize(to)
			appended.AppendSlice(make([]int64, to-from))
			require.Equal(t, want, resized.Cap(), "Resize from %d to %d", from, to)
			require.Equal(t, want, appended.Cap(), "AppendSlice from %d to %d", from, to)
			require.Equal(t, resized.Slice(), appended.Slice())
			resized.Release()
			appended.Release()
		}
	}
	require.Zero(t, used(&h, c))
	require.NoError(t, h.Close())
}

// resize is list_resize of CPython 3.9 and later: the capacity after it. At 0 the
// buffer goes before anything else is asked.
func resize(length, capacity, to int) int {
	if to == 0 {
		return 0
	}
	if capacity >= to && to >= capacity/2 {
		return capacity
	}
	slots := (to + to/8 + 6) / 4 * 4
	if to-length > slots-to {
		slots = (to + 3) / 4 * 4
	}
	return slots
}

// A machine is a list beside a slice that holds the same, and the capacity that
// CPython's rule gives.
type machine[T comparable] struct {
	list     list[T]
	model    []T
	capacity int
	item     func(int) T
	next     int
	most     int // items
}

func (m *machine[T]) draw() T { m.next++; return m.item(m.next) }

// outside gives an index that a slice of that length has not.
func outside(t *rapid.T, n int) int {
	return rapid.SampledFrom([]int{-1, n, n + 1, math.MinInt, math.MaxInt, math.MaxInt/8 + 1, -n - 1}).Draw(t, "index")
}

func (m *machine[T]) actions() map[string]func(*rapid.T) {
	appends := func(t *rapid.T) {
		for range rapid.IntRange(1, 40).Draw(t, "items") {
			v := m.draw()
			m.list.Append(v)
			if len(m.model) == m.capacity {
				m.capacity = resize(len(m.model), m.capacity, len(m.model)+1)
			}
			m.model = append(m.model, v)
		}
	}
	pops := func(t *rapid.T) {
		for range rapid.IntRange(1, 60).Draw(t, "items") {
			v, ok := m.list.Pop()
			require.Equal(t, len(m.model) > 0, ok)
			if !ok {
				require.Zero(t, v)
				return
			}
			last := len(m.model) - 1
			require.Equal(t, m.model[last], v)
			m.capacity = resize(len(m.model), m.capacity, last)
			m.model = m.model[:last]
		}
	}
	extend := func(t *rapid.T, vs, model []T) {
		n := len(m.model) + len(vs)
		m.list.AppendSlice(vs)
		if n > m.capacity {
			m.capacity = resize(len(m.model), m.capacity, n)
		}
		m.model = append(m.model, model...)
	}
	return map[string]func(*rapid.T){
		"Append": appends,
		"Pop":    pops,
		"pop":    pops,
		"AppendSlice": func(t *rapid.T) {
			vs := make([]T, rapid.IntRange(0, 200).Draw(t, "items"))
			for i := range vs {
				vs[i] = m.draw()
			}
			extend(t, vs, vs)
		},
		"AppendSlice of itself": func(t *rapid.T) {
			if len(m.model) > m.most {
				t.Skip("large enough")
			}
			low := rapid.IntRange(0, len(m.model)).Draw(t, "low")
			high := rapid.IntRange(low, len(m.model)).Draw(t, "high")
			extend(t, m.list.Slice()[low:high], append([]T(nil), m.model[low:high]...))
		},
		"Resize": func(t *rapid.T) {
			n := rapid.OneOf(rapid.IntRange(0, 70), rapid.IntRange(0, 2*m.most),
				rapid.Just(len(m.model)), rapid.Just(m.capacity), rapid.Just(m.capacity/2), rapid.Just(m.capacity/2-1)).
				Filter(func(n int) bool { return n >= 0 }).Draw(t, "length")
			m.list.Resize(n)
			m.capacity = resize(len(m.model), m.capacity, n)
			for len(m.model) < n {
				m.model = append(m.model, *new(T))
			}
			m.model = m.model[:n:n]
		},
		"Set": func(t *rapid.T) {
			if len(m.model) == 0 {
				t.Skip("no item")
			}
			i := rapid.IntRange(0, len(m.model)-1).Draw(t, "index")
			m.model[i] = m.draw()
			m.list.Set(i, m.model[i])
			require.Equal(t, m.model[i], m.list.At(i))
		},
		"out of range": func(t *rapid.T) {
			i := outside(t, len(m.model))
			for _, f := range []func(){func() { m.list.At(i) }, func() { m.list.Set(i, *new(T)) }} {
				err, ok := panicOf(f).(runtime.Error)
				require.True(t, ok, "index %d of %d items: no runtime error", i, len(m.model))
				require.Contains(t, err.Error(), "index out of range")
			}
		},
		"impossible": func(t *rapid.T) {
			n := rapid.SampledFrom([]int{-1, math.MinInt, math.MaxInt, math.MaxInt / 2, math.MaxInt/2 + 1}).Draw(t, "length")
			requirePanic(t, fmt.Sprint("length out of range: ", n), func() { m.list.Resize(n) })
		},
		"Clear":   func(*rapid.T) { m.list.Clear(); m.model, m.capacity = nil, 0 },
		"Release": func(*rapid.T) { m.list.Release(); m.model, m.capacity = nil, 0 },
		"":        m.check,
	}
}

func (m *machine[T]) check(t *rapid.T) {
	require.Equal(t, len(m.model), m.list.Len())
	require.Equal(t, m.capacity, m.list.Cap(), "capacity at %d items", len(m.model))
	view := m.list.Slice()
	require.Equal(t, view == nil, m.capacity == 0, "the buffer is nil if and only if the capacity is 0")
	require.Len(t, view, len(m.model))
	require.Equal(t, cap(view), len(view), "append to a view would write into the list")
	for i, v := range m.model {
		if view[i] != v || m.list.At(i) != v {
			require.FailNow(t, "wrong item", "item %d of %d: %v, not %v", i, len(view), view[i], v)
		}
	}
}

// run drives a list of one type, with neighbours in the same cache whose items
// must stay as they are.
func run[T comparable](t *testing.T, create func(*pylist.HeapCache, int) list[T], item func(int) T) {
	rapid.Check(t, func(t *rapid.T) {
		var h pylist.Heap
		c := h.Acquire()
		size := int(unsafe.Sizeof(*new(T)))
		var machines []*machine[T]
		actions := map[string]func(*rapid.T){}
		for i := range 3 {
			capacity := rapid.IntRange(0, 2*threshold/size).Draw(t, "capacity")
			m := &machine[T]{list: create(c, capacity), capacity: capacity, item: item, next: i << 20, most: 4 * threshold / size}
			machines = append(machines, m)
		}
		pick := func(name string) func(*rapid.T) {
			return func(t *rapid.T) { rapid.SampledFrom(machines).Draw(t, "list").actions()[name](t) }
		}
		for name := range machines[0].actions() {
			actions[name] = pick(name)
		}
		actions[""] = func(t *rapid.T) {
			for _, m := range machines {
				m.check(t)
			}
		}
		t.Repeat(actions)
		var buffers int64
		for _, m := range machines {
			if m.capacity > 0 && m.capacity*size <= threshold {
				buffers++
			}
		}
		require.Equal(t, buffers, used(&h, c), "blocks")
		for _, m := range machines {
			m.list.Release()
		}
		require.Zero(t, used(&h, c))
		require.NoError(t, h.Close())
	})
}

func TestInts(t *testing.T) {
	run(t, func(c *pylist.HeapCache, n int) list[int64] { l := c.NewInts(n); return &l },
		func(i int) int64 { return -int64(i) << 33 })
}

func TestFloats(t *testing.T) {
	run(t, func(c *pylist.HeapCache, n int) list[float64] { l := c.NewFloats(n); return &l },
		func(i int) float64 { return 1 / float64(i) })
}

func TestWords(t *testing.T) {
	run(t, func(c *pylist.HeapCache, n int) list[uint32] { l := c.NewWords(n); return &l },
		func(i int) uint32 { return uint32(i) * 2654435761 })
}

// TestRoom holds that a list with room for n items takes n without a move.
func TestRoom(t *testing.T) {
	var h pylist.Heap
	c := h.Acquire()
	for n := 1; n <= 200; n++ {
		l := c.NewWords(n)
		first := unsafe.SliceData(l.Slice())
		for i := range n {
			l.Append(uint32(i))
		}
		require.Same(t, first, unsafe.SliceData(l.Slice()))
		require.Equal(t, n, l.Cap())
		l.Release()
	}
	require.NoError(t, h.Close())
}

// TestImpossibleCapacities makes lists with room that no memory has.
func TestImpossibleCapacities(t *testing.T) {
	var h pylist.Heap
	c := h.Acquire()
	for _, n := range []int{-1, math.MinInt, math.MaxInt, math.MaxInt / 8, math.MaxInt/2 + 1} {
		requirePanic(t, fmt.Sprint("Ints: length out of range: ", n), func() { l := c.NewInts(n); l.Release() })
		requirePanic(t, fmt.Sprint("Floats: length out of range: ", n), func() { l := c.NewFloats(n); l.Release() })
	}
	requirePanic(t, "Words: length out of range: -1", func() { l := c.NewWords(-1); l.Release() })
	l := c.NewInts(0)
	l.AppendSlice([]int64{1, 2, 3})
	for _, n := range []int{-1, math.MinInt, math.MaxInt, math.MaxInt / 8} {
		requirePanic(t, fmt.Sprint("Ints.Resize: length out of range: ", n), func() { l.Resize(n) })
	}
	require.Equal(t, []int64{1, 2, 3}, l.Slice())
	require.Equal(t, 8, l.Cap())
	l.Release()
	require.NoError(t, h.Close())
}

// TestOutOfMemory asks for lengths that could be, but not in this machine's
// memory. The list stays as it is. Where int has 32 bits, Go ends the process
// instead of refusing.
func TestOutOfMemory(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("make of half of the address space is fatal")
	}
	var h pylist.Heap
	c := h.Acquire()
	l := c.NewInts(0)
	l.Append(1)
	for name, f := range map[string]func(n int){
		"Resize":  func(n int) { l.Resize(n) },
		"NewInts": func(n int) { m := c.NewInts(n); m.Release() },
	} {
		err, ok := panicOf(func() { f(math.MaxInt / 64) }).(error)
		require.True(t, ok)
		require.ErrorIs(t, err, pylist.HeapErrSystem, "%s: %v", name, err)
	}
	require.Equal(t, []int64{1}, l.Slice())
	l.Release()
	require.NoError(t, h.Close())
}

// TestZeroValue uses lists that no cache made: what needs a buffer panics by name.
func TestZeroValue(t *testing.T) {
	var ints pylist.Ints
	for _, f := range []func(){
		func() { ints.Append(1) },
		func() { ints.AppendSlice([]int64{1}) },
		func() { ints.Resize(1) },
	} {
		requirePanic(t, "Ints: not made by NewInts", f)
	}
	require.Zero(t, ints.Len())
	require.Zero(t, ints.Cap())
	require.Empty(t, ints.Slice())
	ints.AppendSlice(nil)
	ints.Resize(0)
	ints.Clear()
	ints.Release()
	_, ok := ints.Pop()
	require.False(t, ok)
	require.Panics(t, func() { ints.At(0) })

	var floats pylist.Floats
	requirePanic(t, "Floats: not made by NewFloats", func() { floats.Append(1) })
	var words pylist.Words
	requirePanic(t, "Words: not made by NewWords", func() { words.Resize(1000) })
}

// TestAcrossThreshold takes buffers above the threshold and back, item by item
// and in jumps: no block stays behind, and the items come along.
func TestAcrossThreshold(t *testing.T) {
	var h pylist.Heap
	c := h.Acquire()
	l := c.NewInts(0)
	most := 4 * threshold / 8
	for range 5 {
		for i := range most {
			l.Append(int64(i))
			small := int64(1)
			if l.Cap()*8 > threshold {
				small = 0
			}
			if i%7 == 0 {
				require.Equal(t, small, used(&h, c), "%d items, room for %d", l.Len(), l.Cap())
			}
		}
		runtime.GC() // the buffer is Go's, and only the list knows it
		for i := most - 1; i >= 0; i-- {
			require.Equal(t, int64(i), l.At(i))
			v, ok := l.Pop()
			require.True(t, ok)
			require.Equal(t, int64(i), v)
		}
		require.Zero(t, used(&h, c))
	}
	for _, n := range []int{64, 65, 1 << 16, 64, 1, 1 << 20, 3, 0, 65, 0} {
		before := append([]int64(nil), l.Slice()...)
		l.Resize(n)
		for i, v := range l.Slice() {
			want := int64(0)
			if i < len(before) {
				want = before[i]
			}
			require.Equal(t, want, v)
			l.Set(i, int64(i)+1)
		}
	}
	require.Zero(t, used(&h, c))
	require.NoError(t, h.Close())
}

// TestOldItemsStayHidden lets a list grow over what other lists left in its
// blocks: new items are zero.
func TestOldItemsStayHidden(t *testing.T) {
	var h pylist.Heap
	c := h.Acquire()
	for n := 1; n < 150; n++ {
		l := c.NewWords(0)
		for range n {
			l.Append(math.MaxUint32)
		}
		l.Resize(n / 2)
		l.Resize(n)
		for i, v := range l.Slice()[n/2:] {
			require.Zero(t, v, "item %d of %d", n/2+i, n)
		}
		l.Release()
		l.Resize(n)
		for _, v := range l.Slice() {
			require.Zero(t, v)
		}
		l.Release()
	}
	require.NoError(t, h.Close())
}

// TestReleasedCache lets lists outlive their cache, which they must not: a
// Release still gives the buffer back, and what needs another one panics.
func TestReleasedCache(t *testing.T) {
	var h pylist.Heap
	c := h.Acquire()
	small, large := c.NewInts(4), c.NewInts(1000)
	for range 4 {
		small.Append(1)
	}
	c.Release()
	requirePanic(t, "use of released HeapCache", func() { small.Append(1) })
	require.Equal(t, []int64{1, 1, 1, 1}, small.Slice())
	small.Release()
	large.Release()
	require.Zero(t, used(&h))
	require.NoError(t, h.Close())
}

// TestManyLists keeps a thousand lists in one cache, which grow and shrink in
// turns. Every item says whose it is.
func TestManyLists(t *testing.T) {
	var h pylist.Heap
	c := h.Acquire()
	lists := make([]list[int64], 1000)
	for i := range lists {
		l := c.NewInts(i % 5)
		lists[i] = &l
	}
	for round := range 60 {
		for i, l := range lists {
			if (i+round)%3 == 0 {
				for range i % 9 {
					l.Pop()
				}
			} else {
				l.AppendSlice([]int64{int64(i), int64(i), int64(i)})
			}
		}
	}
	for i, l := range lists {
		for _, v := range l.Slice() {
			if v != int64(i) {
				require.FailNow(t, "an item of another list", "list %d holds %d", i, v)
			}
		}
		l.Release()
	}
	require.Zero(t, used(&h, c))
	require.NoError(t, h.Close())
}

// TestGrowthAfterClose grows lists of a closed heap beyond the threshold, where
// the buffer would be Go's: it panics by name, and does not read memory that is gone.
func TestGrowthAfterClose(t *testing.T) {
	for _, n := range []int{65, 650} {
		var h pylist.Heap
		l := h.Acquire().NewInts(64)
		l.Resize(64)
		require.Error(t, h.Close())
		require.PanicsWithValue(t, "pylist: Ints: use of closed Heap", func() { l.Resize(n) })
	}
}
