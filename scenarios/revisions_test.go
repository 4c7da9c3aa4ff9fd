package scenarios

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"mirrorsim/checkers"
	"mirrorsim/model/protocol"
)

const revisionsGolden = "testdata/revisions.golden"

// The catalogue's files expect what holds under the design that they name. What each says under every other revision is written
// down: a row of cases.md holds for all revisions unless it begins with the decisions that it needs, so that each line here is a
// revision that wants such a decision, an expectation that names the numbers of one revision's epochs, or a property that falls.
// With -update the test writes the golden.
func TestCatalogueUnderEveryRevision(t *testing.T) {
	alone(t)
	var lines strings.Builder
	for _, f := range Catalogue() {
		for _, p := range protocol.Revisions() {
			fmt.Fprintf(&lines, "%-13s %-10s %s\n", f.Name, p.Name, underRevision(t, &f, p.Name))
		}
	}
	got := lines.String()
	if *update {
		if err := os.WriteFile(revisionsGolden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(revisionsGolden)
	if err != nil {
		t.Fatal(err)
	}
	was := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(was) || line != was[i] {
			t.Fatalf("%s:%d (-update writes it anew)\n got %s\nwant %s", revisionsGolden, i+1, line, append(was, "")[min(i, len(was))])
		}
	}
}

// underRevision runs a file calmly under a revision and the file's own choices, and says in a few words what came of it.
func underRevision(t *testing.T, f *File, revision string) string {
	t.Helper()
	s, err := f.Scenario()
	if err != nil {
		t.Fatal(err)
	}
	d, err := Choose(s, revision, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(s, Options{Protocol: d.Config})
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, v := range r.Verdicts {
		if v.Status == checkers.Violated {
			words = append(words, v.Property)
		}
	}
	if len(r.Failures) > 0 {
		f := r.Failures[0]
		words = append(words, fmt.Sprintf("line %d: %s: %s", f.Line, f.Text, f.Got))
	}
	if len(words) == 0 {
		return "holds"
	}
	return strings.Join(words, ", ")
}
