package inline

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

var version = regexp.MustCompile(`^1\.(\d+)(\.\d+|rc\d+)?$`)

// Versions splits a list such as "1.22,1.26.3".
func Versions(list string) ([]string, error) {
	if list == "" {
		return nil, nil
	}
	var out []string
	for _, v := range strings.Split(list, ",") {
		v = strings.TrimPrefix(strings.TrimSpace(v), "go")
		m := version.FindStringSubmatch(v)
		if m == nil {
			return nil, fmt.Errorf("%q is no version of Go: write 1.24, or 1.24.3", v)
		}
		if minor, err := strconv.Atoi(m[1]); err != nil || minor < 21 {
			return nil, fmt.Errorf("%q: the output is for Go 1.21 and newer", v)
		}
		out = append(out, v)
	}
	return out, nil
}

// proveVersions asks each version about copies of the generated packages, in a
// module of their own that every version takes.
func (prog *program) proveVersions(dir string, versions []string) ([]Run, error) {
	tmp, err := os.MkdirTemp("", "allocgen")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	if tmp, err = filepath.EvalSymlinks(tmp); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(tmp, "go.mod"), []byte("module promises\n\ngo 1.21\n"), 0o666); err != nil {
		return nil, err
	}
	files := folders{dir: tmp, moved: map[string]string{}}
	var alone []*packages.Package
	var unchecked []Unchecked
	for i, pkg := range prog.generated() {
		if why := bound(pkg); why != "" {
			unchecked = append(unchecked, Unchecked{pkg.PkgPath, why})
			continue
		}
		to := filepath.Join(tmp, strconv.Itoa(i))
		if err := copyPackage(pkg, to); err != nil {
			return nil, err
		}
		files.moved[to] = pkg.Dir
		alone = append(alone, pkg)
	}
	var runs []Run
	for _, v := range versions {
		run := newRun("go" + v)
		run.Unchecked = unchecked
		if len(alone) == 0 {
			run.Error = "no generated package can be checked alone: nothing is proven"
		} else if err := prog.proveVersion(dir, v, files, alone, &run); err != nil {
			run.Error = err.Error()
		}
		runs = append(runs, run)
	}
	return runs, nil
}

func (prog *program) proveVersion(dir, v string, files folders, alone []*packages.Package, run *Run) error {
	t, err := find(files.dir, v)
	if err != nil {
		return err
	}
	if run.Go, err = t.name(); err != nil {
		return err
	}
	report, err := t.compile(files, []string{"./..."})
	if err != nil {
		return err
	}
	prog.judge(dir, report, run, func(p *packages.Package) bool { return slices.Contains(alone, p) })
	return nil
}

// generated are the packages with promises, in order.
func (prog *program) generated() []*packages.Package {
	var out []*packages.Package
	for _, e := range prog.entries {
		if !slices.Contains(out, e.pkg) {
			out = append(out, e.pkg)
		}
	}
	return out
}

// bound says why a package does not build outside its module, or "".
func bound(pkg *packages.Package) string {
	var paths []string
	for path, imported := range pkg.Imports {
		if imported.Module != nil {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		return ""
	}
	slices.Sort(paths)
	return "imports " + strings.Join(paths, ", ") + ", so a copy of it alone does not build"
}

// copyPackage copies what is built here of a package: no tests.
func copyPackage(pkg *packages.Package, to string) error {
	if err := os.Mkdir(to, 0o777); err != nil {
		return err
	}
	for _, file := range slices.Concat(pkg.GoFiles, pkg.OtherFiles) {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(file)), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// find gets a toolchain: the one named, or of a minor version the local one
// when it is of that, else the newest patch that the module proxy gives.
func find(dir, v string) (toolchain, error) {
	patches := []string{v}
	var err error
	if strings.Count(v, ".") == 1 && !strings.Contains(v, "rc") {
		patches, err = patchesOf(dir, v)
	}
	for _, p := range patches {
		t := of(dir, p)
		_, failed := t.output("version")
		if failed == nil {
			return t, nil
		}
		if err == nil {
			err = failed
		}
	}
	return toolchain{}, fmt.Errorf("no Go %s to be had: %w", v, err)
}

// of is the toolchain of a version, apart from any workspace.
func of(dir, name string) toolchain {
	if name != "local" {
		name = "go" + name
	}
	return toolchain{dir, []string{"GOTOOLCHAIN=" + name, "GOWORK=off", "GOFLAGS=" + os.Getenv("GOFLAGS") + " -mod=mod"}}
}

// patchesOf lists what a minor version can mean, best first.
func patchesOf(dir, minor string) ([]string, error) {
	local := of(dir, "local")
	have, err := local.output("env", "GOVERSION")
	if err != nil {
		return nil, err
	}
	if have == "go"+minor || strings.HasPrefix(have, "go"+minor+".") {
		return []string{"local"}, nil
	}
	known, err := local.output("list", "-m", "-versions", "go")
	if err != nil {
		return nil, err
	}
	var patches []string
	for _, v := range strings.Fields(known) {
		if strings.HasPrefix(v, minor+".") {
			patches = append(patches, v)
		}
	}
	if len(patches) == 0 {
		return nil, errors.New("the module proxy knows no release of it")
	}
	slices.Reverse(patches) // the go command lists them in ascending order
	return patches, nil
}
