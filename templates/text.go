package templates

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"github.com/dave/jennifer/jen"
)

// Templates are Go texts with holes. This file is the one converter that turns
// such a text into jennifer code: it parses the text (so a syntax error fails
// at once), replaces every free identifier that names a hole, makes imports
// qualified, and refuses identifiers that nobody declared.

// imports are the packages that a text may name; all from the standard library.
var imports = map[string]string{
	"atomic":  "sync/atomic",
	"bits":    "math/bits",
	"bytes":   "bytes",
	"errors":  "errors",
	"fmt":     "fmt",
	"maphash": "hash/maphash",
	"math":    "math",
	"rand":    "math/rand",
	"reflect": "reflect",
	"runtime": "runtime",
	"strconv": "strconv",
	"strings": "strings",
	"sync":    "sync",
	"syscall": "syscall",
	"testing": "testing",
	"unsafe":  "unsafe",
}

// A kind says what a text is, and with that how it is parsed.
type kind struct{ prefix, suffix string }

var (
	statements   = kind{"package p\nfunc _() {\n", "\n}\n"}
	expression   = kind{"package p\nvar _ = ", "\n"}
	declarations = kind{"package p\n", "\n"}
	signature    = kind{"package p\nfunc ", " {}\n"}
)

// convert turns a text into one piece of code.
func (s *scope) convert(k kind, text string) *jen.Statement {
	src := k.prefix + text + k.suffix
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		panic(fmt.Errorf("%v in\n%s", err, text))
	}
	free := s.freeIdents(file)
	switch k {
	case statements:
		s.declareLocals(file)
	case signature:
		s.declareParams(file)
	}
	w := &writer{scope: s, text: text, locals: localNames(file), out: jen.Null()}
	w.tokens(fset, src, len(k.prefix), len(src)-len(k.suffix), free)
	return w.out
}

// freeIdents finds the offsets of identifiers that a hole may stand for: those
// declared outside the text, and those that name its package-level declarations.
func (s *scope) freeIdents(file *ast.File) map[int]bool {
	free := map[int]bool{}
	add := func(id *ast.Ident) { free[int(id.Pos()-file.FileStart)] = true }
	for _, id := range file.Unresolved {
		add(id)
	}
	declared := map[token.Pos]bool{}
	for _, obj := range file.Scope.Objects {
		declared[obj.Pos()] = true
	}
	named := func(id *ast.Ident) {
		if _, ok := s.names[id.Name]; ok {
			add(id)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if n.Obj != nil && declared[n.Obj.Pos()] {
				add(n)
			}
		case *ast.FuncDecl: // a method may be named after an entry,
			named(n.Name)
		case *ast.SelectorExpr: // and is called by that name
			named(n.Sel)
		}
		return true
	})
	return free
}

// A writer adds the tokens of a text to one jennifer statement.
type writer struct {
	scope  *scope
	text   string
	locals map[string]bool // names that the text declares
	out    *jen.Statement
	line   int // line on which the last token ended; 0 before the first
}

// localNames are the names that a text declares, wherever in it.
func localNames(file *ast.File) map[string]bool {
	out := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Obj != nil {
			out[id.Name] = true
		}
		return true
	})
	return out
}

type tok struct {
	offset int
	line   int
	tok    token.Token
	lit    string
}

func (w *writer) tokens(fset *token.FileSet, src string, from, to int, free map[int]bool) {
	toks := scan(fset, src, from, to)
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		w.newlines(t.line)
		switch {
		case t.tok == token.COMMENT:
			w.out.Comment(w.scope.rename(t.lit))
		case t.tok == token.STRING:
			w.out.Op(w.scope.rename(t.lit))
		case t.tok == token.IDENT && free[t.offset]:
			i += w.ident(toks[i:])
		case t.tok == token.IDENT, t.tok.IsKeyword():
			w.out.Id(t.lit)
		default:
			w.out.Op(t.lit)
		}
		w.line = t.line + strings.Count(t.lit, "\n")
	}
}

// newlines keeps the line breaks of the text, and one blank line of several.
func (w *writer) newlines(line int) {
	if w.line == 0 {
		return
	}
	for i := 0; i < min(line-w.line, 2); i++ {
		w.out.Line()
	}
}

// ident adds what a free identifier stands for, and returns how many tokens
// after it that took.
func (w *writer) ident(toks []tok) int {
	name := toks[0].lit
	text, ok := w.scope.lookup(name)
	if ok {
		w.resolved(text)
		return 0
	}
	if path, ok := w.scope.imported(name); ok && len(toks) > 2 && toks[1].tok == token.PERIOD {
		w.out.Qual(path, toks[2].lit)
		return 2
	}
	panic(fmt.Errorf("unknown identifier %s in\n%s", name, w.text))
}

// resolved adds an expression that is in the words of the output, but for the
// packages that it names.
func (w *writer) resolved(text string) {
	toks := scan(token.NewFileSet(), text, 0, len(text))
	for i := 0; i < len(toks); i++ {
		name := toks[i].lit
		if toks[i].tok != token.IDENT || i > 0 && toks[i-1].tok == token.PERIOD || w.declared(name) {
			w.out.Op(name)
			continue
		}
		path, ok := w.scope.imported(name)
		if !ok || i+2 >= len(toks) || toks[i+1].tok != token.PERIOD {
			panic(fmt.Errorf("unknown identifier %s in %s, bound to a hole of\n%s", name, text, w.text))
		}
		w.out.Qual(path, toks[i+2].lit)
		i += 2
	}
}

// declared reports whether the output has a name where the text stands.
func (w *writer) declared(name string) bool {
	return w.scope.known[name] || w.scope.user.idents[name] || w.locals[name] || w.scope.emits(name) || types.Universe.Lookup(name) != nil
}

// imported finds the path of a package by its name in a text or in the spec.
func (s *scope) imported(name string) (string, bool) {
	if path, ok := s.user.imports[name]; ok {
		return path, true
	}
	path, ok := imports[name]
	return path, ok
}

// scan lists the tokens between two offsets, without the semicolons that the
// scanner adds at line ends.
func scan(fset *token.FileSet, src string, from, to int) []tok {
	file := fset.AddFile("", fset.Base(), len(src))
	var sc scanner.Scanner
	sc.Init(file, []byte(src), nil, scanner.ScanComments)
	var toks []tok
	for {
		pos, t, lit := sc.Scan()
		offset := file.Offset(pos)
		if t == token.EOF || offset >= to {
			return toks
		}
		if offset < from || t == token.SEMICOLON && lit == "\n" {
			continue
		}
		if lit == "" || t.IsOperator() {
			lit = t.String()
		}
		toks = append(toks, tok{offset, file.Line(pos), t, lit})
	}
}

// theirMark stands before the words of a comment or a string that are the user's
// own, whatever the templates mean by them: a character that no text has.
const theirMark = "\uFFFE"

var word = regexp.MustCompile(theirMark + `?[\pL\pN_]+`)

// verbatim keeps rename from the words of a text.
func verbatim(text string) string {
	return word.ReplaceAllString(text, theirMark+"$0")
}

// rename replaces the names of package-level declarations in a comment or a
// string, where the text speaks of them.
func (s *scope) rename(text string) string {
	return word.ReplaceAllStringFunc(text, func(w string) string {
		if w, ok := strings.CutPrefix(w, theirMark); ok {
			return w
		}
		if name, ok := s.names[w]; ok {
			return name
		}
		return w
	})
}
