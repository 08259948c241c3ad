package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// outsideBuild says where a name is declared that this build of the package does
// not have, and what would help; or "".
func (c *demandCheck) outsideBuild(name string) string {
	files, err := goFiles(c.dir)
	if err != nil {
		return ""
	}
	fset := token.NewFileSet()
	for _, path := range files {
		if slices.Contains(c.meta.GoFiles, path) || c.l.ours[path] != nil || slices.Contains(c.leaving, path) {
			continue
		}
		f, _ := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if f == nil || f.Name == nil || f.Name.Name != c.o.Spec.Package {
			continue
		}
		i := slices.IndexFunc(declared(f), func(id *ast.Ident) bool { return id.Name == name })
		if i < 0 {
			continue
		}
		pos := fset.Position(declared(f)[i].Pos())
		pos.Filename = shown(path)
		if isTest(path) {
			return fmt.Sprintf("%s is declared only in a test, %s: move it to a file that is none", name, pos)
		}
		return fmt.Sprintf("%s is declared only in %s, which is not built %s: %s", name, pos, c.where(), c.remedy(path))
	}
	return ""
}

func (c *demandCheck) where() string {
	on := c.o.platform
	if on == host() {
		return "here, on " + on.goos + "/" + on.goarch
	}
	text := "where the output is, on " + on.goos + "/" + on.goarch
	if on.tags != "" {
		text += " with tags " + on.tags
	}
	return text
}

// remedy names the build line that gives the output the same limits as a file.
func (c *demandCheck) remedy(path string) string {
	var terms []string
	base := strings.TrimSuffix(filepath.Base(path), ".go")
	for _, word := range strings.Split(base, "_")[1:] {
		for _, p := range ports {
			if (word == p.goos || word == p.goarch) && !slices.Contains(terms, word) {
				terms = append(terms, word)
			}
		}
	}
	if text, err := os.ReadFile(path); err == nil {
		if expr := buildLine(text); expr != nil {
			terms = append(terms, expr.String())
		}
	}
	if len(terms) == 0 {
		return "declare it for every build"
	}
	if len(terms) > 1 {
		for i, t := range terms {
			if strings.ContainsAny(t, "|") {
				terms[i] = "(" + t + ")"
			}
		}
	}
	return "declare it for every build, or limit the output to the same ones with build: " + strings.Join(terms, " && ")
}
