// Command gen measures the generator itself: wall time of `allocgen gen` on the
// specs of this repository, and on growing numbers of copies of one of them.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/allocgen/allocgen/bench/report"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run() (err error) {
	rounds := flag.Int("rounds", 3, "measured runs per module, after one that writes the output")
	asJSON := flag.Bool("json", false, "print the rows as JSON")
	flag.Parse()
	if *rounds < 1 {
		return errors.New("-rounds must be at least 1")
	}
	dir, err := os.MkdirTemp("", "allocgen-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()

	root, err := moduleRoot()
	if err != nil {
		return err
	}
	tool, err := build(root, dir)
	if err != nil {
		return err
	}
	own, err := repositoryCopy(root, filepath.Join(dir, "own"))
	if err != nil {
		return err
	}
	modules := []string{own}
	for _, n := range copies {
		m, err := copiesModule(root, filepath.Join(dir, fmt.Sprint(n)), n)
		if err != nil {
			return err
		}
		modules = append(modules, m)
	}
	times, err := measure(tool, modules, *rounds)
	if err != nil {
		return err
	}
	if *asJSON {
		return report.WriteJSON(os.Stdout, rows(times))
	}
	return report.WriteTable(os.Stdout, rows(times))
}

// measure runs the tool once in each module to bring its output up to date, so
// that what follows renders and compares but has nothing to write. It returns
// each module's minimum; the modules take turns.
func measure(tool string, modules []string, rounds int) ([]time.Duration, error) {
	times := make([]time.Duration, len(modules))
	for round := range 1 + rounds {
		for i, m := range modules {
			t, err := generate(tool, m)
			if err != nil {
				return nil, err
			}
			if round == 1 || t < times[i] && round > 1 {
				times[i] = t
			}
		}
	}
	return times, nil
}

func generate(tool, module string) (time.Duration, error) {
	cmd := exec.Command(tool, "gen")
	cmd.Dir = module
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	elapsed := time.Since(begin)
	if err != nil {
		return 0, fmt.Errorf("allocgen gen in %s: %w\n%s", module, err, out)
	}
	return elapsed, nil
}

// rows takes the times of the repository's own specs and then of each number
// of copies. Figures of copies are per spec: they stay equal when growth is linear.
func rows(times []time.Duration) []report.Row {
	const second = float64(time.Second)
	total := float64(times[0])
	perSpec := func(i int) float64 { return float64(times[1+i]) / float64(copies[i]) }
	name := func(i int) string { return fmt.Sprintf("%d copies, per spec", copies[i]) }

	const growth = "gen copies of specs/general.yaml"
	return []report.Row{
		report.NewRow("gen checked-in specs", "all", total, "1 s", second, 1),
		report.NewRow(growth, name(0), perSpec(0), "", 0, 0),
		report.NewRow(growth, name(1), perSpec(1), name(0), perSpec(0), 0),
		report.NewRow(growth, name(2), perSpec(2), name(1), perSpec(1), 1.2),
	}
}

// moduleRoot asks for the folder of the main module, wherever this one lies.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/allocgen/allocgen").Output()
	if err != nil {
		return "", fmt.Errorf("run this inside the bench module: go list: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

func build(root, dir string) (string, error) {
	tool := filepath.Join(dir, "allocgen.exe") // the ending matters on Windows and hurts nowhere else
	cmd := exec.Command("go", "build", "-o", tool, "./cmd/allocgen")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return tool, nil
}
