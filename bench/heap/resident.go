package main

import (
	"runtime"

	"github.com/allocgen/allocgen/bench/report"
)

const onlyLinux = "resident memory is read on Linux only"

// onLinux leaves subjects out where report.Resident knows nothing.
func onLinux(subjects ...report.Subject) []report.Subject {
	if runtime.GOOS != "linux" {
		return nil
	}
	return subjects
}
