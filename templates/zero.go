package templates

import "github.com/allocgen/allocgen/internal/plan"

// With zero: alloc a block is cleared where it leaves a bin, unless the system gave
// its memory and nobody used it since; with zero: free where it goes into one, so
// that all free memory is zero.

// zeroed is what follows the path that allocates where blocks of bytes are zero. It
// comes after the site has its block in p.
func zeroed(s *scope, h plan.Heap, site plan.Site) []code {
	if !h.ZeroAlloc {
		return nil
	}
	return []code{s.at(site).do("bin.zero(p)")}
}

// wiped is what comes before the path that frees a block of bytes.
func wiped(s *scope, h plan.Heap, site plan.Site) []code {
	if !h.ZeroFree {
		return nil
	}
	return []code{s.at(site).do("bin.wipe(block)")}
}

// zeroesRest clears what a block that stays where it is holds beyond its contents,
// up to a size that is at least n.
func zeroesRest(s *scope, h plan.Heap, size string) []code {
	if !h.Zeroes() {
		return nil
	}
	return []code{s.bind("SIZE", size).do("clear(unsafe.Slice((*byte)(from), SIZE)[min(len(b), n):])")}
}

// wipes is text for where free memory is zero.
func wipes(h plan.Heap, text string) string {
	if h.ZeroFree {
		return text
	}
	return ""
}

// freshIn is what a bin knows of blocks that nobody has used.
func freshIn(h plan.Heap) string {
	if h.KnowsFresh() {
		return "\n\tfresh uint // the lowest slots: their blocks are as the system gave them"
	}
	return ""
}

// emptied follows where a bin is left without blocks. Flush leaves all that refill
// brought in its place.
func emptied(h plan.Heap) string {
	if h.KnowsFresh() {
		return "\n\tb.fresh = 0"
	}
	return ""
}

// contents says what a new block holds.
func contents(h plan.Heap) string {
	if h.Zeroes() {
		return "all zero up to the block's end"
	}
	return "with undefined contents"
}

// emitZero clears blocks in system memory.
func emitZero(o *out, h plan.Heap) {
	if h.ZeroFree {
		emitWipe(o, h)
		return
	}
	unused := ""
	if h.KnowsFresh() {
		unused = `
	if b.n < b.fresh {
		b.fresh = b.n
		return
	}`
		emitFresh(o)
	}
	o.decls(`
// zero clears the block that b hands out` + freshText(h) + `.
//
//go:noinline
func (b *HeapBin) zero(p unsafe.Pointer) {
	if p == nil` + orObject(h) + ` {
		return
	}` + unused + `
	clear(unsafe.Slice((*byte)(p), b.size))
}`)
}

func freshText(h plan.Heap) string {
	if h.KnowsFresh() {
		return ", unless it is as the system gave it"
	}
	return ""
}

// emitFresh is how bins learn which blocks nobody has used.
func emitFresh(o *out) {
	o.decls(`
// heapFresh marks the address of a block that nobody has used, on its way from a
// span to a bin.
const heapFresh = 1`)
	o.decls(`
// unmark takes the marks off the blocks that b is to have, and remembers whether
// nobody has used any.
func (b *HeapBin) unmark(blocks []uintptr) {
	b.fresh = uint(len(blocks))
	for i, p := range blocks {
		if p&heapFresh == 0 {
			b.fresh = 0
		}
		blocks[i] = p &^ heapFresh
	}
}`)
}

// emitWipe clears blocks as they are freed. A mistaken address must be found before
// that.
func emitWipe(o *out, h plan.Heap) {
	find := ""
	if h.Key {
		find = `
	if b.n != 0 && (*heapLink)(p).key == heapKey {
		b.find(p) // the key will be gone
	}`
	}
	o.decls(`
// wipe clears a block that is put into b. It panics on what is no block.
//
//go:noinline
func (b *HeapBin) wipe(p unsafe.Pointer) {
	h := b.core().heap
	if b.id-1 >= heapClasses` + orObject(h) + ` || h.state != heapOpen {
		return // where p goes it is cleared, or refused
	}
	if _, _, _, wrong := h.blockAt(b.id, uintptr(p)); wrong != "" {
		id := b.id
		panic(heapMisuse(wrong+", "+` + classText(h) + `, uintptr(p)))
	}` + find + `
	clear(unsafe.Slice((*byte)(p), b.size))
}`)
	objects := ""
	if len(h.Typed) > 0 {
		objects = "if id > heapSized {\n\t\treturn \"\" // an object\n\t}\n\t"
	}
	o.decls(`
// wipe clears a block that is freed by its address alone, or says what is wrong
// with it.
func (h *Heap) wipe(id uint32, p uintptr) string {
	if _, _, _, wrong := h.blockAt(id, p); wrong != "" {
		return heapMisuse(wrong+", "+` + classText(h) + `, p)
	}
	` + objects + `clear(unsafe.Slice((*byte)(unsafe.Add(nil, p)), heapClassTable[id].size))
	return ""
}`)
}

// orObject goes on a condition with that for bins of objects: what those hold is
// their reset's matter, and their pools are cleared when they serve another class.
func orObject(h plan.Heap) string {
	if len(h.Typed) > 0 {
		return " || b.id > heapSized"
	}
	return ""
}

// emitGoZero has nothing to clear when bins take and give: each block is a new Go
// object, and the registry clears those that it takes back.
func emitGoZero(o *out, h plan.Heap) {
	if h.ZeroFree {
		o.decls(`
// wipe leaves p to the registry.
func (b *HeapBin) wipe(unsafe.Pointer) {}`)
		return
	}
	o.decls(`
// zero has nothing to do: Go objects are zero.
func (b *HeapBin) zero(unsafe.Pointer) {}`)
}
