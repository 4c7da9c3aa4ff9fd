package scenarios

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/scenarios/format"
	"mirrorsim/scenarios/history"
)

// readHistory is a history that can be judged again and again.
type readHistory struct {
	topology checkers.Topology
	lines    []history.Line
	kinds    [event.Kinds]bool // that it has
}

func readAll(t *testing.T, text []byte) *readHistory {
	t.Helper()
	r, err := history.NewReader("history", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	h := &readHistory{topology: r.Topology()}
	for {
		l, err := r.Next()
		if err == io.EOF {
			return h
		}
		if err != nil {
			t.Fatal(err)
		}
		if l.Event != nil {
			e := *l.Event
			l.Event = &e
			h.kinds[e.Kind] = true
		}
		h.lines = append(h.lines, l)
	}
}

// judge judges the history as if it had no event of that kind; 0: as it is.
func (h *readHistory) judge(t *testing.T, without event.Kind) map[string]checkers.Verdict {
	t.Helper()
	suite, err := checkers.NewSuite(h.topology)
	if err != nil {
		t.Fatal(err)
	}
	cross := checkers.NewCrossCheck(h.topology)
	for _, l := range h.lines {
		switch {
		case l.Live != nil:
			suite.JudgeLive(l.Live.Core, l.Live.Bound, l.Live.Waits)
		case l.Event != nil && l.Event.Kind != without:
			suite.Observe(l.Event)
			cross.Observe(l.Event)
		}
	}
	suite.Finish()
	v, _ := cross.Verdict(uint64(len(h.lines)))
	all := map[string]checkers.Verdict{}
	for _, x := range append(suite.Verdicts(), v) {
		all[x.Property] = x
	}
	return all
}

// needs says what a property needs of a history, as the catalogue shows it by leaving out one kind of events after the other.
type needs struct {
	occasions []event.Kind // without which it has no occasion in any run
	right     []event.Kind // without which it is violated in a run in which it holds, or not violated where it is
	more      []event.Kind // without which it has fewer occasions
}

// designsOf are the design of a scenario, and that of each of its wrong lines.
func designsOf(t *testing.T, s *format.Scenario) []*Design {
	t.Helper()
	d, err := Choose(s, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	designs := []*Design{d}
	for i := range s.Wrong {
		broken, err := d.under(&s.Wrong[i])
		if err != nil {
			t.Fatal(err)
		}
		designs = append(designs, broken)
	}
	return designs
}

// historiesOfTheCatalogue are the histories of its cases, calm and with their wrong lines.
func historiesOfTheCatalogue(t *testing.T) (list []*readHistory) {
	t.Helper()
	for _, f := range Catalogue() {
		s, err := f.Scenario()
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range designsOf(t, s) {
			_, text, _ := runWithHistory(t, s, Options{Protocol: d.Config})
			list = append(list, readAll(t, text))
		}
	}
	return list
}

// needsOfProperties leaves out each kind of each history.
func needsOfProperties(t *testing.T, histories []*readHistory) map[string]*needs {
	t.Helper()
	whole := make([]map[string]checkers.Verdict, len(histories))
	all := map[string]*needs{}
	before := map[string]uint64{}
	for i, h := range histories {
		whole[i] = h.judge(t, 0)
		for p, v := range whole[i] {
			before[p] += v.Occasions
		}
	}
	for _, p := range checkers.Properties() {
		all[p.ID] = &needs{}
	}
	for k := event.Kind(1); int(k) < event.Kinds; k++ {
		occasions, right := map[string]uint64{}, map[string]bool{}
		for i, h := range histories {
			got := whole[i]
			if h.kinds[k] {
				got = h.judge(t, k)
			}
			for p, v := range whole[i] {
				x := got[p]
				occasions[p] += x.Occasions
				if (x.Count > 0) != (v.Count > 0) && x.Occasions > 0 {
					right[p] = true
				}
			}
		}
		for p, n := range all {
			switch {
			case occasions[p] == 0:
				n.occasions = append(n.occasions, k)
			case right[p]:
				n.right = append(n.right, k)
			case occasions[p] < before[p]:
				n.more = append(n.more, k)
			}
		}
	}
	return all
}

// What stands between these lines of HISTORY.md is generated.
const (
	kindsBegin = "<!-- generated: the kinds -->\n"
	needsBegin = "<!-- generated: what properties need -->\n"
)

// TestPagesHistory: HISTORY.md has the kinds that the code has, and says what properties need as the catalogue shows it. With
// -update it is written anew.
func TestPagesHistory(t *testing.T) {
	if testing.Short() {
		t.Skip("it judges every history of the catalogue some fifty times")
	}
	const path = "../model/event/HISTORY.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for begin, want := range map[string]string{kindsBegin: history.Tables(), needsBegin: needsTable(t)} {
		head, rest, ok := strings.Cut(page, begin)
		got, tail, closed := strings.Cut(rest, statesEnd)
		if !ok || !closed {
			t.Fatalf("%s has no block between %q and %q", path, begin, statesEnd)
		}
		want = "\n" + strings.TrimSpace(want) + "\n\n"
		page = head + begin + want + statesEnd + tail
		if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); d != "" && !*update {
			t.Errorf("out of step; rewrite it with go test ./scenarios -run Pages -update (-generated +page):\n%s", d)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestExampleOfThePage: the history that HISTORY.md begins with is one, and is judged; with another offset in the answer it falls.
func TestExampleOfThePage(t *testing.T) {
	page, err := os.ReadFile("../model/event/HISTORY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```\n")
	example, _, _ := strings.Cut(rest, "```\n")
	for _, c := range []struct{ answer, want string }{{"0", "holds"}, {"1", "violated"}} {
		text := strings.Replace(example, `"broker":"a0","base_offset":0`, `"broker":"a0","base_offset":`+c.answer, 1)
		r, err := CheckHistory(t.Context(), "the page", strings.NewReader(text), true)
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict() != c.want {
			t.Errorf("answered %s: %s, %+v", c.answer, r.Verdict(), r.Verdicts)
		}
		for _, v := range r.Verdicts {
			if v.Property == checkers.AckOffset.String() && v.Status.String() != c.want || v.Property == checkers.Durability.String() && v.Occasions == 0 {
				t.Errorf("answered %s: %+v", c.answer, v)
			}
		}
	}
}

// needsTable is what the properties need, in Markdown.
func needsTable(t *testing.T) string {
	all := needsOfProperties(t, historiesOfTheCatalogue(t))
	words := func(list []event.Kind) string {
		var names []string
		for _, k := range list {
			names = append(names, code(k.String()))
		}
		return strings.Join(names, ", ")
	}
	var b strings.Builder
	b.WriteString("| property | is not exercised without | is judged wrongly without | has fewer occasions without |\n|---|---|---|---|\n")
	for _, p := range checkers.Properties() {
		n := all[p.ID]
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", code(p.ID), words(n.occasions), words(n.right), words(n.more))
	}
	return b.String()
}
