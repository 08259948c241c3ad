package spec

import "slices"

// A badSpec is refused with the lines in want, each without the file's name.
type badSpec struct{ src, want string }

const head = "allocgen: 1\npackage: p\n"

func spec(text string) string { return head + text + "\n" }
func heap(keys string) string { return spec("heaps:\n  Heap: {" + keys + "}") }
func top(keys string) string  { return "allocgen: 1\n" + keys + "\nheaps: {Heap: {}}\n" }
func list(value string) string {
	return spec("heaps: {Heap: {}}\nlists:\n  Ints: " + value)
}

var bad = slices.Concat(badDocument, badSyntax, badTopLevel, badOut, badBuild, badEntries, badSizes, badClasses, badLists, badObjects, badDots, badSeveral)

// What is no usable document, or breaks a rule of all documents.
var badDocument = []badSpec{
	{``, `1:1: the file is empty: a spec starts with allocgen: 1`},
	{"# nothing\n\n", `1:1: the file is empty: a spec starts with allocgen: 1`},
	{"---\n", `1:1: no value at the top level: a spec is a mapping that starts with allocgen: 1`},
	{"allocgen: 1\n---\nallocgen: 1\n", `2:1: a second document: one file holds one spec`},
	{"allocgen:1\n", `1:1: a single value at the top level: a spec is a mapping that starts with allocgen: 1`},
	{"- allocgen: 1\n", `1:1: a list at the top level: a spec is a mapping that starts with allocgen: 1`},
	{"allocgen: 1\npackage: p\n\tx: 1\n", `2:1: not YAML: found a tab character that violates indentation`},
	{"allocgen: 1\npackage: [p\nheaps: {}\n", `2:1: not YAML: did not find expected ',' or ']'`},
	{"allocgen: 1\nheaps: 'a\n", `2:1: not YAML: found unexpected end of stream`},
	{"package: *p\n", `1:10: *p: no such anchor above`},
	{"é: *p\n", `1:4: *p: no such anchor above`},
	{spec(`a: 'x'y`), `3:1: not YAML: did not find expected key`},
	{spec("heaps:\n\t- a"), `4:1: a tab cannot indent: use spaces`},
	{`allocgen: 1
package: "\q"` + "\n", `2:1: not YAML: found unknown escape character`},
	{"%YAML 9.9\n---\nallocgen: 1\n", `1:1: not YAML: found incompatible YAML document`},
	{"allocgen: 1\npackage: p\x00\n", `2:11: the character U+0000 is not allowed in a spec: remove it`},
	{"allocgen: 1\r# mac\r", `1:12: a carriage return inside a line: end lines with \n or \r\n`},
	{"allocgen: 1\ndoc: \u2028\n", `2:6: the character U+2028 is not allowed in a spec: remove it`},
	{"allocgen: 1\npackage: \ufeffp\n", `2:10: the character U+FEFF is not allowed in a spec: remove it`},
	{"allocgen: 1\nx: [[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]\n", `2:20: nested more than 16 levels deep, aliases included`},
	{"x: &a [*a]\n", `1:8: nested more than 16 levels deep, aliases included`},
	{top(`package: p
x: {y: {b: [1, !t 2]}}`), `
3:1: x: unknown key
3:16: x.y.b: the tag !t: a spec has no tags, remove it; a value that starts with ! needs quotes
`},
	{spec(`inline: &i {alloc: slow}
heaps:
  A: {inline: *i}`), `
3:20: inline.alloc: slow is not call or fast
3:20: heaps.A.inline.alloc: slow is not call or fast
`},
	{"---\nallocgen: 1\npackage: p\nheaps: {Heap: {}}\n", `1:1: allocgen: the first line that is neither blank nor comment must start with allocgen: (it is ---)`},
	{"{allocgen: 1, package: p, lists: {A: int8}}\n", `1:1: allocgen: the first line that is neither blank nor comment must start with allocgen: (it is {allocgen: 1, package: p, lists: {A: int8}})`},
	{"package: p\nallocgen: 1\nlists: {A: int8}\n", `2:1: allocgen: must be the first key`},
	{"package: p\nlists: {A: int8}\n", `1:1: allocgen: missing: a spec starts with allocgen: 1`},
	{"allocgen: 2\npackge: p\n", `1:11: allocgen: version 2 is newer than this tool, which reads version 1: update allocgen`},
	{"allocgen: 0\npackage: p\nheaps: {Heap: {}}\n", `1:11: allocgen: 0 is not a version of the format: write 1`},
	{"allocgen: 01\npackage: p\nheaps: {Heap: {}}\n", `1:11: allocgen: 01 is not a version of the format: write 1`},
	{"allocgen: v1\npackage: p\nheaps: {Heap: {}}\n", `1:11: allocgen: v1 is not a version of the format: write 1`},
	{"allocgen:\npackage: p\nheaps: {Heap: {}}\n", `1:1: allocgen: no value: write 1`},
	{"allocgen: [1]\npackage: p\nheaps: {Heap: {}}\n", `1:11: allocgen: a list: write 1`},
	{spec(`heaps: {Heap: {}}
package: q`), `4:1: package: duplicate key: it is already at 2:1`},
	{spec(`lists: {A: int8, A: int16}`), `3:18: lists.A: duplicate key: it is already at 3:9`},
	{spec(`base: &b {pool: 4KiB}
heaps:
  Heap:
    <<: *b
    depth: 1`), `
3:1: base: unknown key
6:5: heaps.Heap: <<: merge keys are not supported: write the keys out, or give them to each entry by an alias
`},
	{spec(`lists:
  A:
    <<: {of: int8}`), `5:5: lists.A: <<: merge keys are not supported: write the keys out, or give them to each entry by an alias`},
	{spec(`lists: {A: !!str int8, ! B: int8, !foo C: int8}`), `
3:12: lists.A: the tag !!str: a spec has no tags, remove it; a value that starts with ! needs quotes
3:24: lists: a tag on a key: a spec has no tags, remove it
3:35: lists: a tag on a key: a spec has no tags, remove it
`},
	{spec(`heaps: !m {Heap: {}}`), `3:8: heaps: the tag !m: a spec has no tags, remove it; a value that starts with ! needs quotes`},
	{spec(`? 
: w
lists: {A: int8}`), `3:2: a key is missing before the colon`},
	{spec(`doc: &d text
*d : x
[1]: y
? {a: b}
: z
lists: {A: int8}`), `
4:1: an alias as a key: write the key out
5:1: a list or a mapping as a key: a key is one word
6:3: a list or a mapping as a key: a key is one word
`},
}

