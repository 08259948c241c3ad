// Package nodes has free lists of two types: tree nodes, which hold pointers and
// lie in Go memory, and cells, which hold none and lie in a heap.
package nodes

// Node is a node of a binary tree.
type Node struct {
	Left, Right *Node
	Key         int64
	Values      [3]int64
}

// Cell is a slot of a table, without pointers.
type Cell struct {
	Key    uint64
	Next   uint32 // index of another cell
	Length uint32
	Data   [48]byte
}
