package allocgen_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInlines asks the compiler about every promise of every spec: it must
// report that it can inline the function.
func TestInlines(t *testing.T) {
	t.Parallel()
	module := t.TempDir()
	for name, text := range render(t, discover(t)) {
		// ./... leaves testdata out.
		writeFile(t, filepath.Join(module, strings.TrimPrefix(name, "testdata/")), text)
	}
	copyOwn(t, filepath.Join("testdata", "own"), filepath.Join(module, "own"))
	copyOwn(t, "generated", filepath.Join(module, "generated"))
	writeFile(t, filepath.Join(module, "go.mod"), "module promises\n\ngo 1.21\n")
	report := run(t, module, "go", "build", "-gcflags=-m=2", "./...")
	can := map[string]bool{} // by package, which is the file's folder
	for _, m := range canInline.FindAllStringSubmatch(report, -1) {
		can[filepath.Base(filepath.Dir(m[1]))+" "+m[2]+"."+m[3]] = true
	}
	for _, p := range plans(t) {
		require.NotEmpty(t, p.Promises)
		for _, promise := range p.Promises {
			require.True(t, can[p.Package+" "+promise.Func], "%s: the compiler cannot inline %s", p.Package, promise.Func)
		}
		for _, h := range p.Heaps { // what is said to be called is called
			bin := p.Package + " " + h.Names["HeapBin"]
			require.Equal(t, h.AllocCalled() == "", can[bin+".Alloc"], bin)
			require.Equal(t, h.FreeCalled() == "", can[bin+".Free"], bin)
		}
	}
}

var canInline = regexp.MustCompile(`(?m)^(\S+):\d+:\d+: can inline \(\*(\w+)\)\.(\w+) with cost`)

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
