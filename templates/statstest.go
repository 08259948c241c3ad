package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitStatsTests hold that every byte is accounted for.
func emitStatsTests(o *out, h plan.Heap) {
	large := ""
	if h.LargePages {
		large = " + s.Large"
	}
	o.decls(`
// heapAddsUp fails when the bytes of a heap are not what it took, or when its
// report says so.
func heapAddsUp(t *testing.T, h *Heap) HeapStats {
	t.Helper()
	s := h.Stats()
	sum := s.Empty + s.Released` + large + `
	for _, k := range s.Classes {
		if k.Used < 0 || k.Depot < 0 || k.Free < 0 {
			t.Errorf("class of %d bytes: fewer blocks than none: %+v", k.Size, k)
		}
		blocks := (k.Used + k.Depot + k.Free) * int64(k.Size)
		sum += max(blocks, int64(k.Pools)<<heapPoolShift) // Go memory has no pools
		if k.Pools != 0 && blocks > int64(k.Pools)<<heapPoolShift {
			t.Errorf("class of %d bytes: more blocks than its pools hold: %+v", k.Size, k)
		}
	}
	if sum != s.Taken {
		t.Errorf("%d bytes were taken, and %d are somewhere: %+v", s.Taken, sum, s)
	}
	digits := ""
	for _, r := range s.String()[strings.LastIndex(s.String(), "="):] {
		if r >= '0' && r <= '9' {
			digits += string(r)
		}
	}
	if digits != strconv.FormatInt(s.Taken, 10) {
		t.Errorf("%d bytes were taken, and the report ends with %s:\n%s", s.Taken, digits, s)
	}
	return s
}`)
	get := "\t\t\tlive = append(live, caches[step%2].Alloc(n))"
	if h.Limit != 0 {
		get = `			if b, err := caches[step%2].TryAlloc(n); err == nil {
				live = append(live, b)
			}`
	}
	above := `
			if step%50 == 0 {
				n = heapThreshold + 1 + random.Intn(4*heapPoolSize)
			}`
	sizes, classes := "every class and above", "heapClasses"
	if len(h.Typed) > 0 {
		classes = "heapSized"
	}
	if h.Refuses() {
		above, sizes = "", "every class"
	}
	o.decls(`
// TestHeapStats allocates in ` + sizes + `, and frees at random: at any
// time the numbers add up, and at the end nothing is used.
func TestHeapStats(t *testing.T) {
	var h Heap
	heapAddsUp(t, &h)
	caches := [2]*HeapCache{h.Acquire(), h.Acquire()}
	random := rand.New(rand.NewSource(1))
	var live [][]byte
	for step := 0; step < 5000; step++ {
		if random.Intn(2*len(live)+1) < 2*heapClasses+20 {
			n := int(heapClassTable[1+step%` + classes + `].size) - random.Intn(heapAlign)` + above + `
` + get + `
		}
		if i := random.Intn(1 + len(live)); i < len(live) && random.Intn(3) == 0 {
			caches[random.Intn(2)].Free(live[i])
			live[i] = live[len(live)-1]
			live = live[:len(live)-1]
		}
		switch step % 500 {
		case 0:
			heapAddsUp(t, &h)
		case 250:
			caches[1].Flush()
		}
	}
	for _, b := range live {
		caches[0].Free(b)
	}
	caches[0].Release()
	caches[1].Release()
	for _, k := range heapAddsUp(t, &h).Classes {
		if k.Used != 0 {
			t.Errorf("class of %d bytes: %d blocks are used, none should be", k.Size, k.Used)
		}
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if s := heapAddsUp(t, &h); s.Taken != 0 {
		t.Errorf("%d bytes are left after Close", s.Taken)
	}
}`)
}

