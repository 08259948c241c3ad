package templates

import "github.com/allocgen/allocgen/internal/plan"

// counted is what a site does where every request counts.
func counted(s *scope, h plan.Heap, text string) []code {
	if !h.Full {
		return nil
	}
	return []code{s.do(text)}
}

// countsIn are the counters of a cache.
func countsIn(h plan.Heap) string {
	if !h.Full {
		return ""
	}
	return "\n\tcounts heapCounts"
}

// askedIn is what a bin knows of requests: Bin is told the size, Alloc takes the
// block.
func askedIn(h plan.Heap) string {
	if !h.Full {
		return ""
	}
	return "\n\tasked int // bytes that the bin was found for last"
}

// emitHistogram counts every request by its size and every free, per cache: only
// the sums are shared.
func emitHistogram(o *out, h plan.Heap) {
	o.decls(`
// HeapRequests says how often blocks of about a size were asked for. A bin that
// was kept counts as for the size that it was found for last.
type HeapRequests struct {
	Size  int   ` + "`json:\"size\"`" + ` // the most bytes: more than in the entry before
	Count int64 ` + "`json:\"count\"`" + ` // requests that were served
}`)
	byDoubling, buckets := " Larger ones are\n// counted by doubling.", "\n\theapLargeBuckets = bits.UintSize // of sizes above"
	if h.Refuses() {
		byDoubling, buckets = "", ""
	}
	o.decls(`
// Requests within the classes are told apart to heapAlign bytes at first, and from
// the first doubling that is then full to a part in 1 << heapBucketBits of it: as
// exact as classes need be, in a table that keeps caches small.`+byDoubling+`
const (
	heapBucketBits   = BITS
	heapBuckets      = BUCKETS // of sizes within the classes`+buckets+`
)`, "BITS", itoa(plan.BucketBits), "BUCKETS", itoa(h.Buckets))
	o.decls(`
// heapBucket is where a request of n bytes counts, n from 1 to the threshold.
func heapBucket(n int) uint {
	step := uint(n-1) >> heapAlignShift
	shift := uint(max(bits.Len(step)-heapBucketBits-1, 0))
	return shift<<heapBucketBits + step>>shift
}

// heapBucketSize is the largest request that counts in a bucket.
func heapBucketSize(bucket uint) int {
	shift := max(bucket>>heapBucketBits, 1) - 1
	return int(min((bucket-shift<<heapBucketBits+1)<<shift<<heapAlignShift, heapThreshold))
}`)
	emitCounts(o, h)
	emitCountCalls(o, h)
}

// emitCounts are the counters. Those of a released cache count for nothing.
func emitCounts(o *out, h plan.Heap) {
	field, request, sum := "", "", ""
	if !h.Refuses() {
		field = "\n\tlarge    [heapLargeBuckets]atomic.Int64"
		request = `
	if n > heapThreshold {
		c.large[bits.Len(uint(n-1))].Add(1)
		return
	}`
		sum = `
	for i := range c.large {
		c.large[i].Add(from.large[i].Load())
	}`
	}
	o.decls(`
// heapCounts are the counters of a cache, and of all that were released. A cache's
// goroutine writes them while another may read, so that they are atomic.
type heapCounts struct {
	requests [heapBuckets]atomic.Int64` + field + `
	allocs   [heapBins]atomic.Int64 // blocks that bins handed out
	frees    [heapBins]atomic.Int64 // blocks of classes that bins took
}`)
	o.decls(`
// request counts a request of n bytes that was served.
func (c *heapCounts) request(n int) {` + request + `
	c.requests[heapBucket(n)].Add(1)
}

// addFrees adds the frees that from has counted.
func (c *heapCounts) addFrees(from *heapCounts) {
	for i := range c.frees {
		c.frees[i].Add(from.frees[i].Load())
	}
}

// addAllocs adds the requests and blocks that from has counted.
func (c *heapCounts) addAllocs(from *heapCounts) {
	for i := range c.requests {
		c.requests[i].Add(from.requests[i].Load())
	}` + sum + `
	for i := range c.allocs {
		c.allocs[i].Add(from.allocs[i].Load())
	}
}`)
	asked := "c.counts.request(n)"
	if h.Shared() && len(h.Typed) > 0 {
		asked = "if b.id <= heapSized || b.id > heapClasses { // objects are asked for by no size\n\t\tc.counts.request(n)\n\t}"
	}
	o.decls(`
// countAlloc counts a block of b for a request of n bytes.
func (b *HeapBin) countAlloc(n int) {
	c := b.core()
	` + asked + `
	c.counts.allocs[b.id].Add(1)
}

// countFree counts a block that b is given, where that is of b's class. All others
// are the heap's to count.
func (b *HeapBin) countFree() {
	if c := b.core(); b.id-1 < heapClasses {
		c.counts.frees[b.id].Add(1)
	}
}`)
}

// emitCountCalls sums up.
func emitCountCalls(o *out, h plan.Heap) {
	large := ""
	if h.LargePages {
		large = `
	stats.LargeFrees = sum.frees[heapLargeFree].Load()
	stats.LargeAllocs = sum.allocs[heapLargeAlloc].Load()`
	}
	above := `
	for i := range sum.large {
		stats.addRequests(int(min(uint(1)<<i, math.MaxInt)), sum.large[i].Load())
	}`
	if h.Refuses() {
		above = ""
	}
	o.decls(`
// countCalls adds up what the caches have counted. h.mu is held. Frees are read
// first, so that none counts whose block does not.
func (h *Heap) countCalls(stats *HeapStats, classes *[heapClasses + 1]HeapClassStats) {
	var sum heapCounts
	sum.addFrees(&h.counts)
	for _, c := range h.cores {
		sum.addFrees(&c.counts)
	}
	sum.addAllocs(&h.counts)
	for _, c := range h.cores {
		sum.addAllocs(&c.counts)
	}
	for id := range classes {
		classes[id].Allocs = sum.allocs[id].Load()
		classes[id].Frees = sum.frees[id].Load()
	}` + large + `
	for i := range sum.requests {
		stats.addRequests(heapBucketSize(uint(i)), sum.requests[i].Load())
	}` + above + `
}

// addRequests adds an entry, if there was any such request.
func (s *HeapStats) addRequests(size int, count int64) {
	if count != 0 {
		s.Requests = append(s.Requests, HeapRequests{size, count})
	}
}`)
}
