package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitListDriver is what the tests of all lists share; it is named after the
// first of them.
func emitListDriver(o *out) {
	o.decls(`
// listDriven is any of the lists here, with items of type T.
type listDriven[T any] interface {
	Append(T)
	AppendSlice([]T)
	At(int) T
	Set(int, T)
	Pop() (T, bool)
	Resize(int)
	Slice() []T
	Clear()
	Release()
	Len() int
	Cap() int
}`)
	o.decls(`
// listDrive drives a list and a slice of up to most items alike, at random.
func listDrive[T comparable](t *testing.T, l listDriven[T], most int) {
	t.Helper()
	item := func(i int) (v T) {
		*(*byte)(unsafe.Pointer(&v)) = byte(i) & 1
		return v
	}
	random := rand.New(rand.NewSource(1))
	var model []T
	for step := 0; step < 20000; step++ {
		switch random.Intn(12) {
		default:
			if len(model) < most {
				l.Append(item(step))
				model = append(model, item(step))
			}
		case 0, 1, 2:
			v, ok := l.Pop()
			if ok != (len(model) > 0) || ok && v != model[len(model)-1] {
				t.Fatalf("step %d: Pop gave %v, %v", step, v, ok)
			}
			model = model[:max(len(model)-1, 0)]
		case 3:
			if len(model) > 0 {
				i := random.Intn(len(model))
				l.Set(i, item(step))
				model[i] = item(step)
			}
		case 4:
			n := random.Intn(min(100, most+1))
			l.Resize(n)
			model = append(model, make([]T, 100)...)[:n:n]
		case 5:
			if random.Intn(20) == 0 {
				l.Clear()
				model = nil
			}
		case 6:
			if len(model) <= most/2 {
				l.AppendSlice(l.Slice())
				model = append(model, model...)
			}
		}
		if l.Len() != len(model) || l.Cap() < l.Len() {
			t.Fatalf("step %d: %d items of %d, should be %d", step, l.Len(), l.Cap(), len(model))
		}
		for i, v := range l.Slice() {
			if v != model[i] || l.At(i) != v {
				t.Fatalf("step %d: item %d is %v, should be %v", step, i, v, model[i])
			}
		}
	}
	l.Release()
	if l.Len() != 0 || l.Cap() != 0 {
		t.Errorf("released with %d items of %d", l.Len(), l.Cap())
	}
}`)
}

// emitListTests are the tests of a list that its user checks in.
func emitListTests(o *out, l plan.List) {
	if l.Driver {
		emitListDriver(o)
	}
	if l.Heap == nil {
		o.decls(`
// TestListRandom drives a list beside a slice.
func TestListRandom(t *testing.T) {
	var l List
	DRIVER(t, &l, MOST)
}`, "DRIVER", l.Names["listDrive"], "MOST", itoa(driven(l)))
		emitListBenchmark(o, l, "var l List")
		return
	}
	o.decls(`
// TestListRandom drives a list beside a slice, and looks for lost blocks.
func TestListRandom(t *testing.T) {
	var h Heap
	c := h.Acquire()
	l := c.NewList(0)
	DRIVER(t, &l, MOST)
	c.Release()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}`, "DRIVER", l.Names["listDrive"], "MOST", itoa(driven(l)))
	emitListBenchmark(o, l, openList)
}

// openList makes a list in a heap.
const openList = `var h Heap
	defer h.Close()
	l := h.Acquire().NewList(0)`

// emitListAllocations is the test of a promise that system memory keeps alone.
func emitListAllocations(o *out, l plan.List) {
	o.decls(`
// TestListAllocations holds that nothing is allocated in Go memory once warm.
func TestListAllocations(t *testing.T) {
	` + openList + `
	const items = ` + warmItems(l) + `
	if n := testing.AllocsPerRun(100, func() {
		for i := 0; i < items; i++ {
			l.Append(*new(ELEM))
		}
		l.Release()
	}); n != 0 {
		t.Errorf("%v Go allocations a run", n)
	}
}`)
}

// warmItems is how long a list may get: above the threshold its buffer may be
// Go memory.
func warmItems(l plan.List) string {
	if !l.Heap.LargePages {
		return itoa(l.TestItems)
	}
	return "50"
}

// driven is how long a list gets in its test.
func driven(l plan.List) int {
	if l.Heap != nil && l.Heap.Refuses() {
		return min(1000, l.Most)
	}
	return 1000
}

func emitListBenchmark(o *out, l plan.List, open string) {
	items := itoa(min(10, driven(l)))
	o.decls(`
// BenchmarkList builds and releases lists of ` + items + ` items.
func BenchmarkList(b *testing.B) {
	` + open + `
	for i := 0; i < b.N; i++ {
		for j := 0; j < ` + items + `; j++ {
			l.Append(*new(ELEM))
		}
		l.Release()
	}
}`)
}
