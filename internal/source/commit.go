package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// commit does what the survey found.
func (w *writer) commit() error {
	left, err := leftovers(w.found, w.folders())
	if err == nil {
		err = w.remove(left)
	}
	for _, act := range []func() error{w.probe, w.stage, w.confirm, w.rename} {
		if err == nil {
			err = act()
		}
	}
	w.discardTemps()
	if err != nil {
		w.discardFolders()
		return err
	}
	var lost []string
	for _, o := range w.removals {
		lost = append(lost, o.path)
	}
	return w.remove(lost)
}

// remove does not mind that another run was first.
func (w *writer) remove(paths []string) error {
	for _, path := range paths {
		if err := w.disk.remove(path); err != nil && !absent(err) {
			return fmt.Errorf("%s: %w", shown(path), cause(err))
		}
	}
	return nil
}

// probe finds out whether files can be removed from their folders, as far as
// that can be told: whoever may make a file there may most likely remove one. A
// full disk keeps nobody from removing.
func (w *writer) probe() error {
	probed := map[string]bool{}
	for _, o := range w.removals {
		dir := filepath.Dir(o.path)
		if probed[dir] {
			continue
		}
		probed[dir] = true
		temp, err := w.disk.writeTemp(dir, nil, 0)
		if err == nil {
			err = w.disk.remove(temp)
		}
		if err != nil && !errors.Is(err, syscall.ENOSPC) {
			return fmt.Errorf("%s: cannot be removed: %w", shown(o.path), cause(err))
		}
	}
	return nil
}

func (w *writer) stage() error {
	for _, t := range w.writes {
		dir := filepath.Dir(t.path)
		if err := w.makeFolder(dir); err != nil {
			return fmt.Errorf("%s: %w", shown(dir), cause(err))
		}
		temp, err := w.disk.writeTemp(dir, t.want, t.mode)
		if err != nil {
			return fmt.Errorf("%s: %w", shown(t.path), cause(err))
		}
		w.temps[t.path] = temp
	}
	return nil
}

// makeFolder remembers what it made.
func (w *writer) makeFolder(dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := w.makeFolder(filepath.Dir(dir)); err != nil {
		return err
	}
	err := w.disk.mkdir(dir)
	if errors.Is(err, fs.ErrExist) {
		return nil // another run was first
	}
	if err == nil {
		w.created = append(w.created, dir)
	}
	return err
}

// confirm surveys again, just before the first file changes. Rendering and
// staging take a while: what someone has put in the place of a file meanwhile
// must not be lost, and what another run has done is not to do again.
func (w *writer) confirm() error {
	if err := w.survey(); err != nil {
		return err
	}
	for _, t := range w.writes {
		if w.temps[t.path] == "" {
			return fmt.Errorf("%s: changed during this run: run it again", shown(t.path))
		}
	}
	return nil
}

func (w *writer) rename() error {
	for _, t := range w.writes {
		err := w.disk.rename(w.temps[t.path], t.path)
		if absent(err) {
			return fmt.Errorf("%s: its folder changed during this run: run it again", shown(t.path))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", shown(t.path), cause(err))
		}
		delete(w.temps, t.path)
	}
	return nil
}

func (w *writer) discardTemps() {
	for _, path := range w.temps {
		_ = w.disk.remove(path)
	}
}

// discardFolders removes the new folders of a failed run, which remove keeps
// unless they are empty.
func (w *writer) discardFolders() {
	for _, dir := range slices.Backward(w.created) {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() {
			_ = w.disk.remove(dir)
		}
	}
}