// The top level.
var badTopLevel = []badSpec{
	{spec(``), `1:1: nothing to generate: add an entry below heaps (Heap: {}), objects (Nodes: {of: Node, sync: none}) or lists (Ints: int64)`},
	{"allocgen: 1\n", `
1:1: package: missing: name the package of the output
1:1: nothing to generate: add an entry below heaps (Heap: {}), objects (Nodes: {of: Node, sync: none}) or lists (Ints: int64)
`},
	{spec(`heaps: {}`), `3:8: heaps: no entry: add one (Heap: {}), or remove the key`},
	{spec(`heaps: {}
lists: []`), `
3:8: heaps: no entry: add one (Heap: {}), or remove the key
4:8: lists: a list: write a mapping such as {Ints: int64}
`},
	{spec(`heaps:
lists: int8`), `
3:1: heaps: no value: write a mapping such as {Heap: {}}
4:8: lists: int8 is a single value: write a mapping such as {Ints: int64}
`},
	{spec(`linked: {L: {of: int}}`), `3:1: linked: not supported yet`},
	{spec(`pakage: q
clases: [16]
threshold: 1
foo: 1
linked: {}
lists: {A: int8}`), `
3:1: pakage: unknown key (did you mean package?)
4:1: clases: unknown key here (did you mean classes, which belongs to heaps.<Name>?)
5:1: threshold: unknown key here: it belongs to heaps.<Name>
6:1: foo: unknown key
7:1: linked: not supported yet
`},
	{top(`package: type`), `2:10: package: type is a keyword of Go: choose another name`},
	{top(`package: min`), `2:10: package: min is predeclared in Go: choose another name`},
	{top(`package: _`), `2:10: package: _ is not a name: use a letter first`},
	{top(`package: a_test`), `2:10: package: a_test is for test files: choose a name that does not end in _test`},
	{top(`package: my-pool`), `2:10: package: my-pool is not a Go identifier: letters, digits and _, no digit first`},
	{top(`package: documentation`), `2:10: package: documentation is a package that the go command ignores: choose another name`},
	{top(`package:`), `2:1: package: no value: write the name of a package`},
	{top(`package: [a]`), `2:10: package: a list: write the name of a package`},
	{top(`package: no`), `2:10: package: no is a boolean to YAML 1.1: write "no", with quotes`},
	{top(`package: ''`), `2:10: package: "" is not a Go identifier: letters, digits and _, no digit first`},
	{top(`package: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`), `2:10: package: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa… is longer than 64 characters`},
	{top(`package: p
doc: "a\0b"`), `3:6: doc: "a\x00b": a control character: remove it`},
	{top(`package: p
doc: "a\u2028b"`), `3:6: doc: "a\u2028b": a control character: remove it`},
	{top(`package: p
doc: "a\u202Eb"`), `3:6: doc: "a\u202eb": a control character: remove it`},
	{top(`package: p
doc: "a\rb"`), `3:6: doc: "a\rb": a control character: remove it`},
	{top(`package: p
doc: |
  small
  */ func init() { panic(1) } /*`), `3:6: doc: */ func init() { panic(1) } /*: the marks of a comment cannot be part of documentation: remove them`},
	{top(`package: p
doc: |
  a
  //go:build x`), `3:6: doc: //go:build x: reads as a directive: start the line with another word`},
	{top(`package: p
doc: go:generate rm`), `3:6: doc: go:generate rm: reads as a directive: start the line with another word`},
	{top(`package: p
doc: +build ignore`), `3:6: doc: +build ignore: reads as a directive: start the line with another word`},
	{top(`package: p
doc: 'line x.go:1'`), `3:6: doc: line x.go:1: reads as a directive: start the line with another word`},
	{top(`package: p
doc: Code generated by x. DO NOT EDIT.`), `3:6: doc: Code generated by x. DO NOT EDIT.: reads as the header of a generated file: start the line with another word`},
	{top(`package: p
doc: 'allocgen: spec 0'`), `3:6: doc: allocgen: spec 0: reads as the header of a generated file: start the line with another word`},
	{top(`package: p
doc: yes`), `3:6: doc: yes is a boolean to YAML 1.1: write "yes", with quotes`},
	{top(`package: p
doc: {a: b}`), `3:6: doc: a mapping: write text`},
	{top(`package: p
tests: yes`), `3:8: tests: yes is not a boolean here: write true`},
	{top(`package: p
tests: Off`), `3:8: tests: Off is not a boolean here: write false`},
	{top(`package: p
tests: TRUE`), `3:8: tests: TRUE is not a boolean here: write true`},
	{top(`package: p
tests: 1`), `3:8: tests: 1 is not a boolean: write true or false`},
	{top(`package: p
tests: ~`), `3:1: tests: no value: write true or false`},
	{top(`package: p
inline: whole`), `3:9: inline: whole is not supported yet: write call or fast`},
	{top(`package: p
inline: fst`), `3:9: inline: fst is not call or fast (did you mean fast?)`},
	{top(`package: p
inline: yes`), `3:9: inline: yes is not call or fast`},
	{top(`package: p
inline: {}`), `3:9: inline: empty: remove the key for the default`},
	{top(`package: p
inline: {allok: fast, free: whole}`), `
3:10: inline.allok: unknown key (did you mean alloc?)
3:29: inline.free: whole is not supported yet: write call or fast
`},
	{top(`package: p
inline: [fast]`), `3:9: inline: a list: write call or fast`},
	{spec(`inline: call
lists: {A: int8}`), `3:1: inline: no effect: lists in Go memory have no path to inline`},
	{top(`package: p
imports: {api: example.com/api}`), `3:11: imports.api: no effect: no entry of objects names api`},
	{top(`package: p
imports: []`), `3:10: imports: a list: write a mapping such as {api: example.com/edge/api}`},
}

