package plan

import (
	"slices"

	"github.com/allocgen/allocgen/internal/spec"
)

// importsOf is the spec's imports by name.
func importsOf(s *spec.Spec) map[string]string {
	out := map[string]string{}
	for _, i := range s.Imports {
		out[i.Name] = i.Path
	}
	return out
}

// checkImports refuses names that the output uses for other packages.
func checkImports(s *spec.Spec, errs *spec.Errors) {
	for _, i := range s.Imports {
		path := "imports." + i.Name
		if own, ok := imports[i.Name]; ok && own != i.Path {
			errs.Add(s.At(path), "%s: the output uses %s for Go's %s: choose another name", path, i.Name, own)
		}
	}
}

// Names that the functions of a typed free list use for themselves. Tests of
// package templates hold these lists against the output.
var (
	objectLocals = []string{"all", "b", "c", "chunk", "h", "i", "n", "out", "p", "room", "size", "t", "x"}
	// Where the type parameters of the receiver are declared too.
	paramLocals = []string{"all", "batch", "c", "chunk", "fresh", "i", "id", "l", "left", "n", "old", "op", "p", "room", "size", "slots", "x"}
	// Fields and methods of the type and of its caches; in a heap, of a bin.
	objectMembers = []string{"add", "check", "cpu", "create", "drain", "fit", "forget", "get", "grow", "locals", "made", "mu", "n", "over", "pin", "pool", "put", "refill", "slots", "spill", "stock"}
	typedMembers  = []string{"alloc", "asked", "countAlloc", "countFree", "find", "flush", "free", "fresh", "head", "id", "lim", "n", "owned", "refill", "size", "slots", "unaligned"}
)

// ObjectLocals lists the names that nothing may have that the output takes from
// the user's own code, in order.
func ObjectLocals() []string { return slices.Clone(objectLocals) }

// ParamLocals lists the names that no type parameter may have, in order.
func ParamLocals() []string { return slices.Clone(paramLocals) }

// ObjectMembers lists the names that no method may be given, in order: of
// entries in Go memory, and in a heap; and those that no entry in a heap may have, with
// caches and without.
func ObjectMembers() (plain, typed, cache, heap []string) {
	return slices.Clone(objectMembers), slices.Clone(typedMembers), slices.Clone(cacheMembers), slices.Clone(heapMembers)
}

// checkObject refuses identifiers that mean something else in the output.
func checkObject(s *spec.Spec, o *Object, errs *spec.Errors) {
	path := "objects." + o.Name
	for _, ident := range o.Idents {
		if slices.Contains(objectLocals, ident) {
			errs.Add(s.At(path), "%s: the output uses %s for itself: rename yours", path, ident)
		}
		if _, ok := imports[ident]; ok && o.Names["Object"] != ident {
			if _, imported := importsOf(s)[ident]; !imported {
				errs.Add(s.At(path), "%s: the output uses %s for a package of Go: rename yours", path, ident)
			}
		}
	}
	checkParams(s, o, errs)
	checkRenames(s, o, errs)
	if o.Heap != nil {
		checkTyped(s, o, errs)
	}
}

// checkParams refuses type parameters that hide what the output means by their
// names.
func checkParams(s *spec.Spec, o *Object, errs *spec.Errors) {
	path := "objects." + o.Name
	var own []string
	for _, w := range objectWordsOf(o) {
		own = append(own, o.Names[w])
	}
	for _, p := range specOf(s, o.Name).Params {
		_, imported := importsOf(s)[p.Name]
		switch {
		case slices.Contains(objectLocals, p.Name): // said of all identifiers
		case slices.Contains(paramLocals, p.Name), slices.Contains(own, p.Name):
			errs.Add(s.At(path), "%s: the output uses %s for itself: rename the type parameter", path, p.Name)
		case imported:
			errs.Add(s.At(path), "%s: %s is also a name in imports: rename the type parameter", path, p.Name)
		case slices.Contains([]string{o.Reset.Func, o.Init, o.Keep}, p.Name):
			errs.Add(s.At(path), "%s: %s is also the name of a function here: rename the type parameter", path, p.Name)
		}
	}
}

// checkImportNames refuses names for packages that the output declares.
func checkImportNames(s *spec.Spec, names []Name, errs *spec.Errors) {
	for _, n := range names {
		if _, ok := importsOf(s)[n.Ident]; ok {
			path := "imports." + n.Ident
			errs.Add(s.At(path), "%s: %s declares %s: choose another name", path, n.Entry, n.Ident)
		}
	}
}

// What a cache has already: its method for an entry is named after the entry's key.
var cacheMembers = []string{
	"Alloc", "Bin", "BinOf", "Flush", "Free", "Realloc", "Release", "TryAlloc", "TryRealloc", "UsableSize", "allocLarge", "base", "binOf", "bins", "check", "class", "core", "held", "large",
	"makeLarge", "registry", "use",
}

