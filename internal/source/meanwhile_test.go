package source

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChangedDuringRun lets someone change the tree before the first step of a
// kind: what they put there must not be lost.
func TestChangedDuringRun(t *testing.T) {
	remove := func(t *testing.T, path string) { require.NoError(t, os.RemoveAll(path)) }
	for name, c := range map[string]struct {
		step   string // and where
		change func(t *testing.T)
		want   string // of the error
		hold   func(t *testing.T)
	}{
		"target is a link": {"sync old", func(t *testing.T) {
			remove(t, "gen/y_b_gen.go")
			put(t, "user.go", "package user\n")
			symlink(t, "../user.go", "gen/y_b_gen.go")
		}, "gen/y_b_gen.go: a symbolic link is in the place of this output file: move it away", func(t *testing.T) {
			require.Equal(t, "package user\n", get(t, "user.go"))
			require.Equal(t, "package user\n", get(t, "gen/y_b_gen.go"))
			remove(t, "gen/y_b_gen.go")
		}},
		"target is the user's": {"sync old", func(t *testing.T) { put(t, "new/deep/z_gen.go", "package user\n") },
			"new/deep/z_gen.go: exists without allocgen's header", func(t *testing.T) {
				require.Equal(t, "package user\n", get(t, "new/deep/z_gen.go"))
				remove(t, "new/deep/z_gen.go")
			}},
		"target is gone": {"sync old", func(t *testing.T) { remove(t, "gen/y_a_gen.go") }, "", nil},
		"folder is gone": {"create gen", func(t *testing.T) { remove(t, "gen") },
			"gen/y_a_gen.go: no such file or directory", nil},
		"folder is gone early": {"create old", func(t *testing.T) { remove(t, "gen") }, "", nil},
		"folder is gone late": {"rename gen", func(t *testing.T) { remove(t, "gen") },
			"gen/y_a_gen.go: its folder changed during this run: run it again", nil},
		"folder is a file": {"create gen", func(t *testing.T) {
			remove(t, "gen")
			put(t, "gen", "mine")
		}, "gen/y_a_gen.go: not a directory", func(t *testing.T) {
			require.Equal(t, "mine", get(t, "gen"))
			remove(t, "gen")
		}},
		"folder is a file late": {"rename gen", func(t *testing.T) {
			remove(t, "gen")
			put(t, "gen", "mine")
		}, "gen/y_a_gen.go: its folder changed during this run: run it again", func(t *testing.T) {
			require.Equal(t, "mine", get(t, "gen"))
			remove(t, "gen")
		}},
		"a file where a folder goes": {"mkdir .", func(t *testing.T) { put(t, "new", "mine") },
			"new/deep: not a directory", func(t *testing.T) {
				require.Equal(t, "mine", get(t, "new"))
				remove(t, "new")
			}},
		"spec is gone": {"sync old", func(t *testing.T) { require.NoError(t, os.Rename("z.yaml", "z")) },
			"z.yaml: removed during this run: run it again", func(t *testing.T) {
				require.NoDirExists(t, "new")
				require.NoError(t, os.Rename("z", "z.yaml"))
			}},
		"orphan's spec is back": {"sync old", func(t *testing.T) { put(t, "gone.yaml", specText) }, "", func(t *testing.T) {
			require.FileExists(t, "old/old_gen.go")
			remove(t, "gone.yaml")
		}},
		"orphan is the user's": {"sync old", func(t *testing.T) { put(t, "old/old_gen.go", "package user\n") }, "", func(t *testing.T) {
			require.Equal(t, "package user\n", get(t, "old/old_gen.go"))
			remove(t, "old/old_gen.go")
		}},
		"orphan is gone": {"remove old", func(t *testing.T) { remove(t, "old/old_gen.go") }, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			if c.want != "" && strings.Contains(c.want, "director") && os.PathSeparator != '/' {
				t.Skip("the system says it in other words")
			}
			tree(t, coldFiles)
			want := coldWant(t)
			w := coldWriter(t)
			changed := false
			w.disk.before = func(step, path string) error {
				if step+" "+shown(filepath.Dir(path)) == c.step && !changed {
					changed = true
					c.change(t)
				}
				return nil
			}
			_, err := w.write(false)
			require.True(t, changed)
			if c.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.want)
			}
			require.Empty(t, temps(t))
			if c.hold != nil {
				c.hold(t)
			}
			requireRepaired(t, want, name)
		})
	}
}

// atOnce tells a child to run, once its input is closed.
const atOnce = "ALLOCGEN_TEST_AT_ONCE"

func TestRunsAtOnce(t *testing.T) {
	if os.Getenv(atOnce) != "" {
		_, err := os.Stdin.Read(make([]byte, 1))
		require.Error(t, err)
		_, err = coldWriter(t).write(false)
		require.NoError(t, err)
		return
	}
	for range 3 {
		tree(t, coldFiles)
		want := coldWant(t)
		var wait []func() error
		for range 4 {
			cmd := child(t, "TestRunsAtOnce", atOnce+"=1")
			gate, err := cmd.StdinPipe()
			require.NoError(t, err)
			var out strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &out
			require.NoError(t, cmd.Start())
			wait = append(wait, func() error {
				gate.Close()
				if err := cmd.Wait(); err != nil {
					return errors.New(out.String())
				}
				return nil
			})
		}
		results := make(chan error)
		for _, f := range wait {
			go func() { results <- f() }()
		}
		for range wait {
			require.NoError(t, <-results)
		}
		require.Equal(t, want, coldNow(t))
		require.Empty(t, temps(t))
	}
}

// A file that was as it should be, and so is not at hand, goes during the run.
func TestGoneDuringRun(t *testing.T) {
	tree(t, coldFiles)
	want := coldWant(t)
	_, err := coldWriter(t).write(false)
	require.NoError(t, err)
	require.NoError(t, os.Remove("gen/y_a_gen.go"))
	w := coldWriter(t)
	w.disk.before = func(step, _ string) error {
		if step == "sync" {
			require.NoError(t, os.Remove("gen/y_b_gen.go"))
		}
		return nil
	}
	_, err = w.write(false)
	require.EqualError(t, err, "gen/y_b_gen.go: changed during this run: run it again")
	require.Empty(t, temps(t))
	requireRepaired(t, want, "")
}

// Another run does the same meanwhile: both succeed, and only one has written.
func TestOvertaken(t *testing.T) {
	tree(t, coldFiles)
	want := coldWant(t)
	w := coldWriter(t)
	overtaken := false
	w.disk.before = func(step, _ string) error {
		if step != "sync" || overtaken {
			return nil
		}
		overtaken = true
		out, err := child(t, "TestRunsAtOnce", atOnce+"=1").CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Equal(t, want, coldNow(t))
		return nil
	}
	changes, err := w.write(false)
	require.NoError(t, err)
	for _, c := range changes {
		require.Zero(t, c.Written, c.Folder)
		require.Empty(t, c.Removed, c.Folder)
	}
	require.Equal(t, want, coldNow(t))
	require.Empty(t, temps(t))
}
