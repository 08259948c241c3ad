package main

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/bench/generated/soak"
)

func start(t *testing.T, bound int64) *session {
	t.Helper()
	s, err := newSession(4, 4<<20, bound, 1)
	require.NoError(t, err)
	return s
}

func TestSession(t *testing.T) {
	s := start(t, 1<<30)
	s.work(300 * time.Millisecond)
	require.NoError(t, s.finish(), s.report())
	assert.Greater(t, s.counts.allocs.Load(), int64(1000))
	assert.Positive(t, s.counts.handedOver.Load())
}

// What the session is there to find, planted.
func TestSessionFinds(t *testing.T) {
	t.Run("a block written by another", func(t *testing.T) {
		s := start(t, 1<<30)
		b := block{s.heap.Alloc(100), 7}
		b.write()
		b.bytes[50]++
		s.transit <- b
		s.work(50 * time.Millisecond)
		assert.ErrorContains(t, s.finish(), "a block of 100 bytes")
	})
	t.Run("a leak", func(t *testing.T) {
		s := start(t, 1<<30)
		c := s.heap.Acquire()
		c.Alloc(100)
		c.Release()
		s.work(50 * time.Millisecond)
		err := s.finish()
		assert.ErrorContains(t, err, "1 blocks are in use")
		assert.ErrorContains(t, err, "live blocks: 1 of 112 bytes", "what Close says")
	})
	t.Run("too much memory", func(t *testing.T) {
		s := start(t, 0)
		s.before -= 1 << 20
		s.work(50 * time.Millisecond)
		assert.ErrorContains(t, s.finish(), "the bound is 0 MiB")
	})
	t.Run("a panic in a worker", func(t *testing.T) {
		s := start(t, 1<<30)
		s.mean.Store(math.MinInt64) // a size below 0
		s.work(50 * time.Millisecond)
		assert.ErrorContains(t, s.finish(), "negative size")
	})
	t.Run("an error that is not the limit's", func(t *testing.T) {
		s := start(t, 1<<30)
		w := newWorker(s, 1)
		assert.True(t, w.refused(errors.New("odd")))
		w.cache.Release()
		assert.ErrorContains(t, s.finish(), "odd")
	})
}

func TestBlock(t *testing.T) {
	for _, n := range []int{1, 7, 8, 9, 64, 1000} {
		b := block{make([]byte, n), 0x1122334455667788}
		b.write()
		require.NoError(t, b.check())
		for i := range b.bytes {
			b.bytes[i] ^= 1
			require.Error(t, b.check(), "byte %d of %d", i, n)
			require.NoError(t, b.checkFirst(i/8*8))
			b.bytes[i] ^= 1
		}
	}
}

func TestStatsChecks(t *testing.T) {
	assert.NoError(t, balanced(soak.HeapStats{Classes: []soak.HeapClassStats{{Size: 16, Pools: 1, Free: 3}}}))
	assert.Error(t, balanced(soak.HeapStats{Classes: []soak.HeapClassStats{{Size: 16, Used: 1}}}))
	assert.Error(t, balanced(soak.HeapStats{LargeBlocks: 1}))
	assert.Error(t, balanced(soak.HeapStats{Caches: 1}))
	assert.NoError(t, plausible(soak.HeapStats{Taken: 1 << 20}))
	assert.Error(t, plausible(soak.HeapStats{Empty: 1}))
	assert.Error(t, plausible(soak.HeapStats{Classes: []soak.HeapClassStats{{Used: -1}}}))
}
