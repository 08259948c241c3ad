package templates

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNumbersOfSystems compares the numbers that the output has of its own with
// those of package syscall, on each machine that a system runs on.
func TestNumbersOfSystems(t *testing.T) {
	t.Parallel()
	files, err := Render(planOf(t, "heaps: {Heap: {}}"))
	require.NoError(t, err)
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	numbers := map[string]string{}
	for _, f := range files {
		for _, m := range regexp.MustCompile(`(heapAdvice\w+) *= *(\d+)`).FindAllStringSubmatch(string(f.Source), -1) {
			numbers[m[1]] = m[2]
		}
	}
	for _, c := range []struct{ system, name, number string }{
		{"freebsd", "MADV_FREE", numbers["heapAdviceFree"]},
		{"darwin", "MADV_FREE_REUSABLE", numbers["heapAdviceReusable"]},
		{"darwin", "MADV_FREE_REUSE", numbers["heapAdviceReuse"]},
	} {
		tables, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(goroot)), "src", "syscall", "zerrors_"+c.system+"_*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, tables)
		for _, table := range tables {
			text, err := os.ReadFile(table)
			require.NoError(t, err)
			m := regexp.MustCompile(c.name + ` += (\w+)`).FindSubmatch(text)
			require.NotNil(t, m, "%s has no %s", table, c.name)
			theirs, err := strconv.ParseInt(string(m[1]), 0, 64)
			require.NoError(t, err)
			require.Equal(t, strconv.FormatInt(theirs, 10), c.number, "%s in %s", c.name, table)
		}
	}
}
