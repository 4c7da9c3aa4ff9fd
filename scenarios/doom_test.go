package scenarios

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"mirrorsim/checkers"
	"mirrorsim/scenarios/format"
)

// doomOf is where a run of the file, with those choices of its design, was lost.
func doomOf(t *testing.T, file string, sets []string, o DoomOptions) *DoomReport {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := format.Parse(file, source)
	if err != nil {
		t.Fatal(err)
	}
	revision := ""
	if strings.HasPrefix(file, "findings/") {
		revision = "first" // the file itself holds
	}
	if o.Design, err = Choose(s, revision, sets); err != nil {
		t.Fatal(err)
	}
	r, err := Doom(context.Background(), s.Name, s, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.FirstDoomed != nil && r.FirstDoomed.Fail != r.Each {
		t.Errorf("called doomed, with %d of %d", r.FirstDoomed.Fail, r.Each)
	}
	if r.LastSafe != nil && r.LastSafe.Fail*100 > r.Each*safePercent {
		t.Errorf("called safe, with %d of %d", r.LastSafe.Fail, r.Each)
	}
	return r
}

// Runs of which it is known where they were lost: by the only choice that is not calm, by the fault that their story says, by
// their design from the start on, or by a step that waits for nothing.
func TestDoomIsWhereItMustBe(t *testing.T) {
	alone(t)
	for _, c := range []struct {
		name, file string
		sets       []string
		options    DoomOptions
		safe, doom string // what happened last
		drawn      string
		adjacent   bool // nothing lies between the two
	}{
		{"the choice of the file", "corpus/leader-cut-kept.scn", []string{"leader-cut=keep", "alignment-wait=isr-or-all", "epoch-floor=unconstrained"},
			DoomOptions{Property: "log-matching", Runs: 10}, "a timer fires", "handles FetchResponse from a0", "net-drop a1>a0=1", true},
		{"the crash at a point", "findings/position-below-the-next-leaders-log.scn",
			[]string{"marker=epoch-and-offset", "position-end=hw"}, DoomOptions{Property: "position-durable", FaultsEnd: true, Runs: 10},
			"t-0 stop step done: bump, up to the point stop.epoch-bumped", "crashes", "", true},
		{"the cut at a point, in the midst of a turn", "findings/offset-of-records-of-one-replica.scn",
			[]string{"marker=epoch-and-offset"}, DoomOptions{Property: "position-durable", FaultsEnd: true, Runs: 10},
			"t-0 stop step done: bump, up to the point stop.epoch-bumped", "link to a0 is cut", "", true},
		{"the faults of the file, which all fall", "findings/offset-of-records-of-one-replica.scn",
			[]string{"marker=epoch-and-offset"}, DoomOptions{Property: "position-durable", Runs: 10}, "", "the start", "", false},
		{"the design", "catalogue/F4.scn", []string{"marker=none", "lookup-missing=minus-one"}, DoomOptions{Property: "convergence", Runs: 5},
			"", "the start", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := doomOf(t, c.file, c.sets, c.options)
			if (r.LastSafe == nil) != (c.safe == "") || c.safe != "" && r.LastSafe.What != c.safe {
				t.Errorf("last safe: %+v, want %q", r.LastSafe, c.safe)
			}
			if r.FirstDoomed == nil || !strings.HasPrefix(r.FirstDoomed.What, c.doom) || strings.Join(r.FirstDoomed.Drawn, " ") != c.drawn {
				t.Fatalf("first doomed: %+v, want %q, drawn %q", r.FirstDoomed, c.doom, c.drawn)
			}
			at := slices.Index(r.Measured, r.FirstDoomed)
			if c.adjacent != (at > 0 && r.Measured[at-1] == r.LastSafe) {
				t.Errorf("the two are next to each other: %v", !c.adjacent)
			}
			if len(r.Fall) > 0 || r.StoppedEarly || r.Failure == nil || r.Failure.TimeUs < r.FirstDoomed.TimeUs {
				t.Errorf("%+v", r)
			}
		})
	}
}

