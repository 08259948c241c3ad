package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// copies are the numbers of specs that growth is measured with.
var copies = [3]int{1, 50, 500}

// repositoryCopy copies the specs and what is generated from them, so that a
// benchmark never writes into the repository. It returns dir.
func repositoryCopy(root, dir string) (string, error) {
	for _, folder := range []string{"specs", "generated"} {
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join(root, folder))); err != nil {
			return "", err
		}
	}
	return dir, writeGoMod(dir)
}

// copiesModule makes a module with n copies of specs/general.yaml, each a
// package of its own. It returns dir.
func copiesModule(root, dir string, n int) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "specs", "general.yaml"))
	if err != nil {
		return "", err
	}
	specs := filepath.Join(dir, "specs")
	if err := os.MkdirAll(specs, 0o755); err != nil {
		return "", err
	}
	for i := range n {
		name := fmt.Sprintf("copy%d", i)
		if err := os.WriteFile(filepath.Join(specs, name+".yaml"), renamed(text, name), 0o644); err != nil {
			return "", err
		}
	}
	return dir, writeGoMod(dir)
}

var packageOrOut = regexp.MustCompile(`(?m)^(package|out):.*\n`)

// renamed gives a spec another package. The two keys move to the end: the first
// line that is no comment must stay `allocgen:`.
func renamed(spec []byte, name string) []byte {
	rest := packageOrOut.ReplaceAll(spec, nil)
	return fmt.Appendf(rest, "\npackage: %s\nout: ../generated/%[1]s\n", name)
}

func writeGoMod(dir string) error {
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/specs\n\ngo 1.24.0\n"), 0o644)
}
