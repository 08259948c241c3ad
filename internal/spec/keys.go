package spec

import (
	"fmt"
	"strings"
)

// A key is one key of the format. The parser, its suggestions and the field
// reference in specs/README.md all come from the tables below.
type key struct {
	name    string
	meaning string
	def     string   // the default, as it would be written; "" for a key that is required
	values  string   // what may be written, when words and limits do not say it all
	words   []string // the words that may be written
	later   []string // words of the design that this version does not build
	limits  limits   // of a size or a count
	unbuilt bool     // a key of the design that this version does not build
}

// Limits bound a number, both ends included.
type limits struct {
	unit     string // "size" or "count"
	min, max int
	pow2     bool
}

// A section is a mapping whose keys are known.
type section struct {
	path string // where it is, for readers
	keys []key
}

// The largest request that classes may serve: a heap's biggest span is 8 pools
// of 16 KiB.
const maxThreshold = 128 << 10

// MaxLimit bounds what counts all memory of a heap: 1 TiB, as far as an int goes.
const maxLimit = 1 << (30 + 10*(^uint(0)>>63))

// MaxClasses bounds a class table: a class number fits in a byte, with room for
// marks.
const maxClasses = 120

var heapLimits = limits{unit: "size", min: 64 << 10, max: maxLimit}

var depthLimits = limits{unit: "count", min: 1, max: 1024, pow2: true}

var inlineWords, inlineLater = []string{"call", "fast"}, []string{"whole"}

var topKeys = section{"top level", []key{
	{name: "allocgen", values: "`1`", meaning: "version of the format; must be the first key"},
	{name: "package", values: "a package name", meaning: "package of the output; must agree with the Go files in `out`"},
	{name: "out", def: `.`, values: "a relative path with `/`", meaning: "folder of the output, relative to the spec"},
	{name: "doc", def: `""`, values: "text", meaning: "opens the package's documentation"},
	{name: "imports", def: "{}", values: "paths by name", meaning: "packages that entries of `objects` name, e.g. `{api: example.com/edge/api}` for `of: api.Session`"},
	{name: "build", def: `""`, values: "a `//go:build` expression", meaning: "where the output is built, e.g. `linux && amd64`; one that starts with `!` needs quotes: `\"!windows\"`"},
	{name: "tests", def: "true", words: []string{"true", "false"}, meaning: "emit tests and benchmarks: `<spec>_gen_test.go`, `<spec>_list_gen_test.go` and so on"},
	{name: "inline", def: "fast", words: inlineWords, later: inlineLater, values: "`call`, `fast` or a mapping", meaning: "how the paths appear at their sites: written out, or as calls of one function"},
	{name: "heaps", def: "no entry", values: "entries by name", meaning: "heaps of bytes; a name is a Go type, exported or not"},
	{name: "lists", def: "no entry", values: "entries by name", meaning: "growable arrays; a name is a Go type, exported or not"},
	{name: "objects", def: "no entry", values: "entries by name", meaning: "free lists of a type; a name is a Go type, exported or not, with type parameters or without"},
	{name: "linked", unbuilt: true},
}}