// Equal input gives equal output, also after the moments were measured in another order.
func TestDoomIsDeterministic(t *testing.T) {
	alone(t)
	var texts []string
	for range 2 {
		r := doomOf(t, "corpus/leader-cut-kept.scn", []string{"leader-cut=keep", "alignment-wait=isr-or-all", "epoch-floor=unconstrained"}, DoomOptions{Runs: 8})
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if texts[0] != texts[1] {
		t.Errorf("first\n%s\nthen\n%s", texts[0], texts[1])
	}
}

// A continuation from a point in the midst of a turn has all that happened before from the failing run: one that is answered
// by the failing run's own choices is the failing run.
func TestContinuationsBeginAsTheRun(t *testing.T) {
	s, d := failing(t)
	o := Options{Protocol: d.Config}.WithSeed(5)
	want, err := Run(s, o)
	if err != nil {
		t.Fatal(err)
	}
	x, err := newDooming(context.Background(), s.Name, s, DoomOptions{Design: d, Choices: o.Choices, Net: o.Net})
	if err != nil {
		t.Fatal(err)
	}
	points := 0
	for i := range x.list[:len(x.list)-1] {
		if i%7 > 0 && x.list[i].nth == 0 {
			continue
		}
		points += x.list[i].nth
		f := x.continued(&x.list[i], o.Choices)
		for f.turn() {
		}
		f.finish()
		if f.result.Hash != want.Hash || f.result.Choices != want.Choices {
			t.Fatalf("from moment %d, %+v, the same choices go on to %016x, not to %016x", i, x.list[i], f.result.Hash, want.Hash)
		}
		if x.list[i].nth > 0 && x.continued(&x.list[i], continuation(0)).world.Now() > x.list[i].at {
			t.Errorf("moment %d is continued from behind itself", i)
		}
	}
	if points == 0 {
		t.Error("no moment is in the midst of a turn")
	}
}

// searched is a search over moments that fail with a chance that is known, out of 1000.
func searched(n int, chance func(at int) int) *dooming {
	d := &dooming{ctx: context.Background(), measured: map[int]*sample{}, list: make([]moment, n+1), kept: []*run{{wiring: &wiring{}}},
		options: DoomOptions{Runs: DefaultDoomRuns, Design: &Design{}}}
	for i := range d.list {
		d.list[i].turn, d.list[i].node = i, 255
	}
	d.count = func(at, from, to int) (fail, group int, ok bool) {
		for k := from; k < to; k++ {
			if (k*389+17)%1000 < chance(at) {
				fail++
			}
		}
		d.runs += to - from
		return fail, fail, true
	}
	d.overview()
	d.narrow()
	return d
}

// Runs whose chance to fail is known at each moment.
func TestDoomSearch(t *testing.T) {
	step := func(at, edge, below, above int) int {
		if at < edge {
			return below
		}
		return above
	}
	for _, c := range []struct {
		name         string
		n            int
		chance       func(at int) int
		safe, doomed int // turns; -1: none
		fall         bool
		say          string
	}{
		{"one step", 1000, func(at int) int { return step(at, 613, 0, 1000) }, 612, 613, false, "Last safe: after turn 612"},
		{"two steps", 1000, func(at int) int { return step(at, 300, 0, step(at, 811, 500, 1000)) }, 299, 811, false, "First doomed: after turn 811"},
		{"never doomed", 500, func(at int) int { return step(at, 200, 0, 600) }, 199, -1, false, "Never doomed before it failed: right before, 2"},
		{"safe to the end", 500, func(int) int { return 10 }, 499, -1, false, "Last safe: after turn 499"},
		{"never safe", 400, func(at int) int { return step(at, 100, 400, 1000) }, -1, 100, false, "No moment is safe: already at the start 16 of 40 fail"},
		{"doomed from the start", 400, func(int) int { return 1000 }, -1, 0, false, "Doomed from the start."},
		{"danger, an escape, and doom", 800, func(at int) int {
			if at >= 90 && at < 310 {
				return 1000
			}
			return step(at, 700, 0, 1000)
		}, 699, 700, true, "It did not only rise: after turn 99"},
		// Of the first 40 continuations none survives, of the other 40 three do.
		{"all of the first 40 only", 1000, func(at int) int { return step(at, 300, 0, step(at, 502, 966, 1000)) }, 299, 502, false, "First doomed: after turn 502"},
		{"a failure in the first turn", 1, func(int) int { return 0 }, 0, -1, false, "Last safe: after turn 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := searched(c.n, c.chance)
			r := d.report()
			turn := func(m *DoomMoment) int {
				if m == nil {
					return -1
				}
				return m.Turn
			}
			if turn(r.LastSafe) != c.safe || turn(r.FirstDoomed) != c.doomed || (len(r.Fall) > 0) != c.fall {
				t.Errorf("last safe %d, first doomed %d, falls %d; want %d, %d, %v", turn(r.LastSafe), turn(r.FirstDoomed), len(r.Fall), c.safe, c.doomed, c.fall)
			}
			if text := strings.Join(r.Conclusion, "\n"); !strings.Contains(text, c.say) {
				t.Errorf("it lacks %q:\n%s", c.say, text)
			}
			if most := 40 * DefaultDoomRuns; d.runs > most {
				t.Errorf("%d continuations, want at most %d", d.runs, most)
			}
		})
	}
}

