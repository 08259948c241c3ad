package plan

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The words of the templates: what each package-level declaration is called
// there. In the output the first part becomes the entry's key, so that every
// name starts with a key of the spec and two specs can share a package.
var (
	heapWords = []string{
		"Heap", "HeapBin", "HeapCache", "HeapClassStats", "HeapErrSystem", "HeapStats",
		"heapAlign", "heapAlignMask", "heapAlignShift", "heapArena", "heapArenaPools", "heapBatch", "heapBinTable", "heapBins",
		"heapClass", "heapClassTable", "heapClasses", "heapClosed", "heapClosedTable", "heapCommit", "heapDepot",
		"heapDepth", "heapErr", "heapFirstLimit", "heapForeign", "heapFree", "heapInUse", "heapLarge",
		"heapMinPools", "heapMisuse", "heapNegative", "heapNew",
		"heapNoCopy", "heapNone", "heapOpen", "heapOutOfMemory", "heapPoolShift", "heapPoolSize", "heapPools",
		"heapReserve", "heapReserveShift", "heapMap", "heapRunList", "heapRunLists", "heapScaleBits", "heapSpan", "heapSpares",
		"heapSpanWords", "heapState", "heapTable", "heapThreshold", "heapUnmap", "heapUse",
	}
	heapPagesWords = []string{"heapLargeAlloc", "heapLargeFree"} // with large: pages

	listWords = []string{"List", "listItem", "listMax", "listNoCopy", "listTooLarge"}

	// Of the emitted test file. The go command wants Test and Benchmark in front.
	heapTestWords = []string{
		"BenchmarkHeap", "TestHeapAllocations", "TestHeapMisuse", "TestHeapRandom", "TestHeapSizes",
		"heapCheck", "heapCheckSpan", "heapPanics",
	}
	listMakeWords = []string{"listMake"} // of a list whose heap leaves large blocks to Go

	listTestWords   = []string{"BenchmarkList", "TestListRandom"}
	listBlocksWords = []string{"TestListAllocations"}     // of a list in a heap
	listDriverWords = []string{"listDrive", "listDriven"} // of a spec's first list
)

// heapNames gives the identifiers of a heap.
func heapNames(key string, largeGo bool) map[string]string {
	words := slices.Concat(heapWords, heapTestWords)
	if !largeGo {
		words = append(words, heapPagesWords...)
	}
	return names(words, "Heap", key)
}

// listNames gives the identifiers of a list, and the method that makes one.
func listNames(key string) map[string]string {
	out := names(slices.Concat(listWords, listMakeWords, listTestWords, listBlocksWords), "List", key)
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

// imports are the packages that the output imports: no package-level name may be
// one of theirs.
var imports = []string{
	"atomic", "bits", "errors", "fmt", "math", "rand", "strconv", "strings", "sync", "syscall", "testing", "unsafe",
}

// locals are the identifiers in whose scope the output speaks of an entry's
// type, which would be hidden there. A test of package templates holds this list,
// and imports, against the output.
var locals = []string{"b", "size", "t"}

// Imports lists the names of the packages that the output imports.
func Imports() []string { return slices.Clone(imports) }

// Locals lists the names that no entry may have, in order.
func Locals() []string {
	all := slices.Concat(imports, locals)
	slices.Sort(all)
	return all
}
