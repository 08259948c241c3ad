package source

import (
	"errors"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A batch is what one run of go list answers for: the output folders of one
// module whose output is checked on one platform.
type batch struct {
	root     string // of the module
	platform platform
	pkgs     []*Package
	refusal  error // what the go command says of a module that it does not list
}

func batches(pkgs []*Package) []*batch {
	var all []*batch
	add := func(p *Package, root string, on platform) {
		i := slices.IndexFunc(all, func(b *batch) bool { return b.root == root && b.platform == on })
		if i < 0 {
			i = len(all)
			all = append(all, &batch{root: root, platform: on})
		}
		if b := all[i]; !slices.Contains(b.pkgs, p) {
			b.pkgs = append(b.pkgs, p)
		}
	}
	for _, p := range pkgs {
		for _, o := range p.outs {
			add(p, moduleRoot(p.Dir), o.platform)
		}
	}
	return all
}

// outs are the outputs in a package that are checked in this batch.
func (b *batch) outs(p *Package) []*Output {
	return slices.DeleteFunc(slices.Clone(p.outs), func(o *Output) bool { return o.platform != b.platform })
}

// list asks the go command for the folders and all that they import, by folder.
// What is wrong with the user's module is none of our business unless the output
// needs it: when go list fails altogether, the module is looked at without its
// go.mod, so that just imports from other modules come out as errors.
func (b *batch) list(overlay map[string][]byte) (map[string]*packages.Package, error) {
	found, err := b.run(overlay, nil, nil)
	if err == nil {
		return found, nil
	}
	mod, remove, tempErr := bareModule(b.root)
	if tempErr != nil {
		return nil, tempErr
	}
	defer remove()
	found, bareErr := b.run(overlay, []string{"-modfile=" + mod, "-mod=readonly"}, []string{"GOWORK=off"})
	if bareErr != nil {
		return nil, fmt.Errorf("type-check: in %s: %s", shown(b.root), oneLine(err.Error()))
	}
	text := oneLine(err.Error())
	if _, said, ok := strings.Cut(text, "stderr: "); ok {
		text = said
	}
	b.refusal = errors.New(text)
	return found, nil
}

func (b *batch) run(overlay map[string][]byte, flags, env []string) (map[string]*packages.Package, error) {
	config := &packages.Config{
		// Without types: go/packages would compile dependencies for their export
		// data, which an overlay then keeps it from using.
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule,
		Dir:  b.root,
		Env: slices.Concat(os.Environ(),
			[]string{"GOOS=" + b.platform.goos, "GOARCH=" + b.platform.goarch, "CGO_ENABLED=" + b.platform.cgo(), "GOPACKAGESDRIVER=off"}, env),
		BuildFlags: append([]string{"-tags=" + b.platform.tags}, flags...), // GOFLAGS may have others
		Overlay:    overlay,
	}
	var patterns []string
	for _, p := range b.pkgs {
		rel, err := filepath.Rel(b.root, p.Dir)
		if err != nil {
			return nil, err
		}
		patterns = append(patterns, "./"+filepath.ToSlash(rel))
	}
	roots, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, err
	}
	found := map[string]*packages.Package{}
	for _, p := range roots {
		if p.Dir != "" {
			found[p.Dir] = p
		}
	}
	for _, p := range b.pkgs {
		if found[p.Dir] == nil {
			return nil, missing(p.Dir, roots)
		}
	}
	return found, nil
}

// missing says why go list has no package in a folder: most often its only
// answer is an error of the whole module.
func missing(dir string, roots []*packages.Package) error {
	for _, p := range roots {
		if p.Dir == "" && len(p.Errors) > 0 {
			return errors.New(p.Errors[0].Msg)
		}
	}
	return fmt.Errorf("go list finds no package in %s", shown(dir))
}

var (
	moduleLine = regexp.MustCompile(`(?m)^module[ \t]+"?([^\s"]+)"?`)
	goLine     = regexp.MustCompile(`(?m)^go[ \t]+([0-9][0-9a-z.]*)`)
)

// bareModule writes a go.mod that has the name and the Go version of a module
// and nothing else.
func bareModule(root string) (path string, remove func(), err error) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", nil, err
	}
	name, goVersion := "unnamed", version.Lang(runtime.Version())
	if m := moduleLine.FindSubmatch(text); m != nil {
		name = string(m[1])
	}
	if m := goLine.FindSubmatch(text); m != nil && knownGo("go"+string(m[1])) {
		goVersion = "go" + string(m[1])
	}
	dir, err := os.MkdirTemp("", "allocgen")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) } // it is only temporary
	path = filepath.Join(dir, "go.mod")
	text = []byte("module " + name + "\n\ngo " + strings.TrimPrefix(goVersion, "go") + "\n")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		remove()
		return "", nil, err
	}
	return path, remove, nil
}

// knownGo reports whether this program, built with one version of Go, can check
// code for another.
func knownGo(v string) bool {
	return version.IsValid(v) && version.Compare(v, newestGo()) <= 0 || version.Lang(v) == newestGo()
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
