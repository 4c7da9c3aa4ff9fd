package checkers

import (
	"slices"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/record"
)

type reportCase struct {
	name, want string
	build      func(b *builder) // what happens after mirrored
}

// reportsFall is what rightly falls in the histories of some reports.
var reportsFall = map[string][]ID{
	"copied anew, with the new source's log start above": {ExactCut, CleanSwitch},
	"stopped when it was cut, and nothing copied yet":    {CleanSwitch},
	"cut by the stop": {CleanSwitch, StopKeepsMirrored, PositionDurable},
}

var failoverReports = []reportCase{
	{"no stop", "partition t-0: no stop was completed\n", func(*builder) {}},
	{"nothing lost", `partition t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  nothing is lost
`, func(b *builder) { b.stopMirror(clusterB) }},
	{"lost at the failover, and taken after it", `partition t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 4, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  lost: 1 not mirrored when the failover's stop began
    A 3@0 record 7/4, acknowledged
  after: 1 taken by the old source after the failover, and still there only
    A 4@0 record 7/5
`, func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
		b.stopMirror(clusterB)
		b.append(a0, b.data(p1, 1, 7, 4), event.FromClient)
	}},
	{"failback", `partition t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 4, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  alignment A <- B by mirror m: position epoch 0
  lost: 1 not mirrored when the failover's stop began
    A 3@0 record 7/4, acknowledged
  discarded: 2 cut when the log was aligned, and the new source does not have them
    A 3@0 record 7/4, acknowledged
    A 4@0 record 7/5, acknowledged
`, func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
		b.stopMirror(clusterB)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 4))
		b.start(clusterA, true, 3, event.Diverged)
		b.catchUp(clusterA)
	}},
}

var alignmentReports = []reportCase{
	{"restarted at the new source's log start", `partition t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  alignment A <- B by mirror m: position epoch 0
  trimmed: 3 cut, and below the log start of the new source
    A 0@0 record 7/1, acknowledged
    A 1@0 record 7/2, acknowledged
    A 2@0 record 7/3, acknowledged
`, func(b *builder) {
		b.stopMirror(clusterB)
		b.on(event.StartMoved, b0, event.Event{Offset: 4})
		b.start(clusterA, true, 3, event.Diverged)
		b.on(event.Truncated, a0, event.Event{Offset: 4, End: 3, Cause: uint8(event.RestartedAt)})
		b.on(event.StartMoved, a0, event.Event{Offset: 4})
	}},
	{"copied anew, with the new source's log start above", `partition t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  alignment A <- B by mirror m: no position, so the log is copied anew
  trimmed: 2 cut, and below the log start of the new source
    A 0@0 record 7/1, acknowledged
    A 1@0 record 7/2, acknowledged
  copied again: 1 cut, and the new source or the cluster in charge has it
    A 2@0 record 7/3, acknowledged
`, func(b *builder) {
		b.stopMirror(clusterB)
		b.on(event.StartMoved, b0, event.Event{Offset: 2})
		b.start(clusterA, false, 0, event.AlignedToLME)
	}},
	{"cut by the stop", `partition t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 2, source end 3, position epoch -1
  alignment B <- A by mirror m: no position, so the log is copied anew
  lost: 1 not mirrored when the failover's stop began
    A 2@0 record 7/3, acknowledged
  cut-by-stop: 1 cut by the stop, to the last stable offset
    B 2@0 record 7/3
`, func(b *builder) {
		b.intent(clusterB, record.WantStopped)
		b.store(clusterB, record.Stopping)
		b.on(event.StopStepDone, b0, event.Event{Mirror: mirrorM, Offset: 3})
		b.truncate(b0, 2, event.CutToLastStable)
		b.on(event.StopStepDone, b0, event.Event{Mirror: mirrorM, Offset: 2})
		b.store(clusterB, record.Stopped)
	}},
}

func TestLossReportText(t *testing.T) {
	for _, c := range slices.Concat(failoverReports, alignmentReports, authorityReports) {
		t.Run(c.name, func(t *testing.T) {
			b := mirrored()
			c.build(b)
			l := fold(b)
			r := l.LossReport(t0)
			r.BothWritable = 0 // TestBothWritable
			if got := string(r.AppendText(nil, topology.Names)); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
			if int64(len(r.Lost)) != l.Lost(clusterA, t0)+l.Lost(clusterB, t0) ||
				int64(len(r.Discarded)) != l.Discarded(clusterA, t0)+l.Discarded(clusterB, t0) ||
				int64(len(r.CutByStop)) != l.CutByStop(clusterB, t0) {
				t.Error("the counts are not those of the report")
			}
			wantClean(t, judge(t, b.events), reportsFall[c.name]...)
		})
	}
}

// A leader that cuts what the one before it has cut already lists nothing twice, nor does a STOPPED that is stored twice.
func TestNothingIsListedTwice(t *testing.T) {
	b := stopped()
	b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
	b.store(clusterB, record.Stopped)
	b.intent(clusterA, record.WantMirroring)
	b.store(clusterA, record.Preparing)
	b.truncate(a0, 3, event.AlignedToLME)
	b.elect(clusterA, a1, event.CleanElection)
	b.truncate(a1, 3, event.AlignedToLME)
	r := fold(b).LossReport(t0)
	if len(r.Discarded) != 1 || len(r.Failovers) != 1 {
		t.Errorf("%d records discarded by %d failovers, want one of each", len(r.Discarded), len(r.Failovers))
	}
}

// A transaction of the cluster's own that a stop has aborted stands under a heading that does not say that it was the source's.
func TestTurnedTransactionsOfTheClustersOwn(t *testing.T) {
	mirrored := TurnedTransaction{Source: clusterA, Destination: clusterB, ProducerID: 7, First: 6, Abort: 9, Records: 1, AtSource: "committed"}
	own := TurnedTransaction{Source: clusterB, Destination: clusterB, ProducerID: 8, Epoch: 2, First: 7, Abort: 10, Records: 3, AtSource: "aborted"}
	of := "  turned round: 1 transaction committed at the source, and aborted by the stop\n" +
		"    A -> B producer 7 epoch 0 from 6: 1 record, aborted at 9; at the source it is committed\n"
	ofOwn := "  turned round: 1 transaction of the cluster's own, which its coordinator committed, and aborted by the stop\n" +
		"    B producer 8 epoch 2 from 7: 3 records, aborted at 10\n"
	for _, c := range []struct {
		name, want string
		turned     []TurnedTransaction
	}{
		{"of the source", of, []TurnedTransaction{mirrored}},
		{"its own", ofOwn, []TurnedTransaction{own}},
		{"both", of + ofOwn, []TurnedTransaction{own, mirrored}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := LossReport{Partition: t0, Authority: clusterB, Decided: true, Turned: c.turned}
			if got, want := string(r.AppendText(nil, topology.Names)), "partition t-0: B is in charge\n"+c.want; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
