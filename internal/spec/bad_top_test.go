package spec

// Where broken YAML is.
var badSyntax = []badSpec{
	{spec(`doc: |x`), `3:1: not YAML: did not find expected comment or line break`},
	{spec(`doc: &`), `3:1: not YAML: did not find expected alphabetic or numeric character`},
	{spec(`doc: *`), `3:1: not YAML: did not find expected alphabetic or numeric character`},
	{spec(`doc: !<`), `3:1: not YAML: did not find expected tag URI`},
	{spec(`doc: "\xzz"`), `3:1: not YAML: did not find expected hexdecimal number`},
	{spec(`doc: !foo!x y`), `3:1: not YAML: found undefined tag handle`},
	{spec(`doc: [a`), `3:1: not YAML: did not find expected ',' or ']'`},
	{spec(`doc: {a b: c`), `3:1: not YAML: did not find expected ',' or '}'`},
	{spec(`doc: a: b`), `3:1: not YAML: mapping values are not allowed in this context`},
	{spec(`a: 1
%YAML 1.1`), `5:1: not YAML: did not find expected <document start>`},
	{spec(`# *zz
doc: *zz`), `4:6: *zz: no such anchor above`},
	{spec(`doc: "see *zz here"
out: [*zz, *zz]`), `4:7: *zz: no such anchor above`},
	{spec(`doc: 'see
  *zz here'
out: [*zz]`), `5:7: *zz: no such anchor above`},
	{spec(`doc: |
  see *zz
out: *zz`), `5:6: *zz: no such anchor above`},
	{spec(`doc: &zz-x a
out: *zz-x
build: *zz`), `5:8: *zz: no such anchor above`},
	{spec(`a*zz: *zz`), `3:7: *zz: no such anchor above`},
}

// Folders that the go command cannot import, or does not see.
var badOut = []badSpec{
	{top(`package: p
out: /abs`), `3:6: out: /abs is not relative: write a path relative to the spec, such as ../generated/pools`},
	{top(`package: p
out: C:/x`), `3:6: out: C:/x is not relative: write a path relative to the spec, such as ../generated/pools`},
	{top(`package: p
out: a\b`), `3:6: out: a\b has a backslash: write / between folders`},
	{top(`package: p
out: ''`), `3:6: out: "" is no path: write . for the spec's own folder`},
	{top(`package: p
out: my dir`), `3:6: out: my dir cannot be imported: the character " " is not allowed here: write letters from a to z or A to Z, digits, -, _, . and ~`},
	{top(`package: p
out: ~/x`), `3:6: out: ~/x is not relative: write a path relative to the spec, such as ../generated/pools`},
	{top(`package: p
out: "a\nb"`), `3:6: out: "a\nb" cannot be imported: the character "\n" is not allowed here: write letters from a to z or A to Z, digits, -, _, . and ~`},
	{top(`package: p
out:`), `3:1: out: no value: write a relative path`},
	{top(`package: p
out: gén`), `3:6: out: gén cannot be imported: the character é is not allowed here: write letters from a to z or A to Z, digits, -, _, . and ~`},
	{top(`package: p
out: +x`), `3:6: out: +x cannot be imported: the character + is not allowed here: write letters from a to z or A to Z, digits, -, _, . and ~`},
	{top(`package: p
out: a@b`), `3:6: out: a@b cannot be imported: the character @ is not allowed here: write letters from a to z or A to Z, digits, -, _, . and ~`},
	{top(`package: p
out: ./-x`), `3:6: out: ./-x has the folder -x, which Go cannot import or does not see: start its name with a letter or digit`},
	{top(`package: p
out: ...`), `3:6: out: ... has the folder ..., which Go cannot import or does not see: start its name with a letter or digit`},
	{top(`package: p
out: _gen`), `3:6: out: _gen has the folder _gen, which Go cannot import or does not see: start its name with a letter or digit`},
	{top(`package: p
out: .gen`), `3:6: out: .gen has the folder .gen, which Go cannot import or does not see: start its name with a letter or digit`},
	{top(`package: p
out: a/~x`), `3:6: out: a/~x has the folder ~x, which Go cannot import or does not see: start its name with a letter or digit`},
	{top(`package: p
out: con`), `3:6: out: con has the folder con, which Windows reserves, so that it cannot be imported: choose another name`},
	{top(`package: p
out: aux.go`), `3:6: out: aux.go has the folder aux.go, which Windows reserves, so that it cannot be imported: choose another name`},
	{top(`package: p
out: ../a/LPT9.x/b`), `3:6: out: ../a/LPT9.x/b has the folder LPT9.x, which Windows reserves, so that it cannot be imported: choose another name`},
	{top(`package: p
out: a~1`), `3:6: out: a~1 has the folder a~1, which Windows reserves, so that it cannot be imported: choose another name`},
	{top(`package: p
out: a.`), `3:6: out: a. has the folder a., which cannot be imported: remove the dot at the end`},
	{top(`package: p
out: testdata/x`), `3:6: out: testdata/x has the folder testdata, which the go command skips: choose another name`},
	{top(`package: p
out: vendor/x`), `3:6: out: vendor/x has the folder vendor, which the go command skips: choose another name`},
}

