package plan

import (
	"math/bits"
	"slices"
	"strconv"

	"github.com/allocgen/allocgen/internal/spec"
)

// A Heap is one entry of `heaps`, decided.
type Heap struct {
	Name  string            // the entry's key: the type's name
	Names map[string]string // identifiers of the output, by their word in the templates

	Threshold  int
	Align      int
	AlignShift int
	Depth      int // slots of a bin, a power of two
	PoolSize   int
	PoolShift  int
	ArenaPools int   // pools of an arena
	Retain     int   // empty pools that keep their memory
	Limit      int64 // bytes; 0: none
	LimitPools int64 // pools of whole arenas for it
	MostPools  int64 // that are reserved with a limit
	Idle       int   // cores that are kept for lending
	Classes    []Class
	Batch      int     // the most blocks that change hands at once
	Bins       int     // a power of two above classes and reserved bins
	SpanWords  int     // 64-bit words of a span's bitmap
	Typed      []Typed // types with a class of their own, after those of sizes
	Sync       Sync    // who may call: any goroutine, by caches, by one lock, or by what processors keep
	Exact      bool    // the capacity of a slice is its length
	LargeGo    bool    // large requests are Go's
	LargePages bool    // they are runs of pools; with neither they are refused
	Held       bool    // a list asks how much a block holds that may be a large one
	ListBins   bool    // a bin is a list through its free blocks; else a stack of addresses
	Stats      bool    // there is a Stats method, and what it counts
	Full       bool    // every request is counted too, by its size
	ZeroAlloc  bool    // blocks of bytes are cleared as they are allocated
	ZeroFree   bool    // or as they are freed: all free memory is zero
	Buckets    int     // sizes that requests within the classes are told apart by
	Key        bool    // of list bins: free blocks carry a key, by which a second free shows

	// Table maps a size to its class: entry i serves sizes up to i*Align.
	Table []byte

	Alloc   Form   // of alloc.fast in the heap's own functions
	Free    Form   // of free.fast
	Sites   []Site // in its functions
	Callees []Site // of these, the functions that sites with the form Call reach
}

// Refuses reports whether requests above the threshold are mistakes.
func (h *Heap) Refuses() bool { return !h.LargeGo && !h.LargePages }

// Zeroes reports whether new blocks of bytes are zero.
func (h *Heap) Zeroes() bool { return h.ZeroAlloc || h.ZeroFree }

// KnowsFresh reports whether bins know which of their blocks nobody has used. What
// processors keep moves between bins without that.
func (h *Heap) KnowsFresh() bool { return h.ZeroAlloc && h.Sync != SyncPerCPU }

// A Class is one block size. Classes number from 1: bin 0 is the foreign one.
type Class struct {
	Size    int    // bytes of a block
	Pools   int    // pools of a span
	Blocks  int    // blocks of a span
	Depth   int    // blocks that a bin keeps
	Batch   int    // blocks that go to or come from the depot at once
	Batches int    // batches that the depot keeps
	Scale   uint64 // ceil(2^ScaleBits / Size): offset * Scale >> ScaleBits is offset / Size
}

// Typed is a type with a class of its own.
type Typed struct {
	Name string // of the entry
	Of   string // the type
}

// Limits of the format that follow from the emitted code.
const (
	MaxClasses   = 120       // so that classes and reserved bins fit a byte with room to spare
	MaxSpan      = 8         // pools of a span
	MaxWaste     = 1.0 / 16  // of a span, unused behind its last block
	MaxBatch     = 32        // blocks
	MaxBatches   = 16        // in a depot, of one class
	MaxDepot     = 256 << 10 // bytes in a depot, of one class
	MaxBinBytes  = 64 << 10  // what one bin keeps, so that a cache stays small
	ScaleBits    = 42        // exact for spans up to 4 MiB and blocks up to 128 KiB
	reservedBins = 3         // foreign, large-alloc, large-free
	BucketBits   = 5         // with stats: full, 2^BucketBits buckets per doubling, and twice as many up to the first
)

