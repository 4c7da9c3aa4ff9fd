package faults

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/model/wire"
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
		{"crash b1 at-point state.stored on=b0", Planned{When{Point: point.StateStored, Nth: 1, On: Target{Node: "b0"}},
			Fault{Target: Target{Node: "b1"}}}},
		{"crash b1 at-point state.stored nth=3 on=leader B/t-0", Planned{When{Point: point.StateStored, Nth: 3, On: Target{Role: "leader B/t-0"}},
			Fault{Target: Target{Node: "b1"}}}},
		{"crash there for 5s at-point coordinator.load-begun nth=2", Planned{When{Point: point.LoadBegun, Nth: 2},
			Fault{Target: Target{Role: There}, For: 5 * id.Second}}},
		{"pause leader B/t-0 for 12s", Planned{Fault: Fault{Kind: Pause, Target: Target{Role: "leader B/t-0"}, For: 12 * id.Second}}},
		{"slow b1 by=2s", Planned{Fault: Fault{Kind: Slow, Target: Target{Node: "b1"}, Amount: 2_000_000}}},
		{"disk-slow b1 by=2s for 1m", Planned{Fault: Fault{Kind: DiskSlow, Target: Target{Node: "b1"}, Amount: 2_000_000, For: id.Minute}}},
		{"disk-full b1 for 1m", Planned{Fault: Fault{Kind: DiskFull, Target: Target{Node: "b1"}, For: id.Minute}}},
		{"disk-error b1 B/t-0 for 1m", Planned{Fault: Fault{Kind: DiskError, Target: Target{Node: "b1"}, TP: "B/t-0", For: id.Minute}}},
		{"disk-error leader B/t-0", Planned{Fault: Fault{Kind: DiskError, Target: Target{Role: "leader B/t-0"}}}},
		{"isolate A for 20s", Planned{Fault: Fault{Kind: Isolate, Target: Target{Node: "A"}, For: 20 * id.Second}}},
		{"stale b1 for 20s", Planned{Fault: Fault{Kind: Stale, Target: Target{Node: "b1"}, For: 20 * id.Second}}},
		{"move-controller A", Planned{Fault: Fault{Kind: MoveController, Target: Target{Node: "A"}}}},
		{"move-controller A to=a-c1", Planned{Fault: Fault{Kind: MoveController, Target: Target{Node: "A"}, To: "a-c1"}}},
		{"move-coordinator B/m B/t-0 to=b1", Planned{Fault: Fault{Kind: MoveCoordinator, Target: Target{Role: "coordinator B/m B/t-0"}, To: "b1"}}},
		{"drop A>b0 api=FetchRequest", Planned{Fault: Fault{Kind: Drop, Target: Target{Node: "A", Peer: "b0"}, API: wire.Fetch, Nth: 1}}},
		{"drop b0 api=FetchResponse for 2s", Planned{Fault: Fault{Kind: Drop, Target: Target{Node: "b0"}, API: wire.Fetch + 1, For: 2 * id.Second}}},
		{"late a0>b0 by=3s api=ProduceRequest nth=2", Planned{Fault: Fault{Kind: Late, Target: Target{Node: "a0", Peer: "b0"}, Amount: 3_000_000, Nth: 2}}},
		{"twice leader B/t-0 by=3s api=WriteMirrorStatesResponse", Planned{Fault: Fault{Kind: Twice, Target: Target{Role: "leader B/t-0"},
			Amount: 3_000_000, API: wire.WriteMirrorStates + 1, Nth: 1}}},
		{"fence-producer tx", Planned{Fault: Fault{Kind: FenceProducer, Target: Target{Node: "tx"}}}},
		{"fence-producer tx on B at-point transaction.end-prepared", Planned{When{Point: point.EndPrepared, Nth: 1},
			Fault{Kind: FenceProducer, Target: Target{Node: "tx", Peer: "B"}}}},
		{"repeat-request B", Planned{Fault: Fault{Kind: RepeatRequest, Target: Target{Node: "B"}, Nth: 1}}},
		{"repeat-request B nth=16 at-point state.stored nth=2", Planned{When{Point: point.StateStored, Nth: 2},
			Fault{Kind: RepeatRequest, Target: Target{Node: "B"}, Nth: 16}}},
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
		{"crsh b1", `"crsh": unknown kind of fault; accepted: crash, power-loss, cut, delay, heal, pause, slow, isolate, stale, move-controller, move-coordinator, drop, late, twice, disk-slow, disk-full, disk-error, corrupt, fence-producer, repeat-request`},
		{"crash", `the fault ends too early; accepted: a target`},
		{"crash a0>b1", `"a0>b1": crash falls upon no link; accepted: NODE, leader TP, coordinator MIRROR TP, there`},
		{"cut a0>", `"a0>": not a target; accepted: NODE, NODE>NODE, leader TP, coordinator MIRROR TP, there`},
		{"cut a0>a0", `"a0>a0": not a target; accepted: NODE, NODE>NODE, leader TP, coordinator MIRROR TP, there`},
		{"crash leader", `the fault ends too early; accepted: a partition`},
		{"crash coordinator m", `the fault ends too early; accepted: a partition`},
		{"delay a0", `delay needs an amount; accepted: by=TIME`},
		{"crash a0 by=3s", `"by=3s": crash takes no amount`},
		{"crash a0 for 3", `"3": not a time above 0; accepted: a whole number and us, ms, s, m or h, such as 500ms`},
		{"crash a0 for 0s", `"0s": not a time above 0; accepted: a whole number and us, ms, s, m or h, such as 500ms`},
		{"crash a0 at-point stop.nth", `"stop.nth": unknown point; accepted: ` + strings.Join(Points(), ", ")},
		{"crash a0 at-point state.stored nth=0", `"nth=0": not a number that is accepted here; accepted: a whole number from 1 on`},
		{"crash a0 a1", `"a1": unexpected word in a fault; accepted: for TIME, if-spared, at-point POINT [nth=N] [on=NODE]`},
		{"cut a0 if-spared", `"if-spared": only a crash or a power loss depends on the ISR`},
		{"heal a0 for 3s", `"for": heal does not last`},
		{"pause a0>b0", `"a0>b0": pause falls upon no link; accepted: NODE, leader TP, coordinator MIRROR TP, there`},
		{"isolate A>B", `"A>B": isolate falls upon no link; accepted: CLUSTER`},
		{"isolate leader A/t-0", `"A/t-0": unexpected word in a fault; accepted: for TIME, at-point POINT [nth=N] [on=NODE]`},
		{"heal a0>", `"a0>": not a target; accepted: NODE, NODE>NODE, leader TP, coordinator MIRROR TP, there, CLUSTER`},
		{"stale a0", `stale needs its time; accepted: for TIME`},
		{"slow a0", `slow needs an amount; accepted: by=TIME`},
		{"late a0 api=FetchRequest", `late needs an amount; accepted: by=TIME`},
		{"drop a0", `drop needs to know of which message; accepted: api=MESSAGE`},
		{"drop a0 api=Fetch", `"api=Fetch": unknown message; accepted: ` + strings.Join(messages(), ", ")},
		{"drop a0 api=FetchRequest nth=2 for 3s", `"for": one message is meant, or every one for a time; accepted: nth=N, for TIME`},
		{"cut a0 api=FetchRequest", `"api=FetchRequest": cut waits for no message`},
		{"crash a0 to=b0", `"to=b0": crash gives no role to anybody`},
		{"move-controller A to=", `"to=": not a node; accepted: to=NODE`},
		{"move-controller A for 3s", `"for": move-controller does not last`},
		{"move-coordinator m", `the fault ends too early; accepted: a partition`},
		{"crash a0 at-point state.stored on=", `"on=": not a node; accepted: on=NODE, on=leader TP, on=coordinator MIRROR TP`},
		{"slow a0 by=1s a1", `"a1": unexpected word in a fault; accepted: by=TIME, for TIME, at-point POINT [nth=N] [on=NODE]`},
		{"drop a0 api=FetchRequest a1", `"a1": unexpected word in a fault; accepted: api=MESSAGE, nth=N, for TIME, at-point POINT [nth=N] [on=NODE]`},
		{"disk-error a0 a1", `"a1": unexpected word in a fault; accepted: TP, for TIME, at-point POINT [nth=N] [on=NODE]`},
		{"move-controller A a1", `"a1": unexpected word in a fault; accepted: to=NODE, at-point POINT [nth=N] [on=NODE]`},
		{"crash there", `"there": somebody is there when a point is reached; accepted: at-point POINT`},
		{"disk-error there A/t-0 at-point state.stored", `"A/t-0": whoever is there may have no log of it; without a partition all of its logs are meant`},
		{"stale there for 3s at-point bump.appended", `"bump.appended": stale falls upon a broker, and none reaches this point; accepted: ` + strings.Join(brokerPoints(), ", ")},
		{"corrupt A/t-0", `what is corrupted has an offset; accepted: offset=N`},
		{"corrupt A/t-0 offset=-1", `"offset=-1": not a number that is accepted here; accepted: a whole number from 0 on`},
		{"corrupt A/t-0 offset=1 if-spared", `"if-spared": only a crash or a power loss depends on the ISR`},
		{"fence-producer", `the fault ends too early; accepted: a transactional client`},
		{"fence-producer tx on", `the fault ends too early; accepted: a cluster`},
		{"fence-producer tx A", `"A": unexpected word in a fault; accepted: on CLUSTER, at-point POINT [nth=N] [on=NODE]`},
		{"fence-producer tx for 3s", `"for": fence-producer does not last`},
		{"repeat-request A>B", `"A>B": repeat-request falls upon no link; accepted: CLUSTER`},
		{"repeat-request B nth=17", `"nth=17": so many requests are not remembered; accepted: nth=1 to nth=16`},
		{"repeat-request B to=b1", `"to=b1": repeat-request gives no role to anybody`},
		{"repeat-request B A", `"A": unexpected word in a fault; accepted: nth=N, at-point POINT [nth=N] [on=NODE]`},
		{"corrupt A/t-0 offset=1 a1", `"a1": unexpected word in a fault; accepted: offset=N, for TIME, at-point POINT [nth=N] [on=NODE]`},
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