// What a heap with sync: percpu or mutex has already: there the method for an entry
// is the heap's.
var heapMembers = []string{
	"Acquire", "Alloc", "Close", "Free", "Realloc", "SetLimit", "Stats", "Trim", "TryAlloc", "TryRealloc", "add", "arena", "arenas", "back", "bare",
	"base", "bestFit", "binOf", "blockAt", "blocks", "borrow", "carve", "class", "cores", "count", "countCalls", "countLocals", "counts", "cpu", "cut",
	"cutRun", "depots", "dropIdle", "dropRun", "empty", "emptyDepot", "exchange", "fills", "findFull", "findIn", "findRun", "foreign", "free",
	"freeLarge", "freeSpan", "front", "full", "giveBack", "giveBlocks", "giveRun", "grow", "idle", "insert", "joinRun", "large", "largeSize", "leave",
	"link", "list", "live", "local", "locals", "localsKeep", "locate", "lock", "makeCore", "mark", "merge", "most", "mu", "newCore", "newSpan",
	"newest", "note", "occupy", "oldest", "open", "part", "place", "pools", "purge", "purged", "put", "putRun", "putShared", "ready", "recall",
	"recalls", "reclaim", "region", "registry", "relieve", "remove", "resizeLarge", "returnBlock", "returnBlocks", "runs", "settleIn", "shorter",
	"shut", "span", "split", "start", "state", "stock", "take", "takeAt", "takeBlocks", "takeFree", "takeIdle", "takeRun", "takeShared", "taken",
	"trim", "unback", "unlink", "unlist", "unstart", "usable", "used", "wholePages", "wipe", "within", "wrong",
}

// checkTyped refuses what objects in a heap cannot have.
func checkTyped(s *spec.Spec, o *Object, errs *spec.Errors) {
	path := "objects." + o.Name
	if o.Heap.Shared() {
		if slices.Contains(heapMembers, o.Name) {
			errs.Add(s.At(path), "%s: %s has a %s of its own: choose another name", path, o.Heap.Name, o.Name)
		}
	} else if slices.Contains(cacheMembers, o.Name) {
		errs.Add(s.At(path), "%s: a cache of %s has a %s of its own: choose another name", path, o.Heap.Name, o.Name)
	}
	for _, l := range s.Lists {
		if l.Heap == o.Heap.Name && listNames(l.Name)["NewList"] == o.Name {
			errs.Add(s.At(path), "%s: a cache of %s has a %s that makes %s: choose another name", path, o.Heap.Name, o.Name, l.Name)
		}
	}
	if o.Heap.ListBins && !o.Reset.Zero {
		errs.Add(s.At(path+".reset"), "%s.reset: the bins of %s write into free objects (bin: list), so that none comes back as it was: write reset: zero, or remove the key", path, o.Heap.Name)
	}
}

// checkRenames refuses names for methods that there are not, and names that meet.
func checkRenames(s *spec.Spec, o *Object, errs *spec.Errors) {
	methods, members := objectMethods, objectMembers
	switch {
	case o.Heap != nil:
		methods, members = typedMethodsOf(specOf(s, o.Name)), typedMembers
	case o.Sync == SyncCache:
		methods = slices.Concat(objectMethods, cacheMethods)
	}
	at := "objects." + o.Name + ".names"
	for _, r := range specOf(s, o.Name).Names {
		path := at + "." + r.Method
		switch {
		case !slices.Contains(methods, r.Method):
			errs.Add(s.At(path), "%s: no method of this entry: it has %s", path, list(methods))
		case slices.Contains(members, r.Name):
			errs.Add(s.At(path), "%s: the output uses %s for itself: choose another name", path, r.Name)
		default:
			if try := tries(o, r.Name); try != "" {
				errs.Add(s.At(path), "%s: %s is the name of the twin of %s that returns an error: choose another", path, r.Name, try)
			}
			for _, m := range methods {
				if m != r.Method && o.Names[m] == r.Name && (m < r.Method || o.Names[m] == m) {
					errs.Add(s.At(path), "%s: %s is the name of %s: choose another", path, r.Name, m)
				}
			}
		}
	}
}

// tries is the method of o whose twin in a heap with a limit has that name, or "".
func tries(o *Object, name string) string {
	if o.Heap == nil || o.Heap.Limit == 0 {
		return ""
	}
	for _, m := range []string{"Get", "GetSlice"} {
		if own := o.Names[m]; own != "" && name == "Try"+own {
			return own
		}
	}
	return ""
}

// specOf is an entry as the spec has it.
func specOf(s *spec.Spec, name string) spec.Object {
	return s.Objects[slices.IndexFunc(s.Objects, func(o spec.Object) bool { return o.Name == name })]
}

// list is words for a sentence.
func list(words []string) string {
	text := ""
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			text += " and "
		default:
			text += ", "
		}
		text += w
	}
	return text
}
