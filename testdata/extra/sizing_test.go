package sizing

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
	"runtime"
	"strings"
	"testing"
	"unsafe"
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

// pairs makes the two lists of one rule, in c's heap and in Go memory.
func pairs(c *BlocksCache) map[string]func() [2]list[int64] {
	return map[string]func() [2]list[int64]{
		"cpython":  func() [2]list[int64] { l := c.NewNew(0); return [2]list[int64]{&l, new(News)} },
		"cpython2": func() [2]list[int64] { l := c.NewOld(0); return [2]list[int64]{&l, new(Olds)} },
		"double":   func() [2]list[int64] { l := c.NewDouble(0); return [2]list[int64]{&l, new(Doubles)} },
	}
}

// capacities appends 1000 items and gives every capacity up to 1000, and how
// often the buffer was replaced.
func capacities(l list[int64]) (string, int) {
	text, moves := fmt.Sprint(l.Cap()), 0
	for i := 0; i < 1000; i++ {
		before := l.Cap()
		l.Append(int64(i))
		if l.Cap() != before {
			moves++
			if l.Cap() <= 1000 {
				text += fmt.Sprint(" ", l.Cap())
			}
		}
	}
	return text, moves
}

// shrinks pops 200 items that were appended and gives the capacity changes as
// length:capacity.
func shrinks(l list[int64]) string {
	l.Release()
	for i := 0; i < 200; i++ {
		l.Append(int64(i))
	}
	var changes []string
	for i := 199; i >= 0; i-- {
		before := l.Cap()
		if v, ok := l.Pop(); !ok || v != int64(i) {
			return fmt.Sprintf("item %d is %d, %v", i, v, ok)
		}
		if l.Cap() != before {
			changes = append(changes, fmt.Sprintf("%d:%d", l.Len(), l.Cap()))
		}
	}
	return strings.Join(changes, " ")
}

