package spec

import (
	"go/token"
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"
)

// PackageName decodes `package`.
func (d *decoder) packageName(n *node) string {
	name, ok := d.text(n, "the name of a package")
	if !ok {
		return ""
	}
	problem := checkIdentifier(name)
	switch {
	case problem != "":
	case strings.HasSuffix(name, "_test"):
		problem = "is for test files: choose a name that does not end in _test"
	case name == "documentation":
		problem = "is a package that the go command ignores: choose another name"
	}
	if problem != "" {
		d.fail(n, "%s %s", show(name), problem)
		return ""
	}
	return name
}

// CheckIdentifier says why name cannot be declared, or "".
func checkIdentifier(name string) string {
	switch {
	case token.IsKeyword(name):
		return "is a keyword of Go: choose another name"
	case !token.IsIdentifier(name):
		return "is not a Go identifier: letters, digits and _, no digit first"
	case name == "_":
		return "is not a name: use a letter first"
	case types.Universe.Lookup(name) != nil:
		return "is predeclared in Go: choose another name"
	case utf8.RuneCountInString(name) > maxShown:
		return "is longer than 64 characters"
	}
	return ""
}

// EntryName checks the key of an entry against Go, and against the entries
// before it.
func (d *decoder) entryName(f field, seen map[string]field) bool {
	if problem := checkEntry(f); problem != "" {
		d.failAt(f.pos, f.path, "%s %s", show(f.name), problem)
		return false
	}
	if before, ok := seen[folded(f.name)]; ok {
		problem := "differs only in the case of the first letter: choose another name"
		if before.name == f.name {
			problem = "has the same name: choose another"
		}
		d.failAt(f.pos, f.path, "%s at %s %s", before.path, before.pos, problem)
		return false
	}
	seen[folded(f.name)] = f
	return true
}

func checkEntry(f field) string {
	first, _ := utf8.DecodeRuneInString(f.name)
	if f.plain && isYAMLBool(f.name) {
		return "is a boolean to YAML 1.1: write the key with quotes"
	}
	if strings.ContainsAny(f.name, "[]") {
		return "has type parameters: not supported yet"
	}
	if problem := checkIdentifier(f.name); problem != "" {
		return problem
	}
	switch {
	case f.name == "init" || f.name == "main":
		return "has a meaning of its own in Go: choose another name"
	case first >= utf8.RuneSelf || !unicode.IsLetter(first):
		return "must start with a letter from a to z or A to Z, which says whether the type is exported"
	}
	return ""
}

// Folded is name with its first letter in lower case.
func folded(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(first)) + name[size:]
}
