package spec

import (
	"go/build/constraint"
	"regexp"
	"slices"
	"strings"
)

// Build decodes `build`, to the spelling that gofmt would give it.
func (d *decoder) build(n *node) string {
	if n == nil {
		return ""
	}
	text, ok := d.text(n, "a //go:build expression")
	switch {
	case !ok || text == "":
		return ""
	case strings.ContainsAny(text, "\r\n"):
		d.fail(n, "an expression is one line: write it without a line break, such as linux && amd64")
		return ""
	case strings.HasPrefix(text, "//"), strings.HasPrefix(text, "+build"):
		d.fail(n, "%s: write the expression alone, such as linux && amd64", show(text))
		return ""
	}
	expr, err := constraint.Parse("//go:build " + text)
	if err != nil {
		d.fail(n, "%s is not a //go:build expression, such as linux && amd64: %s", show(text), buildProblem(err))
		return ""
	}
	if problem := checkBuild(expr); problem != "" {
		d.fail(n, "%s", problem)
		return ""
	}
	return expr.String()
}

func buildProblem(err error) string {
	if syntax, ok := err.(*constraint.SyntaxError); ok {
		return syntax.Err
	}
	return err.Error()
}

var goVersion = regexp.MustCompile(`^go[0-9]`)

// CheckBuild says why nothing useful could be built where expr is true, or "".
func checkBuild(expr constraint.Expr) string {
	tags := tagsOf(expr)
	if i := slices.IndexFunc(tags, goVersion.MatchString); i >= 0 {
		return show(tags[i]) + ": the output is for go1.21 and newer: leave Go versions out"
	}
	if len(tags) <= maxTags && !canBeTrue(expr, tags) {
		return show(expr.String()) + " is never true (a build has one GOOS and one GOARCH): correct it, or remove the key"
	}
	return ""
}

// TagsOf is the distinct tags of expr; Eval asks for each.
func tagsOf(expr constraint.Expr) []string {
	var tags []string
	expr.Eval(func(tag string) bool {
		if !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
		return false
	})
	return tags
}

// MaxTags bounds the time that trying all combinations of tags takes. Longer
// expressions are left to the go command.
const maxTags = 12

// CanBeTrue says whether some build has tags that satisfy expr: those of one
// GOOS, one GOARCH, and any others.
func canBeTrue(expr constraint.Expr, tags []string) bool {
	others := slices.DeleteFunc(slices.Clone(tags), func(tag string) bool {
		return tag == "unix" || systems[tag] != nil || architectures[tag]
	})
	for _, fixed := range platforms(tags) {
		for set := range 1 << len(others) {
			if expr.Eval(func(tag string) bool {
				i := slices.Index(others, tag)
				return i >= 0 && set>>i&1 == 1 || slices.Contains(fixed, tag)
			}) {
				return true
			}
		}
	}
	return false
}

// Platforms is what a GOOS and a GOARCH can make true of tags, each set once.
func platforms(tags []string) (sets [][]string) {
	add := func(goos string, arch ...string) {
		holds := slices.DeleteFunc(slices.Concat(systems[goos], arch), func(tag string) bool { return !slices.Contains(tags, tag) })
		if !slices.ContainsFunc(sets, func(set []string) bool { return slices.Equal(set, holds) }) {
			sets = append(sets, holds)
		}
	}
	for goos := range systems {
		add(goos) // with a GOARCH that no tag names
		for _, tag := range tags {
			if architectures[tag] {
				add(goos, tag)
			}
		}
	}
	return sets
}

// Systems is the tags that are true with each GOOS. This list and the next are
// those of Go's internal/syslist.
var systems = map[string][]string{
	"aix":       {"aix", "unix"},
	"android":   {"android", "linux", "unix"},
	"darwin":    {"darwin", "unix"},
	"dragonfly": {"dragonfly", "unix"},
	"freebsd":   {"freebsd", "unix"},
	"hurd":      {"hurd", "unix"},
	"illumos":   {"illumos", "solaris", "unix"},
	"ios":       {"ios", "darwin", "unix"},
	"js":        {"js"},
	"linux":     {"linux", "unix"},
	"nacl":      {"nacl"},
	"netbsd":    {"netbsd", "unix"},
	"openbsd":   {"openbsd", "unix"},
	"plan9":     {"plan9"},
	"solaris":   {"solaris", "unix"},
	"wasip1":    {"wasip1"},
	"windows":   {"windows"},
	"zos":       {"zos"},
}

var architectures = map[string]bool{
	"386": true, "amd64": true, "amd64p32": true, "arm": true, "armbe": true, "arm64": true, "arm64be": true,
	"loong64": true, "mips": true, "mipsle": true, "mips64": true, "mips64le": true, "mips64p32": true,
	"mips64p32le": true, "ppc": true, "ppc64": true, "ppc64le": true, "riscv": true, "riscv64": true,
	"s390": true, "s390x": true, "sparc": true, "sparc64": true, "wasm": true,
}
