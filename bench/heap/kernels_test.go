package main

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/bench/generated/burst"
	"github.com/allocgen/allocgen/bench/generated/layered"
	"github.com/allocgen/allocgen/generated/buffers"
	"github.com/allocgen/allocgen/generated/general"
)

// held is how many blocks a heap without caches has given out.
func held(h *general.Heap) (n int64) {
	for _, c := range h.Stats().Classes {
		n += c.Used
	}
	return n + int64(h.Stats().LargeBlocks)
}

// A walk reaches every slot, and replacing keeps as many blocks, all different.
// What was freed last is handed out first: the slots keep their blocks.
func TestReplace(t *testing.T) {
	const live = 1 << 10
	h, set := new(general.Heap), new(slots)
	c := h.Acquire()
	for i := range live {
		set[i] = c.Bin(fixedSize).Alloc()
	}
	w, mask := newWalk(live)
	require.EqualValues(t, 1<<16-1, mask)
	twoStepReplace(c, set, w, mask, 1<<16, fixedSize)
	visited := map[uint32]bool{}
	for _, slot := range w[:mask+1] {
		visited[slot] = true
	}
	assert.Len(t, visited, live)
	blocks := map[unsafe.Pointer]bool{}
	for _, p := range set[:live] {
		blocks[p] = true
	}
	assert.Len(t, blocks, live)
	assert.Equal(t, make([]unsafe.Pointer, 8), set[live:live+8], "no slot beyond")
	c.Flush()
	assert.EqualValues(t, live, held(h))
	for i := range live {
		c.BinOf(set[i]).Free(set[i])
	}
	c.Release()
	assert.NoError(t, h.Close())
}

// Kernels that free all that they allocate leave nothing.
func TestKernelsBalance(t *testing.T) {
	t.Run("general", func(t *testing.T) {
		h := new(general.Heap)
		c := h.Acquire()
		shallowBurst(c, 3, fixedSize)
		twoStepPairs(c, 100, fixedSize)
		sizedPairs(c, 100, fixedSize)
		blocks := mixed(c, 1<<20)
		freeAll(c, blocks)
		c.Release()
		assert.Zero(t, held(h))
		assert.NoError(t, h.Close())
	})
	t.Run("burst", func(t *testing.T) {
		h := new(burst.Heap)
		twoStepBurst(h.Acquire(), 3, fixedSize)
		assert.NoError(t, h.Close())
	})
	t.Run("layered", func(t *testing.T) {
		h := new(layered.Heap)
		calledPairs(h.Acquire(), 100, fixedSize)
		assert.NoError(t, h.Close())
	})
	t.Run("buffers", func(t *testing.T) {
		h := new(buffers.Heap)
		c := h.Acquire()
		sizedBuffers(c, 100, bufferSize)
		oneStepBuffers(c, 100, bufferSize)
		c.Release()
		assert.NoError(t, h.Close())
	})
}

// Every block of a batch arrives, with what was written to it.
func TestHandOver(t *testing.T) {
	const batches, sum = 100, handSize * (handSize - 1) / 2
	assert.EqualValues(t, batches*sum, twoStepHandOver()(batches))
	assert.EqualValues(t, batches*sum, syncPoolHandOver()(batches))
}

func TestMixed(t *testing.T) {
	h := new(general.Heap)
	c := h.Acquire()
	blocks := mixed(c, 8<<20)
	mean := 8 << 20 / len(blocks)
	assert.InDelta(t, 4300, mean, 500, "as many in each doubling from 16 bytes to 32 KiB")
	freeAll(c, blocks)
	c.Release()
	assert.NoError(t, h.Close())
}

func TestDrift(t *testing.T) {
	h := new(general.Heap)
	const target = 1 << 20
	d := newDrift(h.Acquire(), target)
	phases := 0
	values, err := d.run(func() {
		phases++
		assert.GreaterOrEqual(t, d.live, target)
		assert.Less(t, d.live, target+64<<10)
		assert.GreaterOrEqual(t, d.made, phases*churn*target)
	})
	require.NoError(t, err)
	assert.Equal(t, len(driftMeans), phases)
	assert.Len(t, values, len(driftMeans)+1)
	for len(d.blocks) > 0 {
		d.drop()
	}
	assert.Zero(t, d.live)
	assert.NoError(t, h.Close())
}

// Both trees have so many nodes.
func TestTrees(t *testing.T) {
	const n = 1000
	var inGo func(*goObject) int
	inGo = func(x *goObject) int {
		if x == nil {
			return 0
		}
		return 1 + inGo(x.left) + inGo(x.right)
	}
	assert.Equal(t, n, inGo(goTree(n)))
	h := new(general.Heap)
	c := h.Acquire()
	root := heapTree(c, n)
	var inHeap func(uintptr) int
	inHeap = func(p uintptr) int {
		if p == 0 {
			return 0
		}
		x := *(**heapObject)(unsafe.Pointer(&p))
		left, right := x.left, x.right
		count := 1 + inHeap(left) + inHeap(right)
		c.Bin(fixedSize).Free(unsafe.Pointer(x))
		return count
	}
	assert.Equal(t, n, inHeap(root))
	assert.NoError(t, h.Close())
	assert.EqualValues(t, fixedSize, unsafe.Sizeof(heapObject{}))
	assert.EqualValues(t, fixedSize, unsafe.Sizeof(goObject{}))
}
