package scenarios

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/faults"
)

// reportText is a report without what depends on how long it took, as text.
func reportText(t *testing.T, r *SweepReport) string {
	t.Helper()
	c := *r
	c.WallSeconds = 0
	text, err := json.MarshalIndent(&c, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A soak that is interrupted goes on behind the last block, and comes to what a sweep comes to.
func TestSoakResumes(t *testing.T) {
	sweeps(t)
	const block = 12
	o := SweepOptions{Count: 2*block + 5, block: block, Level: faults.None, Designs: []*Design{designOf(t, "marker=none")}}
	whole := sweepOf(t, o)
	file := filepath.Join(t.TempDir(), "soak.jsonl")
	ctx, cancel := context.WithCancel(context.Background())
	interrupted := o
	interrupted.Each = func(seed uint64, _ *Result) {
		if seed == block+3 {
			cancel()
		}
	}
	r, err := Soak(ctx, interrupted, file)
	if err != nil {
		t.Fatal(err)
	}
	if !r.StoppedEarly || r.Runs < block+3 || r.Runs >= o.Count {
		t.Fatalf("%d runs, stopped early: %t", r.Runs, r.StoppedEarly)
	}
	var again []uint64
	o.Each = func(seed uint64, _ *Result) { again = append(again, seed) }
	r, err = Soak(context.Background(), o, file)
	if err != nil {
		t.Fatal(err)
	}
	if len(again) != block+5 || again[0] != block {
		t.Errorf("%d seeds were run, from %d on", len(again), again[0])
	}
	if d := cmp.Diff(reportText(t, whole), reportText(t, r)); d != "" {
		t.Errorf("(-sweep +soak)\n%s", d)
	}
	again = nil
	if r, err = Soak(context.Background(), o, file); err != nil || len(again) > 0 || r.Runs != o.Count {
		t.Errorf("a soak that is done runs %v, %v", again, err)
	}
}

// A block that was cut off while it was written is swept again; a file of another sweep is refused and stays as it is.
func TestSoakFiles(t *testing.T) {
	d := designOf(t, "marker=none")
	o := SweepOptions{Count: 3, Level: faults.None, Designs: []*Design{d}}
	file := filepath.Join(t.TempDir(), "soak.jsonl")
	if _, err := Soak(context.Background(), o, file); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, whole[:len(whole)-20], 0o644); err != nil {
		t.Fatal(err)
	}
	if r, err := Soak(context.Background(), o, file); err != nil || r.Runs != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	for _, c := range []struct {
		name, text string
		o          SweepOptions
		want       string
	}{
		{"another design", string(whole), SweepOptions{Count: 3, Level: faults.None, Designs: []*Design{designOf(t)}}, "its design is another"},
		{"another level", string(whole), SweepOptions{Count: 3, Level: faults.Light, Designs: []*Design{d}}, "its level of faults is another"},
		{"another seed", string(whole), SweepOptions{Start: 1, Count: 3, Level: faults.None, Designs: []*Design{d}}, "its first seed is another"},
		{"another program", strings.Replace(string(whole), `"program":"`, `"program":"0`, 1), o, "its program is another"},
		{"a larger count", string(whole), SweepOptions{Count: 4, Level: faults.None, Designs: []*Design{d}}, "soak.jsonl:2: \"seeds 0 to 2\": not a block of this sweep"},
		{"a smaller count", string(whole), SweepOptions{Count: 2, Level: faults.None, Designs: []*Design{d}}, "soak.jsonl:2: \"seeds 0 to 2\": not a block of this sweep"},
		{"no soak", "scenario x\n", o, "soak.jsonl:1: not the file of a sweep that can be resumed"},
		{"no block", lines[0] + "{}\n", o, "soak.jsonl:2: not the report of a block of seeds"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := Soak(context.Background(), c.o, file)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if left, _ := os.ReadFile(file); string(left) != c.text {
				t.Error("the file was changed")
			}
		})
	}
}
