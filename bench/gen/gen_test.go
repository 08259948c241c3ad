package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/bench/report"
)

const spec = `# a comment
allocgen: 1
package: general
out: ../generated/general
heaps:
  Heap: {}
`

func TestRenamed(t *testing.T) {
	assert.Equal(t, `# a comment
allocgen: 1
heaps:
  Heap: {}

package: copy7
out: ../generated/copy7
`, string(renamed([]byte(spec), "copy7")))
}

func TestModules(t *testing.T) {
	root := t.TempDir()
	for _, folder := range []string{"specs", "generated"} {
		require.NoError(t, os.Mkdir(filepath.Join(root, folder), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "specs", "general.yaml"), []byte(spec), 0o644))

	own, err := repositoryCopy(root, filepath.Join(t.TempDir(), "own"))
	require.NoError(t, err)
	assert.FileExists(t, filepath.Join(own, "specs", "general.yaml"))
	assert.FileExists(t, filepath.Join(own, "go.mod"))

	many, err := copiesModule(root, filepath.Join(t.TempDir(), "many"), 3)
	require.NoError(t, err)
	specs, err := filepath.Glob(filepath.Join(many, "specs", "copy*.yaml"))
	require.NoError(t, err)
	assert.Len(t, specs, 3)
}

func TestRows(t *testing.T) {
	times := []time.Duration{500 * time.Millisecond, 20 * time.Millisecond, 500 * time.Millisecond, 7 * time.Second}
	got := rows(times)
	require.Len(t, got, 4)
	assert.Equal(t, report.Row{
		Name: "gen checked-in specs", Subject: "all", Baseline: "1 s",
		NsPerOp: 5e8, Ratio: 0.5, Target: 1, OK: true,
	}, got[0])
	last := got[3]
	assert.Equal(t, "50 copies, per spec", last.Baseline)
	assert.InDelta(t, 1.4, last.Ratio, 1e-9)
	assert.False(t, last.OK)
}
