//go:build linux && !allocgen_goheap && !race

package zero

import (
	"fmt"
	"os"
	"testing"
)

// TestVirgin: what the system has just given is not cleared again, so that what is
// never written takes no memory; what was used is.
func TestVirgin(t *testing.T) {
	var h Alloc
	c := h.Acquire()
	const blocks, size = 1000, 64 << 10
	before := resident(t)
	var live [blocks][]byte
	for i := range live {
		live[i] = c.Alloc(size)
		live[i][0] = 1 // a page
	}
	if grown := resident(t) - before; grown > blocks*size/4 {
		t.Errorf("large blocks: %d KiB more resident for a page in each of %d blocks of %d KiB", grown>>10, blocks, size>>10)
	}
	for i := range live {
		c.Free(live[i])
	}
	c.Flush()
	h.Trim()
	before = resident(t)
	const small = 32 << 10
	for i := range live {
		live[i] = c.Alloc(small)
		live[i][0] = 1
	}
	if grown := resident(t) - before; grown > blocks*small/4 {
		t.Errorf("classes: %d KiB more resident for a page in each of %d blocks of %d KiB", grown>>10, blocks, small>>10)
	}
	for i := range live {
		dirty(live[i])
		c.Free(live[i])
	}
	for i := range live {
		live[i] = c.Alloc(small)
		clean(t, "used before", room(live[i]))
	}
	for i := range live {
		c.Free(live[i])
	}
	c.Release()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// resident is how many bytes of this process are in memory.
func resident(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var size, pages int
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
