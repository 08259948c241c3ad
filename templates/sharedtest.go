package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitSharedTests are for heaps without caches of their users': what lets the
// tests of all heaps look into one, and goroutines that pass blocks on.
func emitSharedTests(o *out, h plan.Heap) {
	o.decls(`
// Acquire lends a core to a test, as heaps with sync: cache do to users. Nothing
// else takes it meanwhile.
func (h *Heap) Acquire() *HeapCache { return &h.borrow("Heap.Acquire").own }

// Flush gives all blocks of c back.
func (c *HeapCache) Flush() {
	if wrong := c.core.drain(); wrong != "" {
		panic(wrong)
	}
}

// Release gives c back.
func (c *HeapCache) Release() {
	c.Flush()
	c.core.heap.giveBack(c.core)
}`)
	size := within(h, "1 + random.Intn(1<<random.Intn(bits.Len(2*heapThreshold)))")
	get, leave := "b := h.Alloc("+size+")", ""
	if h.Limit != 0 {
		get = `b, err := h.TryAlloc(` + size + `)
				if err != nil {
					continue // others have it all
				}`
	}
	if h.Sync == plan.SyncPerCPU {
		leave = `
	h.Trim() // which takes what processors keep`
	}
	o.decls(`
// TestHeapGoroutines passes blocks from goroutine to goroutine: none has two
// owners, and none is lost.
func TestHeapGoroutines(t *testing.T) {
	var h Heap
	var group sync.WaitGroup
	passed := make(chan []byte, 100)
	for id := 1; id <= 8; id++ {
		id := id
		group.Add(1)
		go func() {
			defer group.Done()
			random := rand.New(rand.NewSource(int64(id)))
			for step := 0; step < 3000; step++ {
				` + get + `
				for i := range b {
					b[i] = byte(id)
				}
				other := b
				select {
				case passed <- b:
					continue
				case other = <-passed:
					h.Free(b)
				}
				for _, v := range other {
					if v != other[0] {
						t.Error("a block has two owners")
					}
				}
				h.Free(other)
			}
		}()
	}
	group.Wait()
	for len(passed) > 0 {
		h.Free(<-passed)
	}` + leave + `
	heapCheck(t, &h)
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}`)
}
