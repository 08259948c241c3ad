package spec

import (
	"fmt"
	"math"
	"math/bits"
	"regexp"
	"strconv"
	"strings"
)

// Sizes and counts have one spelling each. They are read from the text as
// written, never from what YAML makes of it: 010 is 8 to YAML 1.1, 1_000 is
// 1000 and 1.0 is 1.
var (
	countText = regexp.MustCompile(`^(0|[1-9][0-9]*)$`)
	sizeText  = regexp.MustCompile(`^(0|[1-9][0-9]*)(B|KiB|MiB|GiB)?$`)
	looseText = regexp.MustCompile(`^([-+]?)\s*(0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)\s*([A-Za-z]*)$`)
)

// Units by their right spelling and, in lower case, by the usual wrong ones.
var units = map[string]int{
	"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
	"b": 1, "byte": 1, "bytes": 1,
	"k": 1 << 10, "kb": 1 << 10, "ki": 1 << 10, "kib": 1 << 10,
	"m": 1 << 20, "mb": 1 << 20, "mi": 1 << 20, "mib": 1 << 20,
	"g": 1 << 30, "gb": 1 << 30, "gi": 1 << 30, "gib": 1 << 30,
}

// Huge stands for every number above it: beyond all limits, or what an int of 32
// bits holds, and small enough that sums do not overflow.
const huge = 1 << (30 + 14*(^uint(0)>>63))

// ParseCount reads decimal digits, saturating at huge.
func parseCount(text string) (n int, ok bool) {
	if !countText.MatchString(text) {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	if err != nil || n > huge {
		n = huge
	}
	return n, true
}

// ParseSize reads decimal digits and perhaps a unit, saturating at huge.
func parseSize(text string) (n int, ok bool) {
	parts := sizeText.FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	n, _ = parseCount(parts[1])
	unit := units[parts[2]]
	if n > huge/unit {
		return huge, true
	}
	return n * unit, true
}

// FormatSize is the shortest right spelling of n.
func formatSize(n int) string {
	for _, unit := range []string{"GiB", "MiB", "KiB"} {
		if size := units[unit]; n >= size && n%size == 0 {
			return strconv.Itoa(n/size) + unit
		}
	}
	return strconv.Itoa(n)
}

// Respell says what the author of a wrong size or count should write.
func respell(text, unit string) string {
	parts := looseText.FindStringSubmatch(text)
	if parts == nil {
		return ""
	}
	sign, digits, suffix := parts[1], parts[2], parts[3]
	scale, ok := units[strings.ToLower(suffix)]
	if sign == "-" || !ok || unit == "count" && suffix != "" {
		return ""
	}
	number, octal := looseNumber(digits)
	number *= float64(scale)
	if number > huge || number != math.Trunc(number) {
		return ""
	}
	n := int(number)
	right := strconv.Itoa(n)
	if suffix != "" {
		right = formatSize(n)
	}
	if octal != 0 && suffix == "" {
		return fmt.Sprintf("write %s, or %d if it was meant as octal", right, octal)
	}
	return "write " + right
}

// LooseNumber is the value of digits in any of YAML's spellings, and what they
// are in octal when a leading 0 leaves that open.
func looseNumber(digits string) (number float64, octal int64) {
	digits = strings.ReplaceAll(digits, "_", "")
	if len(digits) > 2 && strings.ContainsAny(digits[1:2], "xXoObB") {
		n, err := strconv.ParseInt(digits, 0, 64)
		if err != nil {
			n = 2 * huge
		}
		return float64(n), 0
	}
	if len(digits) > 1 && digits[0] == '0' {
		octal, _ = strconv.ParseInt(digits, 8, 32)
	}
	number, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		number = 2 * huge
	}
	return number, octal
}

// Scalar is the text of a single value; want is what belongs there.
func (d *decoder) scalar(n *node, want string) (string, bool) {
	switch n.kind {
	case scalarKind:
		return n.text, true
	case badKind:
		d.bad[n.path] = true
	case nullKind:
		d.fail(n, "no value: write %s", want)
	default:
		d.fail(n, "%s: write %s", n.kind, want)
	}
	return "", false
}

