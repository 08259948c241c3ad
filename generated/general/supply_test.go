//go:build (linux || darwin || freebsd || windows) && !allocgen_goheap

package general_test

import (
	"math/rand"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/generated/general"
)

const retained = 1 << 20 // the spec's default

// TestMemoryComesBack frees what held 64 MiB: all but what is retained is given
// back at once, Trim gives the rest, and what was given back serves again.
func TestMemoryComesBack(t *testing.T) {
	var h general.Heap
	random := rand.New(rand.NewSource(1))
	for round := range 3 {
		c := h.Acquire()
		var live [][]byte
		for sum := 0; sum < 64<<20; {
			b := c.Alloc(1 + random.Intn(1<<(4+random.Intn(15))))
			b[0], b[len(b)-1] = byte(round), byte(round)
			sum += len(b)
			live = append(live, b)
		}
		before := h.Stats()
		require.LessOrEqual(t, before.Empty, int64(retained))
		random.Shuffle(len(live), func(i, j int) { live[i], live[j] = live[j], live[i] })
		for _, b := range live {
			require.Equal(t, byte(round), b[0])
			require.Equal(t, byte(round), b[len(b)-1])
			c.Free(b)
		}
		c.Flush()
		after := h.Stats()
		require.LessOrEqual(t, after.Empty, int64(retained))
		require.Greater(t, after.Released, int64(40<<20), "spans and depots keep too much")
		given := h.Trim()
		require.Positive(t, given)
		last := h.Stats()
		require.Equal(t, last.Taken, last.Released, "Trim leaves memory behind")
		require.Zero(t, last.Empty)
		for _, s := range last.Classes {
			require.Zero(t, s.Pools, "class %d", s.Size)
		}
		require.Zero(t, h.Trim(), "there is nothing more to give")
		c.Release()
	}
	require.NoError(t, h.Close())
}

// TestTrimUnopened: there is nothing to give before the first use and after Close.
func TestTrimUnopened(t *testing.T) {
	var h general.Heap
	require.Zero(t, h.Trim())
	h.Free(h.Alloc(1))
	require.NoError(t, h.Close())
	require.Zero(t, h.Trim())
}

// TestTrimBeside trims while others allocate and free.
func TestTrimBeside(t *testing.T) {
	var h general.Heap
	done := make(chan bool)
	for id := range 4 {
		go func() {
			c := h.Acquire()
			random := rand.New(rand.NewSource(int64(id)))
			var live [100][]byte
			for range 5000 {
				at := &live[random.Intn(len(live))]
				if i := slices.IndexFunc(*at, func(v byte) bool { return v != byte(id) }); i >= 0 {
					t.Errorf("byte %d of %d is another's", i, len(*at))
				}
				c.Free(*at)
				*at = c.Alloc(1 + random.Intn(1<<(4+random.Intn(14))))
				for i := range *at {
					(*at)[i] = byte(id)
				}
			}
			for _, b := range live {
				c.Free(b)
			}
			c.Release()
			done <- true
		}()
	}
	for left := 4; left > 0; {
		select {
		case <-done:
			left--
		default:
			h.Trim()
			time.Sleep(time.Millisecond)
		}
	}
	require.NoError(t, h.Close())
}

// TestFullestArenaFirst fills four arenas, thins them out differently, and takes
// pools again: they come from the fullest that has any, so that the others can
// drain.
func TestFullestArenaFirst(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	const perArena = arenaSize / poolSize
	pools := make([]unsafe.Pointer, 4*perArena) // a block each that fills a pool
	for i := range pools {
		pools[i] = c.Bin(poolSize).Alloc()
	}
	c.Flush()
	slices.SortFunc(pools, func(a, b unsafe.Pointer) int { return int(uintptr(a)) - int(uintptr(b)) })
	first := uintptr(pools[0])
	arena := func(p unsafe.Pointer) int { return int((uintptr(p) - first) / arenaSize) }
	// Of each arena so many pools stay. The runs of arena 2 are the shortest: a best
	// fit alone would take from it.
	stay := []int{perArena - 8, perArena / 2, perArena / 2, 8}
	for a, n := range stay {
		for i := range perArena {
			keep := i < n
			if a == 2 {
				keep = i%2 == 0
			}
			if p := pools[a*perArena+i]; !keep {
				c.BinOf(p).Free(p)
			}
		}
	}
	c.Flush()
	h.Trim()
	require.Equal(t, h.Stats().Taken, int64(4*arenaSize))
	var from []int
	for range 8 + perArena {
		p := c.Bin(poolSize).Alloc()
		from = append(from, arena(p))
	}
	require.Equal(t, slices.Repeat([]int{0}, 8), from[:8])
	require.NotContains(t, from, 3, "the emptiest arena does not drain")
	require.Equal(t, int64(4*arenaSize), h.Stats().Taken)
	require.Error(t, h.Close())
}

// TestLargeBestFit frees runs of many lengths between others: a request takes the
// shortest that holds it.
func TestLargeBestFit(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	random := rand.New(rand.NewSource(1))
	lengths := random.Perm(200)
	free := map[int]unsafe.Pointer{}
	for _, n := range lengths {
		n += 20
		free[n] = c.Bin(n * poolSize).Alloc()
		c.Bin(3 * poolSize).Alloc() // stays between them
	}
	for _, p := range free {
		c.BinOf(p).Free(p)
	}
	h.Trim()
	for _, n := range random.Perm(200) {
		n += 20
		require.Equal(t, free[n], c.Bin(n*poolSize).Alloc(), "a run of %d pools is free", n)
	}
	require.Error(t, h.Close())
}

// balanced holds that no pools are lost.
func balanced(t require.TestingT, stats general.HeapStats, _, _ int64) {
	var inClasses int64
	for _, s := range stats.Classes {
		inClasses += int64(s.Pools) * poolSize
		require.LessOrEqual(t, (s.Used+s.Depot+s.Free)*int64(s.Size), int64(s.Pools)*poolSize, "class %d", s.Size)
	}
	require.Equal(t, stats.Taken, inClasses+stats.Empty+stats.Released+stats.Large, "pools are lost")
	require.Zero(t, stats.Taken%arenaSize)
	require.LessOrEqual(t, stats.Taken, stats.Reserved)
}

// TestAcquireWarm: what one cache keeps at its Release is what the next begins
// with.
func TestAcquireWarm(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	p := c.Bin(100).Alloc()
	c.Bin(100).Free(p)
	c.Release()
	next := h.Acquire()
	require.Equal(t, p, next.Bin(100).Alloc())
	require.NotSame(t, c, next)
	require.LessOrEqual(t, testing.AllocsPerRun(100, func() {
		c := h.Acquire()
		c.Free(c.Alloc(100))
		c.Release()
	}), 1.0, "more than the handle is made anew")
	require.Error(t, h.Close())
}
