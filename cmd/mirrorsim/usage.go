package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mirrorsim/checkers"
	"mirrorsim/scenarios/format"
)

// flagError says of a flag that does not parse what would be accepted in its place.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		x := &format.InputError{Word: "--" + unknown.GetSpecifiedName(), Message: err.Error()}
		c.Flags().VisitAll(func(f *pflag.Flag) { x.Want = append(x.Want, "--"+f.Name) })
		return x
	case errors.As(err, &missing):
		word := "--" + missing.GetSpecifiedName()
		return &format.InputError{Word: word, Message: err.Error(), Want: []string{word + " VALUE"}}
	case errors.As(err, &invalid):
		want := []string{"a whole number"}
		if invalid.GetFlag().Value.Type() == "bool" {
			want = []string{"true", "false"}
		}
		return wrongValue(invalid.GetFlag().Name, invalid.GetValue(), "not a value of this flag", want...)
	}
	return err
}

// wrongValue says of the value of a flag why it is not accepted, and what would be.
func wrongValue(flag, value, why string, want ...string) error {
	return &format.InputError{Word: value, Message: fmt.Sprintf("--%s %s: %s", flag, value, why), Want: want}
}

// fromLeast wants the number that a flag is given to be at least so large.
func fromLeast(flag string, n, least int) error {
	if n >= least {
		return nil
	}
	return wrongValue(flag, strconv.Itoa(n), "too small", fmt.Sprintf("a whole number from %d", least))
}

// only refuses flags that do nothing beside a flag, and says why; beside it those of allowed are accepted.
func only(c *cobra.Command, beside, why string, allowed ...string) (err error) {
	want := []string{"--" + beside}
	for _, name := range allowed {
		want = append(want, "with --"+name)
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != beside && !slices.Contains(allowed, f.Name) && err == nil {
			err = together(f.Name, "it does nothing beside --"+beside+": "+why, want...)
		}
	})
	return err
}

// nothingEmpty refuses a flag whose value is empty: it would be as if the flag were not there, and who wrote --seed "$SEED" did not
// mean that.
func nothingEmpty(c *cobra.Command, _ []string) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if v := f.Value.String(); (v == "" || v == "[]") && err == nil {
			err = &format.InputError{Word: "--" + f.Name, Message: "--" + f.Name + " has an empty value", Want: []string{"--" + f.Name + " VALUE, or nothing of it"}}
		}
	})
	return err
}

// known wants the value of a flag, unless it is "", to be one of the words.
func known(flag, value string, words []string) error {
	if value == "" || slices.Contains(words, value) {
		return nil
	}
	return wrongValue(flag, value, "unknown", words...)
}

// isGroup wants the name of a group of failures, unless it is "", to be what one can be.
func isGroup(name string) error {
	if _, err := strconv.ParseUint(name, 16, 16); name == "" || err == nil && len(name) == 4 && strings.ToLower(name) == name {
		return nil
	}
	return wrongValue("group", name, "not a group of failures", "4 hex digits, as sweep and run --json name a group")
}

// together says that a flag does not go with what else the command line has, and why; want is what does.
func together(flag, why string, want ...string) error {
	return &format.InputError{Word: "--" + flag, Message: "--" + flag + ": " + why, Want: want}
}

// arguments accepts so many arguments, from least to most; without a bound most is -1.
func arguments(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if n := len(args); n >= least && (most < 0 || n <= most) {
			return nil
		}
		x := &format.InputError{Word: c.Name(), Message: fmt.Sprintf("%s is given %s", strings.TrimPrefix(c.CommandPath(), "mirrorsim "), checkers.Several(len(args), "argument", "arguments")),
			Want: []string{strings.TrimSuffix(c.UseLine(), " [flags]")}}
		if most >= 0 && len(args) > most {
			x.Word = args[most]
		}
		return x
	}
}

// commandMissing helps with a command that only has commands of its own. An argument would be one of them, and is none.
func commandMissing(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	x := &format.InputError{Word: args[0], Message: fmt.Sprintf("unknown command %q for %s", args[0], c.CommandPath())}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			x.Want = append(x.Want, sub.Name())
		}
	}
	return x
}

// refuseUnknown has cobra's own commands refuse a word that they do not know, as the others do; they would print their help.
func refuseUnknown(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd("") // "": there are other commands than it
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			c.Args, c.RunE = cobra.ArbitraryArgs, commandMissing
		case "help":
			c.Run, c.RunE = nil, func(c *cobra.Command, args []string) error {
				about, rest, err := c.Root().Find(args)
				if err != nil || len(rest) > 0 {
					return commandMissing(about, rest)
				}
				return about.Help()
			}
		}
	}
}

// interruptible calls run, whose context ends at Ctrl-C: it then prints what was done. A second one ends the program.
func interruptible(c *cobra.Command, run func(ctx context.Context, out, diag io.Writer) error) error {
	ctx, stop := signal.NotifyContext(c.Context(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return run(ctx, c.OutOrStdout(), c.ErrOrStderr())
}
