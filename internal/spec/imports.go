package spec

import (
	"slices"
	"strings"
)

// Imports decodes `imports`: paths of packages by the names that entries use.
func (d *decoder) imports(n *node) {
	if !d.mapping(n, "a mapping such as {api: example.com/edge/api}") {
		return
	}
	if len(n.fields) == 0 {
		return // the default
	}
	names := map[string]string{} // by path
	for _, f := range n.fields {
		d.spec.pos[f.path] = f.pos
		if problem := checkIdentifier(f.name); problem != "" {
			d.failAt(f.pos, f.path, "%s %s", show(f.name), problem)
			continue
		}
		path, ok := d.text(f.value, "the path of a package")
		if !ok {
			continue
		}
		if problem := checkImportPath(path); problem != "" {
			d.fail(f.value, "%s %s", show(path), problem)
			continue
		}
		if first, ok := names[path]; ok {
			d.fail(f.value, "%s is imported as %s: one name will do", path, first)
			continue
		}
		names[path] = f.name
		d.spec.Imports = append(d.spec.Imports, Import{f.name, path})
	}
	slices.SortFunc(d.spec.Imports, func(a, b Import) int { return strings.Compare(a.Name, b.Name) })
}

// CheckImportPath says why a package cannot be imported by path, or "".
func checkImportPath(path string) string {
	switch {
	case path == "" || strings.HasPrefix(path, "/") || strings.HasSuffix(path, "/") || strings.Contains(path, "//"):
		return "is no import path, such as example.com/edge/api"
	case path == "C":
		return "is cgo's: types of C cannot be pooled, declare one of Go"
	case strings.HasPrefix(path, "."):
		return "is relative: write the whole path of the package, with that of its module in front"
	}
	for _, r := range path {
		if !isASCIIAlnum(r) && !strings.ContainsRune("-_.~/+", r) {
			return "is no import path: the character " + show(string(r)) + " is not allowed in one"
		}
	}
	return ""
}

// CheckImports refuses imports that nothing names.
func (d *decoder) checkImports() {
	for _, i := range d.spec.Imports {
		if path := "imports." + i.Name; !d.used[i.Name] && !d.anyBad("objects.") {
			d.failKey(path, "no effect: no entry of objects names %s", i.Name)
		}
	}
}

// AnyBad reports whether a value below prefix has an error of its own.
func (d *decoder) anyBad(prefix string) bool {
	for path := range d.bad {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}
