package source

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// maxTypeErrors keeps a bug in one template from filling the screen: it shows
// in every package.
const maxTypeErrors = 10

// typecheck checks what the go command would build here, in release: all files
// of a folder together, without tests. It runs no command.
func typecheck(pkgs []*Package) error {
	useHost()
	fset := token.NewFileSet()
	c := checker{fset: fset, imports: importer.ForCompiler(fset, "source", nil)}
	for _, p := range pkgs {
		c.check(p)
		if c.importErr != nil {
			return c.importErr
		}
		if len(c.errs) >= maxTypeErrors {
			break
		}
	}
	return errors.Join(c.errs...)
}

// useHost makes build.Default, by which the source importer goes, mean this
// machine whatever GOOS and GOARCH say, and no cgo, whose half of a package is
// not needed. A released binary does not know where Go is: the go command in
// PATH, which is not run, then tells.
var useHost = sync.OnceFunc(func() {
	build.Default.GOOS = runtime.GOOS
	build.Default.GOARCH = runtime.GOARCH
	build.Default.CgoEnabled = false
	if inStandardLibrary("unsafe") {
		return
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		return
	}
	if tool, err = filepath.EvalSymlinks(tool); err == nil {
		build.Default.GOROOT = filepath.Dir(filepath.Dir(tool))
	}
})

// inStandardLibrary reports whether the source of a package is there. Package
// build would run the go command to find any other.
func inStandardLibrary(path string) bool {
	root := build.Default.GOROOT
	info, err := os.Stat(filepath.Join(root, "src", filepath.FromSlash(path)))
	return root != "" && err == nil && info.IsDir()
}

// A checker shares the imported packages, which take most of the time, between
// all output packages.
type checker struct {
	fset      *token.FileSet
	imports   types.Importer
	importErr error
	errs      []error
}

// Import implements types.Importer. It fails when Go's source is not where it
// should be: the other errors of the package then only follow from that.
func (c *checker) Import(path string) (pkg *types.Package, err error) {
	if inStandardLibrary(path) {
		pkg, err = c.imports.Import(path)
	} else {
		err = fs.ErrNotExist
	}
	if err != nil && c.importErr == nil {
		c.importErr = fmt.Errorf("type-check: cannot import %q from the source of Go (GOROOT is %q): %w",
			path, build.Default.GOROOT, err)
	}
	return pkg, err
}

func (c *checker) check(p *Package) {
	var files []*ast.File
	texts := map[string][]byte{}
	for _, f := range p.Files {
		if strings.HasSuffix(f.Name, "_test.go") || !inHostBuild(f) {
			continue
		}
		name := p.shown(f.Name)
		file, err := parser.ParseFile(c.fset, name, f.Source, parser.SkipObjectResolution)
		if err != nil {
			c.errs = append(c.errs, err)
			return
		}
		files = append(files, file)
		texts[name] = f.Source
	}
	for _, f := range ownFiles(c.fset, p.Dir) {
		if name := p.shown(filepath.Base(c.fset.Position(f.Pos()).Filename)); texts[name] == nil {
			files = append(files, f)
		}
	}
	conf := types.Config{
		Importer:  c,
		Sizes:     types.SizesFor("gc", build.Default.GOARCH),
		GoVersion: newestGo(),
		Error:     func(err error) { c.report(texts, err) },
	}
	// The errors have all been reported.
	_, _ = conf.Check(p.Name, c.fset, files, nil)
}

// newestGo allows what the toolchain allows; a file's own `//go:build go1.21`
// then lowers it for that file.
func newestGo() string {
	tags := build.Default.ReleaseTags
	return tags[len(tags)-1]
}

// report shows the line as well: no file holds it.
func (c *checker) report(texts map[string][]byte, err error) {
	var te types.Error
	if len(c.errs) >= maxTypeErrors || !errors.As(err, &te) {
		return
	}
	pos := te.Fset.Position(te.Pos)
	if texts[pos.Filename] == nil {
		return // a file of the user
	}
	var line []byte
	if lines := bytes.Split(texts[pos.Filename], []byte("\n")); pos.Line > 0 && pos.Line <= len(lines) {
		line = bytes.TrimSpace(lines[pos.Line-1])
	}
	c.errs = append(c.errs, fmt.Errorf("%s: bug in a template: %s: in the line `%s`", pos, te.Msg, line))
}

// inHostBuild reports whether the go command would build a file here, with no
// tags given.
func inHostBuild(f File) bool { return matches(build.Default, f) }

// namedForAll reports whether the name of a file leaves it to the file's
// //go:build line where it is built. A name that does not would take the file
// out of the build, and of the type-check, without a word.
func namedForAll(name string) bool {
	nowhere := build.Default
	nowhere.GOOS, nowhere.GOARCH = "none", "none"
	return matches(nowhere, File{name, []byte("package p\n")})
}

func matches(ctx build.Context, f File) bool {
	ctx.BuildTags = nil
	ctx.OpenFile = func(string) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(f.Source)), nil
	}
	ok, err := ctx.MatchFile("", f.Name)
	return err == nil && ok
}
