package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// report is what became of all mutants that were run.
type report struct {
	mutants int // of the model
	drawn   string
	results []result          // in the order of the mutants
	reasons map[string]string // of equivalent mutants, by key
	build   float64           // seconds on the wall, until the first mutant ran
	wall    float64           // seconds on the wall, in all
}

func (r *report) count(outcome string) int { return len(r.of(outcome)) }

// of are the results with that outcome.
func (r *report) of(outcome string) (list []result) {
	for _, x := range r.results {
		if x.Outcome == outcome {
			list = append(list, x)
		}
	}
	return list
}

// score is the percentage of the mutants that did not take too long that were killed. without leaves the equivalent ones out.
func (r *report) score(without bool) float64 {
	survived := r.count(lived) + r.count(uncovered)
	if without {
		survived = len(r.survivors())
	}
	return 100 * float64(r.count(killed)) / float64(max(1, r.count(killed)+survived))
}

// survivors are the mutants that nothing noticed and nobody explained.
func (r *report) survivors() []result {
	return slices.DeleteFunc(append(r.of(lived), r.of(uncovered)...), func(x result) bool { return r.reasons[x.Mutant] != "" })
}

// refuted are the mutants that are explained as equivalent, and yet were killed.
func (r *report) refuted() []result {
	return slices.DeleteFunc(r.of(killed), func(x result) bool { return r.reasons[x.Mutant] == "" })
}

// by counts the killed mutants by what is asked of them, in the order in which it is met first.
func (r *report) by(what func(result) string) string {
	var names []string
	counts := map[string]int{}
	for _, x := range r.of(killed) {
		if name := what(x); counts[name] == 0 {
			names = append(names, name)
		}
		counts[what(x)]++
	}
	slices.SortStableFunc(names, func(a, b string) int { return counts[b] - counts[a] })
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, counts[name])
	}
	return strings.Join(names, ", ")
}

// print prints the counts, then each mutant that needs a person.
func (r *report) print(w io.Writer) {
	explained := r.count(lived) + r.count(uncovered) - len(r.survivors())
	fmt.Fprintf(w, "%d mutants of model/, %s\n", r.mutants, r.drawn)
	fmt.Fprintf(w, "killed     %4d  by stage: %s\n", r.count(killed), r.by(func(x result) string { return x.Stage }))
	fmt.Fprintf(w, "%16s by what: %s\n", "", r.by(func(x result) string { return x.How }))
	fmt.Fprintf(w, "lived      %4d\nuncovered  %4d\n", r.count(lived), r.count(uncovered))
	fmt.Fprintf(w, "timed out  %4d  not in the score\n", r.count(timedOut))
	fmt.Fprintf(w, "score      %.1f %%; %.1f %% without the %d that %s explains\n", r.score(false), r.score(true), explained,
		equivalentFile)
	fmt.Fprintf(w, "%.0f s, of these %.0f to build and to run everything without a mutant\n", r.wall, r.build)
	for _, x := range r.survivors() {
		fmt.Fprintf(w, "%-9s %s: %s\n", x.Outcome, x.Place, x.Mutant)
	}
	for _, x := range r.refuted() {
		fmt.Fprintf(w, "killed by %s, but explained as equivalent: %s: %s\n", x.Part, x.Place, x.Mutant)
	}
	for _, x := range r.of(timedOut) {
		fmt.Fprintf(w, "timed out %s: %s, in %s\n", x.Place, x.Mutant, x.Part)
	}
}

// status is the exit status: 0 if nothing needs a person.
func (r *report) status() int {
	if len(r.survivors())+len(r.refuted()) > 0 {
		return 1
	}
	return 0
}
