package source

import (
	"bytes"
	"go/build"
	"go/build/constraint"
	"io"
	"iter"
	"runtime"
	"slices"
	"strings"
)

// A platform is what decides which files the go command builds.
type platform struct {
	goos, goarch string
	tags         string // separated by commas
}

// host is this machine, whatever GOOS and GOARCH say, with no tags given.
func host() platform { return platform{goos: runtime.GOOS, goarch: runtime.GOARCH} }

func (p platform) context() build.Context {
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH = p.goos, p.goarch
	ctx.CgoEnabled = p.cgo() == "1"
	ctx.BuildTags = nil
	if p.tags != "" {
		ctx.BuildTags = strings.Split(p.tags, ",")
	}
	return ctx
}

// cgo is the value of CGO_ENABLED there, as the go command has it where there is
// a C compiler: whether there is one changes nothing either.
func (p platform) cgo() string {
	if h := host(); p.goos == h.goos && p.goarch == h.goarch {
		return "1"
	}
	return "0"
}

// builds reports whether the go command would build a file there.
func (p platform) builds(f File) bool {
	ctx := p.context()
	ctx.OpenFile = func(string) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(f.Source)), nil
	}
	ok, err := ctx.MatchFile("", f.Name)
	return err == nil && ok
}

func (p platform) buildsAny(files []File) bool { return slices.ContainsFunc(files, p.builds) }

// inHostBuild reports whether the go command would build a file here.
func inHostBuild(f File) bool { return host().builds(f) }

// namedForAll reports whether the name of a file leaves it to the file's
// //go:build line where it is built. A name that does not would take the file
// out of the build, and of the type-check, without a word.
func namedForAll(name string) bool {
	return platform{goos: "none", goarch: "none"}.builds(File{name, []byte("package p\n")})
}

// platformOf is where an output is checked: here when it is built here, else
// the first platform where it is. An output that is built nowhere is checked as
// if here: there is nothing in it then.
func platformOf(o *Output) platform {
	files := slices.DeleteFunc(slices.Clone(o.Files), func(f File) bool { return isTest(f.Name) })
	for p := range platforms(files) {
		if p.buildsAny(files) {
			return p
		}
	}
	return host()
}

// together reports whether some platform builds both a file and one of others.
func together(f File, others []File) bool {
	for p := range platforms(append(slices.Clone(others), f)) {
		if p.builds(f) && p.buildsAny(others) {
			return true
		}
	}
	return false
}

// maxTags bounds the time that trying all combinations of tags takes.
const maxTags = 6

// platforms yields this machine first, and every other one with every set of the
// tags that the files name.
func platforms(files []File) iter.Seq[platform] {
	tags := customTags(files)
	if len(tags) > maxTags {
		tags = tags[:maxTags]
	}
	return func(yield func(platform) bool) {
		for _, p := range append([]platform{host()}, ports...) {
			for set := range 1 << len(tags) {
				var on []string
				for i, tag := range tags {
					if set>>i&1 == 1 {
						on = append(on, tag)
					}
				}
				p.tags = strings.Join(on, ",")
				if !yield(p) {
					return
				}
			}
		}
	}
}

// customTags lists what the build lines of files name and no platform decides.
// By convention nobody gives the tag ignore.
func customTags(files []File) []string {
	decided := map[string]bool{"ignore": true, "unix": true, "cgo": true, "gc": true, "gccgo": true}
	for _, p := range ports {
		decided[p.goos], decided[p.goarch] = true, true
	}
	for _, tag := range build.Default.ReleaseTags {
		decided[tag] = true
	}
	var tags []string
	for _, f := range files {
		expr := buildLine(f.Source)
		if expr == nil {
			continue
		}
		expr.Eval(func(tag string) bool {
			if !decided[tag] && !slices.Contains(tags, tag) {
				tags = append(tags, tag)
			}
			return false
		})
	}
	return tags
}

// buildLine is the //go:build expression of a file, or nil.
func buildLine(text []byte) constraint.Expr {
	for line := range bytes.Lines(text) {
		switch line = bytes.TrimSpace(line); {
		case constraint.IsGoBuild(string(line)):
			expr, err := constraint.Parse(string(line))
			if err != nil {
				return nil
			}
			return expr
		case bytes.HasPrefix(line, []byte("package ")):
			return nil
		}
	}
	return nil
}

// ports are the platforms of Go, those that are likely to be meant first.
var ports = func() (all []platform) {
	for _, list := range []string{
		"linux amd64 arm64 386 arm loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x",
		"darwin arm64 amd64", "windows amd64 arm64 386", "freebsd amd64 arm64 386 arm riscv64",
		"netbsd amd64 arm64 386 arm", "openbsd amd64 arm64 386 arm ppc64 riscv64", "dragonfly amd64",
		"solaris amd64", "illumos amd64", "aix ppc64", "android arm64 amd64 386 arm", "ios arm64 amd64",
		"js wasm", "wasip1 wasm", "plan9 amd64 386 arm",
	} {
		words := strings.Fields(list)
		for _, arch := range words[1:] {
			all = append(all, platform{goos: words[0], goarch: arch})
		}
	}
	return all
}()
