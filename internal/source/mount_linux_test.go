package source

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// inNamespace marks a child that is in namespaces of its own.
const inNamespace = "ALLOCGEN_TEST_IN_NAMESPACE"

// mounting runs a test in a child that may mount what it likes, as nobody else
// sees it, and reports whether this is the child.
func mounting(t *testing.T) bool {
	t.Helper()
	if os.Getenv(inNamespace) != "" {
		require.NoError(t, syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""))
		return true
	}
	attr := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Getuid() != 0 {
		asUser(attr, 0)
	}
	inChild(t, attr)
	return false
}

// bound runs a test in a child that permissions bind, unlike root, and reports
// whether this is the child.
func bound(t *testing.T) bool {
	t.Helper()
	if os.Getuid() != 0 {
		return true
	}
	attr := &syscall.SysProcAttr{}
	asUser(attr, 1)
	inChild(t, attr)
	return false
}

// asUser gives a child a user namespace, in which its user has another number.
func asUser(attr *syscall.SysProcAttr, id int) {
	attr.Cloneflags |= syscall.CLONE_NEWUSER
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: id, HostID: os.Getuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: id, HostID: os.Getgid(), Size: 1}}
}

func inChild(t *testing.T, attr *syscall.SysProcAttr) {
	t.Helper()
	cmd := child(t, t.Name(), inNamespace+"=1")
	cmd.SysProcAttr = attr
	out, err := cmd.CombinedOutput()
	var sys syscall.Errno
	if errors.As(err, &sys) {
		t.Skipf("this system gives no namespace: %v", sys)
	}
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: "+t.Name(), "%s", out)
}

// mounted makes a folder in the working directory a file system of its own, in
// memory.
func mounted(t *testing.T, dir, options string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, syscall.Mount("tmpfs", dir, "tmpfs", 0, options))
	path, err := filepath.Abs(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(path, syscall.MNT_DETACH)) })
}

func remount(t *testing.T, dir string, flags uintptr, options string) {
	t.Helper()
	require.NoError(t, syscall.Mount("", dir, "", syscall.MS_REMOUNT|flags, options))
}

// A folder that cannot be written shows before anything is written.
func TestLocked(t *testing.T) {
	if !bound(t) {
		return
	}
	for dir, want := range map[string]string{
		"gen": "gen/y_a_gen.go: permission denied",
		"old": "old/old_gen.go: cannot be removed: permission denied",
		"new": "new/deep: permission denied",
	} {
		root := tree(t, coldFiles)
		old, repaired := coldNow(t), coldWant(t)
		put(t, dir+"/other", "")
		require.NoError(t, os.Chmod(dir, 0o555))
		t.Cleanup(func() { require.NoError(t, os.Chmod(filepath.Join(root, dir), 0o755)) })
		_, err := coldWriter(t).write(false)
		require.EqualError(t, err, want)
		require.Equal(t, old, coldNow(t))
		require.Empty(t, temps(t))
		require.NoError(t, os.Chmod(dir, 0o755))
		requireRepaired(t, repaired, dir)
	}
}

// A file system that is read-only binds root too.
func TestReadOnly(t *testing.T) {
	if !mounting(t) {
		return
	}
	for dir, want := range map[string]string{
		"gen": "gen/y_a_gen.go: read-only file system",
		"old": "old/old_gen.go: cannot be removed: read-only file system",
		"new": "new/deep: read-only file system",
	} {
		tree(t, nil)
		mounted(t, dir, "")
		for name, text := range coldFiles {
			put(t, name, text)
		}
		old, repaired := coldNow(t), coldWant(t)
		remount(t, dir, syscall.MS_RDONLY, "")
		_, err := coldWriter(t).write(false)
		require.EqualError(t, err, want)
		require.Equal(t, old, coldNow(t), "nothing at all was written")
		require.Empty(t, temps(t))
		remount(t, dir, 0, "")
		requireRepaired(t, repaired, dir)
	}
}

// fullWriter rewrites two files in new, in one package, and makes a folder
// with a third: two pages each.
func fullWriter(t *testing.T) *writer {
	t.Helper()
	text := "package p\n\n// " + strings.Repeat("x", os.Getpagesize()) + "\n"
	found := discover(t)
	return newWriter(found, finish(t,
		output(t, found, "x.yaml", "new", "x_a_gen.go", text, "x_b_gen.go", text),
		output(t, found, "y.yaml", "new/sub/deep", "y_gen.go", text)))
}

// A disk of every size, from one that has no room for a single file to one that
// has room for all: for n pages, and for n files and folders.
func TestFullDisk(t *testing.T) {
	if !mounting(t) {
		return
	}
	for unit, want := range map[string][]string{
		"size=%d":      {"new/sub/deep/y_gen.go", "new/x_a_gen.go", "new/x_b_gen.go"},
		"nr_inodes=%d": {"new/sub/deep", "new/sub/deep/y_gen.go", "new/x_a_gen.go", "new/x_b_gen.go"},
	} {
		failures := map[string]bool{}
		for n := 1; ; n++ {
			require.Less(t, n, 50)
			options := fmt.Sprintf(unit, n)
			if unit == "size=%d" {
				options = fmt.Sprintf(unit, n*os.Getpagesize())
			}
			place, done := fillDisk(t, options)
			if done {
				break
			}
			failures[place] = true
		}
		delete(failures, "")
		require.Equal(t, want, slices.Sorted(maps.Keys(failures)), "where the disk was full")
	}
}

// fillDisk runs fullWriter on a disk of some size. It gives the place where that
// was too small, "" when it does not even hold what is there, or reports that it
// was not.
func fillDisk(t *testing.T, options string) (place string, done bool) {
	t.Helper()
	old := string(withHeader("../x.yaml", "0123456789abcdef", []byte("package p\n")))
	tree(t, map[string]string{"x.yaml": specText, "y.yaml": specText})
	mounted(t, "new", "size=1m")
	put(t, "new/x_a_gen.go", old)
	put(t, "new/x_b_gen.go", old)
	if syscall.Mount("", "new", "", syscall.MS_REMOUNT, options) != nil {
		return "", false
	}
	_, err := fullWriter(t).write(false)
	if err == nil {
		return "", true
	}
	place, ok := strings.CutSuffix(err.Error(), ": no space left on device")
	require.True(t, ok, "%s: %v", options, err)
	require.Equal(t, []string{"x_a_gen.go", "x_b_gen.go"}, names(t, "new"), options)
	require.Equal(t, old, get(t, "new/x_a_gen.go"), options)
	require.Equal(t, old, get(t, "new/x_b_gen.go"), options)

	remount(t, "new", 0, "size=1m,nr_inodes=100")
	w := fullWriter(t)
	_, err = w.write(false)
	require.NoError(t, err, options)
	findings, err := Check(w.found, w.pkgs)
	require.NoError(t, err, options)
	require.Empty(t, findings, options)
	return place, false
}

// A full disk is most likely why someone removes a spec: its output can go.
func TestFullDiskRemoves(t *testing.T) {
	if !mounting(t) {
		return
	}
	tree(t, nil)
	mounted(t, "old", "nr_inodes=2")
	put(t, "old/old_gen.go", coldFiles["old/old_gen.go"])
	require.ErrorIs(t, os.WriteFile("old/more", nil, 0o644), syscall.ENOSPC)
	found := discover(t)
	_, err := Write(found, nil, false)
	require.NoError(t, err)
	require.Empty(t, names(t, "old"))
}
