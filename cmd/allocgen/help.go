package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// newHelp replaces cobra's own command, which exits with 0 after an unknown
// topic.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Show the help of a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return fmt.Errorf("no help on %q", args)
			}
			return topic.Help()
		},
	}
}
