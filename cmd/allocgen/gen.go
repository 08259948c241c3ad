package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/allocgen/allocgen/internal/generate"
	"github.com/allocgen/allocgen/internal/source"
)

func newGen() *cobra.Command {
	var dry bool
	cmd := &cobra.Command{
		Use:   "gen [spec or folder ...]",
		Short: "Write the packages of specs",
		Long: `Gen writes the package of each spec: of the files named, of those in the folders
named and below, or, without arguments, of those in the current module. All of
them are rendered, formatted and type-checked before the first file is written:
one bad spec leaves everything as it was. Only files that differ are written;
generated files that no spec emits any more are removed; a file without
allocgen's header is never touched.`,
		Example: `  allocgen gen                       every spec of the current module
  allocgen gen specs/pylist.yaml     one spec
  allocgen gen specs examples        every spec in two folders
  allocgen gen --dry-run             say what would change`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := gen(cmd.OutOrStdout(), args, dry); err != nil {
				return &failure{err}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "say what would change, and write nothing")
	return cmd
}

func gen(stdout io.Writer, args []string, dry bool) error {
	start := time.Now()
	found, err := source.Discover(args)
	if err != nil {
		return err
	}
	pkgs, err := generate.Packages(found.Specs)
	if err != nil {
		return err
	}
	changes, err := source.Write(found, pkgs, dry)
	if err != nil {
		return err
	}
	written, removed := 0, 0
	for _, c := range changes {
		fmt.Fprintf(stdout, "%s  %s\n", c.Folder, changed(c))
		written += c.Written
		removed += c.Removed
	}
	note := ""
	if removed > 0 {
		note = fmt.Sprintf(", %d removed", removed)
	}
	if dry {
		note += " (dry run: nothing was changed)"
	}
	fmt.Fprintf(stdout, "%s, %s written%s in %.2f s\n",
		count(len(pkgs), "package"), count(written, "file"), note, time.Since(start).Seconds())
	return nil
}

func changed(c source.Change) string {
	var parts []string
	if c.Written > 0 {
		parts = append(parts, count(c.Written, "file")+" written")
	}
	switch {
	case c.Removed > 0 && c.Written > 0:
		parts = append(parts, fmt.Sprintf("%d removed", c.Removed))
	case c.Removed > 0:
		parts = append(parts, count(c.Removed, "file")+" removed")
	}
	if parts == nil {
		return "unchanged"
	}
	return strings.Join(parts, ", ")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
