package source

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Temporary files are named after the process, so that a later run can tell
// those of a killed run from those of a run at the same time. The dot hides
// them from the go command.
const (
	tempStart = ".allocgen-"
	tempEnd   = ".tmp"
)

// maxRun is longer than temporary files are needed in any run.
const maxRun = time.Hour

// writeTemp writes a new temporary file with these permissions (0: those of any
// new file), and leaves nothing behind when it fails.
func writeTemp(dir string, text []byte, mode fs.FileMode) (string, error) {
	path := filepath.Join(dir, fmt.Sprintf("%s%d-%x%s", tempStart, os.Getpid(), rand.Uint64(), tempEnd))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	if mode != 0 {
		err = errors.Join(err, f.Chmod(mode))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(path)
		return "", err
	}
	return path, nil
}

// leftovers are the temporary files in a folder whose process has ended.
func leftovers(dir string) ([]string, error) {
	temps, err := list(dir, func(name string) bool {
		return strings.HasPrefix(name, tempStart) && strings.HasSuffix(name, tempEnd)
	})
	return slices.DeleteFunc(temps, inUse), err
}

// inUse reports whether a temporary file is that of a run at the same time. Old
// ones are not, whatever process has their number by now.
func inUse(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && time.Since(info.ModTime()) < maxRun && running(strings.TrimPrefix(filepath.Base(path), tempStart))
}

// running reports whether the process behind a temporary file still runs.
// This process does not count: it looks before it writes.
func running(id string) bool {
	var pid int
	if _, err := fmt.Sscanf(id, "%d-", &pid); err != nil || pid == os.Getpid() {
		return false
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	return !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
