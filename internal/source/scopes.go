package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
)

// A neighbour is a Go file of an output's package that is not ours to write.
type neighbour struct {
	File
	path string
	file *ast.File // imports only
}

// neighbours reads the imports of the files beside the outputs of a folder. Those
// of other packages, external tests among them, are none.
func (p *Package) neighbours(fset *token.FileSet) []neighbour {
	paths, err := goFiles(p.Dir)
	if err != nil {
		return nil
	}
	var all []neighbour
	for _, path := range paths {
		if p.owners[filepath.Base(path)] != nil || slices.Contains(p.leaving, path) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		f, _ := parser.ParseFile(fset, path, text, parser.ImportsOnly|parser.SkipObjectResolution)
		if f != nil && f.Name != nil && f.Name.Name == p.outs[0].Spec.Package {
			all = append(all, neighbour{File{filepath.Base(path), text}, path, f})
		}
	}
	return all
}

// dotImports lists what the tests among files import without a name.
func dotImports(all []neighbour) []string {
	var paths []string
	for _, n := range all {
		for _, i := range n.file.Imports {
			if isTest(n.Name) && i.Name != nil && i.Name.Name == "." {
				paths = append(paths, importPath(i))
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// checkFileScopes finds names of outputs that a file beside them gives to an
// import, or takes from a package that it imports without a name: Go has no two
// meanings of a name in a package's scope and in that of one of its files.
func (c *packageCheck) checkFileScopes() {
	for _, o := range c.outs {
		names := map[string]string{} // entries
		for _, n := range slices.Backward(o.Plan.Names) {
			names[n.Ident] = n.Entry
		}
		for _, n := range c.neighbours {
			if !o.platform.builds(n.File) && !together(n.File, o.Files) {
				continue
			}
			for _, i := range n.file.Imports {
				c.checkImport(o, names, i)
			}
		}
	}
}

func (c *packageCheck) checkImport(o *Output, names map[string]string, i *ast.ImportSpec) {
	path := importPath(i)
	name := importName(i, c.meta)
	if name == "" {
		name = guessName(path)
	}
	if name == "." {
		c.checkDotImport(o, i)
		return
	}
	if entry := names[name]; entry != "" {
		c.faults.Add(o.Spec.At(entry), "%s: %s is also what %s calls its import of %s, in the same package: give that import another name",
			entry, name, c.l.at(i.Pos()), path)
	}
}

// checkDotImport reports one name: the others follow from it.
func (c *packageCheck) checkDotImport(o *Output, i *ast.ImportSpec) {
	pkg, err := c.l.find(c.meta, importPath(i))
	if err != nil {
		return
	}
	for _, n := range o.Plan.Names {
		if obj := pkg.Scope().Lookup(n.Ident); obj != nil && obj.Exported() {
			c.faults.Add(o.Spec.At(n.Entry), "%s: %s is also taken from %s by the import at %s, in the same package: give that import a name",
				n.Entry, n.Ident, importPath(i), c.l.at(i.Pos()))
			return
		}
	}
}
