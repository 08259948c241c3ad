package spec

import (
	"bytes"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// MaxNodes bounds what aliases may expand to; MaxNesting is far above what any
// spec needs.
const (
	maxNodes   = 10_000
	maxNesting = 16
)

// A kind is what a value is; its text is for errors.
type kind string

const (
	scalarKind  kind = "a single value"
	listKind    kind = "a list"
	mappingKind kind = "a mapping"
	nullKind    kind = "no value"
	badKind     kind = "" // already reported
)

// A node is a value of the file: aliases followed, tags and keys checked.
type node struct {
	kind   kind
	path   string // of its key: "heaps.Heap.classes"; an item of a list has the list's
	pos    Pos
	text   string  // of a scalar, as written
	plain  bool    // a scalar without quotes
	items  []*node // of a list
	fields []field // of a mapping, in the file's order
	lost   bool    // a key of the mapping was refused: what seems missing may have been in it
}

// A field is one key of a mapping and its value.
type field struct {
	name  string
	plain bool // the key has no quotes
	path  string
	pos   Pos
	value *node
}

// A builder makes nodes. It gives up, with one error, when there are too many.
type builder struct {
	file    string
	lines   [][]rune
	errs    *Errors
	left    int
	outer   Pos // of the alias being expanded, the outermost one
	stopped bool
}

// Node converts n, whose key is at keyPos.
func (b *builder) node(n *yaml.Node, path string, keyPos Pos, nesting int) *node {
	v := &node{path: path, pos: b.pos(n)}
	if n.Kind == yaml.AliasNode {
		n = n.Alias
		if b.outer == (Pos{}) {
			b.outer = v.pos
			defer func() { b.outer = Pos{} }()
		}
	}
	b.left--
	switch {
	case b.stopped:
		return v
	case b.left < 0:
		b.stop(v.pos, "more than %d values, aliases included", maxNodes)
		return v
	case nesting > maxNesting:
		b.stop(v.pos, "nested more than %d levels deep, aliases included", maxNesting)
		return v
	case b.tagged(n):
		b.fail(v.pos, path, "%s", tagProblem(n, path))
		return v
	}
	switch n.Kind {
	case yaml.ScalarNode:
		b.scalar(v, n, keyPos)
	case yaml.SequenceNode:
		v.kind = listKind
		for _, item := range n.Content {
			v.items = append(v.items, b.node(item, path, b.pos(item), nesting+1))
		}
	case yaml.MappingNode:
		v.kind = mappingKind
		b.fields(v, n, nesting)
	}
	return v
}

func (b *builder) scalar(v *node, n *yaml.Node, keyPos Pos) {
	v.kind, v.text = scalarKind, n.Value
	v.plain = n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	if v.plain && n.Tag == "!!null" {
		v.kind = nullKind
		v.pos = keyPos // an absent value has no place of its own
	}
}

func (b *builder) fields(v *node, n *yaml.Node, nesting int) {
	first := make(map[string]Pos)
	for i := 0; i+1 < len(n.Content) && !b.stopped; i += 2 {
		key := n.Content[i]
		pos := b.pos(key)
		if problem := b.checkKey(key); problem != "" {
			b.fail(pos, v.path, "%s", problem)
			v.lost = true
			continue
		}
		path := join(v.path, key.Value)
		value := b.node(n.Content[i+1], path, pos, nesting+1)
		if at, ok := first[key.Value]; ok {
			b.fail(pos, path, "duplicate key: it is already at %s", at)
			continue
		}
		first[key.Value] = pos
		plain := key.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0
		v.fields = append(v.fields, field{key.Value, plain, path, pos, value})
	}
}

// Tagged says whether n has a tag. Yaml.v3 drops a lone ! (which would make
// build: ! windows mean windows), but the node starts there, or at its anchor.
func (b *builder) tagged(n *yaml.Node) bool {
	if n.Style&yaml.TaggedStyle != 0 || n.Kind != yaml.ScalarNode || n.Line > len(b.lines) {
		return n.Style&yaml.TaggedStyle != 0
	}
	line := b.lines[n.Line-1]
	text := line[min(n.Column-1, len(line)):]
	if n.Anchor != "" && len(text) > 0 && text[0] == '&' {
		text = text[min(1+len(n.Anchor), len(text)):]
		for len(text) > 0 && (text[0] == ' ' || text[0] == '\t') {
			text = text[1:]
		}
	}
	return len(text) > 0 && text[0] == '!'
}

// Runes is the lines of src in characters, which columns count.
func runes(src []byte) (lines [][]rune) {
	for line := range bytes.Lines(src) {
		lines = append(lines, []rune(string(line)))
	}
	return lines
}

// TagProblem says what is right instead of a tag, which is mostly a ! that was
// meant as part of the value.
func tagProblem(n *yaml.Node, path string) string {
	tag := n.Tag
	if n.Style&yaml.TaggedStyle == 0 {
		tag = "!"
	}
	if path == "build" && n.Kind == yaml.ScalarNode && tag[0] == '!' {
		return needsQuotes(strings.TrimSpace(tag + " " + n.Value))
	}
	return "the tag " + show(tag) + ": a spec has no tags, remove it; a value that starts with ! needs quotes"
}

func needsQuotes(text string) string {
	return "a value that starts with ! needs quotes: write " + show(strconv.Quote(text))
}

// CheckKey says what is wrong with a key before its meaning is known.
func (b *builder) checkKey(key *yaml.Node) string {
	switch {
	case key.Kind == yaml.AliasNode:
		return "an alias as a key: write the key out"
	case key.Kind != yaml.ScalarNode:
		return "a list or a mapping as a key: a key is one word"
	case b.tagged(key):
		return "a tag on a key: a spec has no tags, remove it"
	case key.Tag == "!!merge":
		return "<<: merge keys are not supported: write the keys out, or give them to each entry by an alias"
	case key.Tag == "!!null":
		return "a key is missing before the colon"
	}
	return ""
}

func (b *builder) pos(n *yaml.Node) Pos { return Pos{b.file, n.Line, n.Column} }

func (b *builder) fail(pos Pos, path, format string, args ...any) {
	if path != "" {
		format, args = "%s: "+format, append([]any{path}, args...)
	}
	b.errs.Add(pos, format, args...)
}

func (b *builder) stop(pos Pos, format string, args ...any) {
	b.stopped = true
	if b.outer != (Pos{}) {
		pos = b.outer
	}
	b.errs.Add(pos, format, args...)
}

// Join makes the path of a key. One with a dot or a quote in it is quoted, so
// that no two keys have one path: "Ints.of" is not the of of Ints.
func join(path, name string) string {
	shown := show(name)
	if strings.ContainsAny(name, `."`) {
		shown = strconv.Quote(shorten(name))
	}
	return strings.TrimPrefix(path+"."+shown, ".")
}
