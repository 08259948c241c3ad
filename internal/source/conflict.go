package source

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/allocgen/allocgen/internal/spec"
)

// Conflicts finds specs that cannot share an output folder: the same file, the
// same name in one package, different packages; and specs that disagree with the
// Go files that are already there.
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

// An owner is what is behind a name: the entry of a spec, or a place in a file
// that stays as it is.
type owner struct {
	out   *Output
	entry string
	where string
}

// file tells one side of a conflict from others: of two files that declare many
// names alike one is reported.
func (o owner) file() string {
	if o.out == nil {
		file, _, _ := strings.Cut(o.where, ":")
		return file
	}
	return o.String()
}

func (o owner) String() string {
	if o.out == nil {
		return o.where
	}
	return fmt.Sprintf("%s (%s)", o.out.Spec.At(o.entry), o.entry)
}

func (c *conflicts) add(o *Output) {
	c.checkFiles(o)
	first, ok := c.packages[o.Place.Dir]
	if !ok {
		c.packages[o.Place.Dir] = o
		c.readFolder(o)
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
			c.names[key] = owner{out: o, entry: n.Entry}
			continue
		}
		if first.out == o {
			continue // one spec's own names are the plan's business
		}
		if p := (pair{n.Entry, first.file()}); !reported[p] {
			reported[p] = true
			c.errs.Add(o.Spec.At(n.Entry), "%s: %s is also declared by %s, in the same package", n.Entry, n.Ident, first)
		}
	}
}

// readFolder looks at the Go files of an output folder that stay there as they
// are: their package, and what they declare. Only files that the go command
// would build count: `//go:build ignore` often holds another package.
func (c *conflicts) readFolder(o *Output) {
	entries, err := os.ReadDir(o.Place.Dir)
	if err != nil {
		return // the folder is new
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !isGo(e.Name()) || c.replaced(o.Place.Dir, e.Name()) {
			continue
		}
		fset := token.NewFileSet()
		f := parseFile(fset, o.Place.Dir, e.Name())
		if f == nil {
			continue
		}
		if f.Name.Name != o.Spec.Package {
			c.errs.Add(o.Spec.At("package"), "package: %s, but %s says package %s",
				o.Spec.Package, shown(filepath.Join(o.Place.Dir, e.Name())), f.Name.Name)
			return
		}
		for _, id := range declared(f) {
			pos := fset.Position(id.Pos())
			c.names[o.Place.Dir+"\x00"+id.Name] = owner{
				where: fmt.Sprintf("%s:%d:%d", shown(pos.Filename), pos.Line, pos.Column),
			}
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

// parseFile reads a file that adds to the folder's package, as far as it can be
// read; nil when it adds nothing.
func parseFile(fset *token.FileSet, dir, name string) *ast.File {
	useHost()
	if ok, err := build.Default.MatchFile(dir, name); err != nil || !ok {
		return nil
	}
	f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
	if f == nil || f.Name == nil || err != nil && f.Name.Name == "" {
		return nil
	}
	if strings.HasSuffix(name, "_test.go") && strings.HasSuffix(f.Name.Name, "_test") {
		return nil
	}
	return f
}

// declared lists the package-level identifiers of a file.
func declared(f *ast.File) []*ast.Ident {
	var out []*ast.Ident
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				out = append(out, d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					out = append(out, s.Name)
				case *ast.ValueSpec:
					out = append(out, s.Names...)
				}
			}
		}
	}
	return out
}
