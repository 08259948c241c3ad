//go:build linux && !allocgen_goheap

package general_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/generated/general"
)

// TestUlimit runs a program under ulimit -v, where the heap's address space is
// halved until it fits beside Go's own, which takes 1.2 GiB, or 600 MiB where int
// has 32 bits.
func TestUlimit(t *testing.T) {
	const key = "GENERAL_TEST_ULIMIT"
	if os.Getenv(key) != "" {
		underUlimit(t)
		return
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	limited := func(kib int, test string) (string, error) {
		cmd := exec.Command(shell, "-c", fmt.Sprintf(`ulimit -v %d && exec "$0" "$@"`, kib), os.Args[0], "-test.v", "-test.count=1", "-test.run="+test)
		cmd.Env = append(os.Environ(), key+"=1")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	limits := []int{8000000, 2000000}
	if math.MaxInt == math.MaxInt32 {
		limits = []int{1000000, 800000}
	}
	for _, kib := range limits {
		t.Run(fmt.Sprint(kib), func(t *testing.T) {
			if _, err := limited(kib, "^$"); err != nil {
				t.Skipf("Go itself does not run under this limit, or there is none: %v", err)
			}
			out, err := limited(kib, "^TestUlimit$")
			require.NoError(t, err, "%s", out)
			_, line, found := strings.Cut(out, "reserved ")
			require.True(t, found, "%s", out)
			var reserved int
			_, err = fmt.Sscan(line, &reserved)
			require.NoError(t, err)
			require.Less(t, reserved>>10, kib)
			require.GreaterOrEqual(t, reserved, 64<<20)
		})
	}
}

// underUlimit uses a heap in every way, several arenas of it.
func underUlimit(t *testing.T) {
	var h general.Heap
	c := h.Acquire()
	var live [][]byte
	for n := 1; n <= 2<<20; n = n*5/4 + 1 {
		for range 3 {
			b := c.Alloc(n)
			b[0], b[n-1] = byte(n), byte(n)
			live = append(live, b)
		}
	}
	for _, b := range live {
		require.Equal(t, b[0], b[len(b)-1])
		h.Free(b)
	}
	fmt.Println("reserved", h.Stats().Reserved)
	c.Release()
	require.NoError(t, h.Close())
}
