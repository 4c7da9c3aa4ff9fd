package checkers

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// prepare begins the mirror on cluster c, up to PREPARING; nothing is cut.
func (b *builder) prepare(c id.Cluster) {
	b.intent(c, record.WantMirroring)
	b.read(b.leader[c])
	b.store(c, record.Preparing)
}

// newer has A take a record that is not mirrored, B stopped, and B take one.
func newer(b *builder) {
	b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
	b.stopMirror(clusterB)
	b.produce(p2, clusterB, b.data(p2, 1, 7, 0))
}

// Stops that come when the logs are not equal, and starts over one another.
var authorityReports = []reportCase{
	{"stopped before it was aligned", `partition t-0: A is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 4, position epoch 0
  failover B -> A by mirror m: mirrored up to 3, own log end 6, source end 5, position epoch -1
  alignment B <- A by mirror m: no position, so the log is copied anew
  lost: 1 not mirrored when the failover's stop began
    B 4@1 record 8/5, acknowledged
  after: 1 taken by the old source after the failover, and still there only
    B 5@1 record 8/8, acknowledged
`, func(b *builder) {
		newer(b)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 4))
		b.produce(p1, clusterA, b.data(p1, 1, 7, 5))
		b.prepare(clusterA)
		b.stopMirror(clusterA)
		b.produce(p2, clusterB, b.data(p2, 1, 7, 1))
	}},
	{"stopped when it was cut, and nothing copied yet", `partition t-0: A is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  failover B -> A by mirror m: mirrored up to 1, source end 4, position epoch -1
  alignment B <- A by mirror m: no position, so the log is copied anew
  lost: 2 not mirrored when the failover's stop began
    B 1@0 record 7/2
    B 2@0 record 7/3
`, func(b *builder) {
		b.stopMirror(clusterB)
		b.prepare(clusterA)
		b.cut(clusterA, 1, event.AlignedToLME)
		b.stopMirror(clusterA)
	}},
	{"started again without a failback", `partition t-0: A is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 4, position epoch 0, undone
  alignment B <- A by mirror m: no position, so the log is copied anew
  alignment B <- A by mirror m: position epoch 0
  discarded: 1 cut when the log was aligned, and the new source does not have them
    B 4@1 record 8/5, acknowledged
`, func(b *builder) {
		newer(b)
		b.start(clusterB, true, 3, event.AlignedToLME)
		b.catchUp(clusterB)
	}},
	{"started again, and not aligned yet", `partition t-0: A is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 4, position epoch 0, undone
  alignment B <- A by mirror m: no position, so the log is copied anew
  after: 1 taken by the old source after the failover, and still there only
    B 4@1 record 8/5, acknowledged
`, func(b *builder) {
		newer(b)
		b.prepare(clusterB)
	}},
	{"the failback began before the stop was done", `partition t-0: no stop was completed, A was the source first
  alignment B <- A by mirror m: no position, so the log is copied anew
  discarded: 1 cut when the log was aligned, and the new source does not have them
    A 3@0 record 7/4, acknowledged
`, func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
		b.intent(clusterB, record.WantStopped)
		b.store(clusterB, record.Stopping)
		b.on(event.StopStepDone, b0, event.Event{Mirror: mirrorM, Offset: 3})
		b.prepare(clusterA)
		b.cut(clusterA, 3, event.AlignedToLME)
	}},
	{"nobody leads the old source", `partition t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end unknown, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  lost: 1 not mirrored when the failover's stop began
    A 3@0 record 7/4, acknowledged
`, func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
		b.leader[clusterA] = id.None
		b.epoch[clusterA]++
		b.register(clusterA, event.NoLeader, id.SetOf(a0))
		b.epoch[clusterA] = 0 // the position that B records is that of the batches
		b.stopMirror(clusterB)
	}},
	{"nobody leads the old source, and it takes another when it is back", `partition t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end unknown, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  lost: 1 not mirrored when the failover's stop began
    A 3@0 record 7/4, acknowledged
  after: 1 taken by the old source after the failover, and still there only
    A 4@2 record 7/5, acknowledged
`, func(b *builder) {
		b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
		b.leader[clusterA] = id.None
		b.epoch[clusterA]++
		b.register(clusterA, event.NoLeader, id.SetOf(a0))
		b.epoch[clusterA] = 0
		b.stopMirror(clusterB)
		b.epoch[clusterA] = 1
		b.elect(clusterA, a0, event.CleanElection)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 4))
	}},
}

