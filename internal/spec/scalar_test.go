package spec

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSizes(t *testing.T) {
	l := limits{unit: "size", min: 1, max: 1 << 29}
	good := map[string]int{
		"1": 1, "16": 16, "4096": 4096, "1B": 1, "4096B": 4096, "1KiB": 1024, "32KiB": 32768, "1MiB": 1 << 20, "512MiB": 1 << 29,
		"536870912": 1 << 29,
	}
	for text, want := range good {
		n, problem := l.read(text)
		require.Empty(t, problem, text)
		require.Equal(t, want, n, text)
	}
	const grammar = "a size is digits (bytes), or digits and B, KiB, MiB or GiB without a space"
	bad := map[string]string{
		"010":                            "010 is not a size: write 10, or 8 if it was meant as octal",
		"08":                             "08 is not a size: write 8",
		"00":                             "00 is not a size: write 0",
		"0x10":                           "0x10 is not a size: write 16",
		"0o10":                           "0o10 is not a size: write 8",
		"0b11":                           "0b11 is not a size: write 3",
		"1_024":                          "1_024 is not a size: write 1024",
		"1e3":                            "1e3 is not a size: write 1000",
		"1.0":                            "1.0 is not a size: write 1",
		"1.5":                            "1.5 is not a size: " + grammar,
		"1.5KiB":                         "1.5KiB is not a size: write 1536",
		"+16":                            "+16 is not a size: write 16",
		"-16":                            "-16 is not a size: " + grammar,
		"-0":                             "-0 is not a size: " + grammar,
		"4kib":                           "4kib is not a size: write 4KiB",
		"4KIB":                           "4KIB is not a size: write 4KiB",
		"4 KiB":                          "4 KiB is not a size: write 4KiB",
		"1 GB":                           "1 GB is not a size: write 1GiB",
		"64K":                            "64K is not a size: write 64KiB",
		"64Ki":                           "64Ki is not a size: write 64KiB",
		"1m":                             "1m is not a size: write 1MiB",
		"16b":                            "16b is not a size: write 16",
		"016KiB":                         "016KiB is not a size: write 16KiB",
		"12:30":                          "12:30 is not a size: " + grammar,
		"1TiB":                           "1TiB is not a size: " + grammar,
		".inf":                           ".inf is not a size: " + grammar,
		"１６":                             "１６ is not a size: " + grammar,
		"":                               `"" is not a size: ` + grammar,
		"16\n":                           `"16\n" is not a size: write 16`,
		"many":                           "many is not a size: " + grammar,
		"1e400":                          "1e400 is not a size: " + grammar,
		"0":                              "0 is too small: at least 1",
		"0KiB":                           "0KiB is too small: at least 1",
		"2GiB":                           "2GiB is too large: at most 512MiB",
		"536870913":                      "536870913 is too large: at most 512MiB",
		"18446744073709551616":           "18446744073709551616 is too large: at most 512MiB",
		"9223372036854775807GiB":         "9223372036854775807GiB is too large: at most 512MiB",
		"0xffffffffffffffffffff":         "0xffffffffffffffffffff is not a size: " + grammar,
		"99999999999999999999999999_000": "99999999999999999999999999_000 is not a size: " + grammar,
	}
	for text, want := range bad {
		_, problem := l.read(text)
		require.Equal(t, want, problem, text)
	}
}

func TestCounts(t *testing.T) {
	bad := map[string]string{
		"64KiB": "64KiB is not a count: a count is digits only",
		"1_024": "1_024 is not a count: write 1024",
		"0x10":  "0x10 is not a count: write 16",
		"1.0":   "1.0 is not a count: write 1",
		"0":     "0 is too small: at least 1",
		"2048":  "2048 is too large: at most 1024",
		"48":    "48 is not a power of two: write 32 or 64",
	}
	for text, want := range bad {
		_, problem := depthLimits.read(text)
		require.Equal(t, want, problem, text)
	}
	n, problem := depthLimits.read("1024")
	require.Empty(t, problem)
	require.Equal(t, 1024, n)
}

func TestFormatSize(t *testing.T) {
	for n, want := range map[int]string{0: "0", 16: "16", 1000: "1000", 1024: "1KiB", 1536: "1536", 1 << 20: "1MiB", 3 << 20: "3MiB", 1 << 30: "1GiB"} {
		require.Equal(t, want, formatSize(n))
		back, ok := parseSize(want)
		require.True(t, ok)
		require.Equal(t, n, back)
	}
}

func TestNearest(t *testing.T) {
	words := []string{"threshold", "align", "go", "depth"}
	for word, want := range map[string]string{"treshold": "threshold", "Threshold": "threshold", "lagin": "align", "alien": "align", "g": "go", "gn": "go", "ho": "go", "x": "", "width": "", "": ""} {
		require.Equal(t, want, nearest(word, words), word)
	}
}
