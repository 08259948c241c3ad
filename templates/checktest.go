package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitHeapCheck walks everything that the heap knows of its pools, in system
// memory.
func emitHeapCheck(o *out, h plan.Heap) {
	declared, walked, compared := "", "", `if empty != h.empty || bare != h.bare {
		t.Errorf("pools: %d empty, %d bare, counted as %d, %d", empty, bare, h.empty, h.bare)
	}`
	if h.LargePages {
		declared, walked = ", large", "\t\tcase heapLarge:\n\t\t\tlarge += s.pools\n"
		compared = `if empty != h.empty || bare != h.bare || large != h.large {
		t.Errorf("pools: %d empty, %d bare, %d large, counted as %d, %d, %d", empty, bare, large, h.empty, h.bare, h.large)
	}`
	}
	o.decls(`
// heapCheck fails when the records of pools, runs, spans and depots disagree.
// No other call may run beside it.
func heapCheck(t *testing.T, h *Heap) {
	t.Helper()
	var empty, bare` + declared + ` uint32
	runs := map[uint32]heapUse{}
	pools := map[uint]uint32{}
	used := map[uint]uint32{}
	for first := uint32(0); first < h.taken; {
		s := h.span(first)
		if s.back != 0 || s.pools == 0 {
			t.Fatalf("pool %d starts nothing: %d before it, %d long", first, s.back, s.pools)
		}
		switch s.use {
		case heapEmpty, heapBare:
			runs[first] = s.use
			if s.use == heapBare {
				bare += s.pools
			} else {
				empty += s.pools
			}
			if last := h.span(first + s.pools - 1); last.back != s.pools-1 || last.use != s.use {
				t.Errorf("run at %d: its last pool does not know it", first)
			}
			if after := first + s.pools; after < h.taken && h.span(after).use == s.use {
				t.Errorf("runs at %d and %d are not joined", first, after)
			}
` + walked + `		case heapInUse:
			heapCheckSpan(t, h, first, s)
			pools[uint(s.class)] += s.pools
			used[uint(s.class)] += s.used
		}
		first += s.pools
	}
	` + compared + `
	heapCheckRuns(t, h, runs)
	for id := range h.depots {
		d := &h.depots[id]
		if d.pools != pools[uint(id)] || d.used != used[uint(id)] {
			t.Errorf("class %d: %d pools, %d used, counted as %d and %d", id, pools[uint(id)], used[uint(id)], d.pools, d.used)
		}
	}
}`)
	o.decls(`
// heapCheckRuns fails when runs are not in their tree, in order, or not in the
// lists of arenas.
func heapCheckRuns(t *testing.T, h *Heap, runs map[uint32]heapUse) {
	t.Helper()
	var walk func(use heapUse, root uint32) []uint32
	walk = func(use heapUse, root uint32) []uint32 {
		if root == heapNone {
			return nil
		}
		s := h.span(root)
		return append(append(walk(use, s.left), root), walk(use, s.right)...)
	}
	var starts [2][]uint32
	for use := range h.runs {
		starts[use] = walk(heapUse(use), h.runs[use])
		for i, first := range starts[use] {
			if at, ok := runs[first]; !ok || at != heapUse(use) {
				t.Errorf("pool %d is in a tree of runs", first)
			}
			if i > 0 && !h.shorter(starts[use][i-1], first) {
				t.Errorf("runs at %d and %d are in the wrong order", starts[use][i-1], first)
			}
		}
	}
	if len(starts[0])+len(starts[1]) != len(runs) {
		t.Errorf("%d runs, %d in trees", len(runs), len(starts[0])+len(starts[1]))
	}
	kept := 0
	for first := h.oldest; first != heapNone; first = h.span(first).next {
		kept++
	}
	if kept != len(starts[heapEmpty]) {
		t.Errorf("%d runs keep memory, %d are listed", len(starts[heapEmpty]), kept)
	}
	for use := range h.full {
		listed := 0
		for fill := uint32(0); fill < heapFills; fill++ {
			if h.fills[use]>>fill&1 == 0 {
				continue
			}
			for i := h.full[use][fill]; i != heapNone; i = h.arena(i).next[use] {
				a := h.arena(i)
				listed += int(a.runs[use])
				if a.used*(heapFills-1)/heapArenaPools != fill {
					t.Errorf("arena %d has %d pools in use, and is in list %d", i, a.used, fill)
				}
			}
		}
		if listed != len(starts[use]) {
			t.Errorf("%d runs of use %d start in listed arenas, %d are there", listed, use, len(starts[use]))
		}
	}
}`)
	o.decls(`
// heapCheckSpan fails when a span's record disagrees with its bitmap, with the
// class table, or with its depot's list.
func heapCheckSpan(t *testing.T, h *Heap, first uint32, s *heapSpan) {
	t.Helper()
	class := &heapClassTable[s.class]
	free := 0
	for _, word := range s.free {
		free += bits.OnesCount64(word)
	}
	if uint32(free)+s.used != class.blocks || s.pools != class.pools {
		t.Errorf("span at %d: %d free and %d used of %d blocks, %d of %d pools", first, free, s.used, class.blocks, s.pools, class.pools)
	}
	if s.listed != (free > 0) {
		t.Errorf("span at %d: %d free, listed %v", first, free, s.listed)
	}
	for i := uint32(0); i < s.pools; i++ {
		if h.span(first+i).back != i || h.class[first+i] != s.class {
			t.Errorf("pool %d of the span at %d does not know it", i, first)
		}
	}
}`)
}

