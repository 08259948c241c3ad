package zero

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"
)

const dirt = 0xa5

func dirty(b []byte) {
	b = b[:cap(b)]
	for i := range b {
		b[i] = dirt
	}
}

func clean(t *testing.T, what string, b []byte) {
	t.Helper()
	for i, v := range b {
		if v != 0 {
			t.Fatalf("%s: byte %d of %d is %#x", what, i, len(b), v)
		}
	}
}

// room is the memory of a block, whoever has it.
func room(b []byte) []byte { return unsafe.Slice(unsafe.SliceData(b), cap(b)) }

// TestFreeLeavesNothing: with zero: free memory holds nothing once its block is freed,
// by whatever way, and after what Realloc leaves behind.
func TestFreeLeavesNothing(t *testing.T) {
	var h Free
	c, gone := h.Acquire(), h.Acquire()
	kept := gone.Bin(100)
	gone.Release()
	for name, free := range map[string]func(b []byte){
		"Free":          func(b []byte) { c.Free(b) },
		"the heap's":    func(b []byte) { h.Free(b) },
		"BinOf":         func(b []byte) { c.BinOf(unsafe.Pointer(&b[0])).Free(unsafe.Pointer(&b[0])) },
		"a released":    func(b []byte) { gone.Free(b) },
		"Realloc to 0":  func(b []byte) { c.Realloc(b, 0) },
		"Realloc away":  func(b []byte) { c.Free(c.Realloc(b, 2*cap(b)+300<<10)) },
		"Realloc small": func(b []byte) { c.Free(c.Realloc(b, 1+cap(b)/8)) },
	} {
		for _, n := range []int{1, 16, 100, 1000, 4096, 32 << 10, 33 << 10, 200 << 10} {
			b := c.Alloc(n)
			beside := c.Alloc(n)
			clean(t, name, room(b))
			dirty(b)
			dirty(beside)
			memory := room(b)
			free(b)
			clean(t, fmt.Sprint(name, " of ", n, " bytes"), memory)
			for i, v := range room(beside) {
				if v != dirt {
					t.Fatalf("%s of %d bytes: byte %d of another block is %#x", name, n, i, v)
				}
			}
			c.Free(beside)
		}
	}
	b := c.Alloc(300 << 10)
	dirty(b)
	memory := room(b)
	b = c.Realloc(b, 100<<10)
	clean(t, "what a large block shrank by", memory[100<<10:])
	c.Free(b)
	b = c.Alloc(100)
	dirty(b)
	memory = room(b)
	kept.Free(unsafe.Pointer(&b[0]))
	clean(t, "a released cache's bin", memory)
	c.Release()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestReallocZeroes: in place too, what is beyond the contents is zero.
func TestReallocZeroes(t *testing.T) {
	var a Alloc
	var f Free
	for name, realloc := range map[string]func(b []byte, n int) []byte{"alloc": a.Realloc, "free": f.Realloc} {
		for _, n := range []int{64, 1000, 32 << 10, 100 << 10, 500 << 10} {
			b := realloc(nil, n)
			dirty(b)
			// At least 3/4 of the block stays used: it stays where it is.
			less := n - n/16
			if b = realloc(b, less); &b[0] != &realloc(b, less)[0] {
				t.Fatal("moved")
			}
			clean(t, fmt.Sprint(name, ": ", n, " to ", less), b[less:cap(b)])
			if b[0] != dirt || b[less-1] != dirt {
				t.Errorf("%s: %d bytes lost their contents", name, less)
			}
			dirty(b)
			// The slice's length says what counts, not the block's.
			b = realloc(b[:less/2], n)
			clean(t, fmt.Sprint(name, ": ", less/2, " to ", n), b[less/2:cap(b)])
			b = realloc(b, 3*n)
			clean(t, fmt.Sprint(name, ": ", n, " to ", 3*n), b[n:cap(b)])
			realloc(b, 0)
		}
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestMistakesClearNothing: an address inside a block panics before anything is
// cleared.
func TestMistakesClearNothing(t *testing.T) {
	var h Free
	c := h.Acquire()
	b, large := c.Alloc(64), c.Alloc(100<<10)
	dirty(b)
	dirty(large)
	for i, inside := range [][]byte{b[16:], b[1:], large[16<<10:], large[5:]} {
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.HasPrefix(text, "zero: ") || !strings.Contains(text, "inside a") {
					t.Errorf("address %d: %s", i, text)
				}
			}()
			c.Free(inside)
		}()
	}
	for i, v := range append(room(b), room(large)...) {
		if v != dirt {
			t.Fatalf("byte %d is %#x", i, v)
		}
	}
	c.Free(b)
	c.Free(large)
	c.Release()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}
