//go:build !race

// Released caches share one core in system memory, which the race detector would
// see.

package general_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/generated/general"
)

// TestFreeAfterRelease: the order of deferred calls does not matter, whoever has
// the released cache's blocks by then.
func TestFreeAfterRelease(t *testing.T) {
	var h general.Heap
	var group sync.WaitGroup
	for id := range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 2000 {
				func() {
					c := h.Acquire()
					b, large := c.Alloc(64+id), c.Alloc(2*threshold)
					defer func() { c.BinOf(address(b)).Free(address(b)) }()
					defer c.Free(large)
					b[0], large[0] = byte(id), byte(id)
					late := c.Alloc(100)
					defer func() { // after Release
						c.Free(late)
						requirePanicOf(t, "use of released HeapCache", func() { c.Alloc(1) })
					}()
					defer c.Release()
					if b[0] != byte(id) || large[0] != byte(id) {
						t.Error("a block has two owners")
					}
				}()
			}
		}()
	}
	group.Wait()
	for _, s := range h.Stats().Classes {
		require.Zero(t, s.Used, "of %d bytes", s.Size)
	}
	require.NoError(t, h.Close())
}

// requirePanicOf is requirePanic for goroutines other than the test's.
func requirePanicOf(t *testing.T, text string, f func()) {
	if got, _ := panicOf(f).(string); !strings.Contains(got, text) {
		t.Errorf("panic with %q, not with %q", got, text)
	}
}
