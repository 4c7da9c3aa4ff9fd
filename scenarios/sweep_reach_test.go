package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/checkers"
	"mirrorsim/faults"
	"mirrorsim/model/point"
	"mirrorsim/model/record"
	"mirrorsim/scenarios/format"
)

// What a run has come to: a crash between two effects counts at its point, and a fault in every state that a partition is in.
func TestReach(t *testing.T) {
	r := play(t, mirroring+`fault crash there for 5s at-point stop.epoch-bumped
fault pause b1 for 1s
fault crash a1 for 1s
stop t in B/m
until state B/t-0=STOPPED
until quiet
`, nil).Reach
	stopped := r.Edges[record.Mirroring][record.Stopping]
	if r.Crashes[point.EpochBumped] != 1 || r.Points[point.EpochBumped] < 2 || stopped != 1 || r.Edges[record.Stopping][record.Stopped] != 1 {
		t.Errorf("crashes %v, points %v, %d stops", r.Crashes, r.Points, stopped)
	}
	sum := 0
	for _, n := range r.Crashes {
		sum += n
	}
	if sum != 1 || r.Kinds[faults.Crash] != 2 || r.Kinds[faults.Pause] != 1 || r.Kinds[faults.Cut] != 0 {
		t.Errorf("crashes %v, kinds %v", r.Crashes, r.Kinds)
	}
	if r.Pairs[faults.Crash][record.Mirroring] != 1 || r.Pairs[faults.Crash][record.Stopping] != 1 || r.Pairs[faults.Pause][record.Mirroring] != 1 {
		t.Errorf("crash %v, pause %v", r.Pairs[faults.Crash], r.Pairs[faults.Pause])
	}
}

// A run on a fork of a world does not change what the world has reached.
func TestReachIsOfOneWorld(t *testing.T) {
	x := reaching{Reach: newReach()}
	y := x.clone()
	y.Kinds[faults.Crash]++
	y.Pairs[faults.Crash][record.Mirroring]++
	if x.Kinds[faults.Crash] != 0 || x.Pairs[faults.Crash][record.Mirroring] != 0 {
		t.Error("shared")
	}
}

// reachOf is one row of a sweep's reach.
func reachOf(t *testing.T, r *SweepReport, id string) *SweepReach {
	t.Helper()
	i := slices.IndexFunc(r.Reach, func(x SweepReach) bool { return x.ID == id })
	if i < 0 {
		t.Fatalf("no reach of %s", id)
	}
	return &r.Reach[i]
}

// A sweep says what its runs came to, and which must-hit thing they did not come to often enough.
func TestSweepReach(t *testing.T) {
	d := designOf(t)
	r := newSweepReport(&SweepOptions{Count: MustHitRuns, Level: faults.Swarm, Designs: []*Design{d}})
	for i := range MustHitRuns {
		x := sweptRun(uint64(i), checkers.Holds)
		x.design, x.acts = d, []string{"stop", uncleanElection}
		for p := range point.Points {
			x.result.Reach.Points[p], x.result.Reach.Crashes[p] = 1, 1
		}
		for from := range record.States {
			for to := range record.States {
				x.result.Reach.Edges[from][to] = 1
			}
		}
		for k := range x.result.Reach.Kinds {
			x.result.Reach.Kinds[k] = 1
			for s := range record.States {
				x.result.Reach.Pairs[k][s] = 1
			}
		}
		if i >= MustHit-1 { // of three things one too few
			x.result.Reach.Crashes[point.ProducersReset] = 0
			x.result.Reach.Edges[record.Pausing][record.Paused] = 0
			x.result.Reach.Pairs[faults.Pause][record.Stopping] = 0
		}
		r.add(x)
	}
	r.finish(false)
	want := []string{
		"crash-at stop.producers-reset was hit 19 times in 2000 runs, want at least 20",
		"transition PAUSING > PAUSED was hit 19 times in 2000 runs, want at least 20",
		"fault-in-state pause in STOPPING was hit 19 times in 2000 runs, want at least 20",
	}
	if d := cmp.Diff(want, r.Short); d != "" || r.Verdict != "unknown" {
		t.Errorf("%s (-want +got)\n%s", r.Verdict, d)
	}
	acts := reachOf(t, r, "operation")
	if d := cmp.Diff([]ReachCount{{"stop", MustHitRuns, 0}, {uncleanElection, MustHitRuns, 0}}, acts.Hits); d != "" {
		t.Error(d)
	}
	if !slices.Contains(acts.Never, "start") || slices.Contains(acts.Never, "fault") {
		t.Errorf("never %v", acts.Never)
	}
	options := reachOf(t, r, "option")
	if !slices.Contains(options.Hits, ReachCount{"marker=epoch", MustHitRuns, 0}) || !slices.Contains(options.Never, "marker=none") {
		t.Errorf("%+v", options)
	}
}

