package spec

import (
	"path"
	"regexp"
	"strings"
	"unicode"
)

// Out decodes `out`, a folder whose path can be imported.
func (d *decoder) out(n *node) string {
	const def = "."
	out, ok := d.text(n, "a relative path")
	if !ok {
		return def
	}
	if problem := checkOut(out); problem != "" {
		d.fail(n, "%s %s", show(out), problem)
		return def
	}
	return path.Clean(out)
}

var drive = regexp.MustCompile(`^[A-Za-z]:`)

func checkOut(out string) string {
	switch {
	case out == "":
		return "is no path: write . for the spec's own folder"
	case strings.Contains(out, `\`):
		return "has a backslash: write / between folders"
	case strings.HasPrefix(out, "/"), strings.HasPrefix(out, "~"), drive.MatchString(out):
		return "is not relative: write a path relative to the spec, such as ../generated/pools"
	}
	// Only names in out itself are checked: the spec's own folder may be below
	// testdata, where a repository keeps specs for its tests.
	for _, name := range strings.Split(path.Clean(out), "/") {
		if problem := checkFolder(name); problem != "" {
			return problem
		}
	}
	return ""
}

// Names that Windows reserves, with any extension, and its short names; the go
// command refuses to import both everywhere.
var reserved = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[1-9]|lpt[1-9]|[^.]*~[0-9]+)(\..*)?$`)

// CheckFolder says why the go command cannot import a folder of this name, or
// does not see it.
func checkFolder(name string) string {
	if name == "." || name == ".." {
		return ""
	}
	for _, r := range name {
		if !isASCIIAlnum(r) && !strings.ContainsRune("-_.~", r) {
			return "cannot be imported: the character " + show(string(r)) + " is not allowed here: write letters from a to z or A to Z, digits, -, _, . and ~"
		}
	}
	switch {
	case !isASCIIAlnum(rune(name[0])):
		return "has the folder " + show(name) + ", which Go cannot import or does not see: start its name with a letter or digit"
	case strings.HasSuffix(name, "."):
		return "has the folder " + show(name) + ", which cannot be imported: remove the dot at the end"
	case name == "testdata" || name == "vendor":
		return "has the folder " + name + ", which the go command skips: choose another name"
	case reserved.MatchString(name):
		return "has the folder " + show(name) + ", which Windows reserves, so that it cannot be imported: choose another name"
	}
	return ""
}

func isASCIIAlnum(r rune) bool {
	return '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
}

// Doc decodes `doc`, which becomes lines of a // comment: it must stay one, and
// must not be read as anything but documentation.
func (d *decoder) doc(n *node) string {
	doc, ok := d.text(n, "text")
	if !ok {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(doc), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
		if problem := checkDocLine(line); problem != "" {
			d.fail(n, "%s: %s", show(strings.TrimSpace(line)), problem)
			return ""
		}
	}
	return strings.Join(lines, "\n")
}

var (
	directive = regexp.MustCompile(`^(//|go:|\+build\b|#cgo\b|line [^ ]*:\d+|export \w+$|extern \w+$)`)
	header    = regexp.MustCompile(`(?i)^(code generated\b.*\bdo not edit\b|allocgen:)`)
)

func checkDocLine(line string) string {
	for _, r := range line {
		if r != '\t' && (unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control) || r == '\ufeff') {
			return "a control character: remove it"
		}
	}
	switch text := strings.TrimSpace(line); {
	case strings.Contains(text, "*/"), strings.Contains(text, "/*"):
		return "the marks of a comment cannot be part of documentation: remove them"
	case directive.MatchString(text):
		return "reads as a directive: start the line with another word"
	case header.MatchString(text):
		return "reads as the header of a generated file: start the line with another word"
	}
	return ""
}
