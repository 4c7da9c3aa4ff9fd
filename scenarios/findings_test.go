package scenarios

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mirrorsim/checkers"
	"mirrorsim/model/protocol"
	"mirrorsim/scenarios/format"
)

// findings are the files of findings/ with the property that each violates under every revision that can run: no built
// option mends it yet.
var findings = map[string]checkers.ID{
	"first-mirror-over-own-records": checkers.LossAccounted,
}

func TestFindings(t *testing.T) {
	files, err := filepath.Glob("findings/*.scn")
	if err != nil || len(files) != len(findings) {
		t.Fatalf("%v: %d files, %d findings", err, len(files), len(findings))
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := format.Parse(file, source)
		if err != nil {
			t.Fatal(err)
		}
		property, ok := findings[strings.TrimSuffix(filepath.Base(file), ".scn")]
		if !ok {
			t.Fatalf("%s is no finding", file)
		}
		for _, p := range protocol.Revisions() {
			d, err := Choose(s, p.Name, nil)
			if err != nil {
				t.Fatal(err)
			}
			if Runnable(s, d.Config) != nil {
				continue // its options are not all built
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
				t.Errorf("%s holds under %s: if something mends it, make it a case of the corpus", file, p.Name)
			}
		}
	}
}
