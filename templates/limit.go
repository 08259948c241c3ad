package templates

import (
	"strings"

	"github.com/allocgen/allocgen/internal/plan"
)

// emitLimit is what a heap with a limit has more.
func emitLimit(o *out, h plan.Heap) {
	o.decls(`
// HeapErrLimit is the error when the heap holds as much as its limit allows.` + lintErr(h) + `
var HeapErrLimit = errors.New("limit reached")`)
	o.decls(`
// SetLimit lowers the limit to so many bytes, or raises it again, up to that of
// the spec. What is above it stays, and what free blocks there are in bins and pools
// in use can be had; no more pools are, until enough are empty.
func (h *Heap) SetLimit(bytes int64) {
	if bytes < 0 || bytes > heapLimit {
		panic("PKG: Heap.SetLimit: " + strconv.FormatInt(bytes, 10) + " bytes: not within 0 and the limit of the spec, " + strconv.FormatInt(heapLimit, 10))
	}
	h.cut.Store(heapLimit - bytes)
}`)
	o.decls(`
// most is the limit as it is now, in bytes.
func (h *Heap) most() int64 { return heapLimit - h.cut.Load() }`)
	o.decls(`
// heapTry makes a panic for want of memory an error. It is deferred.
func heapTry(err *error) {
	switch v := recover().(type) {
	case nil:
	case *heapErr:
		*err = v
	default:
		panic(v)
	}
}`)
	ends := ""
	if h.LargeGo {
		ends = " Above the threshold memory is Go's: where that is\n// out the program ends, as with make."
	}
	for _, recv := range []string{"h *Heap", "c *HeapCache"} {
		o.decls(`
// TryAlloc is Alloc that returns an error when memory is out: one that wraps
// HeapErrLimit or HeapErrSystem.` + ends + `
func (` + recv + `) TryAlloc(n int) (b []byte, err error) {
	defer heapTry(&err)
	return ` + recv[:1] + `.Alloc(n), nil
}`)
		o.decls(`
// TryRealloc is Realloc that returns b as it was and an error when memory is out: one
// that wraps HeapErrLimit or HeapErrSystem.
func (` + recv + `) TryRealloc(b []byte, n int) (moved []byte, err error) {
	defer heapTry(&err)
	moved = b
	return ` + recv[:1] + `.Realloc(b, n), nil
}`)
	}
}

// emitWithin is the limit's test in system memory.
func emitWithin(o *out, h plan.Heap) {
	o.decls(`
// within reports whether the limit allows so many pools more. What caches and
// depots keep counts, empty pools do not.
func (h *Heap) within(pools uint32) bool {
	return int64(h.taken-h.empty-h.bare+pools)<<heapPoolShift <= h.most()
}`)
}

// emitTypedTry is Get's twin of objects in a heap with a limit.
func emitTypedTry(o *out, e plan.Object) {
	recv := "b"
	if e.Heap.Shared() {
		recv = "p"
	}
	o.decls(comment("Try"+e.Names["Get"]+" is "+e.Names["Get"]+" that returns an error when memory is out: one that wraps HeapErrLimit or HeapErrSystem.") + `
func (` + recv + ` *Object) Try` + e.Names["Get"] + `() (x *ELEM, err error) {
	defer heapTry(&err)
	return ` + recv + `.Get(), nil
}`)
}

// emitListTry are the twins of what a list in a heap with a limit may need memory for.
func emitListTry(o *out, l plan.List) {
	for _, m := range []struct{ name, params, args string }{
		{"Append", "v ELEM", "v"}, {"AppendSlice", "vs []ELEM", "vs"}, {"Resize", "n int", "n"},
	} {
		o.decls(`
// Try` + m.name + ` is ` + m.name + ` that returns an error when memory is out, with the list as it
// was: one that wraps HeapErrLimit or HeapErrSystem.
func (l *List) Try` + m.name + `(` + m.params + `) (err error) {
	defer heapTry(&err)
	l.` + m.name + `(` + m.args + `)
	return nil
}`)
	}
}

// lintErr keeps staticcheck from asking for errors whose names start with Err.
func lintErr(h plan.Heap) string {
	if strings.HasPrefix(strings.ToLower(h.Name), "err") { // the check is content with it
		return ""
	}
	return "\n//\n//lint:ignore ST1012 every name starts with that of its heap"
}

// tooMuch is why more than a heap can ever hold is not to be had.
func tooMuch(h plan.Heap) string {
	if h.Limit != 0 {
		return "HeapErrLimit"
	}
	return "HeapErrSystem"
}

// memoryErrs are the errors that say why memory is not to be had.
func memoryErrs(h plan.Heap) string {
	if h.Limit != 0 {
		return "HeapErrLimit or HeapErrSystem"
	}
	return "HeapErrSystem"
}
