package main

import "github.com/allocgen/allocgen/generated/general"

// What rows need that generated packages do not offer yet. Each row says so
// until then.

const noTrim = "Heap.Trim is not built yet"

// A trimmer gives memory back that nobody uses.
type trimmer interface{ Trim() int64 }

func canTrim() bool {
	_, ok := any(new(general.Heap)).(trimmer)
	return ok
}

// trim does nothing where there is no Trim.
func trim(h *general.Heap) {
	if t, ok := any(h).(trimmer); ok {
		t.Trim()
	}
}
