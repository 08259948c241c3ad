package main

import (
	"errors"
	"unsafe"

	"github.com/allocgen/allocgen/bench/generated/soak"
)

// What the generated package does not offer yet is used as soon as it does.

// errLimit is what a limit's error wraps.
var errLimit = soak.HeapErrLimit

type (
	tryer     interface{ TryAlloc(n int) ([]byte, error) }
	reallocer interface {
		Realloc(b []byte, n int) []byte
	}
	tryReallocer interface {
		TryRealloc(b []byte, n int) ([]byte, error)
	}
	trimmer interface{ Trim() int64 }
)

// allocator is a cache, or the heap by its own methods.
type allocator interface {
	Alloc(n int) []byte
	Free(b []byte)
}

func isLimit(err error) bool { return errLimit != nil && errors.Is(err, errLimit) }

// tryAlloc returns the error of a limit where there is one; else Alloc panics.
func tryAlloc(a allocator, n int) ([]byte, error) {
	if t, ok := a.(tryer); ok {
		return t.TryAlloc(n)
	}
	return a.Alloc(n), nil
}

// tryRealloc says with done whether there is Realloc.
func tryRealloc(a allocator, b []byte, n int) (resized []byte, done bool, err error) {
	if t, ok := a.(tryReallocer); ok {
		resized, err = t.TryRealloc(b, n)
		return resized, true, err
	}
	if t, ok := a.(reallocer); ok {
		return t.Realloc(b, n), true, nil
	}
	return b, false, nil
}

// twoStep allocates by bin: nil when memory is out.
func twoStep(c *soak.HeapCache, n int) ([]byte, error) {
	p := c.Bin(n).Alloc()
	if p == nil {
		if errLimit != nil {
			return nil, errLimit
		}
		return nil, errors.New("a bin is out of memory, and there is no limit")
	}
	return unsafe.Slice((*byte)(p), n), nil
}

func (s *session) trim() {
	for _, h := range []any{&s.heap, &s.shared} {
		if t, ok := h.(trimmer); ok {
			t.Trim()
			s.counts.trims.Add(1)
		}
	}
}
