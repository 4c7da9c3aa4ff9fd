package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mirrorsim/checkers"
	"mirrorsim/scenarios"
	"mirrorsim/scenarios/format"
)

func scenariosCommand(asJSON *bool) *cobra.Command {
	c := &cobra.Command{
		Use:   "scenarios",
		Short: "List, show, run, verify and format scenarios",
		RunE:  commandMissing,
	}
	c.AddCommand(listCommand(asJSON), showCommand(asJSON), runManyCommand(asJSON), verifyCommand(asJSON), fmtCommand(asJSON))
	return c
}

// listed is one scenario of the catalogue.
type listed struct {
	Name  string `json:"name"`           // of the scenario
	Story string `json:"story"`          // what it tells
	Text  string `json:"text,omitempty"` // the file, of show
	Run   string `json:"run,omitempty"`  // told as show --story tells it
}

// listing is scenarios of the catalogue as JSON, schema mirrorsim.scenarios/1.
type listing struct {
	Schema    string   `json:"schema"`    // mirrorsim.scenarios/1
	Scenarios []listed `json:"scenarios"` // of the catalogue
}

func listCommand(asJSON *bool) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the catalogue",
		Args:  arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			l := listing{Schema: "mirrorsim.scenarios/1"}
			for _, f := range scenarios.Catalogue() {
				s, err := f.Scenario()
				if err != nil {
					return err
				}
				l.Scenarios = append(l.Scenarios, listed{Name: f.Name, Story: s.Story})
				if !*asJSON {
					first, _, _ := strings.Cut(strings.ReplaceAll(s.Story, "\n", " "), ". ")
					fmt.Fprintf(c.OutOrStdout(), "%-18s %s.\n", f.Name, strings.TrimSuffix(first, "."))
				}
			}
			if *asJSON {
				printJSON(c.OutOrStdout(), l)
			}
			return nil
		},
	}
}

func showCommand(asJSON *bool) *cobra.Command {
	var design designFlags
	var story bool
	c := &cobra.Command{
		Use:   "show SCENARIO",
		Short: "Print a scenario's file, or the story of its run",
		Long: "show prints the file of a scenario. With --story it runs it on the calm schedule and tells what happened in short: the\n" +
			"acts, what leaders, controllers and clients did, the logs as strips where they changed, and what was lost.\n" +
			"mirrorsim run tells the same run at length, with the verdict on every property.",
		Example: "  mirrorsim scenarios show F1\n  mirrorsim scenarios show F1 --story\n  mirrorsim scenarios show F4 --story --set marker=none",
		Args:    arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			for _, flag := range []string{"protocol", "set"} {
				if !story && c.Flags().Changed(flag) {
					return together(flag, "it chooses the design of a run", "with --story, which runs the scenario")
				}
			}
			s, err := load(args[0])
			if err != nil {
				return err
			}
			x := listed{Name: s.Name, Story: s.Story, Text: string(s.AppendText(nil))}
			text := x.Text
			if story {
				if x.Run, err = tellStory(args[0], s, &design); err != nil {
					return err
				}
				text = x.Run
			}
			if *asJSON {
				printJSON(c.OutOrStdout(), listing{"mirrorsim.scenarios/1", []listed{x}})
				return nil
			}
			fmt.Fprint(c.OutOrStdout(), text)
			return nil
		},
	}
	design.add(c, ofScenario)
	c.Flags().BoolVar(&story, "story", false, "run it, and tell what happened in short")
	return c
}

// tellStory is the story of a calm run.
func tellStory(name string, s *format.Scenario, design *designFlags) (string, error) {
	d, err := scenarios.Choose(s, design.revision, design.sets)
	if err != nil {
		return "", err
	}
	if !isFile(name) {
		name = s.Name // as the catalogue writes it
	}
	return scenarios.Tell(name, s, d)
}

func runManyCommand(asJSON *bool) *cobra.Command {
	f := &runFlags{json: asJSON, quiet: true}
	c := &cobra.Command{
		Use:   "run SCENARIO...",
		Short: "Run scenarios and print their verdicts, without the stories",
		Long: "run runs scenarios of the catalogue or files, one after the other, and prints the verdict on every property of each. Flags\n" +
			"are as of mirrorsim run.\n\n" +
			"Exit status: 0 all holds, 1 something is violated in one of them, 2 bad input, 3 internal error, 4 unknown or interrupted.",
		Args: arguments(1, -1),
		RunE: func(c *cobra.Command, args []string) error {
			return interruptible(c, func(ctx context.Context, out, diag io.Writer) error { return f.runMany(ctx, args, out, diag) })
		},
	}
	f.what.add(c, faultsNamed)
	return c
}

// runMany runs scenarios one after the other.
func (f *runFlags) runMany(ctx context.Context, names []string, out, diag io.Writer) error {
	var worst error
	for i, name := range names {
		if ctx.Err() != nil {
			fmt.Fprintf(diag, "mirrorsim: stopped early, when %d of %s were run\n", i, checkers.Several(len(names), "scenario", "scenarios"))
			return cmp.Or(worst, error(status(exitUnknown)))
		}
		f.what.name = name
		err := f.run(ctx, out, diag)
		if _, told := err.(status); err != nil && !told {
			return err
		}
		if err == status(1) || worst == nil {
			worst = err // violated beats unknown
		}
	}
	return worst
}

