package plan

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/allocgen/allocgen/internal/spec"
)

// The words of the templates: what each package-level declaration is called
// there. In the output the first part becomes the entry's key, so that every
// name starts with a key of the spec and two specs can share a package.
var (
	heapWords = []string{
		"Heap", "HeapBin", "HeapCache", "HeapErrSystem",
		"heapAlign", "heapAlignMask", "heapAlignShift", "heapArena", "heapArenaPools", "heapBatch", "heapBinTable", "heapBins",
		"heapCore", "heapIdle", "heapWork", "heapClass", "heapClassTable", "heapClasses", "heapClosed", "heapClosedTable", "heapCommit", "heapDepot",
		"heapDepth", "heapErr", "heapFirstLimit", "heapForeign", "heapBare", "heapEmpty", "heapFills", "heapPriority", "heapRetain", "heapSpanMost", "heapFront", "heapInUse", "heapMemory",
		"heapMinPools", "heapMisuse", "heapNegative", "heapNew",
		"heapNoCopy", "heapNone", "heapNowhere", "heapOpen", "heapOutOfMemory", "heapPoolShift", "heapPoolSize", "heapPools",
		"heapReserve", "heapMap", "heapScaleBits", "heapSpan",
		"heapRoom", "heapSlot", "heapSpanWords", "heapState", "heapTable", "heapThreshold", "heapUnmap", "heapUse",
		"heapDecommit", "heapDecommitZeroes", "heapFails", "heapFault", "heapLeft", "heapPageSize", "heapPages", "heapUnmapLeft",
		"heapSysCommit", "heapSysDecommit", "heapSysReserve", "heapSysUnmap",
		"heapAdviceFree", "heapAdviceReusable", "heapAdviceReuse", "heapLinux", "heapSysCall", // of Unix alone
		"heapFreeVirtual", "heapKernel", "heapMemCommit", "heapMemDecommit", "heapMemRelease", "heapMemReserve",
		"heapPageNoAccess", "heapPageReadWrite", "heapVirtualAlloc", "heapVirtualFree", // of Windows alone
		"heapBlock", "heapKept", "heapObject", "heapRegistry", // of Go memory alone
	}
	heapStatsWords      = []string{"HeapClassStats", "HeapStats", "heapReport"}                                                   // with stats: basic | full
	heapFullWords       = []string{"HeapRequests", "heapBucket", "heapBucketBits", "heapBucketSize", "heapBuckets", "heapCounts"} // with stats: full
	heapPagesWords      = []string{"heapLarge", "heapLargeAlloc", "heapLargeFree"}                                                // with large: pages
	heapFullLargeWords  = []string{"heapLargeBuckets"}                                                                            // with stats: full, but where large requests are refused
	heapRefuseWords     = []string{"heapRefused"}                                                                                 // with large: refuse
	heapLinkWords       = []string{"heapLink"}                                                                                    // with bin: list
	heapLimitWords      = []string{"HeapErrLimit", "heapLimit", "heapTry"}                                                        // with limit
	heapFreshWords      = []string{"heapFresh"}                                                                                   // with zero: alloc, but with sync: percpu
	heapSharedTestWords = []string{"TestHeapGoroutines"}                                                                          // with sync: percpu | mutex
	heapPerCPUWords     = []string{"heapPerCPU"}                                                                                  // with sync: percpu
	heapKeyWords        = []string{"heapKey"}                                                                                     // with double_free: key
	heapTypedWords      = []string{"heapClassName", "heapSized", "heapTyped", "heapTypes"}                                        // with objects

	listWords = []string{"List", "listItem", "listMax", "listNoCopy", "listTooLarge"}

	// Of the emitted test file. The go command wants Test and Benchmark in front.
	heapTestWords = []string{
		"BenchmarkHeap", "TestHeapAllocations", "TestHeapFaults", "TestHeapFull", "TestHeapMisuse", "TestHeapPages", "TestHeapRandom", "TestHeapSizes",
		"heapCheck", "heapCheckRuns", "heapCheckSpan", "heapPanics",
	}
	heapStatsTestWords = []string{"TestHeapStats", "heapAddsUp"} // with stats: basic | full
	heapZeroTestWords  = []string{"TestHeapZero"}                // with zero: alloc | free
	heapFullTestWords  = []string{"TestHeapRequests"}            // with stats: full
	heapMakeWords      = []string{"heapMake"}                    // with large: go

	listTestWords   = []string{"BenchmarkList", "TestListRandom"}
	listBlocksWords = []string{"TestListAllocations"}     // of a list in a heap
	listDriverWords = []string{"listDrive", "listDriven"} // of a spec's first list
)

