package source

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The cold tree is one in which a run does everything: it rewrites files in
// one folder, makes another, and removes a file from a third. y.yaml has been
// edited, z.yaml is new, gone.yaml has been removed.
var coldFiles = map[string]string{
	"y.yaml":         specText,
	"z.yaml":         specText,
	"gen/y_a_gen.go": string(withHeader("../y.yaml", "0123456789abcdef", []byte(textB))),
	"gen/y_b_gen.go": string(withHeader("../y.yaml", "0123456789abcdef", []byte(textA))),
	"old/old_gen.go": string(withHeader("../gone.yaml", "0123456789abcdef", []byte(textA))),
}

// coldOutput is all output files of the cold tree.
var coldOutput = []string{"gen/y_a_gen.go", "gen/y_b_gen.go", "new/deep/z_gen.go", "old/old_gen.go"}

func coldWriter(t *testing.T) *writer {
	t.Helper()
	found := discover(t)
	return newWriter(found, finish(t,
		output(t, found, "y.yaml", "gen", "y_a_gen.go", textA, "y_b_gen.go", textB),
		output(t, found, "z.yaml", "new/deep", "z_gen.go", textA)))
}

// A snapshot is the text of output files; "" for one that is not there.
type snapshot map[string]string

func coldNow(t *testing.T) snapshot {
	t.Helper()
	all := snapshot{}
	for _, name := range coldOutput {
		text, err := os.ReadFile(filepath.FromSlash(name))
		if !absent(err) {
			require.NoError(t, err)
		}
		all[name] = string(text)
	}
	return all
}

// coldWant is what the output should become.
func coldWant(t *testing.T) snapshot {
	t.Helper()
	all := snapshot{"old/old_gen.go": ""}
	for _, p := range coldWriter(t).pkgs {
		for _, f := range p.Files {
			all[p.Name+"/"+f.Name] = string(f.Source)
		}
	}
	require.Len(t, all, len(coldOutput))
	return all
}

// requireWhole holds that each file has its old or its new content.
func requireWhole(t *testing.T, old, want snapshot, what string) {
	t.Helper()
	for name, text := range coldNow(t) {
		require.Contains(t, []string{old[name], want[name]}, text, "%s: %s", what, name)
	}
}

// requireRepaired holds that check tells what is missing, and that one more run
// does everything that is left.
func requireRepaired(t *testing.T, want snapshot, what string) {
	t.Helper()
	w := coldWriter(t)
	findings, err := Check(w.found, w.pkgs)
	require.NoError(t, err, what)
	same := 0
	for name, text := range coldNow(t) {
		if text == want[name] {
			same++
		}
	}
	require.Len(t, findings, len(want)-same, what)
	_, err = w.write(false)
	require.NoError(t, err, what)
	require.Equal(t, want, coldNow(t), what)
	require.Empty(t, temps(t), what)
}

// temps are the temporary files below the working directory.
func temps(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"", "*/", "*/*/"} {
		found, err := filepath.Glob(filepath.FromSlash(pattern) + tempStart + "*")
		require.NoError(t, err)
		all = append(all, found...)
	}
	return all
}

// killAt is the step before which a child kills itself.
const killAt = "ALLOCGEN_TEST_KILL_AT"

func TestKilledAtEveryStep(t *testing.T) {
	if at := os.Getenv(killAt); at != "" {
		k, err := strconv.Atoi(at)
		require.NoError(t, err)
		killedAt(t, k)
		return
	}
	tempsSeen, mixed := 0, 0
	killed := true
	for k := 0; killed; k++ {
		tree(t, coldFiles)
		old, want := coldNow(t), coldWant(t)
		killed = !runsThrough(t, killAt+"="+strconv.Itoa(k))
		what := fmt.Sprintf("killed at step %d", k)
		requireWhole(t, old, want, what)
		if n := len(temps(t)); n > 0 {
			tempsSeen++
		}
		if now := coldNow(t); now["gen/y_a_gen.go"] == want["gen/y_a_gen.go"] && now["gen/y_b_gen.go"] == old["gen/y_b_gen.go"] {
			mixed++
		}
		requireRepaired(t, want, what)
		require.Less(t, k, 100)
	}
	require.NotZero(t, tempsSeen, "no kill left a temporary file")
	require.NotZero(t, mixed, "no kill was between two renames")
}

// killedAt runs the cold tree in the working directory and dies before step k.
func killedAt(t *testing.T, k int) {
	w := coldWriter(t)
	w.disk.before = func(string, string) error {
		if k--; k < 0 {
			self, err := os.FindProcess(os.Getpid())
			require.NoError(t, err)
			require.NoError(t, self.Kill())
			time.Sleep(time.Hour)
		}
		return nil
	}
	_, err := w.write(false)
	require.NoError(t, err)
}

