// Package spec is the format of a spec file: its types, and the strict parser
// that turns YAML into them or into errors with positions.
//
// A spec says what is wanted. What follows from it (class tables, names, what
// is written out where) is decided by package plan.
package spec

// A Spec is one decoded file with every default filled in.
type Spec struct {
	File    string // as the caller named it, with forward slashes
	Package string // package: must agree with the Go files in Out
	Out     string // out: folder of the output, relative to the file's own, as path.Clean gives it
	Doc     string // doc: text that opens the package's documentation
	Build   string // build: a //go:build expression for the output, in gofmt's spelling; "" for none
	Tests   bool   // tests: emit <spec>_gen_test.go
	Inline  Inline // inline: how fragments appear at their sites
	Heaps   []Heap // heaps: in the file's order
	Lists   []List // lists: in the file's order

	Imports []Import `json:",omitempty"` // imports: in the order of their names
	Objects []Object `json:",omitempty"` // objects: in the file's order

	pos map[string]Pos
}

// A Form is how a fragment appears at a site.
type Form string

// The forms: Fast splices the fragment in, Call calls its one function.
const (
	Fast Form = "fast"
	Call Form = "call"
)

// Inline chooses the form of the two paths.
type Inline struct {
	Alloc Form
	Free  Form
}

// A Heap is one entry of `heaps`: blocks of bytes, in classes.
type Heap struct {
	Name       string  // the key: a type name
	Inline     Inline  // inline: the file's, unless the entry has its own
	Threshold  int     // threshold: the largest request that classes serve, in bytes
	Classes    Classes // classes: block sizes
	Large      string  // large: pages | go | refuse
	Align      int     // align: of every block, a power of two, in bytes
	Depth      Depth   // depth: blocks a bin keeps
	Pool       int     // pool: bytes carved for one class at a time, a power of two
	Arena      int     // arena: bytes taken from the system at a time, a power of two
	Limit      int     // limit: bytes of pools in use, at most; 0: none
	Cap        string  // cap: what the capacity of a slice is, class | exact
	Retain     int     // retain: bytes of empty pools that keep their memory
	Sync       string  // sync: cache
	Bin        string  // bin: stack | list
	DoubleFree string  // double_free: flush | key
	Stats      string  // stats: basic
	Zero       string  // zero: never
}

// Classes says which block sizes there are: a list, or a rule.
type Classes struct {
	Sizes []int // a list, ascending; its last is the threshold. Nil: the rule below

	Min         int // the smallest class
	Step        int // the distance of classes up to To
	To          int // where linear steps end
	PerDoubling int // classes per doubling above To, up to the threshold
}

// Depth is how many blocks a bin keeps.
type Depth struct {
	All   int          // a power of two
	Lower []ClassDepth // single classes that keep fewer, in ascending size
}

// ClassDepth lowers the depth of one class.
type ClassDepth struct {
	Size  int // of the class, in bytes
	Depth int
}

// A List is one entry of `lists`: a growable array.
type List struct {
	Name   string // the key: a type name
	Inline Inline // inline: the file's, unless the entry has its own
	Of     string // of: the element, a predeclared type without pointers
	Heap   string // heap: the entry of `heaps` that holds the buffers; "" is Go memory
	Sizing string // sizing: double | go | cpython | cpython2
}

// An Import is a package that entries name.
type Import struct {
	Name string // as the spec and the output call it
	Path string
}

// An Object is one entry of `objects`: a free list of a type.
type Object struct {
	Name   string   // the key, without type parameters: a type name
	Params []Param  // its type parameters
	Inline Inline   // inline: the file's, unless the entry has its own
	Of     string   // of: the type, in gofmt's spelling
	Heap   string   // heap: the entry of `heaps` that holds the objects; "" is Go memory
	Sync   string   // sync: none | mutex | cache; "" in a heap
	Depth  int      // depth: free objects that are kept
	Chunk  int      // chunk: objects per Go allocation
	Reset  string   // reset: zero | none | the name of a method or function
	Init   string   // init: the name of a function, or ""
	Keep   string   // keep: the name of a function, or ""
	Names  []Rename // names: in the order of the methods
	Slices bool     `json:",omitempty"` // slices: GetSlice and PutSlice
}

// A Param is a type parameter.
type Param struct {
	Name       string
	Constraint string // in gofmt's spelling
}

// A Rename gives a method another name.
type Rename struct {
	Method string
	Name   string
}

// At is the position of a key, by its path ("heaps.Heap.classes"); of its
// closest ancestor that was written when the key itself was not.
func (s *Spec) At(path string) Pos {
	for {
		if p, ok := s.pos[path]; ok {
			return p
		}
		i := lastDot(path)
		if i < 0 {
			return Pos{File: s.File, Line: 1, Column: 1}
		}
		path = path[:i]
	}
}

func lastDot(path string) int {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '.' {
			return i
		}
	}
	return -1
}
