package templates

import (
	"maps"
	"strings"

	"github.com/allocgen/allocgen/internal/plan"
)

// emitObjectTests are the tests of a typed free list that its user checks in.
func emitObjectTests(o *out, e plan.Object) {
	emitObjectRandom(o, e)
	switch e.Sync {
	case plan.SyncMutex, plan.SyncCache:
		emitObjectGoroutines(o, e)
	case plan.SyncPerCPU:
		emitObjectPs(o)
	}
	if !e.Hooked() {
		emitObjectAllocations(o, e)
	}
	emitObjectBenchmark(o, e)
}

// open is how a test gets something to Get from and Put to, as p.
func open(e plan.Object) string {
	if e.Sync == plan.SyncCache {
		return "var all Object\n\tp := all.Acquire()"
	}
	return "var p Object"
}

func emitObjectRandom(o *out, e plan.Object) {
	state := ""
	if e.Reset.Zero {
		state = `
			if !reflect.ValueOf(x).Elem().IsZero() {
				t.Fatalf("step %d: the object is not zero: %v", step, x)
			}`
	}
	trim, all := "", "p"
	if e.Sync == plan.SyncCache {
		trim, all = "\n\tp.Release()", "all"
	}
	again, most := "", " || n > objectDepth"
	if e.Sync == plan.SyncPerCPU { // where free objects are depends on the scheduler
		most = ""
	}
	if !e.Hooked() && e.Sync != plan.SyncPerCPU {
		again = `	if x := p.Get(); x != nil {
		p.Put(x)
		if p.Get() != x {
			t.Error("what was Put did not come back")
		}
	}
`
	}
	o.decls(`
// TestObjectRandom takes and gives back at random: nothing is out twice.
func TestObjectRandom(t *testing.T) {
	` + open(e) + `
	if unsafe.Sizeof(*p.Get()) == 0 {
		t.Skip("all objects without size are one")
	}
` + again + `	out := map[*ELEM]bool{}
	var held []*ELEM
	random := rand.New(rand.NewSource(1))
	for step := 0; step < 20000; step++ {
		if len(held) == 0 || random.Intn(100) < 50 {
			x := p.Get()
			if x == nil || out[x] {
				t.Fatalf("step %d: got %p, which is out", step, x)
			}` + state + `
			out[x] = true
			held = append(held, x)
			continue
		}
		i := random.Intn(len(held))
		x := held[i]
		held[i] = held[len(held)-1]
		held = held[:len(held)-1]
		delete(out, x)
		p.Put(x)
	}
	p.Put(nil)` + trim + `
	` + all + `.Trim()
	if n := ` + all + `.Trim(); n != 0 {
		t.Errorf("%d objects left by Trim", n)
	}
	for _, x := range held {
		` + all + `.Put(x)
	}
	if n := ` + all + `.Trim(); n > len(held)` + most + ` {
		t.Errorf("%d free objects of %d", n, len(held))
	}
}`)
}

func emitObjectGoroutines(o *out, e plan.Object) {
	open, release := "", ""
	if e.Sync == plan.SyncCache {
		open, release = "\n\t\t\tp := p.Acquire()", "\n\t\t\tdefer p.Release()"
	}
	o.decls(`
// TestObjectGoroutines moves objects between goroutines; the race detector finds
// any that two of them have at once.
func TestObjectGoroutines(t *testing.T) {
	var p Object
	moving := make(chan *ELEM, 64)
	var done sync.WaitGroup
	for i := 0; i < 4; i++ {
		done.Add(1)
		go func() {
			defer done.Done()` + open + release + `
			for n := 0; n < 2000; n++ {
				x := p.Get()
				first := unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x))
				for j := range first { // a write that changes nothing
					first[j] += 0
				}
				select {
				case moving <- x:
				case y := <-moving:
					p.Put(y)
					p.Put(x)
				}
			}
		}()
	}
	done.Wait()
}`)
}

func emitObjectPs(o *out) {
	o.decls(`
// TestObjectGoroutines has many goroutines take and give back while Ps come and go:
// none gets an object that another has.
func TestObjectGoroutines(t *testing.T) {
	var p Object
	if unsafe.Sizeof(*p.Get()) == 0 {
		t.Skip("all objects without size are one")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var out sync.Map
	use := func(i int) {
		var held [8]*ELEM
		for n := 0; n < 100; n++ {
			if i == 0 {
				runtime.GOMAXPROCS(1 + n%13)
			}
			for i := range held {
				held[i] = p.Get()
				if _, taken := out.LoadOrStore(held[i], true); taken {
					t.Errorf("got %p, which is out", held[i])
				}
			}
			for _, x := range held {
				out.Delete(x)
				p.Put(x)
			}
		}
	}
	var done sync.WaitGroup
	for i := 0; i < 100; i++ {
		done.Add(1)
		go func(i int) {
			defer done.Done()
			use(i)
		}(i)
	}
	done.Wait()
}`)
}

func emitObjectAllocations(o *out, e plan.Object) {
	o.decls(`
// TestObjectAllocations holds that nothing is allocated once warm.
func TestObjectAllocations(t *testing.T) {
	`+open(e)+`
	var held [HELD]*ELEM
	use := func() {
		for i := range held {
			held[i] = p.Get()
		}
		for i := range held {
			p.Put(held[i])
		}
	}
	use() // now it is known how much room they need
	if n := testing.AllocsPerRun(100, use); n != 0 {
		t.Errorf("%v allocations a run", n)
	}
}`, "HELD", itoa(e.TestHeld))
}

// emitObjectBenchmark times the list beside what it replaces. The methods of
// sync.Pool keep their names, whatever the spec calls ours.
func emitObjectBenchmark(o *out, e plan.Object) {
	names := maps.Clone(o.words.names)
	names["GET"], names["PUT"] = names["Get"], names["Put"]
	delete(names, "Get")
	delete(names, "Put")
	words := *o.words
	words.names = names
	plain := &out{o.File, &words, o.promised}
	plain.decls(`
// BenchmarkObject takes an object and gives it back.
func BenchmarkObject(b *testing.B) {
	b.Run("Object", func(b *testing.B) {
		b.ReportAllocs()
		` + strings.ReplaceAll(open(e), "\n", "\n\t") + `
		for i := 0; i < b.N; i++ {
			p.PUT(p.GET())
		}
	})
	b.Run("sync.Pool", func(b *testing.B) { // which leaves it to its user to reset
		b.ReportAllocs()
		p := sync.Pool{New: func() any {
			var fresh ELEM
			return &fresh
		}}
		for i := 0; i < b.N; i++ {
			p.Put(p.Get().(*ELEM))
		}
	})
}`)
}
