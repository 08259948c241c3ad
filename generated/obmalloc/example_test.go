//go:build linux && !allocgen_goheap

package obmalloc_test

import (
	"fmt"

	"github.com/allocgen/allocgen/generated/obmalloc"
)

// The report has the form of CPython's, which Python prints with
// PYTHONMALLOCSTATS=1.
func ExampleHeapStats_String() {
	var h obmalloc.Heap
	c := h.Acquire()
	for n := 1; n <= 512; n++ {
		c.Alloc(n % 100)
	}
	fmt.Println(h.Stats())
	// Output:
	// Small block threshold = 512, in 32 size classes.
	//
	// class   size   num pools   blocks in use  avail blocks
	// -----   ----   ---------   -------------  ------------
	//     0     16           1              92           932
	//     1     32           1              92           420
	//     2     48           1              92           249
	//     3     64           1              92           164
	//     4     80           1              92           112
	//     5     96           1              92            78
	//     6    112           1              28           118
	//
	// # arenas allocated total           =                    1
	// # arenas highwater mark            =                    1
	// # arenas allocated current         =                    1
	// 1 arenas * 1048576 bytes/arena     =            1,048,576
	//
	// # bytes in allocated blocks        =               34,048
	// # bytes in available blocks        =               80,464
	// 0 unused pools * 16384 bytes       =                    0
	// 57 released pools * 16384 bytes    =              933,888
	// # bytes lost to quantization       =                  176
	// Total                              =            1,048,576
}
