package scenarios

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/scenarios/format"
)

// What stands between these lines of EXPLORE.md is generated.
const (
	insideBegin = "<!-- generated: go test ./scenarios -run Pages -update -->\n"
	insideEnd   = "<!-- end of generated -->\n"
)

// TestPagesExplore: EXPLORE.md says of every finding what TestExploreFindings holds. With -update that part is written anew.
func TestPagesExplore(t *testing.T) {
	const path = "EXPLORE.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), insideBegin)
	got, tail, closed := strings.Cut(rest, insideEnd)
	if !ok || !closed {
		t.Fatalf("%s has no block between %q and %q", path, insideBegin, insideEnd)
	}
	want := insidePage(t)
	if *update {
		if err := os.WriteFile(path, []byte(head+insideBegin+want+insideEnd+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("out of step; rewrite it with go test ./scenarios -run Pages -update (-generated +page):\n%s", d)
	}
}

// insidePage says how many findings are found how, and has a table of those that are not just shown as they stand.
func insidePage(t *testing.T) string {
	t.Helper()
	var lines, calm, latencies, departures, both, never int
	var plain []string
	var table strings.Builder
	for _, f := range Findings() {
		s, err := f.Scenario()
		if err != nil {
			t.Fatal(err)
		}
		x := insideOf(t, f.Name)
		hidden := x.notCalm(t, s)
		lines, calm, never = lines+len(s.Wrong), calm+len(s.Wrong)-len(hidden), never+len(x.unjudged)
		for line := range hidden {
			late := x.needing(t, s, line, func(w *way) bool { return w.latencies })
			departs := x.needing(t, s, line, func(w *way) bool { return w.departures > 0 })
			latencies, departures, both = latencies+late, departures+departs, both+late*departs
		}
		if len(x.needs)+len(x.crashes)+len(x.late)+len(x.unjudged) == 0 {
			plain = append(plain, f.Name)
			continue
		}
		fmt.Fprintf(&table, "| %s | %s | %s | %s |\n", f.Name, x.asItStands(t, s, len(s.Wrong)-len(hidden)),
			x.again(t, s, x.crashes), x.again(t, s, x.late))
	}
	return fmt.Sprintf(insideText, len(insides), lines, calm, latencies, departures, both, never, len(plain), wrapped(plain),
		table.String())
}

// insideText is the generated part of the page.
const insideText = `
The %d findings have %d wrong lines. As the stories stand K = 0, C = 0 finds %d of them; of the others %d are found where messages
have their latencies and %d by departures where they have none, %d of them in both ways, and %d are of cross-check. These %d findings
are found whole with K = 0, C = 0, and have no fault of their own:
%s.

| finding | as it stands | without its crashes | without what makes its messages late |
|---|---|---|---|
%s
`

// wrapped is a list with line breaks.
func wrapped(list []string) string {
	text, width := "", 0
	for i, x := range list {
		switch width += len(x) + 2; {
		case i == 0:
		case width > 130:
			text, width = text+",\n", len(x)+2
		default:
			text += ", "
		}
		text += x
	}
	return text
}

// needing is 1 if a line is found, as the story stands, by a way that is so.
func (x *inside) needing(t *testing.T, s *format.Scenario, line string, so func(*way) bool) int {
	t.Helper()
	for i := range x.needs {
		w := &x.needs[i]
		if so(w) && slices.ContainsFunc(w.chosen(t, s), func(y *format.Wrong) bool { return lineOf(y) == line }) {
			return 1
		}
	}
	return 0
}

// bounds are those of a way, and what its world has.
func (w *way) bounds() string {
	text := fmt.Sprintf("K = %d, C = %d", w.departures, w.crashes)
	if w.latencies {
		text += " with latencies"
	}
	for _, x := range strings.Fields(w.settings) {
		if lead, ok := strings.CutPrefix(x, "timer-lead="); ok {
			text += ", lead " + lead
		}
	}
	if w.putOff != "" {
		text += ", putting off messages to " + w.putOff
	}
	for _, x := range listed(w.kept) {
		text += ", keeps `" + x + "`"
	}
	return text
}

// asItStands is how many lines of a story are found within which bounds, so many of them with K = 0, C = 0.
func (x *inside) asItStands(t *testing.T, s *format.Scenario, calm int) string {
	t.Helper()
	var cell []string
	if calm > 0 {
		cell = append(cell, of(calm, len(s.Wrong))+(&way{}).bounds())
	}
	cell = append(cell, within(t, s, x.needs, func(w *way) (string, bool) { return w.bounds(), true })...)
	if n := len(x.unjudged); n > 0 {
		cell = append(cell, of(n, len(s.Wrong))+"not: cross-check goes by the whole history")
	}
	return strings.Join(cell, "; ")
}

// again is how many lines are found without something, and within which bounds and why the others are not.
func (x *inside) again(t *testing.T, s *format.Scenario, ways []way) string {
	t.Helper()
	cell := within(t, s, ways, func(w *way) (string, bool) { return w.bounds(), !w.none })
	cell = append(cell, within(t, s, ways, func(w *way) (string, bool) { return "not with " + w.bounds(), w.none })...)
	if slices.ContainsFunc(ways, func(w way) bool { return w.none }) {
		cell[len(cell)-1] += ": " + x.outside
	}
	return strings.Join(cell, "; ")
}

// within is how many lines the ways that are so are about, by what is said of them. A line that another of these ways is about is
// counted once.
func within(t *testing.T, s *format.Scenario, ways []way, said func(*way) (text string, so bool)) (cell []string) {
	t.Helper()
	var order []string
	first, also, seen := map[string]int{}, map[string]int{}, map[string]bool{}
	for i := range ways {
		text, so := said(&ways[i])
		if !so {
			continue
		}
		if first[text]+also[text] == 0 {
			order = append(order, text)
		}
		for _, w := range ways[i].chosen(t, s) {
			if line := lineOf(w); seen[line] {
				also[text]++
			} else {
				seen[line] = true
				first[text]++
			}
		}
	}
	for _, text := range order {
		if first[text] > 0 {
			cell = append(cell, of(first[text], len(s.Wrong))+text)
		}
		if also[text] > 0 {
			cell = append(cell, "also "+of(also[text], len(s.Wrong))+text)
		}
	}
	return cell
}

// of is how many lines a part of a cell is about, unless it is about all.
func of(n, all int) string {
	if n == all {
		return ""
	}
	return fmt.Sprintf("%d of %d: ", n, all)
}
