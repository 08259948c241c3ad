package main

import (
	"encoding/json"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/allocgen/allocgen/internal/inline"
)

func newInline() *cobra.Command {
	var versions string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inline [package ...]",
		Short: "Prove from the compiler's report that what is promised to inline does",
		Long: `Inline builds the packages named (patterns as for go build; ./... without
arguments) and the generated ones that they import, with the compiler's report,
and says what that holds: of each entry point of a generated package what it
costs of the inliner's budget, whether it inlines, and which bounds checks,
write barriers and escapes to the heap are left inside; of each call of one
whether it was inlined, and why not. Entry points that are called by design, and
those that may inline though nothing promises it, are listed with the reason.

Bytes are of machine code and exact: the compiler's table says which call each
instruction came from. An entry point shows the median of its calls, and the
total of all copies, also where a function that holds a call was itself inlined.

It exits with 1 when a promise is broken, when a package does not build, and
when there is no generated package. A call that is not inlined breaks no promise.

With --go each of the versions checks copies of the generated packages, in a
module with the line "go 1.21". The go command fetches those that are not there;
1.24 means the local Go if it is of that version, else the newest 1.24.`,
		Example: `  allocgen inline                     the packages of the current module
  allocgen inline ./cmd/server        the calls of a program, and what it imports
  allocgen inline --go 1.22,1.26      two versions of Go
  allocgen inline --json | jq .       for programs`,
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := inline.Versions(versions)
			if err != nil {
				return err
			}
			return proveInlining(cmd.OutOrStdout(), args, list, asJSON)
		},
	}
	cmd.Flags().StringVar(&versions, "go", "", "versions of Go to ask, such as 1.22,1.26.3")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print all of it as JSON")
	return cmd
}

func proveInlining(stdout io.Writer, patterns, versions []string, asJSON bool) error {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	dir, err := os.Getwd()
	if err != nil {
		return &failure{err}
	}
	proof, err := inline.Prove(dir, patterns, versions)
	if err != nil {
		return &failure{err}
	}
	if asJSON {
		out := json.NewEncoder(stdout)
		out.SetIndent("", "  ")
		if err := out.Encode(proof); err != nil {
			return &failure{err}
		}
	} else {
		proof.Table(stdout)
	}
	if !proof.Holds() {
		return &failure{}
	}
	return nil
}
