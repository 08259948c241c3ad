package report

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
)

// builds builds the running command n times into dir, each time with its
// functions in another order, and returns the executables.
//
// A branch and a call can get in each other's way in the processor's
// predictors, depending on the addresses they happen to have. A kernel that
// moves by two bytes can then cost half as much again, for any subject and on
// every run of that build. A ratio of two such figures says nothing; the
// minimum over several orders is stable.
func builds(dir string, n int) ([]string, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil, errors.New("built without module information: use go run")
	}
	commands := make([]string, n)
	for i := range commands {
		commands[i] = filepath.Join(dir, fmt.Sprintf("build%d.exe", i)) // Windows wants the ending
		args := []string{"build", "-o", commands[i], fmt.Sprintf("-ldflags=-randlayout=%d", 1+i)}
		args = append(args, flagsOf(info)...)
		out, err := exec.Command("go", append(args, info.Path)...).CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("go build %s (run this inside the bench module): %w\n%s", info.Path, err, out)
		}
	}
	return commands, nil
}

// flagsOf are the flags of the running build that change what is measured.
func flagsOf(info *debug.BuildInfo) []string {
	var flags []string
	for _, s := range info.Settings {
		if slices.Contains([]string{"-tags", "-gcflags", "-pgo", "-race"}, s.Key) {
			flags = append(flags, s.Key+"="+s.Value)
		}
	}
	return flags
}

// Build builds the running command into dir, with the symbols that go run leaves
// out, and returns the executable.
func Build(dir string) (string, error) {
	commands, err := builds(dir, 1)
	if err != nil {
		return "", err
	}
	return commands[0], nil
}
