// Package generate is the way from specs to finished packages, in memory: the
// stages in their order, and the errors of all of them together.
package generate

import (
	"errors"
	"fmt"

	"github.com/allocgen/allocgen/internal/plan"
	"github.com/allocgen/allocgen/internal/source"
	"github.com/allocgen/allocgen/internal/spec"
	"github.com/allocgen/allocgen/templates"
)

// Packages renders specs. What is wrong with any of them comes back as one
// spec.Errors, and then there are no packages.
func Packages(files []source.SpecFile) ([]*source.Package, error) {
	var errs spec.Errors
	var outs []*source.Output
	for _, f := range files {
		out, bad := decide(f)
		errs = append(errs, bad...)
		if len(bad) > 0 {
			continue
		}
		if err := render(out); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		outs = append(outs, out)
	}
	errs = append(errs, source.Conflicts(outs)...)
	pkgs, err := source.Finish(outs)
	var faults spec.Errors
	if errors.As(err, &faults) {
		errs = append(errs, faults...)
	}
	if len(errs) > 0 { // any other err may follow from these
		errs.Sort()
		return nil, errs
	}
	return pkgs, err
}

// decide collects the errors of a spec from every stage that can be reached.
func decide(f source.SpecFile) (*source.Output, spec.Errors) {
	s, errs := spec.Parse(f.Name, f.Text)
	if s == nil {
		return nil, errs
	}
	place, bad := source.Locate(f, s)
	errs = append(errs, bad...)
	p, bad := plan.Build(s, source.Beside(place))
	errs = append(errs, bad...)
	return &source.Output{Spec: s, Plan: p, Place: place}, errs
}

func render(out *source.Output) error {
	// How the spec was named depends on the working directory; what the output
	// says about it must not.
	out.Plan.File = out.Place.Spec
	files, err := templates.Render(out.Plan)
	for _, f := range files {
		out.Files = append(out.Files, source.File(f))
	}
	return err
}
