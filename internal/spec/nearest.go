package spec

// Nearest is the candidate that word was probably meant to be, or "".
func Nearest(word string, candidates []string) string { return nearest(word, candidates) }
