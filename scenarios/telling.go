package scenarios

import (
	"fmt"
	"strings"

	"mirrorsim/checkers"
	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
)

// Tell is the calm run of a scenario as text for people: what the file says of it, the run in outline, what was violated or not
// as expected, and what was lost. name is how a command names the scenario. The error says that it cannot be run.
func Tell(name string, s *format.Scenario, d *Design) (string, error) {
	o := &Outline{}
	r, err := Run(s, Options{Protocol: d.Config, Story: o, CrossCheck: true})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n%s\n%s\n", name, d.Flags(), s.Story, o.b.String())
	for _, v := range r.Verdicts {
		if v.Status == checkers.Violated {
			fmt.Fprintf(&b, "VIOLATED %s: %s\n", v.Property, v.Violations[0].Sentence)
		}
	}
	for _, x := range r.Failures {
		fmt.Fprintf(&b, "FAILED %s%s: %s\n", AtLine(x.Line), x.Text, x.Got)
	}
	writeLosses(&b, r)
	return b.String(), nil
}

// writeLosses appends the loss reports, those of partitions that fared alike once.
func writeLosses(b *strings.Builder, r *Result) {
	var texts []string
	named := map[string][]string{}
	reports := r.Ledger.LossReports()
	for i := range reports {
		text := string(reports[i].AppendText(nil, r.Names))
		name := r.Names.Partition(reports[i].Partition)
		text = strings.TrimPrefix(roundly(text, reports[i].BothWritable), "partition "+name)
		if named[text] == nil {
			texts = append(texts, text)
		}
		named[text] = append(named[text], name)
	}
	for _, text := range texts {
		fmt.Fprintf(b, "%s%s", list(named[text]), text)
	}
}

// roundly is a report with the time for which both sides were writable to a tenth of a second: it is never twice the same.
func roundly(text string, d id.Duration) string {
	const words = "both sides were writable for "
	before, after, found := strings.Cut(text, words)
	if !found {
		return text
	}
	_, rest, _ := strings.Cut(after, "\n")
	return fmt.Sprintf("%s%s%.1fs\n%s", before, words, float64(d)/float64(id.Second), rest)
}
