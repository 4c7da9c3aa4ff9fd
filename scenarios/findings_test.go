package scenarios

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mirrorsim/checkers"
	"mirrorsim/scenarios/format"
)

// findings are the files of findings/ with the property that each violates under first: no choice of it mends that yet.
var findings = map[string]checkers.ID{
	"log-start-inside-a-batch":   checkers.LagDrains,
	"own-position-of-a-gone-log": checkers.LogMatching,
	"position-of-a-gone-log":     checkers.LogMatching,
	"replica-behind-a-log-start": checkers.IsrHeals,
}

// TestFindings keeps each finding until something mends it; then it is a case of the corpus.
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
		d, err := Choose(s, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(s, Options{Protocol: d.Config})
		if err != nil {
			t.Fatal(err)
		}
		violated := false
		for _, v := range r.Verdicts {
			violated = violated || v.Property == property.String() && v.Status == checkers.Violated
		}
		if !violated {
			t.Errorf("%s: %s holds: if something mends it, make it a case of the corpus", file, property)
		}
	}
}
