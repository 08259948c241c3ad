//go:build (linux || darwin || freebsd || windows) && !allocgen_goheap

package general

import (
	"math/rand"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestResizeLarge: a large block shrinks and grows where it is. What it gives back
// serves others, and what others have it does not take.
func TestResizeLarge(t *testing.T) {
	var h Heap
	c := h.Acquire()
	b := c.Alloc(40 * heapPoolSize)
	was := &b[0]
	b[0], b[20*heapPoolSize-1] = 1, 2
	resize := func(pools int) {
		t.Helper()
		b = c.Realloc(b, pools*heapPoolSize)
		require.Equal(t, pools*heapPoolSize, cap(b))
		require.Equal(t, int64(len(b)), h.Stats().Large)
		require.Equal(t, 1, h.Stats().LargeBlocks)
		require.Equal(t, [2]byte{1, 2}, [2]byte{b[0], b[20*heapPoolSize-1]})
		heapCheck(t, &h)
	}
	empty := h.Stats().Empty + h.Stats().Released
	resize(20)
	require.Same(t, was, &b[0])
	require.Equal(t, empty+20*heapPoolSize, h.Stats().Empty+h.Stats().Released, "the tail is given back")
	resize(40)
	require.Same(t, was, &b[0])
	b = c.Realloc(b, 30*heapPoolSize+1)
	require.Same(t, was, &b[0])
	require.Equal(t, 40*heapPoolSize, cap(b), "more than 3/4 is used")
	resize(21)
	next := c.Alloc(3 * heapPoolSize) // of what b gave back
	require.Same(t, was, &b[0])
	for i := range next {
		next[i] = 3
	}
	c.Free(next)
	resize(64)
	require.Same(t, was, &b[0])
	resize(22)
	h.Trim() // without memory behind it
	resize(60)
	require.Same(t, was, &b[0])
	for i := 20 * heapPoolSize; i < len(b); i++ {
		b[i] = 4 // there is memory
	}
	resize(200) // more than there is behind it
	require.NotSame(t, was, &b[0])
	c.Free(b)
	heapCheck(t, &h)
	require.NoError(t, h.Close())
}

// TestResizeLargeTaken: a block whose neighbour is in use moves.
func TestResizeLargeTaken(t *testing.T) {
	var h Heap
	c := h.Acquire()
	b := c.Alloc(3 * heapPoolSize)
	next := c.Alloc(3 * heapPoolSize)
	end := unsafe.Add(unsafe.Pointer(&b[0]), cap(b))
	require.Equal(t, end, unsafe.Pointer(&next[0]), "they lie side by side")
	b[0], next[0] = 1, 2
	was := &b[0]
	b = c.Realloc(b, 4*heapPoolSize)
	require.NotSame(t, was, &b[0])
	require.Equal(t, []byte{1, 2}, []byte{b[0], next[0]})
	heapCheck(t, &h)
	next = c.Realloc(next, 30*heapPoolSize)
	require.Equal(t, byte(2), next[0])
	c.Free(b)
	c.Free(next)
	heapCheck(t, &h)
	require.NoError(t, h.Close())
}

// runsBehind makes a large block whose pools behind are runs with and without
// memory, by turns.
func runsBehind(t *testing.T, h *Heap, c *HeapCache, runs int) []byte {
	t.Helper()
	b := c.Alloc(4 * heapPoolSize)
	var behind [][]byte
	for range runs {
		behind = append(behind, c.Alloc(3*heapPoolSize))
	}
	for i := 0; i < runs; i += 2 {
		c.Free(behind[i])
	}
	h.Trim()
	for i := 1; i < runs; i += 2 {
		c.Free(behind[i])
	}
	heapCheck(t, h)
	return b
}

// TestResizeLargeFails: where the system has no memory for what lies behind, all
// is as it was, and the block is had elsewhere, or stays as it is.
func TestResizeLargeFails(t *testing.T) {
	const runs = 9
	for fail := 0; ; fail++ {
		var h Heap
		c := h.Acquire()
		b := runsBehind(t, &h, c, runs)
		b[0], b[len(b)-1] = 1, 2
		was, before := &b[0], h.Stats()
		calls := failing(t, func(call int) bool { return call == fail })
		h.mu.Lock()
		first := uint32((uintptr(unsafe.Pointer(&b[0])) - h.base) >> heapPoolShift)
		done := h.takeAt(first+4, 3*runs)
		h.mu.Unlock()
		failing(t, never)
		if done { // no call is left that could fail
			require.Positive(t, fail)
			require.LessOrEqual(t, *calls, fail)
			return
		}
		heapCheck(t, &h)
		require.Equal(t, before, h.Stats())
		b = c.Realloc(b, (4+3*runs)*heapPoolSize)
		require.Same(t, was, &b[0])
		require.Equal(t, [2]byte{1, 2}, [2]byte{b[0], b[4*heapPoolSize-1]})
		for i := range b {
			b[i] = 5 // there is memory behind all of it
		}
		heapCheck(t, &h)
		c.Free(b)
		require.NoError(t, h.Close())
	}
}

// TestReallocOutOfMemory: what cannot be had leaves the block as it was, and to
// hold less never fails.
func TestReallocOutOfMemory(t *testing.T) {
	var h Heap
	c := h.Acquire()
	for _, size := range []int{100, 10 * heapPoolSize} {
		b := c.Alloc(size)
		for i := range b {
			b[i] = byte(i)
		}
		failing(t, func(int) bool { return true })
		require.True(t, outOfMemory(t, func() { c.Realloc(b, 100<<20) }))
		require.True(t, outOfMemory(t, func() { h.Realloc(b, 100<<20) }))
		failing(t, never)
		for i, v := range b {
			require.Equal(t, byte(i), v)
		}
		heapCheck(t, &h)
		c.Free(b)
	}
	c.Flush()
	h.Trim()
	b := c.Alloc(5000)
	var others [][]byte
	for c.Bin(5000).n != 0 { // no span is free that would serve another class
		others = append(others, c.Alloc(5000))
	}
	failing(t, func(int) bool { return true })
	b = c.Realloc(b, 3000) // a class without a block
	require.Len(t, b, 3000)
	require.Equal(t, 5<<10, cap(b), "in place")
	failing(t, never)
	c.Free(b)
	for _, other := range others {
		c.Free(other)
	}
	require.NoError(t, h.Close())
}

// TestResizeLargeRandom resizes many large blocks beside each other.
func TestResizeLargeRandom(t *testing.T) {
	var h Heap
	c := h.Acquire()
	random := rand.New(rand.NewSource(1))
	live := make([][]byte, 12)
	inPlace := 0
	for step := range 4000 {
		i := random.Intn(len(live))
		n := 1 + random.Intn(1<<(4+random.Intn(17)))
		b, stamp := live[i], byte(i)
		grown := c.Realloc(b, n)
		if len(b) != 0 && &b[0] == &grown[0] && cap(grown) > cap(b) {
			inPlace++
		}
		for j := range grown {
			if j < min(len(b), n) && grown[j] != stamp {
				t.Fatalf("step %d: byte %d of %d is %d", step, j, n, grown[j])
			}
			grown[j] = stamp
		}
		live[i] = grown
		if step%100 == 0 {
			heapCheck(t, &h)
		}
		if step%500 == 0 {
			h.Trim()
		}
	}
	require.Greater(t, inPlace, 10)
	for _, b := range live {
		c.Free(b)
	}
	c.Flush()
	heapCheck(t, &h)
	require.NoError(t, h.Close())
}
