package source

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"
)

// A loader type-checks packages and what they import, from source: dependencies
// need not compile, let alone have been compiled. Of files that are not ours
// only the declarations are looked at, and of what they import only what those
// need, which is a small part.
type loader struct {
	fset    *token.FileSet
	sizes   types.Sizes
	refusal error             // of the whole module, by the go command
	ours    map[string]*text  // by path
	done    map[string]*typed // by folder
	shared  map[string]*typed // the same of the standard library, for other loaders too
}

// A text is a file that is not on disk as it is here.
type text struct {
	file  *ast.File
	bytes []byte
	out   *Output
	probe bool
}

// A typed is a package, checked as far as that was possible.
type typed struct {
	pkg     *types.Package // nil while it is being checked
	defs    map[*ast.Ident]types.Object
	files   []*ast.File
	syntax  []error          // of files that are not ours
	errs    []types.Error    // without unused imports of files that are not ours
	imports map[string]error // of those that failed, by path
}

// newestGo allows what the toolchain allows; a file's own `//go:build go1.21`
// then lowers it for that file.
func newestGo() string {
	tags := build.Default.ReleaseTags
	return tags[len(tags)-1]
}

func goVersion(m *packages.Package) string {
	if m.Module == nil {
		return newestGo()
	}
	if m.Module.GoVersion == "" {
		return "go1.16" // as the go command has it
	}
	if v := "go" + m.Module.GoVersion; knownGo(v) {
		return v
	}
	return newestGo()
}

func (l *loader) check(m *packages.Package) *typed {
	if m.PkgPath == "unsafe" {
		return &typed{pkg: types.Unsafe}
	}
	done := l.done
	if m.Module == nil {
		done = l.shared
	}
	if t := done[m.Dir]; t != nil {
		return t
	}
	t := &typed{imports: map[string]error{}}
	done[m.Dir] = t
	hasOurs := l.parse(m, t)
	conf := types.Config{
		Importer:         importer(func(path string) (*types.Package, error) { return l.imported(m, t, path) }),
		Sizes:            l.sizes,
		GoVersion:        goVersion(m),
		IgnoreFuncBodies: !hasOurs,
		FakeImportC:      true,
		Error: func(err error) {
			var te types.Error
			if errors.As(err, &te) && (!te.Soft || l.isOurs(te.Pos)) {
				t.errs = append(t.errs, te)
			}
		},
	}
	info := &types.Info{}
	if hasOurs {
		t.defs = map[*ast.Ident]types.Object{}
		info.Defs = t.defs
	}
	// The errors have all been noted.
	t.pkg, _ = conf.Check(m.PkgPath, l.fset, t.files, info)
	return t
}

// parse reads the files of a package, ours first, and reports whether there are
// any of those.
func (l *loader) parse(m *packages.Package, t *typed) bool {
	var others []*ast.File
	for _, name := range m.GoFiles {
		if our := l.ours[name]; our != nil {
			t.files = append(t.files, our.file)
			continue
		}
		f, err := parser.ParseFile(l.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.syntax = append(t.syntax, err)
		}
		if f == nil || f.Name == nil || f.Name.Name == "" {
			continue
		}
		prune(f, m)
		others = append(others, f)
	}
	hasOurs := len(t.files) > 0
	t.files = append(t.files, others...)
	return hasOurs
}

func (l *loader) isOurs(pos token.Pos) bool { return l.ours[l.path(pos)] != nil }

func (l *loader) path(pos token.Pos) string { return l.fset.PositionFor(pos, false).Filename }

// at is how a place is shown.
func (l *loader) at(pos token.Pos) string {
	p := l.fset.PositionFor(pos, false)
	p.Filename = shown(p.Filename)
	return p.String()
}

type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }

func (l *loader) imported(m *packages.Package, t *typed, path string) (*types.Package, error) {
	pkg, err := l.find(m, path)
	if err != nil {
		t.imports[path] = err
	}
	return pkg, err
}

func (l *loader) find(m *packages.Package, path string) (*types.Package, error) {
	dep := m.Imports[path]
	if dep == nil {
		return nil, errors.New("go list does not know it")
	}
	if len(dep.GoFiles) == 0 && dep.PkgPath != "unsafe" {
		if len(dep.Errors) > 0 && l.refusal != nil {
			return nil, l.refusal
		}
		if len(dep.Errors) > 0 {
			return nil, errors.New(oneLine(dep.Errors[0].Msg))
		}
		return nil, errors.New("no Go files are built there")
	}
	got := l.check(dep)
	if got.pkg == nil {
		return nil, fmt.Errorf("import cycle through %s", path)
	}
	return got.pkg, nil
}

// prune takes what declarations do not need from a file: the bodies of
// functions, and then the imports that nothing uses any more.
func prune(f *ast.File, m *packages.Package) {
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				n.Body = endless(n.Body)
			}
		case *ast.FuncLit:
			n.Body = endless(n.Body)
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	// What a package that cannot be found calls itself is not known: it is kept
	// when something is used that no other import explains.
	unexplained := len(used)
	for _, i := range f.Imports {
		if used[importName(i, m)] {
			unexplained--
		}
	}
	needless := func(s ast.Spec) bool {
		i, ok := s.(*ast.ImportSpec)
		if !ok {
			return false
		}
		switch name := importName(i, m); name {
		case ".":
			return false
		case "":
			return unexplained == 0
		default:
			return !used[name]
		}
	}
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		imports, ok := d.(*ast.GenDecl)
		if !ok || imports.Tok != token.IMPORT {
			return false
		}
		imports.Specs = slices.DeleteFunc(imports.Specs, needless)
		return len(imports.Specs) == 0
	})
}

// endless stands for any body: it needs no return.
func endless(body *ast.BlockStmt) *ast.BlockStmt {
	at := body.Lbrace
	loop := &ast.ForStmt{For: at, Body: &ast.BlockStmt{Lbrace: at, Rbrace: at}}
	return &ast.BlockStmt{Lbrace: at, List: []ast.Stmt{loop}, Rbrace: body.Rbrace}
}

// importName is the name of an import in its file, or "" when that cannot be
// known.
func importName(i *ast.ImportSpec, m *packages.Package) string {
	if i.Name != nil {
		return i.Name.Name
	}
	name := importPath(i)
	if name == "C" || name == "unsafe" {
		return name
	}
	if dep := m.Imports[name]; dep != nil {
		return dep.Name
	}
	return ""
}

func importPath(i *ast.ImportSpec) string {
	name, err := strconv.Unquote(i.Path.Value)
	if err != nil {
		return ""
	}
	return name
}

// guessName is what a package is most likely called.
func guessName(importPath string) string {
	base := path.Base(importPath)
	if len(base) > 1 && base[0] == 'v' && base[1] >= '0' && base[1] <= '9' {
		base = path.Base(path.Dir(importPath))
	}
	return base
}
