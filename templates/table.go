package templates

import (
	"fmt"
	"strings"

	"github.com/allocgen/allocgen/internal/plan"
)

// emitClassTable lists the classes, a line each.
func emitClassTable(o *out, h plan.Heap) {
	o.decls(`
// heapClass is a block size and what follows from it.
type heapClass struct {
	size   uint32 // bytes of a block
	pools  uint32 // pools of a span
	blocks uint32 // blocks of a span
	depth  uint32 // blocks that a bin keeps
	batch  uint32 // blocks that go to or come from the depot at once
	batches uint32 // batches that the depot keeps
	scale  uint64 // ceil(2^heapScaleBits / size)
}`)
	var rows strings.Builder
	for i, c := range h.Classes {
		fmt.Fprintf(&rows, "\t%d: {%d, %d, %d, %d, %d, %d, %d},\n",
			i+1, c.Size, c.Pools, c.Blocks, c.Depth, c.Batch, c.Batches, c.Scale)
	}
	var types []string // holes: they may be of imported packages
	for i, t := range h.Typed {
		hole := "TYPE" + itoa(i)
		types = append(types, hole, t.Of)
		fmt.Fprintf(&rows, "\t%d: heapTyped(unsafe.Sizeof(*new(%s))),\n", len(h.Classes)+i+1, hole)
	}
	o.decls("var heapClassTable = [heapClasses + 1]heapClass{\n"+rows.String()+"}", types...)
}

// emitBinTable spells the map from size to class as a constant string: unlike
// a variable it folds where the size is a constant.
func emitBinTable(o *out, h plan.Heap) {
	const perLine = 32
	var rows strings.Builder
	for i := 0; i < len(h.Table); i += perLine {
		rows.WriteString(" +\n\t\"")
		for _, b := range h.Table[i:min(i+perLine, len(h.Table))] {
			fmt.Fprintf(&rows, `\x%02x`, b)
		}
		rows.WriteString(`"`)
	}
	o.decls("// heapBinTable maps a size to its bin: byte (n+heapAlignMask)>>heapAlignShift is\n// that of n bytes.\nconst heapBinTable = (\"\"" + rows.String() + ")")
}
