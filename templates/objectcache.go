package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitObjectAcquire lends caches.
func emitObjectAcquire(o *out, e plan.Object) {
	o.decls(`
// Acquire makes a cache, for one goroutine at a time until its Release.
func (p *Object) Acquire() *ObjectCache {
	return &ObjectCache{pool: p, slots: make([]*ELEM, objectCached)}
}`)
}

// emitObjectCache is the cache of one goroutine: its type, and what users call.
func emitObjectCache(o *out, e plan.Object) {
	o.decls(`
// objectCached is how many free objects a cache keeps.
const objectCached = CACHED`, "CACHED", itoa(e.Cached))
	o.decls(`
// ObjectCache keeps free objects for one goroutine at a time. Acquire makes it. It
// takes objects of any cache. It must not be copied. Without Release its free
// objects are left to the GC.
type CACHEDECLARED struct {
	_    objectNoCopy
	pool *Object
	n    uint // free objects, in slots[:n]
	slots []*ELEM // room for free objects, none after Release; a slot from n on may hold what Get took from it
}`)
	o.fn(fn{
		doc:  wrap(getDoc(e) + " The cache may keep it reachable until its slot is used again, or until it runs empty, Flush or Release."),
		head: "(c *ObjectCache) Get() *ELEM",
		body: func(s *scope) []code { return getBody(s, e, e.Site("ObjectCache.Get", plan.ObjectGet), false) },
	})
	o.fn(fn{
		doc:  wrap(putDoc(e) + " After Release it still takes objects, so that the order of deferred calls does not matter."),
		head: "(c *ObjectCache) Put(x *ELEM)",
		body: func(s *scope) []code { return putBody(s, e, e.Site("ObjectCache.Put", plan.ObjectPut), false) },
	})
	o.decls(`
// Flush hands the free objects of c over; c stays usable.
func (c *ObjectCache) Flush() {
	c.check("ObjectCache.Flush")
	c.drain(0)
}`)
	o.decls(`
// Release hands the free objects of c over and ends it: all but Put panics from
// now on, a second Release too.
func (c *ObjectCache) Release() {
	c.check("ObjectCache.Release")
	c.drain(0)
	c.slots = nil
}`)
}

// emitObjectSpill is what a cache does out of line.
func emitObjectSpill(o *out, e plan.Object) {
	o.decls(`
// refill takes half a cache of objects, or at least one: when the others are all
// in use it is made.
//
//go:noinline
func (c *ObjectCache) refill() {
	c.check("ObjectCache.Get")
	c.forget()
	p := c.pool
	p.mu.Lock()
	if p.n == 0 {
		p.refill()
	}
	for p.n > 0 && c.n < (objectCached+1)/2 {
		p.n--
		c.slots[c.n] = p.slots[p.n]
		p.slots[p.n] = nil
		c.n++
	}
	p.mu.Unlock()
}`)
	o.decls(`
// spill takes an object for which c has no room: the newest half of c leaves. Of
// a released cache the object itself does.
//
//go:noinline
func (c *ObjectCache) spill(x *ELEM) {
	if c.slots == nil {
		c.made("ObjectCache.Put")
		c.pool.mu.Lock()
		c.pool.add(x)
		c.pool.mu.Unlock()
		return
	}
	c.drain(objectCached / 2)
	c.slots[c.n] = x
	c.n++
}`)
	o.decls(`
// drain hands free objects over until c has only so many.
func (c *ObjectCache) drain(left uint) {
	p := c.pool
	p.mu.Lock()
	for c.n > left {
		c.n--
		p.add(c.slots[c.n])
	}
	p.mu.Unlock()
	c.forget()
}`)
	emitForget(o, "ObjectCache")
	o.decls(`
// check panics when c may not be used.
func (c *ObjectCache) check(op string) {
	c.made(op)
	if c.slots == nil {
		panic("PKG: " + op + ": use of released ObjectCache")
	}
}`)
	o.decls(`
// made panics when c does not come from Acquire.
func (c *ObjectCache) made(op string) {
	if c.pool == nil {
		panic("PKG: " + op + ": a cache comes from Acquire of Object")
	}
}`)
}
