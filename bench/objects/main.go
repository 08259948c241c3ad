// Command objects takes and gives back typed objects, from generated free lists
// and from what Go offers beside them.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/allocgen/allocgen/bench/pairs"
	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/generated/nodes"
)

const (
	pairsPerRound = 2_000_000
	treeDepth     = 14
	treesPerRound = 20
	nodesPerTree  = 1<<(treeDepth+1) - 1
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "objects:", err)
		os.Exit(1)
	}
}

func run() error {
	options := report.Flags()
	asJSON := flag.Bool("json", false, "print the rows as JSON")
	flag.Parse()
	return report.Main(options, subjects(), func(f report.Figures) error {
		if *asJSON {
			return report.WriteJSON(os.Stdout, rows(f))
		}
		return report.WriteTable(os.Stdout, rows(f))
	})
}

func subjects() []report.Subject {
	return []report.Subject{
		pairsOf("pair/nodes.Nodes", func(n int) func() {
			p := new(nodes.Nodes)
			return func() { pairs.Nodes(p, n) }
		}),
		pairsOf("pair/nodes.SharedCache", func(n int) func() {
			c := new(nodes.Shared).Acquire()
			return func() { cachePairs(c, n) }
		}),
		pairsOf("pair/nodes.Locked", func(n int) func() {
			p := new(nodes.Locked)
			return func() { mutexPairs(p, n) }
		}),
		pairsOf("pair/nodes.PerCPU", func(n int) func() {
			p := new(nodes.PerCPU)
			return func() { pairs.PerCPU(p, n) }
		}),
		pairsOf("pair/sync.Pool", func(n int) func() {
			p := pairs.NewNodePool()
			return func() { pairs.SyncPoolNodes(p, n) }
		}),
		pairsOf("pair/new", func(n int) func() {
			return func() { newPairs(n) }
		}),
		pairsOf("cell/nodes.Cells", func(n int) func() {
			p := new(nodes.Heap).Acquire().Cells()
			return func() { pairs.Cells(p, n) }
		}),
		pairsOf("cell/sync.Pool", func(n int) func() {
			p := pairs.NewCellPool()
			return func() { pairs.SyncPoolCells(p, n) }
		}),
		pairsOf("cell/new", func(n int) func() {
			return func() { newCellPairs(n) }
		}),
		trees("tree/nodes.Nodes", func() func() {
			p := new(nodes.Nodes)
			return func() { typedDrop(p, typedTree(p, treeDepth)) }
		}),
		trees("tree/sync.Pool", func() func() {
			p := pairs.NewNodePool()
			return func() { syncPoolDrop(p, syncPoolTree(p, treeDepth)) }
		}),
		trees("tree/new", func() func() {
			return func() { sink = newTree(treeDepth) }
		}),
	}
}

// pairsOf measures one call of what start makes for so many pairs.
func pairsOf(name string, start func(pairs int) func()) report.Subject {
	return subject(name, pairsPerRound, func() func() { return start(pairsPerRound) })
}

// trees measures trees, per node. The collector's work for them is part of it: a
// round starts and ends with a collection.
func trees(name string, start func() func()) report.Subject {
	return subject(name, treesPerRound*nodesPerTree, func() func() {
		tree := start()
		return func() {
			for range treesPerRound {
				tree()
			}
			sink = nil
			runtime.GC()
		}
	})
}

func subject(name string, ops int64, start func() func()) report.Subject {
	return report.Subject{Name: name, Start: func() (report.Round, error) {
		work := start()
		return func() (time.Duration, int64) {
			runtime.GC()
			begin := time.Now()
			work()
			return time.Since(begin), ops
		}, nil
	}}
}

func rows(f report.Figures) []report.Row {
	const (
		pair = "an object of 48 bytes, taken and given back"
		cell = "an object of 64 bytes without pointers, taken and given back"
		tree = "trees of 32767 nodes of 48 bytes, built and dropped, per node"
	)
	return []report.Row{
		row(f, pair, "pair/", "sync.Pool", "", 0),
		row(f, pair, "pair/", "new", "sync.Pool", 0),
		row(f, pair, "pair/", "nodes.Locked", "sync.Pool", 0),
		row(f, pair, "pair/", "nodes.PerCPU", "sync.Pool", 0.9),
		row(f, pair, "pair/", "nodes.SharedCache", "sync.Pool", 0),
		row(f, pair, "pair/", "nodes.Nodes", "sync.Pool", 0.45),
		row(f, cell, "cell/", "new", "", 0),
		row(f, cell, "cell/", "sync.Pool", "new", 0),
		row(f, cell, "cell/", "nodes.Cells", "new", 0.15),
		row(f, tree, "tree/", "sync.Pool", "", 0),
		row(f, tree, "tree/", "new", "", 0),
		row(f, tree, "tree/", "nodes.Nodes", "sync.Pool", 0.6),
		row(f, tree, "tree/", "nodes.Nodes", "new", 0.6),
	}
}

func row(f report.Figures, name, prefix, subject, baseline string, target float64) report.Row {
	ns := func(s string) float64 { return f[prefix+s].Best.NsPerOp() }
	if baseline == "" {
		return report.NewRow(name, subject, ns(subject), "", 0, 0)
	}
	return report.NewRow(name, subject, ns(subject), baseline, ns(baseline), target)
}
