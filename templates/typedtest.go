package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitTypedTests are the tests of objects in a heap that its user checks in.
func emitTypedTests(o *out, e plan.Object) {
	emitPointersTest(o)
	state, dirty := "", ""
	acquire, release, handle := "\tc := h.Acquire()\n\tp := c.Object()", "\tc.Release()\n", handleOf(e)
	if e.Heap.Shared() {
		acquire, release = handle, ""
	}
	if e.Reset.Zero {
		state = `
			if !reflect.ValueOf(x).Elem().IsZero() {
				t.Fatalf("step %d: the object is not zero: %v", step, x)
			}`
		dirty = `
			for i, bytes := 0, unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x)); i < len(bytes); i++ {
				bytes[i] = 0xff
			}`
	}
	get, more, full, room := "x := p.Get()", "", "", ""
	if e.Heap.Limit != 0 { // which may be reached at any time
		more, full, room = "!full && ", "\n\tfull := false", "\n\t\tfull = false"
		get = `x, err := p.Try` + e.Names["Get"] + `()
			if full = err != nil; full && len(held) > 0 {
				continue
			}`
	}
	o.decls(`
// TestObjectRandom takes and gives back at random: nothing is out twice, and
// nothing is lost.
func TestObjectRandom(t *testing.T) {
	var h Heap
` + acquire + `
	out := map[*ELEM]bool{}
	var held []*ELEM
	random := rand.New(rand.NewSource(1))` + full + `
	for step := 0; step < 20000; step++ {
		if len(held) == 0 || ` + more + `random.Intn(100) < 52 {
			` + get + `
			if x == nil || out[x] {
				t.Fatalf("step %d: got %p, which is out", step, x)
			}` + state + dirty + `
			out[x] = true
			held = append(held, x)
			continue
		}
		i := random.Intn(len(held))
		x := held[i]
		held[i] = held[len(held)-1]
		held = held[:len(held)-1]
		delete(out, x)
		p.Put(x)` + room + `
		if step%1000 == 0 {
			heapCheck(t, &h)
		}
	}
	p.Put(nil)
	for _, x := range held {
		p.Put(x)
	}
` + release + `	if err := h.Close(); err != nil {
		t.Error(err)
	}
}`)
	o.decls(`
// BenchmarkObject takes an object and gives it back.
func BenchmarkObject(b *testing.B) {
	var h Heap
	defer h.Close()
` + handle + `
	for i := 0; i < b.N; i++ {
		p.Put(p.Get())
	}
}`)
}

// emitPointersTest finds Go pointers, which the GC would not see.
func emitPointersTest(o *out) {
	o.decls(`
// TestObjectPointers holds that the objects hold no Go pointers: the GC does not
// look into a heap.
func TestObjectPointers(t *testing.T) {
	if field := objectPointers(reflect.TypeOf(*new(ELEM)), reflect.TypeOf(*new(ELEM)).String()); field != "" {
		t.Errorf("%s: not in a heap", field)
	}
}

// objectPointers names a part of a type that holds a pointer, or "".
func objectPointers(of reflect.Type, name string) string {
	switch of.Kind() {
	case reflect.Array:
		if of.Len() == 0 {
			return ""
		}
		return objectPointers(of.Elem(), name+"[0]")
	case reflect.Struct:
		for i := 0; i < of.NumField(); i++ {
			if field := objectPointers(of.Field(i).Type, name+"."+of.Field(i).Name); field != "" {
				return field
			}
		}
		return ""
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice, reflect.String, reflect.UnsafePointer:
		return name + " is a " + of.Kind().String()
	}
	return ""
}`)
}

// emitTypedAllocations is for system memory.
func emitTypedAllocations(o *out, e plan.Object) {
	handle, count := handleOf(e), "300"
	if e.Heap.Limit != 0 {
		count = "max(1, min(300, heapLimit/4/int(heapClassTable[objectBin].size)))"
	}
	o.decls(`
// TestObjectAllocations holds that nothing is allocated in Go memory once warm.
func TestObjectAllocations(t *testing.T) {
	var h Heap
	defer h.Close()
` + handle + `
	held := make([]*ELEM, ` + count + `)
	if n := testing.AllocsPerRun(20, func() {
		for i := range held {
			held[i] = p.Get()
		}
		for i := range held {
			p.Put(held[i])
		}
	}); n != 0 {
		t.Errorf("%v Go allocations a run", n)
	}
}`)
}

// handleOf is how a test comes by objects.
func handleOf(e plan.Object) string {
	if e.Heap.Shared() {
		return "\tp := h.Object()"
	}
	return "\tp := h.Acquire().Object()"
}
