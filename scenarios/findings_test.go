package scenarios

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mirrorsim/checkers"
	"mirrorsim/scenarios/format"
)

// findings are the files of findings/ with the property that each violates under its own revision. Under hardened they hold.
var findings = map[string]checkers.ID{
	"chain-across-a-failback":             checkers.LogMatching,
	"one-epoch-two-histories":             checkers.MirrorPrefix,
	"own-position-of-a-gone-log":          checkers.Convergence,
	"start-that-undoes-a-stop":            checkers.Crossed,
	"topic-id-that-comes-back":            checkers.ConsumerProgress,
	"trimmed-beyond-the-boundary":         checkers.LossAccounted,
	"offset-of-records-of-one-replica":    checkers.PositionDurable,
	"position-below-the-next-leaders-log": checkers.PositionDurable,
}

// TestFindings keeps each finding: what falls in the revision that the file names, and holds in hardened.
func TestFindings(t *testing.T) {
	files, err := filepath.Glob("findings/*.scn")
	if err != nil || len(files) != len(findings) {
		t.Fatalf("%v: %d files, %d findings", err, len(files), len(findings))
	}
	for _, file := range files {
		property, ok := findings[strings.TrimSuffix(filepath.Base(file), ".scn")]
		if !ok {
			t.Fatalf("%s is no finding", file)
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := format.Parse(file, source)
		if err != nil {
			t.Fatal(err)
		}
		if _, fallen := violated(t, s, ""); !slices.Contains(fallen, property.String()) {
			t.Errorf("%s: %s holds, and %v are violated", file, property, fallen)
		}
		r, fallen := violated(t, s, "hardened")
		if len(fallen)+len(r.Failures) > 0 {
			t.Errorf("%s: %v are violated under hardened, and these steps fail: %v", file, fallen, r.Failures)
		}
		for _, v := range r.Verdicts {
			judged := v.Property == checkers.Convergence.String() || v.Property == checkers.LogMatching.String() || v.Property == property.String()
			if judged && v.Status != checkers.Holds {
				t.Errorf("%s: %s is %v under hardened", file, v.Property, v.Status)
			}
		}
	}
}

// TestReadmeListsFindings: README.md has a line for each finding, with the property that it violates.
func TestReadmeListsFindings(t *testing.T) {
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, property := range findings {
		want := "[" + name + "](scenarios/findings/" + name + ".scn) violates `" + property.String() + "`: "
		if strings.Count(string(page), want) != 1 {
			t.Errorf("README.md has no line %q", want)
		}
	}
}

// violated are the properties that the calm run of s violates under a revision, or under its own.
func violated(t *testing.T, s *format.Scenario, revision string) (r *Result, list []string) {
	t.Helper()
	d, err := Choose(s, revision, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err = Run(s, Options{Protocol: d.Config, CrossCheck: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range r.Verdicts {
		if v.Status == checkers.Violated {
			list = append(list, v.Property)
		}
	}
	return r, list
}
