package source

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Temporary files are named after the process, so that a later run can tell
// those of a killed run from those of a run at the same time. The dot hides
// them from the go command.
const (
	tempStart = ".allocgen-"
	tempEnd   = ".tmp"
)

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
	return list(dir, func(name string) bool {
		id, ok := strings.CutPrefix(name, tempStart)
		return ok && strings.HasSuffix(name, tempEnd) && !running(id)
	})
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
