package main

import (
	"runtime"
	"sync"

	"github.com/allocgen/allocgen/generated/nodes"
)

// sink keeps the compiler from putting an object on the stack.
var sink *nodes.Node

// The kernels of pairs, as those in bench/pairs.

//go:noinline
func cachePairs(c *nodes.SharedCache, pairs int) {
	for i := range pairs {
		x := c.Get()
		x.Key = int64(i)
		c.Put(x)
	}
}

//go:noinline
func mutexPairs(p *nodes.Locked, pairs int) {
	for i := range pairs {
		x := p.Get()
		x.Key = int64(i)
		p.Put(x)
	}
}

//go:noinline
func newPairs(pairs int) {
	for i := range pairs {
		x := new(nodes.Node)
		x.Key = int64(i)
		sink = x
	}
	runtime.KeepAlive(sink)
	sink = nil
}

// cellSink keeps the compiler from putting a cell on the stack.
var cellSink *nodes.Cell

//go:noinline
func newCellPairs(pairs int) {
	for i := range pairs {
		x := new(nodes.Cell)
		x.Key = uint64(i)
		cellSink = x
	}
	runtime.KeepAlive(cellSink)
	cellSink = nil
}

// The kernels of trees build binary trees of a depth and drop them: where objects
// are given back, node by node, else by forgetting the root.

//go:noinline
func typedTree(p *nodes.Nodes, depth int) *nodes.Node {
	x := p.Get()
	if depth > 0 {
		x.Left, x.Right = typedTree(p, depth-1), typedTree(p, depth-1)
	}
	x.Key = int64(depth)
	return x
}

//go:noinline
func typedDrop(p *nodes.Nodes, x *nodes.Node) {
	if x != nil {
		typedDrop(p, x.Left)
		typedDrop(p, x.Right)
		p.Put(x)
	}
}

//go:noinline
func syncPoolTree(p *sync.Pool, depth int) *nodes.Node {
	x := p.Get().(*nodes.Node)
	if depth > 0 {
		x.Left, x.Right = syncPoolTree(p, depth-1), syncPoolTree(p, depth-1)
	}
	x.Key = int64(depth)
	return x
}

//go:noinline
func syncPoolDrop(p *sync.Pool, x *nodes.Node) {
	if x != nil {
		syncPoolDrop(p, x.Left)
		syncPoolDrop(p, x.Right)
		*x = nodes.Node{}
		p.Put(x)
	}
}

//go:noinline
func newTree(depth int) *nodes.Node {
	x := new(nodes.Node)
	if depth > 0 {
		x.Left, x.Right = newTree(depth-1), newTree(depth-1)
	}
	x.Key = int64(depth)
	return x
}
