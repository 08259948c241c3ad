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

// Names that the functions of a typed free list use for themselves.
var (
	objectLocals  = []string{"all", "b", "c", "chunk", "h", "i", "out", "p", "room", "size", "t", "x"}
	objectHelpers = []string{"add", "forget", "free", "fresh", "get", "made", "wanted", "grow", "mu", "n", "pool", "put", "refill", "released", "spill", "take"}
)

// ObjectLocals lists the names that nothing may have that the output takes from
// the user's own code, in order.
func ObjectLocals() []string { return slices.Clone(objectLocals) }

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
	checkRenames(s, o, errs)
	if o.Heap != nil {
		checkTyped(s, o, errs)
	}
}

// What a cache has already: its method for an entry is named after the entry's key.
var cacheMembers = []string{
	"Alloc", "Bin", "BinOf", "Flush", "Free", "Release", "allocLarge", "armed", "base", "binOf", "bins", "check", "class", "dispose",
	"drain", "heap", "index", "large", "last", "newLarge", "registry", "released", "retire", "settle", "takeLarge", "want", "widen",
}

// checkTyped refuses what objects in a heap cannot have.
func checkTyped(s *spec.Spec, o *Object, errs *spec.Errors) {
	path := "objects." + o.Name
	if slices.Contains(cacheMembers, o.Name) {
		errs.Add(s.At(path), "%s: a cache of %s has a %s of its own: choose another name", path, o.Heap.Name, o.Name)
	}
	if o.Heap.ListBins && !o.Reset.Zero {
		errs.Add(s.At(path+".reset"), "%s.reset: the bins of %s write into free objects (bin: list), so that none comes back as it was: write reset: zero, or remove the key", path, o.Heap.Name)
	}
}

// checkRenames refuses names for methods that there are not, and names that meet.
func checkRenames(s *spec.Spec, o *Object, errs *spec.Errors) {
	methods := objectMethods
	switch {
	case o.Heap != nil:
		methods = typedMethods
	case o.Sync == SyncCache:
		methods = slices.Concat(objectMethods, cacheMethods)
	}
	at := "objects." + o.Name + ".names"
	for _, r := range renamesOf(s, o.Name) {
		path := at + "." + r.Method
		switch {
		case !slices.Contains(methods, r.Method):
			errs.Add(s.At(path), "%s: no method of this entry: it has %s", path, list(methods))
		case slices.Contains(objectHelpers, r.Name):
			errs.Add(s.At(path), "%s: the output uses %s for itself: choose another name", path, r.Name)
		default:
			for _, m := range methods {
				if m != r.Method && o.Names[m] == r.Name && (m < r.Method || o.Names[m] == m) {
					errs.Add(s.At(path), "%s: %s is the name of %s: choose another", path, r.Name, m)
				}
			}
		}
	}
}

func renamesOf(s *spec.Spec, name string) []spec.Rename {
	for _, o := range s.Objects {
		if o.Name == name {
			return o.Names
		}
	}
	return nil
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
