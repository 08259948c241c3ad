package spec

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The field reference says what the tables of keys say.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../specs/README.md")
	require.NoError(t, err)
	readme := strings.ReplaceAll(string(text), "\r\n", "\n")
	for _, s := range sections {
		require.Contains(t, readme, table(s), "section %s of specs/README.md must have this table:\n%s", s.path, table(s))
	}
	require.Contains(t, readme, refused(), "specs/README.md must have this line:\n%s", refused())
	require.Equal(t, rows(), strings.Count(readme, "\n| "), "specs/README.md has rows that are in no table of keys")
}

// Table is the section of the field reference for s.
func table(s *section) string {
	var b strings.Builder
	b.WriteString("| key | values | default | meaning |\n|---|---|---|---|\n")
	for _, k := range s.keys {
		def := k.def
		if def == "" {
			def = "required"
		} else if !strings.Contains(def, " ") {
			def = "`" + def + "`"
		}
		if !k.unbuilt {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.name, k.accepts(), def, k.meaning)
		}
	}
	return b.String()
}

// Refused is the line of what is not built yet.
func refused() string {
	text := "Refused so far, as \"not supported yet\":\n\n"
	for _, s := range sections {
		var parts []string
		for _, k := range s.keys {
			switch {
			case k.unbuilt:
				parts = append(parts, "`"+k.name+"`")
			case s == &inlineKeys || s != &topKeys && k.name == "inline": // said at the top level
			default:
				for _, word := range k.later {
					parts = append(parts, fmt.Sprintf("`%s: %s`", k.name, word))
				}
			}
		}
		if s == &listKeys {
			parts = append(parts, "a mapping below `sizing`, type parameters in names, elements that are not predeclared or hold pointers")
		}
		if len(parts) > 0 {
			text += "- " + s.path + ": " + strings.Join(parts, ", ") + "\n"
		}
	}
	return text
}

func rows() int {
	n := len(sections) // headings
	for _, s := range sections {
		n += strings.Count(table(s), "\n") - 2
	}
	return n
}

// What the tables call the default is what leaving the key out means.
func TestDefaults(t *testing.T) {
	minimal, errs := Parse("a.yaml", []byte("allocgen: 1\npackage: p\nheaps:\n  Heap: {}\nlists:\n  Ints: int64\nobjects:\n  Nodes: {of: Node, sync: none}\n"))
	require.Empty(t, errs)
	value := func(s *section, name string) string { return s.must(name).def }
	var b strings.Builder
	b.WriteString("allocgen: 1\npackage: p\n")
	for _, name := range []string{"out", "doc", "imports", "build", "tests", "inline"} {
		fmt.Fprintf(&b, "%s: %s\n", name, value(&topKeys, name))
	}
	b.WriteString("heaps:\n  Heap:\n    inline: fast\n")
	for _, name := range []string{"threshold", "large", "align", "depth", "pool", "arena", "sync", "bin", "double_free", "stats"} {
		fmt.Fprintf(&b, "    %s: %s\n", name, value(&heapKeys, name))
	}
	fmt.Fprintf(&b, "    classes: {min: 16, step: 16, to: 1KiB, per_doubling: %s}\n", value(&classKeys, "per_doubling"))
	fmt.Fprintf(&b, "lists:\n  Ints: {of: int64, sizing: %s}\n", value(&listKeys, "sizing"))
	b.WriteString("objects:\n  Nodes:\n    of: Node\n    sync: none\n    inline: fast\n")
	for _, name := range []string{"depth", "chunk", "reset", "init", "keep", "names"} {
		fmt.Fprintf(&b, "    %s: %s\n", name, value(&objectKeys, name))
	}
	written, errs := Parse("b.yaml", []byte(b.String()))
	require.Empty(t, errs, b.String())
	require.Equal(t, minimal.Hash(), written.Hash())
	require.Equal(t, minimal.Heaps, written.Heaps)
	require.Equal(t, minimal.Lists, written.Lists)
	require.Equal(t, minimal.Objects, written.Objects)
}

