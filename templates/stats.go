package templates

import (
	"strings"

	"github.com/allocgen/allocgen/internal/plan"
)

// emitStats is what Stats tells. Blocks in caches count as used: their bins count
// without a lock, so that nobody else may look.
func emitStats(o *out, h plan.Heap) {
	emitStatsTypes(o, h)
	caches, seen := "\tstats.Caches = len(h.cores) - len(cores)\n", ""
	switch h.Sync {
	case plan.SyncMutex:
		caches = ""
	case plan.SyncPerCPU:
		caches = "\th.countLocals(&idle)\n"
	}
	if h.Full {
		caches += "\th.countCalls(&stats, &classes)\n"
		seen = " || s.Allocs != 0"
	}
	locked := "\th.mu.Lock()\n" + caches + "\th.mu.Unlock()\n"
	if caches == "" {
		locked = ""
	}
	doc := "// Stats counts what the heap holds. Blocks in caches count as used until Flush or\n// Release."
	switch h.Sync {
	case plan.SyncMutex:
		doc = "// Stats counts what the heap holds."
	case plan.SyncPerCPU:
		doc = "// Stats counts what the heap holds: about, while others use it."
	}
	o.decls(`
` + doc + `
func (h *Heap) Stats() HeapStats {
	var stats HeapStats
	var classes [heapClasses + 1]HeapClassStats
	var idle [heapClasses + 1]int64
	cores := h.takeIdle() // their blocks stay where they are meanwhile
	for _, c := range cores {
		c.count(&idle)
	}
	h.count(&stats, &classes)
` + locked + `	for id := 1; id <= heapClasses; id++ {
		s := classes[id]
		s.Used -= idle[id]
		s.Idle = idle[id]
		if s.Pools != 0 || s.Used != 0` + seen + ` {
			s.Class, s.Size = id-1, int(heapClassTable[id].size)` + objectOf(h) + `
			stats.Classes = append(stats.Classes, s)
		}
	}
	for _, c := range cores {
		h.giveBack(c)
	}
	return stats
}`)
	emitReport(o, h)
}

// objectOf names the type that a class is of.
func objectOf(h plan.Heap) string {
	if len(h.Typed) == 0 {
		return ""
	}
	return `
			if id > heapSized {
				s.Object = heapTypes[id-heapSized-1]
			}`
}

// emitStatsTypes are the numbers as users see them.
func emitStatsTypes(o *out, h plan.Heap) {
	idle := "blocks that released caches left for the next"
	switch h.Sync {
	case plan.SyncMutex:
		idle = "free blocks at hand"
	case plan.SyncPerCPU:
		idle = "free blocks that processors keep, or are at hand for any"
	}
	large, requests, object, calls := "", "", "", ""
	which := "classes that have pools, or in Go memory used blocks"
	if h.LargePages {
		large = `
	Large       int64 ` + "`json:\"large\"`" + ` // bytes in blocks above the threshold
	LargeBlocks int   ` + "`json:\"large_blocks\"`" + ` // blocks above the threshold`
	}
	if h.Full {
		which = "classes that have pools, used blocks or a past"
		if h.LargePages {
			large += `
	LargeAllocs int64 ` + "`json:\"large_allocs\"`" + ` // blocks above the threshold that were taken so far
	LargeFrees  int64 ` + "`json:\"large_frees\"`" + ` // and given back`
		}
		requests = `
	Requests []HeapRequests ` + "`json:\"requests,omitempty\"`" + ` // what was asked for, by size; those of objects are in Classes alone`
		calls = `
	Allocs int64 ` + "`json:\"allocs\"`" + ` // blocks that were taken so far
	Frees  int64 ` + "`json:\"frees\"`" + ` // and given back: Allocs - Frees have users, Used - Allocs + Frees are in caches`
	}
	if len(h.Typed) > 0 {
		object = `
	Object string ` + "`json:\"object,omitempty\"`" + ` // the type whose class it is`
	}
	o.decls(`
// HeapStats are plain numbers, ready for JSON. Every byte of Taken is one of
// Empty, Released` + largeWord(h) + `, blocks of a class, or lost where blocks do not fill pools.
type HeapStats struct {
	Reserved int64 ` + "`json:\"reserved\"`" + ` // bytes of address space; none in Go memory
	Taken    int64 ` + "`json:\"taken\"`" + ` // bytes taken from the system: whole arenas; in Go memory those of used blocks
	Released int64 ` + "`json:\"released\"`" + ` // of these, bytes of pools without memory: given back, or never used
	Empty    int64 ` + "`json:\"empty\"`" + ` // bytes of pools without blocks that keep their memory` + large + `
` + cachesOf(h) + `	Classes  []HeapClassStats ` + "`json:\"classes,omitempty\"`" + ` // ` + which + requests + `
}

// HeapClassStats are the numbers of one class. In Go memory Pools, Depot and Free
// are 0.
type HeapClassStats struct {
	Class int ` + "`json:\"class\"`" + ` // from 0 for the smallest` + object + `
	Size  int   ` + "`json:\"size\"`" + ` // bytes of a block
	Pools int   ` + "`json:\"pools\"`" + ` // pools that hold its blocks
	Used  int64 ` + "`json:\"used\"`" + ` // blocks with users and in caches
	Idle  int64 ` + "`json:\"idle\"`" + ` // ` + idle + `
	Depot int64 ` + "`json:\"depot\"`" + ` // blocks in the depot
	Free  int64 ` + "`json:\"free\"`" + ` // blocks in spans` + calls + `
}`)
}

