package own

import "testing"

// TestCountedObjects: objects count in the class of their type and in no request,
// also those that a released cache gives back.
func TestCountedObjects(t *testing.T) {
	var h counted
	var k Tallied
	c, d := h.Acquire(), k.Acquire()
	check := func(allocs, frees int64) {
		t.Helper()
		for _, classes := range [][]countedClassStats{h.Stats().Classes, toCounted(k.Stats().Classes)} {
			if len(classes) != 1 {
				t.Fatalf("%d classes have a past, one should: %+v", len(classes), classes)
			}
			s := classes[0]
			if s.Allocs != allocs || s.Frees != frees || s.Used < allocs-frees {
				t.Errorf("%d taken and %d given back, counted as %+v", allocs, frees, s)
			}
			if s.Object == "" {
				t.Errorf("no name: %+v", s)
			}
		}
		if n := len(h.Stats().Requests) + len(k.Stats().Requests); n != 0 {
			t.Errorf("%d entries for requests, there were none", n)
		}
	}
	var cells, others [100]*cell
	for i := range cells {
		cells[i], others[i] = c.CountedCells().Get(), d.tallyCells().Take()
	}
	check(100, 0)
	for i := range cells[:50] {
		c.CountedCells().Put(cells[i])
		d.tallyCells().Give(others[i])
	}
	c.CountedCells().Put(nil)
	d.tallyCells().Give(nil)
	check(100, 50)
	late, lateToo := c.CountedCells(), d.tallyCells()
	c.Release()
	d.Release()
	check(100, 50)
	for i := range cells[:25] {
		late.Put(cells[50+i])
		lateToo.Give(others[50+i])
	}
	check(100, 75)
	c, d = h.Acquire(), k.Acquire()
	for i := range cells[:25] {
		c.CountedCells().Put(cells[75+i])
		d.tallyCells().Give(others[75+i])
	}
	check(100, 100)
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if err := k.Close(); err != nil {
		t.Error(err)
	}
}

// toCounted is the same for both heaps.
func toCounted(in []TalliedClassStats) (out []countedClassStats) {
	for _, s := range in {
		out = append(out, countedClassStats(s))
	}
	return out
}
