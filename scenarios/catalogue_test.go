package scenarios

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/scenarios/format"
)

func TestCatalogueHasTheCases(t *testing.T) {
	var names []string
	for _, f := range Catalogue() {
		names = append(names, f.Name)
	}
	for _, want := range []string{"F1", "F2", "F2-same-name", "F4", "S2", "S3", "S4", "S4-fire-and-forget", "T4"} {
		if !slices.Contains(names, want) {
			t.Errorf("the catalogue has no %s, only %v", want, names)
		}
	}
}

func TestCatalogueFilesAreCanonical(t *testing.T) {
	for _, f := range Catalogue() {
		t.Run(f.Name, func(t *testing.T) {
			s, err := f.Scenario()
			if err != nil {
				t.Fatal(err)
			}
			if s.Name != f.Name {
				t.Errorf("the file %s holds scenario %s", f.Path, s.Name)
			}
			if lines := strings.Count(s.Story, "\n") + 1; s.Story == "" || lines < 2 || lines > 6 {
				t.Errorf("the story has %d lines, want 2 to 6", lines)
			}
			if d := cmp.Diff(string(f.Source), string(s.AppendText(nil))); d != "" {
				t.Errorf("the file is not what the printer gives (-file +printed):\n%s", d)
			}
			if _, err := s.Config(format.DefaultRevision); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestFind(t *testing.T) {
	f, err := Find("f2-SAME-name")
	if err != nil || f.Name != "F2-same-name" {
		t.Errorf("Find gives %q, %v", f.Name, err)
	}
	var unknown *UnknownError
	if _, err = Find("F99"); !errors.As(err, &unknown) || unknown.Name != "F99" || !slices.Contains(unknown.Want, "F1") {
		t.Errorf("Find(F99) gives %v", err)
	}
}
