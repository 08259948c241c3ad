package main

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"strconv"

	"github.com/allocgen/allocgen/bench/report"
)

const onlyLinux = "resident memory is read on Linux only"

// resident is how many bytes of this process are in memory.
func resident() (int64, error) {
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

// onLinux leaves subjects out where resident does not work.
func onLinux(subjects ...report.Subject) []report.Subject {
	if runtime.GOOS != "linux" {
		return nil
	}
	return subjects
}
