package main

import (
	"encoding/binary"
	"fmt"
)

// A block is what a worker holds, and what it wrote to it: its stamp in every
// word. No two blocks have the same, so that one that two workers hold, or that
// overlaps another, is found when it is freed.
type block struct {
	bytes []byte
	stamp uint64
}

func (b block) write() {
	rest := b.bytes
	for ; len(rest) >= 8; rest = rest[8:] {
		binary.LittleEndian.PutUint64(rest, b.stamp)
	}
	for i := range rest {
		rest[i] = byte(b.stamp >> (8 * i))
	}
}

func (b block) check() error { return b.checkFirst(len(b.bytes)) }

// checkFirst checks the first n bytes.
func (b block) checkFirst(n int) error {
	rest := b.bytes[:n]
	for ; len(rest) >= 8; rest = rest[8:] {
		if got := binary.LittleEndian.Uint64(rest); got != b.stamp {
			return fmt.Errorf("a block of %d bytes at %p, stamp %#x: at byte %d there is %#x", len(b.bytes), b.bytes, b.stamp, n-len(rest), got)
		}
	}
	for i, got := range rest {
		if want := byte(b.stamp >> (8 * i)); got != want {
			return fmt.Errorf("a block of %d bytes at %p, stamp %#x: at byte %d there is %#x", len(b.bytes), b.bytes, b.stamp, n-len(rest)+i, got)
		}
	}
	return nil
}
