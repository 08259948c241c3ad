package main

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/generated/general"
)

// mixed allocates so many bytes in blocks from 16 bytes to 32 KiB, as many in
// each doubling, and writes to all of them.
func mixed(c *general.HeapCache, bytes int) (blocks []unsafe.Pointer) {
	x := uint64(1)
	for made := 0; made < bytes; {
		x = next(x)
		size := int(16 * math.Exp2(11*float64(x>>11)/(1<<53)))
		p := c.Bin(size).Alloc()
		clear(unsafe.Slice((*byte)(p), size))
		blocks = append(blocks, p)
		made += size
	}
	return blocks
}

// freeAll frees blocks in random order.
func freeAll(c *general.HeapCache, blocks []unsafe.Pointer) {
	x := uint64(2)
	for n := len(blocks); n > 0; n-- {
		x = next(x)
		at := &blocks[x>>32*uint64(n)>>32]
		p := *at
		*at = blocks[n-1]
		c.BinOf(p).Free(p)
	}
}

// trim frees all of a heap and looks at what stays resident, of the whole process.
func (b *bench) trim() group {
	const (
		live, freed, trimmed = "live", "freed", "trimmed"
		heapName             = "two-step"
		bound                = 52 // MiB
	)
	bytes := b.scaled(1 << 30)
	once := func() (map[string]float64, error) {
		h := new(general.Heap)
		c := h.Acquire()
		blocks := mixed(c, bytes)
		values := map[string]float64{}
		note := func(name string) error {
			n, err := report.Resident()
			values[name] = float64(n)
			return err
		}
		if err := note(live); err != nil {
			return nil, err
		}
		freeAll(c, blocks)
		c.Release()
		if err := note(freed); err != nil {
			return nil, err
		}
		h.Trim()
		return values, note(trimmed)
	}
	return group{
		name:     "trim",
		subjects: onLinux(report.Subject{Name: heapName, Once: once}),
		rows: func(f report.Figures) []report.Row {
			t := b.table(fmt.Sprintf("%d MiB in mixed sizes, freed: resident in the whole process", bytes>>20), f)
			t.unit, t.per, t.absent[heapName] = "MiB", 1<<20, onlyLinux
			for _, state := range []string{live, freed, trimmed} {
				t.value = state
				s := t.side(heapName)
				s.name = heapName + ", " + state
				if state != trimmed {
					t.add(s, side{}, 0)
					continue
				}
				t.add(s, side{name: fmt.Sprintf("%d MiB", bound), figure: bound}, 1)
			}
			return t.rows
		},
	}
}
