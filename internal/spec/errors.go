package spec

import (
	"fmt"
	"slices"
	"strings"
)

// A Pos is a place in a spec file; lines and columns count from 1, columns in
// characters.
type Pos struct {
	File   string
	Line   int
	Column int
}

func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Compare orders the places of one file.
func (p Pos) compare(q Pos) int {
	if p.Line != q.Line {
		return p.Line - q.Line
	}
	return p.Column - q.Column
}

// An Error is one thing wrong with a spec: where, what, and what would be right.
type Error struct {
	Pos  Pos
	Text string
}

func (e Error) Error() string { return e.Pos.String() + ": " + e.Text }

// Errors is all that is wrong with a spec.
type Errors []Error

// Add appends one error.
func (e *Errors) Add(pos Pos, format string, args ...any) {
	*e = append(*e, Error{pos, fmt.Sprintf(format, args...)})
}

// Sort puts errors in the order of the file and drops repeats.
func (e *Errors) Sort() {
	slices.SortStableFunc(*e, func(a, b Error) int {
		if c := strings.Compare(a.Pos.File, b.Pos.File); c != 0 {
			return c
		}
		return a.Pos.compare(b.Pos)
	})
	*e = slices.Compact(*e)
}

// Error joins them, one a line.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, err := range e {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}
