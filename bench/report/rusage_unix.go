//go:build unix

package report

import (
	"syscall"
	"time"
)

func usage() rusage {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return rusage{}
	}
	cpu := time.Duration(u.Utime.Nano() + u.Stime.Nano())
	return rusage{cpu: cpu, maxRSS: int64(u.Maxrss)}
}