func buildHeap(s *spec.Spec, h spec.Heap, errs *spec.Errors) Heap {
	sizes := classSizes(h)
	checkDepths(s, h, sizes, errs)
	if len(sizes) > MaxClasses {
		errs.Add(s.At("heaps."+h.Name+".classes"),
			"heaps.%s.classes: this makes %d classes, at most %d are possible: use a larger step or fewer per doubling",
			h.Name, len(sizes), MaxClasses)
		sizes = sizes[:MaxClasses]
	}
	typed := typedIn(s, h.Name)
	if n := len(sizes) + len(typed); n > MaxClasses && len(typed) > 0 {
		errs.Add(s.At("heaps."+h.Name+".classes"),
			"heaps.%s.classes: %d classes and %d types make %d, at most %d are possible: use fewer classes", h.Name, len(sizes), len(typed), n, MaxClasses)
		typed = nil
	}
	out := Heap{
		Name:       h.Name,
		Names:      heapNames(h, len(typed) > 0),
		Threshold:  h.Threshold,
		Align:      h.Align,
		AlignShift: log2(h.Align),
		Depth:      h.Depth.All,
		PoolSize:   h.Pool,
		PoolShift:  log2(h.Pool),
		ArenaPools: h.Arena / h.Pool,
		Limit:      int64(h.Limit),
		LimitPools: (int64(h.Limit) + int64(h.Arena) - 1) / int64(h.Arena) * int64(h.Arena/h.Pool),
		Retain:     h.Retain / h.Pool,
		Bins:       nextPowerOfTwo(len(sizes) + len(typed) + reservedBins),
		Typed:      typed,
		Sync:       Sync(h.Sync),
		Exact:      h.Cap == "exact",
		LargeGo:    h.Large == "go",
		LargePages: h.Large == "pages",
		ListBins:   h.Bin == "list",
		Key:        h.DoubleFree == "key",
		Stats:      h.Stats != "none",
		Full:       h.Stats == "full",
		ZeroAlloc:  h.Zero == "alloc",
		ZeroFree:   h.Zero == "free",
		Buckets:    bucket(h.Threshold/h.Align) + 1,
		Table:      binTable(sizes, h.Align),
		Alloc:      form(h.Inline.Alloc),
		Free:       form(h.Inline.Free),
	}
	out.MostPools = 2 * out.LimitPools // room for pools that lie apart
	out.Idle = 64
	if out.Sync == SyncMutex {
		out.Idle = 1
	}
	for _, size := range sizes {
		if size > MaxSpan*h.Pool {
			errs.Add(s.At("heaps."+h.Name+".pool"),
				"heaps.%s.pool: a block of %d bytes does not fit %d pools of %d bytes: use a larger pool or a lower threshold",
				h.Name, size, MaxSpan, h.Pool)
			break
		}
		c := class(size, h)
		out.Classes = append(out.Classes, c)
		out.Batch = max(out.Batch, c.Batch)
		out.SpanWords = max(out.SpanWords, (c.Blocks+63)/64)
	}
	if len(typed) > 0 { // of any size
		_, batch := halves(out.Depth)
		out.Batch = max(out.Batch, batch)
		out.SpanWords = max(out.SpanWords, (h.Pool/h.Align+63)/64)
	}
	return out
}

// typedIn lists the objects of a heap.
func typedIn(s *spec.Spec, heap string) []Typed {
	var out []Typed
	for _, o := range s.Objects {
		if o.Heap == heap {
			out = append(out, Typed{o.Name, o.Of})
		}
	}
	return out
}

func form(f spec.Form) Form {
	if f == spec.Call {
		return Call
	}
	return Splice
}