// draw makes a fault that has a text form.
func draw(t *rapid.T) Planned {
	var p Planned
	f := &p.Fault
	f.Kind = Kind(rapid.IntRange(0, int(kinds)-1).Draw(t, "kind"))
	f.Target = drawTarget(t, f.Kind)
	if f.Kind == Corrupt {
		f.Amount = rapid.Int64Range(0, 1<<40).Draw(t, "offset")
	}
	if f.Kind.Takes() {
		f.Amount = rapid.Int64Range(1, 1<<40).Draw(t, "amount")
	}
	last := f.Kind.row().lasts
	if last == mustLast || last == mayLast && rapid.Bool().Draw(t, "lasts") {
		f.For = id.Duration(rapid.Int64Range(1, 1<<40).Draw(t, "for"))
	}
	if f.Kind.OfMessages() {
		f.API = rapid.SampledFrom(wire.Messages()).Draw(t, "api")
		if f.For == 0 {
			f.Nth = rapid.Uint32Range(1, 9).Draw(t, "nth message")
		}
	}
	if f.Kind == RepeatRequest {
		f.Nth = rapid.Uint32Range(1, MostRepeated).Draw(t, "nth last")
	}
	if f.Kind == DiskError {
		f.TP = rapid.SampledFrom([]string{"", "B/t-0"}).Draw(t, "partition")
	}
	if f.Kind.Moves() {
		f.To = rapid.SampledFrom([]string{"", "b1"}).Draw(t, "to")
	}
	f.Spare = f.Kind.Downs() && rapid.Bool().Draw(t, "spare")
	if rapid.Bool().Draw(t, "at a point") {
		p.When.Point = point.Point(rapid.IntRange(1, point.Points-1).Draw(t, "point"))
		p.When.Nth = rapid.Uint32Range(1, 9).Draw(t, "nth")
		p.When.On = rapid.SampledFrom([]Target{{}, {Node: "b1"}, {Role: "leader B/t-0"}, {Role: "coordinator m B/t-0"}}).Draw(t, "on")
	}
	return p
}

func drawTarget(t *rapid.T, k Kind) (x Target) {
	name := rapid.SampledFrom([]string{"a0", "b1", "b-log", "p"})
	form := rapid.IntRange(0, 3).Draw(t, "target")
	switch {
	case k.row().falls == onTransactional:
		x.Node, x.Peer = "tx", rapid.SampledFrom([]string{"", "B"}).Draw(t, "cluster")
	case k.row().falls == onEntry || form == 1 && !k.OfCluster() && k.row().falls != onBatch:
		x.Role = "coordinator m B/t-0"
	case k.row().falls == onBatch || form == 2 && !k.OfCluster():
		x.Role = "leader B/t-0"
	case form == 3 && k.OfLinks():
		x.Node = name.Draw(t, "node")
		x.Peer = name.Filter(func(s string) bool { return s != x.Node }).Draw(t, "peer")
	default:
		x.Node = name.Draw(t, "node")
	}
	return x
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