// opposite starts the mirror to A while the one to B runs, and each cuts the other's source (case F7).
func opposite(b *builder) {
	b.prepare(clusterA)
	b.cut(clusterA, 0, event.AlignedToLME)
	b.fetch(clusterB, true)
	b.cut(clusterB, 0, event.Diverged)
}

func TestOppositeMirrorsAreNotAccountedFor(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(b *builder)
	}{
		{"no stop", func(*builder) {}},
		{"B stopped", func(b *builder) { b.stopMirror(clusterB) }},
		{"A stopped", func(b *builder) { b.stopMirror(clusterA) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := mirrored()
			opposite(b)
			c.build(b)
			wantViolated(t, judge(t, b.events), LossAccounted.String(), "A/t-0 2@0 (record 7/3), acknowledged to p1, is not in "+
				"the final log of", "no failover accounts for it")
			r := fold(b).LossReport(t0)
			if len(r.Unexplained) != 3 || len(r.Followed) != 3 || len(r.Recopied)+len(r.Discarded)+len(r.Lost) > 0 {
				t.Errorf("%d records unexplained and %d followed, want 3 of each and nothing else:\n%s", len(r.Unexplained),
					len(r.Followed), r.AppendText(nil, topology.Names))
			}
		})
	}
}

// The same after a failover: what was in charge is B's log, and A's earlier discarding does not account for it.
func TestMirrorStartedOverItsOwnSource(t *testing.T) {
	b := mirrored()
	newer(b)
	b.start(clusterA, true, 3, event.AlignedToLME)
	b.catchUp(clusterA)
	b.prepare(clusterB)
	b.cut(clusterB, 0, event.AlignedToLME)
	b.fetch(clusterA, true)
	b.cut(clusterA, 0, event.Diverged)
	wantViolated(t, judge(t, b.events), LossAccounted.String(), "B/t-0 4@1 (record 8/5), acknowledged to p2, is not in the "+
		"final log of B/t-0@b0", "no failover accounts for it")
}

// skip has B mirror a later record of A and not the one before it.
func skip(b *builder) {
	b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
	b.elect(clusterA, a0, event.CleanElection)
	b.produce(p1, clusterA, b.data(p1, 1, 7, 4))
	b.append(b.leader[clusterB], b.logs[a0][4], event.FromMirror)
	b.replicate(clusterB)
}

// A stop excuses what was not mirrored: a record that is missing between mirrored ones is none of it.
func TestRecordMissingBelowTheBoundary(t *testing.T) {
	b := mirrored()
	skip(b)
	b.stopMirror(clusterB)
	wantViolated(t, judge(t, b.events), LossAccounted.String(), "A/t-0 3@0 (record 7/4), acknowledged to p1",
		"the loss report does not list it")
}

// An unclean election on the cluster in charge may have taken what another one had acknowledged before it, but nothing
// that was acknowledged later.
func TestLossBeyondTheBudgetOfAnotherCluster(t *testing.T) {
	unclean := func(b *builder) { b.elect(clusterB, b1, event.UncleanElection) }
	for _, c := range []struct {
		name  string
		want  Status
		build func(b *builder)
	}{
		{"acknowledged before", NotPromised, func(b *builder) { skip(b); unclean(b) }},
		{"acknowledged after", Violated, func(b *builder) { unclean(b); skip(b) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := mirrored()
			c.build(b)
			b.stopMirror(clusterB)
			if v := verdictOf(t, judge(t, b.events), LossAccounted.String()); v.Status != c.want {
				t.Errorf("loss-accounted is %v because %q, want %v", v.Status, v.Why, c.want)
			}
		})
	}
}

