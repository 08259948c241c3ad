package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Hash is 16 hex digits that say what the spec means, not how or where it is
// written: two spellings of one spec have the same.
func (s *Spec) Hash() string {
	meaning := *s
	meaning.File = ""
	text, err := json.Marshal(meaning)
	if err != nil {
		panic(err) // strings, numbers and booleans only
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
