// Package pairs has kernels that take an object, write to it and give it back.
// There is one per subject, out of line: nothing is shared. All leave objects zeroed.
package pairs

import (
	"sync"

	"github.com/allocgen/allocgen/generated/nodes"
)

//go:noinline
func Nodes(p *nodes.Nodes, pairs int) {
	for i := range pairs {
		x := p.Get()
		x.Key = int64(i)
		p.Put(x)
	}
}

//go:noinline
func PerCPU(p *nodes.PerCPU, pairs int) {
	for i := range pairs {
		x := p.Get()
		x.Key = int64(i)
		p.Put(x)
	}
}

//go:noinline
func SyncPoolNodes(p *sync.Pool, pairs int) {
	for i := range pairs {
		x := p.Get().(*nodes.Node)
		x.Key = int64(i)
		*x = nodes.Node{}
		p.Put(x)
	}
}

//go:noinline
func Cells(p *nodes.Cells, pairs int) {
	for i := range pairs {
		x := p.Get()
		x.Key = uint64(i)
		p.Put(x)
	}
}

//go:noinline
func SyncPoolCells(p *sync.Pool, pairs int) {
	for i := range pairs {
		x := p.Get().(*nodes.Cell)
		x.Key = uint64(i)
		*x = nodes.Cell{}
		p.Put(x)
	}
}

// NewNodePool makes a sync.Pool of nodes.
func NewNodePool() *sync.Pool { return &sync.Pool{New: func() any { return new(nodes.Node) }} }

// NewCellPool makes a sync.Pool of cells.
func NewCellPool() *sync.Pool { return &sync.Pool{New: func() any { return new(nodes.Cell) }} }
