package source

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// A disk is how a writer changes what is on disk: in steps after each of which
// every output file has its old or its new content.
type disk struct {
	// before is for tests: they fail a step, change the tree, or kill the process
	// before it.
	before func(step, path string) error
}

func (d disk) step(name, path string, act func() error) error {
	if d.before != nil {
		if err := d.before(name, path); err != nil {
			return err
		}
	}
	return act()
}

func (d disk) mkdir(path string) error {
	return d.step("mkdir", path, func() error { return os.Mkdir(path, 0o755) })
}

func (d disk) rename(from, to string) error {
	return d.step("rename", to, func() error { return os.Rename(from, to) })
}

func (d disk) remove(path string) error {
	return d.step("remove", path, func() error { return os.Remove(path) })
}

// writeTemp writes a new temporary file with these permissions (0: those of any
// new file), and leaves nothing behind when it fails.
func (d disk) writeTemp(dir string, text []byte, mode fs.FileMode) (string, error) {
	path := filepath.Join(dir, fmt.Sprintf("%s%d-%x%s", tempStart, os.Getpid(), rand.Uint64(), tempEnd))
	var f *os.File
	err := d.step("create", path, func() (err error) {
		f, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		return err
	})
	if err != nil {
		return "", err
	}
	if err = errors.Join(d.fill(f, text, mode), f.Close()); err != nil {
		_ = d.remove(path)
		return "", err
	}
	return path, nil
}

// fill brings the text to the disk itself: after a crash of the machine a file
// could otherwise have its new name and nothing in it, and an empty file is
// none of ours to repair.
func (d disk) fill(f *os.File, text []byte, mode fs.FileMode) error {
	err := d.step("write", f.Name(), func() error {
		_, err := f.Write(text)
		return err
	})
	if err == nil && mode != 0 {
		err = f.Chmod(mode)
	}
	if err != nil {
		return err
	}
	return d.step("sync", f.Name(), f.Sync)
}
