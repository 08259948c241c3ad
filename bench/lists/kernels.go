package main

import (
	"runtime"

	"github.com/allocgen/allocgen/bench/generated/golist"
	"github.com/allocgen/allocgen/generated/pylist"
)

// plain keeps the compiler from building a list on the stack.
var plain []int64

// The kernels build lists of the same items one after another and return the
// sum of the last items. Out of line, one per subject: nothing is shared.

//go:noinline
func heapKernel(c *pylist.HeapCache, lists, length int) (sum int64) {
	for range lists {
		l := c.NewInts(0)
		for i := range length {
			l.Append(int64(i))
		}
		sum += l.At(length - 1)
		l.Release()
	}
	return sum
}

//go:noinline
func goKernel(lists, length int) (sum int64) {
	for range lists {
		var l golist.Ints
		for i := range length {
			l.Append(int64(i))
		}
		sum += l.At(length - 1)
		l.Release()
	}
	return sum
}

//go:noinline
func appendKernel(lists, length int) (sum int64) {
	for range lists {
		var l []int64
		for i := range length {
			l = append(l, int64(i))
		}
		sum += l[length-1]
		plain = l
	}
	runtime.KeepAlive(plain)
	return sum
}
