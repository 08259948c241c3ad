// Command both runs programs on generated heaps and prints what a user of their
// API can see, apart from addresses. It is built for both kinds of memory, which
// must print the same.
//
// A program is a line of numbers: the heap, then four for each operation. What it
// did comes back as a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"unsafe"

	"github.com/allocgen/allocgen/generated/buffers"
	"github.com/allocgen/allocgen/generated/general"
	"github.com/allocgen/allocgen/generated/nodes"
	"github.com/allocgen/allocgen/generated/obmalloc"
	"github.com/allocgen/allocgen/generated/pylist"
	"github.com/allocgen/allocgen/generated/tcache"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	out := bufio.NewWriter(os.Stdout)
	for in.Scan() {
		var program []int
		for _, word := range strings.Fields(in.Text()) {
			n, err := strconv.Atoi(word)
			if err != nil {
				panic(err)
			}
			program = append(program, n)
		}
		fmt.Fprintln(out, run(program))
		out.Flush()
	}
}

// What is common to all heaps.
type (
	bin interface {
		Alloc() unsafe.Pointer
		Free(unsafe.Pointer)
	}
	cacheOf[B bin] interface {
		Alloc(int) []byte
		Free([]byte)
		Bin(int) B
		BinOf(unsafe.Pointer) B
		Flush()
		Release()
	}
	heapOf[C cacheOf[B], B bin, S any] interface {
		Acquire() C
		Alloc(int) []byte
		Free([]byte)
		Stats() S
		Close() error
	}
)

// kind is what differs between heaps.
type kind struct {
	threshold int
	largeGo   bool // large blocks are Go's: any foreign address may be one
	key       bool // a second Free is told in glibc's words, or not at all
}

// run runs a program, whose first number chooses the heap.
func run(program []int) string {
	rest := program[1:]
	switch program[0] % 6 {
	case 0:
		var h general.Heap
		return play(&h, kind{threshold: 32 << 10}, rest, nil, nil)
	case 1:
		var h buffers.Heap
		return play(&h, kind{threshold: 64 << 10}, rest, nil, nil)
	case 2:
		var h obmalloc.Heap
		return play(&h, kind{threshold: 512, largeGo: true}, rest, nil, nil)
	case 3:
		var h tcache.Heap
		return play(&h, kind{threshold: 1 << 10, key: true}, rest, nil, nil)
	case 4:
		var h nodes.Heap
		return play(&h, kind{threshold: 32 << 10}, rest, func(c *nodes.HeapCache) object { return c.Cells() }, nil)
	default:
		var h pylist.Heap
		return play(&h, kind{threshold: 512, largeGo: true}, rest, nil, func(c *pylist.HeapCache) *pylist.Ints {
			l := c.NewInts(0)
			return &l
		})
	}
}

// object is a free list of cells in a heap.
type object interface {
	Get() *nodes.Cell
	Put(*nodes.Cell)
}

// block is one that the program holds.
type block struct {
	bytes []byte
	size  int // that was asked for
	seed  byte
}

// player is a program that runs.
type player[C any] struct {
	out    strings.Builder
	caches []*C
	blocks []block
	cells  []*nodes.Cell
	lists  []*pylist.Ints
	owners []int // of lists: their cache
	next   byte
}

var address = regexp.MustCompile(`0x[0-9a-f]+|\(.*\?\)`) // and what is only guessed

// try notes what f says, or how it panics.
func (p *player[C]) try(f func() string) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(&p.out, " panic{%s}", address.ReplaceAllString(fmt.Sprint(v), ""))
		}
	}()
	p.out.WriteString(" " + f())
}

// first is the first panic of functions that all run.
func first(functions ...func()) (text string) {
	for _, f := range functions {
		func() {
			defer func() {
				if v := recover(); v != nil && text == "" {
					text = address.ReplaceAllString(fmt.Sprint(v), "")
				}
			}()
			f()
		}()
	}
	return text
}

// size makes a request of a number: most within the classes, all edges, some
// large.
func size(n int, k kind) int {
	edges := []int{0, 1, 8, 15, 16, 17, k.threshold - 1, k.threshold, k.threshold + 1, 16 << 10, 16<<10 + 1, 128 << 10, -1, math.MinInt, math.MaxInt}
	switch {
	case n%4 == 0:
		return edges[n/4%len(edges)]
	case n%16 == 1:
		return n / 16 % (4 * k.threshold)
	}
	return n / 16 % k.threshold
}

func fill(b []byte, seed byte) {
	for i := range b {
		b[i] = seed + byte(i)
	}
}

func intact(b block) string {
	for i, c := range b.bytes {
		if c != b.seed+byte(i) {
			return "BROKEN"
		}
	}
	return "intact"
}

