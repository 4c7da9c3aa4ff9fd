package checkers

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// deleteMirror deletes B's mirror, which is stopped: its topic becomes plain, and the coordinator stores the tombstones.
func (b *builder) deleteMirror(c id.Cluster) {
	topic := id.Partition{Topic: topicT}
	b.on(event.IntentChanged, logOf(c), event.Event{Partition: topic, Mirror: mirrorM})
	b.on(event.MirrorRemoved, logOf(c), event.Event{Mirror: mirrorM})
	for _, n := range brokers(c) {
		b.on(event.IntentSeen, n, event.Event{Partition: topic, Mirror: mirrorM})
	}
	for _, kind := range []record.MirrorStateKind{record.MirrorPartitionState, record.LastMirroredEpochs} {
		b.on(event.EntryRemoved, b.other(b.leader[c]), event.Event{Mirror: mirrorM, From: uint8(kind)})
	}
	b.desired[c], b.state[c], b.run[c], b.version[c] = record.WantNone, record.Unknown, 0, 0
}

// createMirror makes a mirror of the same name.
func (b *builder) createMirror(c id.Cluster) {
	b.on(event.MirrorCreated, logOf(c), event.Event{Mirror: mirrorM, To: uint8(1 - c)})
}

// deleteTopic deletes the topic on cluster c, whose brokers remove their replicas.
func (b *builder) deleteTopic(c id.Cluster) {
	b.on(event.TopicRemoved, logOf(c), event.Event{Partition: id.Partition{Topic: topicT}})
	for _, n := range brokers(c) {
		b.on(event.ReplicaRemoved, n, event.Event{})
		b.logs[n], b.starts[n], b.hw[n], b.epochs[n] = nil, 0, 0, nil
	}
	b.epoch[c], b.desired[c] = -1, record.WantNone
}

// A mirror of a deleted one's name begins anew: its states, its runs, its failovers.
func TestADeletedMirrorEnds(t *testing.T) {
	b := stopped()
	b.produce(p2, clusterB, b.data(p2, 1, 7, 0))
	b.deleteMirror(clusterB)
	s := judge(t, b.events)
	wantClean(t, s)
	l := s.Ledger()
	_, _, known := l.Position(clusterB, t0)
	if known || l.State(clusterB, t0) != record.Unknown || l.source(clusterB, mirrorM) != noCluster {
		t.Errorf("position known: %v, state %v, source %v", known, l.State(clusterB, t0), l.source(clusterB, mirrorM))
	}
	if quiet, why := l.Quiet(); !quiet {
		t.Errorf("the mirror is deleted, but %s", why)
	}
	b.createMirror(clusterB)
	b.start(clusterB, false, 0, event.AlignedToLME)
	b.catchUp(clusterB)
	b.stopMirror(clusterB)
	s = judge(t, b.events)
	if v := verdictOf(t, s, LegalState.String()); v.Status != Holds {
		t.Errorf("legal-state: %v %v", v.Status, v.Violations)
	}
	if r := s.Ledger().LossReport(t0); len(r.Failovers) != 2 || r.Failovers[0].Run != 1 || r.Failovers[1].Run != 1 {
		t.Errorf("the failovers are %+v, want one of each mirror, both in run 1", r.Failovers)
	}
}

// What was stored before the tombstone may be committed, and told so, behind it: it is gone all the same.
func TestCommitsBehindATombstone(t *testing.T) {
	b := stopped()
	b.deleteMirror(clusterB)
	x := event.Event{Mirror: mirrorM, To: uint8(record.Stopped), Sequence: 4, Offset: 1}
	b.on(event.StateCommitted, b1, x)
	b.on(event.PositionCommitted, b1, event.Event{Mirror: mirrorM, BatchEpoch: 0, Offset: 3, Sequence: 1})
	s := judge(t, b.events)
	l := s.Ledger()
	if _, _, known := l.Position(clusterB, t0); known || l.State(clusterB, t0) != record.Unknown {
		t.Errorf("position known: %v, state %v", known, l.State(clusterB, t0))
	}
	b.createMirror(clusterB)
	b.start(clusterB, false, 0, event.AlignedToLME)
	if l := judge(t, b.events).Ledger(); l.State(clusterB, t0) != record.Mirroring {
		t.Errorf("the state of a new mirror is %v", l.State(clusterB, t0))
	}
	b.position(clusterB, 4)
	if _, _, known := judge(t, b.events).Ledger().Position(clusterB, t0); !known {
		t.Error("the position of a new mirror is not known")
	}
}

