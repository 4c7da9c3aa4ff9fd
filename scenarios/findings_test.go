package scenarios

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/faults"
	"mirrorsim/scenarios/format"
)

// ranFindings is runFindings, once for all tests.
var ranFindings = sync.OnceValues(runFindings)

// TestFindings keeps each finding: what its lines say falls, what they say mends it, and that all of it holds in hardened.
func TestFindings(t *testing.T) {
	alone(t)
	for _, f := range Findings() {
		t.Run(f.Name, func(t *testing.T) {
			s, err := f.Scenario()
			if err != nil {
				t.Fatal(err)
			}
			if s.Name != f.Name || s.Revision != Hardened || len(s.Sets) > 0 || len(s.Wrong) == 0 {
				t.Errorf("it is called %s and is about %s with %v and %d lines", s.Name, s.Revision, s.Sets, len(s.Wrong))
			}
			if d := cmp.Diff(string(f.Source), string(s.AppendText(nil))); d != "" {
				t.Errorf("the file is not what the printer gives (-file +printed):\n%s", d)
			}
			if story, finding, ok := strings.Cut(s.Story, "The finding: "); !ok || story == "" || finding == "" {
				t.Error("it does not say what happens, and what the finding is")
			}
			d, err := Choose(s, "", nil)
			if err != nil {
				t.Fatal(err)
			}
			checks, err := Verify(t.Context(), f.Path, s, d, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range checks {
				if c.Problem != "" {
					t.Errorf("%s: %s", c.Command, c.Problem)
				}
			}
			for i := range s.Wrong {
				if w := &s.Wrong[i]; w.Revision == "" || (len(w.Mend) == 0) != (w.Revision == Hardened) {
					t.Errorf("%s: a line says what mends a revision, or what is put back into hardened", w)
				}
			}
		})
	}
}

// TestFindingsSayAll: what falls of a story in a published revision stands in its file.
func TestFindingsSayAll(t *testing.T) {
	alone(t)
	for _, f := range Findings() {
		s, err := f.Scenario()
		if err != nil {
			t.Fatal(err)
		}
		for _, revision := range []string{"add-remove", "start-stop", "aligned", "first"} {
			d, err := Choose(s, revision, nil)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Run(s, Options{Protocol: d.Config})
			if err != nil {
				t.Fatal(err)
			}
			for _, property := range r.violates() {
				if !slices.ContainsFunc(s.Wrong, func(w format.Wrong) bool {
					return w.Revision == revision && len(w.Sets) == 0 && w.Property == property
				}) {
					t.Errorf("%s: %s violates %s, and no line says so", f.Path, revision, property)
				}
			}
		}
	}
}

// TestFindingsMendIsNeeded: of a mend of several decisions none can be left out.
func TestFindingsMendIsNeeded(t *testing.T) {
	several := 0
	for _, f := range Findings() {
		s, err := f.Scenario()
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Wrong {
			w := &s.Wrong[i]
			if len(w.Mend) < 2 {
				continue
			}
			several++
			for k := range w.Mend {
				less := *w
				less.Mend = slices.Delete(slices.Clone(w.Mend), k, k+1)
				c, err := verifyWrong(f.Path, s, &Design{Revision: Hardened}, &less)
				if err != nil {
					t.Fatal(err)
				}
				if c.Mended == nil || !strings.Contains(c.Problem, "mend") {
					t.Errorf("%s: %s: %s is not needed: %s", f.Name, w, w.Mend[k].Key, c.Problem)
				}
			}
		}
	}
	if several == 0 {
		t.Error("there is none")
	}
}

// TestFindingsAreShort: no act of a story can be left out: something of what it shows is not shown then, or a step fails. Waits
// are there for the reader too.
func TestFindingsAreShort(t *testing.T) {
	alone(t)
	for _, f := range Findings() {
		t.Run(f.Name, func(t *testing.T) {
			s, err := f.Scenario()
			if err != nil {
				t.Fatal(err)
			}
			for i := range s.Steps {
				if s.Steps[i].Do.Keyword() == "until" {
					continue
				}
				less := *s
				less.Steps = slices.Delete(slices.Clone(s.Steps), i, i+1)
				if allSo(t, &less) {
					t.Errorf("line %d, %s, can be left out", s.Steps[i].Line, s.Steps[i].String())
				}
			}
		})
	}
}

// allSo tells whether all that a file says is so.
func allSo(t *testing.T, s *format.Scenario) bool {
	t.Helper()
	less, err := format.Parse("less", s.AppendText(nil))
	if err != nil {
		return false
	}
	d, err := Choose(less, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range less.Wrong {
		if c, err := verifyWrong("less", less, d, &less.Wrong[i]); err != nil || c.Problem != "" {
			return false
		}
	}
	r, err := Run(less, Options{Protocol: d.Config})
	return err == nil && !r.Violated()
}

// TestFindingsAreAll: what falls in generated runs of a published revision, the page shows for that revision.
func TestFindingsAreAll(t *testing.T) {
	alone(t)
	const seeds = 24
	known := map[[2]string]bool{}
	for _, f := range Findings() {
		s, err := f.Scenario()
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range s.Wrong {
			if len(w.Sets) == 0 {
				known[[2]string{w.Revision, w.Property}] = true
			}
		}
	}
	r := compareOf(t, CompareDesignsOptions{Kind: CompareProtocols, Count: seeds, Level: faults.Swarm,
		Columns: revisionsToCompare(t, "add-remove", "start-stop", "aligned")})
	for _, c := range r.Columns {
		if len(c.fallen()) < 3 {
			t.Errorf("%s: only %d properties fall, so these seeds show too little", c.Name, len(c.fallen()))
		}
		for _, x := range c.fallen() {
			if !known[[2]string{c.Name, x.ID}] {
				t.Errorf("%s violates %s, which no finding shows: %s", c.Name, x.ID, x.Reproduce)
			}
		}
	}
}

// TestHardenedIsMinimal: of each choice in which hardened differs from aligned the page says what falls with that of aligned in
// its place, or why it need not differ.
func TestHardenedIsMinimal(t *testing.T) {
	alone(t)
	list, err := ranFindings()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, d := range differences("aligned") {
		rows, reason := putBack(list, d.Name, d.Theirs), needNot[d.ID]
		if (len(rows) == 0) != (reason != "") {
			t.Errorf("%s %s=%s: %d lines fall with it, and the reason why it need not differ is %q", d.ID, d.Name, d.Theirs,
				len(rows), reason)
		}
		seen[d.ID] = true
	}
	for id := range needNot {
		if !seen[id] {
			t.Errorf("%s does not differ", id)
		}
	}
}

// TestMendCosts: what no number shows is said of each decision that mends something, and of no other.
func TestMendCosts(t *testing.T) {
	alone(t)
	list, err := ranFindings()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, m := range mends(list) {
		for _, x := range m.sets {
			used[idOf(x.Key)] = true
		}
	}
	for id := range mendCosts {
		if !used[id] {
			t.Errorf("%s mends nothing", id)
		}
	}
	for id := range used {
		if mendCosts[id] == "" {
			t.Errorf("nothing is said of what %s costs", id)
		}
	}
}

// What falls in a story in the same words under several revisions is said once, and each decision of the page leads to what it is.
func TestFindingsPageIsShort(t *testing.T) {
	text, err := os.ReadFile("../FINDINGS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, stories, _ := strings.Cut(string(text), "\n## The stories\n")
	stories, _, _ = strings.Cut(stories, "\n## ")
	said, lines := map[string]string{}, 0
	for line := range strings.Lines(stories) {
		if strings.HasPrefix(line, "### ") {
			clear(said)
		}
		under, what, falls := strings.Cut(line, " violate")
		if !strings.HasPrefix(line, "- ") || !falls || strings.Contains(under, " with ") {
			continue
		}
		lines++
		what = strings.TrimPrefix(what, "s")
		if other, again := said[what]; again {
			t.Errorf("%s and %s violate %s", other, under, what)
		}
		said[what] = under
	}
	if lines < 50 {
		t.Errorf("only %d lines say what falls", lines)
	}
	if bare := regexp.MustCompile(`\(D\d+\)`).FindString(string(text)); bare != "" {
		t.Errorf("%s leads nowhere", bare)
	}
	const want = "| [D7](scenarios/REFERENCE.md#d7-stop-bump) `stop-bump` | ([D1](scenarios/REFERENCE.md#d1-marker)), D2, (D99)"
	if got := linked("| D7 `stop-bump` | (D1), D2, (D99)"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
