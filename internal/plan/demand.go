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

	// Functions of the package, or of an imported one: "api.Clear". "" for none.
	Reset string // func(*T); or the name of a method of *T without parameters and results
	Init  string // func(*T)
	Keep  string // func(*T) bool
}