// play runs a program on a heap.
func play[H heapOf[C, B, S], C cacheOf[B], B bin, S any](h H, k kind, program []int, cells func(C) object, list func(C) *pylist.Ints) string {
	var p player[C]
	cache := func(n int) C {
		if len(p.caches) == 0 {
			c := h.Acquire()
			p.caches = append(p.caches, &c)
		}
		return *p.caches[n%len(p.caches)]
	}
	take := func(b []byte, n int) string {
		if b == nil {
			return "nil"
		}
		if len(b) != 0 {
			p.next++
			fill(b[:cap(b)], p.next)
			p.blocks = append(p.blocks, block{b[:cap(b)], n, p.next})
		}
		return fmt.Sprint(len(b), "/", cap(b))
	}
	for ; len(program) >= 4; program = program[4:] {
		op, a, b, n := program[0]%20, program[1], program[2], size(program[3], k)
		fmt.Fprint(&p.out, " ", op, ":")
		p.try(func() string {
			switch {
			case op == 0 && len(p.caches) < 4:
				c := h.Acquire()
				p.caches = append(p.caches, &c)
				return "acquired"
			case op <= 3:
				return take(cache(a).Alloc(n), n)
			case op == 4:
				return take(h.Alloc(n), n)
			case op == 5:
				x := cache(a).Bin(n)
				if n > k.threshold && k.largeGo {
					return "no bin"
				}
				q := x.Alloc()
				if q == nil {
					return "nil"
				}
				return take(unsafe.Slice((*byte)(q), n), n)
			case op <= 10 && len(p.blocks) > 0:
				i := a % len(p.blocks)
				x := p.blocks[i]
				p.blocks = append(p.blocks[:i], p.blocks[i+1:]...)
				text := intact(x)
				q := unsafe.Pointer(unsafe.SliceData(x.bytes))
				switch {
				case op == 6:
					h.Free(x.bytes)
				case op == 7 && x.size <= k.threshold:
					cache(b).Bin(x.size).Free(q)
				case op == 8:
					cache(b).BinOf(q).Free(q)
				default:
					cache(b).Free(x.bytes[:b%(len(x.bytes)+1)])
				}
				return text
			case op == 11 && len(p.caches) > 0:
				cache(a).Flush()
				return "flushed"
			case op == 12 && len(p.caches) > 0 && a%4 == 0:
				for i, owner := range p.owners {
					if owner == b%len(p.caches) && p.lists[i] != nil {
						p.lists[i].Release()
						p.lists[i] = nil
					}
				}
				cache(b).Release()
				return "released"
			case op == 13 && !k.largeGo:
				foreign := make([]byte, 64)
				cache(a).Free(foreign)
			case op == 14 && len(p.blocks) > 0 && !k.key && a%8 == 0:
				// Found by the first, the second, or the flush.
				i := a % len(p.blocks)
				x := p.blocks[i]
				if x.size > k.threshold {
					return "large"
				}
				p.blocks = append(p.blocks[:i], p.blocks[i+1:]...)
				c := cache(b)
				at := n & math.MaxInt % len(x.bytes)
				c.Flush() // panics when c is released
				return first(func() { c.Free(x.bytes[at:]) }, func() { c.Free(x.bytes) }, c.Flush)
			case op == 15 && cells != nil:
				x := cells(cache(a)).Get()
				if *x != (nodes.Cell{}) {
					return "NOT ZERO"
				}
				p.next++
				x.Key, x.Data[47] = uint64(p.next), p.next
				p.cells = append(p.cells, x)
				return "cell"
			case op == 16 && len(p.cells) > 0:
				i := a % len(p.cells)
				x := p.cells[i]
				p.cells = append(p.cells[:i], p.cells[i+1:]...)
				text := fmt.Sprint(x.Key, x.Data[47])
				cells(cache(b)).Put(x)
				return text
			case op == 15 && list != nil && len(p.lists) < 5:
				l := list(cache(a))
				p.lists = append(p.lists, l)
				p.owners = append(p.owners, a%len(p.caches))
				return "list"
			case op >= 16 && op <= 18 && len(p.lists) > 0:
				l := p.lists[a%len(p.lists)]
				if l == nil {
					return "gone"
				}
				return edit(l, b, n)
			case op == 19 && a%16 == 0:
				return closed(h, &p)
			}
			return "-"
		})
	}
	for i := range p.lists {
		if p.lists[i] != nil {
			p.try(func() string { p.lists[i].Release(); return "list" })
		}
	}
	for i := range p.caches {
		p.try(func() string { (*p.caches[i]).Flush(); return "flushed" })
	}
	p.try(func() string { return counts(h.Stats()) })
	p.try(func() string { return closed(h, &p) })
	p.try(func() string { return closed(h, &p) })
	return p.out.String()
}

// edit changes a list.
func edit(l *pylist.Ints, b, n int) string {
	switch b % 8 {
	case 0:
		l.AppendSlice(make([]int64, max(n, 0)%1000))
	case 1:
		v, ok := l.Pop()
		return fmt.Sprint(v, ok, l.Len(), l.Cap())
	case 2:
		l.Resize(n % 2000)
	case 3:
		l.Clear()
	case 4:
		if l.Len() > 0 {
			l.Set(b%l.Len(), int64(n))
		}
	case 5:
		return fmt.Sprint(l.At(n % 100))
	case 6:
		l.Release()
	default:
		for i := range b % 200 {
			l.Append(int64(i))
		}
	}
	sum := int64(0)
	for _, v := range l.Slice() {
		sum = sum*31 + v
	}
	return fmt.Sprint(l.Len(), l.Cap(), sum)
}

// closed is what Close says. Blocks are gone then.
func closed[H interface{ Close() error }, C any](h H, p *player[C]) string {
	p.blocks, p.cells = nil, nil
	for i := range p.lists {
		p.lists[i] = nil
	}
	return fmt.Sprint(h.Close())
}

// counts is what Stats says of caches and large blocks. Free blocks of classes count as
// used where caches keep them.
func counts(stats any) string {
	var common struct {
		LargeBlocks int
		Large       int64
		Caches      int
	}
	text, err := json.Marshal(stats)
	if err == nil {
		err = json.Unmarshal(text, &common)
	}
	if err != nil {
		panic(err)
	}
	return fmt.Sprint(common)
}
