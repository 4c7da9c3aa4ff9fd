package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"mirrorsim/cmd/mirrorlint/rules"
)

func main() {
	args := os.Args[1:]
	if calledByVet(args) {
		unitchecker.Main(rules.All()...)
	}
	os.Exit(vet(args))
}

// calledByVet tells go vet's own calls of its tool, and a question for help, from a person's call with package names.
func calledByVet(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		return arg == "-V=full" || arg == "-flags" || arg == "help" || strings.HasSuffix(arg, ".cfg")
	})
}

// vet runs go vet with this program as its tool and answers the exit status: go vet finds and compiles the packages.
func vet(args []string) int {
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mirrorlint: where is this program? go vet has to start it:", err)
		return 2
	}
	if len(args) == 0 {
		args = []string{"./..."}
	}
	cmd := exec.Command("go", append([]string{"vet", "-vettool=" + self}, args...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	fmt.Fprintln(os.Stderr, "mirrorlint: cannot run go vet:", err)
	return 2
}
