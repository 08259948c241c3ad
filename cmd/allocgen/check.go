package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/allocgen/allocgen/internal/generate"
	"github.com/allocgen/allocgen/internal/source"
)

func newCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check [spec or folder ...]",
		Short: "Compare the packages of specs with what gen would write",
		Long: `Check renders the same specs as gen, in memory, and compares the result with the
files on disk, both ways. It names each file that differs, why, and how, as a
unified diff, and exits with 1 if there is one: missing (not there), stale (its
spec has changed), edited (changed by hand), drift (allocgen's templates have
changed), orphan (no spec emits it). Line ends of a Windows checkout do not
count.`,
		Example: `  allocgen check                     every spec of the current module
  allocgen check specs/pylist.yaml   one spec`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return check(cmd.OutOrStdout(), args)
		},
	}
}

func check(stdout io.Writer, args []string) error {
	found, err := source.Discover(args)
	if err != nil {
		return &failure{err}
	}
	pkgs, err := generate.Packages(found.Specs)
	if err != nil {
		return &failure{err}
	}
	findings, err := source.Check(found, pkgs)
	if err != nil {
		return &failure{err}
	}
	for _, f := range findings {
		fmt.Fprintf(stdout, "%s\n%s", f, f.Diff)
	}
	if len(findings) == 0 {
		fmt.Fprintf(stdout, "%s up to date\n", count(len(pkgs), "package"))
		return nil
	}
	fmt.Fprintf(stdout, "%s: %s\n", count(len(pkgs), "package"), tally(findings))
	return &failure{}
}

// tally counts the findings by kind.
func tally(findings []source.Finding) string {
	n := map[source.Kind]int{}
	for _, f := range findings {
		n[f.Kind]++
	}
	var parts []string
	for _, k := range source.Kinds {
		if n[k] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[k], k))
		}
	}
	return strings.Join(parts, ", ")
}
