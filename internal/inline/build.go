package inline

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Prove asks the compiler about the packages that match patterns, seen from a
// folder, and the generated ones that they import. With versions of Go, such as
// "1.24" or "1.26.3", it asks each of these about copies of the generated
// packages instead. An error means that there is nothing to ask about.
func Prove(dir string, patterns, versions []string) (*Proof, error) {
	prog, err := load(dir, patterns)
	if err != nil {
		return nil, err
	}
	proof := &Proof{}
	if len(versions) > 0 {
		proof.Runs, err = prog.proveVersions(dir, versions)
		return proof, err
	}
	local := toolchain{dir: dir}
	name, err := local.name()
	if err != nil {
		return nil, err
	}
	report, err := local.compile(folders{dir: dir}, prog.patterns)
	if err != nil {
		return nil, err
	}
	run := newRun(name)
	prog.judge(dir, report, &run, func(*packages.Package) bool { return true })
	proof.Runs = append(proof.Runs, run)
	return proof, nil
}

// newRun has empty lists, which JSON shows as such.
func newRun(name string) Run {
	return Run{Go: name, Entries: []Entry{}, Sites: []Site{}, Broken: []Broken{}}
}

// A toolchain runs the go command in a folder.
type toolchain struct {
	dir string
	env []string // beside the process's own
}

func (t toolchain) command(args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = t.dir
	cmd.Env = append(append(os.Environ(), "PWD="+t.dir), t.env...)
	return cmd
}

// output is what a command prints; an error says what it says.
func (t toolchain) output(args ...string) (string, error) {
	cmd := t.command(args...)
	var out, failed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failed
	if err := cmd.Run(); err != nil {
		if text := strings.TrimSpace(failed.String()); text != "" {
			err = errors.New(text)
		}
		return "", fmt.Errorf("go %s: %w", args[0], err)
	}
	return strings.TrimSpace(out.String()), nil
}

// name is the toolchain's version and what it builds for.
func (t toolchain) name() (string, error) {
	out, err := t.output("env", "GOVERSION", "GOOS", "GOARCH")
	if err != nil {
		return "", err
	}
	f := strings.Fields(out)
	if len(f) != 3 {
		return "", fmt.Errorf("go env: %q", out)
	}
	return f[0] + " " + f[1] + "/" + f[2], nil
}

// release is the build that promises are about, whatever GOFLAGS asks for: what
// detectors and coverage put into the code would be counted.
var release = []string{"-race=false", "-msan=false", "-asan=false", "-cover=false"}

// compile builds packages and reads what the compiler says. What is in the build
// cache says the same again.
func (t toolchain) compile(files folders, patterns []string) (*report, error) {
	// GOFLAGS may ask to trim paths, and then files could not be told apart.
	build := func(flags ...string) *exec.Cmd {
		args := slices.Concat([]string{"build", "-o", os.DevNull}, release, flags)
		return t.command(append(append(args, "--"), patterns...)...)
	}
	cmd := build("-trimpath=false", flags(files.dir))
	r, w := io.Pipe()
	cmd.Stdout, cmd.Stderr = w, w
	done := make(chan error, 1)
	go func() {
		err := cmd.Run()
		done <- err
		w.Close()
	}()
	report, err := parse(files, r)
	if err != nil {
		return nil, err
	}
	if err := <-done; err != nil {
		// Without the report only the errors are left.
		out, again := build().CombinedOutput()
		if again == nil {
			return nil, fmt.Errorf("go build %s: %w", flags(files.dir), err)
		}
		return nil, errors.New(strings.TrimSpace(string(out)))
	}
	return report, nil
}
