package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitTypedSlices are objects in a row, in the heap's blocks of bytes.
func emitTypedSlices(o *out, e plan.Object) {
	h := *e.Heap
	recv, from, heap, count := "b", "c := (*HeapBin)(b).core()", "c.own", "c.counts"
	opened := `c.check("Object.GetSlice")`
	if h.Shared() {
		recv, from, heap, count = "p", "h := (*Heap)(p)", "h", "h.counts"
		opened = `h.ready("Object.GetSlice")`
	}
	large := ""
	if h.LargeGo {
		take := `return heapMake[ELEM]("Object.GetSlice", n)`
		if h.Full {
			take = `all := heapMake[ELEM]("Object.GetSlice", n)
		` + count + `.request(n * size)
		return all`
		}
		large = `
	if n > heapThreshold/size {
		` + opened + `
		` + take + `
	}`
	}
	most := `	if n > math.MaxInt/size {
		heapOutOfMemory("Object.GetSlice", math.MaxInt, ` + tooMuch(h) + `) // at least so many bytes
	}`
	refused, clears := "", "\n\tclear(room)"
	if h.Zeroes() {
		clears = ""
	}
	if h.Refuses() {
		refused = ", and so does n of more bytes than the heap's threshold"
		most = `	if n > heapThreshold/size {
		panic(heapRefused("Object.GetSlice", min(n, math.MaxInt/size)*size))
	}`
	}
	o.decls(comment("GetSlice returns n objects in a row, all zero, from the heap's blocks of bytes; for n == 0 an empty slice, of no block. n < 0 panics"+refused+". "+
		"When memory is out it panics with an error that wraps "+memoryErrs(h)+goEnds(h)+".") + `
func (` + recv + ` *Object) GetSlice(n int) []ELEM {
	if n < 0 {
		panic("PKG: Object.GetSlice: negative length " + strconv.Itoa(n))
	}
	size := int(unsafe.Sizeof(*new(ELEM)))
	if n == 0 || size == 0 {
		return make([]ELEM, n)
	}
` + most + `
	` + from + large + `
	room := ` + heap + `.Alloc(n * size)` + clears + `
	return unsafe.Slice((*ELEM)(unsafe.Pointer(unsafe.SliceData(room))), n)
}`)
	ignores := ""
	if h.LargeGo {
		ignores = " It leaves slices above the heap's threshold to the GC."
	}
	free := "(*HeapBin)(b).core().own"
	if h.Shared() {
		free = "(*Heap)(p)"
	}
	o.decls(comment("PutSlice takes a slice of GetSlice that nobody uses any more: s starts where that started, its length and capacity do not count. "+
		"A slice without capacity is no block: nothing happens."+ignores) + `
func (` + recv + ` *Object) PutSlice(s []ELEM) {
	if cap(s) != 0 && unsafe.Sizeof(s[0]) != 0 {
		` + free + `.Free(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), 1))
	}
}`)
	if h.Limit != 0 {
		o.decls(comment("Try"+e.Names["GetSlice"]+" is "+e.Names["GetSlice"]+" that returns an error when memory is out: one that wraps HeapErrLimit or HeapErrSystem.") + `
func (` + recv + ` *Object) Try` + e.Names["GetSlice"] + `(n int) (all []ELEM, err error) {
	defer heapTry(&err)
	return ` + recv + `.GetSlice(n), nil
}`)
	}
}

// goEnds is what else happens where large slices are Go's.
func goEnds(h plan.Heap) string {
	if !h.LargeGo {
		return ""
	}
	return "; above the heap's threshold only if Go cannot address so much: less than that ends the program, as with make"
}

// emitTypedSliceTest takes slices of many lengths and leaves dirt in them.
func emitTypedSliceTest(o *out, e plan.Object) {
	get := "held[i] = p.GetSlice(n)"
	if e.Heap.Limit != 0 {
		get = `all, err := p.Try` + e.Names["GetSlice"] + `(n)
		if held[i] = all; err != nil {
			continue // the others have it all
		}`
	}
	most, refused := "random.Intn(1<<random.Intn(12)) % (1 + 1<<20/(1+size))", ""
	if e.Heap.Refuses() {
		most = "min(" + most + ", heapThreshold/max(size, 1))"
		refused = `
	if size > 0 {
		heapPanics(t, "Object.GetSlice: "+strconv.Itoa(heapThreshold/size*size+size)+" bytes are above the threshold", func() { p.GetSlice(heapThreshold/size + 1) })
		heapPanics(t, " bytes are above the threshold", func() { p.GetSlice(math.MaxInt) })
	}`
	}
	o.decls(`
// TestObjectSlices takes and gives back slices at random: each has its length, is
// zero, and is of its holder alone.
func TestObjectSlices(t *testing.T) {
	var h Heap
` + handleOf(e) + `
	const size = int(unsafe.Sizeof(*new(ELEM)))
	var held [16][]ELEM
	bytes := func(i int) []byte {
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(held[i]))), len(held[i])*size)
	}
	random := rand.New(rand.NewSource(1))
	for step := 0; step < 1000; step++ {
		i := step % len(held)
		for at, v := range bytes(i) {
			if v != byte(i+1) {
				t.Fatalf("step %d: byte %d is %#x", step, at, v)
			}
		}
		p.PutSlice(held[i][:0])
		n := ` + most + `
		` + get + `
		if held[i] == nil || len(held[i]) != n || cap(held[i]) != n {
			t.Fatalf("step %d: length %d, capacity %d, not %d", step, len(held[i]), cap(held[i]), n)
		}
		room := bytes(i)
		for at := range room {
			if room[at] != 0 {
				t.Fatalf("step %d: byte %d is %#x, not 0", step, at, room[at])
			}
			room[at] = byte(i + 1)
		}
	}
	for i := range held {
		p.PutSlice(held[i])
	}` + refused + `
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}`)
}
