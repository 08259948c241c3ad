// Package report is what all benchmark commands share: how a figure is taken
// (measure.go) and how figures are shown (this file).
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
)

// A Row is one figure, beside the one that it is compared with.
type Row struct {
	Name     string  `json:"name"`      // the workload
	Subject  string  `json:"subject"`   // what was measured
	Baseline string  `json:"baseline"`  // what it is compared with; "": nothing
	NsPerOp  float64 `json:"ns_per_op"` // of the subject; 0 where the figure has another unit
	Ratio    float64 `json:"ratio"`     // subject / baseline; 0 without a baseline
	Target   float64 `json:"target"`    // the largest ratio aimed at; 0: for information
	OK       bool    `json:"ok"`        // false only when there is a target and it is missed, or not judged

	Unit  string  `json:"unit,omitempty"`  // of Value; "": the figure is NsPerOp
	Value float64 `json:"value,omitempty"` // of the subject
	Note  string  `json:"note,omitempty"`  // why Target is not judged, or what else to know
}

// NewRow compares two figures given in nanoseconds per operation.
func NewRow(name, subject string, ns float64, baseline string, baselineNs, target float64) Row {
	row := Row{Name: name, Subject: subject, Baseline: baseline, NsPerOp: ns, Target: target, OK: true}
	if baseline != "" {
		row.Ratio = ns / baselineNs
	}
	if target != 0 {
		row.OK = row.Ratio <= target
	}
	return row
}

// In gives the figure another unit than nanoseconds per operation, in which the
// row was made.
func (r Row) In(unit string) Row {
	r.Unit, r.Value, r.NsPerOp = unit, r.NsPerOp, 0
	return r
}

// NotJudged says why the target is neither reached nor missed: such a row is not
// OK where there is a target.
func (r Row) NotJudged(why string) Row {
	r.Note, r.OK = why, r.Target == 0
	return r
}

// WriteJSON prints rows as one array and nothing else.
func WriteJSON(w io.Writer, rows []Row) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(rows)
}

// WriteTable prints rows for people: one table per workload, in the rows'
// order. A missed target is marked and is no error: a benchmark reports.
func WriteTable(w io.Writer, rows []Row) error {
	var tab *tabwriter.Writer
	workload := ""
	for i, row := range rows {
		if i == 0 || row.Name != workload {
			if err := flush(tab); err != nil {
				return err
			}
			workload = row.Name
			fmt.Fprintf(w, "\n%s\n", workload)
			tab = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
			fmt.Fprintf(tab, "subject\t%s\tagainst\tratio\ttarget\n", row.unit())
		}
		fmt.Fprintln(tab, row.line())
	}
	return flush(tab)
}

func flush(tab *tabwriter.Writer) error {
	if tab == nil {
		return nil
	}
	return tab.Flush()
}

func (r Row) unit() string {
	if r.Unit == "" {
		return "ns/op"
	}
	return r.Unit
}

func (r Row) line() string {
	against, ratio := "-", "-"
	if r.Baseline != "" {
		against = r.Baseline
	}
	if r.Ratio != 0 {
		ratio = fmt.Sprintf("%.3f", r.Ratio)
	}
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%s", r.Subject, r.figure(), against, ratio, r.mark())
}

func (r Row) figure() string {
	figure := r.NsPerOp
	if r.Unit != "" {
		figure = r.Value
	}
	if figure == 0 {
		return "-"
	}
	return digits(figure)
}

func (r Row) mark() string {
	mark := "-"
	if r.Target != 0 {
		mark = "<= " + hundredths(r.Target)
		switch {
		case r.OK:
			mark += "  ok"
		case r.Note == "":
			mark += "  MISSED"
		}
	}
	if r.Note != "" {
		mark += "  " + r.Note
	}
	return mark
}

// hundredths prints a target with two digits behind the point, or with as many
// as it has.
func hundredths(target float64) string {
	text := strconv.FormatFloat(target, 'f', -1, 64)
	if short := fmt.Sprintf("%.2f", target); len(text) < len(short) {
		return short
	}
	return text
}

// digits prints a figure with the precision that a reader can use.
func digits(x float64) string {
	if x < 1000 {
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.0f", x)
}