// A source that begins another history after an unclean election takes records at offsets below the end of a mirror that
// has not heard of it. They are lost at its stop like what lies beyond the boundary.
func TestSourceBeganAnotherHistory(t *testing.T) {
	b := mirrored()
	b.truncate(a1, 2, event.Diverged)
	b.elect(clusterA, a1, event.UncleanElection)
	b.truncate(a0, 2, event.Diverged)
	b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
	b.stopMirror(clusterB)
	r := fold(b).LossReport(t0)
	want := []LostRecord{{Cluster: clusterA, Offset: 2, Epoch: 1, Key: 7, Value: 4, Acknowledged: true}}
	if d := cmp.Diff(want, r.Lost); d != "" || r.Failovers[0].Common != 2 || r.Failovers[0].Boundary != 3 {
		t.Errorf("common %d, boundary %d, want 2 and 3; lost:\n%s", r.Failovers[0].Common, r.Failovers[0].Boundary, d)
	}
	if v := verdictOf(t, judge(t, b.events), LossAccounted.String()); v.Status != Holds {
		t.Errorf("loss-accounted is %v: %v", v.Status, v.Violations)
	}
}

// A STOPPED that is stored again after another stop does not put its cluster in charge again.
func TestEarlierStopStoredAgain(t *testing.T) {
	b := mirrored()
	newer(b)
	b.prepare(clusterA)
	b.stopMirror(clusterA)
	b.store(clusterB, record.Stopped)
	if r := fold(b).LossReport(t0); r.Authority != clusterA || len(r.Failovers) != 2 {
		t.Errorf("authority %v after %d failovers, want A after 2", r.Authority, len(r.Failovers))
	}
}

// Two clusters that write on their own may use one leader epoch. Where their logs part is told by the records then.
func TestLogsPartWithinOneEpoch(t *testing.T) {
	b := mirrored()
	b.elect(clusterA, a0, event.CleanElection)
	newer(b)
	b.produce(p1, clusterA, b.data(p1, 1, 7, 4))
	b.prepare(clusterA)
	b.stopMirror(clusterA)
	r := fold(b).LossReport(t0)
	want := []LostRecord{{Cluster: clusterB, Offset: 4, Epoch: 1, Key: 8, Value: 5, Acknowledged: true}}
	if d := cmp.Diff(want, r.Lost); d != "" {
		t.Error(d)
	}
	wantClean(t, judge(t, b.events))
}

// An old source that lost its tail to an unclean election after the failover takes records below the boundary, where the
// cluster in charge has others (case F5).
func TestTakenBelowTheBoundary(t *testing.T) {
	b := stopped()
	b.truncate(a1, 2, event.Diverged)
	b.elect(clusterA, a1, event.UncleanElection)
	b.truncate(a0, 2, event.Diverged)
	b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
	want := []LostRecord{{Cluster: clusterA, Offset: 2, Epoch: 1, Key: 7, Value: 4, Acknowledged: true}}
	if d := cmp.Diff(want, fold(b).LossReport(t0).After); d != "" {
		t.Errorf("after:\n%s", d)
	}
	b.start(clusterA, true, 2, event.AlignedToLME)
	r := fold(b).LossReport(t0)
	if d := cmp.Diff(want, r.Discarded); d != "" || len(r.Followed) > 0 {
		t.Errorf("%d followed; discarded:\n%s", len(r.Followed), d)
	}
}