var heapKeys = section{"heaps.<Name>", []key{
	{name: "inline", def: "top level's", words: inlineWords, later: inlineLater, values: "`call`, `fast` or a mapping", meaning: "as at the top level, for this heap"},
	{name: "threshold", def: "32KiB", limits: limits{"size", 8, maxThreshold, false}, meaning: "the largest request that classes serve, a multiple of `align`; above it a request is large"},
	{name: "classes", def: "the rule below", values: "a rule, or a list of sizes", meaning: "block sizes; a list ascends in multiples of `align`, at most 120, and its last is the threshold"},
	{name: "large", def: "pages", words: []string{"pages", "go", "refuse"}, meaning: "what serves large requests: runs of pools, Go's heap, or nothing: they panic"},
	{name: "align", def: "16", limits: limits{"size", 8, 4096, true}, meaning: "alignment of every block"},
	{name: "depth", def: "64", limits: depthLimits, values: depthLimits.String() + ", or a mapping", meaning: "blocks that a bin keeps"},
	{name: "pool", def: "16KiB", limits: limits{"size", 4 << 10, 256 << 10, true}, meaning: "bytes carved for one class at a time"},
	{name: "arena", def: "1MiB", limits: limits{"size", 64 << 10, 64 << 20, true}, meaning: "bytes taken from the system at a time; at least 4 pools"},
	{name: "sync", def: "cache", words: []string{"cache", "percpu", "mutex"}, meaning: "any goroutine may call: also through caches of its own; by what its processor keeps, without a cache; or by one lock"},
	{name: "bin", def: "stack", words: []string{"stack", "list"}, meaning: "how a bin keeps its blocks: their addresses, or linked through themselves"},
	{name: "double_free", def: "flush", words: []string{"flush", "key"}, later: []string{"none", "exact"}, meaning: "where release builds look for a second free: as blocks go back to pools, or at once in the bin as well"},
	{name: "stats", def: "basic", words: []string{"none", "basic", "full"}, meaning: "what `Stats` tells: there is none; what slow paths count anyway; or also every request, which costs each path a call"},
	{name: "limit", def: "none", limits: heapLimits, values: "`none`, or " + heapLimits.String(), meaning: "the most that pools in use hold, in bytes; a limit adds the `Try` methods and `SetLimit`"},
	{name: "cap", def: "class", words: []string{"class", "exact"}, meaning: "the capacity of what Alloc and Realloc return: all that the block holds, or the length"},
	{name: "zero", def: "never", words: []string{"never", "alloc", "free"}, meaning: "when blocks of bytes are cleared: never; as they are allocated, where they were used before; or as they are freed, so that free memory holds nothing"},
	{name: "retain", def: "1MiB", limits: limits{unit: "size", min: 0, max: maxLimit}, meaning: "the most memory of empty pools that is kept; more is given back to the system"},
}}

var classKeys = section{"heaps.<Name>.classes", []key{
	{name: "min", def: "16, or `align` when larger", limits: limits{"size", 8, maxThreshold, false}, meaning: "the smallest class, a multiple of `align`"},
	{name: "step", def: "16, or `align` when larger", limits: limits{"size", 8, maxThreshold, false}, meaning: "distance of classes up to `to`, a multiple of `align`"},
	{name: "to", def: "1KiB, within `min` and `threshold`", limits: limits{"size", 8, maxThreshold, false}, meaning: "where linear steps end, a multiple of `align`"},
	{name: "per_doubling", def: "4", limits: limits{"count", 1, 64, true}, meaning: "classes per doubling above `to`, up to the threshold"},
}}

var depthKeys = section{"heaps.<Name>.depth", []key{
	{name: "all", limits: depthLimits, meaning: "every class that has no line of its own"},
	{name: "<size>", def: "as all", limits: depthLimits, meaning: "the class of this size, at most `all`, e.g. `4096: 16`"},
}}

var inlineKeys = section{"inline", []key{
	{name: "alloc", def: "as above", words: inlineWords, later: inlineLater, meaning: "the path that allocates"},
	{name: "free", def: "as above", words: inlineWords, later: inlineLater, meaning: "the path that frees"},
}}

var listKeys = section{"lists.<Name>", []key{
	{name: "inline", def: "top level's", words: inlineWords, later: inlineLater, values: "`call`, `fast` or a mapping", meaning: "as at the top level, for this list; needs `heap`"},
	{name: "of", words: elements, meaning: "the element"},
	{name: "heap", def: "none: Go memory", values: "an entry of heaps", meaning: "the heap that holds the buffers"},
	{name: "sizing", def: "double", words: []string{"double", "go", "cpython", "cpython2"}, meaning: "how capacity follows length; the two of CPython also shrink"},
}}

