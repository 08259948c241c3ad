// Code derived from ../../generated/listbincall by bench/derive; DO NOT EDIT.

//go:build go1.21

package listbincall

import (
	"strconv"
	"strings"
)

// HeapStats are plain numbers, ready for JSON. Every byte of Taken is one of
// Empty, Released, Large, blocks of a class, or lost where blocks do not fill pools.
type HeapStats struct {
	Reserved    int64            `json:"reserved"`          // bytes of address space; none in Go memory
	Taken       int64            `json:"taken"`             // bytes taken from the system: whole arenas; in Go memory those of used blocks
	Released    int64            `json:"released"`          // of these, bytes of pools without memory: given back, or never used
	Empty       int64            `json:"empty"`             // bytes of pools without blocks that keep their memory
	Large       int64            `json:"large"`             // bytes in blocks above the threshold
	LargeBlocks int              `json:"large_blocks"`      // blocks above the threshold
	Caches      int              `json:"caches"`            // caches that were not released
	Classes     []HeapClassStats `json:"classes,omitempty"` // classes that have pools, or in Go memory used blocks
}

// HeapClassStats are the numbers of one class. In Go memory Pools, Depot and Free
// are 0.
type HeapClassStats struct {
	Class int   `json:"class"` // from 0 for the smallest
	Size  int   `json:"size"`  // bytes of a block
	Pools int   `json:"pools"` // pools that hold its blocks
	Used  int64 `json:"used"`  // blocks with users and in caches
	Idle  int64 `json:"idle"`  // blocks that released caches left for the next
	Depot int64 `json:"depot"` // blocks in the depot
	Free  int64 `json:"free"`  // blocks in spans
}

// Stats counts what the heap holds. Blocks in caches count as used until Flush or
// Release.
func (h *Heap) Stats() HeapStats {
	var stats HeapStats
	var classes [heapClasses + 1]HeapClassStats
	var idle [heapClasses + 1]int64
	cores := h.takeIdle() // their blocks stay where they are meanwhile
	for _, c := range cores {
		c.count(&idle)
	}
	h.count(&stats, &classes)
	h.mu.Lock()
	stats.Caches = len(h.cores) - len(cores)
	h.mu.Unlock()
	for id := 1; id <= heapClasses; id++ {
		s := classes[id]
		s.Used -= idle[id]
		s.Idle = idle[id]
		if s.Pools != 0 || s.Used != 0 {
			s.Class, s.Size = id-1, int(heapClassTable[id].size)
			stats.Classes = append(stats.Classes, s)
		}
	}
	for _, c := range cores {
		h.giveBack(c)
	}
	return stats
}

// String is the report of CPython's small-object allocator: the classes, and where
// each byte of the arenas is. It ends with their total.
func (s HeapStats) String() string {
	var r heapReport
	r.WriteString("Small block threshold = " + strconv.Itoa(heapThreshold) + ", in " + strconv.Itoa(heapClasses) + " size classes.\n\n")
	r.WriteString("class   size   num pools   blocks in use  avail blocks\n")
	r.WriteString("-----   ----   ---------   -------------  ------------\n")
	var used, free, lost int64
	for _, c := range s.Classes {
		r.class(c)
		size := int64(c.Size)
		used += c.Used * size
		free += (c.Idle + c.Depot + c.Free) * size
		if c.Pools != 0 { // there are none in Go memory
			lost += int64(c.Pools)<<heapPoolShift - (c.Used+c.Idle+c.Depot+c.Free)*size
		}
	}
	r.WriteByte('\n')
	if s.Reserved != 0 { // arenas go back at Close, all at once: there were never more
		const size = heapArenaPools << heapPoolShift
		arenas := s.Taken / size
		r.line("# arenas allocated total", arenas)
		r.line("# arenas highwater mark", arenas)
		r.line("# arenas allocated current", arenas)
		r.line(strconv.FormatInt(arenas, 10)+" arenas * "+strconv.Itoa(size)+" bytes/arena", s.Taken)
		r.WriteByte('\n')
	}
	r.line("# bytes in allocated blocks", used)
	r.line("# bytes in available blocks", free)
	r.line(strconv.FormatInt(s.Empty>>heapPoolShift, 10)+" unused pools * "+strconv.Itoa(heapPoolSize)+" bytes", s.Empty)
	r.line(strconv.FormatInt(s.Released>>heapPoolShift, 10)+" released pools * "+strconv.Itoa(heapPoolSize)+" bytes", s.Released)
	r.line(strconv.Itoa(s.LargeBlocks)+" large blocks", s.Large)
	r.line("# bytes lost to quantization", lost)
	r.line("Total", used+free+s.Empty+s.Released+s.Large+lost)
	return r.String()
}

// heapReport is the text of HeapStats in the making.
type heapReport struct{ strings.Builder }

// class adds a row of the table.
func (r *heapReport) class(c HeapClassStats) {
	r.right(strconv.Itoa(c.Class), 5)
	r.right(strconv.Itoa(c.Size), 7)
	r.right(strconv.Itoa(c.Pools), 12)
	r.right(strconv.FormatInt(c.Used, 10), 16)
	r.right(strconv.FormatInt(c.Idle+c.Depot+c.Free, 10), 14)
	r.WriteByte('\n')
}

// line adds a name and its number, with commas.
func (r *heapReport) line(name string, value int64) {
	r.WriteString(name + strings.Repeat(" ", max(35-len(name), 0)) + "=")
	digits := strconv.FormatInt(value, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	r.right(digits, 21)
	r.WriteByte('\n')
}

// right adds a text that ends in the column width from here.
func (r *heapReport) right(text string, width int) {
	r.WriteString(strings.Repeat(" ", max(width-len(text), 0)) + text)
}
