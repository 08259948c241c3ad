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
	objectLocals  = []string{"all", "c", "chunk", "i", "out", "p", "room", "t", "x"}
	objectHelpers = []string{"add", "forget", "free", "fresh", "get", "made", "mu", "n", "pool", "put", "refill", "released", "spill", "take"}
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
}

// checkRenames refuses names for methods that there are not, and names that meet.
func checkRenames(s *spec.Spec, o *Object, errs *spec.Errors) {
	methods := objectMethods
	if o.Sync == SyncCache {
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
