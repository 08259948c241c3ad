package own

// wild does what a test says in every hook.
type wild struct {
	id   int
	next *wild
}

// What the hooks of wild do.
var (
	onInit  = func(*wild) {}
	onReset = func(*wild) {}
	onKeep  = func(*wild) bool { return true }
)

func begin(x *wild)       { onInit(x) }
func (x *wild) end()      { onReset(x) }
func wanted(x *wild) bool { return onKeep(x) }
