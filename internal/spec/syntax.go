package spec

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// MaxFile is the largest spec that is read, in bytes.
const maxFile = 256 << 10

var bom = []byte("\xef\xbb\xbf")

// IsSpec says whether a file is a spec: its first line that is neither blank
// nor comment starts with "allocgen:". A byte order mark is ignored.
func IsSpec(src []byte) bool {
	line, _ := firstLine(src)
	return bytes.HasPrefix(line, []byte("allocgen:"))
}

// FirstLine is the first line that is neither blank nor comment, and its number.
func firstLine(src []byte) (text []byte, number int) {
	src = bytes.TrimPrefix(src, bom)
	for line := range bytes.Lines(src) {
		number++
		line = bytes.TrimRight(line, " \t\r\n")
		if start := bytes.TrimLeft(line, " \t"); len(start) > 0 && start[0] != '#' {
			return line, number
		}
	}
	return nil, 1
}

// Read turns the text of a file into its one mapping, or into errors and nil.
func read(file string, src []byte, errs *Errors) *node {
	start := Pos{file, 1, 1}
	if len(src) > maxFile {
		errs.Add(start, "the file has %d bytes: a spec has at most %s", len(src), formatSize(maxFile))
		return nil
	}
	src = bytes.TrimPrefix(src, bom)
	if pos, problem := checkText(file, src); problem != "" {
		errs.Add(pos, "%s", problem)
		return nil
	}
	docs, err := documents(src)
	if err != nil {
		pos, problem := syntaxError(file, src, err)
		errs.Add(pos, "%s", problem)
		return nil
	}
	if len(docs) == 0 {
		errs.Add(start, "the file is empty: a spec starts with allocgen: 1")
		return nil
	}
	if len(docs) > 1 {
		errs.Add(Pos{file, docs[1].Line, docs[1].Column}, "a second document: one file holds one spec")
		return nil
	}
	b := builder{file: file, lines: runes(src), errs: errs, left: maxNodes}
	root := b.node(docs[0].Content[0], "", start, 0)
	if b.stopped || root.kind == badKind {
		return nil
	}
	if root.kind != mappingKind {
		errs.Add(root.pos, "%s at the top level: a spec is a mapping that starts with allocgen: 1", root.kind)
		return nil
	}
	return root
}

// CheckText refuses what is not YAML text, and what editors and YAML readers
// count differently as lines.
func checkText(file string, src []byte) (Pos, string) {
	pos := Pos{file, 1, 1}
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		i += size
		switch {
		case r == utf8.RuneError && size == 1:
			return pos, "invalid UTF-8: save the file as UTF-8"
		case r == '\r' && (i == len(src) || src[i] != '\n'):
			return pos, `a carriage return inside a line: end lines with \n or \r\n`
		case r == '\n':
			pos.Line++
			pos.Column = 0
		case r == '\t' || r == '\r':
		case r < ' ', r >= 0x7f && r < 0xa0, r == '\u2028', r == '\u2029', r == '\ufeff', r == '\ufffe', r == '\uffff':
			return pos, fmt.Sprintf("the character U+%04X is not allowed in a spec: remove it", r)
		}
		pos.Column++
	}
	return pos, ""
}

// Documents reads at most two documents, which is enough to refuse the second.
func documents(src []byte) (docs []*yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil { // yaml.v3 panics on some broken inputs
			docs, err = nil, errors.New("yaml: this text cannot be read")
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(src))
	for len(docs) < 2 {
		var doc yaml.Node
		if err := dec.Decode(&doc); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		docs = append(docs, &doc)
	}
	return docs, nil
}

var (
	yamlError    = regexp.MustCompile(`(?s)^yaml: (?:line (\d+): )?(.*)$`)
	indentTab    = regexp.MustCompile(`^ *\t`)
	unknownAlias = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
	aliasText    = regexp.MustCompile(`\*[0-9A-Za-z_-]+`)
	unquoted     = regexp.MustCompile(`^build:[ \t]+(!.*?)(?:[ \t]+#.*)?\r?$`)
	// Errors of yaml.v3's parser (parserc.go), unlike those of its scanner, count
	// lines from 0. These are all of them.
	fromZero = regexp.MustCompile(`^(did not find expected (<stream-start>|<document start>|node content|'-' indicator|key|',' or '[\]}]')` +
		`|found (undefined tag handle|duplicate %(YAML|TAG) directive|incompatible YAML document))$`)
)

// SyntaxError gives an error of yaml.v3 the best position that can be had.
func syntaxError(file string, src []byte, err error) (Pos, string) {
	parts := yamlError.FindStringSubmatch(err.Error())
	if parts == nil {
		return Pos{file, 1, 1}, "not YAML: " + show(err.Error())
	}
	line, problem := 1, parts[2]
	if n, err := strconv.Atoi(parts[1]); err == nil {
		line = n
		if fromZero.MatchString(problem) {
			line++
		}
	}
	lines := strings.Split(string(src), "\n")
	pos := Pos{file, min(line, len(lines)), 1}
	if alias := unknownAlias.FindStringSubmatch(problem); alias != nil {
		return findAlias(file, src, alias[1]), fmt.Sprintf("*%s: no such anchor above", show(alias[1]))
	}
	if tab := indentTab.FindString(lines[pos.Line-1]); tab != "" && strings.Contains(problem, "cannot start any token") {
		pos.Column = len(tab)
		return pos, "a tab cannot indent: use spaces"
	}
	if build := unquoted.FindStringSubmatchIndex(lines[pos.Line-1]); build != nil {
		pos.Column = utf8.RuneCountInString(lines[pos.Line-1][:build[2]]) + 1
		return pos, "build: " + needsQuotes(lines[pos.Line-1][build[2]:build[3]])
	}
	return pos, "not YAML: " + problem
}

// FindAlias finds the first use of the alias *name; yaml.v3 does not say where
// it is. Comments and quoted text may hold *name too, but renaming it there
// changes nothing: the alias is where a new name turns up in the error.
func findAlias(file string, src []byte, name string) Pos {
	uses := slices.DeleteFunc(aliasText.FindAllIndex(src, -1), func(at []int) bool {
		return string(src[at[0]+1:at[1]]) != name
	})
	sum := sha256.Sum256(src)
	other := fmt.Sprintf("%x", sum[:8]) // no anchor of the file
	first := sort.Search(len(uses), func(i int) bool {
		_, err := documents(renamed(src, uses[:i+1], other))
		return err != nil && strings.Contains(err.Error(), "'"+other+"'")
	})
	if first == len(uses) {
		return Pos{file, 1, 1}
	}
	before := src[:uses[first][0]]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return Pos{file, bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(line) + 1}
}

// Renamed is src with other aliases at uses.
func renamed(src []byte, uses [][]int, other string) []byte {
	var out []byte
	end := 0
	for _, at := range uses {
		out = append(append(out, src[end:at[0]+1]...), other...)
		end = at[1]
	}
	return append(out, src[end:]...)
}