func TestReadsAfterADeletion(t *testing.T) {
	readOf := func(b *builder, state record.State, version int32) {
		b.ops++
		op := event.OpOf(uint8(b0), b.ops)
		b.on(event.StateReadCalled, b0, event.Event{Mirror: mirrorM, Op: op})
		b.on(event.StateReadReturned, b0, event.Event{Mirror: mirrorM, Op: op, To: uint8(state), Sequence: version, Offset: 1})
	}
	for _, c := range []struct {
		name string
		want Status
		then func(b *builder)
	}{
		{"what was committed before the tombstone", Holds, func(b *builder) { readOf(b, record.Stopped, 4) }},
		{"nothing", Holds, func(b *builder) { readOf(b, record.Unknown, 0) }},
		{"what was replaced before it", Violated, func(b *builder) { readOf(b, record.Mirroring, 2) }},
		{"what was committed before, when a new mirror has stored a state", Violated, func(b *builder) {
			b.createMirror(clusterB)
			b.store(clusterB, record.Preparing)
			readOf(b, record.Stopped, 4)
		}},
		{"a read that was called before the tombstone", Holds, func(b *builder) {
			i := find(t, b.events, 0, kindOn(event.EntryRemoved, b1))
			call := event.Event{Kind: event.StateReadCalled, Node: b0, Partition: t0, Mirror: mirrorM, Op: 99}
			b.events = append(b.events[:i:i], append([]event.Event{call}, b.events[i:]...)...)
			b.on(event.StateReadReturned, b0, event.Event{Mirror: mirrorM, Op: 99, To: uint8(record.Stopped), Sequence: 4, Offset: 1})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := stopped()
			b.deleteMirror(clusterB)
			c.then(b)
			if v := verdictOf(t, judge(t, b.events), LegalState.String()); v.Status != c.want {
				t.Errorf("%v, want %v: %v", v.Status, c.want, v.Violations)
			}
		})
	}
}

// From the deletion of a mirror or a topic in the metadata log on, a read may be told that there is nothing, though no tombstone is
// stored; and not before.
func TestReadsBeforeTheTombstone(t *testing.T) {
	mirror := event.Event{Mirror: mirrorM}
	topic := event.Event{Partition: id.Partition{Topic: topicT}}
	for _, c := range []struct {
		name          string
		want          Status
		before, after func(b *builder) // the call of the read
	}{
		{"nothing is deleted", Violated, func(*builder) {}, func(*builder) {}},
		{"the mirror", Holds, func(b *builder) { b.on(event.MirrorRemoved, bLog, mirror) }, func(*builder) {}},
		{"the topic", Holds, func(b *builder) { b.on(event.TopicRemoved, bLog, topic) }, func(*builder) {}},
		{"the mirror, while it is read", Holds, func(*builder) {}, func(b *builder) { b.on(event.MirrorRemoved, bLog, mirror) }},
		{"the other cluster's mirror", Violated, func(b *builder) { b.on(event.MirrorRemoved, aLog, mirror) }, func(*builder) {}},
		{"another mirror", Violated, func(b *builder) { b.on(event.MirrorRemoved, bLog, event.Event{Mirror: mirrorM + 1}) }, func(*builder) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := stopped()
			c.before(b)
			b.on(event.StateReadCalled, b0, event.Event{Mirror: mirrorM, Op: 99})
			c.after(b)
			b.on(event.StateReadReturned, b0, event.Event{Mirror: mirrorM, Op: 99, To: uint8(record.Unknown)})
			if v := verdictOf(t, judge(t, b.events), LegalState.String()); v.Status != c.want {
				t.Errorf("%v, want %v: %v", v.Status, c.want, v.Violations)
			}
		})
	}
}

