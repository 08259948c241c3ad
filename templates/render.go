// Package templates spells a plan in Go; it takes no decisions. The table below
// is the whole output on one screen.
package templates

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/allocgen/allocgen/internal/plan"
)

// heapSections is what a heap becomes, in the order of the output.
var heapSections = []struct {
	file string // concept: see fileName
	when func(plan.Heap) bool
	emit func(*out, plan.Heap)
}{
	{"heap", always, emitConstants},
	{"heap", always, emitHeap},
	{"heap", hasHeapMethods, emitHeapMethods},
	{"heap", isPerCPUHeap, emitPerCPUMethods},
	{"heap", isCachedHeap, emitAcquire},
	{"heap", always, emitCores},
	{"heap", hasLimit, emitLimit},
	{"heap", always, emitTrim},
	{"heap", always, emitClose},
	{"percpu", isPerCPUHeap, emitPerCPU},
	{"percpugo", isPerCPUHeap, emitPerCPUGo},
	{"stats", hasStats, emitStats},
	{"stats", countsAll, emitHistogram},
	{"cache", always, emitCache},
	{"cache", always, emitBinMethods},
	{"cache", always, emitFindBin},
	{"cache", always, emitCacheAlloc},
	{"cache", always, emitCacheFree},
	{"cache", always, emitRealloc},
	{"cache", always, emitFindLarge},
	{"cache", always, emitCallees},
	{"cache", always, emitSlow},
	{"cache", hasListBins, emitLinks},
	{"cache", asksHeld, emitHeld},
	{"cache", always, emitCacheLifetime},
	{"bin", always, emitRefill},
	{"bin", always, emitFlush},
	{"bin", always, emitDrain},
	{"bin", zeroes, emitZero},
	{"pool", always, emitSpan},
	{"pool", always, emitDepot},
	{"pool", always, emitSpanLists},
	{"pool", always, emitRuns},
	{"pool", always, emitRunTree},
	{"pool", hasLimit, emitWithin},
	{"pool", always, emitArenas},
	{"pool", hasLarge, emitLarge},
	{"pool", hasLarge, emitResizeLarge},
	{"pool", always, emitUsable},
	{"pool", always, emitForeign},
	{"pool", always, emitPoolUsed},
	{"pool", hasStats, emitPoolStats},
	{"memory", always, emitSystem},
	{"memory", always, emitMemory},
	{"unix", always, emitUnix},
	{"windows", always, emitWindows},
	{"goheap", always, emitGoMemory},
	{"goheap", always, emitGoUsed},
	{"goheap", hasStats, emitGoStats},
	{"goheap", always, emitGoBins},
	{"goheap", zeroes, emitGoZero},
	{"goheap", always, emitGoBlocks},
	{"goheap", always, emitGoUsable},
	{"table", always, emitClassTable},
	{"table", hasTypes, emitTypes},
	{"table", always, emitBinTable},
	{"test", always, emitHeapTests},
	{"test", always, emitHeapBenchmarks},
	{"zero_test", zeroes, emitZeroTest},
	{"stats_test", hasStats, emitStatsTests},
	{"stats_test", countsAll, emitRequestTests},
	{"test", isSharedHeap, emitSharedTests},
	{"check_test", always, emitHeapCheck},
	{"check_test", always, emitHeapPages},
	{"check_test", always, emitHeapFaults},
	{"check_test", always, emitHeapAllocations},
	{"goheap_test", always, emitGoTests},
}

// listSections is what a list becomes.
var listSections = []struct {
	file string
	when func(plan.List) bool
	emit func(*out, plan.List)
}{
	{"list", inAny, emitList},
	{"list", inAny, emitListItems},
	{"list", inAny, emitListResize},
	{"list", inLimit, emitListTry},
	{"list_test", inAny, emitListTests},
	{"check_test", inHeap, emitListAllocations},
}

// objectSections is what a typed free list becomes, in Go memory or in a heap.
var objectSections = []struct {
	file string
	when func(plan.Object) bool
	emit func(*out, plan.Object)
}{
	{"object", inGoMemory, emitObject},
	{"object", inGoMemory, emitObjectMethods},
	{"object", inGoMemory, emitObjectRefill},
	{"object", isPerCPU, emitPerCPUSlow},
	{"object", hasCaches, emitObjectAcquire},
	{"object", hasCaches, emitObjectCache},
	{"object", hasCaches, emitObjectSpill},
	{"object", inGoMemory, emitObjectCallees},
	{"object_test", isTested, emitObjectTests},
	{"object", isCached, emitTyped},
	{"object", isCached, emitTypedMethods},
	{"object", isShared, emitSharedTyped},
	{"object", isTypedLimit, emitTypedTry},
	{"object", hasSlices, emitTypedSlices},
	{"object_test", isTyped, emitTypedTests},
	{"object_test", hasSlices, emitTypedSliceTest},
	{"check_test", isTypedPlain, emitTypedAllocations},
}

