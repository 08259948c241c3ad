package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitHeapPages tests what the heap asks of the system, which is not the same on
// any two.
func emitHeapPages(o *out, h plan.Heap) {
	o.decls(`
// TestHeapPages gives memory back in parts that begin and end anywhere in a page,
// and uses it again.
func TestHeapPages(t *testing.T) {
	page := syscall.Getpagesize()
	region, err := heapReserve(16 * page)
	if err != nil {
		t.Fatal(err)
	}
	for _, ends := range [][2]int{{0, 16 * page}, {page, 2 * page}, {1, 8*page - 1}, {page - 1, page + 1}, {7, 9}} {
		from, to := ends[0], ends[1]
		if err := heapCommit(region); err != nil {
			t.Fatal(err)
		}
		for i := range region {
			region[i] = 1
		}
		if err := heapDecommit(region[from:to]); err != nil {
			t.Errorf("decommit of bytes %d to %d: %v", from, to, err)
		}
		if err := heapCommit(region[from:to]); err != nil {
			t.Errorf("commit of bytes %d to %d: %v", from, to, err)
		}
		for i, b := range region {
			gone := i >= from && i < to
			if b != 1 && !gone || b != 0 && gone && heapDecommitZeroes {
				t.Fatalf("byte %d is %d after bytes %d to %d went", i, b, from, to)
			}
			region[i] = byte(i)
		}
	}
	if err := heapUnmap(region); err != nil {
		t.Error(err)
	}
}`)
}

