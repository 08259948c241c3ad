package allocgen_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestBothMemories runs the same random programs on heaps in system memory and in
// Go memory: a user sees no difference but addresses.
func TestBothMemories(t *testing.T) {
	if !slices.Contains([]string{"linux", "darwin", "freebsd", "windows"}, runtime.GOOS) {
		t.Skip("heaps are in Go memory here")
	}
	t.Parallel()
	system, inGo := start(t), start(t, "-tags=allocgen_goheap")
	rapid.Check(t, func(t *rapid.T) {
		words := []int{rapid.IntRange(0, 5).Draw(t, "heap")}
		for _, op := range rapid.SliceOfN(rapid.Custom(operation), 1, 120).Draw(t, "program") {
			words = append(words, op[:]...)
		}
		program := strings.Trim(fmt.Sprint(words), "[]")
		want, got := system(t, program), inGo(t, program)
		require.NotContains(t, want, "BROKEN")
		require.NotContains(t, want, "NOT ZERO")
		require.Equal(t, strings.ReplaceAll(want, " ", "\n"), strings.ReplaceAll(got, " ", "\n"), program)
	})
}

// operation is what one does, on what, and a size.
func operation(t *rapid.T) [4]int {
	return [4]int{
		rapid.IntRange(0, 19).Draw(t, "op"), rapid.IntRange(0, 1<<10).Draw(t, "a"),
		rapid.IntRange(0, 1<<10).Draw(t, "b"), rapid.IntRange(0, 1<<20).Draw(t, "size"),
	}
}

// start builds and starts testdata/both; the function runs a program.
func start(t *testing.T, flags ...string) func(t require.TestingT, program string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "both")
	run(t, ".", "go", append(append([]string{"build", "-o", binary}, flags...), "./testdata/both")...)
	cmd := exec.Command(binary)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		in.Close()
		require.NoError(t, cmd.Wait())
	})
	lines := bufio.NewReader(out)
	return func(t require.TestingT, program string) string {
		_, err := io.WriteString(in, program+"\n")
		require.NoError(t, err)
		line, err := lines.ReadString('\n')
		require.NoError(t, err, "the program ended: %s", program)
		return line
	}
}