// Mapping says whether n is one; want is what belongs there.
func (d *decoder) mapping(n *node, want string) bool {
	switch n.kind {
	case mappingKind:
		return true
	case badKind:
		d.bad[n.path] = true
	case nullKind:
		d.fail(n, "no value: write %s", want)
	case scalarKind:
		d.fail(n, "%s is %s: write %s", show(n.text), n.kind, want)
	default:
		d.fail(n, "%s: write %s", n.kind, want)
	}
	return false
}

// Text is a name or free text. Words that YAML 1.1 reads as booleans need
// quotes, so that every tool reads the same file.
func (d *decoder) text(n *node, want string) (string, bool) {
	text, ok := d.scalar(n, want)
	if ok && n.plain && isYAMLBool(text) {
		d.fail(n, "%s is a boolean to YAML 1.1: write %q, with quotes", text, text)
		return "", false
	}
	return text, ok
}

// IsYAMLBool says whether YAML 1.1 reads the plain word as a boolean.
func isYAMLBool(word string) bool {
	_, ok := yamlBools[strings.ToLower(word)]
	return ok
}

var yamlBools = map[string]bool{
	"y": true, "yes": true, "on": true, "true": true,
	"n": false, "no": false, "off": false, "false": false,
}

func (d *decoder) bool(n *node, def bool) bool {
	text, ok := d.scalar(n, "true or false")
	if !ok {
		return def
	}
	switch text {
	case "true":
		return true
	case "false":
		return false
	}
	if v, ok := yamlBools[strings.ToLower(text)]; ok {
		d.fail(n, "%s is not a boolean here: write %t", show(text), v)
	} else {
		d.fail(n, "%s is not a boolean: write true or false", show(text))
	}
	return def
}

// Word is one of k's words.
func (d *decoder) word(n *node, k *key, def string) string {
	text, ok := d.scalar(n, or(k.words))
	if !ok {
		return def
	}
	for _, w := range k.words {
		if text == w {
			return w
		}
	}
	for _, w := range k.later {
		if text == w {
			d.fail(n, "%s is not supported yet: write %s", w, or(k.words))
			return def
		}
	}
	if near := nearest(text, append(k.words[:len(k.words):len(k.words)], k.later...)); near != "" {
		d.fail(n, "%s is not %s (did you mean %s?)", show(text), or(k.words), near)
	} else {
		d.fail(n, "%s is not %s", show(text), or(k.words))
	}
	return def
}

// Number is a size or a count within limits.
func (d *decoder) number(n *node, l limits, def int) int {
	text, ok := d.scalar(n, "a "+l.unit)
	if !ok {
		return def
	}
	v, problem := l.read(text)
	if problem != "" {
		d.fail(n, "%s", problem)
		return def
	}
	return v
}

// Read parses text, or says what is wrong with it.
func (l limits) read(text string) (n int, problem string) {
	parse, format, grammar := parseSize, formatSize, "a size is digits (bytes), or digits and B, KiB, MiB or GiB without a space"
	if l.unit == "count" {
		parse, format, grammar = parseCount, strconv.Itoa, "a count is digits only"
	}
	n, ok := parse(text)
	switch {
	case !ok:
		if right := respell(text, l.unit); right != "" {
			grammar = right
		}
		return 0, fmt.Sprintf("%s is not a %s: %s", show(text), l.unit, grammar)
	case n < l.min:
		return 0, fmt.Sprintf("%s is too small: at least %s", show(text), format(l.min))
	case n > l.max:
		return 0, fmt.Sprintf("%s is too large: at most %s", show(text), format(l.max))
	case l.pow2 && n&(n-1) != 0:
		low := 1 << (bits.Len(uint(n)) - 1)
		return 0, fmt.Sprintf("%s is not a power of two: write %s or %s", show(text), format(low), format(2*low))
	}
	return n, ""
}
