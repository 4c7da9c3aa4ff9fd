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
	"strconv"
	"strings"
	"syscall"
)

// options are what the command is asked for.
type options struct {
	all     bool
	list    bool
	count   int
	counted bool // count was given
	seed    uint64
	jobs    int
	out     string
	chosen  []string // parts of keys; none: by count and seed
}

func main() {
	var o options
	flag.BoolVar(&o.all, "all", false, "run all mutants")
	flag.BoolVar(&o.list, "list", false, "print the mutants that would be run, and run none")
	number(&o.count, "count", 300, "how many mutants are drawn")
	number(&o.seed, "seed", 1, "by which they are drawn")
	number(&o.jobs, "jobs", runtime.NumCPU(), "mutants run at the same time")
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
	flag.Visit(func(f *flag.Flag) { o.counted = o.counted || f.Name == "count" })
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second one ends the program
	status, err := run(ctx, os.Stdout, os.Stderr, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mirrormutants:", err)
	}
	os.Exit(status)
}

// number is a flag that takes a whole number, and says so.
func number[T int | uint64](to *T, name string, value T, usage string) {
	*to = value
	flag.Func(name, fmt.Sprintf("%s: a whole `number` (default %d)", usage, value), func(text string) error {
		n, err := strconv.ParseUint(text, 10, 62)
		if err != nil {
			return errors.New("a whole number from 0 is accepted")
		}
		*to = T(n)
		return nil
	})
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
