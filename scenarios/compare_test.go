package scenarios

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/faults"
	"mirrorsim/model/id"
	"mirrorsim/model/protocol"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim/choice"
)

func compareOf(t *testing.T, o CompareDesignsOptions) *DesignComparison {
	t.Helper()
	r, err := CompareDesigns(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	r.WallSeconds = 0
	return r
}

// revisionsToCompare are columns for those revisions.
func revisionsToCompare(t *testing.T, names ...string) (list []CompareDesign) {
	t.Helper()
	for _, name := range names {
		d, err := Choose(&format.Scenario{}, name, nil)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, CompareDesign{Name: name, Design: d})
	}
	return list
}

// Each column has what a sweep of the same seeds under that design alone has, however many runs are made at a time, and also where
// the seeds are more than a block.
func TestCompareIsASweepOfEach(t *testing.T) {
	sweeps(t)
	const start, count, block = 7, 10, 4
	columns := revisionsToCompare(t, "start-stop", "hardened")
	var want string
	for _, jobs := range []int{1, 3} {
		runs := 0
		r := compareOf(t, CompareDesignsOptions{Kind: CompareProtocols, Start: start, Count: count, Jobs: jobs, Level: faults.Light,
			Columns: columns, Each: func(bool) { runs++ }, block: block})
		text, err := json.MarshalIndent(r, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if jobs == 1 {
			want = string(text)
		}
		if d := cmp.Diff(want, string(text)); d != "" || runs != 2*count {
			t.Errorf("%d jobs, %d runs:\n%s", jobs, runs, d)
		}
		if r.ExitStatus() != 1 || r.Verdict != "violated" || r.StoppedEarly {
			t.Errorf("%s, exit status %d", r.Verdict, r.ExitStatus())
		}
		for i, c := range r.Columns {
			smallest := map[string]uint64{}
			alone := sweepOf(t, SweepOptions{Start: start, Count: count, Level: faults.Light,
				Designs: []*Design{columns[i].Design}, Each: func(seed uint64, x *Result) {
					for _, property := range x.violates() {
						if _, ok := smallest[property]; !ok {
							smallest[property] = seed
						}
					}
				}})
			if c.Runs != alone.Runs || c.Holds != alone.Holds || c.Violated != alone.Violated || c.Deliveries != alone.Deliveries {
				t.Errorf("%s: %d runs, %d hold, %d violated; alone %d, %d, %d", c.Name, c.Runs, c.Holds, c.Violated, alone.Runs,
					alone.Holds, alone.Violated)
			}
			if len(smallest) != len(c.fallen()) || (c.Violated > 0) != (c.Name == "start-stop") {
				t.Errorf("%s: %v fall, %d in the table", c.Name, smallest, len(c.fallen()))
			}
			for _, x := range c.fallen() {
				again := ReproduceSeed(columns[i].Design, *x.Seed, faults.Light)
				if *x.Seed != smallest[x.ID] || x.Reproduce != again || x.Sentence == "" {
					t.Errorf("%s: %+v", c.Name, x)
				}
			}
		}
	}
}

// The numbers of a cell are of all runs.
func TestCompareCountsEachRun(t *testing.T) {
	r := compareOf(t, CompareDesignsOptions{Count: 8, Level: faults.Swarm, Columns: revisionsToCompare(t, "aligned")})
	for _, x := range r.Columns[0].Properties {
		n := x.Holds + x.Violated + x.NotPromised + x.Unknown + x.NotExercised
		sampled := x.ID == Expectation || x.ID == Determinism || x.ID == "cross-check"
		if n != 8 && !sampled || n > 8 {
			t.Errorf("%s: %+v", x.ID, x)
		}
	}
}

// A comparison that is stopped has run nearly the same seeds of each design, and says that it was stopped.
func TestCompareStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	const block = 4
	runs := 0
	r, err := CompareDesigns(ctx, CompareDesignsOptions{Count: 1 << 20, Jobs: 1, block: block, Level: faults.None,
		Columns: revisionsToCompare(t, "hardened", "first", "aligned"), Each: func(bool) {
			if runs++; runs == 2*block+2 {
				cancel()
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	if !r.StoppedEarly || r.Verdict != "unknown" || r.ExitStatus() != 4 || !strings.Contains(r.Text(), "STOPPED") {
		t.Errorf("%+v", r)
	}
	a, b, c := r.Columns[0].Runs, r.Columns[1].Runs, r.Columns[2].Runs
	if a != block || b != block || c < 2 || c >= block {
		t.Errorf("%d, %d and %d runs", a, b, c)
	}
}

// A run that does not repeat is in the table, with its seed.
func TestCompareFindsNondeterminism(t *testing.T) {
	sweeps(t)
	planted := compared(0, true)
	r := compareOf(t, CompareDesignsOptions{Count: int(planted) + 1, Level: faults.None,
		Columns: revisionsToCompare(t, "hardened"), choices: func(seed uint64, second bool, c choice.Chooser) choice.Chooser {
			if second && seed == planted {
				return choice.Seeded(seed + 1)
			}
			return c
		}})
	x := r.Columns[0].cell(Determinism)
	if x.Violated != 1 || x.Seed == nil || *x.Seed != planted || r.ExitStatus() != 1 || !strings.Contains(r.Text(), "determinism") {
		t.Errorf("%+v", x)
	}
}

// The options of a decision are put into the base, which is one of them.
func TestCompareOptionsOf(t *testing.T) {
	base, err := Choose(&format.Scenario{}, "hardened", []string{"D2=leader"})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"D1", "marker"} {
		list, err := CompareOptionsOf(base, key)
		if err != nil || len(list) != 4 {
			t.Fatalf("%s: %v, %d options", key, err, len(list))
		}
		for _, x := range list {
			c := &x.Design.Config
			if c.Get("D1") != x.Name || c.Get("D2") != "leader" || x.Base != (x.Name == base.Config.Get("D1")) {
				t.Errorf("%s: %+v has %s", key, x, x.Design.Config.Get("D1"))
			}
			if x.Base != (x.Design.Config == base.Config) {
				t.Errorf("%s: %s is the base: %t", key, x.Name, x.Base)
			}
		}
	}
	var unknown *format.InputError
	if _, err := CompareOptionsOf(base, "colour"); !errors.As(err, &unknown) || !slices.Contains(unknown.Want, "marker") {
		t.Errorf("an unknown decision: %v", err)
	}
	if _, err := CompareOptionsOf(base, "D3"); err == nil || !strings.Contains(err.Error(), "--stop-orders") {
		t.Errorf("the stop order: %v", err)
	}
}

// All 120 orders of the stop steps are there, each once, and one of them is the base's own.
func TestCompareOrdersOf(t *testing.T) {
	base := designOf(t, "marker=epoch")
	list, err := CompareOrdersOf(base)
	if err != nil || len(list) != 120 {
		t.Fatalf("%v: %d orders", err, len(list))
	}
	seen, bases := map[protocol.Config]bool{}, 0
	for _, x := range list {
		if x.Design.Config.Get("D3") != x.Name || seen[x.Design.Config] {
			t.Errorf("%s is %s, or there twice", x.Name, x.Design.Config.Get("D3"))
		}
		seen[x.Design.Config] = true
		if x.Base {
			bases++
		}
	}
	if bases != 1 {
		t.Errorf("%d are the base", bases)
	}
}

// What is run of the orders falls for the reasons that the rule of the order has: where the transactions are dealt with before the
// fetcher is gone, say.
func TestCompareStopOrdersFindsWhatFalls(t *testing.T) {
	base, err := Choose(&format.Scenario{}, "hardened", nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := CompareOrdersOf(base)
	if err != nil {
		t.Fatal(err)
	}
	const turned = "reset,transactions,bump,record,fetchers"
	list = slices.DeleteFunc(list, func(x CompareDesign) bool { return !x.Base && x.Name != turned })
	r := compareOf(t, CompareDesignsOptions{Kind: CompareStopOrders, Count: 4, Level: faults.Light, Columns: list})
	table := r.table()
	if len(table) != 3 || table[1][0] != "fetchers,record,bump,transactions,reset (base)" || table[1][1] != "0 of 4" {
		t.Fatalf("%q", table)
	}
	if row := table[2]; row[1] == "0 of 4" || row[2] == "-" || row[3] == "" {
		t.Errorf("%q", row)
	}
	if text := r.Text(); strings.Count(text, "mirrorsim run --seed") != 1 || !strings.Contains(text, " --set stop-order="+turned) {
		t.Error(text)
	}
}

// The forms of a comparison have the same cells.
func TestCompareForms(t *testing.T) {
	seed := uint64(12)
	d := designOf(t)
	r := newDesignComparison(&CompareDesignsOptions{Kind: CompareDecision, Start: 3, Count: 20,
		Columns: []CompareDesign{{Name: "x", Design: d}, {Name: "y", Base: true, Design: d}}})
	*r.Columns[0].cell("durability") = CompareCell{ID: "durability", Holds: 15, Violated: 2, NotPromised: 1, Unknown: 1,
		NotExercised: 1, Seed: &seed, Sentence: "record 5 is lost"}
	*r.Columns[1].cell("durability") = CompareCell{ID: "durability", Holds: 20}
	for _, c := range r.Columns {
		c.Runs, c.Stops.all = 20, []id.Duration{3 * id.Second, id.Second, 20 * id.Millisecond, 4 * id.Second}
	}
	r.Columns[0].Violated, r.Columns[1].Holds = 2, 20
	r.finish()
	cells := []string{"durability", "15, 2 violated #12, 1 not promised, 1 unknown", "20"}
	times := []string{"stop: median, mean", "1.000, 2.005 s", "1.000, 2.005 s"}
	none, runs := []string{"failback: median, mean", "-", "-"}, []string{"runs violated", "2 of 20", "0 of 20"}
	for _, want := range [][]string{{"property", "x", "y (base)"}, cells, times, none, runs} {
		if !slices.ContainsFunc(r.table(), func(row []string) bool { return slices.Equal(row, want) }) {
			t.Errorf("no row %q in %q", want, r.table())
		}
		if row := "| " + strings.Join(want, " | ") + " |\n"; !strings.Contains(r.Markdown(), row) {
			t.Errorf("no row %q in\n%s", row, r.Markdown())
		}
	}
	for _, want := range []string{"options of one decision, seeds 3 to 22, faults none, base --protocol first",
		"x violates durability in 2 runs, first in that of seed 12:\n  record 5 is lost\n",
		"  mirrorsim run --seed 12 --faults none --protocol first\n"} {
		if !strings.Contains(r.Text(), want) {
			t.Errorf("it lacks %q:\n%s", want, r.Text())
		}
	}
	if strings.Contains(r.Text(), "epoch-order") || r.ExitStatus() != 1 {
		t.Errorf("exit status %d; a property that no run judged is in\n%s", r.ExitStatus(), r.Text())
	}
}

// A comparison beyond the budget, and one with a run that could not be judged, do not hold.
func TestCompareStatus(t *testing.T) {
	for _, c := range []struct {
		name   string
		column CompareColumn
		want   int
	}{
		{"holds", CompareColumn{Runs: 2, Holds: 2}, 0},
		{"not promised", CompareColumn{Runs: 2, Holds: 1, NotPromised: 1}, 4},
		{"unknown", CompareColumn{Runs: 2, Holds: 1, Unknown: 1}, 4},
		{"violated", CompareColumn{Runs: 2, Unknown: 1, Violated: 1}, 1},
		{"stopped", CompareColumn{Runs: 1, Holds: 1}, 4},
		{"stopped and violated", CompareColumn{Runs: 1, Violated: 1}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &DesignComparison{Count: 2, Columns: []*CompareColumn{{Runs: 2, Holds: 2}, &c.column}}
			r.finish()
			if r.ExitStatus() != c.want {
				t.Errorf("exit status %d, %s", r.ExitStatus(), r.Verdict)
			}
		})
	}
}
