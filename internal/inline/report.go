package inline

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// flags ask the compiler for all that a report holds. The go command keeps what
// the compiler says with its paths relative to the folder that it runs in, and
// repeats that in any other: -D, which means nothing in a module, keeps the
// folders apart in the build cache.
func flags(dir string) string {
	return fmt.Sprintf("-gcflags=-m=2 -d=ssa/check_bce,wb=1,pctab=pctoinline -D=%x", sha256.Sum256([]byte(dir)))
}

// A place is a position in a source file, the file with its whole path.
type place struct {
	file      string
	line, col int
}

// A report is what the compiler said while it built some packages.
type report struct {
	verdicts map[place][]verdict // by the line of the function: no column
	inlined  map[place][]string  // callees by the position of the call
	repeated map[place]bool      // calls that would repeat a cycle of recursion
	big      map[place]bool      // functions of more than 5000 nodes, by line
	copies   map[place][]copied  // what became of inlined calls, by their position
	inside   map[trace]map[place]bool
}

// A verdict is the compiler's word on one function.
type verdict struct {
	name   string // as the compiler writes it: "(*HeapBin).Alloc"
	can    bool
	cost   int    // 0 when it was not counted
	reason string // why it cannot
}

// A trace is something that costs time inside a fast path.
type trace string

const (
	check   trace = "bounds check"
	barrier trace = "write barrier"
	escape  trace = "escape to the heap"
)

// A copied is one copy of an inlined callee in the object code.
type copied struct {
	name   string // of the callee, with its package's path
	bytes  int
	direct bool // in the function that holds the call, not where that was inlined in turn
}

var (
	diagnostic = regexp.MustCompile(`^(.+?):(\d+):(\d+): (.*)$`)
	can        = regexp.MustCompile(`^can inline (.+?) with cost (\d+) as: `)
	cannot     = regexp.MustCompile(`^cannot inline (.+?): (.*)$`)
	tooCostly  = regexp.MustCompile(`cost (\d+) exceeds budget \d+`)
	inlining   = regexp.MustCompile(`^inlining call to (.+?)(?: with score -?\d+)?$`)
)

// folders says where the files are that the compiler names.
type folders struct {
	dir   string            // of the build: relative paths start there
	moved map[string]string // folders of copies, and where the originals are
}

// parse reads what `go build` prints with flags.
func parse(files folders, out io.Reader) (*report, error) {
	r := &report{
		verdicts: map[place][]verdict{},
		inlined:  map[place][]string{},
		repeated: map[place]bool{},
		big:      map[place]bool{},
		copies:   map[place][]copied{},
		inside:   map[trace]map[place]bool{check: {}, barrier: {}, escape: {}},
	}
	code := codeTable{report: r, files: files}
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		line = strings.TrimSuffix(line, "\n")
		if !code.line(line) {
			if m := diagnostic.FindStringSubmatch(line); m != nil {
				r.add(files.at(m), m[4])
			}
		}
		switch err {
		case nil:
		case io.EOF:
			return r, nil
		default:
			return nil, err
		}
	}
}

// at is the place that a file, a line and a column name, from index 1 of a match.
func (f folders) at(m []string) place {
	file := m[1]
	if !filepath.IsAbs(file) {
		file = filepath.Join(f.dir, file)
	}
	if original, ok := f.moved[filepath.Dir(file)]; ok {
		file = filepath.Join(original, filepath.Base(file))
	}
	line, _ := strconv.Atoi(m[2]) // digits
	col, _ := strconv.Atoi(m[3])
	return place{file, line, col}
}

// onLine is the place without its column: the compiler and go/ast differ in
// where a function starts.
func (p place) onLine() place {
	p.col = 0
	return p
}

func (r *report) add(p place, text string) {
	switch {
	case text == "Found IsInBounds", text == "Found IsSliceInBounds":
		r.inside[check][p] = true
	case text == "write barrier":
		r.inside[barrier][p] = true
	case strings.HasSuffix(text, " escapes to heap"), strings.HasPrefix(text, "moved to heap: "):
		r.inside[escape][p] = true
	case strings.HasSuffix(text, ": repeated recursive cycle"):
		r.repeated[p] = true
	case strings.Contains(text, "considered 'big'"):
		r.big[p.onLine()] = true
	default:
		r.addInlining(p, text)
	}
}

func (r *report) addInlining(p place, text string) {
	if m := inlining.FindStringSubmatch(text); m != nil {
		r.inlined[p] = append(r.inlined[p], m[1])
		return
	}
	v := verdict{}
	if m := can.FindStringSubmatch(text); m != nil {
		v.name, v.can = m[1], true
		v.cost, _ = strconv.Atoi(m[2])
	} else if m := cannot.FindStringSubmatch(text); m != nil {
		v.name, v.reason = m[1], m[2]
		if m := tooCostly.FindStringSubmatch(m[2]); m != nil {
			v.cost, _ = strconv.Atoi(m[1])
		}
	} else {
		return
	}
	r.verdicts[p.onLine()] = append(r.verdicts[p.onLine()], v)
}

// verdict is the compiler's word on the function that starts on a line. Generic
// code is compiled once for each shape of its arguments: the worst word counts.
func (r *report) verdict(line place, name string) (verdict, bool) {
	var worst verdict
	found := false
	for _, v := range r.verdicts[line] {
		if !named(v.name, name) || isWrapper(v.name) {
			continue
		}
		if !found || worst.can && !v.can || worst.can == v.can && v.cost > worst.cost {
			worst = v
		}
		found = true
	}
	return worst, found
}

// isWrapper reports whether a name is that of an instance's wrapper, which hands
// over to the code of its shape: calls go there at once.
func isWrapper(name string) bool {
	return strings.Contains(name, "[") && !strings.Contains(name, "go.shape.")
}

// inlines reports whether the call at a place was inlined.
func (r *report) inlines(call place, name string) bool {
	for _, n := range r.inlined[call] {
		if named(n, name) {
			return true
		}
	}
	return false
}

// named reports whether the compiler's name of a function, which may come with
// its package and type arguments, is that of a function: "(*List).Append".
func named(compiler, name string) bool {
	compiler = withoutArguments(compiler)
	return compiler == name || strings.HasSuffix(compiler, "."+name)
}

// withoutArguments drops the type arguments in a name.
func withoutArguments(name string) string {
	var b strings.Builder
	depth := 0
	for _, c := range name {
		switch c {
		case '[':
			depth++
		case ']':
			depth--
		default:
			if depth == 0 {
				b.WriteRune(c)
			}
		}
	}
	return b.String()
}