func TestInterval(t *testing.T) {
	for _, c := range []struct {
		fail, of  int
		low, high float64 // percent
	}{{0, 40, 0, 8.76}, {40, 40, 91.24, 100}, {20, 40, 35.2, 64.8}, {1, 1, 20.65, 100}} {
		low, high := interval(c.fail, c.of)
		if d := low*100 - c.low; d < -0.05 || d > 0.05 {
			t.Errorf("%d of %d: from %.2f %%, want %.2f", c.fail, c.of, low*100, c.low)
		}
		if d := high*100 - c.high; d < -0.05 || d > 0.05 {
			t.Errorf("%d of %d: to %.2f %%, want %.2f", c.fail, c.of, high*100, c.high)
		}
	}
}

func TestDoomOfNoFailure(t *testing.T) {
	s, d := failing(t)
	good, err := Choose(s, "hardened", nil)
	if err != nil {
		t.Fatal(err)
	}
	var none *NoFailureError
	for _, o := range []DoomOptions{{Design: good}, {Design: d, Property: checkers.Durability.String()}, {Design: d, Group: "0000"}} {
		if _, err := Doom(context.Background(), s.Name, s, o); !errors.As(err, &none) || none.Property != o.Property {
			t.Errorf("%+v: %v", o, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Doom(ctx, s.Name, s, DoomOptions{Design: d}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped before it began, it says %v", err)
	}
}

// One that is stopped tells what it has, and names no moments.
func TestDoomStops(t *testing.T) {
	s, d := failing(t)
	ctx, cancel := context.WithCancel(context.Background())
	o := DoomOptions{Design: d, Progress: func(runs, about int) {
		if runs == DefaultDoomRuns+1 {
			cancel()
		}
	}}
	r, err := Doom(ctx, s.Name, s, o)
	if err != nil || !r.StoppedEarly || len(r.Measured) != 1 || r.LastSafe != nil || r.FirstDoomed != nil {
		t.Errorf("%v, %+v", err, r)
	}
}

// With a group only failures of that group count; without one all of the property do, and those of the group are told apart.
func TestDoomOfAGroup(t *testing.T) {
	alone(t)
	const file = "corpus/leader-cut-kept.scn"
	sets := []string{"leader-cut=keep", "alignment-wait=isr-or-all", "epoch-floor=unconstrained"}
	all := doomOf(t, file, sets, DoomOptions{Property: "log-matching", Runs: 10})
	one := doomOf(t, file, sets, DoomOptions{Property: "log-matching", Group: all.Group, Runs: 10})
	if !one.GroupOnly || all.GroupOnly || one.Group != all.Group {
		t.Errorf("%+v", one)
	}
	for _, r := range []*DoomReport{all, one} {
		for _, m := range r.Measured {
			if m.SameGroup > m.Fail || r == one && m.SameGroup != m.Fail {
				t.Errorf("after turn %d %d fail, of the group %d", m.Turn, m.Fail, m.SameGroup)
			}
		}
	}
}
