package source

import (
	"go/token"
	"maps"
	"slices"

	"github.com/allocgen/allocgen/internal/plan"
)

// Beside says what the folder of an output holds that is not generated. The
// output depends on it.
func Beside(p Place) plan.Beside {
	if p.Dir == "" {
		return plan.Beside{} // the place is wrong, which is an error of its own
	}
	return plan.Beside{
		Functions: slices.Sorted(maps.Keys(Functions(p.Dir))),
		Own:       len(ownFiles(token.NewFileSet(), p.Dir)) > 0,
	}
}
