package scenarios

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mirrorsim/checkers"
	"mirrorsim/scenarios/format"
)

// mended is what start-stop must choose otherwise so that the properties below hold. Revision first chooses more, of which
// some hides what one other choice breaks.
var mended = []string{"epoch-source=log", "marker-rerun=keep-first", "coordinator-fence=leader-epoch", "reverse-check=checked",
	"lookup-over=latest-run", "absent-replica=realign", "unknown-stop=stopping", "leader-cut=forget"}

// Each property of alignment, failover and failback falls in a whole run under one option of a decision, and holds in the
// same run under another. The runs are those of files that are there for other reasons.
func TestAlignmentPropertiesFall(t *testing.T) {
	for _, c := range []struct {
		property     checkers.ID
		file         string
		wrong, right []string // besides mended
	}{
		{checkers.MirrorPrefix, "catalogue/F4.scn", []string{"marker=none"}, nil},
		{checkers.ExactCut, "catalogue/F4.scn", []string{"marker=none"}, nil},
		{checkers.ExactCut, "catalogue/F2.scn", []string{"lookup-over=same-name", "reverse-check=unchecked"}, nil},
		{checkers.ReplicasAligned, "corpus/absent-replica.scn", []string{"absent-replica=fetch-only"}, nil},
		{checkers.ReplicasAligned, "corpus/leader-cut-kept.scn", []string{"leader-cut=keep"}, nil},
		{checkers.PositionDurable, "catalogue/S4.scn", []string{"marker-write=fire-and-forget"}, nil},
		{checkers.PositionDurable, "corpus/stop-runs-again.scn", []string{"marker-rerun=overwrite"}, nil},
		{checkers.PositionDurable, "corpus/stop-in-preparing.scn", []string{"alignment-wait=isr-or-all"},
			[]string{"alignment-wait=source-then-isr-or-all"}},
		{checkers.CleanSwitch, "catalogue/F2.scn", []string{"lookup-over=same-name", "reverse-check=unchecked"}, nil},
		{checkers.StopKeepsMirrored, "decisions/D4-truncate-to-lso.scn", []string{"open-transactions=truncate-to-lso"},
			[]string{"open-transactions=abort"}},
	} {
		t.Run(c.property.String()+" "+filepath.Base(c.file), func(t *testing.T) {
			if v := alignmentVerdict(t, c.file, c.property, c.right); v.Status != checkers.Holds {
				t.Errorf("it is %v with %v: %v", v.Status, c.right, v.Violations)
			}
			if v := alignmentVerdict(t, c.file, c.property, c.wrong); v.Status != checkers.Violated {
				t.Errorf("it is %v with %v", v.Status, c.wrong)
			}
		})
	}
}

// alignmentVerdict runs the scenario of the file, on its calm schedule, with mended and the choices of set.
func alignmentVerdict(t *testing.T, file string, property checkers.ID, set []string) checkers.Verdict {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := format.Parse(file, source)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Choose(s, "start-stop", slices.Concat(mended, set))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(s, Options{Protocol: d.Config})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range r.Verdicts {
		if v.Property == property.String() {
			return v
		}
	}
	t.Fatalf("no verdict on %s", property)
	return checkers.Verdict{}
}