// Where the output is built.
var badBuild = []badSpec{
	{top(`package: p
build: linux &&`), `3:8: build: linux && is not a //go:build expression, such as linux && amd64: unexpected end of expression`},
	{top(`package: p
build: linux,amd64`), `3:8: build: linux,amd64 is not a //go:build expression, such as linux && amd64: invalid syntax at ,`},
	{top(`package: p
build: //go:build linux`), `3:8: build: //go:build linux: write the expression alone, such as linux && amd64`},
	{top(`package: p
build: "linux\nfoo"`), `3:8: build: an expression is one line: write it without a line break, such as linux && amd64`},
	{top(`package: p
build: [linux]`), `3:8: build: a list: write a //go:build expression`},
	{top(`package: p
build: !windows`), `3:8: build: a value that starts with ! needs quotes: write "!windows"`},
	{top(`package: p
build: !linux && amd64`), `3:8: build: a value that starts with ! needs quotes: write "!linux && amd64"`},
	{top(`package: p
build: !(linux || darwin)`), `3:8: build: a value that starts with ! needs quotes: write "!(linux || darwin)"`},
	{top(`package: p
build: ! windows`), `3:8: build: a value that starts with ! needs quotes: write "! windows"`},
	{top(`package: p
build: &b ! windows`), `3:8: build: a value that starts with ! needs quotes: write "! windows"`},
	{spec(`build: !linux || x # or not`), `3:8: build: a value that starts with ! needs quotes: write "!linux || x"`},
	{top(`package: p
build: !<x> y`), `3:8: build: the tag x: a spec has no tags, remove it; a value that starts with ! needs quotes`},
	{spec(`doc: ! text
lists: {A: int8}`), `3:6: doc: the tag !: a spec has no tags, remove it; a value that starts with ! needs quotes`},
	{spec(`build: go1.21
lists: {A: int8}`), `3:8: build: go1.21: the output is for go1.21 and newer: leave Go versions out`},
	{spec(`build: linux && go1.99
lists: {A: int8}`), `3:8: build: go1.99: the output is for go1.21 and newer: leave Go versions out`},
	{spec(`build: '!go1.2x'
lists: {A: int8}`), `3:8: build: go1.2x: the output is for go1.21 and newer: leave Go versions out`},
	{spec(`build: linux && windows
lists: {A: int8}`), `3:8: build: linux && windows is never true (a build has one GOOS and one GOARCH): correct it, or remove the key`},
	{spec(`build: x && amd64 && arm64
lists: {A: int8}`), `3:8: build: x && amd64 && arm64 is never true (a build has one GOOS and one GOARCH): correct it, or remove the key`},
	{spec(`build: cgo && !cgo
lists: {A: int8}`), `3:8: build: cgo && !cgo is never true (a build has one GOOS and one GOARCH): correct it, or remove the key`},
	{spec(`build: unix && windows
lists: {A: int8}`), `3:8: build: unix && windows is never true (a build has one GOOS and one GOARCH): correct it, or remove the key`},
	{spec(`build: illumos && !solaris
lists: {A: int8}`), `3:8: build: illumos && !solaris is never true (a build has one GOOS and one GOARCH): correct it, or remove the key`},
	{spec(`build: (linux || darwin) && windows
lists: {A: int8}`), `3:8: build: (linux || darwin) && windows is never true (a build has one GOOS and one GOARCH): correct it, or remove the key`},
}
