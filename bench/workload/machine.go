package workload

import (
	"fmt"
	"io"
	"runtime"

	"github.com/allocgen/allocgen/bench/report"
)

// WriteMachine says what the figures were taken on, and which of them were
// disturbed.
func WriteMachine(w io.Writer, f report.Figures, allocators []Allocator, threads int) error {
	fmt.Fprintf(w, "\n%s %s/%s, GOMAXPROCS %d of %d CPUs\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), runtime.NumCPU())
	fmt.Fprint(w, "CPU/wall in the best round (how many cores it really had):")
	for _, a := range allocators {
		fmt.Fprintf(w, "  %s %s", a.Name, cores(f[a.Name].Best, min(threads, runtime.NumCPU())))
	}
	_, err := fmt.Fprintln(w)
	return err
}

// cores is CPU/wall, marked when other work on the machine took a tenth or
// more of the cores that the threads could have used.
func cores(s report.Sample, usable int) string {
	had := s.CPU.Seconds() / s.Wall.Seconds()
	if had < 0.9*float64(usable) {
		return fmt.Sprintf("%.2f (disturbed)", had)
	}
	return fmt.Sprintf("%.2f", had)
}