// verified is a verification as JSON, schema mirrorsim.verify/1.
type verified struct {
	Schema       string         `json:"schema"`        // mirrorsim.verify/1
	Verdict      string         `json:"verdict"`       // holds, violated or unknown
	Scenarios    int            `json:"scenarios"`     // that were verified
	Runs         int            `json:"runs"`          // that were done
	Problems     []verifyFailed `json:"problems"`      // runs that did not come out as their file says
	StoppedEarly bool           `json:"stopped_early"` // it was interrupted: the last scenario is not verified to its end
}

// verifyFailed is one run of a verification that did not come out as its file says.
type verifyFailed struct {
	Scenario  string `json:"scenario"`        // its name
	Wrong     string `json:"wrong,omitempty"` // the wrong line under which it ran
	Problem   string `json:"problem"`         // a sentence
	Reproduce string `json:"reproduce"`       // the command
}

func verifyCommand(asJSON *bool) *cobra.Command {
	var design designFlags
	var seeds int
	c := &cobra.Command{
		Use:   "verify [SCENARIO...]",
		Short: "Run scenarios as their files mean them: expectations hold, and each wrong line breaks its property",
		Long: "verify runs each scenario (default: the whole catalogue) on the calm schedule and under --seeds seeds; expectations\n" +
			"and properties must hold; an expectation that is marked calm is judged on the calm schedule only. Then it runs it once under each\n" +
			"of its wrong lines; the named property must be violated, and no other safety property than those that the file's wrong\n" +
			"lines name for the same choices.\n\n" +
			"Exit status: 0 all is as the files say, 1 something is not, 2 bad input, 3 internal error, 4 interrupted.",
		RunE: func(c *cobra.Command, args []string) error {
			if err := fromLeast("seeds", seeds, 0); err != nil {
				return err
			}
			if len(args) == 0 {
				for _, f := range scenarios.Catalogue() {
					args = append(args, f.Name)
				}
			}
			return interruptible(c, func(ctx context.Context, out, _ io.Writer) error {
				return verify(ctx, out, args, &design, seeds, *asJSON)
			})
		},
	}
	design.add(c, ofScenario)
	c.Flags().IntVar(&seeds, "seeds", 0, "how many seeds besides the calm schedule")
	return c
}

func verify(ctx context.Context, out io.Writer, names []string, design *designFlags, seeds int, asJSON bool) error {
	rep := verified{Schema: "mirrorsim.verify/1", Verdict: "holds", Problems: []verifyFailed{}}
	for _, name := range names {
		if err := rep.verify(ctx, out, name, design, seeds, asJSON); err != nil {
			return err
		}
		if rep.StoppedEarly = ctx.Err() != nil; rep.StoppedEarly {
			break
		}
		rep.Scenarios++
	}
	code := 0
	switch {
	case len(rep.Problems) > 0:
		rep.Verdict, code = "violated", 1
	case rep.StoppedEarly:
		rep.Verdict, code = "unknown", exitUnknown
	}
	switch {
	case asJSON:
		printJSON(out, rep)
	case rep.StoppedEarly:
		fmt.Fprintf(out, "UNKNOWN: stopped early, when %d of %s were verified\n", rep.Scenarios, checkers.Several(len(names), "scenario", "scenarios"))
	}
	if code != 0 {
		return status(code)
	}
	return nil
}

// verify verifies one scenario, as far as the context lets it.
func (rep *verified) verify(ctx context.Context, out io.Writer, name string, design *designFlags, seeds int, asJSON bool) error {
	s, err := load(name)
	if err != nil {
		return err
	}
	d, err := scenarios.Choose(s, design.revision, design.sets)
	if err != nil {
		return err
	}
	checks, err := scenarios.Verify(ctx, name, s, d, seeds)
	if err != nil {
		return err
	}
	failed := 0
	for _, x := range checks {
		rep.Runs++
		if x.Problem == "" {
			continue
		}
		failed++
		rep.Problems = append(rep.Problems, verifyFailed{name, x.Wrong, x.Problem, x.Command})
		if !asJSON {
			fmt.Fprintf(out, "%s: %s\n  repeat it with: %s\n", strings.TrimSpace(name+" "+x.Wrong), x.Problem, x.Command)
		}
	}
	if !asJSON {
		fmt.Fprintf(out, "%-18s %s, %d not as the file says\n", name, checkers.Several(len(checks), "run", "runs"), failed)
	}
	return nil
}

func fmtCommand(asJSON *bool) *cobra.Command {
	var write bool
	c := &cobra.Command{
		Use:   "fmt FILE...",
		Short: "Print scenario files in the canonical form",
		Long: "fmt prints scenario files as show prints those of the catalogue: one blank between words, options in the order of the\n" +
			"manual, scenarios/FORMAT.md. Comments stay. With -w it writes that back; of several files none is written unless all parse.",
		Args: arguments(1, -1),
		RunE: func(c *cobra.Command, args []string) error {
			l := listing{Schema: "mirrorsim.scenarios/1"}
			for _, file := range args { // all are parsed before one is written
				src, err := read(file, "a scenario file")
				if err != nil {
					return err
				}
				s, err := format.Parse(file, src)
				if err != nil {
					return err
				}
				l.Scenarios = append(l.Scenarios, listed{Name: s.Name, Story: s.Story, Text: string(s.AppendText(nil))})
			}
			for i, x := range l.Scenarios {
				if write {
					if err := replace(args[i], x.Text); err != nil {
						return err
					}
				} else if !*asJSON {
					fmt.Fprint(c.OutOrStdout(), x.Text)
				}
			}
			if *asJSON {
				printJSON(c.OutOrStdout(), l)
			}
			return nil
		},
	}
	c.Flags().BoolVarP(&write, "write", "w", false, "write the result back to the file")
	return c
}
