package templates

import "github.com/allocgen/allocgen/internal/plan"

// emitUnix is how Unix systems are called. Package syscall has numbers for all,
// and functions for some.
func emitUnix(o *out, h plan.Heap) {
	o.decls(`
const heapLinux = runtime.GOOS == "linux" || runtime.GOOS == "android"

// heapDecommitZeroes says whether decommitted memory is zero when it is usable
// again. Where it is not, it may also be what it was.
const heapDecommitZeroes = heapLinux

// Advice that package syscall does not name on all systems.
const (
	heapAdviceFree     = 5 // FreeBSD's MADV_FREE
	heapAdviceReusable = 7 // of macOS, MADV_FREE_REUSABLE: the memory leaves the process's account as well
	heapAdviceReuse    = 8 // of macOS, MADV_FREE_REUSE: and is on it again
)`)
	o.decls(`
// heapSysReserve is mmap without access. What Linux then makes usable it would
// count as promised, whether it is ever written or not: NORESERVE is against that.
// Other systems do nothing by that flag, or refuse it.
func heapSysReserve(size int) ([]byte, error) {
	flags := syscall.MAP_ANON | syscall.MAP_PRIVATE
	if heapLinux {
		flags |= syscall.MAP_NORESERVE
	}
	return syscall.Mmap(-1, 0, size, syscall.PROT_NONE, flags)
}`)
	o.decls(`
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
}`)
	o.decls(`
// heapSysDecommit is madvise, for whole pages: systems round each their own way.
func heapSysDecommit(pages []byte) error {
	switch runtime.GOOS {
	case "darwin", "ios":
		return heapSysCall(syscall.SYS_MADVISE, pages, heapAdviceReusable)
	case "freebsd":
		return heapSysCall(syscall.SYS_MADVISE, pages, heapAdviceFree)
	}
	return heapSysCall(syscall.SYS_MADVISE, pages, syscall.MADV_DONTNEED)
}`)
	o.decls(`
// heapSysUnmap is munmap, of a whole region.
func heapSysUnmap(region []byte) error { return syscall.Munmap(region) }`)
	o.decls(`
// heapSysCall makes a call that takes memory and a number.
func heapSysCall(call uintptr, part []byte, arg uintptr) error {
	_, _, errno := syscall.Syscall(call, uintptr(unsafe.Pointer(unsafe.SliceData(part))), uintptr(len(part)), arg)
	if errno != 0 {
		return errno
	}
	return nil
}`)
}

// emitWindows is how Windows is called.
func emitWindows(o *out, h plan.Heap) {
	o.decls(`
// heapDecommitZeroes says whether decommitted memory is zero when it is usable
// again.
const heapDecommitZeroes = true

// Of winnt.h.
const (
	heapMemCommit     = 0x1000
	heapMemReserve    = 0x2000
	heapMemDecommit   = 0x4000
	heapMemRelease    = 0x8000
	heapPageNoAccess  = 0x01
	heapPageReadWrite = 0x04
)

var (
	heapKernel       = syscall.NewLazyDLL("kernel32.dll")
	heapVirtualAlloc = heapKernel.NewProc("VirtualAlloc")
	heapVirtualFree  = heapKernel.NewProc("VirtualFree")
)`)
	o.decls(`
// heapSysReserve takes address space, which does not count as memory until it is
// committed.
func heapSysReserve(size int) ([]byte, error) {
	start, _, err := heapVirtualAlloc.Call(0, uintptr(size), heapMemReserve, heapPageNoAccess)
	if start == 0 {
		return nil, err
	}
	return unsafe.Slice((*byte)(unsafe.Add(nil, start)), size), nil
}`)
	o.decls(`
// heapSysCommit commits all pages that hold bytes of the part; those that are
// committed already stay as they are.
func heapSysCommit(part []byte) error {
	start, _, err := heapVirtualAlloc.Call(uintptr(unsafe.Pointer(unsafe.SliceData(part))), uintptr(len(part)),
		heapMemCommit, heapPageReadWrite)
	if start == 0 {
		return err
	}
	return nil
}`)
	o.decls(`
// heapSysDecommit decommits whole pages: all that hold a byte would go.
func heapSysDecommit(pages []byte) error {
	return heapFreeVirtual(pages, uintptr(len(pages)), heapMemDecommit)
}`)
	o.decls(`
// heapSysUnmap releases a whole region. VirtualFree wants no size for that: with
// one it would fail.
func heapSysUnmap(region []byte) error { return heapFreeVirtual(region, 0, heapMemRelease) }

func heapFreeVirtual(part []byte, size, how uintptr) error {
	done, _, err := heapVirtualFree.Call(uintptr(unsafe.Pointer(unsafe.SliceData(part))), size, how)
	if done == 0 {
		return err
	}
	return nil
}`)
}