// emitHeapTests are the tests of a heap that its user checks in.
func emitHeapTests(o *out, h plan.Heap) {
	more, full, room, declared := "len(live) < 200 || random.Intn(2) == 0", "", "", ""
	alloc := `
			case 0:
				b = h.Alloc(n)
			case 1:
				b = c.Alloc(n)`
	realloc := `
			b := h.Realloc(k.b, n)
			if step%4 == 0 {
				b = c.Realloc(b, n)
			}`
	bin := `
				b = unsafe.Slice((*byte)(c.Bin(n).Alloc()), n)`
	if h.Limit != 0 { // which may be reached at any time
		more = "len(live) == 0 || !full && (len(live) < 200 || random.Intn(2) == 0)"
		alloc = `
			case 0:
				b, _ = h.TryAlloc(n)
			case 1:
				b, _ = c.TryAlloc(n)`
		realloc = `
			b, err := c.TryRealloc(k.b, n)
			if err != nil && n <= cap(k.b) {
				t.Errorf("%d bytes of %d: %v", n, cap(k.b), err)
			}
			if full = err != nil; full {
				live = append(live, k)
				continue
			}`
		bin = `
				if p := c.Bin(n).Alloc(); p != nil {
					b = unsafe.Slice((*byte)(p), n)
				}`
		full = `
			if full = b == nil; full {
				continue
			}`
		declared = `
	full := false`
		room = `
		full = false`
	}
	o.decls(`
// TestHeapRandom allocates and frees at random through two caches and the heap
// itself, against a model that remembers what each block holds.
func TestHeapRandom(t *testing.T) {
	var h Heap
	caches := [2]*HeapCache{h.Acquire(), h.Acquire()}
	random := rand.New(rand.NewSource(1))
	type block struct {
		b     []byte
		stamp byte
	}
	var live []block` + declared + `
	fill := func(b []byte, stamp byte) {
		for i := range b {
			b[i] = stamp
		}
	}
	check := func(k block) {
		for i, v := range k.b {
			if v != k.stamp {
				t.Fatalf("byte %d of %d is %d, should be %d", i, len(k.b), v, k.stamp)
			}
		}
	}
	for step := 0; step < 20000; step++ {
		c := caches[random.Intn(2)]
		if ` + more + ` {
			n := ` + within(h, "1 + random.Intn(1<<(1+random.Intn(bits.Len(2*heapThreshold))))") + `
			var b []byte
			switch random.Intn(3) {` + alloc + `
			case 2:
				n = min(n, heapThreshold)` + bin + `
			}` + full + `
			stamp := byte(step)
			fill(b, stamp)
			live = append(live, block{b, stamp})
			continue
		}
		i := random.Intn(len(live))
		k := live[i]
		check(k)
		live[i] = live[len(live)-1]
		live = live[:len(live)-1]
		if random.Intn(3) == 0 {
			n := ` + within(h, "1 + random.Intn(2*len(k.b)+random.Intn(2*heapThreshold)*random.Intn(2))") + realloc + `
			kept := min(len(b), len(k.b))
			check(block{b[:kept], k.stamp})
			fill(b[kept:], k.stamp)
			live = append(live, block{b, k.stamp})
			continue
		}` + room + `
		switch random.Intn(3) {
		case 0:
			h.Free(k.b)
		case 1:
			c.Free(k.b[:0])
		case 2:
			c.BinOf(unsafe.Pointer(&k.b[0])).Free(unsafe.Pointer(&k.b[0]))
		}
		if step%1000 == 0 {
			heapCheck(t, &h)
		}
	}
	for _, k := range live {
		check(k)
		caches[0].Free(k.b)
	}
	caches[0].Flush()
	heapCheck(t, &h)
	caches[0].Release()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}`)
	sized := ""
	if len(h.Typed) > 0 {
		sized = "heapSized+1"
	}
	above, beside := ", heapThreshold + 1, 3 * heapThreshold", "int(class.size)+1"
	if h.Refuses() {
		above, beside = "", within(h, beside)
	}
	o.decls(`
// TestHeapSizes tries the sizes at and beside every boundary.
func TestHeapSizes(t *testing.T) {
	var h Heap
	c := h.Acquire()
	if b := c.Alloc(0); b == nil || len(b) != 0 {
		t.Errorf("0 bytes: %v", b)
	}
	c.Free(c.Alloc(0))
	c.Free(nil)
	c.BinOf(nil).Free(nil)
	if p := c.Bin(0).Alloc(); p != nil {
		t.Errorf("bin of 0 bytes: %v", p)
	}
	sizes := []int{1, heapThreshold - 1, heapThreshold`+above+`}
	for _, class := range heapClassTable[1:`+sized+`] {
		sizes = append(sizes, int(class.size)-1, int(class.size), `+beside+`)
	}
	for _, n := range sizes {
		b := c.Alloc(n)
		if len(b) != n || cap(b) < n || MISALIGNED {
			t.Errorf("%d bytes: len %d, cap %d at %p", n, len(b), cap(b), b)
		}
		c.Free(b)
	}
	for _, n := range []int{-1, math.MinInt} {
		heapPanics(t, "negative size", func() { c.Alloc(n) })
		heapPanics(t, "negative size", func() { h.Alloc(n) })
		heapPanics(t, "negative size", func() { c.Bin(n) })
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}`, "MISALIGNED", misaligned(h))
	o.decls(`
// heapPanics runs f, which must panic with a text that starts with the
// package's name and holds part.
func heapPanics(t *testing.T, part string, f func()) {
	t.Helper()
	defer func() {
		text := fmt.Sprint(recover())
		if !strings.HasPrefix(text, "PKG: ") || !strings.Contains(text, part) {
			t.Errorf("panicked with %q, not with %q", text, part)
		}
	}()
	f()
}`)
	emitMisuseTest(o, h)
}

// emitHeapAllocations is the test of a promise that system memory keeps alone.
func emitHeapAllocations(o *out, h plan.Heap) {
	o.decls(`
// TestHeapAllocations holds that nothing is allocated in Go memory once warm.
func TestHeapAllocations(t *testing.T) {
	var h Heap
	defer h.Close()
	c := h.Acquire()
	var held [300]unsafe.Pointer
	if n := testing.AllocsPerRun(20, func() {
		for i := range held {
			held[i] = c.Bin(1 + i%heapThreshold).Alloc()
		}
		for i := range held {
			c.BinOf(held[i]).Free(held[i])
		}
		b := c.Alloc(heapThreshold)
		c.Free(b)
	}); n != 0 {
		t.Errorf("%v Go allocations a run", n)
	}
}`)
}

// within is a random size, where the heap refuses large ones within the threshold.
func within(h plan.Heap, size string) string {
	if h.Refuses() {
		return "min(" + size + ", heapThreshold)"
	}
	return size
}

// misaligned is the condition that a test refuses: large blocks of Go have
// Go's alignment.
func misaligned(h plan.Heap) string {
	aligned := "uintptr(unsafe.Pointer(&b[0]))%heapAlign != 0"
	if h.LargeGo {
		return "n <= heapThreshold && " + aligned
	}
	return aligned
}

