package scenarios

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/wire"
)

// hit is a topology for faults, up to B mirroring three records of A: b0 leads B/t-0, b2 coordinates it.
var hit = strings.NewReplacer("cluster B brokers=3", "cluster B brokers=3 controllers=2",
	"client p", "topic __mirror_state on B partitions=1 replicas=2 assign=b2,b1\nclient x producer on A plain\nclient p").Replace(small)

const hitMirroring = `start t in B/m
until state B/t-0=MIRRORING
until lag B/t-0=0
`

// visible are faults, what comes before them, and what is so behind them and would not be without them.
var visible = []struct{ fault, before, behind string }{
	{"pause b0 for 12s", hitMirroring, `until leader B/t-0=b1 within 15s
until isr B/t-0=2
`},
	{"slow b0 by=3s for 20s", hitMirroring, `produce p A/t-0 1
until leo B/t-0=4 within 2s or-go-on
expect leo B/t-0=3
until leo B/t-0=4 within 20s
`},
	{"disk-slow a0 by=3s for 20s", hitMirroring, `at 10s produce p A/t-0 1
at 12s describe B/t-0 in B/m
expect leo A/t-0=4
expect leo B/t-0=3
until leo B/t-0=4 within 20s
`},
	{"isolate A for 9s", hitMirroring, `produce p A/t-0 1
expect error last=NONE
until leo B/t-0=4 within 5s or-go-on
expect leo B/t-0=3
until leo B/t-0=4
`},
	{"stale b1 for 9s", hitMirroring, `elect B/t-0 to=b1
produce p A/t-0 1
until leo B/t-0@b1=4 within 5s or-go-on
expect leader B/t-0=b1
expect leo B/t-0@b1=3
until leo B/t-0@b1=4
`},
	{"move-coordinator B/m B/t-0 to=b1", hitMirroring, `until leader B/__mirror_state-0=b1 within 5s
`},
	{"late b2>b0 by=9s api=WriteMirrorStatesResponse", "", `start t in B/m
until state B/t-0=MIRRORING within 5s or-go-on
expect state B/t-0=PREPARING
until state B/t-0=MIRRORING
`},
	{"twice x>a0 by=1s api=ProduceRequest nth=2", hitMirroring, `produce x A/t-0 2
until leo A/t-0=6 within 3s
`},
	{"drop a0>b0 api=FetchResponse for 9s", hitMirroring, `produce p A/t-0 1
until leo B/t-0=4 within 5s or-go-on
expect leo B/t-0=3
until leo B/t-0=4
`},
	{"disk-full b0 for 4s", hitMirroring, `produce p A/t-0 1
until state B/t-0=FAILED within 5s
expect reason B/t-0=storage-error
expect leo B/t-0=3
expect leader B/t-0=b0
until leo B/t-0=4
`},
	{"disk-full leader B/t-0 for 9s at-point stop.position-recorded", hitMirroring, `stop t in B/m
until state B/t-0=STOPPED within 5s or-go-on
expect state B/t-0=STOPPING
until state B/t-0=STOPPED
`},
	{"disk-full b1 for 60s", hitMirroring, `produce p A/t-0 1
until isr B/t-0=1
expect leo B/t-0@b0=4
expect leo B/t-0@b1=3
until isr B/t-0=2
`},
	{"disk-full a0 for 9s", hitMirroring, `at 5s produce x A/t-0 1
at 8s describe B/t-0 in B/m
expect leo A/t-0=3
until leo A/t-0=4
`},
	{"disk-error b0 for 60s", hitMirroring, `until leader B/t-0=b1 within 5s
until isr B/t-0=1
until leader B/__mirror_state-0=b2
produce p A/t-0 1
until leo B/t-0=4
until isr B/t-0=2
expect leader B/t-0=b1
`},
	{"disk-error b2 B/__mirror_state-0 for 60s", hitMirroring, `until leader B/__mirror_state-0=b1 within 5s
stop t in B/m
until state B/t-0=STOPPED within 5s
`},
	{"disk-error leader B/t-0 B/t-0 at-point stop.position-recorded", hitMirroring, `stop t in B/m
until state B/t-0=STOPPED
expect leader B/t-0=b1
`},
	{"crash there for 60s at-point stop.position-recorded", hitMirroring, `stop t in B/m
until state B/t-0=STOPPED
expect leader B/t-0=b1
`},
	{"crash b1 at-point state.stored on=b0", "", hitMirroring + "until isr B/t-0=1 within 15s\n"},
	{"crash b1 at-point state.stored on=leader B/t-0", "", hitMirroring + "until isr B/t-0=1 within 15s\n"},
}

