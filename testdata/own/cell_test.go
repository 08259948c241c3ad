package own

import (
	"errors"
	"strings"
	"testing"
	"unsafe"
)

// TestCellsOfTheirOwn: objects have a class of their own, zero at first and after
// Put, also when the memory had bytes before.
func TestCellsOfTheirOwn(t *testing.T) {
	var h Memory
	c := h.Acquire()
	var blocks [3000][]byte
	for i := range blocks {
		blocks[i] = c.Alloc(64)
		for j := range blocks[i] {
			blocks[i][j] = 0xff
		}
	}
	for _, b := range blocks {
		c.Free(b)
	}
	c.Flush()
	seen := map[*cell]bool{}
	for i := 0; i < 3000; i++ {
		x := c.Cells().Get()
		if *x != (cell{}) || seen[x] {
			t.Fatalf("object %d: %v", i, x)
		}
		seen[x] = true
	}
	if c.Cells() != c.Cells() {
		t.Error("two handles")
	}
	for x := range seen {
		x.index = 3
		c.Cells().Put(x)
	}
	x := c.Cells().Get()
	if *x != (cell{}) {
		t.Errorf("not reset: %v", x)
	}
	c.Cells().Put(x)
	c.Release()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestReset: as it was, or as the method left it.
func TestTypedReset(t *testing.T) {
	var h Memory
	c := h.Acquire()
	x := c.Kept().Get()
	x.kind, x.index = 1, 2
	c.Kept().Put(x)
	y := c.Kept().Get() // another object in Go memory
	if y == x && (y.kind != 1 || y.index != 2) || y != x && *y != (cell{}) {
		t.Errorf("not as it was: %v", y)
	}
	z := c.wiped().Take()
	z.kind, z.index = 1, 2
	c.wiped().Give(z)
	y = c.wiped().Take()
	if y == z && (y.kind != 0 || y.index != 2) || y != z && *y != (cell{}) {
		t.Errorf("not as reset left it: %v", y)
	}
	if err := h.Close(); err == nil || !strings.Contains(err.Error(), "1 of Kept, 1 of wiped") {
		t.Errorf("live objects: %v", err)
	}
}

// TestTypedAcrossCaches: an object may be put through any cache of its heap.
func TestTypedAcrossCaches(t *testing.T) {
	var h Memory
	a, b := h.Acquire(), h.Acquire()
	for i := 0; i < 10000; i++ {
		x := a.Cells().Get()
		x.index = uint32(i)
		b.Cells().Put(x)
	}
	a.Release()
	b.Release()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestTypedMisuse: what is no object of the class is found when it goes back.
func TestTypedMisuse(t *testing.T) {
	for name, f := range map[string]func(c *MemoryCache){
		"twice": func(c *MemoryCache) {
			x := c.Cells().Get()
			c.Cells().Put(x)
			c.Cells().Put(x)
			c.Flush()
		},
		"of no cache": func(*MemoryCache) { new(Cells).Get() },
		"put to none": func(*MemoryCache) { new(Cells).Put(new(cell)) },
		"another class": func(c *MemoryCache) {
			b := c.Alloc(64)
			c.Cells().Put((*cell)(unsafe.Pointer(&b[0])))
			c.Flush()
		},
		"closed": func(c *MemoryCache) {
			c.core.heap.Close()
			c.Cells().Get()
		},
		"released": func(c *MemoryCache) {
			c.Release()
			c.Cells().Get()
		},
	} {
		func() {
			var h Memory
			defer func() {
				text, _ := recover().(string)
				if !strings.HasPrefix(text, "own: ") || name == "twice" && !strings.Contains(text, "an object of Cells") {
					t.Errorf("%s: panic %q", name, text)
				}
			}()
			f(h.Acquire())
			t.Errorf("%s: no panic", name)
		}()
	}
}

// TestTypedTwice: with a key a second Put is found at once, though the first has
// reset the object, and wherever in its bin it lies.
func TestTypedTwice(t *testing.T) {
	for behind := 0; behind < 20; behind++ {
		func() {
			var h linked
			c := h.Acquire()
			p := c.linkedCells()
			x := p.Get()
			others := make([]*cell, behind)
			for i := range others {
				others[i] = p.Get()
			}
			p.Put(x)
			for _, y := range others {
				p.Put(y)
			}
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, "double free") {
					t.Errorf("panic %q", text)
				}
				c.Release() // what else is in the bin is as it was
				if err := h.Close(); err != nil {
					t.Error(err)
				}
			}()
			p.Put(x)
			t.Errorf("%d behind: no panic", behind)
		}()
	}
}

// TestTypedOutOfMemory: Get never returns nil.
func TestTypedOutOfMemory(t *testing.T) {
	err := func() (err error) {
		defer func() { err, _ = recover().(error) }()
		var h Memory
		c := h.Acquire()
		c.core.err = MemoryErrSystem
		c.bins[memorySized+1].noObject()
		return nil
	}()
	if !errors.Is(err, MemoryErrSystem) || err.Error() != "own: Cells.Get: 48 bytes: out of memory" {
		t.Errorf("panic %v", err)
	}
}

// TestTypedSizes: sizes at the edges, on bins that write into free blocks.
func TestTypedSizes(t *testing.T) {
	var h linked
	c := h.Acquire()
	for i := 0; i < 3; i++ {
		a, b := c.Tiny().Get(), c.Wide().Get()
		if *a || *b != (wide{}) {
			t.Error("not zero")
		}
		*a, b.lines[1499][63] = true, 1
		c.Tiny().Put(a)
		c.Wide().Put(b)
	}
	c.Release()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestTypedClasses: the class of a type has the numbers that the plan gives a size.
func TestTypedClasses(t *testing.T) {
	for _, class := range linkedClassTable[1 : linkedSized+1] {
		if got := linkedTyped(uintptr(class.size)); got != class {
			t.Errorf("%d bytes: %+v, as a size %+v", class.size, got, class)
		}
	}
	for size := uintptr(1); size < 128<<10; size += 61 {
		c := linkedTyped(size)
		if c.size < uint32(size) || c.blocks == 0 || c.blocks*c.size > c.pools<<linkedPoolShift || c.pools > 8 || c.blocks > linkedSpanWords*64 || c.batch > linkedBatch {
			t.Fatalf("%d bytes: %+v", size, c)
		}
	}
}