func emitMisuseTest(o *out, h plan.Heap) {
	foreign := `
	heapPanics(t, "not a block", func() { c.Free(make([]byte, 8)) })
	big := c.Alloc(2*heapThreshold + heapPoolSize)
	heapPanics(t, "inside a large block", func() { c.Free(big[heapPoolSize:]) })
	c.Free(big)
	heapPanics(t, "not a block", func() { c.Free(big) })`
	if h.Refuses() {
		ofCaches := `		"HeapCache.Alloc":   func() { c.Alloc(heapThreshold + 1) },
		"HeapCache.Realloc": func() { c.Realloc(kept, heapThreshold+1) },
`
		if h.Shared() {
			ofCaches = ""
		}
		foreign = `
	heapPanics(t, "not a block", func() { c.Free(make([]byte, 8)) })
	kept := c.Alloc(1)
	kept[0] = 1
	for name, f := range map[string]func(){
` + ofCaches + `		"HeapCache.Bin":     func() { c.Bin(heapThreshold + 1) },
		"Heap.Alloc":        func() { h.Alloc(heapThreshold + 1) },
		"Heap.Realloc":      func() { h.Realloc(kept, heapThreshold+1) },
	} {
		heapPanics(t, name+": "+strconv.Itoa(heapThreshold+1)+" bytes are above the threshold, "+strconv.Itoa(heapThreshold), f)
	}
	if kept[0] != 1 {
		t.Error("a refused Realloc changed the block")
	}
	c.Free(kept)`
	}
	if h.LargeGo {
		foreign = `
	c.Free(make([]byte, 8)) // may be a large block: ignored
	heapPanics(t, "above the threshold", func() { c.Bin(heapThreshold + 1) })`
	}
	released := `
	c.Release()
	heapPanics(t, "released", func() { c.Alloc(1) })
	c = h.Acquire()
`
	if h.Shared() {
		released = ""
	}
	twice, lost := "freed", "1 of"
	if h.ListBins && !h.Key && len(h.Classes) == 1 {
		lost = "" // what was behind the block that was freed twice too
	}
	if h.Key {
		twice = "double free" // at once
	}
	o.decls(`
// TestHeapMisuse tries what release builds find.
func TestHeapMisuse(t *testing.T) {
	var h Heap
	c := h.Acquire()
	small := c.Alloc(heapThreshold)
	twice := func() {
		c.Free(small)
		c.Free(small)
		c.Flush()
	}
	heapPanics(t, "` + twice + `", twice)
	inside := c.Alloc(heapThreshold)
	heapPanics(t, "inside a block", func() {
		c.Free(inside[1:])
		c.Flush()
	})
	c.Free(inside)` + foreign + `
` + released + `	lost := c.Alloc(1)
	if err := h.Close(); err == nil || !strings.Contains(err.Error(), "live blocks: ` + lost + `") {
		t.Errorf("closed with a live block: %v", err)
	}
	heapPanics(t, "closed", func() { c.Free(lost) })
	heapPanics(t, "closed", func() { c.Alloc(1) })
	heapPanics(t, "closed", func() { h.Alloc(1) })
	if err := h.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}`)
}

// emitHeapBenchmarks time the forms beside each other.
func emitHeapBenchmarks(o *out, h plan.Heap) {
	o.decls(`
// BenchmarkHeap replaces blocks of 64 bytes in a set, by each form.
func BenchmarkHeap(b *testing.B) {
	const size = min(64, heapThreshold)
	b.Run("two-step", func(b *testing.B) {
		var h Heap
		defer h.Close()
		c := h.Acquire()
		var set [1024]unsafe.Pointer
		for i := 0; i < b.N; i++ {
			p := &set[i*7%len(set)]
			c.BinOf(*p).Free(*p)
			*p = c.Bin(size).Alloc()
		}
	})
	b.Run("one-step", func(b *testing.B) {
		var h Heap
		defer h.Close()
		c := h.Acquire()
		var set [1024][]byte
		for i := 0; i < b.N; i++ {
			p := &set[i*7%len(set)]
			c.Free(*p)
			*p = c.Alloc(size)
		}
	})
	b.Run("make", func(b *testing.B) {
		var set [1024][]byte
		for i := 0; i < b.N; i++ {
			set[i*7%len(set)] = make([]byte, size)
		}
	})
}`)
}
