package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the version of allocgen",
		Long: `Version shows the module version of this allocgen, or the revision that it was
built from, and the Go version that built it.`,
		Example: `  allocgen version`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				return &failure{fmt.Errorf("this binary was built without module information")}
			}
			fmt.Fprintln(cmd.OutOrStdout(), version(info))
			return nil
		},
	}
}

func version(info *debug.BuildInfo) string {
	v := info.Main.Version
	if v == "" || v == "(devel)" {
		v = "(devel)" + revision(info.Settings)
	}
	return fmt.Sprintf("allocgen %s %s", v, info.GoVersion)
}

func revision(settings []debug.BuildSetting) string {
	rev, dirty := "", ""
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision":
			rev = " " + s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	return rev + dirty
}