// child is a test in a process of its own, in the working directory.
func child(t *testing.T, test string, env ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^"+test+"$", "-test.v")
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// runsThrough reports whether a child came to its end; if not, it must have
// been killed.
func runsThrough(t *testing.T, env string) bool {
	t.Helper()
	out, err := child(t, "TestKilledAtEveryStep", env).CombinedOutput()
	if err == nil {
		return true
	}
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.NotContains(t, string(out), "--- FAIL", "%s", out)
	return false
}

// Each step fails once, with an error of the disk.
func TestFailsAtEveryStep(t *testing.T) {
	failed := true
	for k := 0; failed; k++ {
		dir := tree(t, coldFiles)
		old, want := coldNow(t), coldWant(t)
		w := coldWriter(t)
		n, step := 0, ""
		renamed := false
		w.disk.before = func(name, path string) error {
			if n++; n == k+1 {
				step = name
				return &os.PathError{Op: name, Path: path, Err: syscall.EIO}
			}
			renamed = renamed || name == "rename" && step == ""
			return nil
		}
		_, err := w.write(false)
		failed = step != ""
		if !failed {
			require.NoError(t, err)
			break
		}
		what := fmt.Sprintf("step %d, %s", k, step)
		require.ErrorContains(t, err, syscall.EIO.Error(), what)
		require.Regexp(t, `^(gen|new|new/deep|old)(/\w+\.go)?: `, err.Error(), what)
		require.NotContains(t, err.Error(), dir, what)
		requireWhole(t, old, want, what)
		if !renamed {
			require.Equal(t, old, coldNow(t), what)
			require.NoDirExists(t, "new", what)
		}
		if step != "remove" {
			require.Empty(t, temps(t), what)
		}
		requireRepaired(t, want, what)
		require.Less(t, k, 100)
	}
}

// A temporary file is found in every folder that was walked: the run that left
// it may have had another spec.
func TestLeftoversElsewhere(t *testing.T) {
	tree(t, coldFiles)
	for _, dir := range []string{".", "old", "other/deep"} {
		put(t, filepath.Join(dir, ".allocgen-old.tmp"), "")
	}
	put(t, "testdata/.allocgen-old.tmp", "")
	_, err := coldWriter(t).write(false)
	require.NoError(t, err)
	require.Equal(t, []string{"testdata/.allocgen-old.tmp"}, temps(t))
}

// The other names of a target are other files: they keep their content.
func TestHardLink(t *testing.T) {
	tree(t, coldFiles)
	want, old := coldWant(t), get(t, "gen/y_a_gen.go")
	require.NoError(t, os.Link("gen/y_a_gen.go", "keep"))
	_, err := coldWriter(t).write(false)
	require.NoError(t, err)
	require.Equal(t, want, coldNow(t))
	require.Equal(t, old, get(t, "keep"))
}

// Where a file system ignores case an output may stand under a name of other
// case: it is no orphan. A second link to the file looks the same.
func TestOtherCase(t *testing.T) {
	tree(t, coldFiles)
	_, err := coldWriter(t).write(false)
	require.NoError(t, err)
	if _, err := os.Lstat("gen/Y_a_gen.go"); err == nil {
		require.NoError(t, os.Rename("gen/y_a_gen.go", "gen/Y_a_gen.go"))
	} else {
		require.NoError(t, os.Link("gen/y_a_gen.go", "gen/Y_a_gen.go"))
	}
	want := coldWant(t)
	w := coldWriter(t)
	findings, err := Check(w.found, w.pkgs)
	require.NoError(t, err)
	require.Empty(t, findings)
	_, err = w.write(false)
	require.NoError(t, err)
	require.Equal(t, want, coldNow(t))
}

// An output folder may be a symbolic link: what it leads to is written, in one
// way of naming it, and the link stays.
func TestLinkedFolder(t *testing.T) {
	dir := tree(t, coldFiles)
	require.NoError(t, os.Rename("gen", "real"))
	symlink(t, filepath.Join(dir, "real"), "gen")
	require.NoError(t, os.Mkdir("elsewhere", 0o755))
	symlink(t, filepath.Join(dir, "elsewhere"), "new")
	want := coldNow(t)
	changes, err := coldWriter(t).write(false)
	require.NoError(t, err)
	require.Equal(t, []Change{
		{Folder: "elsewhere/deep", Written: 1},
		{Folder: "old", Removed: []string{"old/old_gen.go"}},
		{Folder: "real", Written: 2},
	}, changes)
	require.Equal(t, []string{"y_a_gen.go", "y_b_gen.go"}, names(t, "real"))
	require.NotEqual(t, want, coldNow(t), "seen through the links")
	for _, link := range []string{"gen", "new"} {
		info, err := os.Lstat(link)
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&os.ModeSymlink, link)
	}
	w := coldWriter(t)
	findings, err := Check(w.found, w.pkgs)
	require.NoError(t, err)
	require.Empty(t, findings)
}