// A topic of a deleted one's id begins anew, in epoch 0, with nothing promised of what was deleted.
func TestADeletedTopicEnds(t *testing.T) {
	b := stopped()
	b.produce(p2, clusterB, b.data(p2, 1, 7, 0))
	b.deleteTopic(clusterB)
	l := judge(t, b.events).Ledger()
	n, epoch := l.Leader(clusterB, t0)
	got := []any{n, epoch, l.ISR(clusterB, t0), l.Desired(clusterB, t0), l.Log(b0, t0).End, l.Pending(wholeCore)}
	if d := cmp.Diff([]any{id.None, int32(-1), id.Set(0), record.WantNone, int64(0), []Pending(nil)}, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	b.elect(clusterB, b1, event.PartitionCreated)
	b.produce(p2, clusterB, b.data(p2, 1, 8, 0))
	b.elect(clusterB, b0, event.CleanElection)
	b.report(event.ReportEnd, b0, b1)
	s := judge(t, b.events)
	wantClean(t, s)
	r := s.Ledger().LossReport(t0)
	if text := string(r.AppendText(nil, topology.Names)); !strings.HasPrefix(text,
		"partition t-0: no cluster is in charge, the topic was deleted\n") {
		t.Error(text)
	}
}

func TestTransactionResults(t *testing.T) {
	b := transactions()
	op := event.OpOf(uint8(p1), 777)
	b.emit(event.Event{Kind: event.TransactionCalled, Node: p1, Op: op, ProducerID: 7, To: 1})
	if n := pendingOps(fold(b), p1); n != 1 {
		t.Errorf("%d operations pending, want 1", n)
	}
	b.emit(event.Event{Kind: event.TransactionReturned, Node: p1, Op: op, ProducerID: 7, To: 9, Cause: 1})
	r, ok := fold(b).Op(op)
	if d := cmp.Diff(OpResult{Op: op, Client: p1, Done: true, Code: 9}, r, cmp.AllowUnexported(OpResult{})); d != "" || !ok {
		t.Error(d)
	}
}

var transactionReports = []reportCase{
	{"turned round, and then at the old source too", `partition t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 7, source end 7, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  alignment A <- B by mirror m: position epoch 0
  turned round: 1 transaction committed at the source, and aborted by the stop
    A -> B producer 7 epoch 0 from 6: 1 record, aborted at 7; at the source it is aborted
`, func(b *builder) {
		b.stopWith(clusterB, b.abortByStop(clusterB, 7))
		b.marker(clusterA, record.Commit, 7, 0)
		b.committed(clusterA, 7, 0)
		b.start(clusterA, true, 7, event.Diverged)
		b.catchUp(clusterA)
	}},
	{"committed at the source before the stop, and not mirrored", `partition t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 7, source end 8, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  turned round: 1 transaction committed at the source, and aborted by the stop
    A -> B producer 7 epoch 0 from 6: 1 record, aborted at 7; at the source it is committed
`, func(b *builder) {
		b.marker(clusterA, record.Commit, 7, 0)
		b.committed(clusterA, 7, 0)
		b.stopWith(clusterB, b.abortByStop(clusterB, 7))
	}},
	{"decided at the source before the stop, and the marker is on its way", `partition t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 7, source end 7, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  turned round: 1 transaction committed at the source, and aborted by the stop
    A -> B producer 7 epoch 0 from 6: 1 record, aborted at 7; at the source it is open
`, func(b *builder) {
		b.coordinates(clusterA, 7, 1, record.PrepareCommit)
		b.stopWith(clusterB, b.abortByStop(clusterB, 7))
	}},
	{"a later one is decided, and that of another producer, and another cluster's", `partition t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 7, source end 7, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  nothing is lost
`, func(b *builder) {
		b.coordinates(clusterB, 7, 1, record.PrepareCommit)
		b.coordinates(clusterA, 8, 1, record.PrepareCommit)
		b.coordinates(clusterA, 7, 2, record.PrepareCommit)
		b.stopWith(clusterB, b.abortByStop(clusterB, 7))
	}},
	{"aborted on both sides", `partition t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 7, source end 7, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  nothing is lost
`, func(b *builder) {
		b.stopWith(clusterB, b.abortByStop(clusterB, 7))
		b.marker(clusterA, record.Abort, 7, 0)
	}},
	{"cut by the stop, and in charge again where it was never cut", `partition t-0: A is in charge
  failover A -> B by mirror m: mirrored up to 6, source end 7, position epoch 0
  failover B -> A by mirror m: mirrored up to 6, own log end 7, source end 7, position epoch -1
  alignment B <- A by mirror m: no position, so the log is copied anew
  nothing is lost
`, func(b *builder) {
		b.stopWith(clusterB, func() { b.cut(clusterB, 6, event.CutToLastStable) })
		b.prepare(clusterA)
		b.stopWith(clusterA, func() {})
		b.marker(clusterA, record.Abort, 7, 0)
	}},
	{"a record that was tried again after the reset", `partition t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 7, source end 7, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  duplicates: 1 record that stands on both sides of a producer reset
    B record 8/4 at 5 and 9
`, func(b *builder) {
		b.stopWith(clusterB, b.abortByStop(clusterB, 7))
		x := *b.logs[b0][5]
		x.LeaderEpoch = -1
		b.produce(p2, clusterB, &x)
	}},
}

func TestTransactionReportText(t *testing.T) {
	for _, c := range transactionReports {
		t.Run(c.name, func(t *testing.T) {
			b := mirroredTransactions()
			b.coordinates(clusterA, 7, 0, record.TransactionOngoing)
			c.build(b)
			s := judge(t, b.events)
			r := s.Ledger().LossReport(t0)
			r.BothWritable = 0
			if got := string(r.AppendText(nil, topology.Names)); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
			if v := verdictOf(t, s, LossAccounted.String()); v.Status != Holds {
				t.Errorf("loss-accounted: %v %v", v.Status, v.Violations)
			}
		})
	}
}

// A stop that comes before the log was cut for the mirror finds a transaction of the cluster itself open. Its coordinator may have
// committed it, and gone on: the marker found a mirror. Or it may do so later.
func TestOwnTransactionIsTurnedRound(t *testing.T) {
	const ongoing, decided, done, aborts = record.TransactionOngoing, record.PrepareCommit, record.CompleteCommit, record.PrepareAbort
	type stored struct {
		epoch int16
		state record.TransactionState
	}
	for _, c := range []struct {
		name          string
		before, after []stored
		want          int
	}{
		{"decided, and the next one under way", []stored{{1, decided}, {1, done}, {1, ongoing}}, nil, 1},
		{"decided, and the next one too", []stored{{1, decided}, {1, done}, {1, ongoing}, {2, decided}, {2, done}}, nil, 1},
		{"decided later", nil, []stored{{1, decided}}, 1},
		{"under way", []stored{{0, ongoing}}, nil, 0},
		{"aborted", []stored{{1, aborts}}, []stored{{1, ongoing}}, 0},
		{"a later one is decided", []stored{{2, decided}}, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := transactions()
			store := func(all []stored) {
				for _, x := range all {
					b.coordinates(clusterA, 7, x.epoch, x.state)
				}
			}
			b.prepare(clusterA)
			store(c.before)
			b.stopWith(clusterA, b.abortByStop(clusterA, 7))
			store(c.after)
			all := fold(b).LossReport(t0).Turned
			if len(all) != c.want || len(all) > 0 && (all[0].Source != clusterA || all[0].Destination != clusterA) {
				t.Errorf("turned round are %+v, want %d of A, on A", all, c.want)
			}
		})
	}
}

