// Package workload is that of glibc's bench-malloc-thread, bit for bit: its
// tables (tables.go), its loop's parts and its threads (threads.go).
package workload

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
)

// The workload's numbers, from glibc's benchtests/bench-malloc-thread.c.
const (
	Slots     = 1024  // blocks a thread holds
	MinSize   = 4     // bytes
	MaxSize   = 32768 // bytes
	SizeCount = 8000
	SlotCount = 4 * Slots

	PrintedSeed = 88 // printed by the original, which never calls srand
	actualSeed  = 1
)

// Hashes of the tables that the C program computes: FNV-1a, 64 bits, over the
// entries as little-endian uint32.
const (
	goldenSizes = 0x631c84fc8cbf572d
	goldenSlots = 0x093adfd3da6c5a11
)

// Sizes and SlotOf are what every thread walks: the size of each request, and the slot it goes to.
var Sizes, SlotOf = tables()

// tables draws all sizes first, then all slots, as the original does.
func tables() (sizes [SizeCount]uint32, slotOf [SlotCount]uint32) {
	r := newGlibcRand(actualSeed)
	for i := range sizes {
		sizes[i] = blockSize(r.next())
	}
	for i := range slotOf {
		slotOf[i] = r.next() % Slots
	}
	return sizes, slotOf
}

// blockSize maps a random number to a size with inverse-square density. Single
// precision, as in C; the conversion of the product keeps the compiler from
// fusing it with the addition, which would round differently.
func blockSize(random uint32) uint32 {
	const (
		randMax = float32(1<<31 - 1)
		low     = float32(1) / MinSize
		high    = float32(1) / MaxSize
	)
	r := float32(random) / randMax
	return uint32(1 / (float32((high-low)*r) + low))
}

// A glibcRand is glibc's default generator (TYPE_3): x[i] = x[i-31] + x[i-3].
type glibcRand struct {
	state [31]uint32 // x[i-31] to x[i-1], x[j] at j mod 31
	i     int
}

// newGlibcRand is srand(seed), for a positive seed.
func newGlibcRand(seed int64) *glibcRand {
	r := new(glibcRand)
	for i := range r.state {
		r.state[i] = uint32(seed)
		seed = 16807 * seed % (1<<31 - 1)
	}
	// x[31] to x[33] repeat x[0] to x[2], which is what state holds; glibc
	// throws the next 310 away.
	for r.i = 34; r.i < 344; {
		r.next()
	}
	return r
}

// next is rand().
func (r *glibcRand) next() uint32 {
	x := &r.state[r.i%31]
	*x += r.state[(r.i-3)%31]
	r.i++
	return *x >> 1
}

// CheckTables refuses to measure another workload than the original's.
func CheckTables() error {
	if h := hash(Sizes[:]); h != goldenSizes {
		return fmt.Errorf("the table of sizes hashes to %016x, the original's to %016x", h, uint64(goldenSizes))
	}
	if h := hash(SlotOf[:]); h != goldenSlots {
		return fmt.Errorf("the table of slots hashes to %016x, the original's to %016x", h, uint64(goldenSlots))
	}
	return nil
}

func hash(table []uint32) uint64 {
	h := fnv.New64a()
	for _, x := range table {
		h.Write(binary.LittleEndian.AppendUint32(nil, x))
	}
	return h.Sum64()
}
