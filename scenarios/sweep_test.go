package scenarios

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"mirrorsim/checkers"
	"mirrorsim/faults"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim/choice"
)

// designOf is the default revision, or the newer seed with changes, as a sweep takes it.
func designOf(t *testing.T, sets ...string) *Design {
	t.Helper()
	revision := ""
	if len(sets) > 0 {
		revision = "start-stop"
	}
	d, err := Choose(&format.Scenario{}, revision, sets)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func sweepOf(t *testing.T, o SweepOptions) *SweepReport {
	t.Helper()
	r, err := Sweep(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	r.WallSeconds = 0
	return r
}

// What a sweep says does not depend on how many runs are made at a time.
func TestSweepDoesNotDependOnJobs(t *testing.T) {
	var want string
	list := []int{1, 2, 3}
	if testing.Short() {
		list = []int{1, 3} // under the race detector
	}
	for _, jobs := range list {
		var order []uint64
		r := sweepOf(t, SweepOptions{Start: 4, Count: 24, Jobs: jobs, Level: faults.Light, Shrink: 6,
			Designs: []*Design{designOf(t, "marker=none")}, Each: func(seed uint64, _ *Result) { order = append(order, seed) }})
		text, err := json.MarshalIndent(r, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if jobs == 1 {
			want = string(text)
			if r.Violated == 0 || len(r.Failures) == 0 || r.Failures[0].Shrunk == "" || r.Runs != 24 {
				t.Fatalf("this sweep compares too little: %s", text)
			}
		}
		if d := cmp.Diff(want, string(text)); d != "" {
			t.Errorf("%d jobs:\n%s", jobs, d)
		}
		for i, seed := range order {
			if seed != uint64(4+i) {
				t.Fatalf("%d jobs: the seeds were told in the order %v", jobs, order)
			}
		}
	}
}

// A sweep that is stopped ends within a second and reports what was done.
func TestSweepStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var at time.Time
	r, err := Sweep(ctx, SweepOptions{Count: 1 << 30, Level: faults.Light, Designs: []*Design{designOf(t)}, Each: func(seed uint64, _ *Result) {
		if seed == 5 {
			at = time.Now()
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(at); took > time.Second {
		t.Errorf("it took %v", took)
	}
	if !r.StoppedEarly || r.Runs < 6 || r.Runs > 100 || r.Deliveries == 0 || len(r.Short) == 0 {
		t.Errorf("%+v", r)
	}
	if r.Violated == 0 && (r.Verdict != "unknown" || r.ExitStatus() != 4) {
		t.Errorf("%s, exit status %d", r.Verdict, r.ExitStatus())
	}
}

// A long run stops in its midst, too.
func TestRunStops(t *testing.T) {
	s, err := format.Parse("busy", []byte(busy))
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	r, err := Run(s, Options{Protocol: designOf(t).Config, Stop: func() bool { asked++; return asked == 3 }})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Stopped || r.Deliveries > 4*stopEvery || len(r.Failures) > 0 {
		t.Errorf("stopped: %t, %d deliveries, failures: %v", r.Stopped, r.Deliveries, r.Failures)
	}
}

// compared is the first seed from start on that is, or is not, run twice whether it fails or not.
func compared(start uint64, anyway bool) uint64 {
	for comparedAnyway(start) != anyway {
		start++
	}
	return start
}

// A run that does not repeat is found, when it is one of those that are run twice.
func TestSweepFindsNondeterminism(t *testing.T) {
	for _, c := range []struct {
		name    string
		planted uint64 // the seed whose second run is another one
		found   bool
	}{
		{"compared anyway", compared(0, true), true},
		{"not compared", compared(0, false), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := sweepOf(t, SweepOptions{Start: c.planted, Count: 1, Level: faults.Light, Designs: []*Design{designOf(t)},
				choices: func(seed uint64, second bool, was choice.Chooser) choice.Chooser {
					if second && seed == c.planted {
						return choice.Seeded(seed + 1)
					}
					return was
				}})
			if !c.found {
				if r.Compared != 0 || len(r.Failures) != 0 {
					t.Errorf("compared %d, %v", r.Compared, r.Failures)
				}
				return
			}
			if r.Compared != 1 || len(r.Failures) != 1 || r.ExitStatus() != 1 {
				t.Fatalf("compared %d, failures %v, exit status %d", r.Compared, r.Failures, r.ExitStatus())
			}
			if f := r.Failures[0]; f.Property != Determinism || !strings.Contains(f.Sentence, "event ") || f.Shrunk != "" {
				t.Errorf("%+v", f)
			}
		})
	}
}

// A failing run that does not repeat is no failure of its property: that run means nothing.
func TestSweepTrustsNoFailureThatDoesNotRepeat(t *testing.T) {
	sweeps(t)
	d := designOf(t, "marker=none")
	o := SweepOptions{Start: 4, Count: 40, Level: faults.Light, Designs: []*Design{d}}
	honest := sweepOf(t, o)
	if honest.Violated == 0 {
		t.Fatal("nothing fails")
	}
	o.choices = func(seed uint64, second bool, was choice.Chooser) choice.Chooser {
		if second {
			return choice.Seeded(seed + 1)
		}
		return was
	}
	r := sweepOf(t, o)
	for _, f := range r.Failures {
		if f.Property != Determinism {
			t.Errorf("%+v", f)
		}
	}
	if len(r.Failures) != 1 || r.Failures[0].Runs < honest.Violated || len(r.Failures[0].Examples) != keptExamples {
		t.Errorf("%d violated, failures %+v", honest.Violated, r.Failures[0])
	}
}

func TestComparedAnyway(t *testing.T) {
	const seeds = 100_000
	for _, start := range []uint64{0, 1 << 40, 1<<53 - seeds} {
		n := 0
		for i := range uint64(seeds) {
			if comparedAnyway(start + i) {
				n++
			}
		}
		if n < seeds*45/1000 || n > seeds*55/1000 {
			t.Errorf("from %d on %d of %d seeds are compared, want 5 %%", start, n, seeds)
		}
	}
}

// A panic of the program in a run says how to repeat it, and ends the sweep.
func TestSweepTellsAPanic(t *testing.T) {
	_, err := Sweep(context.Background(), SweepOptions{Count: 10, Level: faults.Swarm, Designs: []*Design{designOf(t)},
		choices: func(seed uint64, _ bool, was choice.Chooser) choice.Chooser {
			if seed == 3 {
				panic("planted")
			}
			return was
		}})
	var p *PanicError
	if !errors.As(err, &p) {
		t.Fatalf("%v", err)
	}
	for _, want := range []string{"planted", "mirrorsim run --seed 3 --faults swarm --protocol first", "sweep_test.go"} {
		if !strings.Contains(p.Error(), want) {
			t.Errorf("it lacks %q: %v", want, p)
		}
	}
}

// sweptRun is a run whose properties all have the status, with everything met that a sweep must meet.
func sweptRun(seed uint64, status checkers.Status, problems ...Problem) *swept {
	r := &Result{Coverage: Coverage{FinishedStop: true, FinishedFailback: true, FaultWhileAligningOrStopping: true,
		LostAtFailover: true, PermanentFault: true}}
	for _, p := range checkers.Properties() {
		r.Verdicts = append(r.Verdicts, checkers.Verdict{Property: p.ID, Status: checkers.Holds, Occasions: 1})
	}
	r.Verdicts[0].Status = status
	if status == checkers.NotExercised {
		r.Verdicts[0].Occasions = 0
	}
	r.Reach = newReach()
	return &swept{seed: seed, design: &Design{}, result: r, problems: problems}
}

func TestSweepVerdict(t *testing.T) {
	problem := Problem{Property: "epoch-order", Group: "0000", Sentence: "x"}
	for _, c := range []struct {
		name    string
		runs    int
		change  func(i int, x *swept)
		stopped bool
		level   faults.Level
		want    string
		exit    int
		short   string // a part of the reason
	}{
		{name: "all holds", runs: standardRuns, level: faults.Light, want: "holds", exit: 0},
		{name: "stopped", runs: 3, stopped: true, want: "unknown", exit: 4, short: "stopped after 3"},
		{name: "one violated", runs: 3, change: func(i int, x *swept) {
			if i == 1 {
				*x = *sweptRun(1, checkers.Violated, problem)
			}
		}, want: "violated", exit: 1},
		{name: "violated beats stopped", runs: 3, stopped: true,
			change: func(_ int, x *swept) { *x = *sweptRun(1, checkers.Violated, problem) },
			want:   "violated", exit: 1, short: "stopped"},
		{name: "one unknown", runs: 3, change: func(i int, x *swept) { *x = *sweptRun(1, checkers.Unknown) },
			want: "unknown", exit: 4},
		{name: "no occasion in any", runs: 3, change: func(_ int, x *swept) { *x = *sweptRun(1, checkers.NotExercised) },
			want: "unknown", exit: 4, short: "epoch-order had no occasion"},
		{name: "no occasion in one", runs: 3, change: func(i int, x *swept) {
			if i == 1 {
				*x = *sweptRun(1, checkers.NotExercised)
			}
		}, want: "holds", exit: 0},
		{name: "too few failbacks", runs: standardRuns, level: faults.Swarm,
			change: func(i int, x *swept) { x.result.Coverage.FinishedFailback = i%4 > 0 && i > 4 },
			want:   "unknown", exit: 4, short: "finished-failback in 74.4 %"},
		{name: "just enough", runs: standardRuns, level: faults.Light,
			change: func(i int, x *swept) { x.result.Coverage.FinishedFailback = i%4 > 0 },
			want:   "holds", exit: 0},
		{name: "too short to tell", runs: standardRuns - 1, level: faults.Light,
			change: func(_ int, x *swept) { x.result.Coverage = Coverage{} },
			want:   "holds", exit: 0},
		{name: "without faults", runs: standardRuns, change: func(_ int, x *swept) { x.result.Coverage = Coverage{} },
			want: "holds", exit: 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			count := c.runs
			if c.stopped {
				count++
			}
			r := newSweepReport(&SweepOptions{Count: count, Level: c.level, Designs: []*Design{designOf(t)}})
			for i := range c.runs {
				x := sweptRun(uint64(i), checkers.Holds)
				if c.change != nil {
					c.change(i, x)
				}
				r.add(x)
			}
			r.finish(c.stopped)
			if r.Verdict != c.want || r.ExitStatus() != c.exit || (c.short == "") != (len(r.Short) == 0) ||
				!strings.Contains(strings.Join(r.Short, "; "), c.short) {
				t.Errorf("%s, exit status %d, %q", r.Verdict, r.ExitStatus(), r.Short)
			}
			if r.Holds+r.Violated+r.Unknown != c.runs {
				t.Errorf("%d hold, %d violated, %d unknown", r.Holds, r.Violated, r.Unknown)
			}
		})
	}
}

// A run is filed once, under what it failed by first; of many only a few are named.
func TestSweepFilesFailures(t *testing.T) {
	a := Problem{Property: "durability", Group: "000a", Sentence: "first"}
	b := Problem{Property: "durability", Group: "000b", Sentence: "other"}
	d := designOf(t)
	r := newSweepReport(&SweepOptions{Count: 10, Level: faults.Light, Designs: []*Design{d}})
	for seed := range uint64(8) {
		x := sweptRun(seed, checkers.Violated, a, b)
		if seed == 7 {
			x.problems = []Problem{b}
		}
		x.design = d
		r.add(x)
	}
	want := []*SweepFailure{
		{Property: "durability", Group: "000a", Trail: []string{}, Runs: 7, Examples: []uint64{0, 1, 2, 3}, Sentence: "first",
			Reproduce: "mirrorsim run --seed 0 --faults light --protocol first"},
		{Property: "durability", Group: "000b", Trail: []string{}, Runs: 1, Examples: []uint64{7}, Sentence: "other",
			Reproduce: "mirrorsim run --seed 7 --faults light --protocol first"},
	}
	if d := cmp.Diff(want, r.Failures, cmpopts.IgnoreUnexported(SweepFailure{})); d != "" {
		t.Error(d)
	}
}
