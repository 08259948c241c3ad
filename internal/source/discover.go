package source

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allocgen/allocgen/internal/spec"
)

// maxSpec is the size in bytes above which a spec is refused unread: a spec
// has tens of lines, and YAML parsers are easily kept busy.
const maxSpec = 256 << 10

// Found is what Discover found, in the order of the paths.
type Found struct {
	Specs     []SpecFile
	Generated []string // files with our header below the folders that were walked
	Temps     []string // temporary files there
}

// Discover reads the specs that args name. An arg is a spec file, or a folder
// that is walked; without args it is the root of the current module. A walk
// skips vendor, testdata, nested modules, and names that start with a dot or an
// underscore, as the go command does; it does not follow symbolic links to
// folders.
func Discover(args []string) (*Found, error) {
	if len(args) == 0 {
		root, err := currentModule()
		if err != nil {
			return nil, err
		}
		args = []string{root}
	}
	d := discovery{specs: map[string]SpecFile{}, generated: map[string]*header{}, walked: map[string]bool{}}
	for _, arg := range args {
		d.arg(arg)
	}
	d.origins()
	d.checkIdle()
	if err := d.err(); err != nil {
		return nil, err
	}
	return d.found(), nil
}

func currentModule() (string, error) {
	wd, err := workingDir()
	if err != nil {
		return "", err
	}
	root := moduleRoot(wd)
	if root == "" {
		return "", errors.New("no go.mod in this folder or above: run go mod init, or name a spec")
	}
	return root, nil
}

// A discovery is one run of Discover. Maps, because args may overlap.
type discovery struct {
	specs     map[string]SpecFile
	generated map[string]*header
	walked    map[string]bool // folders
	temps     []string
	idle      []string // args in which a walk found nothing to do
	errs      []error
}

// err joins the errors, each once: two ways can lead to one file.
func (d *discovery) err() error {
	seen := map[string]bool{}
	return errors.Join(slices.DeleteFunc(d.errs, func(err error) bool {
		again := seen[err.Error()]
		seen[err.Error()] = true
		return again
	})...)
}

func (d *discovery) fail(path, format string, args ...any) {
	d.errs = append(d.errs, fmt.Errorf("%s: %s", shown(path), fmt.Sprintf(format, args...)))
}

func (d *discovery) failAtTop(path, format string, args ...any) {
	pos := spec.Pos{File: shown(path), Line: 1, Column: 1}
	d.errs = append(d.errs, spec.Error{Pos: pos, Text: fmt.Sprintf(format, args...)})
}

func (d *discovery) found() *Found {
	f := &Found{}
	for _, s := range d.specs {
		f.Specs = append(f.Specs, s)
	}
	slices.SortFunc(f.Specs, func(a, b SpecFile) int { return strings.Compare(a.Path, b.Path) })
	for path := range d.generated {
		f.Generated = append(f.Generated, path)
	}
	slices.Sort(f.Generated)
	f.Temps = d.temps
	return f
}

func (d *discovery) arg(arg string) {
	if arg == "" { // most likely a variable of a script that is not set
		d.errs = append(d.errs, errors.New(`"" is no file or folder`))
		return
	}
	info, err := stat(arg)
	if err != nil {
		d.errs = append(d.errs, fmt.Errorf("%s: %w", filepath.ToSlash(arg), cause(err)))
		return
	}
	path, err := realEntry(arg)
	if err != nil {
		d.errs = append(d.errs, err)
		return
	}
	if info.IsDir() {
		d.folder(path)
		return
	}
	d.named(path, info)
}

// cause is an error without operation and paths, for messages that start with
// the path.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// named takes a file that an arg or an output names. Whether it is a spec at all
// is left to the parser, which can say what is missing, and where.
func (d *discovery) named(path string, info fs.FileInfo) {
	switch {
	case info.IsDir():
		d.failAtTop(path, "a folder is in the place of this spec, and there are files that were generated from it")
		return
	case !info.Mode().IsRegular():
		d.failAtTop(path, "neither a regular file nor a folder")
		return
	case info.Size() > maxSpec:
		d.failAtTop(path, "%d bytes: a spec has at most %d", info.Size(), maxSpec)
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		d.fail(path, "%v", cause(err))
		return
	}
	d.add(path, text)
}

// origins takes the specs that a walk met and did not recognise, though outputs
// that it met as well name them: a slip in a spec's first line must not drop the
// spec without a word.
func (d *discovery) origins() {
	for _, output := range slices.Sorted(maps.Keys(d.generated)) {
		path, err := d.generated[output].origin(filepath.Dir(output))
		if err != nil || !d.walked[filepath.Dir(path)] {
			continue // orphans reports the error
		}
		if _, ok := d.specs[path]; ok {
			continue
		}
		switch info, err := stat(path); {
		case absent(err): // the file is an orphan
		case err != nil:
			d.fail(path, "%v", cause(err))
		default:
			d.named(path, info)
		}
	}
}

func (d *discovery) add(path string, text []byte) {
	d.specs[path] = SpecFile{Name: shown(path), Path: path, Text: text}
}

// checkIdle refuses a folder in which there is nothing to do: most likely it is
// the wrong one.
func (d *discovery) checkIdle() {
	for _, root := range d.idle {
		hasSpec := false
		for path := range d.specs {
			hasSpec = hasSpec || inside(root, path)
		}
		if !hasSpec {
			d.fail(root, "no spec in this folder or below: a spec is a .yaml file that starts with `allocgen: 1`")
		}
	}
}

// folder walks a folder.
func (d *discovery) folder(root string) {
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		d.errs = append(d.errs, err)
		return
	}
	before := len(d.errs)
	used := false
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case path != root && absent(err): // just removed
		case err != nil:
			d.fail(path, "%v", cause(err))
		case path != root && e.IsDir() && skippedFolder(path):
			return fs.SkipDir
		case e.IsDir():
			d.walked[path] = true
		case isTemp(e.Name()):
			d.temps = append(d.temps, path)
		case !skippedName(path) && d.file(path):
			used = true
		}
		return nil
	})
	if err != nil {
		d.fail(root, "%v", err)
	}
	if !used && len(d.errs) == before {
		d.idle = append(d.idle, root)
	}
}

func skippedName(path string) bool {
	name := filepath.Base(path)
	return name[0] == '.' || name[0] == '_'
}

func skippedFolder(dir string) bool {
	name := filepath.Base(dir)
	return name == "vendor" || name == "testdata" || skippedName(dir) || isModule(dir)
}

// file takes a file of a walk and reports whether it is a spec or an output.
func (d *discovery) file(path string) bool {
	switch filepath.Ext(path) {
	case ".yaml", ".yml":
		return d.maybeSpec(path)
	case ".go":
		return d.maybeGenerated(path)
	}
	return false
}

func (d *discovery) maybeSpec(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false // a symbolic link to nowhere or to a folder, a pipe
	}
	if info.Size() > maxSpec {
		head, err := readPrefix(path)
		if err == nil && spec.IsSpec(head) {
			d.failAtTop(path, "%d bytes: a spec has at most %d", info.Size(), maxSpec)
		}
		return false
	}
	text, err := os.ReadFile(path)
	if absent(err) {
		return false // just removed
	}
	if err != nil {
		d.fail(path, "%v", cause(err))
		return false
	}
	if !spec.IsSpec(text) {
		return false
	}
	d.add(path, text)
	return true
}

func (d *discovery) maybeGenerated(path string) bool {
	h, err := readHeader(path)
	if err != nil {
		d.fail(path, "%v", cause(err))
	}
	if h == nil {
		return false
	}
	d.generated[path] = h
	return true
}
