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

// A target is one output file: what it should be, and what is on disk.
type target struct {
	path   string
	want   []byte
	have   []byte      // nil when absent
	mode   fs.FileMode // permissions on disk; 0 when absent
	odd    string      // what stands in its place, when that is no regular file
	header *header     // of have; nil when that has none
	owner  string      // a spec that is not at hand and whose file this is, or ""
}

// current reports whether there is nothing to do.
func (t *target) current() bool {
	return t.have != nil && string(unixLines(t.have)) == string(t.want)
}

// edited reports whether the file is ours, and was changed by hand.
func (t *target) edited() bool {
	if t.header == nil {
		return false
	}
	_, body := parseHeader(t.have)
	return t.header.bodyHash != hash(body)
}

// foreign says why the file must not be overwritten, or "".
func (t *target) foreign() string {
	switch {
	case t.odd != "":
		return t.odd + " is in the place of this output file: move it away"
	case t.have != nil && t.header == nil:
		return "exists without allocgen's header, so it is not overwritten: move or delete it, or rename the spec"
	case t.owner != "":
		return "is the output of " + shown(t.owner) + ", which is another spec: rename one of the two, or give it another folder"
	}
	return ""
}

// atHand is the set of the specs that are processed now, by path.
func (f *Found) atHand() map[string]bool {
	set := map[string]bool{}
	for _, s := range f.Specs {
		set[s.Path] = true
	}
	return set
}

// stillThere refuses to write the output of a spec that has been removed since
// it was read: the next run would take it for an orphan.
func (f *Found) stillThere() error {
	var errs []error
	for _, s := range f.Specs {
		lost, err := gone(s.Path)
		if lost {
			err = fmt.Errorf("%s: removed during this run: run it again", s.Name)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// targets looks at every output file of a package.
func (p *Package) targets(atHand map[string]bool) ([]*target, error) {
	all := make([]*target, len(p.Files))
	for i, f := range p.Files {
		t := &target{path: p.path(f.Name), want: f.Source}
		err := t.look()
		if err == nil {
			err = t.findOwner(atHand)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", shown(t.path), cause(err))
		}
		all[i] = t
	}
	return all, nil
}

// findOwner keeps two specs that are never processed together from taking
// turns in one file.
func (t *target) findOwner(atHand map[string]bool) error {
	if t.header == nil {
		return nil
	}
	origin, err := t.header.origin(filepath.Dir(t.path))
	if err != nil || atHand[origin] {
		return err
	}
	lost, err := gone(origin)
	if err == nil && !lost {
		t.owner = origin
	}
	return err
}

func (t *target) look() error {
	info, err := os.Lstat(t.path)
	switch {
	case absent(err):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		t.odd = oddity(info.Mode())
		return nil
	}
	t.mode = info.Mode().Perm()
	t.have, err = os.ReadFile(t.path)
	if absent(err) { // just removed
		t.mode = 0
		return nil
	}
	t.header, _ = parseHeader(t.have)
	return err
}

func oddity(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	}
	return "a special file"
}

// An orphan is a file of ours that no spec emits any more.
type orphan struct {
	target
	why string
}

// orphans finds them in the output folders and in what was walked. A file whose
// spec exists but is not at hand is left alone.
func orphans(found *Found, pkgs []*Package) ([]orphan, error) {
	atHand := found.atHand()
	emitted := map[string]string{} // by path, case ignored
	candidates := slices.Clone(found.Generated)
	for _, p := range pkgs {
		for _, f := range p.Files {
			emitted[strings.ToLower(p.path(f.Name))] = p.path(f.Name)
		}
		files, err := goFiles(p.Dir)
		if err != nil {
			return nil, err
		}
		candidates = append(candidates, files...)
	}
	slices.Sort(candidates)
	var all []orphan
	var err error
	for _, path := range slices.Compact(candidates) {
		if sameFile(emitted[strings.ToLower(path)], path) {
			continue
		}
		o := orphan{target: target{path: path}}
		o.why, err = orphaned(path, atHand)
		if err == nil && o.why != "" {
			err = o.look()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", shown(path), cause(err))
		}
		if o.header != nil { // else it has just gone
			all = append(all, o)
		}
	}
	return all, nil
}

// sameFile reports whether two paths that differ in case at most are one file,
// as they can be where file systems ignore case.
func sameFile(a, b string) bool {
	if a == "" || a == b {
		return a == b
	}
	first, err := os.Lstat(a)
	if err != nil {
		return false
	}
	second, err := os.Lstat(b)
	return err == nil && os.SameFile(first, second)
}

// orphaned says why no spec emits a file, or "".
func orphaned(path string, atHand map[string]bool) (string, error) {
	h, err := readHeader(path)
	if err != nil || h == nil {
		return "", err
	}
	origin, err := h.origin(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	if atHand[origin] {
		return shown(origin) + " no longer emits it", nil
	}
	lost, err := gone(origin)
	if err != nil || !lost {
		return "", err
	}
	return shown(origin) + " is gone", nil
}

// gone is certain: a spec that cannot be looked at is not gone. A link to
// nowhere is an error: its output must not go because of a file system that is
// not mounted.
func gone(path string) (bool, error) {
	_, err := stat(path)
	if errors.Is(err, errNowhere) {
		return false, fmt.Errorf("its spec, %s, is a %w", shown(path), errNowhere)
	}
	return absent(err), nil
}

func goFiles(dir string) ([]string, error) {
	return list(dir, isGo)
}

// list is the entries of a folder that may not exist.
func list(dir string, want func(name string) bool) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !absent(err) {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		if want(e.Name()) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, nil
}
