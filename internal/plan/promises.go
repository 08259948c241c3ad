package plan

// A Promise says of one entry point whether the compiler inlines it, and what
// may stay in it where it does. It holds for the release build.
type Promise struct {
	Func   string // as emitted: "BufBin.Alloc"
	Called string // why it is called instead; "" when it must inline

	System  bool // holds on system memory alone
	Generic bool // the compiler speaks of instances alone, of which there may be none

	Checks   int // bounds checks that Go 1.22 and newer may leave inside it
	Barriers int // write barriers inside it
}

// promises lists the entry points with the promise of each, computed from the
// options that decide whether a form fits.
func promises(p *Plan) []Promise {
	var out []Promise
	for i := range p.Heaps {
		out = append(out, heapPromises(&p.Heaps[i])...)
	}
	for i := range p.Objects {
		out = append(out, objectPromises(&p.Objects[i])...)
	}
	for i := range p.Lists {
		out = append(out, listPromises(&p.Lists[i])...)
	}
	return out
}

func heapPromises(h *Heap) []Promise {
	heap, cache, bin := h.Names["Heap"], h.Names["HeapCache"], h.Names["HeapBin"]
	const oneStep = "one step: a single call with the path behind it"
	borrows := "borrows a cache"
	switch h.Sync {
	case SyncMutex:
		borrows = "takes a lock"
	case SyncPerCPU:
		borrows = "pins the goroutine to its processor"
	}
	if h.Shared() {
		return onSystem([]Promise{{Func: heap + ".Alloc", Called: borrows}, {Func: heap + ".Free", Called: borrows}})
	}
	return onSystem([]Promise{
		{Func: bin + ".Alloc", Called: h.AllocCalled()},
		{Func: bin + ".Free", Called: h.FreeCalled()},
		// Go 1.24 still checks the index of Bin's table, Go 1.22 BinOf's too.
		{Func: cache + ".Bin", Called: h.binCalled(), Checks: 1},
		{Func: cache + ".BinOf", Checks: 1},
		{Func: cache + ".Alloc", Called: oneStep},
		{Func: cache + ".Free", Called: oneStep},
		{Func: cache + ".Realloc", Called: "may move the block"},
		{Func: cache + ".UsableSize", Called: "looks the block up"},
		{Func: heap + ".Alloc", Called: borrows},
		{Func: heap + ".Free", Called: borrows},
		{Func: heap + ".Realloc", Called: borrows},
	})
}

// onSystem marks promises of what lies in a heap.
func onSystem(promises []Promise) []Promise {
	for i := range promises {
		promises[i].System = true
	}
	return promises
}

// AllocCalled says why the compiler does not inline a bin's Alloc; "" where it
// does.
func (h *Heap) AllocCalled() string { return h.allocCalled(h.Alloc) }

// allocCalled says so of the path that allocates in a form.
func (h *Heap) allocCalled(form Form) string {
	switch {
	case form == Call:
		return called(Call)
	case h.ZeroAlloc:
		return "zero: alloc clears the block, which is over the budget"
	case h.Full:
		return "stats: full counts the request, which is over the budget"
	case h.Key:
		return "double_free: key tests and clears what lies in the block, which is over the budget"
	case h.ListBins:
		return "bin: list reads the next block, which is over the budget"
	}
	return ""
}

// FreeCalled says why the compiler does not inline a bin's Free; "" where it
// does.
func (h *Heap) FreeCalled() string {
	switch {
	case h.Free == Call:
		return called(Call)
	case h.ZeroFree:
		return "zero: free clears the block, which is over the budget"
	case h.Full:
		return "stats: full counts the free, which is over the budget"
	case h.Key:
		return "double_free: key tests and writes what lies in the block, which is over the budget"
	}
	return ""
}

// binCalled says why the compiler does not inline a cache's Bin; "" where it does.
func (h *Heap) binCalled() string {
	if h.Full {
		return "stats: full notes the size, which is over the budget"
	}
	return ""
}