func inGoMemory(o plan.Object) bool   { return o.Heap == nil }
func hasCaches(o plan.Object) bool    { return o.Sync == plan.SyncCache }
func isPerCPU(o plan.Object) bool     { return o.Sync == plan.SyncPerCPU }
func isTested(o plan.Object) bool     { return o.Heap == nil && o.Tested }
func isCached(o plan.Object) bool     { return o.Heap != nil && !o.Heap.Shared() }
func isShared(o plan.Object) bool     { return o.Heap != nil && o.Heap.Shared() }
func isTyped(o plan.Object) bool      { return o.Heap != nil }
func isTypedLimit(o plan.Object) bool { return o.Heap != nil && o.Heap.Limit != 0 }
func hasSlices(o plan.Object) bool    { return o.Slices }
func isTypedPlain(o plan.Object) bool { return o.Heap != nil && !o.Hooked() }

// conditionOf is what a file is for, as a condition of its build: one kind of
// memory, or one way to pin. Files that are not here are for all, which offer them
// the same.
var conditionOf = map[string]string{
	"bin": systemMemory, "pool": systemMemory, "memory": systemMemory, "check_test": systemMemory,
	"unix": unixMemory, "windows": windowsMemory,
	"goheap": goMemory, "goheap_test": goMemory,
	"percpu": systemMemory, "percpugo": goMemory,
	"pin": pinned, "nopin": notPinned,
}

const (
	systemMemory  = "(linux || darwin || freebsd || windows) && !allocgen_goheap"
	unixMemory    = "(linux || darwin || freebsd) && !allocgen_goheap"
	windowsMemory = "windows && !allocgen_goheap"
	goMemory      = "((!linux && !darwin && !freebsd && !windows) || allocgen_goheap)"

	pinned    = "gc && !tinygo && !race && !allocgen_nopin"
	notPinned = "(!gc || tinygo || race || allocgen_nopin)"
)

func always(plan.Heap) bool      { return true }
func asksHeld(h plan.Heap) bool  { return h.Held }
func hasStats(h plan.Heap) bool  { return h.Stats }
func countsAll(h plan.Heap) bool { return h.Full }
func zeroes(h plan.Heap) bool    { return h.Zeroes() }
func hasLarge(h plan.Heap) bool  { return h.LargePages }

func hasTypes(h plan.Heap) bool { return len(h.Typed) > 0 }

func hasHeapMethods(h plan.Heap) bool { return h.Sync != plan.SyncPerCPU }

func isCachedHeap(h plan.Heap) bool { return !h.Shared() }

func isSharedHeap(h plan.Heap) bool { return h.Shared() }

func isPerCPUHeap(h plan.Heap) bool { return h.Sync == plan.SyncPerCPU }

func hasLimit(h plan.Heap) bool { return h.Limit != 0 }

func hasListBins(h plan.Heap) bool { return h.ListBins }

func inAny(plan.List) bool    { return true }
func inHeap(l plan.List) bool { return l.Heap != nil }

func inLimit(l plan.List) bool { return l.Heap != nil && l.Heap.Limit != 0 }

// A File is one output file, not yet formatted and without the header.
type File struct {
	Name   string // "pylist_heap_gen.go"
	Source []byte
}

// Render spells a plan. An error is a mistake in a template, not in the spec.
func Render(p *plan.Plan) (files []File, err error) {
	r := &renderer{plan: p, promised: map[string]bool{}}
	for _, promise := range p.Promises {
		r.promised[promise.Func] = promise.Called == ""
	}
	defer func() {
		if bug := recover(); bug != nil {
			err = fmt.Errorf("template of %s: %v", r.section, bug)
		}
	}()
	for _, h := range p.Heaps {
		for _, s := range heapSections {
			if s.when(h) && (p.Tests || !isTest(s.file)) {
				r.section = s.file + ", heap " + h.Name
				s.emit(r.out(s.file, h.Names), h)
			}
		}
	}
	for _, l := range p.Lists {
		for _, s := range listSections {
			if !s.when(l) || isTest(s.file) && !p.Tests {
				continue
			}
			r.section = s.file + ", list " + l.Name
			s.emit(r.out(s.file, l.Names, "ELEM", l.Of), l)
		}
	}
	if p.Pin != nil {
		r.section = "pin, " + p.Pin.Entry
		emitPin(r.out("pin", p.Pin.Names))
		emitNoPin(r.out("nopin", p.Pin.Names))
	}
	for _, e := range p.Objects {
		for _, s := range objectSections {
			if s.when(e) && (p.Tests || !isTest(s.file)) {
				r.section = s.file + ", objects " + e.Name
				s.emit(r.objectOut(s.file, e), e)
			}
		}
	}
	return r.render()
}

