package spec

import (
	"strconv"
	"strings"
	"unicode"
)

// MaxShown bounds what an error repeats of the file, in characters.
const maxShown = 64

// Show makes text of the file fit for one line of an error.
func show(text string) string {
	text = shorten(text)
	plain := text != "" && strings.TrimSpace(text) == text
	for _, r := range text {
		plain = plain && unicode.IsPrint(r)
	}
	if plain {
		return text
	}
	return strconv.Quote(text)
}

func shorten(text string) string {
	if r := []rune(text); len(r) > maxShown {
		text = string(r[:maxShown-1]) + "…"
	}
	return text
}

// Or joins words for a sentence: "a, b or c".
func or(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Nearest is the candidate that word was probably meant to be, or "".
func nearest(word string, candidates []string) string {
	if len(word) > maxShown {
		return ""
	}
	best, bound := "", 2*editCost
	if len(word) < 4 {
		bound = editCost
	}
	for _, c := range candidates {
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d <= bound && d < editCost*len(c) {
			best, bound = c, d-1
		}
	}
	return best
}

// A swap of neighbours is the likeliest mistake: int46 was int64, not int16.
const (
	swapCost = 1
	editCost = 2
)

// Distance is the cost of the edits between two words (optimal string
// alignment).
func distance(a, b string) int {
	before, prev := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = editCost * j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = editCost * i
		for j := 1; j <= len(b); j++ {
			change := prev[j-1]
			if a[i-1] != b[j-1] {
				change += editCost
			}
			row[j] = min(change, prev[j]+editCost, row[j-1]+editCost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+swapCost)
			}
		}
		before, prev = prev, row
	}
	return prev[len(b)]
}
