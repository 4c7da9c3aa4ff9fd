package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"mirrorsim/checkers"
	"mirrorsim/scenarios"
)

// printSweep prints what failed, the table of properties, what the runs met and came to, and the verdict.
func printSweep(out io.Writer, r *scenarios.SweepReport, designs []*scenarios.Design) {
	last := r.SeedStart + uint64(r.Count) - 1
	var flags []string
	for _, d := range designs {
		flags = append(flags, d.Flags())
	}
	fmt.Fprintf(out, "sweep: %s, faults %s, seeds %d to %d\n\n", strings.Join(flags, ", "), r.Faults, r.SeedStart, last)
	for _, f := range r.Failures {
		printFailure(out, f, len(designs) > 1)
	}
	for _, p := range r.Properties {
		fmt.Fprintf(out, "  %-22s %-14s %11d %s", p.ID, p.Verdict, p.Occasions, checkers.Noun(p.Occasions, "occasion", "occasions"))
		if p.Violations > 0 {
			fmt.Fprint(out, ", ", checkers.Several(p.Violations, "violation", "violations"))
		}
		if p.NotPromised > 0 {
			fmt.Fprint(out, ", not promised in ", checkers.Several(p.NotPromised, "run", "runs"))
		}
		fmt.Fprintln(out)
	}
	printArms(out, r.Arms)
	printReach(out, r)
	var met []string
	for _, c := range r.Coverage {
		met = append(met, fmt.Sprintf("%s %.1f %% (want %d)", c.ID, c.Percent, c.Want))
	}
	fmt.Fprintf(out, "\nThe runs met, judged from 500 runs under faults on: %s\n", strings.Join(met, ", "))
	if c := r.Canary; c != nil && c.Seed != nil {
		fmt.Fprintf(out, "The canary, %s, was found by seed %d: %s: %s\n", c.Change, *c.Seed, c.Property, c.Sentence)
	}
	for _, s := range r.Short {
		fmt.Fprintf(out, "UNKNOWN: %s\n", s)
	}
	beyond := ""
	if r.NotPromised > 0 {
		beyond = fmt.Sprintf(", %d not promised", r.NotPromised)
	}
	fmt.Fprintf(out, "\n%s: %s, %d hold, %d violated, %d unknown%s; %d compared; %s, %s, %.1f s\n",
		r.Verdict, checkers.Several(r.Runs, "run", "runs"), r.Holds, r.Violated, r.Unknown, beyond, r.Compared, checkers.Several(r.Deliveries, "delivery", "deliveries"),
		checkers.Several(r.Events, "event", "events"), r.WallSeconds)
}

// printFailure prints one group of failures, with its design where there are several.
func printFailure(out io.Writer, f *scenarios.SweepFailure, several bool) {
	under := ""
	if _, design, ok := strings.Cut(f.Reproduce, "--protocol "); ok && several {
		under = " under " + design
	}
	fmt.Fprintf(out, "VIOLATED %s%s in %s, group %s: %s\n", f.Property, under, checkers.Several(f.Runs, "run", "runs"), f.Group, f.Sentence)
	if len(f.Trail) > 0 {
		fmt.Fprintf(out, "After: %s\n", strings.Join(f.Trail, ", "))
	}
	if len(f.Arms) > 0 {
		var arms []string
		for name, n := range f.Arms {
			arms = append(arms, fmt.Sprintf("%s %d", name, n))
		}
		slices.Sort(arms)
		fmt.Fprintf(out, "Found by: %s\n", strings.Join(arms, ", "))
	}
	fmt.Fprintf(out, "Seeds: %s\nRepeat it with: %s\n", strings.Trim(fmt.Sprint(f.Examples), "[]"), f.Reproduce)
	if f.Shrunk != "" {
		fmt.Fprintf(out, "Shrunk to %v in %s:\n\n%s", f.ShrunkTo, checkers.Several(f.ShrunkRuns, "run", "runs"), f.Shrunk)
	}
	if f.Doom != nil {
		fmt.Fprintf(out, "Where it was lost:\n")
		for _, text := range f.Doom.Conclusion {
			fmt.Fprint(out, scenarios.Folded("", text))
		}
	}
	fmt.Fprintln(out)
}

// printArms prints which strategy found what.
func printArms(out io.Writer, arms []*scenarios.SweepArm) {
	if len(arms) == 0 {
		return
	}
	fmt.Fprintf(out, "\n  %-22s %9s %9s %9s %9s\n", "strategy", "runs", "violated", "groups", "alone")
	for _, a := range arms {
		fmt.Fprintf(out, "  %-22s %9d %9d %9d %9d\n", a.Name, a.Runs, a.Violated, a.Groups, a.Alone)
	}
	fmt.Fprintln(out, "  groups: of failures that it found; alone: those that no other strategy found")
}

// rarestShown is how many of the things that were hit the least are named.
const rarestShown = 4

// printReach prints how many things of each sort were hit, which the least often, and which never.
func printReach(out io.Writer, r *scenarios.SweepReport) {
	fmt.Fprintln(out)
	var unfallen []string
	for i := range r.Reach {
		x := &r.Reach[i]
		hit, must, least := 0, 0, -1
		for _, h := range x.Hits {
			if h.Count > 0 {
				hit++
			}
			if h.Want > 0 {
				must++
				if least < 0 || h.Count < least {
					least = h.Count
				}
			}
		}
		text := fmt.Sprintf("%d of %d hit", hit, hit+len(x.Never))
		if must > 0 {
			text += fmt.Sprintf("; of the %d that must be, the rarest %s%s", must, checkers.Several(least, "time", "times"), wanted(r.Runs))
		}
		var names []string
		for _, h := range x.Rarest(rarestShown) {
			names = append(names, fmt.Sprintf("%s %d", h.Name, h.Count))
		}
		if len(names) > 0 && x.ID != "option" {
			text += "; the rarest: " + strings.Join(names, ", ")
		}
		if x.ID == "fault" {
			unfallen = x.Never
		}
		never := slices.DeleteFunc(slices.Clone(x.Never), func(pair string) bool { // of a kind that never fell it is said once
			kind, _, ok := strings.Cut(pair, " in ")
			return ok && slices.Contains(unfallen, kind)
		})
		if len(never) > 0 && (x.ID != "option" || len(r.Protocols) > 1) {
			text += "; never: " + strings.Join(never, ", ")
		}
		fmt.Fprint(out, scenarios.Folded(fmt.Sprintf("  %-15s", x.ID), text))
	}
}

// wanted says how often what must be hit is to be hit, where there are runs enough to judge by it.
func wanted(runs int) string {
	if runs < scenarios.MustHitRuns {
		return ""
	}
	return fmt.Sprintf(" (want %d)", scenarios.MustHit*runs/scenarios.MustHitRuns)
}