// What a cluster took while it was in charge is judged also when its failover was undone.
func TestUndoneFailoverIsJudged(t *testing.T) {
	b := mirrored()
	newer(b)
	b.prepare(clusterB)
	b.truncate(b1, 4, event.Diverged)
	b.elect(clusterB, b1, event.CleanElection)
	wantViolated(t, judge(t, b.events), LossAccounted.String(), "B/t-0 4@1 (record 8/5), acknowledged to p2",
		"the loss report does not list it")
}

// A deposed leader, of the mirror or of its source, asks or answers without divergence; its successor does not. What the
// old source took after the failover is discarded then, and not taken for a copy that followed.
func TestDeposedLeadersProveNothing(t *testing.T) {
	for deposed := clusterA; deposed <= clusterB; deposed++ {
		t.Run(topology.Names.Cluster(deposed), func(t *testing.T) {
			b := mirrored()
			newer(b)
			b.prepare(clusterA)
			b.elect(deposed, b.leader[deposed], event.EpochBump)
			b.epoch[deposed]--
			b.fetch(clusterA, false)
			b.epoch[deposed]++
			b.fetch(clusterA, true)
			b.cut(clusterA, 3, event.Diverged)
			b.catchUp(clusterA)
			if r := fold(b).LossReport(t0); len(r.Discarded) != 1 || len(r.Followed) > 0 {
				t.Errorf("%d discarded, %d followed, want 1 and 0", len(r.Discarded), len(r.Followed))
			}
		})
	}
}

// The source's leader came back with nothing when the stop came, and the logs had not been aligned. Another replica has
// it all; what it takes is not mirrored, although it stands below the boundary.
func TestStopOverAnEmptySource(t *testing.T) {
	b := stopped()
	for i := int32(3); i < 8; i++ {
		b.produce(p1, clusterA, b.data(p1, 1, 7, i))
	}
	b.prepare(clusterA)
	b.truncate(b0, 0, event.Diverged)
	b.stopMirror(clusterA)
	b.elect(clusterB, b1, event.CleanElection)
	b.follow(b1, b0)
	b.produce(p2, clusterB, b.data(p2, 1, 7, 0))
	r := fold(b).LossReport(t0)
	if len(r.After) != 1 || r.After[0].Offset != 4 || r.Failovers[1].Common != 0 || r.Failovers[1].Boundary != 8 {
		t.Errorf("got\n%swant 1 record after, at 4, common 0 and boundary 8", r.AppendText(nil, topology.Names))
	}
	if v := verdictOf(t, judge(t, b.events), LossAccounted.String()); v.Status != Holds {
		t.Errorf("loss-accounted is %v: %v", v.Status, v.Violations)
	}
}

// A cluster that was never a source or a mirror becomes the mirror of an empty one, and its own records go. They are no
// copies, and there was no failover.
func TestFirstMirrorOverOwnRecords(t *testing.T) {
	b := &builder{}
	b.boot()
	b.produce(p1, clusterA, b.data(p1, 1, 7, 0))
	b.start(clusterA, false, 0, event.AlignedToLME)
	b.catchUp(clusterA)
	b.stopMirror(clusterA)
	wantViolated(t, judge(t, b.events), LossAccounted.String(), "A/t-0 0@0 (record 7/1), acknowledged to p1",
		"no failover accounts for it")
	if r := fold(b).LossReport(t0); len(r.Unexplained) != 1 || len(r.Followed) > 0 {
		t.Errorf("%d unexplained, %d followed, want 1 and 0", len(r.Unexplained), len(r.Followed))
	}
}

