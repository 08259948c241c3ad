package inline

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Table writes a proof for people.
func (p *Proof) Table(w io.Writer) {
	for i, r := range p.Runs {
		if i > 0 {
			fmt.Fprintln(w)
		}
		r.table(w)
	}
}

func (r *Run) table(w io.Writer) {
	fmt.Fprintln(w, r.Go)
	if r.Error != "" {
		fmt.Fprintln(w, r.Error)
	}
	for _, u := range r.Unchecked {
		fmt.Fprintf(w, "%s: not checked: %s\n", u.Package, u.Why)
	}
	if r.Error != "" {
		return
	}
	r.entryTables(w)
	r.siteTable(w)
	fmt.Fprintln(w)
	for _, b := range r.Broken {
		fmt.Fprintln(w, b)
	}
	fmt.Fprintln(w, r.summary())
}

// entryTables are the entry points, a table for each package.
func (r *Run) entryTables(w io.Writer) {
	for from := 0; from < len(r.Entries); {
		to := from
		for to < len(r.Entries) && r.Entries[to].Package == r.Entries[from].Package {
			to++
		}
		fmt.Fprintf(w, "\n%s\n", r.Entries[from].Package)
		g := grid{{"entry point", "cost", "inlines", "checks", "barriers", "escapes", "calls", "inlined", "bytes", "total", "why not"}}
		for _, e := range r.Entries[from:to] {
			g.row(e.cells()...)
		}
		g.write(w)
		from = to
	}
}

func (e *Entry) cells() []string {
	cost := "-"
	if e.Cost > 0 || e.Inlines {
		cost = fmt.Sprintf("%d/%d", e.Cost, e.Budget)
	}
	cells := []string{e.Func, cost}
	switch {
	case e.Called != "" && e.Inlines:
		cells = append(cells, "may", "-", "-", "-")
	case e.Called != "":
		cells = append(cells, "called", "-", "-", "-")
	case e.Unused:
		cells = append(cells, "unused", "-", "-", "-")
	default:
		verdict := "yes"
		if !e.Inlines {
			verdict = "NO"
		}
		cells = append(cells, verdict, strconv.Itoa(e.Checks), strconv.Itoa(e.Barriers), strconv.Itoa(e.Escapes))
	}
	cells = append(cells, strconv.Itoa(e.Sites), strconv.Itoa(e.Inlined))
	if e.Inlined > 0 {
		cells = append(cells, strconv.Itoa(e.Bytes), strconv.Itoa(e.Total))
	} else {
		cells = append(cells, "-", "-")
	}
	why := e.Called
	switch {
	case e.Unused:
		why = "no given package instantiates it: nothing is proven"
	case why == "":
		why = e.Reason
	}
	return append(cells, why)
}

func (r *Run) siteTable(w io.Writer) {
	if len(r.Sites) == 0 {
		return
	}
	fmt.Fprintln(w)
	g := grid{{"call", "entry point", "inlined", "bytes", "why"}}
	for _, s := range r.Sites {
		inlined, bytes := "no", "-"
		if s.Inlined {
			inlined, bytes = "yes", strconv.Itoa(s.Bytes)
		}
		g.row(s.Place, s.Func, inlined, bytes, s.Why)
	}
	g.write(w)
}

func (r *Run) summary() string {
	promises, unused, calls, inlined := 0, 0, 0, 0
	for _, e := range r.Entries {
		switch {
		case e.Unused:
			unused++
		case e.Called == "":
			promises++
			calls += e.Sites
			inlined += e.Inlined
		}
	}
	verdict := "all hold"
	if n := len(r.Broken); n > 0 {
		verdict = fmt.Sprintf("%d broken", n)
	}
	if unused > 0 {
		verdict += fmt.Sprintf(", %d more unused", unused)
	}
	s := "s"
	if promises == 1 {
		s = ""
	}
	return fmt.Sprintf("%d promise%s, %s; %d of %d calls of what is promised inlined", promises, s, verdict, inlined, calls)
}

// A grid is rows of cells, the first of which are the headings.
type grid [][]string

func (g *grid) row(cells ...string) { *g = append(*g, cells) }

// write sets the cells in columns, two spaces apart.
func (g grid) write(w io.Writer) {
	widths := make([]int, len(g[0]))
	for _, row := range g {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	for _, row := range g {
		line := ""
		for i, cell := range row {
			line += fmt.Sprintf("%-*s  ", widths[i], cell)
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}
