package plan

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/allocgen/allocgen/internal/spec"
)

// TestClasses holds the laws of a class table for every legal spec.
func TestClasses(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entry := drawHeap(t)
		s, errs := spec.Parse("p.yaml", []byte(head+"heaps: {Heap: "+entry+"}\n"))
		if len(errs) > 0 {
			t.Fatalf("not legal: %s\n%v", entry, errs)
		}
		p, errs := Build(s, Beside{})
		sizes := wantSizes(s.Heaps[0])
		if len(sizes) > MaxClasses || sizes[len(sizes)-1] > MaxSpan*s.Heaps[0].Pool {
			if len(errs) == 0 {
				t.Fatalf("%s: %d classes up to %d are too much", entry, len(sizes), sizes[len(sizes)-1])
			}
			return
		}
		if len(errs) > 0 {
			t.Fatalf("%s\n%v", entry, errs)
		}
		h := p.Heaps[0]
		if err := errors.Join(checkSizes(h, sizes), checkTable(h), checkNumbers(h, s.Heaps[0])); err != nil {
			t.Fatalf("%s\n%v", entry, err)
		}
	})
}

// drawHeap is an entry of heaps in which the format finds nothing wrong.
func drawHeap(t *rapid.T) string {
	keys := []string{}
	key := func(format string, args ...any) { keys = append(keys, fmt.Sprintf(format, args...)) }
	align := rapid.SampledFrom([]int{8, 8, 16, 16, 32, 64, 512, 4096}).Draw(t, "align")
	key("align: %d", align)
	// Near both ends more often than between them.
	multiple := func(low, high int, label string) int {
		low, high = (low+align-1)/align, high/align
		n := rapid.IntRange(0, high-low).Draw(t, label)
		if rapid.Bool().Draw(t, label+" from above") {
			n = high - low - n
		}
		return align * (low + n)
	}
	var threshold int
	if rapid.Bool().Draw(t, "list") {
		var list []string
		for n := rapid.IntRange(1, 40).Draw(t, "classes"); n > 0 && threshold < 128<<10; n-- {
			threshold = multiple(threshold+1, 128<<10, "size")
			list = append(list, fmt.Sprint(threshold))
		}
		key("classes: [%s]", strings.Join(list, ", "))
	} else {
		smallest := multiple(align, rapid.SampledFrom([]int{align, 16 * align, 128 << 10}).Draw(t, "most"), "min")
		threshold = multiple(smallest, 128<<10, "threshold")
		to := multiple(smallest, threshold, "to")
		step := multiple(max(align, to/100), 128<<10, "step")
		rule := fmt.Sprintf("min: %d, to: %d, step: %d", smallest, to, step)
		if to < threshold {
			rule += fmt.Sprintf(", per_doubling: %d", 1<<rapid.IntRange(0, 6).Draw(t, "per"))
		}
		key("threshold: %d, classes: {%s}", threshold, rule)
	}
	pool := rapid.IntRange(12, 18).Draw(t, "pool")
	key("pool: %d, arena: %d", 1<<pool, 1<<rapid.IntRange(max(16, pool+2), 26).Draw(t, "arena"))
	key("depth: %d", 1<<rapid.IntRange(0, 10).Draw(t, "depth"))
	return "{" + strings.Join(keys, ", ") + "}"
}

