package plan

import "strings"

// The fragments: paths that are defined once and appear at many sites.
const (
	AllocFast   = "alloc.fast"
	FreeFast    = "free.fast"
	ListGrow    = "list.grow"
	ListMove    = "list.move"
	ListRelease = "list.release"
	ObjectGet   = "object.get"
	ObjectPut   = "object.put"
)

// heapSites lists the places where fragments appear in a heap's functions.
func heapSites(h *Heap) []Site {
	sites := []Site{
		h.allocSite(h.Names, "HeapBin.Alloc", h.Alloc, "b"),
		h.freeSite(h.Names, "HeapBin.Free", h.Free, "b", "p"),
		h.allocSite(h.Names, "HeapCache.Alloc", h.Alloc, "b"),
		h.freeSite(h.Names, "HeapCache.Free", h.Free, "bin", "p"),
		h.allocSite(h.Names, "HeapCache.Realloc", h.Alloc, "to"),
	}
	if h.Sync == SyncPerCPU { // which pins, a call in itself
		sites = append(sites, newSite(h.Names, "Heap.take", AllocFast, Method, nil), newSite(h.Names, "Heap.put", FreeFast, Method, nil),
			newSite(h.Names, "Heap.takeShared", AllocFast, Method, nil), newSite(h.Names, "Heap.putShared", FreeFast, Method, nil))
	}
	return sites
}

// callees lists the functions that calls reach: each holds one more splice.
func callees(h *Heap, lists []List) []Site {
	alloc, free := h.Alloc == Call, h.Free == Call
	for _, l := range lists {
		if l.Heap == h {
			alloc = alloc || l.Alloc == Call
			free = free || l.Free == Call
		}
	}
	var out []Site
	if alloc {
		out = append(out, h.allocSite(h.Names, "HeapBin.alloc", Splice, "b"))
	}
	if free {
		out = append(out, h.freeSite(h.Names, "HeapBin.free", Splice, "b", "p"))
	}
	return out
}

// allocSite is a place where a block is taken from a bin of h. List bins leave
// it in the site's local p; the path of others ends in an expression.
func (h *Heap) allocSite(names map[string]string, in string, form Form, bin string) Site {
	holes := []string{"bin", bin}
	if h.ListBins && form == Splice {
		holes = append(holes, "block", "p")
	}
	site := newSite(names, in, AllocFast, form, holes)
	site.Options = h.binOptions()
	if h.ListBins && h.Zeroes() {
		site.Options += "_zero" // the link goes as well
	}
	return site
}

// freeSite is a place where a block is put into a bin of h.
func (h *Heap) freeSite(names map[string]string, in string, form Form, bin, block string) Site {
	site := newSite(names, in, FreeFast, form, []string{"bin", bin, "block", block})
	site.Options = h.binOptions()
	return site
}

// binOptions names the form of the two paths: how a bin keeps its blocks.
func (h *Heap) binOptions() string {
	switch {
	case h.Key:
		return "list_key"
	case h.ListBins:
		return "list"
	default:
		return ""
	}
}

// listSites lists the places where fragments appear in a list's functions.
func listSites(l *List) []Site {
	site := func(in, fragment string, form Form, holes ...string) Site {
		return newSite(l.Names, in, fragment, form, holes)
	}
	var out []Site
	for _, in := range []string{"List.grow", "List.reserve"} {
		grow := site(in, ListGrow, Splice, "list", "l", "need", "need")
		grow.Options = string(l.Sizing)
		out = append(out, grow)
	}
	for _, in := range []string{"List.grow", "List.move"} {
		move := site(in, ListMove, Splice, "list", "l", "capacity", "capacity")
		move.Shrinks = l.Sizing.Shrinks() && in == "List.move"
		if move.Shrinks {
			move.Holes["need"] = "need"
		}
		move.Options = moveOptions(l, move.Shrinks)
		out = append(out, move)
		if l.Heap != nil {
			out = append(out,
				l.Heap.allocSite(l.Names, in, l.Alloc, "bin"),
				l.Heap.freeSite(l.Names, in, l.Free, "old", "from"))
		}
	}
	for _, in := range releasers(l.Sizing) {
		release := site(in, ListRelease, Splice, "list", "l")
		release.Options = releaseOptions(l)
		out = append(out, release)
		if l.Heap != nil {
			out = append(out, l.Heap.freeSite(l.Names, in, l.Free, "bin", "unsafe.Pointer(l.ptr)"))
		}
	}
	return out
}

// moveOptions names the form of list.move: where the buffer is, whether all
// that it holds is used or it may shrink, who serves large ones, and what is
// called; and the form of the two paths, where one of them is spliced in.
func moveOptions(l *List, shrinks bool) string {
	out := "go"
	if l.Heap != nil {
		out = "heap"
	}
	if !l.Sizing.Shrinks() {
		out += "_full"
	}
	if shrinks {
		out += "_shrink"
	}
	if l.Heap == nil {
		return out
	}
	if l.Heap.LargeGo {
		out += "_largego"
	}
	if l.Heap.Refuses() {
		out += "_refuse"
	}
	if l.Alloc == Call {
		out += "_alloccall"
	}
	if l.Free == Call {
		out += "_freecall"
	}
	if l.Heap.ListBins && (l.Alloc == Splice || l.Free == Splice) {
		out += "_" + l.Heap.binOptions()
	}
	if l.Heap.ZeroAlloc {
		out += "_zeroed"
	}
	return out + l.Heap.countOptions()
}

func releaseOptions(l *List) string {
	switch {
	case l.Heap == nil:
		return "go"
	case l.Free == Call:
		return "heap_call" + l.Heap.countOptions()
	case l.Heap.ListBins:
		return "heap_" + l.Heap.binOptions() + l.Heap.countOptions()
	default:
		return "heap" + l.Heap.countOptions()
	}
}

// countOptions says whether a fragment counts the blocks that it takes and gives, and
// whether it clears those that it gives.
func (h *Heap) countOptions() string {
	out := ""
	if h.Full {
		out += "_counted"
	}
	if h.ZeroFree {
		out += "_wiped"
	}
	return out
}

// releasers are the functions of a list that give its buffer back.
func releasers(s Sizing) []string {
	if s.Shrinks() {
		return []string{"List.resize", "List.Clear", "List.Release"}
	}
	return []string{"List.Release"}
}

func newSite(names map[string]string, in, fragment string, form Form, holes []string) Site {
	s := Site{In: in, Fragment: fragment, Form: form, Holes: map[string]string{}}
	owner, method, _ := strings.Cut(in, ".")
	if name, ok := names[method]; ok { // the spec may rename it
		method = name
	}
	s.Func = names[owner] + "." + method
	for i := 0; i < len(holes); i += 2 {
		s.Holes[holes[i]] = holes[i+1]
	}
	return s
}

// Site finds a place by the function, in the words of the templates.
func (h Heap) Site(in, fragment string) Site { return find(h.Sites, in, fragment) }

// Site finds a place by the function, in the words of the templates.
func (l List) Site(in, fragment string) Site { return find(l.Sites, in, fragment) }

func find(sites []Site, in, fragment string) Site {
	for _, s := range sites {
		if s.In == in && s.Fragment == fragment {
			return s
		}
	}
	panic("no site of " + fragment + " in " + in)
}
