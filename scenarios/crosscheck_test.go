package scenarios

import (
	"context"
	"slices"
	"testing"

	"mirrorsim/checkers"
	"mirrorsim/faults"
)

// crossVerdict is the verdict on cross-check; false if the run has none.
func crossVerdict(r *Result) (checkers.Verdict, bool) {
	i := slices.IndexFunc(r.Verdicts, func(v checkers.Verdict) bool { return v.Property == checkers.Crossed.String() })
	if i < 0 {
		return checkers.Verdict{}, false
	}
	return r.Verdicts[i], true
}

// A run has a verdict on cross-check where it was asked for, and the same history either way.
func TestCrossCheckOfARun(t *testing.T) {
	for _, c := range []struct {
		name, scenario string
		sets           []string
		want           checkers.Status
	}{
		{"a correct run", "F1", nil, checkers.Holds},
		{"a write of a deposed leader", "S3", []string{"coordinator-fence=none"}, checkers.Violated},
		{"an acknowledged batch that is nowhere", "T4", []string{"producer-ids=keep"}, checkers.Violated},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, err := Find(c.scenario)
			if err != nil {
				t.Fatal(err)
			}
			s, err := file.Scenario()
			if err != nil {
				t.Fatal(err)
			}
			d, err := Choose(s, "", c.sets)
			if err != nil {
				t.Fatal(err)
			}
			plain, err := Run(s, Options{Protocol: d.Config})
			if err != nil {
				t.Fatal(err)
			}
			if v, ok := crossVerdict(plain); ok {
				t.Errorf("nobody asked, and it has %+v", v)
			}
			crossed, err := Run(s, Options{Protocol: d.Config, CrossCheck: true})
			if err != nil {
				t.Fatal(err)
			}
			if v, _ := crossVerdict(crossed); v.Status != c.want || v.Occasions == 0 {
				t.Errorf("cross-check %v %v, want %v", v.Status, v.Violations, c.want)
			}
			if crossed.Hash != plain.Hash {
				t.Errorf("hash %x, without the cross-check %x", crossed.Hash, plain.Hash)
			}
		})
	}
}

// A sweep cross-checks one seed in 16, and every seed that fails when it is run for the second time.
func TestSweepCrossChecks(t *testing.T) {
	d, err := Choose(Generate(0, faults.None), "start-stop", []string{"marker=none"})
	if err != nil {
		t.Fatal(err)
	}
	failed := 0
	_, err = Sweep(context.Background(), SweepOptions{Start: 0, Count: 20, Level: faults.Light, Designs: []*Design{d},
		Each: func(seed uint64, r *Result) {
			_, crossed := crossVerdict(r)
			if want := seed%crossedEvery == 0 || r.Violated(); crossed != want {
				t.Errorf("seed %d: cross-checked %v, want %v", seed, crossed, want)
			}
			if r.Violated() && seed%crossedEvery != 0 {
				failed++
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	if failed == 0 {
		t.Error("no seed failed, so nothing was seen of those that do")
	}
}