// classSizes lists the block sizes that the spec asks for, ascending.
func classSizes(h spec.Heap) []int {
	c := h.Classes
	if c.Sizes != nil {
		return c.Sizes
	}
	var sizes []int
	add := func(n int) {
		n = (min(n, h.Threshold) + h.Align - 1) / h.Align * h.Align
		if len(sizes) == 0 || n > sizes[len(sizes)-1] {
			sizes = append(sizes, n)
		}
	}
	add(c.Min)
	for n := c.Min/c.Step*c.Step + c.Step; n <= c.To; n += c.Step {
		add(n)
	}
	for base := max(c.To, c.Min); base < h.Threshold; base *= 2 {
		for i := 1; i <= c.PerDoubling; i++ {
			add(base + base*i/c.PerDoubling)
		}
	}
	add(h.Threshold)
	return sizes
}

// class fits one block size with the smallest span whose tail waste is at most
// MaxWaste, or else with the least wasteful one.
func class(size int, h spec.Heap) Class {
	best, bestWaste := 0, 2.0
	for pools := 1; pools <= MaxSpan; pools++ {
		span := pools * h.Pool
		if span < size {
			continue
		}
		waste := float64(span%size) / float64(span)
		if waste < bestWaste {
			best, bestWaste = pools, waste
		}
		if waste <= MaxWaste {
			break
		}
	}
	depth := max(1, min(h.Depth.All, MaxBinBytes/size))
	for _, low := range h.Depth.Lower {
		if low.Size == size {
			depth = min(depth, low.Depth)
		}
	}
	depth, batch := halves(depth)
	return Class{
		Size:    size,
		Pools:   best,
		Blocks:  best * h.Pool / size,
		Depth:   depth,
		Batch:   batch,
		Batches: batches(batch, size),
		Scale:   (1<<ScaleBits + uint64(size) - 1) / uint64(size),
	}
}

// halves makes half a bin a number of whole batches, since that is what a bin
// gives and takes: it lowers the depth to the next that allows it.
func halves(depth int) (int, int) {
	half := depth / 2
	if half == 0 {
		return 1, 1
	}
	n := (half + MaxBatch - 1) / MaxBatch
	batch := half / n
	return 2 * n * batch, batch
}

// batches is how many batches a depot keeps. One of a single block is no use: it
// saves nothing, and would only delay the checks of the span.
func batches(batch, size int) int {
	if batch == 1 {
		return 0
	}
	return max(1, min(MaxBatches, MaxDepot/(batch*size)))
}

// checkDepths refuses a lowered depth that names no class.
func checkDepths(s *spec.Spec, h spec.Heap, sizes []int, errs *spec.Errors) {
	for _, low := range h.Depth.Lower {
		i, found := slices.BinarySearch(sizes, low.Size)
		if found {
			continue
		}
		right := "the largest is " + strconv.Itoa(sizes[len(sizes)-1])
		if i < len(sizes) {
			right = "the class that serves it is " + strconv.Itoa(sizes[i])
		}
		path := "heaps." + h.Name + ".depth"
		errs.Add(s.At(path+"."+strconv.Itoa(low.Size)), "%s: %d is no class; %s", path, low.Size, right)
	}
}

// binTable maps sizes, in steps of align, to class numbers from 1; size 0 is
// served by bin 0.
func binTable(sizes []int, align int) []byte {
	table := make([]byte, sizes[len(sizes)-1]/align+1)
	class := 0
	for i := range table {
		if i > 0 && (class == 0 || i*align > sizes[class-1]) {
			class++
		}
		table[i] = byte(class)
	}
	return table
}

// bucket is where a request of so many steps of align counts: one each up to
// 2<<BucketBits, then 1<<BucketBits per doubling.
func bucket(steps int) int {
	shift := max(bits.Len(uint(steps-1))-BucketBits-1, 0)
	return shift<<BucketBits + (steps-1)>>shift
}

func log2(n int) int { return bits.TrailingZeros(uint(n)) }

func nextPowerOfTwo(n int) int { return 1 << bits.Len(uint(n-1)) }
