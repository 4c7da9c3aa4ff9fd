package scenarios

import (
	"os"
	"path/filepath"
	"testing"

	"mirrorsim/scenarios/format"
)

// The corpus is what sweeps and reviews have found, each shrunk to a small scenario: it holds under the default design, and
// under each of its wrong lines the property falls that it was found by.
func TestCorpus(t *testing.T) {
	alone(t)
	files, err := filepath.Glob("corpus/*.scn")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v: %d files", err, len(files))
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, err := format.Parse(file, source)
			if err != nil {
				t.Fatal(err)
			}
			if s.Story == "" {
				t.Error("it does not say what happened and what the rule is")
			}
			d, err := Choose(s, "", nil)
			if err != nil {
				t.Fatal(err)
			}
			checks, err := Verify(t.Context(), file, s, d, 5)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range checks {
				if c.Problem != "" {
					t.Errorf("%s: %s", c.Command, c.Problem)
				}
			}
		})
	}
}
