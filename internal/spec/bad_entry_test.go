package spec

// Numbers of a heap.
var badSizes = []badSpec{
	{heap(`threshold: 010`), `4:21: heaps.Heap.threshold: 010 is not a size: write 10, or 8 if it was meant as octal`},
	{heap(`threshold: 64K`), `4:21: heaps.Heap.threshold: 64K is not a size: write 64KiB`},
	{heap(`threshold: 1 GB`), `4:21: heaps.Heap.threshold: 1 GB is not a size: write 1GiB`},
	{heap(`threshold: 4`), `4:21: heaps.Heap.threshold: 4 is too small: at least 8`},
	{heap(`threshold: 128KiB, pool: 512KiB`), `4:35: heaps.Heap.pool: 512KiB is too large: at most 256KiB`},
	{heap(`threshold: 256KiB`), `4:21: heaps.Heap.threshold: 256KiB is too large: at most 128KiB`},
	{heap(`threshold: 500`), `4:10: heaps.Heap.threshold: 500 is not a multiple of align (16): write 496 or 512`},
	{heap(`align: 64, threshold: 32`), `4:21: heaps.Heap.threshold: 32 is not a multiple of align (64): write 64`},
	{heap(`threshold: 18446744073709551616`), `4:21: heaps.Heap.threshold: 18446744073709551616 is too large: at most 128KiB`},
	{heap(`threshold: -1`), `4:21: heaps.Heap.threshold: -1 is not a size: a size is digits (bytes), or digits and B, KiB, MiB or GiB without a space`},
	{heap(`threshold: [1]`), `4:21: heaps.Heap.threshold: a list: write a size`},
	{heap(`threshold: !!int 16`), `4:21: heaps.Heap.threshold: the tag !!int: a spec has no tags, remove it; a value that starts with ! needs quotes`},
	{heap(`align: 24`), `4:17: heaps.Heap.align: 24 is not a power of two: write 16 or 32`},
	{heap(`align: 4`), `4:17: heaps.Heap.align: 4 is too small: at least 8`},
	{heap(`align: 8KiB`), `4:17: heaps.Heap.align: 8KiB is too large: at most 4KiB`},
	{heap(`pool: 12KiB`), `4:16: heaps.Heap.pool: 12KiB is not a power of two: write 8KiB or 16KiB`},
	{heap(`pool: 2KiB`), `4:16: heaps.Heap.pool: 2KiB is too small: at least 4KiB`},
	{heap(`arena: 32KiB`), `4:17: heaps.Heap.arena: 32KiB is too small: at least 64KiB`},
	{heap(`arena: 3MiB`), `4:17: heaps.Heap.arena: 3MiB is not a power of two: write 2MiB or 4MiB`},
	{heap(`arena: 128MiB`), `4:17: heaps.Heap.arena: 128MiB is too large: at most 64MiB`},
	{heap(`pool: 64KiB, arena: 128KiB`), `4:23: heaps.Heap.arena: 128KiB holds fewer than 4 pools of 64KiB: write at least 256KiB`},
	{heap(`pool: 64KiB, arena: 1`), `4:30: heaps.Heap.arena: 1 is too small: at least 64KiB`},
	{heap(`depth: 0`), `4:17: heaps.Heap.depth: 0 is too small: at least 1`},
	{heap(`depth: 48`), `4:17: heaps.Heap.depth: 48 is not a power of two: write 32 or 64`},
	{heap(`depth: 2048`), `4:17: heaps.Heap.depth: 2048 is too large: at most 1024`},
	{heap(`depth: 64KiB`), `4:17: heaps.Heap.depth: 64KiB is not a count: a count is digits only`},
	{heap(`depth: {}`), `4:17: heaps.Heap.depth: empty: remove the key for the default`},
	{heap(`depth: {64: 16}`), `4:17: heaps.Heap.depth: all is missing: write the depth of the other classes, such as all: 64`},
	{heap(`depth: {all: 32, 64: 33, 128: 64, 1KiB: 16, 1024: 8, 4 KiB: 2, al: 3}`), `
4:31: heaps.Heap.depth.64: 33 is not a power of two: write 32 or 64
4:40: heaps.Heap.depth.128: 64 is more than all (32): single classes can only keep fewer
4:54: heaps.Heap.depth.1024: duplicate key: this size is already at 4:44
4:63: heaps.Heap.depth.4 KiB: neither all nor the size of a class: 4 KiB is not a size: write 4KiB
4:73: heaps.Heap.depth.al: neither all nor the size of a class: al is not a size: a size is digits (bytes), or digits and B, KiB, MiB or GiB without a space
`},
	{heap(`depth: {all: 3, 64: 64}`), `4:23: heaps.Heap.depth.all: 3 is not a power of two: write 2 or 4`},
	{heap(`depth: [64]`), `4:17: heaps.Heap.depth: a list: write a count`},
}

