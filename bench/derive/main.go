// Command derive writes the packages of derived/: generated packages with
// `inline: call`, whose two paths the compiler may inline into the methods that
// call them, or call, as it chooses. Specs have no such option, because what it
// does is the compiler's and may be neither.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// packages are the folders below generated/ that have a copy in derived/.
var packages = []string{"listbincall", "tcachecall"}

func main() {
	for _, name := range packages {
		files, err := derive(name)
		if err == nil {
			err = write(filepath.Join("derived", name), files)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "derive (run it in bench):", err)
			os.Exit(1)
		}
	}
}

// derive gives the files of a package without the pragma of the two paths.
func derive(name string) (map[string]string, error) {
	dir := filepath.Join("generated", name)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		// The header goes: for allocgen check these files are nobody's.
		_, body, _ := strings.Cut(string(text), "\n\n")
		for _, path := range []string{"func (b *HeapBin) alloc()", "func (b *HeapBin) free("} {
			body = strings.Replace(body, "//\n//go:noinline\n"+path, path, 1)
		}
		files[e.Name()] = "// Code derived from ../../generated/" + name + " by bench/derive; DO NOT EDIT.\n\n" + body
	}
	return files, nil
}

func write(dir string, files map[string]string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}