// Entries: their names, keys and words.
var badEntries = []badSpec{
	{spec(`heaps: {1a: {}, type: {}, any: {}, init: {}, main: {}, _: {}, _a: {}, y: {}, off: {}, my-heap: {}, 世: {}, 'a b': {}, '': {}}`), `
3:9: heaps.1a: 1a is not a Go identifier: letters, digits and _, no digit first
3:17: heaps.type: type is a keyword of Go: choose another name
3:27: heaps.any: any is predeclared in Go: choose another name
3:36: heaps.init: init has a meaning of its own in Go: choose another name
3:46: heaps.main: main has a meaning of its own in Go: choose another name
3:56: heaps._: _ is not a name: use a letter first
3:63: heaps._a: _a must start with a letter from a to z or A to Z, which says whether the type is exported
3:71: heaps.y: y is a boolean to YAML 1.1: write the key with quotes
3:78: heaps.off: off is a boolean to YAML 1.1: write the key with quotes
3:87: heaps.my-heap: my-heap is not a Go identifier: letters, digits and _, no digit first
3:100: heaps.世: 世 must start with a letter from a to z or A to Z, which says whether the type is exported
3:107: heaps.a b: a b is not a Go identifier: letters, digits and _, no digit first
3:118: heaps."": "" is not a Go identifier: letters, digits and _, no digit first
`},
	{spec(`heaps: {Heap: {}, heap: {}}
lists: {Heap: int8, Größe: int8, größe: int8, 'List[T any]': int8}`), `
3:19: heaps.heap: heaps.Heap at 3:9 differs only in the case of the first letter: choose another name
4:9: lists.Heap: heaps.Heap at 3:9 has the same name: choose another
4:34: lists.größe: lists.Größe at 4:21 differs only in the case of the first letter: choose another name
4:47: lists.List[T any]: List[T any] has type parameters: not supported yet
`},
	{spec(`heaps:
  Heap:
  Other: none
  Third: [16]`), `
4:3: heaps.Heap: no value: write {} for the defaults, or a mapping of keys
5:10: heaps.Other: none is a single value: write {} for the defaults, or a mapping of keys
6:10: heaps.Third: a list: write {} for the defaults, or a mapping of keys
`},
	{spec(`heaps:
  Heap:
    treshold: 1KiB
    limit: 1GiB
    cap: class
    zero: never
    retain: 1MiB
    of: int8
    colour: red`), `
5:5: heaps.Heap.treshold: unknown key (did you mean threshold?)
10:5: heaps.Heap.of: unknown key here: it belongs to lists.<Name>
11:5: heaps.Heap.colour: unknown key
`},
	{heap(`large: refused`), `4:17: heaps.Heap.large: refused is not pages, go or refuse (did you mean refuse?)`},
	{heap(`sync: percpu, double_free: none`), `
4:37: heaps.Heap.double_free: none is not supported yet: write flush or key
`},
	{heap(`double_free: exact`), `4:23: heaps.Heap.double_free: exact is not supported yet: write flush or key`},
	{heap(`large: page, sync: cash, bin: stak, stats: off`), `
4:17: heaps.Heap.large: page is not pages, go or refuse (did you mean pages?)
4:29: heaps.Heap.sync: cash is not cache, percpu or mutex (did you mean cache?)
4:40: heaps.Heap.bin: stak is not stack or list (did you mean stack?)
4:53: heaps.Heap.stats: off is not none, basic or full
`},
	{heap(`double_free: key`), `4:10: heaps.Heap.double_free: key lies in free blocks that a list links: write bin: list as well, or double_free: flush`},
	{heap(`bin: stack, double_free: key, classes: [8, 16], align: 8`), `4:22: heaps.Heap.double_free: key lies in free blocks that a list links: write bin: list as well, or double_free: flush`},
	{heap(`bin: list, double_free: key, align: 8, classes: {min: 8}`), `4:21: heaps.Heap.double_free: a free block has no room for link and key below 16 bytes, and the smallest class is 8: write a larger one, or double_free: flush`},
	{heap(`bin: list, double_free: key, align: 8, classes: [8, 24]`), `4:21: heaps.Heap.double_free: a free block has no room for link and key below 16 bytes, and the smallest class is 8: write a larger one, or double_free: flush`},
	{heap(`zero: free, large: go`), `4:10: heaps.Heap.zero: large blocks that are Go's are not cleared as they are freed: write large: pages or large: refuse as well, or zero: alloc`},
	{heap(`sync: percpu, zero: free`), `4:24: heaps.Heap.zero: a goroutine that is pinned to its processor cannot say that what it would clear is no block: write sync: cache or sync: mutex, or zero: alloc`},
	{heap(`zero: never, limit: 128KiB`), `4:23: heaps.Heap.limit: 128KiB holds fewer than 8 blocks of the threshold (32KiB) or 16 pools of 16KiB: write at least 256KiB, or lower threshold and pool`},
	{heap(`bin: lists, double_free: key`), `4:15: heaps.Heap.bin: lists is not stack or list (did you mean list?)`},
	{heap(`large: , sync: [cache], bin: {}`), `
4:10: heaps.Heap.large: no value: write pages, go or refuse
4:25: heaps.Heap.sync: a list: write cache, percpu or mutex
4:39: heaps.Heap.bin: a mapping: write stack or list
`},
}
