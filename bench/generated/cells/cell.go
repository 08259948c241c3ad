// Package cells has a free list of cells whose contents are undefined after Get,
// as those of a block of bytes are.
package cells

// Cell is a slot of a table, without pointers.
type Cell struct {
	Key    uint64
	Next   uint32 // index of another cell
	Length uint32
	Data   [48]byte
}
