package source

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/allocgen/allocgen/internal/spec"
)

// A Place is where the output of a spec goes.
type Place struct {
	Dir  string // absolute
	Spec string // path of the spec relative to Dir, with forward slashes: the same on every machine
}

// Locate finds the output folder of a spec: it lies inside the module that
// holds the spec, links resolved, so that a spec from elsewhere cannot write
// just anywhere.
func Locate(f SpecFile, s *spec.Spec) (Place, spec.Errors) {
	var errs spec.Errors
	dir, problem := locate(f, s.Out)
	if problem != "" {
		errs.Add(s.At("out"), "out: %s", problem)
		return Place{}, errs
	}
	rel, err := filepath.Rel(dir, f.Path)
	if err != nil {
		errs.Add(s.At("out"), "out: %v", err)
	} else if problem := checkName(rel); problem != "" {
		errs.Add(s.At(""), "%s", problem)
	}
	return Place{Dir: dir, Spec: filepath.ToSlash(rel)}, errs
}

// checkName says why the path of a spec cannot stand in the header of its
// output, or its name not open the names of the output files; or "". The go
// command ignores files that start with '_' or '.', and looks for the name of a
// system only before the first dot; other systems and tools mind quotes, colons
// and the like.
func checkName(rel string) string {
	// A line break would end the header's comment, and Go text is UTF-8.
	if !utf8.ValidString(rel) || strings.IndexFunc(rel, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0 {
		return fmt.Sprintf("the path of the spec, %q, cannot stand in a comment: rename it", rel)
	}
	name := filepath.Base(rel)
	base := strings.TrimSuffix(name, filepath.Ext(name))
	if first, _ := utf8.DecodeRuneInString(base); !isLetterOrDigit(first) || strings.ContainsFunc(base, notInName) {
		return fmt.Sprintf("the names of the output files start with the name of the spec, and %q does not do for that: "+
			"use letters, digits, '_' and '-', and a letter or digit first", base)
	}
	return ""
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func notInName(r rune) bool { return !isLetterOrDigit(r) && r != '_' && r != '-' }

// locate returns the folder, or what is wrong with it.
func locate(f SpecFile, out string) (dir, problem string) {
	local := filepath.FromSlash(out)
	if path.IsAbs(out) || filepath.IsAbs(local) {
		return "", out + " is absolute: it is relative to the spec's own folder"
	}
	home := filepath.Dir(f.Path)
	root := moduleRoot(home)
	if root == "" {
		return "", "no go.mod in the spec's folder or above: run go mod init in the folder of your module"
	}
	dir, err := realPath(filepath.Join(home, local))
	if err != nil {
		return "", out + ": " + err.Error()
	}
	if !inside(root, dir) {
		return "", out + " is " + shown(dir) + ", outside the module in " + shown(root)
	}
	if other := moduleRoot(dir); other != root {
		return "", out + " is in another module, the one in " + shown(other)
	}
	if info, err := os.Stat(dir); errors.Is(err, syscall.ENOTDIR) || err == nil && !info.IsDir() {
		return "", out + " leads to a file: a folder is needed"
	}
	return dir, ""
}
