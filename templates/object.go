package templates

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/allocgen/allocgen/internal/plan"
)

// ownerOf is the type, in the words of the templates, whose function a site is in.
func ownerOf(site plan.Site) string {
	owner, _, _ := strings.Cut(site.In, ".")
	return owner
}

// emitObject is the type of a free list in Go memory.
func emitObject(o *out, e plan.Object) {
	front, beside := "", ""
	switch e.Sync {
	case plan.SyncMutex, plan.SyncCache:
		front = "mu sync.Mutex // guards all below\n\t"
	case plan.SyncPerCPU:
		front, beside = perCPUFields, " beside those of each processor"
	}
	o.decls(comment("objectDepth is how many free objects Object keeps"+beside+"; more are left to the GC.")+`
const objectDepth = DEPTH`, "DEPTH", itoa(e.Depth))
	if e.Chunk > 1 {
		o.decls(`
// objectChunk is how many objects are made at a time, in one piece of memory: one
// that is live keeps all.
const objectChunk = CHUNK`, "CHUNK", itoa(e.Chunk))
	}
	o.decls(comment("Object keeps free objects of type "+verbatim(e.Of)+" for later use. Its zero value is ready. "+whoMayCall(e)) + `
type DECLARED struct {
	_    objectNoCopy
	` + front + `n    uint // free objects, in slots[:n]
	over uint // objects that found no room since there was last made some
	slots []*ELEM // room for free objects; a slot from n on ` + staleText(e) + `
}`)
	o.decls(`
// objectNoCopy makes vet refuse copies.
type objectNoCopy struct{}

func (*objectNoCopy) Lock()   {}
func (*objectNoCopy) Unlock() {}`)
}

// staleText says what is in slots without a free object.
func staleText(e plan.Object) string {
	if e.Sync == plan.SyncNone {
		return "may hold what Get took from it"
	}
	return "is nil"
}

func whoMayCall(e plan.Object) string {
	switch e.Sync {
	case plan.SyncMutex, plan.SyncPerCPU:
		return "Any goroutine may use it. It must not be copied."
	case plan.SyncCache:
		return "Any goroutine may use it; those that Get and Put often Acquire a cache. It must not be copied."
	}
	return "One goroutine at a time may use it. It must not be copied."
}

// getDoc is the contract of Get.
func getDoc(e plan.Object) string {
	state := "as " + hookText(e) + " left it"
	switch {
	case e.Reset.Zero:
		state = "that is zero"
	case e.Reset == (plan.Reset{}) && e.Init == "":
		state = "that is zero, or as it was when it was Put"
	case e.Reset == (plan.Reset{}):
		state = "that " + verbatim(e.Init) + " has just made, or as it was when it was Put"
	case e.Init == "":
		state = "that is zero, or " + state
	default:
		state = "that " + verbatim(e.Init) + " has just made, or " + state
	}
	return "Get returns an object " + state + "."
}

func hookText(e plan.Object) string {
	if e.Reset.Method != "" {
		return "its method " + verbatim(e.Reset.Method)
	}
	return verbatim(e.Reset.Func)
}

// putDoc is the contract of Put.
func putDoc(e plan.Object) string {
	doc := "Put takes an object that nobody uses any more, from Get or made elsewhere. nil does nothing. An object that finds " +
		"no room is left to the GC; there is room for it later, up to objectDepth free objects."
	if e.Sync == plan.SyncPerCPU {
		doc += " Each processor has room for objectCached more."
	}
	if e.Keep != "" {
		doc += " What " + verbatim(e.Keep) + " refuses is left to the GC."
	}
	return doc
}

// emitObjectMethods are Get, Put and Trim.
func emitObjectMethods(o *out, e plan.Object) {
	locked := e.Sync != plan.SyncNone
	stale := ""
	if !locked {
		stale = " The list may keep it reachable until its slot is used again, the list runs empty, or Trim."
	}
	o.fn(fn{
		doc:  wrap(getDoc(e) + stale),
		head: "(p *Object) Get() *ELEM",
		body: func(s *scope) []code { return getBody(s, e, e.Site("Object.Get", plan.ObjectGet), locked) },
	})
	o.fn(fn{
		doc:  wrap(putDoc(e)),
		head: "(p *Object) Put(x *ELEM)",
		body: func(s *scope) []code { return putBody(s, e, e.Site("Object.Put", plan.ObjectPut), locked) },
	})
	if e.Sync == plan.SyncPerCPU {
		emitPerCPUTrim(o)
		emitForget(o, "Object")
		return
	}
	unlock := ""
	if locked {
		unlock = "\n\tp.mu.Lock()\n\tdefer p.mu.Unlock()"
	}
	trim := "Trim leaves all free objects to the GC and returns how many they were."
	if e.Sync == plan.SyncCache {
		trim = "Trim leaves all free objects but those in caches to the GC and returns how many they were."
	}
	o.decls(comment(trim) + `
func (p *Object) Trim() int {` + unlock + `
	n := p.n
	p.n = 0
	p.forget()
	return int(n)
}`)
	emitForget(o, "Object")
}

