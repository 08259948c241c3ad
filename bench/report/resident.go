package report

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"strconv"
)

// Resident is how many bytes of this process are in memory; 0 where that cannot
// be asked, which is everywhere but on Linux.
func Resident() (int64, error) {
	if runtime.GOOS != "linux" {
		return 0, nil
	}
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0, errors.New("cannot understand /proc/self/statm")
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize()), err
}
