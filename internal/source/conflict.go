package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allocgen/allocgen/internal/plan"
	"github.com/allocgen/allocgen/internal/spec"
)

// Conflicts finds specs that cannot share an output folder: the same file, the
// same name in one package, different packages; and specs that disagree with the
// Go files that are already there.
func Conflicts(outs []*Output) spec.Errors {
	c := conflicts{
		files:    map[string]*Output{},
		packages: map[string]*Output{},
		names:    map[string][]owner{},
		mains:    map[string]bool{},
		atHand:   map[string]bool{},
		adding:   map[string]bool{},
	}
	for _, o := range outs {
		c.atHand[o.specPath()] = true
	}
	for _, o := range outs {
		c.add(o)
	}
	for _, o := range outs {
		c.checkImports(o)
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
	names    map[string][]owner // of methods as well: "Heap.Alloc"
	mains    map[string]bool    // folders in which there is a func main
	atHand   map[string]bool
	adding   map[string]bool // folders with methods whose type may be generated
	errs     spec.Errors
}

// An owner is what is behind a name: the entry of a spec, or a place in a file
// that stays as it is.
type owner struct {
	out   *Output
	entry string
	where string
	limit *File // the file, when it is not in every build
}

// taken finds who else declares a name in some build of an output.
func (c *conflicts) taken(o *Output, name string) (owner, bool) {
	for _, first := range c.names[o.Place.Dir+"\x00"+name] {
		if first.limit == nil || together(*first.limit, o.Files) {
			return first, true
		}
	}
	return owner{}, false
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
	c.checkMain(o)
	c.checkNames(o)
	c.checkNeeds(o)
}

// checkMain refuses a program that nothing starts. Where the output is not built
// here, the other files may not be either.
func (c *conflicts) checkMain(o *Output) {
	if o.Spec.Package == "main" && !c.mains[o.Place.Dir] && slices.ContainsFunc(o.Files, inHostBuild) {
		c.errs.Add(o.Spec.At("package"), "package: package main needs a func main in %s", shown(o.Place.Dir))
	}
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
	for _, n := range slices.Concat(o.Plan.Names, c.methods(o)) {
		first, ok := c.taken(o, n.Ident)
		if !ok {
			key := o.Place.Dir + "\x00" + n.Ident
			c.names[key] = append(c.names[key], owner{out: o, entry: n.Entry})
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

// methods lists the output's methods on its own types that others could have
// declared too: a file beside it may add methods to them.
func (c *conflicts) methods(o *Output) []plan.Name {
	if !c.adding[o.Place.Dir] {
		return nil
	}
	entries := map[string]string{}
	for _, n := range o.Plan.Names {
		entries[n.Ident] = n.Entry
	}
	var all []plan.Name
	for _, f := range o.Files {
		file, _ := parser.ParseFile(token.NewFileSet(), f.Name, f.Source, parser.SkipObjectResolution)
		if file == nil {
			continue
		}
		for _, m := range methods(file) {
			all = append(all, plan.Name{Ident: m.name, Entry: entries[m.recv]})
		}
	}
	return all
}

// checkImports refuses a name for an imported package that something in the
// package of the output has.
func (c *conflicts) checkImports(o *Output) {
	for _, name := range slices.Sorted(maps.Keys(o.Plan.Imports)) {
		if first, ok := c.taken(o, name); ok && first.out != o {
			key := "imports." + name
			c.errs.Add(o.Spec.At(key), "%s: %s is also declared by %s, in the same package: choose another name", key, name, first)
		}
	}
}

// checkNeeds refuses a file that declares what the output means something else
// by: a predeclared name, or the name of a package that it imports. As with
// checkNames, one name for each file.
func (c *conflicts) checkNeeds(o *Output) {
	reported := map[string]bool{}
	for _, name := range slices.Concat(types.Universe.Names(), slices.Sorted(maps.Keys(plan.Imports()))) {
		first, ok := c.taken(o, name)
		if !ok || first.out != nil || reported[first.file()] || !o.uses(name) {
			continue
		}
		reported[first.file()] = true
		c.errs.Add(o.Spec.At("package"), "package: the output uses Go's %s, but %s declares its own, in the same package: rename that one",
			name, first)
	}
}

// uses reports whether an identifier is in the output. What is no Go is for
// Finish to report.
func (o *Output) uses(name string) bool {
	found := false
	for _, f := range o.Files {
		file, _ := parser.ParseFile(token.NewFileSet(), f.Name, f.Source, parser.SkipObjectResolution)
		if file == nil {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && id.Name == name
			return !found
		})
	}
	return found
}
