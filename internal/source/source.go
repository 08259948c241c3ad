// Package source is the only one that touches the tree: it finds and reads
// specs, turns rendered text into finished files (gofmt, header, type-check),
// and writes them or compares them with what is there.
//
// Paths inside the package are absolute with symbolic links resolved, so that
// two ways to name a file are one; what a person reads goes through shown.
package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/allocgen/allocgen/internal/plan"
	"github.com/allocgen/allocgen/internal/spec"
)

// A SpecFile is a spec on disk, read but not parsed.
type SpecFile struct {
	Name string // for messages
	Path string // absolute
	Text []byte
}

// A File is one output file: rendered, or finished.
type File struct {
	Name   string // without folder
	Source []byte
}

// An Output is what one spec becomes.
type Output struct {
	Spec  *spec.Spec
	Plan  *plan.Plan
	Place Place
	Files []File // as rendered

	platform platform // where it is checked
}

// A Package is one output folder with the finished files of every spec that
// writes there.
type Package struct {
	Dir   string // absolute
	Name  string // of the folder, for messages
	Files []File

	outs    []*Output
	owners  map[string]*Output // by name of the file
	leaving []string           // paths of files that no spec emits any more
}

// shown is the name of a path in messages: relative to the working directory
// when that is shorter, with forward slashes.
func shown(path string) string {
	if wd, err := workingDir(); err == nil {
		rel, err := filepath.Rel(wd, path)
		if err == nil && (filepath.IsLocal(rel) || len(rel) < len(path)) {
			path = rel
		}
	}
	return filepath.ToSlash(path)
}

func workingDir() (string, error) {
	wd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(wd)
}

// realPath resolves the symbolic links of a path whose last elements need not
// exist.
func realPath(path string) (string, error) {
	resolved, err := filepath.EvalSymlinks(path)
	if !absent(err) {
		return resolved, err
	}
	if _, err := stat(path); errors.Is(err, errNowhere) {
		return "", err
	}
	parent := filepath.Dir(path)
	if parent == path {
		return "", err
	}
	if parent, err = realPath(parent); err != nil {
		return "", err
	}
	return filepath.Join(parent, filepath.Base(path)), nil
}

var errNowhere = errors.New("symbolic link to nowhere")

// stat follows symbolic links and tells one that leads nowhere, most likely by
// mistake, from a file that is not there.
func stat(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if !absent(err) {
		return info, err
	}
	if _, lerr := os.Lstat(path); lerr == nil {
		return nil, &fs.PathError{Op: "follow", Path: path, Err: errNowhere}
	}
	return nil, err
}

// absent reports whether an error says that there is no such file.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// realEntry resolves the folder of a path and keeps its last element: a spec
// is where its name is, even when that is a symbolic link.
func realEntry(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	dir, err := realPath(filepath.Dir(path))
	return filepath.Join(dir, filepath.Base(path)), err
}

// moduleRoot is the closest folder upwards that holds a go.mod, or "".
func moduleRoot(dir string) string {
	for {
		if isModule(dir) {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

func isModule(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil && !info.IsDir()
}

// inside reports whether path is dir or below it.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

func isGo(name string) bool {
	return strings.HasSuffix(name, ".go")
}
