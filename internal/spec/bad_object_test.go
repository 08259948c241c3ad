package spec

// Typed free lists, and what they need.
var badObjects = []badSpec{
	{spec(`objects: {Nodes: {of: Node}}`), `3:11: objects.Nodes: say who may call it: sync: none (one goroutine at a time, fastest), mutex (any), percpu (any; what sync.Pool does) or cache (any, plus caches for one goroutine each)`},
	{spec(`objects: {Nodes: {sync: none}}`), `3:11: objects.Nodes.of: missing: name the type, such as Node`},
	{spec(`objects: {Nodes: Node}`), `3:11: objects.Nodes: say who may call it: sync: none (one goroutine at a time, fastest), mutex (any), percpu (any; what sync.Pool does) or cache (any, plus caches for one goroutine each)`},
	{spec(`objects: {Nodes: {of: Node, sync: pcpu}}`), `3:35: objects.Nodes.sync: pcpu is not none, mutex, percpu or cache (did you mean percpu?)`},
	{spec(`objects: {Nodes: {of: Node, sync: shared}}`), `3:35: objects.Nodes.sync: shared is not none, mutex, percpu or cache`},
	{spec(`objects: {Nodes: {of: "*Node", sync: none}}`), `3:23: objects.Nodes.of: *Node: a pointer: write the type that it points to, Get returns a pointer to it`},
	{spec(`objects: {Nodes: {of: "[]byte", sync: none}}`), `3:23: objects.Nodes.of: []byte: a slice: pool a struct or an array that holds it`},
	{spec(`objects: {Nodes: {of: "map[string]int", sync: none}}`), `3:23: objects.Nodes.of: map[string]int: a map: pool a struct that holds it`},
	{spec(`objects: {Nodes: {of: "struct{}", sync: none}}`), `3:23: objects.Nodes.of: struct{}: a type without a name: declare it, and write its name`},
	{spec(`objects: {Nodes: {of: string, sync: none}}`), `3:23: objects.Nodes.of: string: string is not pooled: write a type of your own that holds it`},
	{spec(`objects: {Nodes: {of: nil, sync: none}}`), `3:23: objects.Nodes.of: nil: nil is no type in Go: one of your own needs another name`},
	{spec(`objects: {Nodes: {of: Node + 1, sync: none}}`), `3:23: objects.Nodes.of: Node + 1: no Go type: write a type such as Node, api.Session or swiss.Group[int64, int64]`},
	{spec(`objects: {Nodes: {of: "Node[", sync: none}}`), `3:23: objects.Nodes.of: Node[ is no Go type: write one such as Node, api.Session or swiss.Group[int64, int64]`},
	{spec(`objects: {Nodes: {of: "f(x)", sync: none}}`), `3:23: objects.Nodes.of: f(x): no Go type: write a type such as Node, api.Session or swiss.Group[int64, int64]`},
	{spec(`objects: {Nodes: {of: api.Session, sync: none}}`), `3:23: objects.Nodes.of: api.Session: imports does not name api: add imports: {api: the path of the package}`},
	{spec(`objects: {Nodes: {of: "Group[api.Session]", sync: none}}`), `3:23: objects.Nodes.of: Group[api.Session]: imports does not name api: add imports: {api: the path of the package}`},
	{spec(`objects: {Nodes: {of: api.session, sync: none}}`), `3:23: objects.Nodes.of: api.session: session is not exported by api`},
	{spec(`objects: {Nodes: {of: "[n]Node", sync: none}}`), `3:23: objects.Nodes.of: [n]Node: the length of an array is a number here`},
	{spec(`objects: {Nodes: {of: Node, sync: none, depth: 0, chunk: 5000}}`), `
3:48: objects.Nodes.depth: 0 is too small: at least 1
3:58: objects.Nodes.chunk: 5000 is too large: at most 4096
`},
	{spec(`objects: {Nodes: {of: Node, sync: none, depth: all}}`), `3:48: objects.Nodes.depth: all is not supported yet: write a count`},
	{spec(`objects: {Nodes: {of: Node, sync: none, depth: 4, chunk: 8}}`), `3:51: objects.Nodes.chunk: 8 objects at a time, but depth keeps 4: write at most that`},
	{spec(`objects: {Nodes: {of: Node, sync: none, reset: Reset(), init: func, keep: api.Keep}}`), `
3:48: objects.Nodes.reset: Reset() is no name of a function: write it without parentheses, such as resetNode or api.Reset
3:63: objects.Nodes.init: func is no name of a function: write it without parentheses, such as resetNode or api.Reset
3:75: objects.Nodes.keep: imports does not name api: add imports: {api: the path of the package}
`},
	{spec(`objects: {Nodes: {of: Node, sync: none, names: {Get: 1st, Put: go}}}`), `
3:54: objects.Nodes.names.Get: 1st is not a Go identifier: letters, digits and _, no digit first
3:64: objects.Nodes.names.Put: go is a keyword of Go: choose another name
`},
	{spec(`objects: {Nodes: {of: Node, sync: none, slices: true}}`), `3:41: objects.Nodes.slices: only for objects in a heap, whose size classes serve the slices: name a heap, or remove the key`},
	{spec(`objects: {Nodes: {of: Node, sync: none, bulk: true}}`), `3:41: objects.Nodes.bulk: not supported yet`},
	{spec(`objects: {Nodes: {of: Node, heap: Heap}}`), `3:35: objects.Nodes.heap: Heap is not an entry of heaps (this spec has none)`},
	{spec(`imports: {api: example.com/api}
objects: {Nodes: {of: Node, sync: none}}`), `3:11: imports.api: no effect: no entry of objects names api`},
	{spec(`imports: {api: ./x, _: a, go: b, C: C, x: a b}
objects: {Nodes: {of: x.Y, sync: none}}`), `
3:16: imports.api: ./x is relative: write the whole path of the package, with that of its module in front
3:21: imports._: _ is not a name: use a letter first
3:27: imports.go: go is a keyword of Go: choose another name
3:37: imports.C: C is cgo's: types of C cannot be pooled, declare one of Go
3:43: imports.x: a b is no import path: the character " " is not allowed in one
`},
	{spec(`imports: {a1: net/url, a2: net/url}
objects: {Nodes: {of: a1.URL, sync: none}, More: {of: a2.URL, sync: none}}`), `3:28: imports.a2: net/url is imported as a1: one name will do`},
	{spec(`imports: [api]
objects: {Nodes: {of: Node, sync: none}}`), `3:10: imports: a list: write a mapping such as {api: example.com/edge/api}`},
	{spec(`objects:
  Nodes[K: {of: Node, sync: none}`), `4:3: objects.Nodes: Nodes[K: type parameters are written as in Go, such as Pool[K comparable, V any]`},
	{spec(`objects:
  Nodes[K any] struct{} //]: {of: Node, sync: none}`), `4:3: objects.Nodes: Nodes[K any] struct{} //]: type parameters are written as in Go, such as Pool[K comparable, V any]`},
	{spec(`objects:
  Nodes[K any, V]: {of: Node, sync: none}`), `4:3: objects.Nodes: Nodes[K any, V]: type parameters are written as in Go, such as Pool[K comparable, V any]`},
	{spec(`objects:
  Nodes[int any]: {of: Node, sync: none}`), `4:3: objects.Nodes: int is predeclared in Go: choose another name`},
	{spec(`objects:
  Nodes[K, V, K any]: {of: 'Node[K]', sync: none}`), `4:3: objects.Nodes: K is there twice: type parameters have names of their own`},
	{spec(`objects:
  Nodes[K cmp.Ordered]: {of: 'Node[K]', sync: none}`), `4:3: objects.Nodes: imports does not name cmp: add imports: {cmp: the path of the package}`},
	{spec(`objects:
  Nodes[K any]: {of: K, sync: none}`), `4:22: objects.Nodes.of: K: a type parameter alone: write a type that uses it, such as Node[K]`},
	{spec(`heaps: {Heap: {}}
objects:
  Nodes[K any]: {of: 'Node[K]', heap: Heap}`), `5:33: objects.Nodes.heap: a class of a heap has one size, and this entry has type parameters: give the heap an entry of its own for each instance`},
	{spec(`heaps: {Heap: {}}
objects:
  Nodes: {of: Node, heap: Heap, sync: none, depth: 3, chunk: 4, init: a, keep: b}`), `
5:33: objects.Nodes.sync: no effect in a heap: the heap says that: remove the key
5:45: objects.Nodes.depth: no effect in a heap: the heap says that: remove the key
5:55: objects.Nodes.chunk: no effect in a heap: the heap says that: remove the key
5:65: objects.Nodes.init: no effect in a heap: a heap does not tell new objects from others, and leaves none to the GC: remove the key
5:74: objects.Nodes.keep: no effect in a heap: a heap does not tell new objects from others, and leaves none to the GC: remove the key
`},
	{spec(`heaps: {Heap: {}}
objects:
  Nodes: {of: Node, heap: Hep}`), `5:27: objects.Nodes.heap: Hep is not an entry of heaps (did you mean Heap?)`},
	{spec(`objects: {}`), `3:10: objects: no entry: add one (Nodes: {of: Node, sync: none}), or remove the key`},
	{spec(`objects:
  Nodes: {of: Node, sync: none}
  nodes: {of: Node, sync: none}`), `5:3: objects.nodes: objects.Nodes at 4:3 differs only in the case of the first letter: choose another name`},
	{spec(`objects:
  Nodes[K any]: {of: 'Node[K]', sync: nne, depht: 3}`), `
4:39: objects.Nodes.sync: nne is not none, mutex, percpu or cache (did you mean none?)
4:44: objects.Nodes.depht: unknown key (did you mean depth?)
`},
	{spec(`objects: {Nodes: {of: Node, sync: none, init: prepare}}`), `3:41: objects.Nodes.init: Put zeroes what it made (reset: zero): write reset: none, or the name of a method or function that keeps it`},
}
