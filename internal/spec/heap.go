package spec

import (
	"slices"
	"strconv"
)

var defaultHeap = Heap{
	Threshold:  32 << 10,
	Large:      "pages",
	Align:      16,
	Depth:      Depth{All: 64},
	Pool:       16 << 10,
	Arena:      1 << 20,
	Retain:     1 << 20,
	Cap:        "class",
	Sync:       "cache",
	Bin:        "stack",
	DoubleFree: "flush",
	Stats:      "basic",
	Zero:       "never",
}

const (
	defaultClass = 16      // of Classes.Min and Step, unless align is larger
	defaultTo    = 1 << 10 // of Classes.To, within Min and the threshold
	defaultPer   = 4
)

// HeapEntry decodes one entry of `heaps`.
func (d *decoder) heapEntry(f field) (h Heap, ok bool) {
	h = defaultHeap
	h.Name = f.name
	h.Inline = d.spec.Inline
	if !d.mapping(f.value, "{} for the defaults, or a mapping of keys") {
		return h, false
	}
	var classes *node
	for _, f := range d.fields(f.value, &heapKeys) {
		k, v := heapKeys.must(f.name), f.value
		switch f.name {
		case "inline":
			h.Inline = d.inline(v, h.Inline)
		case "threshold":
			h.Threshold = d.number(v, k.limits, h.Threshold)
		case "classes":
			classes = v
		case "large":
			h.Large = d.word(v, k, h.Large)
		case "align":
			h.Align = d.number(v, k.limits, h.Align)
		case "depth":
			h.Depth = d.depth(v, h.Depth)
		case "pool":
			h.Pool = d.number(v, k.limits, h.Pool)
		case "arena":
			h.Arena = d.number(v, k.limits, h.Arena)
		case "sync":
			h.Sync = d.word(v, k, h.Sync)
		case "bin":
			h.Bin = d.word(v, k, h.Bin)
		case "double_free":
			h.DoubleFree = d.word(v, k, h.DoubleFree)
		case "limit":
			if v.text != "none" {
				h.Limit = d.number(v, k.limits, 0)
			}
		case "cap":
			h.Cap = d.word(v, k, h.Cap)
		case "retain":
			h.Retain = d.number(v, k.limits, h.Retain)
		case "zero":
			h.Zero = d.word(v, k, h.Zero)
		case "stats":
			h.Stats = d.word(v, k, h.Stats)
		}
	}
	d.checkArena(&h, f.path)
	d.checkAligned(f.path+".threshold", &h.Threshold, defaultHeap.Threshold, h.Align)
	d.classes(&h, f.path, classes)
	d.checkKey(&h, f.path)
	d.checkZero(&h, f.path)
	d.checkLimit(&h, f.path)
	return h, true
}

// CheckArena keeps arenas large enough that classes do not fight for pools.
func (d *decoder) checkArena(h *Heap, path string) {
	const pools = 4
	if d.bad[path+".pool"] || d.bad[path+".arena"] || h.Arena >= pools*h.Pool {
		return
	}
	d.failKey(path+".arena", "%s holds fewer than %d pools of %s: write at least %s",
		formatSize(h.Arena), pools, formatSize(h.Pool), formatSize(pools*h.Pool))
	h.Pool, h.Arena = defaultHeap.Pool, defaultHeap.Arena
}

// CheckKey wants free blocks that have room for a key, beside the link of a list.
func (d *decoder) checkKey(h *Heap, path string) {
	const words = 16 // bytes of link and key where int has 64 bits
	smallest := h.Classes.Min
	if h.Classes.Sizes != nil {
		smallest = h.Classes.Sizes[0]
	}
	switch {
	case h.DoubleFree != "key":
	case h.Bin != "list" && !d.bad[path+".bin"]:
		d.failKey(path+".double_free", "key lies in free blocks that a list links: write bin: list as well, or double_free: flush")
	case h.Bin == "list" && smallest < words && !d.bad[path+".classes"]:
		d.failKey(path+".double_free", "a free block has no room for link and key below %d bytes, and the smallest class is %d: write a larger one, or double_free: flush", words, smallest)
	}
}

