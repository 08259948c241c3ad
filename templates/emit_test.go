package templates

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMustInline: promised methods carry the public tool's directive where
// gofmt wants it, whichever way they are emitted, and no other does.
func TestMustInline(t *testing.T) {
	t.Parallel()
	const want = `// Get is promised.
//
//gcassert:inline
func (h *Buf) Get() int {
	return 1
}

// Put is not.
func (h *Buf) Put() {
	h.n++
}`
	require.Equal(t, want, file(t, func(o *out) {
		o.fn(fn{doc: "Get is promised.", head: "(h *Heap) Get() int", body: func(s *scope) []code { return []code{s.do("return 1")} }})
		o.fn(fn{doc: "Put is not.", head: "(h *Heap) Put()", body: func(s *scope) []code { return []code{s.do("h.n++")} }})
	}))
	require.Equal(t, want, file(t, func(o *out) {
		o.decls(`
// Get is promised.
func (h *Heap) Get() int {
	return 1
}

// Put is not.
func (h *Heap) Put() {
	h.n++
}`)
	}))
}
