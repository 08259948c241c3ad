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
	words := did
	if dry {
		words = wouldDo
	}
	written, removed := 0, 0
	for _, c := range changes {
		words.report(stdout, c)
		written += c.Written
		removed += len(c.Removed)
	}
	note := ""
	if removed > 0 {
		note = fmt.Sprintf(", %d %s", removed, words.removed)
	}
	if dry {
		note += " (dry run: nothing was changed)"
	}
	fmt.Fprintf(stdout, "%s, %s %s%s in %.2f s\n",
		count(len(pkgs), "package"), count(written, "file"), words.written, note, time.Since(start).Seconds())
	return nil
}

// words say what was done, or what would be.
type words struct{ written, removed, remove string }

var (
	did     = words{"written", "removed", "removed"}
	wouldDo = words{"to write", "to remove", "would remove"}
)

// report names the removed files, and those that someone had worked on: after a
// slip it should be seen which ones they were.
func (w words) report(stdout io.Writer, c source.Change) {
	fmt.Fprintf(stdout, "%s  %s\n", c.Folder, w.changed(c))
	for _, file := range c.Removed {
		fmt.Fprintf(stdout, "  %s %s\n", w.remove, file)
	}
	for _, file := range c.Edited {
		fmt.Fprintf(stdout, "  %s had been changed by hand\n", file)
	}
}

func (w words) changed(c source.Change) string {
	var parts []string
	if c.Written > 0 {
		parts = append(parts, count(c.Written, "file")+" "+w.written)
	}
	switch n := len(c.Removed); {
	case n > 0 && c.Written > 0:
		parts = append(parts, fmt.Sprintf("%d %s", n, w.removed))
	case n > 0:
		parts = append(parts, count(n, "file")+" "+w.removed)
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
