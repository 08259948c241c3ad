package templates

// emitPin pins goroutines by the runtime's own means.
func emitPin(o *out) {
	o.Anon("unsafe") // for go:linkname
	o.decls(`
// entryPin pins a goroutine to the processor it runs on: until unpin no other
// runs there, and the world does not stop. Who is pinned must not wait, for a
// lock that others hold, a channel or the scheduler: the program would end.
type entryPin struct{}`)
	o.decls(`
// pin returns the number of the processor.
func (*entryPin) pin() uint { return uint(entryProcPin()) }`)
	o.decls(`
// unpin ends what pin began.
func (*entryPin) unpin() { entryProcUnpin() }`)
	o.decls(`
// count returns how many processors there are. The next may see another number.
func (*entryPin) count() int { return runtime.GOMAXPROCS(0) }`)
	o.decls(`
// wait returns when all who are pinned now no longer are: the world stops only then.
func (*entryPin) wait() {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
}`)
	o.decls(`
// The runtime offers these by name: sync.Pool is made of them, and so many packages
// are that they stay. The build tag allocgen_nopin does without.

//go:linkname entryProcPin runtime.procPin
func entryProcPin() int

//go:linkname entryProcUnpin runtime.procUnpin
func entryProcUnpin()`)
}

// emitNoPin has a mutex in the place of pinning, as if there were one processor.
func emitNoPin(o *out) {
	o.decls(`
// entryPin stands for the only processor: a mutex, held by who is pinned to it.
// The race detector sees who uses what in turn; where goroutines are pinned it
// would not.
type entryPin struct{ mu sync.Mutex }`)
	o.decls(`
// pin returns the number of the processor.
func (p *entryPin) pin() uint {
	p.mu.Lock()
	return 0
}`)
	o.decls(`
// unpin ends what pin began.
func (p *entryPin) unpin() { p.mu.Unlock() }`)
	o.decls(`
// count returns how many processors there are.
func (*entryPin) count() int { return 1 }`)
	o.decls(`
// wait returns when all who are pinned now no longer are.
func (p *entryPin) wait() {
	p.pin()
	p.unpin()
}`)
}
