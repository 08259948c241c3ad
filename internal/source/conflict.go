package source

import (
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/allocgen/allocgen/internal/spec"
)

// Conflicts finds specs that cannot share an output folder: the same file, the
// same name in one package, different packages; and packages that disagree
// with the Go files that are already there.
func Conflicts(outs []*Output) spec.Errors {
	c := conflicts{
		files:    map[string]*Output{},
		packages: map[string]*Output{},
		names:    map[string]owner{},
		atHand:   map[string]bool{},
	}
	for _, o := range outs {
		c.atHand[o.specPath()] = true
	}
	for _, o := range outs {
		c.add(o)
	}
	return c.errs
}

func (o *Output) specPath() string {
	return filepath.Join(o.Place.Dir, filepath.FromSlash(o.Place.Spec))
}

// conflicts says which output was first with what; keys start with the folder.
type conflicts struct {
	files    map[string]*Output
	packages map[string]*Output
	names    map[string]owner
	atHand   map[string]bool
	errs     spec.Errors
}

// An owner is the entry of a spec behind a name.
type owner struct {
	out   *Output
	entry string
}

func (c *conflicts) add(o *Output) {
	c.checkFiles(o)
	first, ok := c.packages[o.Place.Dir]
	if !ok {
		c.packages[o.Place.Dir] = o
		c.checkFolder(o)
	} else if first.Spec.Package != o.Spec.Package {
		c.errs.Add(o.Spec.At("package"), "package: %s, but %s says %s and writes to the same folder, %s",
			o.Spec.Package, first.Spec.At("package"), first.Spec.Package, shown(o.Place.Dir))
	}
	c.checkNames(o)
}

// checkFiles ignores case: some file systems do.
func (c *conflicts) checkFiles(o *Output) {
	for _, f := range o.Files {
		path := filepath.Join(o.Place.Dir, f.Name)
		key := strings.ToLower(path)
		if first, ok := c.files[key]; ok {
			c.errs.Add(o.Spec.At("out"), "out: would write %s, as %s does: rename one of the two specs, or give it another folder",
				shown(path), first.Spec.At("out"))
			return
		}
		c.files[key] = o
	}
}

// checkNames reports one name for each pair of entries: the others follow from
// it.
func (c *conflicts) checkNames(o *Output) {
	type pair struct{ mine, other string }
	reported := map[pair]bool{}
	for _, n := range o.Plan.Names {
		key := o.Place.Dir + "\x00" + n.Ident
		first, ok := c.names[key]
		if !ok {
			c.names[key] = owner{o, n.Entry}
			continue
		}
		if first.out == o {
			continue // one spec's own names are the plan's business
		}
		other := first.out.Spec.At(first.entry)
		if p := (pair{n.Entry, other.String()}); !reported[p] {
			reported[p] = true
			c.errs.Add(o.Spec.At(n.Entry), "%s: %s is also declared by %s (%s), in the same package",
				n.Entry, n.Ident, other, first.entry)
		}
	}
}

// checkFolder compares the package with the Go files of the folder that stay
// there as they are. Only files that the go command would build count:
// `//go:build ignore` often holds another package.
func (c *conflicts) checkFolder(o *Output) {
	entries, err := os.ReadDir(o.Place.Dir)
	if err != nil {
		return // the folder is new
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !isGo(e.Name()) || c.replaced(o.Place.Dir, e.Name()) {
			continue
		}
		name := packageClause(o.Place.Dir, e.Name())
		if name != "" && name != o.Spec.Package {
			c.errs.Add(o.Spec.At("package"), "package: %s, but %s says package %s",
				o.Spec.Package, shown(filepath.Join(o.Place.Dir, e.Name())), name)
			return
		}
	}
}

// replaced reports whether a file is ours to rewrite or remove now.
func (c *conflicts) replaced(dir, name string) bool {
	h, err := readHeader(filepath.Join(dir, name))
	if err != nil || h == nil {
		return false
	}
	origin, err := h.origin(dir)
	return err == nil && (c.atHand[origin] || gone(origin))
}

// packageClause is the name of the package that a file adds to, or "".
func packageClause(dir, name string) string {
	useHost()
	if ok, err := build.Default.MatchFile(dir, name); err != nil || !ok {
		return ""
	}
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.PackageClauseOnly)
	if err != nil {
		return ""
	}
	if strings.HasSuffix(name, "_test.go") && strings.HasSuffix(f.Name.Name, "_test") {
		return ""
	}
	return f.Name.Name
}