// called is why a path is called, or "".
func called(f Form) string {
	if f == Call {
		return "inline: call"
	}
	return ""
}

func listPromises(l *List) []Promise {
	release := Promise{Func: l.Name + ".Release"}
	if l.Heap != nil {
		release.Called = "frees the buffer"
	} else {
		release.Barriers = 1 // the garbage collector hears of the buffer that goes
	}
	clear := Promise{Func: l.Name + ".Clear"}
	pop := Promise{Func: l.Name + ".Pop"}
	if l.Sizing.Shrinks() {
		clear.Called, clear.Barriers = release.Called, release.Barriers
		pop.Called = "may shrink"
	}
	return []Promise{
		{Func: l.Name + ".Append"},
		// These panic like a slice, by a slice's own check.
		{Func: l.Name + ".At", Checks: 1},
		{Func: l.Name + ".Set", Checks: 1},
		{Func: l.Name + ".Slice", Checks: 1},
		{Func: l.Name + ".Len"},
		{Func: l.Name + ".Cap"},
		pop,
		clear,
		release,
		{Func: l.Name + ".AppendSlice", Called: "may move the items"},
		{Func: l.Name + ".Resize", Called: "may move the items"},
	}
}

// objectPromises: Get inlines where one goroutine has the list, Put where it calls nothing. The
// pointer that Put stores has a write barrier, and what it clears another.
func objectPromises(o *Object) []Promise {
	get, put := o.Names["Get"], o.Names["Put"]
	own, cache := o.Name+".", o.Names["ObjectCache"]+"."
	const (
		locks = "takes a lock"
		pins  = "pins the goroutine to its processor"
	)
	if o.Heap != nil && o.Heap.Shared() {
		why := heapPromises(o.Heap)[0].Called
		return onSystem(append(slicePromises(o), Promise{Func: own + get, Called: why}, Promise{Func: own + put, Called: why}))
	}
	if o.Heap != nil {
		return onSystem(append(slicePromises(o),
			Promise{Func: own + get, Called: o.Heap.allocCalled(o.Alloc)},
			Promise{Func: own + put, Called: "resets the object, which is over the budget with the path behind it"},
		))
	}
	out := []Promise{{Func: own + o.Names["Trim"], Called: "lets all free objects go"}}
	switch o.Sync {
	case SyncNone:
		out = append(out, Promise{Func: own + get, Called: called(o.Alloc), Checks: 1},
			Promise{Func: own + put, Called: o.putCalled(), Barriers: 2})
	case SyncPerCPU:
		out = append(out, Promise{Func: own + get, Called: pins}, Promise{Func: own + put, Called: pins})
	default:
		out = append(out, Promise{Func: own + get, Called: locks}, Promise{Func: own + put, Called: locks})
	}
	if o.Sync == SyncCache {
		out = append(out, Promise{Func: cache + get, Called: called(o.Alloc), Checks: 1},
			Promise{Func: cache + put, Called: "hands over when the cache is full, which is over the budget"})
	}
	for i := range out {
		out[i].Generic = o.Params != ""
	}
	return out
}

// slicePromises are those of GetSlice and PutSlice.
func slicePromises(o *Object) []Promise {
	if !o.Slices {
		return nil
	}
	return []Promise{
		{Func: o.Name + "." + o.Names["GetSlice"], Called: "clears the items"},
		{Func: o.Name + "." + o.Names["PutSlice"], Called: "frees a block of bytes"},
	}
}

// putCalled says why the compiler does not inline Put, or cannot be expected to;
// "" where it does.
func (o *Object) putCalled() string {
	switch {
	case o.Free == Call:
		return called(Call)
	case o.Keep != "":
		return "keep: " + o.Keep + " may be over the budget"
	case o.Reset.Method+o.Reset.Func != "":
		return "reset: " + o.Reset.Method + o.Reset.Func + " may be over the budget"
	}
	return ""
}