func largeWord(h plan.Heap) string {
	if !h.LargePages {
		return ""
	}
	return ", Large"
}

// emitReport is the text of CPython's _PyObject_DebugMallocStats, down to its
// columns: what reads that reads this.
func emitReport(o *out, h plan.Heap) {
	sized := "heapClasses"
	if len(h.Typed) > 0 {
		sized = "heapSized"
	}
	past, large, sum := "", "", ""
	if h.Full {
		past = `
	allocs, frees := PAST
	for _, c := range s.Classes {
		allocs += c.Allocs
		frees += c.Frees
	}
	r.line("# blocks taken so far", allocs)
	r.line("# blocks given back so far", frees)`
	}
	if h.LargePages {
		large, sum = `
	r.line(strconv.Itoa(s.LargeBlocks)+" large blocks", s.Large)`, " + s.Large"
	}
	from := "int64(0), int64(0)"
	if h.LargePages {
		from = "s.LargeAllocs, s.LargeFrees"
	}
	o.decls(`
// String is the report of CPython's small-object allocator: the classes, and where
// each byte of the arenas is. It ends with their total.
func (s HeapStats) String() string {
	var r heapReport
	r.WriteString("Small block threshold = " + strconv.Itoa(heapThreshold) + ", in " + strconv.Itoa(SIZED) + " size classes.\n\n")
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
	r.WriteByte('\n')`+strings.ReplaceAll(past, "PAST", from)+`
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
	r.line(strconv.FormatInt(s.Released>>heapPoolShift, 10)+" released pools * "+strconv.Itoa(heapPoolSize)+" bytes", s.Released)`+large+`
	r.line("# bytes lost to quantization", lost)
	r.line("Total", used+free+s.Empty+s.Released`+sum+`+lost)
	return r.String()
}`, "SIZED", sized)
	o.decls(`
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
}`)
}

// emitPoolUsed counts blocks for Close.
func emitPoolUsed(o *out, h plan.Heap) {
	if !h.LargePages {
		o.decls(`
// used is how many blocks of a class are in no span. Nothing runs beside it.
func (h *Heap) used(id uint32) int { return int(h.depots[id].used) }`)
		return
	}
	o.decls(`
// used is how many blocks of a class are in no span, or how many large ones
// there are. Nothing runs beside it.
func (h *Heap) used(id uint32) int {
	if id == heapLargeFree {
		return int(h.blocks)
	}
	return int(h.depots[id].used)
}`)
}

// emitPoolStats counts pools and what depots and spans keep.
func emitPoolStats(o *out, h plan.Heap) {
	large := ""
	if h.LargePages {
		large = `
	stats.Large = int64(h.large) << heapPoolShift
	stats.LargeBlocks = int(h.blocks)`
	}
	o.decls(`
// count fills in what there is of pools and of blocks by class: all at one
// time, so that it adds up.
func (h *Heap) count(stats *HeapStats, classes *[heapClasses + 1]HeapClassStats) {
	for i := range h.depots { // before h.mu, as where spans are made
		h.depots[i].mu.Lock()
	}
	h.mu.Lock()
	stats.Reserved = int64(h.pools) << heapPoolShift
	stats.Taken = int64(h.taken) << heapPoolShift
	stats.Empty = int64(h.empty) << heapPoolShift
	stats.Released = int64(h.bare) << heapPoolShift` + large + `
	for id := 1; id <= heapClasses; id++ {
		class, d := &heapClassTable[id], &h.depots[id]
		depot := int64(len(d.batches)) * int64(class.batch)
		classes[id] = HeapClassStats{
			Pools: int(d.pools),
			Used:  int64(d.used) - depot,
			Depot: depot,
			Free:  int64(d.pools/class.pools)*int64(class.blocks) - int64(d.used),
		}
	}
	h.mu.Unlock()
	for i := range h.depots {
		h.depots[i].mu.Unlock()
	}
}`)
}

// cachesOf counts caches, where users have any.
func cachesOf(h plan.Heap) string {
	if h.Shared() {
		return ""
	}
	return "	Caches   int   `json:\"caches\"` // caches that were not released\n"
}