// With the fault every expectation is met, without it one is not: its effect shows, and so does its absence.
func TestFaultsShow(t *testing.T) {
	for _, c := range visible {
		t.Run(c.fault, func(t *testing.T) {
			met(t, hit+c.before+"fault "+c.fault+"\n"+c.behind)
			if r := play(t, hit+c.before+c.behind, nil); len(r.Failures) == 0 {
				t.Error("without the fault the same is so")
			}
		})
	}
}

// A point does not count when another node reaches it.
func TestPointsOnOthersDoNotCount(t *testing.T) {
	for _, on := range []string{"b1", "leader A/t-0", "coordinator B/m B/t-0"} {
		met(t, hit+"fault crash b1 at-point state.stored on="+on+"\n"+hitMirroring+"until isr B/t-0=1 within 15s or-go-on\nexpect isr B/t-0=2\n")
	}
}

// controllers are those that became active on B, in order, and when.
func controllers(t *testing.T, text string) (names []string, at []id.Duration) {
	t.Helper()
	var list []event.Event
	r := play(t, text, func(e *event.Event) {
		if e.Kind == event.ControllerElected {
			list = append(list, *e)
		}
	})
	if s := r.Summary(); s != "" {
		t.Error(s)
	}
	for _, e := range list {
		if r.Names.Node(e.Node) == "b-log" {
			names, at = append(names, r.Names.Node(e.Peer)), append(at, e.At)
		}
	}
	return names, at
}

func TestMoveController(t *testing.T) {
	const elect = "elect B/t-0 to=b1\nexpect error last=NONE\nexpect leader B/t-0=b1\n"
	for _, c := range []struct {
		lines string
		want  []string
	}{
		{elect, []string{"b-c0"}},
		{"fault move-controller B\n" + elect, []string{"b-c0", "b-c1"}},
		{"fault move-controller B to=b-c1\n" + elect + "fault move-controller B\nafter 1s elect B/t-0 to=b0\n", []string{"b-c0", "b-c1", "b-c0"}},
		{"fault move-controller B to=b-c0\n" + elect, []string{"b-c0"}},                                   // it is active already
		{"fault crash b-c1\nfault move-controller B\n" + elect, []string{"b-c0"}},                         // nobody else is up
		{"fault crash b-c1\nfault move-controller B to=b-c1\n" + elect, []string{"b-c0", "b-c1", "b-c0"}}, // the session runs out
		{"fault move-controller B at-point state.stored on=b0\n" + hitMirroring + elect, []string{"b-c0", "b-c1"}},
	} {
		t.Run(c.lines, func(t *testing.T) {
			if got, _ := controllers(t, hit+"until quiet\n"+c.lines); !slices.Equal(got, c.want) {
				t.Errorf("active were %v, want %v", got, c.want)
			}
		})
	}
}

// A controller that lags gets the role, and answers nothing before it has replayed the metadata log to its end.
func TestMoveToAControllerThatLags(t *testing.T) {
	const lines = "elect B/t-0 to=b1\nfault move-controller B to=b-c1\nat 10s elect B/t-0 to=b0\nat 15s describe B/t-0 in B/m\n"
	met(t, hit+"fault stale b-c1 for 20s\n"+lines+"expect leader B/t-0=b1\nuntil leader B/t-0=b0 within 20s\n")
	met(t, hit+lines+"expect leader B/t-0=b0\n")
}

