package scenarios

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"mirrorsim/checkers"
	"mirrorsim/faults"
	"mirrorsim/scenarios/format"
)

func guided(t *testing.T, revision string, o GuideOptions) *GuideReport {
	t.Helper()
	var err error
	if o.Design, err = Choose(&format.Scenario{}, revision, nil); err != nil {
		t.Fatal(err)
	}
	r, err := Guide(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every run of a guided search, failing or not, is a file that runs to the same history: those that were extended from an
// extension and those that met one more fault too.
func TestGuidedRunsRepeat(t *testing.T) {
	alone(t)
	d, err := Choose(&format.Scenario{}, "start-stop", nil)
	if err != nil {
		t.Fatal(err)
	}
	extended, planted, deep := 0, 0, 0
	_, err = Guide(context.Background(), GuideOptions{Start: 3, Count: 36, Level: faults.Swarm, Design: d, Each: func(x *GuidedRun) {
		s, _ := reread(x.File(d))
		if s == nil {
			t.Fatalf("run %d cannot be printed and read again", x.Number)
		}
		again, err := Run(s, Options{Protocol: d.Config})
		if err != nil {
			t.Fatal(err)
		}
		if again.Hash != x.result.Hash || again.Unused > 0 || x.Differs {
			t.Errorf("run %d, seed %d, %+v: its file runs to %016x, not to %016x; %d choices did not apply", x.Number, x.Seed, x.Branches,
				again.Hash, x.result.Hash, again.Unused)
		}
		if n := len(x.Branches); n > 0 {
			extended++
			deep += n - 1
			planted += len(x.Branches[n-1].Faults)
			if x.Branches[n-1].Faults == nil {
				t.Errorf("run %d: no faults are no list in JSON", x.Number)
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if extended < 12 || planted < 4 || deep == 0 {
		t.Errorf("%d extensions, %d faults added, %d extensions of extensions", extended, planted, deep)
	}
}

// Equal options give equal reports.
func TestGuideIsDeterministic(t *testing.T) {
	alone(t)
	var texts []string
	for range 2 {
		text, err := json.Marshal(guided(t, "aligned", GuideOptions{Count: 14, Level: faults.Swarm}))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if texts[0] != texts[1] {
		t.Error("the same search, done twice, differs")
	}
}

// Blind, a search does what a sweep does.
func TestBlindGuideIsASweep(t *testing.T) {
	alone(t)
	r := guided(t, "start-stop", GuideOptions{Start: 5, Count: 12, Level: faults.Swarm, Blind: true})
	d, err := Choose(&format.Scenario{}, "start-stop", nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Sweep(context.Background(), SweepOptions{Start: 5, Count: 12, Level: faults.Swarm, Designs: []*Design{d}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Deliveries != s.Deliveries || r.Violated != s.Violated || r.Seeds != 12 || r.Extended != 0 || len(r.Failures) != len(s.Failures) {
		t.Errorf("%+v\na sweep has %d deliveries, %d violated, %d groups", r, s.Deliveries, s.Violated, len(s.Failures))
	}
}

// The coarse states that are kept up event by event are those that the ledger has, turn by turn.
func TestCoarseStatesAreKeptUp(t *testing.T) {
	alone(t)
	d, err := Choose(&format.Scenario{}, "hardened", nil)
	if err != nil {
		t.Fatal(err)
	}
	g := &guide{ctx: context.Background(), options: GuideOptions{Level: faults.Swarm, Design: d}, rules: Options{Protocol: d.Config},
		seen: map[checkers.Coarse]int{}}
	states := map[checkers.Coarse]bool{}
	for range 20 {
		p, err := g.begin()
		if err != nil {
			t.Fatal(err)
		}
		for p.turn() {
			if p.turns%5 > 0 {
				continue
			}
			for on, had := range p.last {
				if is := p.run.ledger().Coarse(on.cluster, on.partition); is != had {
					t.Fatalf("seed %d, turn %d: %v is %v, held for %v", p.seed, p.turns, on, is, had)
				}
				states[had] = true
			}
		}
		g.runs++
		g.learn(p)
	}
	if len(states) < 100 || len(g.pool) == 0 {
		t.Errorf("%d states, %d snapshots", len(states), len(g.pool))
	}
}

func TestPool(t *testing.T) {
	seen := map[checkers.Coarse]int{}
	var p pool
	if p.pick(seen) != nil {
		t.Error("an empty pool has a snapshot")
	}
	for i := range poolSize + 10 {
		x := checkers.Coarse(i + 1)
		seen[x] = 1 + i%7
		p.add(&snapshot{state: x, turns: i}, seen)
	}
	if len(p) != poolSize {
		t.Fatalf("it has %d snapshots, want %d", len(p), poolSize)
	}
	for _, s := range p[:poolSize-1] { // the last one may be the worst: it is the newest
		if seen[s.state] == 7 && s.turns < 21 {
			t.Errorf("it has kept a state that %d runs have seen, snapshot %d", seen[s.state], s.turns)
		}
	}
	first := p.pick(seen)
	if first.turns != 0 {
		t.Errorf("it picks snapshot %d first, want the oldest of the rarest", first.turns)
	}
	first.used++
	if second := p.pick(seen); second.turns != 7 {
		t.Errorf("it picks snapshot %d then, want the next of the rarest", second.turns)
	}
	seen[checkers.Coarse(1)] = 0 // the rarest by far
	for first.used < mostUsed {
		if p.pick(seen) != first {
			t.Fatal("it does not pick the rarest")
		}
		first.used++
	}
	if p.pick(seen) == first {
		t.Error("a snapshot is extended more often than it may be")
	}
	n := len(p)
	again := &snapshot{state: p[3].state}
	if p.add(again, seen); len(p) != n || p[n-1] == again {
		t.Error("a second snapshot of a state takes the place of one that was not extended yet")
	}
	p[3].used = 1
	if p.add(again, seen); len(p) != n || p[n-1] != again {
		t.Error("a second snapshot of a state does not take the place of one that was extended")
	}
}

func TestMedianFirst(t *testing.T) {
	yes := func(d uint64) First { return First{true, int(d) / 10, d} }
	no := First{false, 100, 1000}
	for _, c := range []struct {
		list []First
		want First
	}{
		{[]First{yes(30), yes(10), yes(20)}, yes(20)},
		{[]First{no, yes(10), no}, no},
		{[]First{no, yes(900), yes(10)}, yes(900)},
		{[]First{yes(2000), no, yes(1)}, yes(2000)}, // one that was found is before one that was not
	} {
		if got := medianFirst(c.list); got != c.want {
			t.Errorf("of %v it is %v, want %v", c.list, got, c.want)
		}
	}
}

// What is found in equal searches at equal cost is neither sooner nor later; what is easy is left out.
func TestTally(t *testing.T) {
	row := func(b, g First) *GuidanceRow { return &GuidanceRow{Blind: []First{b}, Guided: []First{g}} }
	at := func(runs int) First { return First{true, runs, uint64(runs) * 1000} }
	none := First{false, 300, 300_000}
	c := &Guidance{Rows: []*GuidanceRow{row(at(easy), at(1)), row(at(9), at(9)), row(none, none), row(at(90), at(10)), row(none, at(200)),
		row(at(10), at(90)), row(at(200), none)}}
	if sooner, later, same := c.Tally(); sooner != 2 || later != 2 || same != 2 {
		t.Errorf("%d sooner, %d later, %d neither; want 2 of each", sooner, later, same)
	}
}

// A comparison notes what its searches saw, whatever the order in which they end.
func TestMeasureGuidance(t *testing.T) {
	d, err := Choose(&format.Scenario{}, "start-stop", nil)
	if err != nil {
		t.Fatal(err)
	}
	o := GuidanceOptions{Designs: []*Design{d}, Level: faults.Swarm, Start: 2, Bases: 2, Runs: 4}
	c, err := MeasureGuidance(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	for base := range 2 {
		for _, blind := range []bool{true, false} {
			first := map[string]First{}
			g := GuideOptions{Start: 2 + uint64(base)*basesApart, Count: 4, Level: faults.Swarm, Design: d, Blind: blind,
				Each: func(x *GuidedRun) {
					for _, p := range x.Problems {
						if !first[p.Property].Found {
							first[p.Property] = First{true, x.Number, x.Total}
						}
					}
				}}
			if _, err := Guide(context.Background(), g); err != nil {
				t.Fatal(err)
			}
			for _, row := range c.Rows {
				got := row.Guided[base]
				if blind {
					got = row.Blind[base]
				}
				if want, ok := first[row.Property]; ok && got != want || blind && !ok && got.Found {
					t.Errorf("base %d, blind %v, %s: %+v, want %+v", base, blind, row.Property, got, want)
				}
			}
		}
	}
	if c.Blind.Runs != 8 || c.Guided.Deliveries < c.Blind.Deliveries || len(c.Rows) == 0 {
		t.Errorf("%+v", c)
	}
	interrupted(t, o, c)
}

// interrupted: stopped after a pair, the answer is the pairs that were made, as they are in the whole; stopped before, it is none.
func interrupted(t *testing.T, o GuidanceOptions, whole *Guidance) {
	for after := range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		o.Each = cancel
		if after == 0 {
			cancel()
		}
		c, err := MeasureGuidance(ctx, o)
		if err != nil || c.Pairs < after || c.Pairs > after*o.Bases || c.StoppedEarly != (c.Pairs < o.Bases) || len(c.Rows) > 0 != (c.Pairs > 0) {
			t.Fatalf("stopped after %d pairs: %v, %+v", after, err, c)
		}
		for _, row := range c.Rows {
			i := slices.IndexFunc(whole.Rows, func(x *GuidanceRow) bool { return x.Property == row.Property })
			if len(row.Blind) != c.Pairs || len(row.Guided) != c.Pairs || i < 0 || !slices.Contains(whole.Rows[i].Blind, row.Blind[0]) {
				t.Errorf("%d pairs: %+v is not as in the whole", c.Pairs, row)
			}
		}
	}
}

// The number of an extension is one that JSON holds exactly, whatever the seed, and two runs of a seed have two.
func TestExtensionNumbers(t *testing.T) {
	for _, seed := range []uint64{0, 7, 1 << 33, 1<<53 - 1} {
		if a, b := extension(seed, 1), extension(seed, 2); a == b || a >= 1<<53 || b >= 1<<53 {
			t.Errorf("seed %d: %d and %d", seed, a, b)
		}
	}
}
