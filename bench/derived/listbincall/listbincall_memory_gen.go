// Code derived from ../../generated/listbincall by bench/derive; DO NOT EDIT.

//go:build go1.21 && linux

package listbincall

import "syscall"

// heapMap reserves address space for pools, and their class table; nil when
// that cannot be had, or would leave too little for everything else.
func heapMap(pools int) ([]byte, *[heapPools + 1]uint8) {
	// One pool more, so that the first can start at a multiple of its size.
	size := (pools + 1) << heapPoolShift
	region, err := heapReserve(size)
	if err != nil {
		return nil, nil
	}
	margin, err := heapReserve(min(size/2, 1<<30))
	if err == nil {
		err = heapUnmap(margin)
	}
	var table *[heapPools + 1]uint8
	if err == nil {
		table, err = heapTable()
	}
	if err != nil {
		heapUnmap(region)
		return nil, nil
	}
	return region, table
}

// heapReserve reserves address space without memory behind it.
func heapReserve(size int) ([]byte, error) {
	return syscall.Mmap(-1, 0, size, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
}

// heapCommit makes a part of the address space usable; its memory is zero.
func heapCommit(part []byte) error {
	return syscall.Mprotect(part, syscall.PROT_READ|syscall.PROT_WRITE)
}

// heapUnmap gives address space back, with all memory behind it.
func heapUnmap(region []byte) error { return syscall.Munmap(region) }

// heapTable maps a class table of zeros. It is not Go memory, so that it does
// not count when the GC paces itself; pages that are never written cost nothing.
func heapTable() (*[heapPools + 1]uint8, error) {
	table, err := syscall.Mmap(-1, 0, heapPools+1, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		return nil, err
	}
	return (*[heapPools + 1]uint8)(table), nil
}
