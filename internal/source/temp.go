package source

import (
	"errors"
	"fmt"
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

func isTemp(name string) bool {
	return strings.HasPrefix(name, tempStart) && strings.HasSuffix(name, tempEnd)
}

// leftovers are the temporary files whose process has ended, in what was walked
// and in these folders.
func leftovers(found *Found, dirs []string) ([]string, error) {
	temps := slices.Clone(found.Temps)
	for _, dir := range dirs {
		there, err := list(dir, isTemp)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", shown(dir), cause(err))
		}
		temps = append(temps, there...)
	}
	slices.Sort(temps)
	return slices.DeleteFunc(slices.Compact(temps), inUse), nil
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
