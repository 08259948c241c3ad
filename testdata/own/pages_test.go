//go:build linux && !allocgen_goheap && !race

package own

import (
	"fmt"
	"math/rand"
	"os"
	"testing"
	"unsafe"
)

// TestLargePages: where pages are larger than pools, pools that become empty one by one
// give whole pages back as soon as all pools of a page are.
func TestLargePages(t *testing.T) {
	defer func(size uintptr) { pagedPageSize = size }(pagedPageSize)
	for _, page := range []uintptr{16 << 10, 64 << 10} {
		pagedPageSize = page
		for _, order := range []string{"up", "down", "random"} {
			var h paged
			c := h.Acquire()
			const blocks = 16 << 10
			var live [blocks]unsafe.Pointer
			before := resident(t)
			for i := range live {
				live[i] = c.Bin(1024).Alloc()
				*(*byte)(live[i]) = 1
			}
			grown := resident(t) - before
			at := rand.Perm(blocks / 4) // of pools
			for i := range at {
				switch order {
				case "up":
					at[i] = i
				case "down":
					at[i] = blocks/4 - 1 - i
				}
			}
			for _, pool := range at {
				for _, p := range live[4*pool : 4*pool+4] {
					c.Bin(1024).Free(p)
				}
			}
			c.Flush()
			h.reclaim()
			if left := resident(t) - before; grown < blocks<<10 || left > grown/8 {
				t.Errorf("pages of %d KiB, %s: %d KiB resident, %d KiB after all is freed", page>>10, order, grown>>10, left>>10)
			}
			// What comes back is usable.
			for i := range live {
				live[i] = c.Bin(1024).Alloc()
				*(*byte)(live[i]) = 1
			}
			for i := range live {
				c.Bin(1024).Free(live[i])
			}
			c.Release()
			if err := h.Close(); err != nil {
				t.Error(err)
			}
		}
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
