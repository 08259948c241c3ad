package allocgen_test

import (
	"encoding/json"
	"go/version"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/internal/inline"
)

// TestInlines asks the compiler about every promise of every spec.
func TestInlines(t *testing.T) {
	t.Parallel()
	module := t.TempDir()
	for _, root := range []string{"", "bench", "testdata"} {
		// ./... leaves a folder testdata out.
		copyTree(t, filepath.Join(root, "specs"), filepath.Join(module, "of"+root, "specs"))
	}
	copyOwn(t, filepath.Join("testdata", "own"), filepath.Join(module, "own"))
	copyOwn(t, "generated", filepath.Join(module, "of", "generated"))
	writeFile(t, filepath.Join(module, "go.mod"), "module promises\n\ngo 1.21\n")
	allocgen(t, module, "gen")
	proof, err := inline.Prove(module, []string{"./..."}, nil)
	require.NoError(t, err)
	require.Len(t, proof.Runs, 1)
	require.Empty(t, proof.Runs[0].Broken)
	require.True(t, proof.Holds())

	promised := 0
	for _, p := range plans(t) {
		require.NotEmpty(t, p.Promises)
		promised += len(p.Promises)
	}
	require.Len(t, proof.Runs[0].Entries, promised)
	if version.Compare(runtime.Version(), "go1.26") < 0 {
		return // older compilers leave checks that these have learned to drop
	}
	for _, e := range proof.Runs[0].Entries {
		if strings.HasSuffix(e.Func, ".Bin") || strings.HasSuffix(e.Func, ".BinOf") {
			require.Zero(t, e.Checks, e.Func)
		}
		if strings.Contains(e.Called, "over the budget") && e.Reason != "" {
			require.False(t, e.Inlines, "%s: %s", e.Func, e.Called)
		}
		if e.Func == "entries.Get" || e.Func == "entries.Put" || e.Func == "SharedCache.Get" { // of type parameters
			require.Equal(t, e.Called == "", e.Inlines, "%s: %s", e.Func, e.Reason)
		}
	}
}

// TestInlineProofFails holds that the proofs can fail: a statement more in a
// fast path, and the compiler refuses. Ours names the function and its cost, in
// the table and as JSON; the public tool names the calls.
func TestInlineProofFails(t *testing.T) {
	t.Parallel()
	module := t.TempDir()
	copyTree(t, "generated/general", module+"/generated/general")
	copyTree(t, "specs", module+"/specs")
	writeFile(t, module+"/go.mod", "module edited\n\ngo 1.24\n")
	writeFile(t, module+"/use/use.go", "package use\n\nimport (\n\t\"edited/generated/general\"\n\t\"unsafe\"\n)\n\n"+
		"func Give(b *general.HeapBin, p unsafe.Pointer) { b.Free(p) }\n")
	gcassert := filepath.Join(t.TempDir(), "gcassert")
	run(t, ".", "go", "build", "-modfile=tools/go.mod", "-o", gcassert, "github.com/jordanlewis/gcassert/cmd/gcassert")
	// It leaves a log among the temporary files.
	logs := "TMPDIR=" + t.TempDir()
	run(t, module, "env", logs, gcassert, "./...")

	name := module + "/generated/general/general_cache_gen.go"
	text := generatedFiles(t, module)["generated/general/general_cache_gen.go"]
	edited := strings.Replace(text, "b.n++", "b.n++\n\tb.lim += b.n", 1)
	require.NotEqual(t, text, edited)
	writeFile(t, name, edited)

	table := fails(t, module, built, "inline")
	require.Regexp(t, `(?m)^HeapBin.Free +8\d/80 +NO `, table)
	require.Regexp(t, `(?m)^generated/general/general_cache_gen.go:\d+:1: HeapBin.Free: does not inline: `+
		`function too complex: cost 8\d exceeds budget 80$`, table)
	require.Regexp(t, `(?m)^use/use.go:8:57 +HeapBin.Free +no +- +function too complex: cost 8\d exceeds budget 80$`, table)

	var proof inline.Proof
	require.NoError(t, json.Unmarshal([]byte(fails(t, module, built, "inline", "--json")), &proof))
	require.Len(t, proof.Runs, 1)
	require.Len(t, proof.Runs[0].Broken, 1)
	broken := proof.Runs[0].Broken[0]
	require.Equal(t, "HeapBin.Free", broken.Func)
	require.Greater(t, broken.Cost, 80)
	require.Contains(t, broken.Why, "exceeds budget 80")

	require.Contains(t, fails(t, module, "env", logs, gcassert, "./..."), "use/use.go:8:\tb.Free(p): call was not inlined")
}

// fails is a command that must exit with 1; its output comes back.
func fails(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "%s", out)
	require.Equal(t, 1, exit.ExitCode(), "%s", out)
	return string(out)
}

// TestTools runs what a reviewer would run on the output, in both kinds of memory.
// The race detector takes its time: in Go memory it is for .ci/run.
func TestTools(t *testing.T) {
	for _, tags := range []string{"-tags=", "-tags=allocgen_goheap"} {
		run(t, ".", "go", "vet", tags, "./generated/...")
		run(t, ".", "go", "test", tags, "-count=1", "-gcflags=-d=checkptr", "./generated/...")
		run(t, ".", "go", "tool", "-modfile=tools/go.mod", "staticcheck", tags, "./generated/...")
	}
	if out, err := exec.Command("go", "env", "CGO_ENABLED").Output(); err == nil && strings.TrimSpace(string(out)) == "1" {
		run(t, ".", "go", "test", "-count=1", "-race", "./generated/...")
	}
	t.Setenv("TMPDIR", t.TempDir()) // for its log
	run(t, ".", "go", "tool", "-modfile=tools/go.mod", "gcassert", "./generated/...")
}
