package inline

import (
	"regexp"
	"strconv"
	"strings"
)

// A codeTable reads one function's table of which bytes came from which inlined
// call, as -d=pctab=pctoinline prints it, with the tree of these calls after it:
//
//	funcpctab p.f [valfunc=pctoinline]
//	     0     -1 00000 (/m/a.go:5)	TEXT	p.f(SB), …
//	    1e      0 00030 (/m/b.go:9)	MOVQ	BX, DX
//	    2d        00045 (/m/b.go:9)	CMPQ	DX, $7
//	    66     -1 00102 (/m/a.go:6)	RET
//	    67 done
//	-- inlining tree for p.f:
//	0 | -1 | p.(*T).Get (/m/a.go:5:23) pc=30
//	--
type codeTable struct {
	report *report
	files  folders
	state  codeState
	runs   []run
	calls  []inlinedCall
}

type codeState int

const (
	outside codeState = iota
	inTable
	inTree
)

// A run is bytes from pc on that belong to one inlined call, or to the function
// itself: -1.
type run struct{ pc, call int }

// An inlinedCall is a node of the tree; its parent is the call whose callee
// holds it, or -1.
type inlinedCall struct {
	parent int
	name   string
	place  place
}

var treeNode = regexp.MustCompile(`^\d+ \| (-?\d+) \| (.+) \((.+?):(\d+)(?::(\d+))?\) pc=\d+$`)

// line takes a line of output and reports whether it belongs to a table.
func (t *codeTable) line(line string) bool {
	switch {
	case strings.HasPrefix(line, "funcpctab "):
		t.state, t.runs, t.calls = inTable, nil, nil
	case strings.HasPrefix(line, "-- inlining tree for "):
		t.state = inTree
	case t.state == inTable:
		t.instruction(line)
	case t.state == inTree && line == "--":
		t.attribute()
		t.state = outside
	case t.state == inTree:
		t.node(line)
	default:
		return false
	}
	return true
}

// instruction takes a line of the table: those that change the call have it
// after the pc.
func (t *codeTable) instruction(line string) {
	f := strings.Fields(line)
	if len(f) < 2 {
		return
	}
	pc, err := strconv.ParseInt(f[0], 16, 64)
	if err != nil {
		return
	}
	if f[1] == "done" {
		t.runs = append(t.runs, run{int(pc), -1})
		t.state = outside
		return
	}
	if len(f) < 3 || strings.HasPrefix(f[2], "(") {
		return
	}
	if call, err := strconv.Atoi(f[1]); err == nil {
		t.runs = append(t.runs, run{int(pc), call})
	}
}

// node takes a line of the tree. One that cannot be read keeps its number.
func (t *codeTable) node(line string) {
	call := inlinedCall{parent: -1}
	if m := treeNode.FindStringSubmatch(line); m != nil {
		parent, _ := strconv.Atoi(m[1])
		call = inlinedCall{parent, m[2], t.files.at(m[2:])}
	}
	t.calls = append(t.calls, call)
}

// attribute adds up the bytes of each call: its own, and those of the calls that
// were inlined in its callee.
func (t *codeTable) attribute() {
	bytes := make([]int, len(t.calls))
	for i := 0; i+1 < len(t.runs); i++ {
		n := t.runs[i+1].pc - t.runs[i].pc
		for c := t.runs[i].call; c >= 0 && c < len(t.calls); c = t.calls[c].parent {
			bytes[c] += n
		}
	}
	for i, c := range t.calls {
		t.report.copies[c.place] = append(t.report.copies[c.place], copied{c.name, bytes[i], c.parent < 0})
	}
}

// code is the bytes of the call at a place: in the function that holds it, and
// in all copies. Where only copies are left, one of them counts.
func (r *report) code(call place, name string) (here, all int) {
	direct, largest := 0, 0 // generic code has a copy for each shape
	for _, c := range r.copies[call] {
		if !named(c.name, name) {
			continue
		}
		all += c.bytes
		largest = max(largest, c.bytes)
		if c.direct {
			direct = max(direct, c.bytes)
		}
	}
	if direct == 0 {
		return largest, all
	}
	return direct, all
}