// Words of typed free lists.
var (
	objectWords       = []string{"Object", "objectDepth", "objectNoCopy"}
	objectChunkWords  = []string{"objectChunk"}                 // with chunks of more than one
	objectCacheWords  = []string{"ObjectCache", "objectCached"} // with sync: cache
	objectPerCPUWords = []string{"objectCached", "objectLocal"} // with sync: percpu
	objectTestWords   = []string{"BenchmarkObject", "TestObjectRandom"}
	objectPlainWords  = []string{"TestObjectAllocations"} // without hooks of the user
	objectSharedWords = []string{"TestObjectGoroutines"}  // for any goroutine
)

// Words of what pins goroutines to a P, once in a package for all that do.
var pinWords = []string{"entryPin", "entryProcPin", "entryProcUnpin"}

// Methods of a typed free list, and of its caches, that users call.
var (
	objectMethods = []string{"Get", "Put", "Trim"}
	cacheMethods  = []string{"Acquire", "Flush", "Release"}
	typedMethods  = []string{"Get", "Put"}           // in a heap
	sliceMethods  = []string{"GetSlice", "PutSlice"} // with slices
)

// Words of objects in a heap.
var (
	typedWords     = []string{"Object", "objectBin"}
	sliceTestWords = []string{"TestObjectSlices"} // with slices
	typedTestWords = []string{"BenchmarkObject", "TestObjectRandom", "TestObjectPointers", "objectPointers"}
)

// objectWordsOf are the words of a typed free list in Go memory, without tests.
func objectWordsOf(o *Object) []string {
	words := slices.Clone(objectWords)
	if o.Chunk > 1 {
		words = append(words, objectChunkWords...)
	}
	switch o.Sync {
	case SyncCache:
		words = append(words, objectCacheWords...)
	case SyncPerCPU:
		words = append(words, objectPerCPUWords...)
	}
	return words
}

// objectNames gives the identifiers of a typed free list, and its methods.
func objectNames(o spec.Object) map[string]string {
	if o.Heap != "" {
		words := slices.Concat(typedWords, typedTestWords, objectPlainWords)
		if o.Slices {
			words = slices.Concat(words, sliceTestWords)
		}
		return renamed(names(words, "Object", o.Name), typedMethodsOf(o), o.Names)
	}
	words := slices.Concat(objectWords, objectTestWords, objectPlainWords)
	methods := objectMethods
	if o.Chunk > 1 {
		words = append(words, objectChunkWords...)
	}
	if Sync(o.Sync) != SyncNone {
		words = append(words, objectSharedWords...)
	}
	switch Sync(o.Sync) {
	case SyncCache:
		words = append(words, objectCacheWords...)
		methods = slices.Concat(methods, cacheMethods)
	case SyncPerCPU:
		words = append(words, objectPerCPUWords...)
	}
	return renamed(names(words, "Object", o.Name), methods, o.Names)
}

// typedMethodsOf are the methods of an entry in a heap that users call.
func typedMethodsOf(o spec.Object) []string {
	if o.Slices {
		return slices.Concat(typedMethods, sliceMethods)
	}
	return typedMethods
}

// renamed adds methods to names, by the names that the spec gives them.
func renamed(names map[string]string, methods []string, renames []spec.Rename) map[string]string {
	for _, m := range methods {
		names[m] = m
	}
	for _, r := range renames {
		if slices.Contains(methods, r.Method) {
			names[r.Method] = r.Name
		}
	}
	return names
}