// emitHeapFaults fails calls of the system.
func emitHeapFaults(o *out, h plan.Heap) {
	expected, large, once := "errors.Is(err, HeapErrSystem)", "", `		if failures > 1 {
			t.Errorf("call %d: %d requests failed, one should", k, failures)
		}
`
	if h.Limit != 0 { // which may be reached as well
		once = ""
		expected = "(errors.Is(err, HeapErrSystem) || errors.Is(err, HeapErrLimit))"
	}
	if h.LargePages {
		large = `
			if i%8 == 0 {
				get(2*heapThreshold + 1)
			}`
	}
	o.decls(`
// TestHeapFaults fails a call of the system, each in turn: whoever asked says so or
// does without, what is asked for later works, and nothing is lost.
func TestHeapFaults(t *testing.T) {
	defer func() { heapFault = nil }()
	fault := errors.New("no, says the test")
	k, calls := 0, 1
	for ; calls > k && (k < 5 || !testing.Short()); k++ { // until there is no such call
		calls = 0
		heapFault = func(string) error {
			if calls++; calls == k+1 {
				return fault
			}
			return nil
		}
		var h Heap
		var live [][]byte
		failures := 0
		get := func(n int) {
			defer func() {
				if v := recover(); v != nil {
					failures++
					if err, ok := v.(error); !ok || !EXPECTED {
						t.Errorf("call %d: %v", k, v)
					}
				}
			}()
			b := h.Alloc(n)
			b[0], b[n-1] = byte(n), byte(n)
			live = append(live, b)
		}
		for i := 0; i < 120; i++ {
			get(1 + i*7919%heapThreshold)`+large+`
			for len(live) > 16 || i%40 == 39 && len(live) > 0 {
				b := live[0]
				if live = live[1:]; b[0] != byte(len(b)) || b[len(b)-1] != byte(len(b)) {
					t.Fatalf("call %d: a block of %d bytes lost its contents", k, len(b))
				}
				h.Free(b)
			}
			if i%40 == 39 {
				h.Trim()
			}
		}
`+once+`		heapCheck(t, &h)
		if err := h.Close(); err != nil && !errors.Is(err, fault) {
			t.Errorf("call %d: %v", k, err)
		}
		if err := h.Close(); err != nil {
			t.Errorf("call %d: closed twice: %v", k, err)
		}
	}
	if k < 5 {
		t.Errorf("%d calls: the test does not do what it says", k)
	}
	heapFault = nil
	if heapUnmapLeft(); len(heapLeft.regions) != 0 {
		t.Errorf("%d regions are left", len(heapLeft.regions))
	}
}`, "EXPECTED", expected)
}
