package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitZeroTest writes into all that blocks hold, and wants zero wherever nobody who
// has a block now wrote.
func emitZeroTest(o *out, h plan.Heap) {
	alloc := `
			case 0:
				b = h.Alloc(n)
			case 1:
				b = c.Alloc(n)`
	realloc := "b = c.Realloc(b, n)"
	if h.Limit != 0 { // which may be reached at any time
		alloc = `
			case 0:
				b, _ = h.TryAlloc(n)
			case 1:
				b, _ = c.TryAlloc(n)`
		realloc = `moved, err := c.TryRealloc(b, n)
			if err != nil {
				continue
			}
			b = moved`
	}
	o.decls(`
// TestHeapZero dirties blocks, resizes them and frees them, at random: what is new is
// zero, to the end of the block.
func TestHeapZero(t *testing.T) {
	var h Heap
	caches := [2]*HeapCache{h.Acquire(), h.Acquire()}
	random := rand.New(rand.NewSource(1))
	var live [24][]byte
	const dirt = 0xa5
	for step := 0; step < 4000; step++ {
		i, c := random.Intn(len(live)), caches[random.Intn(2)]
		b := live[i]
		n := ` + within(h, "1 + random.Intn(1<<(1+random.Intn(bits.Len(2*heapThreshold))))") + `
		kept := min(len(b), n)
		switch {
		case b == nil:
			switch random.Intn(3) {` + alloc + `
			case 2:
				n = min(n, heapThreshold)
				if p := c.Bin(n).Alloc(); p != nil {
					b = unsafe.Slice((*byte)(p), heapRoom(n))[:n]
				}
			}
		case random.Intn(3) > 0:
			` + realloc + `
		default:
			switch random.Intn(3) {
			case 0:
				h.Free(b)
			case 1:
				c.Free(b)
			case 2:
				c.BinOf(unsafe.Pointer(&b[0])).Free(unsafe.Pointer(&b[0]))
			}
			live[i] = nil
			continue
		}
		for at, v := range b[:cap(b)] {
			if want := byte(dirt); at < kept && v != want || at >= kept && v != 0 {
				t.Fatalf("step %d: byte %d of %d, of which %d are kept, is %#x", step, at, cap(b), kept, v)
			}
			b[:cap(b)][at] = dirt
		}
		live[i] = b
		if step%200 == 0 {
			for _, c := range caches {
				c.Flush()
			}
		}
	}
	for _, b := range live {
		h.Free(b)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}`)
}