// Edges that no design of the sweep leads to need not be hit.
func TestReachAsksOnlyWhatCanBe(t *testing.T) {
	want := func(sets ...string) []string {
		x := newReached()
		var list []string
		for _, h := range x.report([]*Design{designOf(t, sets...)}, true)[2].Hits {
			if h.Want > 0 {
				list = append(list, h.Name)
			}
		}
		return list
	}
	plain, fenced := want("epoch-floor=unconstrained"), want("epoch-floor=fenced", "divergence=fail-or-recover", "persist-order=act-first")
	for _, edge := range []string{"MIRRORING > EPOCH_FENCING", "ULE_RECOVERY > MIRRORING", "UNKNOWN > FAILED",
		"EPOCH_FENCING > STOPPING", "ULE_RECOVERY > STOPPING", "EPOCH_FENCING > FAILED"} {
		if slices.Contains(plain, edge) || !slices.Contains(fenced, edge) {
			t.Errorf("%s: wanted of the one %t, of the other %t", edge, slices.Contains(plain, edge), slices.Contains(fenced, edge))
		}
	}
	if slices.Contains(fenced, "PAUSED > FAILED") {
		t.Error("PAUSED > FAILED is wanted")
	}
}

// Designs are dealt over the seeds, failures are told apart by them, and each names the command of its own.
func TestSweepDealsDesigns(t *testing.T) {
	sweeps(t)
	a, b := designOf(t, "marker=none"), designOf(t, "producer-ids=keep")
	r := sweepOf(t, SweepOptions{Start: 4, Count: 40, Level: faults.Light, Designs: []*Design{a, b}})
	flags := map[uint64]string{0: a.Flags(), 1: b.Flags()}
	seen := map[string]bool{}
	for _, f := range r.Failures {
		for _, seed := range f.Examples {
			if !strings.HasSuffix(f.Reproduce, flags[seed%2]) {
				t.Errorf("seed %d: %s", seed, f.Reproduce)
			}
		}
		seen[f.Reproduce[strings.Index(f.Reproduce, "--protocol"):]] = true
	}
	if len(seen) != 2 || len(r.Protocols) != 2 || r.Protocols[1].Set["producer-ids"] != "keep" {
		t.Errorf("%v, %+v", seen, r.Protocols)
	}
	options := reachOf(t, r, "option")
	if !slices.Contains(options.Hits, ReachCount{"marker=none", 20, 0}) {
		t.Errorf("%+v", options.Hits)
	}
}

// A sweep under swarm faults says which strategy found what.
func TestSweepArms(t *testing.T) {
	d := designOf(t)
	r := newSweepReport(&SweepOptions{Count: 100, Level: faults.Swarm, Designs: []*Design{d}})
	for i, arm := range []faults.Arm{faults.Uniform, faults.Uniform, faults.AtPoints, faults.Halved} {
		x := sweptRun(uint64(i), checkers.Holds)
		if x.design, x.arm = d, arm; arm != faults.Halved {
			x.problems = []Problem{{Property: "durability", Group: [...]string{"000a", "000b", "000b"}[i], Sentence: "x"}}
		}
		r.add(x)
	}
	r.finish(false)
	want := []*SweepArm{{"uniform", 2, 2, 2, 1}, {"weighted", 0, 0, 0, 0}, {"halved", 1, 0, 0, 0}, {"priorities", 0, 0, 0, 0},
		{"at-points", 1, 1, 1, 0}}
	if d := cmp.Diff(want, r.Arms); d != "" {
		t.Error(d)
	}
	if got := fmt.Sprint(r.Failures[1].Arms); got != "map[at-points:1 uniform:1]" {
		t.Error(got)
	}
	if r := newSweepReport(&SweepOptions{Level: faults.Light, Designs: []*Design{d}}); len(r.Arms) != 0 {
		t.Error("light faults are dealt no strategy")
	}
}

// Beyond the budget nothing holds.
func TestSweepBeyondTheBudget(t *testing.T) {
	r := sweepOf(t, SweepOptions{Count: 6, Level: faults.Beyond, Designs: []*Design{hardenedOf(t)}})
	if r.Violated > 0 || r.Holds > 0 || r.NotPromised != 6 || r.Verdict == "holds" || r.ExitStatus() != 4 {
		t.Errorf("%s, exit status %d, %d violated", r.Verdict, r.ExitStatus(), r.Violated)
	}
	x := sweptRun(0, checkers.Holds).result
	x.Unpromised = true
	if x.Verdict() != "not promised" || x.ExitStatus() != 4 {
		t.Errorf("%s, exit status %d", x.Verdict(), x.ExitStatus())
	}
}

// hardenedOf is the revision under which all is to hold.
func hardenedOf(t *testing.T) *Design {
	t.Helper()
	d, err := Choose(&format.Scenario{}, "hardened", nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
