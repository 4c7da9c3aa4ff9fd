package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usageError says which word of the command line is not accepted, and what would be.
type usageError struct {
	word, problem string
	want          []string
}

// Error is one sentence.
func (e *usageError) Error() string { return e.problem + "; accepted: " + strings.Join(e.want, ", ") }

// flagError says of a flag that does not parse what would be accepted in its place.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		x := &usageError{word: "--" + unknown.GetSpecifiedName(), problem: err.Error()}
		c.Flags().VisitAll(func(f *pflag.Flag) { x.want = append(x.want, "--"+f.Name) })
		return x
	case errors.As(err, &invalid):
		name, want := "--"+invalid.GetFlag().Name, "a whole number"
		if invalid.GetFlag().Value.Type() == "bool" {
			want = "true, false"
		}
		return &usageError{invalid.GetValue(), fmt.Sprintf("%s %s: not a value of this flag", name, invalid.GetValue()), []string{want}}
	}
	return err
}

// arguments accepts so many arguments, from least to most; without a bound most is -1.
func arguments(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if n := len(args); n >= least && (most < 0 || n <= most) {
			return nil
		}
		x := &usageError{problem: fmt.Sprintf("%s is given %s", strings.TrimPrefix(c.CommandPath(), "mirrorsim "), several(len(args), "argument", "arguments")),
			want: []string{strings.TrimSuffix(c.UseLine(), " [flags]")}}
		if most >= 0 && len(args) > most {
			x.word = args[most]
		}
		return x
	}
}

// commandMissing helps with a command that only has commands of its own. An argument would be one of them, and is none.
func commandMissing(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	x := &usageError{word: args[0], problem: fmt.Sprintf("unknown command %q for %s", args[0], c.CommandPath())}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			x.want = append(x.want, sub.Name())
		}
	}
	return x
}

// interruptible calls run, whose context ends at Ctrl-C: it then prints what was done.
func interruptible(c *cobra.Command, run func(ctx context.Context, out, diag io.Writer) error) error {
	ctx, stop := signal.NotifyContext(c.Context(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return run(ctx, c.OutOrStdout(), c.ErrOrStderr())
}