// Classes.
var badClasses = []badSpec{
	{heap(`classes: []`), `4:19: heaps.Heap.classes: an empty list: name a size, or remove the key for the default`},
	{heap(`classes: [16, 16, 48, 32, 40, 010, 256KiB]`), `
4:24: heaps.Heap.classes: 16 is listed twice
4:32: heaps.Heap.classes: 32 follows 48: write the sizes in ascending order
4:36: heaps.Heap.classes: 40 follows 48: write the sizes in ascending order
4:40: heaps.Heap.classes: 010 is not a size: write 10, or 8 if it was meant as octal
4:45: heaps.Heap.classes: 256KiB is too large: at most 128KiB
`},
	{heap(`classes: [16, 24], align: 3`), `4:36: heaps.Heap.align: 3 is too small: at least 8`},
	{heap(`classes: [16, 32], threshold: 64`), `4:29: heaps.Heap.threshold: 64 is not the last class (32), which is the threshold: remove the key`},
	{heap(`classes: [16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 272, 288, 304, 320, 336, 352, 368, 384, 400, 416, 432, 448, 464, 480, 496, 512, 528, 544, 560, 576, 592, 608, 624, 640, 656, 672, 688, 704, 720, 736, 752, 768, 784, 800, 816, 832, 848, 864, 880, 896, 912, 928, 944, 960, 976, 992, 1008, 1024, 1040, 1056, 1072, 1088, 1104, 1120, 1136, 1152, 1168, 1184, 1200, 1216, 1232, 1248, 1264, 1280, 1296, 1312, 1328, 1344, 1360, 1376, 1392, 1408, 1424, 1440, 1456, 1472, 1488, 1504, 1520, 1536, 1552, 1568, 1584, 1600, 1616, 1632, 1648, 1664, 1680, 1696, 1712, 1728, 1744, 1760, 1776, 1792, 1808, 1824, 1840, 1856, 1872, 1888, 1904, 1920, 1936, 1952]`), `4:672: heaps.Heap.classes: 122 classes: at most 120`},
	{heap(`classes: [[16]]`), `4:20: heaps.Heap.classes: a list: write a size`},
	{heap(`classes: 16`), `4:19: heaps.Heap.classes: 16 is a single value: write a list of sizes, or a rule such as {min: 16, step: 16, to: 1KiB, per_doubling: 4}`},
	{heap(`classes: `), `4:10: heaps.Heap.classes: no value: write a list of sizes, or a rule such as {min: 16, step: 16, to: 1KiB, per_doubling: 4}`},
	{heap(`classes: {}`), `4:19: heaps.Heap.classes: empty: remove the key for the default`},
	{heap(`classes: {mn: 16, limit: 3}`), `
4:20: heaps.Heap.classes.mn: unknown key (did you mean min?)
4:28: heaps.Heap.classes.limit: unknown key here: it belongs to heaps.<Name>
`},
	{heap(`classes: {min: 4, step: 0, to: 1MiB, per_doubling: 3}`), `
4:25: heaps.Heap.classes.min: 4 is too small: at least 8
4:34: heaps.Heap.classes.step: 0 is too small: at least 8
4:41: heaps.Heap.classes.to: 1MiB is too large: at most 128KiB
4:61: heaps.Heap.classes.per_doubling: 3 is not a power of two: write 2 or 4
`},
	{heap(`classes: {min: 24, step: 8, to: 1000}`), `
4:20: heaps.Heap.classes.min: 24 is not a multiple of align (16): write 16 or 32
4:29: heaps.Heap.classes.step: 8 is not a multiple of align (16): write 16
4:38: heaps.Heap.classes.to: 1000 is not a multiple of align (16): write 992 or 1008
`},
	{heap(`classes: {min: 8}`), `4:20: heaps.Heap.classes.min: 8 is not a multiple of align (16): write 16`},
	{heap(`classes: {min: 2KiB, to: 1KiB}`), `4:31: heaps.Heap.classes.to: 1KiB is below min (2KiB)`},
	{heap(`classes: {min: 64KiB}`), `4:20: heaps.Heap.classes.min: 64KiB is above the threshold (32KiB)`},
	{heap(`threshold: 8, align: 8`), `4:10: heaps.Heap.threshold: 8 is below the smallest class (16): raise it, or write classes.min`},
	{heap(`threshold: 512, classes: {to: 1KiB}`), `4:36: heaps.Heap.classes.to: 1KiB is above the threshold (512): lower it, or raise the threshold`},
	{heap(`threshold: 512, classes: {per_doubling: 4}`), `4:36: heaps.Heap.classes.per_doubling: no effect: the linear steps reach the threshold (512), so that nothing doubles`},
	{heap(`align: 64, classes: {step: 32}`), `4:31: heaps.Heap.classes.step: 32 is not a multiple of align (64): write 64`},
}

