package main

import (
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"github.com/allocgen/allocgen/bench/report"
)

//go:embed cdriver
var cdriver embed.FS

// A peer is a C allocator.
type peer struct {
	name    string
	file    string // of its library, which is preloaded; "": the C library's own
	symbol  string // part of the name of the library that malloc then comes from
	pkg     string // Debian's package of that file
	driver  string // the program that runs the workloads
	library string // where the file is
	missing string // why it cannot be measured
}

const (
	glibcName    = "glibc"
	jemallocName = "jemalloc"
	tcmallocName = "tcmalloc"
	mimallocName = "mimalloc"
)

// four is what "the best of the four" means.
var four = []string{glibcName, jemallocName, tcmallocName, mimallocName}

func allPeers() []peer {
	return []peer{
		{name: glibcName, symbol: "libc.so", library: "of this system"},
		{name: jemallocName, file: "libjemalloc.so.2", symbol: "libjemalloc", pkg: "libjemalloc2"},
		{name: tcmallocName, file: "libtcmalloc_minimal.so.4", symbol: "libtcmalloc_minimal", pkg: "libtcmalloc-minimal4"},
		{name: mimallocName, file: "libmimalloc.so.2", symbol: "libmimalloc", pkg: "libmimalloc2.0"},
	}
}

// findPeers builds the driver in dir and looks for the libraries.
func findPeers(dir string) ([]peer, error) {
	peers := allPeers()
	driver, missing, err := buildDriver(dir)
	for i := range peers {
		p := &peers[i]
		p.driver, p.missing = driver, missing
		if missing == "" && p.file != "" {
			p.find()
		}
	}
	return peers, err
}

func (p *peer) find() {
	for _, pattern := range []string{"/usr/lib/*/", "/usr/lib/", "/usr/lib64/", "/usr/local/lib/"} {
		if found, _ := filepath.Glob(pattern + p.file); len(found) > 0 {
			p.library = found[0]
			return
		}
	}
	p.missing = fmt.Sprintf("needs %s: apt-get install %s", p.file, p.pkg)
}

// buildDriver compiles the C side. Without a compiler there is none, and missing
// says so; a compiler that fails is an error.
func buildDriver(dir string) (driver, missing string, err error) {
	if runtime.GOOS != "linux" {
		return "", "measured on Linux only", nil
	}
	cc, err := exec.LookPath("cc")
	if err != nil {
		return "", "needs a C compiler: apt-get install gcc libc6-dev", nil
	}
	if err := os.CopyFS(dir, cdriver); err != nil {
		return "", "", err
	}
	sources, err := filepath.Glob(filepath.Join(dir, "cdriver", "*.c"))
	if err != nil {
		return "", "", err
	}
	driver = filepath.Join(dir, "driver")
	args := append([]string{"-std=c11", "-O2", "-pthread", "-o", driver}, sources...)
	if out, err := exec.Command(cc, append(args, "-lm", "-ldl")...).CombinedOutput(); err != nil {
		return "", "", fmt.Errorf("cc: %w\n%s", err, out)
	}
	return driver, "", nil
}

// command runs a workload of the driver, with malloc of the peer.
func (p peer) command(work string, rounds int, numbers ...int) *exec.Cmd {
	args := []string{p.symbol, work, strconv.Itoa(rounds)}
	for _, n := range numbers {
		args = append(args, strconv.Itoa(n))
	}
	cmd := exec.Command(p.driver, args...)
	if p.file != "" {
		cmd.Env = append(os.Environ(), "LD_PRELOAD="+p.library)
	}
	return cmd
}

// inC are the subjects of a workload in C, of those peers that there are and that are asked for.
func (b *bench) inC(of []string, cores float64, work string, numbers ...int) []report.Subject {
	var out []report.Subject
	for _, p := range b.peers {
		if p.missing == "" && slices.Contains(of, p.name) {
			out = append(out, report.Subject{Name: p.name, Cores: cores, Command: func(rounds int) *exec.Cmd {
				return p.command(work, rounds, numbers...)
			}})
		}
	}
	return out
}
