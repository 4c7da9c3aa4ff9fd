package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mirrorsim/checkers"
	"mirrorsim/model/id"
	"mirrorsim/scenarios"
)

// aHistory is what check judges.
const aHistory = "a history, as mirrorsim run SCENARIO --history FILE writes one, or - for standard input"

func checkCommand(asJSON *bool) *cobra.Command {
	return &cobra.Command{
		Use:   "check HISTORY",
		Short: "Judge a history: of a run, or of another system that speaks the format",
		Long: "check reads a history line by line and has every checker judge it: one that run --history has written, or what was made of\n" +
			"the logs of other brokers. model/event/HISTORY.md is the format, and says what each property needs. HISTORY is a\n" +
			"file; - is standard input. A property of which the history shows no occasion is not exercised; nothing that only\n" +
			"the end can show is judged without the line that says that the history is whole.\n\n" +
			"Exit status: 0 all holds, 1 something is violated, 2 bad input, 3 internal error, 4 unknown: the history has no end,\n" +
			"no property had an occasion, or it was interrupted.",
		Example: "  mirrorsim run F4 --history f4.jsonl\n  mirrorsim check f4.jsonl\n  my-converter broker-logs | mirrorsim check - --json",
		Args:    arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			return interruptible(c, func(ctx context.Context, out, _ io.Writer) error {
				return check(ctx, args[0], c.InOrStdin(), out, *asJSON)
			})
		},
	}
}

// check judges the history in a file, or in, which is standard input.
func check(ctx context.Context, name string, in io.Reader, out io.Writer, asJSON bool) error {
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return unreadable(name, aHistory, err)
		}
		defer file.Close()
		in = file
	} else {
		name = "standard input"
	}
	r, err := scenarios.CheckHistory(ctx, name, in, true)
	var path *fs.PathError
	if errors.As(err, &path) {
		return unreadable(name, aHistory, err)
	}
	if err != nil {
		return err
	}
	if asJSON {
		printJSON(out, r.Report(name))
	} else {
		printChecked(out, name, r)
	}
	if code := r.ExitStatus(); code != 0 {
		return status(code)
	}
	return nil
}

// printChecked prints what a history came to: what failed in sentences, with the facts and the events before it, what was not
// understood, the table and the verdict.
func printChecked(out io.Writer, name string, r *scenarios.CheckedHistory) {
	fmt.Fprint(out, name)
	if r.About != "" {
		fmt.Fprint(out, ": ", r.About)
	}
	fmt.Fprint(out, "\n\n")
	for _, v := range r.Verdicts {
		if v.Status == checkers.Violated {
			printFallen(out, &v, r)
		}
	}
	for _, x := range r.Accepted {
		fmt.Fprintf(out, "ACCEPTED LIMIT %s\n", x)
	}
	for _, u := range r.Unknown {
		fmt.Fprintf(out, "NOT UNDERSTOOD %s of kind %s\n", checkers.Several(u.Events, "event", "events"), u.Kind)
	}
	switch unknown := r.Verdict() == checkers.Unknown.String(); {
	case r.Stopped:
		fmt.Fprintln(out, "UNKNOWN it was interrupted before the history was read to its end: nothing is judged that only the end shows")
	case !r.Complete:
		fmt.Fprintln(out, "UNKNOWN the history has no line of kind end: it may be cut off, and nothing is judged that only the end shows")
	case unknown:
		fmt.Fprintln(out, "UNKNOWN no property had an occasion: the history says nothing")
	}
	printTable(out, r.Table(), r.Ledger, r.Names)
	fmt.Fprintf(out, "\n%s: %s, %.3f s\n", r.Verdict(), checkers.Several(r.Events, "event", "events"), float64(r.Virtual)/float64(id.Second))
}

// printFallen prints a property that is violated.
func printFallen(out io.Writer, v *checkers.Verdict, r *scenarios.CheckedHistory) {
	for _, x := range v.Violations {
		fmt.Fprintf(out, "VIOLATED %s: %s\n", v.Property, x.Sentence)
		for i, fact := range x.Facts {
			if fact == "" {
				continue
			}
			where := ""
			if x.Events != [2]uint64{} {
				where = fmt.Sprintf(" (event %d, line %d)", x.Events[i], r.Line(x.Events[i]))
			}
			fmt.Fprintf(out, "  %s%s\n", fact, where)
		}
	}
	told := func(s scenarios.Scene) bool { return s.Property == v.Property }
	i := slices.IndexFunc(r.Scenes, told)
	if i < 0 || len(r.Scenes[i].Rows) == 0 {
		return
	}
	// Properties that fall together have one scene.
	first := slices.IndexFunc(r.Scenes, func(s scenarios.Scene) bool { return slices.Equal(s.Rows, r.Scenes[i].Rows) })
	if first < i {
		fmt.Fprintf(out, "The last events before it are those before %s fell.\n\n", r.Scenes[first].Property)
		return
	}
	fmt.Fprintf(out, "The last events before it:\n%s\n\n", strings.Join(r.Scenes[i].Rows, "\n"))
}