// TestCPython holds both rules of CPython's list_resize as measured there.
func TestCPython(t *testing.T) {
	var h Blocks
	c := h.Acquire()
	for rule, want := range map[string]struct {
		grown  string
		moves  int
		shrunk string
	}{
		"cpython": {
			"0 4 8 16 24 32 40 52 64 76 92 108 128 148 172 200 232 268 308 352 400 456 520 592 672 760 860 972", 28,
			"99:116 57:68 33:40 19:24 11:16 7:12 5:8 1:4 0:0",
		},
		"cpython2": {
			"0 4 8 16 25 35 46 58 72 88 106 126 148 173 201 233 269 309 354 405 462 526 598 679 771 874 990", 27,
			"99:117 57:70 34:44 21:29 13:20 9:16 7:10 4:7 2:5 1:4 0:0",
		},
	} {
		for i, l := range pairs(c)[rule]() {
			if grown, moves := capacities(l); grown != want.grown || moves != want.moves {
				t.Errorf("%s, list %d: %d moves, %s", rule, i, moves, grown)
			}
			if shrunk := shrinks(l); shrunk != want.shrunk {
				t.Errorf("%s, list %d: %s", rule, i, shrunk)
			}
			if l.Slice() != nil {
				t.Errorf("%s, list %d: empty, but it has a buffer", rule, i)
			}
		}
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestBigJumps: the new rule drops the slack when a jump is larger than that,
// the old one does not.
func TestBigJumps(t *testing.T) {
	var h Blocks
	c := h.Acquire()
	for _, n := range []int{5, 6, 7, 50, 99, 100, 101, 5000, 1 << 20} {
		for rule, want := range map[string]int{"cpython": (n + 3) / 4 * 4, "cpython2": n + n/8 + 6} {
			switch {
			case rule == "cpython" && n == 6:
				want = 12 // the jump is no larger than the slack
			case rule == "cpython2" && n < 9:
				want -= 3
			}
			for i, l := range pairs(c)[rule]() {
				l.Resize(n)
				if l.Cap() != want {
					t.Errorf("%s, list %d: %d items, room for %d, not %d", rule, i, n, l.Cap(), want)
				}
				l.Release()
			}
		}
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestZero: a resize to 0 gives the buffer of a list that shrinks back at once,
// from capacity 1 too; one that does not shrink keeps it until Release.
func TestZero(t *testing.T) {
	var h Blocks
	c := h.Acquire()
	newList, oldList, double := c.NewNew(1), c.NewOld(1), c.NewDouble(1)
	for name, l := range map[string]list[int64]{"New": &newList, "Old": &oldList} {
		if l.Cap() != 1 {
			t.Errorf("%s: room for 1 was asked for, it is %d", name, l.Cap())
		}
		l.Resize(0)
		if l.Cap() != 0 || l.Slice() != nil {
			t.Errorf("%s: room for %d after Resize(0)", name, l.Cap())
		}
	}
	for i, l := range []list[int64]{&double, new(Doubles)} {
		l.Append(1)
		room := l.Cap()
		for _, empty := range []func(){func() { l.Resize(0) }, l.Clear, func() { l.Pop() }} {
			l.Append(1)
			empty()
			if l.Cap() < room {
				t.Errorf("double, list %d: shrank from %d to %d", i, room, l.Cap())
			}
		}
		l.Release()
		if l.Cap() != 0 || l.Slice() != nil {
			t.Errorf("double, list %d: room for %d after Release", i, l.Cap())
		}
	}
	c.Flush()
	for _, s := range h.Stats().Classes {
		if s.Used != 0 {
			t.Errorf("%d blocks of %d bytes are in use", s.Used, s.Size)
		}
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestDoubling: a list that doubles moves as often as its size does, and its
// buffer is never more than a class too large.
func TestDoubling(t *testing.T) {
	var h Blocks
	c := h.Acquire()
	for i, l := range pairs(c)["double"]() {
		moves := 0
		for n := 0; n < 1<<20; n++ {
			before := l.Cap()
			l.Append(int64(n))
			if l.Cap() == before {
				continue
			}
			if moves++; before > 0 && (l.Cap() < 2*before || l.Cap() > 5*before/2+1) {
				t.Errorf("list %d: from %d to %d items", i, before, l.Cap())
			}
		}
		if moves > 21 {
			t.Errorf("list %d: %d moves for a million items", i, moves)
		}
		for n, v := range l.Slice() {
			if v != int64(n) {
				t.Fatalf("list %d: item %d is %d", i, n, v)
			}
		}
		l.Release()
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestGo: a list with Go's rule moves as often as append does, but for what
// classes round differently.
func TestGo(t *testing.T) {
	var h Blocks
	c := h.Acquire()
	inHeap := c.NewAppend(0)
	for i, l := range []list[uint32]{&inHeap, new(Appends)} {
		var model []uint32
		moves, want := 0, 0
		for n := 0; n < 1<<20; n++ {
			before, room := l.Cap(), cap(model)
			l.Append(uint32(n))
			model = append(model, uint32(n))
			if l.Cap() != before {
				moves++
				if before >= 1024 && (l.Cap() < before*5/4 || l.Cap() > before*2) {
					t.Errorf("list %d: from %d to %d items", i, before, l.Cap())
				}
			}
			if cap(model) != room {
				want++
			}
		}
		if moves < want-4 || moves > want+4 {
			t.Errorf("list %d: %d moves, append makes %d", i, moves, want)
		}
		if i == 1 && l.Cap() != cap(model) {
			t.Errorf("in Go memory: room for %d, append has %d", l.Cap(), cap(model))
		}
		l.Release()
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// against does the same at random to a list and to a slice.
func against[T comparable](t *testing.T, name string, l list[T], item func(int) T) {
	random := rand.New(rand.NewSource(7))
	var model []T
	for step := 0; step < 3000; step++ {
		// Mostly small; sometimes beyond 32 KiB, where buffers are large blocks.
		far := 1 << random.Intn(15)
		switch random.Intn(9) {
		case 0, 1:
			for i := random.Intn(50); i >= 0; i-- {
				l.Append(item(step + i))
				model = append(model, item(step+i))
			}
		case 2, 3:
			for i := random.Intn(80); i >= 0; i-- {
				v, ok := l.Pop()
				if ok != (len(model) > 0) || ok && v != model[len(model)-1] {
					t.Fatalf("%s, step %d: Pop gave %v, %v", name, step, v, ok)
				}
				model = model[:max(len(model)-1, 0)]
			}
		case 4:
			n := random.Intn(far)
			l.Resize(n)
			for len(model) < n {
				model = append(model, *new(T))
			}
			model = model[:n:n]
		case 5:
			if n := len(model); n > 0 && n < 20000 {
				low := random.Intn(n)
				high := low + random.Intn(n-low+1)
				l.AppendSlice(l.Slice()[low:high])
				model = append(model, model[low:high]...)
			}
		case 6:
			vs := make([]T, random.Intn(min(far, 4000)))
			for i := range vs {
				vs[i] = item(i)
			}
			l.AppendSlice(vs)
			model = append(model, vs...)
		case 7:
			if n := len(model); n > 0 {
				i := random.Intn(n)
				l.Set(i, item(step))
				model[i] = item(step)
			}
		case 8:
			switch random.Intn(20) {
			case 0:
				l.Clear()
				model = nil
			case 1:
				l.Release()
				model = nil
			}
		}
		if len(model) > 40000 {
			l.Resize(100)
			model = model[:100:100]
		}
		view := l.Slice()
		if l.Len() != len(model) || len(view) != len(model) || cap(view) != len(view) || l.Cap() < l.Len() || (view == nil) != (l.Cap() == 0) {
			t.Fatalf("%s, step %d: %d items of %d, should be %d", name, step, l.Len(), l.Cap(), len(model))
		}
		for i := range model {
			if view[i] != model[i] {
				t.Fatalf("%s, step %d: item %d is %v, should be %v", name, step, i, view[i], model[i])
			}
		}
	}
	l.Release()
}

// TestModel drives lists of every rule, of items of every size, in both kinds
// of memory, across the threshold and back.
func TestModel(t *testing.T) {
	var h Blocks
	c := h.Acquire()
	for rule, make := range pairs(c) {
		for i, l := range make() {
			against(t, fmt.Sprint(rule, " ", i), l, func(i int) int64 { return int64(i) << 20 })
		}
	}
	words, bools, complexes := c.NewAppend(3), c.NewBools(5), c.NewComplexes(7)
	against[uint32](t, "go 0", &words, func(i int) uint32 { return uint32(i) })
	against[uint32](t, "go 1", new(Appends), func(i int) uint32 { return uint32(i) })
	against[bool](t, "bool", &bools, func(i int) bool { return i%3 == 0 })
	against[complex128](t, "complex128", &complexes, func(i int) complex128 { return complex(float64(i), -1) })

	c.Flush()
	stats := h.Stats()
	if stats.Large != 0 || stats.LargeBlocks != 0 {
		t.Errorf("%d large blocks are in use", stats.LargeBlocks)
	}
	for _, s := range stats.Classes {
		if s.Used != 0 {
			t.Errorf("%d blocks of %d bytes are in use", s.Used, s.Size)
		}
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// panicOf runs f and returns what it panicked with.
func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// TestOutOfRange uses indices that are none, as a slice would say it.
func TestOutOfRange(t *testing.T) {
	var h Blocks
	c := h.Acquire()
	for rule, make := range pairs(c) {
		for k, l := range make() {
			l.AppendSlice([]int64{1, 2, 3})
			for _, i := range []int{-1, 3, 4, l.Cap(), math.MinInt, math.MaxInt, math.MaxInt/8 + 1} {
				for _, f := range []func(){func() { l.At(i) }, func() { l.Set(i, 1) }} {
					err, ok := panicOf(f).(runtime.Error)
					if !ok || !strings.Contains(err.Error(), "index out of range") {
						t.Errorf("%s, list %d: index %d: %v", rule, k, i, err)
					}
				}
			}
			for _, n := range []int{-1, math.MinInt, math.MaxInt, math.MaxInt / 8} {
				text := fmt.Sprint(panicOf(func() { l.Resize(n) }))
				if !strings.HasPrefix(text, "sizing: ") || !strings.Contains(text, fmt.Sprint("length out of range: ", n)) {
					t.Errorf("%s, list %d: Resize(%d): %s", rule, k, n, text)
				}
			}
			if fmt.Sprint(l.Slice()) != "[1 2 3]" {
				t.Errorf("%s, list %d: %v", rule, k, l.Slice())
			}
			l.Release()
		}
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestOutOfMemory asks lists in a heap for more than is left of its address
// space: the panic says so, and the list stays as it is.
func TestOutOfMemory(t *testing.T) {
	var h Blocks
	c := h.Acquire()
	ballast := c.Alloc(256 << 20) // half of the space where int has 32 bits; never touched
	for rule, make := range pairs(c) {
		l := make()[0]
		l.AppendSlice([]int64{1, 2, 3})
		room, first := l.Cap(), unsafe.SliceData(l.Slice())
		const most = math.MaxInt / 4 / 8
		for _, n := range []int{most / 4 * 3, most/2 + 1} {
			err, ok := panicOf(func() { l.Resize(n) }).(error)
			if !ok || !errors.Is(err, BlocksErrSystem) {
				t.Fatalf("%s: Resize(%d): %v", rule, n, err)
			}
		}
		if fmt.Sprint(l.Slice()) != "[1 2 3]" || l.Cap() != room || unsafe.SliceData(l.Slice()) != first {
			t.Errorf("%s: %d items, room for %d, was %d", rule, l.Len(), l.Cap(), room)
		}
		l.Append(4)
		l.Release()
	}
	c.Free(ballast)
	if stats := h.Stats(); stats.LargeBlocks != 0 {
		t.Errorf("%d large blocks are in use", stats.LargeBlocks)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestZeroValues: lists in Go memory are ready, those in a heap say by which
// call they are made.
func TestZeroValues(t *testing.T) {
	for want, l := range map[string]list[int64]{
		"sizing: Double: not made by NewDouble": new(Double),
		"sizing: New: not made by NewNew":       new(New),
		"sizing: Old: not made by NewOld":       new(Old),
	} {
		for _, f := range []func(){func() { l.Append(1) }, func() { l.AppendSlice([]int64{1}) }, func() { l.Resize(1) }} {
			if text := fmt.Sprint(panicOf(f)); text != want {
				t.Errorf("%s, not %s", text, want)
			}
		}
		l.Resize(0)
		l.Clear()
		l.Release()
		l.AppendSlice(nil)
		if _, ok := l.Pop(); ok || l.Len() != 0 || l.Cap() != 0 || l.Slice() != nil {
			t.Error("an empty list holds something")
		}
	}
	for _, l := range []list[int64]{new(Doubles), new(News), new(Olds)} {
		l.Resize(2)
		l.Append(5)
		if fmt.Sprint(l.Slice()) != "[0 0 5]" {
			t.Errorf("%T: %v", l, l.Slice())
		}
	}
}
