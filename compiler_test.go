package allocgen_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInlines asks the compiler about every promise: it must report that it can
// inline the function.
func TestInlines(t *testing.T) {
	t.Parallel()
	for _, p := range plans(t) {
		if !strings.HasPrefix(p.File, "specs/") {
			continue
		}
		report := run(t, ".", "go", "build", "-gcflags=-m=2", "./generated/"+p.Package)
		can := map[string]bool{}
		for _, m := range canInline.FindAllStringSubmatch(report, -1) {
			can[m[1]+"."+m[2]] = true
		}
		require.NotEmpty(t, p.Promises)
		for _, promise := range p.Promises {
			require.True(t, can[promise.Func], "%s: the compiler cannot inline %s", p.Package, promise.Func)
		}
	}
}

var canInline = regexp.MustCompile(`can inline \(\*(\w+)\)\.(\w+) with cost`)

// TestInlineProofFails holds that TestInlines can fail: a statement more in a
// fast path, and the compiler refuses.
func TestInlineProofFails(t *testing.T) {
	t.Parallel()
	module := t.TempDir()
	copyTree(t, "generated/general", module)
	writeFile(t, module+"/go.mod", "module edited\n\ngo 1.24\n")
	files := generatedFiles(t, module)
	text := files["general_cache_gen.go"]
	edited := strings.Replace(text, "b.n++", "b.n++\n\tb.lim += b.n", 1)
	require.NotEqual(t, text, edited)
	writeFile(t, module+"/general_cache_gen.go", edited)
	report := run(t, module, "go", "build", "-gcflags=-m=2", ".")
	require.Contains(t, report, "cannot inline (*HeapBin).Free")
}

// TestTools runs what a reviewer would run on the output.
func TestTools(t *testing.T) {
	run(t, ".", "go", "vet", "./generated/...")
	run(t, ".", "go", "test", "-count=1", "-gcflags=-d=checkptr", "./generated/...")
	if out, err := exec.Command("go", "env", "CGO_ENABLED").Output(); err == nil && strings.TrimSpace(string(out)) == "1" {
		run(t, ".", "go", "test", "-count=1", "-race", "./generated/...")
	}
	run(t, ".", "go", "tool", "-modfile=tools/go.mod", "staticcheck", "./generated/...")
}