// wantSizes reads specs/README.md's rule as a set: the smallest class, every
// step up to `to`, the parts of each doubling, all rounded up to align and none
// above the threshold, which is one of them.
func wantSizes(h spec.Heap) []int {
	c := h.Classes
	if c.Sizes != nil {
		return c.Sizes
	}
	sizes := []int{c.Min, h.Threshold}
	for n := c.Step; n <= c.To; n += c.Step {
		if n > c.Min {
			sizes = append(sizes, n)
		}
	}
	for base := c.To; base < h.Threshold; base *= 2 {
		for i := 1; i <= c.PerDoubling; i++ {
			n := base + base*i/c.PerDoubling
			n = (n + h.Align - 1) / h.Align * h.Align
			sizes = append(sizes, min(n, h.Threshold))
		}
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

func sizesOf(h Heap) []int {
	var sizes []int
	for _, c := range h.Classes {
		sizes = append(sizes, c.Size)
	}
	return sizes
}

func checkSizes(h Heap, want []int) error {
	sizes := sizesOf(h)
	switch {
	case !slices.Equal(want, sizes):
		return fmt.Errorf("sizes %v, should be %v", sizes, want)
	case sizes[len(sizes)-1] != h.Threshold:
		return fmt.Errorf("the last class is %d, the threshold %d", sizes[len(sizes)-1], h.Threshold)
	}
	for i, size := range sizes {
		if size%h.Align != 0 || i > 0 && size <= sizes[i-1] {
			return fmt.Errorf("class %d: %d after %d, align %d", i+1, size, sizes[max(i-1, 0)], h.Align)
		}
	}
	return nil
}

// checkTable asks for every size from 0 to the threshold as the output does.
func checkTable(h Heap) error {
	if h.Align != 1<<h.AlignShift {
		return fmt.Errorf("align %d, shift %d", h.Align, h.AlignShift)
	}
	class := 0 // the smallest that holds n; class 0 holds nothing
	for n := 0; n <= h.Threshold; n++ {
		if n > 0 && (class == 0 || n > h.Classes[class-1].Size) {
			class++
		}
		if i := (n + h.Align - 1) >> h.AlignShift; i >= len(h.Table) || int(h.Table[i]) != class {
			return fmt.Errorf("%d bytes: class %d, should be %d", n, h.Table[min(i, len(h.Table)-1)], class)
		}
	}
	return nil
}

func checkNumbers(h Heap, s spec.Heap) error {
	var errs []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	check(h.PoolSize == 1<<h.PoolShift, "pool %d, shift %d", h.PoolSize, h.PoolShift)
	check(h.ArenaPools*h.PoolSize == s.Arena, "arena: %d pools", h.ArenaPools)
	check(h.Depth == s.Depth.All, "depth %d", h.Depth)
	check(bits.OnesCount(uint(h.Bins)) == 1 && h.Bins > len(h.Classes)+2 && h.Bins <= 256, "%d bins for %d classes", h.Bins, len(h.Classes))
	words, batch := 0, 0
	for _, c := range h.Classes {
		check(c.Pools >= 1 && c.Pools <= MaxSpan, "%d: %d pools", c.Size, c.Pools)
		check(c.Blocks >= 1 && c.Blocks == c.Pools*h.PoolSize/c.Size, "%d: %d blocks", c.Size, c.Blocks)
		check(c.Depth >= 1 && c.Depth <= h.Depth, "%d: depth %d", c.Size, c.Depth)
		check(c.Depth == 1 || c.Depth*c.Size <= MaxBinBytes, "%d: depth %d keeps too much", c.Size, c.Depth)
		check(c.Batch >= 1 && c.Batch <= MaxBatch && c.Batch <= c.Depth, "%d: batch %d", c.Size, c.Batch)
		errs = append(errs, checkWaste(c, h.PoolSize), checkScale(c, c.Pools*h.PoolSize))
		words, batch = max(words, (c.Blocks+63)/64), max(batch, c.Batch)
	}
	check(words == h.SpanWords, "%d words, should be %d", h.SpanWords, words)
	check(batch == h.Batch, "batch %d, should be %d", h.Batch, batch)
	return errors.Join(errs...)
}

// checkWaste: the smallest span whose tail waste is at most 1/16, or else the
// least wasteful of all.
func checkWaste(c Class, pool int) error {
	tail := func(pools int) int { return pools * pool % c.Size }
	good := func(pools int) bool { return 16*tail(pools) <= pools*pool }
	for pools := max(1, (c.Size+pool-1)/pool); pools <= MaxSpan; pools++ {
		switch {
		case pools < c.Pools && good(pools):
			return fmt.Errorf("%d: %d pools would do", c.Size, pools)
		case !good(c.Pools) && tail(pools)*c.Pools < tail(c.Pools)*pools:
			return fmt.Errorf("%d: %d pools waste less than %d", c.Size, pools, c.Pools)
		}
	}
	return nil
}

// checkScale: both sides of offset*Scale>>ScaleBits == offset/Size only grow
// with the offset, so that the two ends of each block stand for all offsets.
func checkScale(c Class, span int) error {
	for block := 0; block*c.Size < span; block++ {
		for _, offset := range []int{block * c.Size, min((block+1)*c.Size, span) - 1} {
			high, low := bits.Mul64(uint64(offset), c.Scale)
			if high != 0 || low>>ScaleBits != uint64(block) {
				return fmt.Errorf("offset %d of %d-byte blocks: %d<<64|%d is not of block %d", offset, c.Size, high, low, block)
			}
		}
	}
	return nil
}