// A coordinator that was deposed and has not heard of STOPPED goes on storing states of the run that is over. Who acts on them
// undoes nothing; who acts on what the present one stores of the next run does.
func TestDeposedCoordinatorUndoesNothing(t *testing.T) {
	states := id.Partition{Topic: id.NewTopic(clusterB, 9)}
	for _, c := range []struct {
		name        string
		coordinator id.Node
		run         int64
		want        id.Cluster
	}{
		{"deposed", b0, 1, clusterB},
		{"present", b1, 2, clusterA},
		{"present, with a run that it has lost", b1, 1, clusterA},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := stopped()
			b.on(event.Appended, b1, event.Event{Partition: states, End: 1, Cause: uint8(event.FromInternal),
				Batch: record.NewStates([]record.MirrorState{{Mirror: mirrorM, Partition: t0, State: record.Preparing}}).At(0, 0)})
			b.on(event.PartitionChanged, bLog, event.Event{Partition: states, Peer: c.coordinator, LeaderEpoch: 1,
				Digest: uint64(id.SetOf(b0, b1)), Offset: int64(id.SetOf(b0, b1)), Cause: uint8(event.CleanElection)})
			b.on(event.StateStored, b1, event.Event{Mirror: mirrorM, Peer: b1, From: uint8(record.Preparing),
				To: uint8(record.Preparing), Offset: c.run})
			b.enter(clusterB, record.Preparing, c.run)
			if r := fold(b).LossReport(t0); r.Authority != c.want {
				t.Errorf("authority %v, want %v", r.Authority, c.want)
			}
		})
	}
}

// storeOnly has the coordinator of cluster c append a state that it cannot commit yet.
func (b *builder) storeOnly(c id.Cluster, to record.State) {
	b.run[c]++
	b.on(event.StateStored, b.other(b.leader[c]), event.Event{Mirror: mirrorM, Peer: b.leader[c], From: uint8(b.state[c]), To: uint8(to),
		LeaderEpoch: b.epoch[c], Offset: int64(b.run[c])})
}

// enter has the leader of cluster c begin the action of a state.
func (b *builder) enter(c id.Cluster, to record.State, run int64) {
	b.on(event.StateEntered, b.leader[c], event.Event{Mirror: mirrorM, From: uint8(b.state[c]), To: uint8(to), LeaderEpoch: b.epoch[c],
		Offset: run})
}

// B is started again and stopped at once, before its PREPARING is committed: it reads STOPPED all the time, and A fails back to it.
// The failover stands, and A discards what it took after it. If B cannot go on before, A waits (D20), and the failover is undone.
func TestMerelyStoredPreparingUndoesNothing(t *testing.T) {
	b := mirrored()
	newer(b)
	b.storeOnly(clusterB, record.Preparing)
	b.start(clusterA, true, 3, event.AlignedToLME)
	b.catchUp(clusterA)
	wantClean(t, judge(t, b.events))
	r := fold(b).LossReport(t0)
	if r.Authority != clusterB || r.Failovers[0].Undone || len(r.Lost) != 1 || len(r.Discarded) != 1 || len(r.Unexplained) > 0 {
		t.Errorf("want B in charge, and A's record at 3 lost and discarded:\n%s", r.AppendText(nil, topology.Names))
	}
	b.enter(clusterB, record.Preparing, int64(b.run[clusterB]))
	if r := fold(b).LossReport(t0); r.Authority != clusterB || r.Failovers[0].Undone {
		t.Errorf("B acts on it when A follows it: want B in charge:\n%s", r.AppendText(nil, topology.Names))
	}
}

// The same where it is the old source whose PREPARING is never committed: B, started again, is aligned to it, and the failover is undone.
func TestMerelyStoredFailbackKeepsNothing(t *testing.T) {
	b := mirrored()
	newer(b)
	b.storeOnly(clusterA, record.Preparing)
	b.start(clusterB, true, 3, event.AlignedToLME)
	b.catchUp(clusterB)
	wantClean(t, judge(t, b.events))
	if r := fold(b).LossReport(t0); r.Authority != clusterA || !r.Failovers[0].Undone || len(r.Discarded) != 1 || len(r.Unexplained) > 0 {
		t.Errorf("want A in charge, and B's record at 4 discarded:\n%s", r.AppendText(nil, topology.Names))
	}
}
