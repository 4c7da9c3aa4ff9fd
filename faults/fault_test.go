package faults

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mirrorsim/model/id"
	"mirrorsim/model/point"
)

func TestParse(t *testing.T) {
	table := []struct {
		text string
		want Planned
	}{
		{"crash b1", Planned{Fault: Fault{Kind: Crash, Target: Target{Node: "b1"}}}},
		{"crash b1 for 5s", Planned{Fault: Fault{Kind: Crash, Target: Target{Node: "b1"}, For: 5 * id.Second}}},
		{"cut a0>b1 for 20s", Planned{Fault: Fault{Kind: Cut, Target: Target{Node: "a0", Peer: "b1"}, For: 20 * id.Second}}},
		{"delay b2 by=3s", Planned{Fault: Fault{Kind: Delay, Target: Target{Node: "b2"}, Amount: 3_000_000}}},
		{"power-loss b1 for 5s if-spared", Planned{Fault: Fault{Kind: PowerLoss, Target: Target{Node: "b1"}, For: 5 * id.Second,
			Spare: true}}},
		{"corrupt A/t-0 offset=4 for 5s", Planned{Fault: Fault{Kind: Corrupt, Target: Target{Role: "leader A/t-0"}, Amount: 4, For: 5 * id.Second}}},
		{"corrupt A/t-0 offset=0", Planned{Fault: Fault{Kind: Corrupt, Target: Target{Role: "leader A/t-0"}}}},
		{"heal a0>b1", Planned{Fault: Fault{Kind: Heal, Target: Target{Node: "a0", Peer: "b1"}}}},
		{"power-loss leader B/t-0 at-point stop.epoch-bumped nth=2", Planned{When{Point: point.EpochBumped, Nth: 2},
			Fault{Kind: PowerLoss, Target: Target{Role: "leader B/t-0"}}}},
		{"crash coordinator B/m B/t-0 at-point state.stored", Planned{When{Point: point.StateStored, Nth: 1},
			Fault{Target: Target{Role: "coordinator B/m B/t-0"}}}},
	}
	for _, c := range table {
		t.Run(c.text, func(t *testing.T) {
			got, err := Parse(strings.Fields(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("parsed (-want +got):\n%s", d)
			}
			if text := string(got.AppendText(nil)); text != c.text {
				t.Errorf("printed %q", text)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	table := []struct{ text, want string }{
		{"", `the fault ends too early; accepted: a kind of fault`},
		{"crsh b1", `"crsh": unknown kind of fault; accepted: crash, power-loss, cut, delay, heal, corrupt`},
		{"crash", `the fault ends too early; accepted: a target`},
		{"crash a0>b1", `"a0>b1": a crash falls upon a node; accepted: NODE, leader TP, coordinator MIRROR TP`},
		{"cut a0>", `"a0>": not a target; accepted: NODE, NODE>NODE, leader TP, coordinator MIRROR TP`},
		{"cut a0>a0", `"a0>a0": not a target; accepted: NODE, NODE>NODE, leader TP, coordinator MIRROR TP`},
		{"crash leader", `the fault ends too early; accepted: a partition`},
		{"crash coordinator m", `the fault ends too early; accepted: a partition`},
		{"delay a0", `a delay needs its amount; accepted: by=TIME`},
		{"crash a0 by=3s", `"by=3s": only a delay has an amount`},
		{"crash a0 for 3", `"3": not a time above 0; accepted: a whole number and us, ms, s, m or h, such as 500ms`},
		{"crash a0 for 0s", `"0s": not a time above 0; accepted: a whole number and us, ms, s, m or h, such as 500ms`},
		{"crash a0 at-point stop.nth", `"stop.nth": unknown point; accepted: ` + strings.Join(Points(), ", ")},
		{"crash a0 at-point state.stored nth=0", `"nth=0": not a number that is accepted here; accepted: a whole number from 1 on`},
		{"crash a0 a1", `"a1": unexpected word in a fault; accepted: by=TIME, offset=N, for TIME, if-spared, at-point POINT [nth=N]`},
		{"cut a0 if-spared", `"if-spared": only a crash or a power loss depends on the ISR`},
		{"corrupt A/t-0", `what is corrupted has an offset; accepted: offset=N`},
		{"corrupt A/t-0 offset=-1", `"offset=-1": not a number that is accepted here; accepted: a whole number from 0 on`},
		{"corrupt A/t-0 offset=1 if-spared", `"if-spared": only a crash or a power loss depends on the ISR`},
		{"heal a0 for 3s", `"for": what is healed stays so`},
	}
	for _, c := range table {
		t.Run(c.text, func(t *testing.T) {
			_, err := Parse(strings.Fields(c.text))
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestRoles(t *testing.T) {
	if tp, ok := (Target{Role: "leader B/t-0"}).Leader(); tp != "B/t-0" || !ok {
		t.Errorf("leader of %q, %v", tp, ok)
	}
	if m, tp, ok := (Target{Role: "coordinator m B/t-0"}).Coordinator(); m != "m" || tp != "B/t-0" || !ok {
		t.Errorf("coordinator of %q, %q, %v", m, tp, ok)
	}
	if _, ok := (Target{Node: "b1"}).Leader(); ok {
		t.Error("a node is no leader")
	}
	if _, _, ok := (Target{Role: "leader B/t-0"}).Coordinator(); ok {
		t.Error("a leader is no coordinator")
	}
}

// Draw makes a fault that has a text form.
func draw(t *rapid.T) Planned {
	name := rapid.SampledFrom([]string{"a0", "b1", "b-log", "p"})
	var p Planned
	f := &p.Fault
	f.Kind = Kind(rapid.IntRange(0, int(kinds)-1).Draw(t, "kind"))
	switch rapid.IntRange(0, 3).Draw(t, "target") {
	case 0:
		f.Target.Node = name.Draw(t, "node")
	case 1:
		f.Target.Role = "leader B/t-0"
	case 2:
		f.Target.Role = "coordinator m B/t-0"
	case 3:
		f.Target.Node = name.Draw(t, "node")
		if f.Kind != Crash && f.Kind != PowerLoss {
			f.Target.Peer = name.Filter(func(s string) bool { return s != f.Target.Node }).Draw(t, "peer")
		}
	}
	if f.Kind == Corrupt {
		f.Target, f.Amount = Target{Role: "leader B/t-0"}, rapid.Int64Range(0, 1<<40).Draw(t, "offset")
	}
	if f.Kind == Delay {
		f.Amount = rapid.Int64Range(1, 1<<40).Draw(t, "amount")
	}
	if f.Kind != Heal {
		f.For = id.Duration(rapid.Int64Range(0, 1<<40).Draw(t, "for"))
	}
	f.Spare = (f.Kind == Crash || f.Kind == PowerLoss) && rapid.Bool().Draw(t, "spare")
	if rapid.Bool().Draw(t, "at a point") {
		p.When.Point = point.Point(rapid.IntRange(1, point.Points-1).Draw(t, "point"))
		p.When.Nth = rapid.Uint32Range(1, 9).Draw(t, "nth")
	}
	return p
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := draw(t)
		text := string(want.AppendText(nil))
		got, err := Parse(strings.Fields(text))
		if err != nil || got != want {
			t.Fatalf("%q reads as %+v, %v, want %+v", text, got, err, want)
		}
	})
}