// What nobody ends hangs: on the cluster that took over, whose coordinator does not know it, and on one whose own has lost it.
func TestHangingTransactions(t *testing.T) {
	hanging := func(b *builder) (all []HangingTransaction) {
		for _, r := range fold(b).LossReports() {
			all = append(all, r.Hanging...)
		}
		return all
	}
	b := transactions()
	b.coordinates(clusterA, 7, 0, record.TransactionOngoing)
	if got := hanging(b); got != nil {
		t.Errorf("a transaction under way hangs: %+v", got)
	}
	b.coordinates(clusterA, 7, 1, record.PrepareAbort)
	if got := hanging(b); got != nil {
		t.Errorf("a transaction that is being aborted hangs: %+v", got)
	}
	at := b.events[find(t, b.events, 0, func(e *event.Event) bool {
		return e.Kind == event.Appended && e.Node == a0 && e.Batch.ProducerID == 7
	})].At
	b.coordinates(clusterA, 7, 1, record.TransactionOngoing)
	last := func() id.Duration { return b.events[len(b.events)-1].At }
	want := []HangingTransaction{{clusterA, 7, 0, 6, last() - at}}
	if d := cmp.Diff(want, hanging(b)); d != "" {
		t.Errorf("one that its coordinator has gone past (-want +got)\n%s", d)
	}
	if text := string(fold(b).LossReports()[0].AppendText(nil, topology.Names)); !strings.HasPrefix(text,
		"partition t-0: no stop was completed\n  hanging: 1 transaction that no coordinator is going to end\n    A t-0 producer 7 epoch 0 from 6, for ") {
		t.Errorf("the report says\n%s", text)
	}
	b.coordinates(clusterA, 7, 0, record.TransactionOngoing)
	b.start(clusterB, false, 0, event.AlignedToLME)
	b.catchUp(clusterB)
	if got := hanging(b); got != nil {
		t.Errorf("a mirrored transaction, which its source is going to end, hangs: %+v", got)
	}
	b.stopMirror(clusterB)
	if got := hanging(b); len(got) != 1 || got[0].Cluster != clusterB || got[0].First != 6 {
		t.Errorf("after a stop that leaves it open: %+v", got)
	}
}

// The account of what clients were told has commits too: one that the report does not explain violates.
func TestUntoldOutcomeIsReported(t *testing.T) {
	b := mirroredTransactions()
	b.marker(clusterA, record.Commit, 7, 0)
	b.committed(clusterA, 7, 0)
	b.stopWith(clusterB, b.abortByStop(clusterB, 7))
	for i := range b.events {
		if e := &b.events[i]; e.Kind == event.Appended && e.Batch.Control == record.Abort && e.Batch.ProducerID == 7 {
			e.Cause = uint8(event.FromLeader) // nothing tells that the stop did it
		}
	}
	wantViolated(t, judge(t, b.events), LossAccounted.String(), "A/t-0 6@0 (record 7/5) is of a transaction of producer 7, epoch 0, "+
		"that p1 was told is committed, is not so in the final log of B/t-0@b0, and the loss report does not list it")
}
