// Allocgen generates allocators, free lists and lists from specs.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// Exit statuses.
const (
	statusOK    = 0
	statusFound = 1 // a bad spec, a file that is not up to date, a failed write
	statusUsage = 2
)

func run(args []string, stdout, stderr io.Writer) int {
	out := &output{w: stdout}
	status := execute(args, out, stderr)
	if status == statusOK && out.err != nil {
		fmt.Fprintln(stderr, out.err)
		return statusFound
	}
	return status
}

// An output remembers that something could not be written: whoever reads only
// the exit status must not take a lost answer for a good one.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

func execute(args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteC()
	var f *failure
	switch {
	case err == nil:
		return statusOK
	case errors.As(err, &f):
		if f.err != nil {
			fmt.Fprintln(stderr, f.err)
		}
		return statusFound
	}
	fmt.Fprintf(stderr, "%s: %v\nSee %s --help.\n", cmd.CommandPath(), err, cmd.CommandPath())
	return statusUsage
}

// A failure is an error of the work itself: every other one that a command
// returns is about its usage. A nil err means that all has been said.
type failure struct{ err error }

func (f *failure) Error() string { return fmt.Sprint(f.err) }

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "allocgen",
		Short: "Generate allocators, free lists and lists from specs",
		Long: `Allocgen turns specs (YAML files that start with "allocgen: 1") into Go packages:
heaps, typed free lists and lists whose fast paths are written out for that spec
alone.`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		RunE: func(*cobra.Command, []string) error {
			return errors.New("a command is missing")
		},
	}
	root.AddCommand(newGen(), newCheck(), newInline(), newVersion())
	root.SetHelpCommand(newHelp())
	return root
}
