package main

import (
	"archive/zip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// repository is the root of this module, from the folder of this test.
var repository = filepath.Join("..", "..")

// registry publishes the module in this tree as a version, for the go command
// of a script alone: registry v0.0.1. What it depends on comes from the cache
// of the modules that this test was built from, so that the script itself needs
// no network; the cache of what is built is shared, so that it is quick.
func registry(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: registry version")
	}
	goCommand(ts, "mod", "download")
	goCommand(ts, "mod", "graph") // go.mod files of what the tests alone need
	var env struct{ GOMODCACHE, GOCACHE string }
	ts.Check(json.Unmarshal(goCommand(ts, "env", "-json"), &env))
	dir := ts.MkAbs("registry")
	ts.Check(publish(dir, args[0]))
	ts.Setenv("GOPROXY", fileURL(dir)+","+fileURL(filepath.Join(env.GOMODCACHE, "cache", "download")))
	ts.Setenv("GOSUMDB", "off") // nobody else has seen this version
	ts.Setenv("GOTOOLCHAIN", "local")
	ts.Setenv("GOENV", "off")
	ts.Setenv("GOMODCACHE", ts.MkAbs("modcache"))
	ts.Setenv("GOCACHE", env.GOCACHE)
	ts.Setenv("GOFLAGS", "-trimpath") // else what is built depends on the script's folder, and is built each time
}

// goCommand runs the go command in this module.
func goCommand(ts *testscript.TestScript, args ...string) []byte {
	cmd := exec.Command("go", args...)
	cmd.Dir = repository
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok {
		ts.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, exit.Stderr)
	}
	ts.Check(err)
	return out
}

func fileURL(dir string) string {
	return "file:///" + strings.TrimPrefix(filepath.ToSlash(dir), "/")
}

const modulePath = "github.com/allocgen/allocgen"

// publish writes the files of a module registry for one version of this tree.
func publish(dir, version string) error {
	dir = filepath.Join(dir, filepath.FromSlash(modulePath), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(repository, "go.mod"))
	if err != nil {
		return err
	}
	info := `{"Version": "` + version + `", "Time": "2000-01-01T00:00:00Z"}`
	for name, text := range map[string]string{"list": version + "\n", version + ".info": info, version + ".mod": string(mod)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	f, err := os.Create(filepath.Join(dir, version+".zip"))
	if err != nil {
		return err
	}
	defer f.Close()
	return pack(f, modulePath+"@"+version)
}

// pack writes the files of the module as a zip: those of nested modules, and
// what git ignores or keeps for itself, are none of them.
func pack(w io.Writer, prefix string) error {
	z := zip.NewWriter(w)
	tree := os.DirFS(repository)
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && outside(tree, name):
			return fs.SkipDir
		case !d.Type().IsRegular() || name == ".git": // in a git worktree it is a file
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		entry, err := z.Create(path.Join(prefix, name))
		if err == nil {
			_, err = entry.Write(text)
		}
		return err
	})
	if err != nil {
		return err
	}
	return z.Close()
}

func outside(tree fs.FS, dir string) bool {
	_, err := fs.Stat(tree, path.Join(dir, "go.mod"))
	return err == nil || dir == ".git" || dir == "testdata/out"
}
