package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Change is what Write did in one folder.
type Change struct {
	Folder  string   // for messages
	Written int      // files
	Removed []string // files, for messages
}

// Write makes the folders on disk what the packages say: writes the files that
// differ, removes ours that no spec emits. A file without our header is never
// touched; where one is in the way, nothing is written at all. With dry nothing
// is written either way.
func Write(found *Found, pkgs []*Package, dry bool) ([]Change, error) {
	w := writer{changes: map[string]*Change{}}
	if err := w.prepare(found, pkgs); err != nil {
		return nil, err
	}
	if !dry {
		if err := w.commit(); err != nil {
			return nil, err
		}
	}
	return w.summary(), nil
}

// A writer is one run of Write: first everything that can be refused, then
// temporary files beside all targets, then the renames, then the removals. A full
// disk or a folder that cannot be written shows before the first target changes.
type writer struct {
	writes   []*target
	removals []string
	leftover []string // temporary files of a run that was killed

	changes map[string]*Change // by folder
	staged  []string           // temporary files, in the order of writes
	created []string           // folders, outermost first
}

func (w *writer) prepare(found *Found, pkgs []*Package) error {
	atHand := found.atHand()
	var errs []error
	for _, p := range pkgs {
		errs = append(errs, w.prepareOutput(p, atHand))
	}
	lost, err := orphans(found, pkgs)
	errs = append(errs, err)
	for _, o := range lost {
		w.removals = append(w.removals, o.path)
		change := w.change(filepath.Dir(o.path))
		change.Removed = append(change.Removed, shown(o.path))
	}
	return errors.Join(errs...)
}

func (w *writer) prepareOutput(p *Package, atHand map[string]bool) error {
	targets, err := p.targets(atHand)
	if err != nil {
		return err
	}
	var errs []error
	change := w.change(p.Dir)
	for _, t := range targets {
		if why := t.foreign(); why != "" {
			errs = append(errs, fmt.Errorf("%s: %s", shown(t.path), why))
		} else if !t.current() {
			w.writes = append(w.writes, t)
			change.Written++
		}
	}
	leftover, err := leftovers(p.Dir)
	w.leftover = append(w.leftover, leftover...)
	return errors.Join(append(errs, err)...)
}

func (w *writer) change(dir string) *Change {
	c := w.changes[dir]
	if c == nil {
		c = &Change{Folder: shown(dir)}
		w.changes[dir] = c
	}
	return c
}

func (w *writer) summary() []Change {
	var all []Change
	for _, c := range w.changes {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b Change) int { return strings.Compare(a.Folder, b.Folder) })
	return all
}

func (w *writer) commit() error {
	if err := remove(w.leftover); err != nil {
		return err
	}
	err := w.probe()
	if err == nil {
		err = w.stage()
	}
	if err == nil {
		err = w.rename()
	}
	if err != nil {
		w.discard()
		return err
	}
	return remove(w.removals)
}

// remove does not mind that another run was first.
func remove(paths []string) error {
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !absent(err) {
			return fmt.Errorf("%s: %w", shown(path), cause(err))
		}
	}
	return nil
}

// probe finds out whether files can be removed from their folders, as far as
// that can be told: whoever may make a file there may most likely remove one.
func (w *writer) probe() error {
	probed := map[string]bool{}
	for _, path := range w.removals {
		dir := filepath.Dir(path)
		if probed[dir] {
			continue
		}
		probed[dir] = true
		temp, err := writeTemp(dir, nil, 0)
		if err == nil {
			err = os.Remove(temp)
		}
		if err != nil {
			return fmt.Errorf("%s: cannot be removed: %w", shown(path), cause(err))
		}
	}
	return nil
}

func (w *writer) stage() error {
	for _, t := range w.writes {
		dir := filepath.Dir(t.path)
		err := w.makeFolder(dir)
		if err != nil {
			return fmt.Errorf("%s: %w", shown(dir), cause(err))
		}
		temp, err := writeTemp(dir, t.want, t.mode)
		if err != nil {
			return fmt.Errorf("%s: %w", shown(t.path), cause(err))
		}
		w.staged = append(w.staged, temp)
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
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	w.created = append(w.created, dir)
	return nil
}

func (w *writer) rename() error {
	for i, t := range w.writes {
		if err := os.Rename(w.staged[i], t.path); err != nil {
			return fmt.Errorf("%s: %w", shown(t.path), cause(err))
		}
	}
	return nil
}

// discard removes what a failed run left: temporary files that were not
// renamed, and new folders, which Remove keeps unless they are empty.
func (w *writer) discard() {
	for _, path := range w.staged {
		_ = os.Remove(path)
	}
	for _, dir := range slices.Backward(w.created) {
		_ = os.Remove(dir)
	}
}
