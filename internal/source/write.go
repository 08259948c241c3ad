package source

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// A Change is what Write did in one folder.
type Change struct {
	Folder  string   // for messages
	Written int      // files
	Removed []string // files, for messages
	Edited  []string // files among these that had been changed by hand, for messages
}

// Write makes the folders on disk what the packages say: writes the files that
// differ, removes ours that no spec emits. A file without our header is never
// touched; where one is in the way, nothing is written at all. With dry nothing
// is written either way.
//
// Whatever happens, and at whatever point, each file has its old or its new
// content. A run that was killed may have written some files and not others:
// Check says so, and the next run finishes.
func Write(found *Found, pkgs []*Package, dry bool) ([]Change, error) {
	return newWriter(found, pkgs).write(dry)
}

// A writer is one run of Write: first everything that can be refused, then
// temporary files beside all targets, then the renames, then the removals. A full
// disk or a folder that cannot be written shows before the first target changes.
type writer struct {
	found *Found
	pkgs  []*Package
	disk  disk

	writes   []*target
	removals []orphan
	temps    map[string]string // temporary files, by target
	created  []string          // folders, outermost first
}

func newWriter(found *Found, pkgs []*Package) *writer {
	return &writer{found: found, pkgs: pkgs, temps: map[string]string{}}
}

func (w *writer) write(dry bool) ([]Change, error) {
	if err := w.survey(); err != nil {
		return nil, err
	}
	if !dry {
		if err := w.commit(); err != nil {
			return nil, err
		}
	}
	return w.summary(), nil
}

// survey finds out what is to do, and whether it may be done.
func (w *writer) survey() error {
	w.writes = nil
	errs := []error{w.found.stillThere()}
	atHand := w.found.atHand()
	for _, p := range w.pkgs {
		errs = append(errs, w.surveyOutput(p, atHand))
	}
	var err error
	w.removals, err = orphans(w.found, w.pkgs)
	return errors.Join(append(errs, err)...)
}

func (w *writer) surveyOutput(p *Package, atHand map[string]bool) error {
	targets, err := p.targets(atHand)
	if err != nil {
		return err
	}
	var errs []error
	for _, t := range targets {
		if why := t.foreign(); why != "" {
			errs = append(errs, fmt.Errorf("%s: %s", shown(t.path), why))
		} else if !t.current() {
			w.writes = append(w.writes, t)
		}
	}
	return errors.Join(errs...)
}

// folders are those in which something changes or might have.
func (w *writer) folders() []string {
	var dirs []string
	for _, p := range w.pkgs {
		dirs = append(dirs, p.Dir)
	}
	for _, o := range w.removals {
		dirs = append(dirs, filepath.Dir(o.path))
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

func (w *writer) summary() []Change {
	changes := map[string]*Change{}
	dirs := w.folders()
	for _, dir := range dirs {
		changes[dir] = &Change{Folder: shown(dir)}
	}
	for _, t := range w.writes {
		c := changes[filepath.Dir(t.path)]
		c.Written++
		if t.edited() {
			c.Edited = append(c.Edited, shown(t.path))
		}
	}
	for _, o := range w.removals {
		c := changes[filepath.Dir(o.path)]
		c.Removed = append(c.Removed, shown(o.path))
		if o.edited() {
			c.Edited = append(c.Edited, shown(o.path))
		}
	}
	var all []Change
	for _, dir := range dirs {
		all = append(all, *changes[dir])
	}
	slices.SortFunc(all, func(a, b Change) int { return strings.Compare(a.Folder, b.Folder) })
	return all
}
