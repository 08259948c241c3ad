// Package own has types, and gets free lists of them.
package own

import "sync"

type node struct {
	left, right *node
	key         int
	used        int
	mu          sync.Mutex
}

// clean resets all but used.
func (n *node) clean() { n.left, n.right, n.key = nil, nil, 0 }

// clear has the name of a predeclared function.
func (n *node) clear() { n.clean() }

// forget is a function, though there is a method of that name elsewhere.
func forget(n *node) {
	if n.key == 13 {
		panic("bad luck")
	}
	n.key = -1
}

func (e *entry[K, V]) forget() {}

func prepare(n *node) { n.key = 42 }

func worthIt(n *node) bool { return n.key < 1000 }

// cell and tiny hold no pointers, and wide holds none.
type cell struct {
	kind  byte
	index uint32
	data  [40]byte
}

func (c *cell) wipe() { c.kind = 0 }

type tiny bool

// wide and huge are above what the compiler keeps on a stack: 64 KiB.
type wide struct{ lines [1500][64]byte }

type huge struct {
	mu    sync.Mutex
	next  *huge
	lines [1100][64]byte
}

type entry[K comparable, V any] struct {
	key   K
	value V
	next  *entry[K, V]
}

func drop[K comparable, V any](e *entry[K, V]) { e.next = nil }

// grow uses a generated type, as a user does before there is one.
func (n *node) grow(p *nodes, depth int) {
	if depth > 0 {
		n.left, n.right = p.Get(), p.Get()
		n.left.grow(p, depth-1)
		n.right.grow(p, depth-1)
	}
}

// first uses instances, of which alone the compiler speaks.
func first(p *entries[string, int], c *SharedCache[int, string]) (string, int) {
	e, f := p.Get(), c.Get()
	defer c.Put(f)
	key := e.key
	p.Put(e)
	return key, f.key
}

// page is larger than some heaps like.
type page [5000]byte
