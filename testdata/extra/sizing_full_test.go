//go:build (linux || darwin || freebsd || windows) && !allocgen_goheap

package sizing

import "testing"

// TestShrinkingNeverFails takes the rest of memory away: what fits the buffer at
// hand needs no other, even where the rule would make it larger.
func TestShrinkingNeverFails(t *testing.T) {
	var h Blocks
	c := h.Acquire()
	l := c.NewNew(6)
	l.AppendSlice([]int64{1, 2, 3})
	h.pools = h.taken // nothing more from the system
	for _, size := range []int{1 << 20, 64 << 10, blocksThreshold, 1024, 512, 256, 128, 96, 64, 48, 32, 16} {
		for c.Bin(size).Alloc() != nil {
		}
	}
	if v, ok := l.Pop(); v != 3 || !ok {
		t.Errorf("Pop gave %v, %v", v, ok)
	}
	if l.Len() != 2 || l.Cap() != 6 || l.At(0) != 1 || l.At(1) != 2 {
		t.Errorf("%d items of %d: %v", l.Len(), l.Cap(), l.Slice())
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("growth did not fail")
			}
		}()
		l.Resize(1000)
	}()
	if l.Len() != 2 || l.Cap() != 6 {
		t.Errorf("after growth failed: %d items of %d", l.Len(), l.Cap())
	}
}