// Each key that is built has an effect: no line of the tables is forgotten.
func TestEffects(t *testing.T) {
	with := func(top, heap, list string) string {
		return "allocgen: 1\npackage: p\n" + top + "\nheaps:\n  Heap: {" + heap + "}\n  Other: {}\nlists:\n  Ints: {of: int64, " + list + "}\n"
	}
	hash := func(src string) string {
		s, errs := Parse("a.yaml", []byte(src))
		require.Empty(t, errs, src)
		return s.Hash()
	}
	base0 := with("", "", "heap: Other")
	base := hash(base0)
	changes := map[string]string{
		"out":     with("out: gen", "", "heap: Other"),
		"doc":     with("doc: Words.", "", "heap: Other"),
		"build":   with("build: linux", "", "heap: Other"),
		"tests":   with("tests: false", "", "heap: Other"),
		"inline":  with("inline: call", "", "heap: Other"),
		"alloc":   with("inline: {alloc: call}", "", "heap: Other"),
		"free":    with("inline: {free: call}", "", "heap: Other"),
		"package": strings.Replace(with("", "", "heap: Other"), "package: p", "package: q", 1),
		"heaps":   strings.Replace(with("", "", "heap: Other"), "  Heap:", "  Hoop:", 1),
		"lists":   strings.Replace(with("", "", "heap: Other"), "  Ints:", "  Nums:", 1),
		"of":      strings.Replace(with("", "", "heap: Other"), "int64", "int32", 1),
		"heap":    with("", "", "heap: Heap"),
		"sizing":  with("", "", "heap: Other, sizing: go"),
		"list's":  with("", "", "heap: Other, inline: call"),
		"heap's":  with("", "inline: call", "heap: Other"),
		"depth":   with("", "depth: {all: 64, 64: 8}", "heap: Other"),
	}
	for _, heap := range []string{
		"threshold: 64KiB", "classes: [16, 32]", "large: go", "align: 32", "depth: 32", "pool: 32KiB", "arena: 2MiB",
		"classes: {min: 32}", "classes: {step: 32}", "classes: {to: 2KiB}", "classes: {per_doubling: 8}",
		"bin: list", "bin: list, double_free: key", "stats: none", "stats: full",
		"zero: alloc", "zero: free", "cap: exact", "limit: 1MiB", "large: refuse", "retain: 0", "sync: mutex", "sync: percpu",
	} {
		changes[heap] = with("", heap, "heap: Other")
	}
	const objects = "\nimports: {x: a.b/x}\nobjects:\n  Nodes"
	for _, object := range []string{
		": {of: x.Node, sync: none}", ": {of: x.Item, sync: none}", ": {of: x.Node, sync: mutex}", ": {of: x.Node, sync: cache}",
		": {of: x.Node, heap: Heap}", "[T any]: {of: 'x.Node[T]', sync: none}", "[K any]: {of: 'x.Node[K]', sync: none}",
		": {of: x.Node, sync: none, depth: 8}", ": {of: x.Node, sync: none, chunk: 8}", ": {of: x.Node, sync: none, reset: none}",
		": {of: x.Node, sync: none, init: f, reset: none}", ": {of: x.Node, sync: none, keep: f}", ": {of: x.Node, sync: none, names: {Get: New}}",
		": {of: x.Node, sync: none, inline: call}",
	} {
		changes[object] = base0 + objects + object
	}
	changes["path"] = base0 + strings.Replace(objects, "a.b", "a.c", 1) + ": {of: x.Node, sync: none}"
	seen := map[string]string{base: "nothing"}
	for name, src := range changes {
		h := hash(src)
		require.NotContains(t, seen, h, "%s changes as little as %s", name, seen[h])
		seen[h] = name
	}
}