// A renderer collects the files of one package.
type renderer struct {
	plan     *plan.Plan
	promised map[string]bool
	section  string
	names    []string
	files    map[string]*jen.File
}

// out is the file of a concept, seen through an entry's names.
func (r *renderer) out(concept string, names map[string]string, extra ...string) *out {
	name := fileName(r.plan.Base, concept)
	if r.files[name] == nil {
		if r.files == nil {
			r.files = map[string]*jen.File{}
		}
		f := jen.NewFile(r.plan.Package)
		f.NoFormat = true
		f.HeaderComment(buildLine(r.plan, concept))
		if len(r.names) == 0 {
			packageDoc(f, r.plan)
		}
		nameImports(f, r.plan.Imports)
		r.files[name] = f
		r.names = append(r.names, name)
	}
	s := newScope(names).bindWords(append(extra, "PKG", r.plan.Package)...)
	s.user = userOf(r.plan)
	return &out{r.files[name], s, r.promised}
}

// objectOut is the file of a concept, seen through a typed free list's names: in
// code its type has type parameters, in comments it has not.
func (r *renderer) objectOut(concept string, e plan.Object) *out {
	args, of := e.Args, e.Of
	if isTest(concept) && e.Heap == nil {
		args, of = e.TestArgs, e.TestOf
	}
	o := r.out(concept, e.Names, "DECLARED", e.Name+e.Params)
	holes := []string{"Object", e.Name + args, "ELEM", of}
	if e.Sync == plan.SyncCache {
		holes = append(holes, "ObjectCache", e.Names["ObjectCache"]+args)
		o.words.names["CACHEDECLARED"] = e.Names["ObjectCache"] + e.Params
	}
	if e.Sync == plan.SyncPerCPU {
		holes = append(holes, "objectLocal", e.Names["objectLocal"]+args)
		o.words.names["LOCALDECLARED"] = e.Names["objectLocal"] + e.Params
	}
	for i := 0; i < len(holes); i += 2 {
		o.words.holes[holes[i]] = holes[i+1]
	}
	return o
}

// userOf is what the spec names of the user's code.
func userOf(p *plan.Plan) user {
	u := user{map[string]bool{}, p.Imports}
	for _, e := range p.Objects {
		for _, ident := range e.Idents {
			if _, ok := p.Imports[ident]; !ok {
				u.idents[ident] = true
			}
		}
	}
	return u
}

// nameImports tells jennifer what the spec calls the packages that it imports.
// What a package calls itself does not follow from its path: math/rand/v2 is rand.
func nameImports(f *jen.File, imports map[string]string) {
	for name, path := range imports {
		if plan.Imports()[name] == path {
			f.ImportName(path, name)
		} else {
			f.ImportAlias(path, name)
		}
	}
}

func isTest(concept string) bool { return strings.HasSuffix(concept, "test") }

// fileName is a concept's file: <spec>_list_gen.go, <spec>_list_gen_test.go. The
// tests of heaps are <spec>_gen_test.go.
func fileName(base, concept string) string {
	if !isTest(concept) {
		return base + "_" + concept + "_gen.go"
	}
	if concept = strings.TrimSuffix(concept, "test"); concept == "" {
		return base + "_gen_test.go"
	}
	return base + "_" + concept + "gen_test.go"
}

// buildLine keeps the output to the language of Go 1.21, and a file to the memory
// or the way to pin that it is for.
func buildLine(p *plan.Plan, concept string) string {
	terms := []string{"go1.21"}
	if condition := conditionOf[concept]; condition != "" {
		terms = append(terms, condition)
	}
	if p.Build != "" {
		terms = append(terms, "("+p.Build+")")
	}
	return "//go:build " + strings.Join(terms, " && ")
}

func (r *renderer) render() ([]File, error) {
	var files []File
	for _, name := range r.names {
		r.section = name
		var b bytes.Buffer
		if err := r.files[name].Render(&b); err != nil {
			return nil, fmt.Errorf("template %s: %v", name, err)
		}
		files = append(files, File{name, b.Bytes()})
	}
	return files, nil
}