var objectKeys = section{"objects.<Name>", []key{
	{name: "inline", def: "top level's", words: inlineWords, later: inlineLater, values: "`call`, `fast` or a mapping", meaning: "as at the top level: `alloc` is for Get, `free` for Put"},
	{name: "of", values: "a type", meaning: "the type: of the output's package, `api.Session` of an imported one, or an instance such as `swiss.Group[int64, int64]`"},
	{name: "heap", def: "none: Go memory", values: "an entry of heaps", meaning: "the heap that holds the objects, in a class of their own: no pointers in them"},
	{name: "sync", def: "required in Go memory", words: []string{"none", "mutex", "percpu", "cache"}, meaning: "who may call: one goroutine at a time; any, behind a lock; any, with free objects for each processor; or any, with caches for one goroutine each; in a heap as the heap says"},
	{name: "depth", def: "1024", limits: objectDepth, later: []string{"all", "runtime"}, meaning: "free objects that are kept, in Go memory; more are left to the GC"},
	{name: "chunk", def: "1", limits: limits{unit: "count", min: 1, max: 4096}, meaning: "objects per Go allocation, at most `depth`; one live object keeps its whole chunk"},
	{name: "reset", def: "zero", words: []string{"zero", "none"}, values: "`zero`, `none`, a method of the type, or a function `func(*T)`", meaning: "what Put does to an object"},
	{name: "init", def: "none", words: []string{"none"}, values: "`none`, or a function `func(*T)`", meaning: "what is done to a new object, in Go memory"},
	{name: "keep", def: "none", words: []string{"none"}, values: "`none`, or a function `func(*T) bool`", meaning: "asked by Put before `reset`, in Go memory: false leaves the object to the GC"},
	{name: "names", def: "{}", values: "names by method", meaning: "other names for methods, e.g. `{Get: Acquire, Put: Release}`"},
	{name: "slices", def: "false", words: []string{"true", "false"}, meaning: "add `GetSlice` and `PutSlice`, of many objects in a row, in a heap"},
	{name: "bulk", unbuilt: true},
}}

var objectDepth = limits{unit: "count", min: 1, max: 1 << 20}

// The elements a list may have: predeclared types without pointers.
var elements = []string{
	"bool", "byte", "rune",
	"int", "int8", "int16", "int32", "int64",
	"uint", "uint8", "uint16", "uint32", "uint64", "uintptr",
	"float32", "float64", "complex64", "complex128",
}

var sections = []*section{&topKeys, &heapKeys, &classKeys, &depthKeys, &inlineKeys, &listKeys, &objectKeys}

func (s *section) find(name string) *key {
	for i := range s.keys {
		if s.keys[i].name == name {
			return &s.keys[i]
		}
	}
	return nil
}

// Must finds a key that the table is known to have.
func (s *section) must(name string) *key {
	k := s.find(name)
	if k == nil {
		panic(fmt.Sprintf("spec: no key %s in %s", name, s.path))
	}
	return k
}

// Unknown says what an unknown key of s may have been meant to be.
func (s *section) unknown(name string) string {
	if near := nearest(name, s.names()); near != "" {
		return fmt.Sprintf("unknown key (did you mean %s?)", near)
	}
	for _, other := range sections {
		if near := nearest(name, other.names()); near == name {
			return fmt.Sprintf("unknown key here: it belongs to %s", other.path)
		} else if near != "" {
			return fmt.Sprintf("unknown key here (did you mean %s, which belongs to %s?)", near, other.path)
		}
	}
	return "unknown key"
}

func (s *section) names() []string {
	var names []string
	for _, k := range s.keys {
		if k.name[0] != '<' { // a placeholder
			names = append(names, k.name)
		}
	}
	return names
}

// String is the sentence of the field reference, "size, a power of two, 8 to 4KiB".
func (l limits) String() string {
	text := l.unit
	if l.pow2 {
		text += ", a power of two"
	}
	if l.unit == "count" {
		return fmt.Sprintf("%s, %d to %d", text, l.min, l.max)
	}
	return fmt.Sprintf("%s, %s to %s", text, formatSize(l.min), formatSize(l.max))
}

// Accepts is what may be written for k, in the words of the field reference.
func (k *key) accepts() string {
	switch {
	case k.values != "":
		return k.values
	case len(k.words) > 0:
		return "`" + strings.Join(k.words, "`, `") + "`"
	default:
		return k.limits.String()
	}
}
