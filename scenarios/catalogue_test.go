package scenarios

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/id"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
)

func TestCatalogueHasTheCases(t *testing.T) {
	var names []string
	for _, f := range Catalogue() {
		names = append(names, f.Name)
	}
	for _, want := range []string{"C1", "C2", "C3", "C4", "C5", "C6", "C7", "C7-fail", "C7-recreated", "C7-stay", "C8",
		"C9", "C9-mended", "E1", "E2", "E2-group", "E3", "E3-fail", "E4", "E5", "E5-two", "F1", "F2", "F3", "F4", "F5",
		"F6", "F6-refused", "F7", "F8", "F9", "F9-refused", "F10", "F10-untouched", "L1", "L1-group", "L2", "L3", "L4", "L5", "L6", "O1",
		"O1-stop", "O2", "O3", "O4", "O5", "S1", "S2", "S3", "S4", "S4-cut", "S5", "S6", "S7", "S8", "S9", "S9-recover",
		"S10", "S11", "S12", "S12-started", "S13", "S14", "T1", "T2", "T2-lso", "T3", "T4", "T5", "T5-reject", "T6", "T6-unverified", "T7", "T7-refused",
		"T8", "T9"} {
		if !slices.Contains(names, want) {
			t.Errorf("the catalogue has no %s, only %v", want, names)
		}
	}
}

// What falls in a revision is a finding: SCENARIOS.md and PROOF.md tell of single choices only.
func TestCatalogueNamesNoRevisionAsWrong(t *testing.T) {
	for _, f := range Catalogue() {
		s, err := f.Scenario()
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Wrong {
			if s.Wrong[i].Revision != "" {
				t.Errorf("%s: %s: such a line belongs into findings/", f.Name, s.Wrong[i].String())
			}
		}
	}
}

// Each case is as its file says, on the calm schedule and under two seeds, and its property falls under each wrong line.
func TestCatalogueHolds(t *testing.T) {
	alone(t)
	for _, f := range Catalogue() {
		t.Run(f.Name, func(t *testing.T) {
			s, err := f.Scenario()
			if err != nil {
				t.Fatal(err)
			}
			d, err := Choose(s, "", nil)
			if err != nil {
				t.Fatal(err)
			}
			checks, err := Verify(t.Context(), f.Name, s, d, 2)
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
	f, err := Find("s4-CUT")
	if err != nil || f.Name != "S4-cut" {
		t.Errorf("Find gives %q, %v", f.Name, err)
	}
	var unknown *format.InputError
	if _, err = Find("F99"); !errors.As(err, &unknown) || unknown.Word != "F99" || !slices.Contains(unknown.Want, "F1") {
		t.Errorf("Find(F99) gives %v", err)
	}
}

// TestLateWriteIsFenced: what S3's late write is answered, which no expectation can say.
func TestLateWriteIsFenced(t *testing.T) {
	f, err := Find("S3")
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Scenario()
	if err != nil {
		t.Fatal(err)
	}
	d, err := Choose(s, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	refused := map[wire.Code]int{}
	hear := func(_ id.Duration, _, _ id.Node, b wire.Body) {
		if w, ok := b.(*wire.WriteMirrorStatesResponse); ok && w.Code != wire.OK {
			refused[w.Code]++
		}
	}
	if _, err := Run(s, Options{Protocol: d.Config, Deliver: hear}); err != nil {
		t.Fatal(err)
	}
	if refused[wire.FencedLeaderEpoch] != 1 || len(refused) != 1 {
		t.Errorf("writes are refused with %v, want one with %v", refused, wire.FencedLeaderEpoch)
	}
}