// Lists.
var badLists = []badSpec{
	{list(``), `5:3: lists.Ints: no value: write an element such as int64, or a mapping with of`},
	{list(`int46`), `5:9: lists.Ints: int46 is no predeclared type (did you mean int64?); other types are not supported yet`},
	{list(`string`), `5:9: lists.Ints: string holds pointers: not supported yet: write a predeclared type without pointers`},
	{list(`Node`), `5:9: lists.Ints: Node: not supported yet: write a predeclared type without pointers, such as int64`},
	{list(`'*int'`), `5:9: lists.Ints: *int is no predeclared type (did you mean int?); other types are not supported yet`},
	{list(`[int]`), `5:9: lists.Ints: a list: write an element such as int64, or a mapping with of`},
	{list(`{}`), `5:3: lists.Ints.of: missing: name the element, such as int64`},
	{list(`''`), `5:9: lists.Ints: no element: name one, such as int64`},
	{list(`{heap: Heap}`), `5:3: lists.Ints.of: missing: name the element, such as int64`},
	{list(`{of: int8, heap: Haep}`), `5:26: lists.Ints.heap: Haep is not an entry of heaps (did you mean Heap?)`},
	{list(`{of: int8, heap: Nothing}`), `5:26: lists.Ints.heap: Nothing is not an entry of heaps (there is Heap)`},
	{spec(`lists: {A: {of: int8, heap: Heap}}`), `3:29: lists.A.heap: Heap is not an entry of heaps (this spec has none)`},
	{list(`{of: int8, inline: fast}`), `5:20: lists.Ints.inline: no effect: a list in Go memory has no path to inline; add heap, or remove the key`},
	{list(`{of: int8, sizing: {grow: 1.5}}`), `5:28: lists.Ints.sizing: a rule of one's own is not supported yet: write double, go, cpython or cpython2`},
	{list(`{of: int8, sizing: cpyton}`), `5:28: lists.Ints.sizing: cpyton is not double, go, cpython or cpython2 (did you mean cpython?)`},
	{list(`{of: int8, sizing: cpython3, off: 1, limit: 2, size: 3}`), `
5:28: lists.Ints.sizing: cpython3 is not double, go, cpython or cpython2 (did you mean cpython?)
5:38: lists.Ints.off: unknown key (did you mean of?)
5:46: lists.Ints.limit: unknown key here: it belongs to heaps.<Name>
5:56: lists.Ints.size: unknown key
`},
	{list(`{of: !x int8}`), `5:14: lists.Ints.of: the tag !x: a spec has no tags, remove it; a value that starts with ! needs quotes`},
}

// Keys with a dot or a quote in them are not taken for paths.
var badDots = []badSpec{
	{spec(`lists:
  "Ints.of": {}
  Ints: {}
  '"Ints': {'of"': 1}`), `
4:3: lists."Ints.of": Ints.of is not a Go identifier: letters, digits and _, no digit first
4:3: lists."Ints.of".of: missing: name the element, such as int64
5:3: lists.Ints.of: missing: name the element, such as int64
6:3: lists."\"Ints": "Ints is not a Go identifier: letters, digits and _, no digit first
6:3: lists."\"Ints".of: missing: name the element, such as int64
6:13: lists."\"Ints"."of\"": unknown key (did you mean of?)
`},
	{spec(`"heaps.Heap.align": 1
heaps: {Heap: {threshold: 24}}`), `
3:1: "heaps.Heap.align": unknown key
4:16: heaps.Heap.threshold: 24 is not a multiple of align (16): write 16 or 32
`},
}

// All errors of a file come at once.
var badSeveral = []badSpec{
	{`allocgen: 1
package: func
out: ..\x
lists:
  Ints: {of: int65, heap: Hoop}
heaps:
  Heap: {treshold: 1, align: 12, threshold: 4kib}` + "\n", `
2:10: package: func is a keyword of Go: choose another name
3:6: out: ..\x has a backslash: write / between folders
5:14: lists.Ints.of: int65 is no predeclared type (did you mean int64?); other types are not supported yet
5:27: lists.Ints.heap: Hoop is not an entry of heaps (did you mean Heap?)
7:10: heaps.Heap.treshold: unknown key (did you mean threshold?)
7:30: heaps.Heap.align: 12 is not a power of two: write 8 or 16
7:45: heaps.Heap.threshold: 4kib is not a size: write 4KiB
`},
}