// emitRequestTests hold that every request counts, once and by its size.
func emitRequestTests(o *out, h plan.Heap) {
	large := ""
	if h.LargePages {
		large = `
		if above := s.LargeAllocs - s.LargeFrees; above != int64(s.LargeBlocks) {
			t.Errorf("large: %d blocks were taken, %d given back, %d are used", s.LargeAllocs, s.LargeFrees, s.LargeBlocks)
		}`
	}
	released := [2]string{"\n\tgone.Release()", ""}
	if h.Shared() { // where nobody frees through a cache that is released
		released = [2]string{"", "\n\tgone.Release()"}
	}
	fromCache, fromHeap, full, none := "b = c.Alloc(n)", "b = h.Alloc(n)", "", ""
	if h.Limit != 0 { // which may be reached at any time
		fromCache, fromHeap = "b, _ = c.TryAlloc(n)", "b, _ = h.TryAlloc(n)"
		full = `
		if b == nil {
			return
		}`
		none = `
		if len(live) == 0 {
			return
		}`
	}
	o.decls(`
// TestHeapRequests takes and gives blocks in every form, through caches that come
// and go: each request counts by its size, and what was taken and not given back
// is what is live.
func TestHeapRequests(t *testing.T) {
	var h Heap
	random := rand.New(rand.NewSource(1))
	c, gone := h.Acquire(), h.Acquire()` + released[0] + `
	requests := map[int]int64{} // by size
	blocks := map[int]int64{} // that are live, by size of the class
	type block struct {
		b    []byte
		size int
	}
	var live []block
	take := func() {
		n := ` + within(h, "1 + random.Intn(1<<random.Intn(bits.Len(2*heapThreshold)))") + `
		size := 0 // above the threshold
		if n <= heapThreshold {
			size = int(heapClassTable[heapBinTable[(n+heapAlignMask)>>heapAlignShift]].size)
		}
		var b []byte
		switch form := random.Intn(3); {
		case form == 0 || size == 0:
			` + fromCache + `
		case form == 1:
			if p := c.Bin(n).Alloc(); p != nil {
				b = unsafe.Slice((*byte)(p), n)
			}
		default:
			` + fromHeap + `
		}` + full + `
		requests[n]++
		blocks[size]++
		live = append(live, block{b, size})
	}
	free := func() {` + none + `
		i := random.Intn(len(live))
		k := live[i]
		live[i] = live[len(live)-1]
		live = live[:len(live)-1]
		blocks[k.size]--
		p := unsafe.Pointer(&k.b[0])
		switch form := random.Intn(6); {
		case form == 0 && k.size != 0:
			c.Bin(len(k.b)).Free(p)
		case form == 1:
			c.BinOf(p).Free(p)
		case form == 2:
			gone.Free(k.b)
		case form == 3 && k.size != 0:
			gone.Bin(k.size).Free(p)
		case form == 4:
			h.Free(k.b)
		default:
			c.Free(k.b)
		}
		c.Free(nil)
		c.BinOf(nil).Free(nil)
	}
	check := func() {
		t.Helper()
		s := heapAddsUp(t, &h)
		for _, k := range s.Classes {
			if k.Allocs-k.Frees != blocks[k.Size] || k.Used < blocks[k.Size] {
				t.Errorf("class of %d bytes: %d blocks are live: %+v", k.Size, blocks[k.Size], k)
			}
		}` + large + `
		sum := make([]int64, len(s.Requests))
		for n, count := range requests {
			i := 0
			for i < len(sum)-1 && s.Requests[i].Size < n {
				i++
			}
			sum[i] += count
			if over := s.Requests[i].Size - n; over < 0 || n <= heapThreshold && over >= heapAlign && over > n>>heapBucketBits || over >= max(n, heapAlign) {
				t.Errorf("a request of %d bytes counts as one of %d", n, s.Requests[i].Size)
			}
		}
		for i, r := range s.Requests {
			if sum[i] != r.Count {
				t.Errorf("%d requests of up to %d bytes, counted as %d", sum[i], r.Size, r.Count)
			}
		}
	}
	for step := 0; step < 5000; step++ {
		if take(); random.Intn(2) == 0 {
			free()
		}
		if step%500 == 0 {
			check()
			c.Release()
			c = h.Acquire()
			check()
		}
	}
	kept := c.Bin(heapThreshold)
	for i := 0; i < 100; i++ {
		if p := kept.Alloc(); p != nil {
			kept.Free(p)
			requests[heapThreshold]++
		}
	}
	check()
	for len(live) > 0 {
		free()
	}
	c.Release()
	check()` + released[1] + `
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}`)
}