// heapNames gives the identifiers of a heap.
func heapNames(h spec.Heap, typed bool) map[string]string {
	words := slices.Concat(heapWords, heapTestWords)
	if h.Stats != "none" {
		words = slices.Concat(words, heapStatsWords, heapStatsTestWords)
	}
	if h.Stats == "full" {
		words = slices.Concat(words, heapFullWords, heapFullTestWords)
	}
	switch h.Large {
	case "go":
		words = append(words, heapMakeWords...)
	case "refuse":
		words = append(words, heapRefuseWords...)
	default:
		words = append(words, heapPagesWords...)
	}
	if h.Stats == "full" && h.Large != "refuse" {
		words = append(words, heapFullLargeWords...)
	}
	if h.Limit != 0 {
		words = append(words, heapLimitWords...)
	}
	if Sync(h.Sync) == SyncPerCPU {
		words = append(words, heapPerCPUWords...)
	}
	if h.Zero == "alloc" || h.Zero == "free" {
		words = append(words, heapZeroTestWords...)
	}
	if h.Zero == "alloc" && Sync(h.Sync) != SyncPerCPU {
		words = append(words, heapFreshWords...)
	}
	if h.Bin == "list" {
		words = append(words, heapLinkWords...)
	}
	if h.DoubleFree == "key" {
		words = append(words, heapKeyWords...)
	}
	if typed {
		words = append(words, heapTypedWords...)
	}
	if Sync(h.Sync).shared() {
		words = append(words, heapSharedTestWords...)
	}
	out := names(words, "Heap", h.Name)
	if Sync(h.Sync).shared() { // caches are the heap's own
		for _, w := range []string{"HeapCache", "HeapBin"} {
			out[w] = lowerFirst(out[w])
		}
	}
	return out
}

// listNames gives the identifiers of a list, and the method that makes one.
func listNames(key string) map[string]string {
	out := names(slices.Concat(listWords, listTestWords, listBlocksWords), "List", key)
	out["NewList"] = "New" + upperFirst(key)
	if key != upperFirst(key) {
		out["NewList"] = "new" + upperFirst(key)
	}
	return out
}

// names replaces the stem of each word by the key: as written where the word
// is for users, with a small first letter where it is a helper.
func names(words []string, stem, key string) map[string]string {
	out := make(map[string]string, len(words))
	for _, w := range words {
		switch {
		case strings.HasPrefix(w, stem):
			out[w] = key + strings.TrimPrefix(w, stem)
		case strings.HasPrefix(w, lowerFirst(stem)):
			out[w] = lowerFirst(key) + strings.TrimPrefix(w, lowerFirst(stem))
		default:
			out[w] = strings.Replace(w, stem, upperFirst(key), 1)
		}
	}
	return out
}

func lowerFirst(s string) string { return mapFirst(s, unicode.ToLower) }
func upperFirst(s string) string { return mapFirst(s, unicode.ToUpper) }

func mapFirst(s string, f func(rune) rune) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(f(r)) + s[n:]
}

// imports are the packages that the output imports, by name: no package-level
// name may be one of theirs.
var imports = map[string]string{
	"atomic":  "sync/atomic",
	"bits":    "math/bits",
	"errors":  "errors",
	"fmt":     "fmt",
	"maphash": "hash/maphash",
	"math":    "math",
	"rand":    "math/rand",
	"reflect": "reflect",
	"runtime": "runtime",
	"strconv": "strconv",
	"strings": "strings",
	"sync":    "sync",
	"syscall": "syscall",
	"testing": "testing",
	"unsafe":  "unsafe",
}

// locals are the identifiers in whose scope the output speaks of an entry's
// type, which would be hidden there. A test of package templates holds this list,
// and imports, against the output.
var locals = []string{"b", "c", "calls", "fault", "h", "k", "n", "p", "s", "size", "t", "x"}

// Imports gives the packages that the output imports, by name.
func Imports() map[string]string { return maps.Clone(imports) }

// Locals lists the names that no entry may have, in order.
func Locals() []string {
	all := slices.Concat(slices.Collect(maps.Keys(imports)), locals)
	slices.Sort(all)
	return all
}