// An answer that is lost is lost behind the effect of its request: the write is stored, and stored again.
func TestLostAnswer(t *testing.T) {
	stored := func(fault string) (n int) {
		r := play(t, hit+fault+hitMirroring, func(e *event.Event) {
			if e.Kind == event.StateWriteCalled {
				n++
			}
		})
		if s := r.Summary(); s != "" {
			t.Error(s)
		}
		return n
	}
	calm := stored("")
	if answer, request := stored("fault drop b2>b0 api=WriteMirrorStatesResponse\n"), stored("fault drop b0>b2 api=WriteMirrorStatesRequest\n"); answer <= calm || request <= calm {
		t.Errorf("writes were sent %d times, %d times when an answer, %d times when a request is lost", calm, answer, request)
	}
}

// The second phase ends everything that hinders.
func TestLiveMendsWhatHinders(t *testing.T) {
	for _, fault := range []string{"pause b0", "slow b0 by=3m", "disk-slow a0 by=3m", "isolate A", "stale b1 for 50m",
		"drop A>B api=FetchResponse for 50m", "disk-full b0", "disk-error b0", "disk-error b1 B/t-0"} {
		t.Run(fault, func(t *testing.T) {
			r := play(t, hit+hitMirroring+"fault "+fault+"\nelect B/t-0 to=b1\nlive within 2m\n", nil)
			for _, v := range r.Verdicts {
				if v.Status == checkers.Violated {
					t.Errorf("%s: %s", v.Property, v.Violations[0].Sentence)
				}
			}
		})
	}
}

// A story tells each of them.
func TestHindrancesAreTold(t *testing.T) {
	told := &teller{names: &id.Names{Nodes: []string{"b0", "b1"}, Topics: map[id.Topic]string{1: "t"}}}
	var got []string
	for _, e := range []event.Event{
		{Kind: event.NodeSet, Cause: uint8(event.Paused), To: 1},
		{Kind: event.NodeSet, Cause: uint8(event.Paused)},
		{Kind: event.NodeSet, Cause: uint8(event.SlowInputs), To: 1, Offset: 2_000_000},
		{Kind: event.NodeSet, Cause: uint8(event.SlowInputs)},
		{Kind: event.NodeSet, Cause: uint8(event.SlowAnswers), To: 1, Offset: 5_000},
		{Kind: event.NodeSet, Cause: uint8(event.SlowAnswers)},
		{Kind: event.NodeSet, Cause: uint8(event.DiskFull), To: 1},
		{Kind: event.NodeSet, Cause: uint8(event.DiskFull)},
		{Kind: event.NodeSet, Cause: uint8(event.DiskBroken), To: 1, Partition: id.Partition{Topic: 1, Index: 2}},
		{Kind: event.NodeSet, Cause: uint8(event.DiskBroken), To: 1},
		{Kind: event.NodeSet, Cause: uint8(event.DiskBroken)},
		{Kind: event.ReplicaFailed, Partition: id.Partition{Topic: 1, Index: 2}},
		{Kind: event.Caught, Peer: 1, To: uint8(wire.Fetch), Cause: uint8(event.Lost)},
		{Kind: event.Caught, Peer: 1, To: uint8(wire.Fetch), Cause: uint8(event.Late), Offset: 7},
		{Kind: event.Caught, Peer: 1, To: uint8(wire.Fetch + 1), Cause: uint8(event.Twice), Offset: 1_000},
	} {
		got = append(got, told.sentence(&e))
	}
	want := []string{"pauses", "goes on after its pause", "handles every input 2s later", "handles its inputs at once again",
		"sends its answers 5ms later", "sends its answers at once again",
		"has a full disk", "has room on its disk again", "can neither read nor write the log of t-2", "can neither read nor write its logs",
		"has a disk that is well again", "t-2 is offline: its log directory has failed",
		"FetchRequest to b1 is lost", "FetchRequest to b1 is 7us late",
		"FetchResponse to b1 comes twice, 1ms apart"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
