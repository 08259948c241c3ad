// Package plan decides everything that will be emitted: class tables, names,
// the form of every fragment at every site, and what the output promises. It
// knows no YAML and no jennifer.
package plan

// A Plan is one spec, decided. Templates only spell it.
type Plan struct {
	File    string // the spec, as the caller named it, with forward slashes
	Base    string // the spec's file name without its ending: output files start with it
	Out     string // folder of the output, relative to the spec's own
	Package string
	Doc     string
	Build   string // the output's //go:build expression beside the Go version, or ""
	Tests   bool
	Own     bool              // the package is the user's own
	Imports map[string]string // name in `of` to path of the package

	Heaps   []Heap
	Lists   []List
	Objects []Object
	Pin     *Pin // what pins goroutines to a P; nil where nothing does

	Sites    []Site    // every place where a fragment appears
	Promises []Promise // of every entry point, whether it inlines
	Names    []Name    // every package-level identifier of the output
	Demands  []Demand  // what the output needs of code that is not generated
}

// Beside is what the output's package holds that is not generated.
type Beside struct {
	Functions []string // package-level functions
	Own       bool     // Go files that are no tests: the package is the user's own
}

// A Name is one package-level identifier and the entry of the spec behind it.
type Name struct {
	Ident string
	Entry string // path of the entry in the spec: "heaps.Heap"
}

// A Form is how a fragment appears at a site.
type Form string

// The forms of a fragment at a site.
const (
	Splice Form = "splice"
	Call   Form = "call"
	Method Form = "method" // the bin's own method, which the compiler may inline: where nothing counts on it
)

// A Site is one place where a fragment appears.
type Site struct {
	In       string // the function, in the words of the templates: "HeapBin.Alloc"
	Func     string // the function, as emitted: "BufBin.Alloc"
	Fragment string // "alloc.fast"
	Options  string // which of the fragment's forms: "cpython"; "" when it has one
	Form     Form
	Holes    map[string]string // the expression in each hole of the fragment
	Shrinks  bool              // of list.move: the capacity may be less than before
}

// Golden names the pattern that the splice has to match.
func (s Site) Golden() string {
	if s.Options == "" {
		return s.Fragment
	}
	return s.Fragment + "." + s.Options
}
