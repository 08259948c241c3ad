package main

import (
	"runtime"
	"sync"

	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/generated/buffers"
)

const bufferSize = 4096

// bufferSink keeps the compiler from putting a buffer on the stack.
var bufferSink []byte

// The kernels of buffers take one of 4 KiB, write to its first byte and give it back.

//go:noinline
func sizedBuffers(c *buffers.HeapCache, n, size int) {
	for i := range n {
		p := c.Bin(size).Alloc()
		*(*byte)(p) = byte(i)
		c.Bin(size).Free(p)
	}
}

//go:noinline
func oneStepBuffers(c *buffers.HeapCache, n, size int) {
	for i := range n {
		p := c.Alloc(size)
		p[0] = byte(i)
		c.Free(p)
	}
}

//go:noinline
func syncPoolBuffers(p *sync.Pool, n int) {
	for i := range n {
		b := p.Get().(*[]byte)
		(*b)[0] = byte(i)
		p.Put(b)
	}
}

//go:noinline
func makeBuffers(n int) {
	for i := range n {
		b := make([]byte, bufferSize)
		b[0] = byte(i)
		bufferSink = b
	}
	runtime.KeepAlive(bufferSink)
	bufferSink = nil
}

func (b *bench) buffer() group {
	const (
		makeName    = "make([]byte, 4096)"
		poolName    = "sync.Pool of *[]byte"
		oneStepName = "one-step"
	)
	ops, makes := b.scaled(4_000_000), b.scaled(200_000)
	return group{
		name: "buffer",
		subjects: []report.Subject{
			timed(makeName, makes, func() func(int) { return makeBuffers }),
			timed(poolName, ops, func() func(int) {
				p := &sync.Pool{New: func() any { b := make([]byte, bufferSize); return &b }}
				return func(n int) { syncPoolBuffers(p, n) }
			}),
			timed(oneStepName, ops, func() func(int) {
				c := new(buffers.Heap).Acquire()
				return func(n int) { oneStepBuffers(c, n, bufferSize) }
			}),
			timed(sizedName, ops, func() func(int) {
				c := new(buffers.Heap).Acquire()
				return func(n int) { sizedBuffers(c, n, bufferSize) }
			}),
		},
		rows: func(f report.Figures) []report.Row {
			t := b.table("a buffer of 4 KiB, taken, written to and given back", f)
			t.info(makeName, poolName)
			t.against(oneStepName, poolName, 0)
			t.against(sizedName, makeName, 0.05)
			t.against(sizedName, poolName, 0.6)
			return t.rows
		},
	}
}
