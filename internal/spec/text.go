package spec

import (
	"go/build/constraint"
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
	for _, r := range out {
		// What Go's specification lets a compiler exclude from import paths.
		if !unicode.IsGraphic(r) || unicode.IsSpace(r) || strings.ContainsRune("!\"#$%&'()*,:;<=>?[]^`{|}\ufffd", r) {
			return "cannot be imported: the character " + show(string(r)) + " is not allowed in an import path"
		}
	}
	return ""
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

// Build decodes `build`, to the spelling that gofmt would give it.
func (d *decoder) build(n *node) string {
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
	return expr.String()
}

func buildProblem(err error) string {
	if syntax, ok := err.(*constraint.SyntaxError); ok {
		return syntax.Err
	}
	return err.Error()
}
