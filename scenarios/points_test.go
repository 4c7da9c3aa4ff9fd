package scenarios

import (
	"strings"
	"testing"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/point"
)

// pointed is a run that comes to every point: it aligns, mirrors a transaction, stops, and begins the failback. Each of its
// parts has its own broker where that can be.
const pointed = `scenario pointed
cluster A brokers=2
cluster B brokers=3
topic t on A partitions=1 replicas=2
topic t on B partitions=1 replicas=2 id-of=A assign=b0,b1
topic __mirror_state on B partitions=1 replicas=2 assign=b2,b1
topic __transaction_state on A partitions=1 replicas=2 assign=a1,a0
client p producer on A
client x transactional on A
mirror m from A to B
mirror m from B to A

`

const pointedSteps = `start t in B/m
until state B/t-0=MIRRORING within 1m or-go-on
produce x A/t-0 2
at 20s commit x
at 40s produce x A/t-0 1
at 45s stop t in B/m
until state B/t-0=STOPPED within 1m or-go-on
at 2m elect coordinator B/m B/t-0
at 3m start t in A/m
at 4m live
`

// homes are the kinds of nodes at which each point is reached in the calm run.
var homes = map[point.Point]string{point.StateStored: "b0", point.LookupAnswered: "b0", point.LogAligned: "b0", point.ReplicasFollowed: "b0",
	point.FetcherRemoved: "b0", point.PositionRecorded: "b0", point.EpochBumped: "b0", point.TransactionsDone: "b0",
	point.ProducersReset: "b0", point.StateChosen: "b0", point.StateAppended: "b2", point.LoadBegun: "b2", point.LoadReplayed: "b2",
	point.BumpAppended: "b-log", point.BumpApplied: "b-c0", point.EndPrepared: "a1"}

func TestEveryPointIsReached(t *testing.T) {
	reached := map[point.Point]map[string]bool{}
	var events []event.Event
	r := play(t, pointed+pointedSteps, func(e *event.Event) {
		if e.Kind == event.PointReached {
			events = append(events, *e)
		}
	})
	if s := r.Summary(); s != "" {
		t.Error(s)
	}
	for _, e := range events {
		at := point.Point(e.To)
		if reached[at] == nil {
			reached[at] = map[string]bool{}
		}
		reached[at][r.Names.Node(e.Node)] = true
	}
	for p := point.None + 1; int(p) < point.Points; p++ {
		if !reached[p][homes[p]] {
			t.Errorf("%s is reached on %v, want %q", p, reached[p], homes[p])
		}
	}
}

// A crash, a pause or a failing disk at any point parts two effects, and everything comes to its end.
func TestFaultsAtEveryPoint(t *testing.T) {
	alone(t)
	for p := point.None + 1; int(p) < point.Points; p++ {
		home := homes[p]
		list := []string{"crash " + home + " for 20s", "pause " + home + " for 12s"}
		if !strings.Contains(home, "-") {
			list = append(list, "disk-error "+home+" for 20s")
		}
		for _, fault := range list {
			for _, nth := range []string{"", " nth=2"} {
				line := "fault " + fault + " at-point " + p.String() + nth + " on=" + home
				t.Run(line, func(t *testing.T) {
					fell := false
					r := play(t, pointed+line+"\n"+pointedSteps, func(e *event.Event) {
						fell = fell || e.Kind == event.Crashed || e.Kind == event.NodeSet
					})
					if !fell && nth == "" {
						t.Error("the fault has not fallen")
					}
					for _, v := range r.Verdicts {
						if v.Status == checkers.Violated {
							t.Errorf("%s: %s", v.Property, v.Violations[0].Sentence)
						}
					}
				})
			}
		}
	}
}