// emitForget clears the slots that Get left as they were.
func emitForget(o *out, owner string) {
	o.decls(`
// forget clears the slots without a free object. Those that were never used are
// behind them.
func (p *OWNER) forget() {
	for i := p.n; i < uint(len(p.slots)) && p.slots[i] != nil; i++ {
		p.slots[i] = nil
	}
}`, "OWNER", owner)
}

// getBody takes an object at a site; one behind a lock clears its slot.
func getBody(s *scope, e plan.Object, site plan.Site, locked bool) []code {
	stmts, result := getAt(s, site)
	if !locked || e.Sync == plan.SyncPerCPU {
		return append(stmts, jen.Return(result))
	}
	return join(
		[]code{s.do("p.mu.Lock()")},
		stmts,
		[]code{s.define("x", result), s.do("p.slots[p.n] = nil"), s.do("p.mu.Unlock()"), s.do("return x")},
	)
}

// putBody resets an object and keeps it at a site. The user's code runs first, so
// that it may use the list itself, and outside of the lock.
func putBody(s *scope, e plan.Object, site plan.Site, locked bool) []code {
	condition := "x != nil"
	if e.Keep != "" {
		condition += " && KEEP(x)"
		s = s.bindTheirs("KEEP", e.Keep)
	}
	body := resetCode(s, e)
	put := putAt(s, site)
	if locked && e.Sync != plan.SyncPerCPU {
		put = join([]code{s.do("p.mu.Lock()")}, put, []code{s.do("p.mu.Unlock()")})
	}
	return []code{s.when(condition, append(body, put...)...)}
}

// resetCode is what Put does to x.
func resetCode(s *scope, e plan.Object) []code {
	switch {
	case e.Reset.Zero: // as an array: *new(ELEM) would be made in Go memory each time where it is above 64 KiB
		return []code{s.do("*(*[1]ELEM)(unsafe.Pointer(x)) = [1]ELEM{}")}
	case e.Reset.Func != "":
		return []code{s.bindTheirs("RESET", e.Reset.Func).do("RESET(x)")}
	case e.Reset.Method != "":
		return []code{s.bindTheirs("RESET", "x."+e.Reset.Method).do("RESET()")}
	}
	return nil
}

// emitObjectRefill makes objects.
func emitObjectRefill(o *out, e plan.Object) {
	if e.Sync == plan.SyncPerCPU {
		emitPerCPUCreate(o, e)
		emitObjectRoom(o, e)
		return
	}
	doc := "refill makes an object, and room where it was missed."
	if e.Chunk > 1 {
		doc = "refill makes a chunk of objects, and room where it was missed."
	}
	if e.Sync != plan.SyncNone {
		doc += " p.mu is held."
	}
	o.fn(fn{
		doc:    wrap(doc),
		pragma: "//go:noinline",
		head:   "(p *Object) refill()",
		body: func(s *scope) []code {
			body := []code{}
			if e.Sync == plan.SyncNone {
				body = append(body, s.do("p.forget()"))
			}
			fresh := freshCode(s, e)
			if e.Sync != plan.SyncNone && e.Init != "" {
				// The user's code runs without the lock; a panic finds it open.
				fresh = join([]code{s.do("p.mu.Unlock()")}, fresh, []code{s.do("p.mu.Lock()")})
			}
			body = append(body, fresh...)
			body = append(body,
				s.do("p.grow()"),
			)
			if e.Chunk > 1 {
				return append(body, s.do(`
for i := range chunk {
	p.add(&chunk[i])
}`))
			}
			return append(body, s.do("p.add(&fresh)"))
		},
	})
	emitObjectRoom(o, e)
}

// emitObjectRoom is the room for free objects, and what goes into it.
func emitObjectRoom(o *out, e plan.Object) {
	o.decls(`
// grow doubles the room while it is small, and makes room for objects that found
// none, up to objectDepth.
func (p *Object) grow() {
	size := uint(len(p.slots))
	if size == objectDepth || size >= 64 && p.over == 0 {
		return
	}
	room := 2*size + p.over + FIRST
	if room > objectDepth {
		room = objectDepth
	}
	slots := make([]*ELEM, room)
	for i := uint(0); i < p.n; i++ {
		slots[i] = p.slots[i]
	}
	p.slots, p.over = slots, 0
}`, "FIRST", itoa(e.Room))
	o.decls(`
// add keeps a free object where there is room.
func (p *Object) add(x *ELEM) {
	if p.n < uint(len(p.slots)) {
		p.slots[p.n] = x
		p.n++
	} else {
		p.over++
	}
}`)
}

// freshCode makes an object, or a chunk.
func freshCode(s *scope, e plan.Object) []code {
	if e.Chunk > 1 {
		body := []code{s.do("chunk := make([]ELEM, objectChunk)")}
		if e.Init != "" {
			body = append(body, s.bindTheirs("INIT", e.Init).do(`
for i := range chunk {
	INIT(&chunk[i])
}`))
		}
		return body
	}
	body := []code{s.do("var fresh ELEM")} // the package may have a new of its own
	if e.Init != "" {
		body = append(body, s.bindTheirs("INIT", e.Init).do("INIT(&fresh)"))
	}
	return body
}
