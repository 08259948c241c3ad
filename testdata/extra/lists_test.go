//go:build (linux || darwin || freebsd || windows) && !allocgen_goheap

package lists

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"
)

func panicOf(f func()) (text string) {
	defer func() {
		if v := recover(); v != nil {
			text = fmt.Sprint(v)
		}
	}()
	f()
	return ""
}

// TestWords links blocks of one word: as many as a few pools hold, all different,
// back in another order, and out again, the last first.
func TestWords(t *testing.T) {
	var h Words
	c := h.Acquire()
	bin := c.Bin(8)
	held := map[unsafe.Pointer]bool{}
	for len(held) < 10000 {
		p := bin.Alloc()
		if held[p] {
			t.Fatalf("%p has two owners", p)
		}
		*(*uint64)(p) = ^uint64(0)
		held[p] = true
	}
	for p := range held {
		if *(*uint64)(p) != ^uint64(0) {
			t.Fatal("a live block was written to")
		}
		bin.Free(p)
	}
	first, second := bin.Alloc(), bin.Alloc()
	bin.Free(first)
	bin.Free(second)
	if bin.Alloc() != second || bin.Alloc() != first {
		t.Error("not last in, first out")
	}
	bin.Free(first)
	bin.Free(second)
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestRing frees a block twice where no key tells: the list is a ring, which
// Flush takes apart and names.
func TestRing(t *testing.T) {
	var h Words
	c := h.Acquire()
	bin := c.Bin(64)
	a, b := bin.Alloc(), bin.Alloc()
	c.Flush()
	for _, p := range []unsafe.Pointer{a, b, a} {
		bin.Free(p)
	}
	if text := panicOf(c.Flush); !strings.Contains(text, "block freed twice, class 64") {
		t.Errorf("panicked with %q", text)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// TestForms finds a second free by its key at every form of the paths: spliced,
// called, with Go's heap above.
func TestForms(t *testing.T) {
	const text = "free(): double free detected in tcache 2"
	var keyed Keyed
	var below Go
	var called KeyedCalled
	k, g, d := keyed.Acquire(), below.Acquire(), called.Acquire()
	for _, size := range []int{16, 64, 512} {
		for name, free := range map[string]func(){
			"keyed":  twice(k.Alloc(size), k.Free),
			"go":     twice(g.Alloc(size), g.Free),
			"called": twice(d.Alloc(size), d.Free),
		} {
			if got := panicOf(free); !strings.Contains(got, text) {
				t.Errorf("%s, %d bytes: %q", name, size, got)
			}
		}
	}
	for _, close := range []func() error{keyed.Close, below.Close, called.Close} {
		if err := close(); err != nil {
			t.Error(err)
		}
	}
}

func twice(b []byte, free func([]byte)) func() {
	return func() {
		free(b)
		free(b)
	}
}

// TestOne keeps one block a bin: every second free overflows into the span.
func TestOne(t *testing.T) {
	var h One
	c := h.Acquire()
	var blocks [][]byte
	for i := 0; i < 1000; i++ {
		b := c.Alloc(1 + i%256)
		b[0] = byte(i)
		blocks = append(blocks, b)
	}
	for i, b := range blocks {
		if b[0] != byte(i) {
			t.Fatal("two owners")
		}
		c.Free(b)
		if bin := c.Bin(1 + i%256); bin.n != 1 {
			t.Fatalf("%d blocks in a bin of one", bin.n)
		}
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}
