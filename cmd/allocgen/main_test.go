package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"allocgen": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			// The type-check runs the go command, which finds no caches without a home.
			env.Setenv("PATH", os.Getenv("PATH"))
			env.Setenv("GOROOT", os.Getenv("GOROOT"))
			out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
			if err != nil {
				return err
			}
			caches := strings.Split(string(out), "\n")
			env.Setenv("GOCACHE", caches[0])
			env.Setenv("GOMODCACHE", caches[1])
			env.Setenv("GOPROXY", "off")
			env.Setenv("GOFLAGS", "")
			env.Setenv("GOLOCAL", strings.TrimPrefix(runtime.Version(), "go"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":   status,
			"replace":  replace,
			"crlf":     crlf,
			"registry": registry,
		},
	})
}

// status runs allocgen and checks how it exits: status 2 gen --nope.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: status n arg...")
	}
	err := ts.Exec("allocgen", args[1:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("allocgen %q: exit status %s, want %s", args[1:], got, args[0])
	}
}

// replace changes the first occurrence of a text in a file: replace old new file.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace old new file")
	}
	text := ts.ReadFile(args[2])
	if !strings.Contains(text, args[0]) {
		ts.Fatalf("no %q in %s", args[0], args[2])
	}
	text = strings.Replace(text, args[0], args[1], 1)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(text), 0o644))
}

// crlf gives files the line ends of a Windows checkout.
func crlf(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: crlf file...")
	}
	for _, name := range args {
		text := strings.ReplaceAll(ts.ReadFile(name), "\n", "\r\n")
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o644))
	}
}

// Documents from elsewhere are answered with their place and what is wrong,
// whatever they hold.
func TestForeignYAML(t *testing.T) {
	data, err := filepath.Abs(dataDir())
	require.NoError(t, err)
	var docs []string
	for _, dir := range []string{"shape", "test-suite"} {
		found, err := filepath.Glob(filepath.Join(data, "yaml", dir, "*.yaml"))
		require.NoError(t, err)
		docs = append(docs, found...)
	}
	if len(docs) == 0 {
		t.Skip("no documents in " + data)
	}
	module := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(module, "go.mod"), []byte("module example.com/m\n"), 0o644))
	t.Chdir(module)
	place := regexp.MustCompile(`^[^:]+\.yaml:[1-9][0-9]*:[1-9][0-9]*: .`)
	for _, doc := range docs {
		text, err := os.ReadFile(doc)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile("doc.yaml", text, 0o644))
		var stdout, stderr bytes.Buffer
		require.Equal(t, statusFound, run([]string{"gen", "doc.yaml"}, &stdout, &stderr), doc)
		require.Empty(t, stdout.String(), doc)
		for _, line := range strings.Split(strings.TrimSuffix(stderr.String(), "\n"), "\n") {
			require.Regexp(t, place, line, doc)
		}
		left, err := os.ReadDir(".")
		require.NoError(t, err)
		require.Len(t, left, 2, doc)
	}
}

func dataDir() string {
	if dir := os.Getenv("ALLOCGEN_DATA"); dir != "" {
		return dir
	}
	return filepath.Join("..", "..", "..", "shared", "data")
}

func TestVersion(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.26.1"}
	info.Main.Version = "v1.2.3"
	require.Equal(t, "allocgen v1.2.3 go1.26.1", version(info))
	info.Main.Version = "(devel)"
	require.Equal(t, "allocgen (devel) go1.26.1", version(info))
	info.Settings = []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}}
	require.Equal(t, "allocgen (devel) abc+dirty go1.26.1", version(info))
}

// full is an output that takes nothing, such as a file on a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestLostOutput: an answer that nobody can read is no success.
func TestLostOutput(t *testing.T) {
	var stderr bytes.Buffer
	require.Equal(t, statusFound, run([]string{"version"}, full{}, &stderr))
	require.Equal(t, "no space left\n", stderr.String())
}
