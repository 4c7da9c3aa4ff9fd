package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// options are what the command is asked for.
type options struct {
	all    bool
	list   bool
	count  int
	seed   uint64
	jobs   int
	out    string
	chosen []string // parts of keys; none: by count and seed
}

func main() {
	var o options
	flag.BoolVar(&o.all, "all", false, "run all mutants")
	flag.BoolVar(&o.list, "list", false, "print the mutants that would be run, and run none")
	flag.IntVar(&o.count, "count", 300, "how many mutants are drawn")
	flag.Uint64Var(&o.seed, "seed", 1, "by which they are drawn")
	flag.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "mutants run at the same time")
	flag.StringVar(&o.out, "out", "mutants.jsonl",
		"the file that notes each mutant that was run; with the same sources a call goes on behind them")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "mirrormutants [FLAG]... [TEXT]... makes mutants of model/ and tells which of them "+
			"the suite and the tests notice.\nWith TEXTs it runs those with one of them in the name that -list prints.\n"+
			"Exit status: 0 all are noticed or explained, 1 one is not, 2 bad input, 3 internal error, 4 it was stopped early.\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	o.chosen = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second one ends the program
	status, err := run(ctx, os.Stdout, os.Stderr, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mirrormutants:", err)
	}
	os.Exit(status)
}

// moduleRoot is the directory of the module that the command is called in. The error says that it is not this project's.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	root := strings.TrimSpace(string(out))
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return "", err
	}
	if _, none := os.Stat(filepath.Join(root, equivalentFile)); err != nil || root == "" || none != nil {
		return "", fmt.Errorf("there is no %s in the module of this directory: run it in the root of the project", equivalentFile)
	}
	return root, nil
}
