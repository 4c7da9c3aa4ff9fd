package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mirrorsim/scenarios"
	"mirrorsim/scenarios/plan"
)

// planFlags are the flags of plan.
type planFlags struct {
	design      designFlags
	start, seed string
	count, jobs int
	level       string
	ask         []string
	show        bool
	example     bool
	json        *bool
}

// planCount is how many schedules a plan is answered over, unless said.
const planCount = 200

func planCommand(asJSON *bool) *cobra.Command {
	f := &planFlags{json: asJSON}
	c := &cobra.Command{
		Use:   "plan FILE",
		Short: "Say before a failover or a failback what it will lose, discard, skip and leave undone",
		Long: "plan reads what an operator knows of his two clusters (partitions, ends, epochs, lag, groups, producers) and the steps\n" +
			"that he intends, as YAML or JSON, and answers five questions over many schedules: Q1 what is lost at the failover,\n" +
			"Q2 what the failback discards, Q3 what groups skip or read again, Q4 who still writes to the old side, Q5 what is not\n" +
			"finished. Each is certain (in every schedule), possible (in how many, and the worst), never (in none of N: at most\n" +
			"3/N with 95 % confidence) or not answered, and why. A file that is empty, partial or contradicts itself is refused.\n" +
			"scenarios/plan/PLAN.md describes the file and the JSON; plan --example prints a file to begin with.\n\n" +
			"Exit status: 0 all is answered, and nothing is lost, discarded, skipped, read again, written to the old side or left\n" +
			"unfinished in any schedule; 1 something is; 2 bad input; 3 internal error; 4 something is not answered.",
		Example: "  mirrorsim plan --example > mine.yaml\n  mirrorsim plan mine.yaml\n  mirrorsim plan mine.yaml --ask Q1,Q3 --json\n" +
			"  mirrorsim plan mine.yaml --count 1000 --faults swarm\n  mirrorsim plan mine.yaml --show > mine.scn && mirrorsim run mine.scn",
		Args: func(c *cobra.Command, args []string) error {
			if f.example {
				return arguments(0, 0)(c, args)
			}
			return arguments(1, 1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if f.example {
				if err := only(c, "example", "it prints a file"); err != nil {
					return err
				}
				_, err := io.WriteString(c.OutOrStdout(), plan.Example)
				return err
			}
			if err := f.onlyShown(c); err != nil {
				return err
			}
			return interruptible(c, func(ctx context.Context, out, diag io.Writer) error { return f.run(ctx, args[0], out, diag) })
		},
	}
	c.Flags().StringVar(&f.design.revision, "protocol", "", "`REVISION` of the design (default the file's, else "+plan.Default+")")
	c.Flags().StringArrayVar(&f.design.sets, "set", nil, "choose an option of a decision: `NAME=TOKEN` or ID=TOKEN; may be repeated")
	c.Flags().StringVar(&f.start, "seed-start", "0", "the first `SEED`")
	c.Flags().IntVar(&f.count, "count", planCount, "over how many schedules")
	c.Flags().IntVar(&f.jobs, "jobs", 0, "runs at the same time (default one a core)")
	c.Flags().StringVar(&f.level, "faults", "light", "fault `LEVEL` that is considered: "+strings.Join(scenarios.Levels(), ", "))
	c.Flags().StringSliceVar(&f.ask, "ask", nil, "the `QUESTIONS`, with commas between them (default those of the file, else all)")
	c.Flags().BoolVar(&f.show, "show", false, "print the scenario that is made of the plan instead of running it")
	c.Flags().StringVar(&f.seed, "seed", "", "with --show: that of this `SEED`, with its faults (default: the calm one)")
	c.Flags().BoolVar(&f.example, "example", false, "print an example of a plan")
	return c
}

// onlyShown refuses what a plan that is only shown does not do.
func (f *planFlags) onlyShown(c *cobra.Command) error {
	allowed := []string{"protocol", "set", "seed", "json"}
	switch {
	case !f.show:
		return nil
	case f.seed != "":
		allowed = append(allowed, "faults")
	}
	return only(c, "show", "the scenario is not run", allowed...)
}

// parse reads the flags but for the design.
func (f *planFlags) parse() (o plan.Options, err error) {
	if o.Start, o.Level, err = parseSeeds(f.start, f.level, f.count); err != nil {
		return o, err
	}
	if err = fromLeast("jobs", f.jobs, 0); err != nil {
		return o, err
	}
	if f.seed != "" && !f.show {
		return o, together("seed", "of a scenario that is shown", "--show --seed N", "--seed-start N --count 1, to run one schedule")
	}
	o.Count, o.Jobs = f.count, f.jobs
	return o, nil
}

// load reads the file, and puts the command line over it.
func (f *planFlags) load(file string) (*plan.Plan, error) {
	src, err := read(file, "a plan; mirrorsim plan --example prints one")
	if err != nil {
		return nil, err
	}
	p, err := plan.Parse(file, src)
	if err != nil {
		return nil, err
	}
	if err := p.Override(f.design.revision, f.design.sets); err != nil {
		return nil, err
	}
	if len(f.ask) > 0 {
		p.Ask, err = plan.ParseQuestions(f.ask)
	}
	return p, err
}

func (f *planFlags) run(ctx context.Context, file string, out, diag io.Writer) error {
	o, err := f.parse()
	if err != nil {
		return err
	}
	p, err := f.load(file)
	if err != nil {
		return err
	}
	if f.show {
		return f.print(p, o, out)
	}
	bar := newBar(diag, o.Count, "plan")
	o.Each = func() { bar.Add(1) }
	r, err := p.Run(ctx, o)
	bar.Exit()
	if err != nil {
		return err
	}
	if *f.json {
		printJSON(out, r)
	} else if _, err := out.Write(r.AppendText(nil)); err != nil {
		return err
	}
	if r.Exit != 0 {
		return status(r.Exit)
	}
	return nil
}

// print prints the scenario of the calm schedule, or of a seed.
func (f *planFlags) print(p *plan.Plan, o plan.Options, out io.Writer) error {
	v := plan.Schedule{Level: o.Level}
	if f.seed != "" {
		n, err := parseSeed("seed", f.seed)
		if err != nil {
			return err
		}
		v.Seed = &n
	}
	text := p.Scenario(v)
	if text == "" {
		return together("show", "no partition of the plan can be in a scenario", "plan without --show, which says why")
	}
	if *f.json {
		printJSON(out, listing{"mirrorsim.scenarios/1", []listed{{Name: p.Name, Text: text}}})
		return nil
	}
	_, err := io.WriteString(out, text)
	return err
}
