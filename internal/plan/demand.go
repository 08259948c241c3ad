package plan

// A Demand is what an entry asks of Go code that is not generated: of a type
// that it names, and of functions. Only a type-check sees whether it is met.
type Demand struct {
	Entry      string // path of the entry in the spec: "objects.nodes"
	TypeParams string // the entry's, "[K comparable, V any]", or ""
	Of         string // the type as written, in the scope of Plan.Imports and TypeParams: "Entry[K, V]"

	PointerFree bool  // no value of the type may hold a pointer
	MaxSize     int64 // of the type, in bytes; 0: any
	MaxAlign    int64 // of the type, in bytes; 0: any

	Reset string // a function func(*T) of the package, or a method of *T without parameters and results; or ""
	Init  string // a function func(*T) of the package, or ""
	Keep  string // a function func(*T) bool of the package, or ""
}
