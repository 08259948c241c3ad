package templates

import "github.com/allocgen/allocgen/internal/plan"

// perCPUFields are those of a free list with objects for each processor, before
// the stock that all share.
const perCPUFields = `cpu entryPin
	locals atomic.Pointer[[]*objectLocal] // what each processor keeps, by its number; replaced as a whole, under mu
	_ [128]byte // away from what slow paths write
	mu sync.Mutex // guards all below; locked unpinned only, as who waits for it must be able to leave its processor
	`

// emitPerCPUSlow is what a processor keeps, and how it is exchanged with the stock.
func emitPerCPUSlow(o *out, e plan.Object) {
	o.decls(`
// objectCached is how many free objects a processor keeps.
const objectCached = CACHED`, "CACHED", itoa(e.Cached))
	o.decls(`
// objectLocal keeps the free objects of a processor, for the goroutine that is
// pinned to it: one at a time.
type LOCALDECLARED struct {
	n uint // free objects, in slots[:n]
	slots [objectCached]*ELEM // a slot from n on is nil
	_ [128 - (1+objectCached)*unsafe.Sizeof(uint(0))%128]byte // two processors share no cache line
}`)
	o.decls(`
// refill takes half of what a processor keeps from the stock, or makes an object
// when that is empty.
//
//go:noinline
func (p *Object) refill() *ELEM {
	var batch [(objectCached + 1) / 2]*ELEM
	n := uint(0)
	p.mu.Lock()
	for p.n > 0 && n < uint(len(batch)) {
		p.n--
		batch[n] = p.slots[p.n]
		p.slots[p.n] = nil
		n++
	}
	p.mu.Unlock()
	if n == 0 {
		return p.create()
	}
	l := p.pin()
	for n > 1 && l.n < uint(len(l.slots)) { // others may have filled it
		n--
		l.slots[l.n] = batch[n]
		l.n++
	}
	p.cpu.unpin()
	p.stock(batch[1:n])
	return batch[0]
}`)
	o.decls(`
// spill keeps an object for which the processor had no room: its newest half
// goes to the stock.
//
//go:noinline
func (p *Object) spill(x *ELEM) {
	var batch [(objectCached + 1) / 2]*ELEM
	n := uint(0)
	l := p.pin()
	if l.n == uint(len(l.slots)) { // it may be another processor, or have room by now
		for n < uint(len(batch)) {
			l.n--
			batch[n] = l.slots[l.n]
			l.slots[l.n] = nil
			n++
		}
	}
	l.slots[l.n] = x
	l.n++
	p.cpu.unpin()
	p.stock(batch[:n])
}`)
	o.decls(`
// stock keeps free objects for all processors.
func (p *Object) stock(batch []*ELEM) {
	if len(batch) == 0 {
		return
	}
	p.mu.Lock()
	for _, x := range batch {
		p.add(x)
	}
	p.mu.Unlock()
}`)
	o.decls(`
// pin pins the goroutine to the processor it runs on, and returns what that keeps.
func (p *Object) pin() *objectLocal {
	for {
		id := p.cpu.pin()
		if all := p.locals.Load(); all != nil && id < uint(len(*all)) {
			return (*all)[id]
		}
		p.cpu.unpin()
		p.mu.Lock()
		p.fit()
		p.mu.Unlock()
	}
}`)
	o.decls(`
// fit lets every processor keep objects, and leaves those of processors that are
// gone to the GC. A goroutine may be pinned to one that has just come back, with
// the old locals in hand: then it is alone with what nobody else will find, and
// its object is left to the GC too. p.mu is held.
func (p *Object) fit() {
	var old []*objectLocal
	if all := p.locals.Load(); all != nil {
		old = *all
	}
	n := p.cpu.count()
	if len(old) == n {
		return
	}
	all := make([]*objectLocal, n)
	for i := range all {
		if i < len(old) {
			all[i] = old[i]
		} else {
			all[i] = &objectLocal{}
		}
	}
	p.locals.Store(&all)
}`)
}

// emitPerCPUCreate makes objects, with the user's code neither pinned nor behind
// the lock.
func emitPerCPUCreate(o *out, e plan.Object) {
	doc, result := "create makes an object, and room where it was missed.", "&fresh"
	if e.Chunk > 1 {
		doc, result = "create makes a chunk of objects, and room where it was missed. All but one are for the stock.", "&chunk[0]"
	}
	o.fn(fn{
		doc:  wrap(doc),
		head: "(p *Object) create() *ELEM",
		body: func(s *scope) []code {
			body := append(freshCode(s, e), s.do("p.mu.Lock()"), s.do("p.fit()"), s.do("p.grow()"))
			if e.Chunk > 1 {
				body = append(body, s.do(`
for i := 1; i < len(chunk); i++ {
	p.add(&chunk[i])
}`))
			}
			return append(body, s.do("p.mu.Unlock()"), s.do("return "+result))
		},
	})
}

// emitPerCPUTrim empties the stock, and has each processor start anew.
func emitPerCPUTrim(o *out) {
	o.decls(`
// Trim leaves all free objects to the GC and returns how many they were: about,
// while other goroutines Get and Put.
func (p *Object) Trim() int {
	p.mu.Lock()
	n := p.n
	p.n = 0
	p.forget()
	all := p.locals.Swap(nil)
	p.mu.Unlock()
	if all != nil {
		p.cpu.pin()
		for _, l := range *all {
			n += l.n // whoever is still at work there changes no more than this number
		}
		p.cpu.unpin()
	}
	return int(n)
}`)
}