// CheckLimit wants a limit below which a heap can work at all: bins, depots and spans
// keep some blocks of a class for each that is live.
func (d *decoder) checkLimit(h *Heap, path string) {
	const blocks, pools = 8, 16
	least := max(blocks*h.Threshold, pools*h.Pool)
	if h.Limit == 0 || h.Limit >= least || d.bad[path+".threshold"] || d.bad[path+".pool"] {
		return
	}
	d.failKey(path+".limit", "%s holds fewer than %d blocks of the threshold (%s) or %d pools of %s: write at least %s, or lower threshold and pool",
		formatSize(h.Limit), blocks, formatSize(h.Threshold), pools, formatSize(h.Pool), formatSize(least))
}

// CheckZero wants every free to know its block, and to be free to panic.
func (d *decoder) checkZero(h *Heap, path string) {
	switch {
	case h.Zero != "free":
	case h.Large == "go":
		d.failKey(path+".zero", "large blocks that are Go's are not cleared as they are freed: write large: pages or large: refuse as well, or zero: alloc")
	case h.Sync == "percpu":
		d.failKey(path+".zero", "a goroutine that is pinned to its processor cannot say that what it would clear is no block: write sync: cache or sync: mutex, or zero: alloc")
	}
}

// CheckAligned wants the size at path to be a multiple of align. Wrong ones
// become def.
func (d *decoder) checkAligned(path string, size *int, def, align int) {
	if *size%align == 0 {
		return
	}
	if owner := path[:lastDot(path)]; !d.bad[path] && !d.bad[owner+".align"] {
		d.failKey(path, "%s", notAligned(*size, align))
	}
	*size = def
}

func notAligned(size, align int) string {
	low := size / align * align
	either := formatSize(low + align)
	if low > 0 {
		either = formatSize(low) + " or " + either
	}
	return formatSize(size) + " is not a multiple of align (" + formatSize(align) + "): write " + either
}

// Depth decodes `depth: 64` and `depth: {all: 64, 4096: 16}`.
func (d *decoder) depth(n *node, def Depth) Depth {
	all := depthKeys.must("all")
	if n.kind != mappingKind {
		return Depth{All: d.number(n, depthLimits, def.All)}
	}
	if d.empty(n) {
		return def
	}
	depth := def
	for _, f := range n.fields {
		if f.name == all.name {
			d.spec.pos[f.path] = f.pos
			depth.All = d.number(f.value, all.limits, def.All)
		}
	}
	if allPath := join(n.path, all.name); !d.written(allPath) && !n.lost {
		d.fail(n, "all is missing: write the depth of the other classes, such as all: %d", def.All)
		d.bad[allPath] = true
	}
	for _, f := range n.fields {
		if f.name != all.name {
			d.lowerDepth(n.path, f, &depth)
		}
	}
	slices.SortFunc(depth.Lower, func(a, b ClassDepth) int { return a.Size - b.Size })
	return depth
}

// LowerDepth decodes one `4096: 16`.
func (d *decoder) lowerDepth(path string, f field, depth *Depth) {
	sizes := limits{unit: "size", min: 1, max: maxThreshold}
	size, problem := sizes.read(f.name)
	if problem != "" {
		d.failAt(f.pos, f.path, "neither all nor the size of a class: %s", problem)
		return
	}
	// Plan looks a class up by its number, however the file spells it.
	canonical := join(path, strconv.Itoa(size))
	if at, ok := d.spec.pos[canonical]; ok {
		d.failAt(f.pos, f.path, "duplicate key: this size is already at %s", at)
		return
	}
	d.spec.pos[canonical] = f.pos
	n := d.number(f.value, depthLimits, 0)
	if n == 0 {
		return
	}
	if n > depth.All {
		if !d.bad[join(path, "all")] {
			d.fail(f.value, "%d is more than all (%d): single classes can only keep fewer", n, depth.All)
		}
		return
	}
	depth.Lower = append(depth.Lower, ClassDepth{Size: size, Depth: n})
}
