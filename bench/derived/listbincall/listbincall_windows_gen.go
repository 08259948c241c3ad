// Code derived from ../../generated/listbincall by bench/derive; DO NOT EDIT.

//go:build go1.21 && windows && !allocgen_goheap

package listbincall

import (
	"syscall"
	"unsafe"
)

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
)

// heapSysReserve takes address space, which does not count as memory until it is
// committed.
func heapSysReserve(size int) ([]byte, error) {
	start, _, err := heapVirtualAlloc.Call(0, uintptr(size), heapMemReserve, heapPageNoAccess)
	if start == 0 {
		return nil, err
	}
	return unsafe.Slice((*byte)(unsafe.Add(nil, start)), size), nil
}

// heapSysCommit commits all pages that hold bytes of the part; those that are
// committed already stay as they are.
func heapSysCommit(part []byte) error {
	start, _, err := heapVirtualAlloc.Call(uintptr(unsafe.Pointer(unsafe.SliceData(part))), uintptr(len(part)),
		heapMemCommit, heapPageReadWrite)
	if start == 0 {
		return err
	}
	return nil
}

// heapSysDecommit decommits whole pages: all that hold a byte would go.
func heapSysDecommit(pages []byte) error {
	return heapFreeVirtual(pages, uintptr(len(pages)), heapMemDecommit)
}

// heapSysUnmap releases a whole region. VirtualFree wants no size for that: with
// one it would fail.
func heapSysUnmap(region []byte) error { return heapFreeVirtual(region, 0, heapMemRelease) }

func heapFreeVirtual(part []byte, size, how uintptr) error {
	done, _, err := heapVirtualFree.Call(uintptr(unsafe.Pointer(unsafe.SliceData(part))), size, how)
	if done == 0 {
		return err
	}
	return nil
}
