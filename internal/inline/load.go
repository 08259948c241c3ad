package inline

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/allocgen/allocgen/internal/plan"
	"github.com/allocgen/allocgen/internal/source"
	"github.com/allocgen/allocgen/internal/spec"
)

// A program is the packages that were asked for, and the generated ones that
// they import.
type program struct {
	patterns []string // that build these packages
	packages []*packages.Package
	entries  []*entry
	byName   map[symbol]*entry
}

// A symbol is a function or method: the path of its package and, within that,
// "HeapBin.Alloc".
type symbol struct{ path, name string }

// An entry is an entry point of a generated package, with its promise.
type entry struct {
	plan.Promise
	pkg      *packages.Package
	spec     string // for messages
	compiler string // the compiler's name of it: "(*HeapBin).Alloc"
	from, to place  // the declaration
	missing  string // why there is none, or ""
}

// errNothing is for packages without a promise among them.
var errNothing = errors.New("no generated package among these packages or in what they import: nothing is proven")

// load finds the packages, their types, and what is promised of them.
func load(dir string, patterns []string) (*program, error) {
	conf := &packages.Config{
		Dir:        dir,
		BuildFlags: release,
		Mode:       packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule,
	}
	roots, err := packages.Load(conf, patterns...)
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	if err := loadErrors(roots); err != nil {
		return nil, err
	}
	if len(roots) == 0 {
		return nil, fmt.Errorf("no packages match %s", strings.Join(patterns, " "))
	}
	prog := &program{patterns: slices.Clone(patterns), byName: map[symbol]*entry{}}
	generated, err := findGenerated(roots)
	if err != nil {
		return nil, err
	}
	if len(generated) == 0 {
		return nil, errNothing
	}
	for _, g := range generated {
		if !slices.Contains(roots, g.pkg) {
			prog.patterns = append(prog.patterns, g.pkg.PkgPath)
		}
	}
	conf.Fset = token.NewFileSet()
	conf.Mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedModule | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo
	if prog.packages, err = packages.Load(conf, prog.patterns...); err != nil {
		return nil, err
	}
	if err := loadErrors(prog.packages); err != nil {
		return nil, err
	}
	prog.addEntries(generated)
	return prog, nil
}

// loadErrors joins the errors of packages and of what they import: those of the
// parser and the type checker, or else the go command's, which may repeat them.
func loadErrors(pkgs []*packages.Package) error {
	var listed, checked []error
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			switch {
			case e.Kind == packages.ParseError || e.Kind == packages.TypeError:
				checked = append(checked, e)
			case e.Pos == "" || e.Pos == "-":
				listed = append(listed, errors.New(e.Msg))
			default:
				listed = append(listed, e)
			}
		}
	})
	if len(checked) > 0 {
		listed = checked
	}
	return errors.Join(listed...)
}

// A generatedPackage is a package with the plans of its specs.
type generatedPackage struct {
	pkg   *packages.Package
	plans []*plan.Plan
}

// findGenerated looks for generated packages among some and all that they
// import, in the order of their paths.
func findGenerated(roots []*packages.Package) ([]generatedPackage, error) {
	var found []generatedPackage
	var errs []error
	packages.Visit(roots, nil, func(p *packages.Package) {
		if p.Module == nil && !slices.Contains(roots, p) {
			return // the standard library
		}
		plans, err := plansIn(p.Dir)
		switch {
		case err == nil:
		case errors.Is(err, fs.ErrNotExist) && p.Module != nil && !p.Module.Main:
			return // of a module that comes without its specs: its own tests prove it
		default:
			errs = append(errs, err)
		}
		if len(plans) > 0 {
			found = append(found, generatedPackage{p, plans})
		}
	})
	slices.SortFunc(found, func(a, b generatedPackage) int { return strings.Compare(a.pkg.PkgPath, b.pkg.PkgPath) })
	return found, errors.Join(errs...)
}

// plansIn decides the specs whose output is in a folder.
func plansIn(dir string) ([]*plan.Plan, error) {
	specs, err := source.Origins(dir)
	if err != nil {
		return nil, err
	}
	var plans []*plan.Plan
	var errs spec.Errors
	for _, f := range specs {
		s, bad := spec.Parse(f.Name, f.Text)
		errs = append(errs, bad...)
		if len(bad) > 0 {
			continue
		}
		p, bad := plan.Build(s, source.Beside(source.Place{Dir: dir}))
		errs = append(errs, bad...)
		plans = append(plans, p)
	}
	if len(errs) > 0 {
		errs.Sort()
		return nil, errs
	}
	return plans, nil
}

// addEntries finds the declarations of all entry points.
func (prog *program) addEntries(generated []generatedPackage) {
	for _, g := range generated {
		i := slices.IndexFunc(prog.packages, func(p *packages.Package) bool { return p.ID == g.pkg.ID })
		pkg := prog.packages[i]
		decls := methods(pkg)
		for _, p := range g.plans {
			missing := "not in the package: run allocgen gen"
			if !slices.ContainsFunc(p.Promises, func(promise plan.Promise) bool { return decls[promise.Func] != nil }) {
				missing = "not built here, by the //go:build lines of the output"
			}
			goMemory := slices.ContainsFunc(pkg.GoFiles, func(name string) bool {
				return filepath.Base(name) == p.Base+"_goheap_gen.go"
			})
			for _, promise := range p.Promises {
				if promise.System && goMemory {
					promise.Called = "in Go memory"
				}
				e := &entry{Promise: promise, pkg: pkg, spec: p.File, compiler: promise.Func}
				if d := decls[promise.Func]; d == nil {
					e.missing = missing
				} else {
					e.compiler = compilerName(d)
					e.from, e.to = position(pkg.Fset, d.Pos()), position(pkg.Fset, d.End())
				}
				prog.entries = append(prog.entries, e)
				prog.byName[symbol{pkg.PkgPath, promise.Func}] = e
			}
		}
	}
}

// methods are the methods that a package declares, by "Type.Method".
func methods(pkg *packages.Package) map[string]*ast.FuncDecl {
	out := map[string]*ast.FuncDecl{}
	for _, file := range pkg.Syntax {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				owner, _ := receiver(f)
				out[owner+"."+f.Name.Name] = f
			}
		}
	}
	return out
}

// receiver is the type that a method belongs to.
func receiver(f *ast.FuncDecl) (name string, pointer bool) {
	t := ast.Unparen(f.Recv.List[0].Type)
	if star, ok := t.(*ast.StarExpr); ok {
		t, pointer = star.X, true
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	if id, ok := t.(*ast.Ident); ok {
		name = id.Name
	}
	return name, pointer
}

// compilerName is how the compiler writes the name of a method.
func compilerName(f *ast.FuncDecl) string {
	owner, pointer := receiver(f)
	if pointer {
		owner = "(*" + owner + ")"
	}
	return owner + "." + f.Name.Name
}

func position(fset *token.FileSet, pos token.Pos) place {
	p := fset.Position(pos)
	return place{p.Filename, p.Line, p.Column}
}
