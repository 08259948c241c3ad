// Code derived from ../../generated/listbincall by bench/derive; DO NOT EDIT.

//go:build go1.21 && (linux || darwin || freebsd) && !allocgen_goheap

package listbincall

import (
	"runtime"
	"syscall"
	"unsafe"
)

const heapLinux = runtime.GOOS == "linux" || runtime.GOOS == "android"

// heapDecommitZeroes says whether decommitted memory is zero when it is usable
// again. Where it is not, it may also be what it was.
const heapDecommitZeroes = heapLinux

// Advice that package syscall does not name on all systems.
const (
	heapAdviceFree     = 5 // FreeBSD's MADV_FREE
	heapAdviceReusable = 7 // of macOS, MADV_FREE_REUSABLE: the memory leaves the process's account as well
	heapAdviceReuse    = 8 // of macOS, MADV_FREE_REUSE: and is on it again
)

// heapSysReserve is mmap without access. What Linux then makes usable it would
// count as promised, whether it is ever written or not: NORESERVE is against that.
// Other systems do nothing by that flag, or refuse it.
func heapSysReserve(size int) ([]byte, error) {
	flags := syscall.MAP_ANON | syscall.MAP_PRIVATE
	if heapLinux {
		flags |= syscall.MAP_NORESERVE
	}
	return syscall.Mmap(-1, 0, size, syscall.PROT_NONE, flags)
}

// heapSysCommit is mprotect, which wants the start of a page and rounds the end
// up. What was usable before stays so: it is then a call that does next to nothing.
func heapSysCommit(part []byte) error {
	start := unsafe.Pointer(unsafe.SliceData(part))
	before := int(uintptr(start) % uintptr(syscall.Getpagesize()))
	pages := unsafe.Slice((*byte)(unsafe.Add(start, -before)), before+len(part))
	err := heapSysCall(syscall.SYS_MPROTECT, pages, syscall.PROT_READ|syscall.PROT_WRITE)
	if err == nil && (runtime.GOOS == "darwin" || runtime.GOOS == "ios") {
		// Right for the account alone, and so whether it works or not.
		heapSysCall(syscall.SYS_MADVISE, pages, heapAdviceReuse)
	}
	return err
}

// heapSysDecommit is madvise, for whole pages: systems round each their own way.
func heapSysDecommit(pages []byte) error {
	switch runtime.GOOS {
	case "darwin", "ios":
		return heapSysCall(syscall.SYS_MADVISE, pages, heapAdviceReusable)
	case "freebsd":
		return heapSysCall(syscall.SYS_MADVISE, pages, heapAdviceFree)
	}
	return heapSysCall(syscall.SYS_MADVISE, pages, syscall.MADV_DONTNEED)
}

// heapSysUnmap is munmap, of a whole region.
func heapSysUnmap(region []byte) error { return syscall.Munmap(region) }

// heapSysCall makes a call that takes memory and a number.
func heapSysCall(call uintptr, part []byte, arg uintptr) error {
	_, _, errno := syscall.Syscall(call, uintptr(unsafe.Pointer(unsafe.SliceData(part))), uintptr(len(part)), arg)
	if errno != 0 {
		return errno
	}
	return nil
}
