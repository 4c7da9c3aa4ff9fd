package checkers

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// fold is a ledger of the builder's history.
func fold(b *builder) *Ledger {
	l := NewLedger(topology)
	for i := range b.events {
		l.Fold(&b.events[i])
	}
	return l
}

func TestCodesAreThoseOfTheWire(t *testing.T) {
	for code, want := range map[wire.Code]int{wire.OK: codeOK, wire.OutOfOrderSequenceNumber: codeOutOfOrderSequenceNumber,
		wire.InvalidProducerEpoch: codeInvalidProducerEpoch, wire.UnknownProducerId: codeUnknownProducerID,
		wire.OffsetOutOfRange: codeOffsetOutOfRange, wire.ReadOnlyTopic: codeReadOnlyTopic, wire.RequestTimedOut: codeRequestTimedOut,
		wire.TopicAlreadyInClusterMirror: codeTopicAlreadyInClusterMirror,
		wire.TopicNotInClusterMirror:     codeTopicNotInClusterMirror} {
		if int(code) != want {
			t.Errorf("%v is %d, not %d", code, code, want)
		}
	}
	if wire.DeleteMirror != apiDeleteMirror {
		t.Errorf("DeleteMirror is %d in an event, not %d", wire.DeleteMirror, apiDeleteMirror)
	}
	if all := wire.AcksAll; uint8(all) != acksAll {
		t.Errorf("acks=all is %d in an event, not %d", uint8(all), acksAll)
	}
}

func TestQueriesAfterF1(t *testing.T) {
	l := fold(f1())
	leader, epoch := l.Leader(clusterB, t0)
	position, offset, known := l.Position(clusterB, t0)
	lag, heard := l.Lag(clusterA, t0)
	_, heardB := l.Lag(clusterB, t0)
	got := []any{leader, epoch, l.ISR(clusterB, t0), l.State(clusterA, t0), l.State(clusterB, t0), l.Desired(clusterA, t0),
		l.Writable(clusterB, t0), position, offset, known, lag, heard, heardB, l.ReadTo(r1, clusterB, t0), pendingOps(l, p1),
		l.Discarded(clusterA, t0), l.Lost(clusterA, t0), l.CutByStop(clusterB, t0), l.LastStable(b0, t0), l.Partitions()}
	want := []any{b0, int32(1), id.SetOf(b0, b1), record.Mirroring, record.Stopped, record.WantMirroring,
		true, int32(0), int64(3), true, int64(0), true, false, int64(4), 0,
		int64(2), int64(0), int64(0), int64(5), []id.Partition{t0}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	s := l.Log(a1, t0)
	var strip string
	for _, b := range s.Batches() {
		strip += " " + spell(b)
	}
	if strip != " 0@0 1@0 2@0 3@1:reset 4@1" || s.Start != 0 || s.End != 5 || s.HighWatermark != 5 {
		t.Errorf("a1 holds%s, start %d, end %d, high watermark %d", strip, s.Start, s.End, s.HighWatermark)
	}
	if d := cmp.Diff([]Epoch{{0, 0}, {1, 3}}, s.Epochs()); d != "" {
		t.Error(d)
	}
}

func TestNothingIsKnownOfWhatTheHistoryHasNotNamed(t *testing.T) {
	l := NewLedger(topology)
	other := id.Partition{Topic: topicT, Index: 7}
	if n, epoch := l.Leader(clusterA, other); n != id.None || epoch != -1 {
		t.Errorf("leader %v in epoch %d", n, epoch)
	}
	if _, known := l.Lag(clusterB, other); known || l.Log(a0, other) != nil || l.State(clusterA, other) != record.Unknown {
		t.Error("lag, log or state of an unknown partition")
	}
	if l.LossReport(other).Decided || len(l.LossReports()) > 0 || l.LastStable(a0, other) != 0 ||
		l.ReadTo(r1, clusterA, other) != 0 {
		t.Error("losses, last stable offset or reads of an unknown partition")
	}
}

// pendingOps is the number of operations that a client has called and that have not returned. A produce counts from the
// moment that its batch is first handed to sending.
func pendingOps(l *Ledger, client id.Node) int {
	return l.clients[client].called - l.clients[client].returned
}

// lastResult is the newest result of a client; false if it has none.
func lastResult(l *Ledger, client id.Node) (OpResult, bool) {
	done := l.clients[client].done
	if len(done) == 0 {
		return OpResult{}, false
	}
	return done[len(done)-1], true
}

func TestOperationResults(t *testing.T) {
	b := mirrored()
	op := b.call(p1, clusterA, b.data(p1, 1, 7, 3), acksAll)
	l := fold(b)
	if n := pendingOps(l, p1); n != 1 {
		t.Errorf("%d operations pending, want 1", n)
	}
	if _, done := l.Op(op); done {
		t.Error("an operation under way has a result")
	}
	b.returned(p1, clusterA, op, -1, codeReadOnlyTopic)
	l = fold(b)
	want := OpResult{Op: op, Client: p1, Partition: t0, Done: true, Code: codeReadOnlyTopic, Base: -1}
	got, _ := l.Op(op)
	if d := cmp.Diff(want, got, cmp.AllowUnexported(OpResult{})); d != "" {
		t.Error(d)
	}
	if last, _ := lastResult(l, p1); last != got {
		t.Errorf("the last result is %+v", last)
	}
}

// An admin request for two topics has returned when both have, and its code is the first error.
func TestAdminResultOverTopics(t *testing.T) {
	b := &builder{}
	b.boot()
	request := func(k event.Kind, topic id.Topic, code uint8) {
		b.on(k, aAdmin, event.Event{Partition: id.Partition{Topic: topic}, Op: 77, To: code})
	}
	request(event.AdminCalled, topicT, 0)
	request(event.AdminCalled, topicT+1, 0)
	request(event.AdminReturned, topicT, 0)
	if n := pendingOps(fold(b), aAdmin); n != 1 {
		t.Errorf("%d requests pending after one of two results, want 1", n)
	}
	request(event.AdminReturned, topicT+1, 26)
	l := fold(b)
	if r, ok := lastResult(l, aAdmin); !ok || r.Code != 26 || pendingOps(l, aAdmin) != 0 {
		t.Errorf("result %+v, %d pending", r, pendingOps(l, aAdmin))
	}
}

func TestQuietSaysWhatIsPending(t *testing.T) {
	for _, c := range []struct {
		name, want string
		build      func(b *builder)
	}{
		{"nothing", "", func(*builder) {}},
		{"a produce", "an operation of p1 has not returned", func(b *builder) {
			b.call(p1, clusterA, b.data(p1, 1, 7, 3), acksAll)
		}},
		{"no leader", "A/t-0 has no leader", func(b *builder) {
			b.leader[clusterA] = id.None
			b.register(clusterA, event.NoLeader, id.SetOf(a0))
		}},
		{"an election", "A/t-0 waits for a1 to take the leadership of epoch 1", func(b *builder) {
			b.leader[clusterA], b.epoch[clusterA] = a1, 1
			b.register(clusterA, event.CleanElection, id.SetOf(a0, a1))
		}},
		{"uncommitted", "A/t-0 has high watermark 3 below the log end 4", func(b *builder) {
			b.append(a0, b.data(p1, 1, -1, -1), event.FromClient)
		}},
		{"a follower", "A/t-0 waits for a1 to follow to 4", func(b *builder) {
			b.append(a0, b.data(p1, 1, -1, -1), event.FromClient)
			b.highWatermark(a0, 4)
		}},
		{"nothing of a broker that is down", "", func(b *builder) {
			b.on(event.Crashed, a1, event.Event{})
			b.append(a0, b.data(p1, 1, -1, -1), event.FromClient)
			b.highWatermark(a0, 4)
			b.catchUp(clusterB)
		}},
		{"lag", "B/t-0 has lag 1", func(b *builder) {
			b.append(a0, b.data(p1, 1, -1, -1), event.FromClient)
			b.replicate(clusterA)
			b.fetch(clusterB, false)
		}},
		{"unheard", "B/t-0 has not heard its source yet", func(b *builder) {
			b.on(event.MirrorFetchStarted, b0, event.Event{Mirror: mirrorM, Peer: a0})
		}},
		{"a stop", "B/t-0 is MIRRORING, wanted is STOPPED", func(b *builder) { b.intent(clusterB, record.WantStopped) }},
		{"not writable yet", "B/t-0 is STOPPED, but its leader does not take writes yet", func(b *builder) {
			b.intent(clusterB, record.WantStopped)
			b.store(clusterB, record.Stopping)
			b.store(clusterB, record.Stopped)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := mirrored()
			c.build(b)
			if quiet, why := fold(b).Quiet(); why != c.want || quiet != (c.want == "") {
				t.Errorf("quiet %v: %q, want %q", quiet, why, c.want)
			}
		})
	}
}

// What a coordinator committed before it died is known when the next one has loaded, though no event said so.
func TestLoadedStatesAreCommitted(t *testing.T) {
	b := &builder{}
	b.boot()
	states := id.Partition{Topic: id.NewTopic(clusterB, 9)}
	x := record.NewStates([]record.MirrorState{
		{Kind: record.MirrorPartitionState, Mirror: mirrorM, Partition: t0, State: record.Paused},
		{Kind: record.LastMirroredEpochs, Mirror: mirrorM, Partition: t0, Epoch: 4, Offset: 9}}).At(0, 0)
	b.on(event.Appended, b1, event.Event{Partition: states, End: 2, Cause: uint8(event.FromLeader), Batch: x})
	if s := fold(b).State(clusterB, t0); s != record.Unknown {
		t.Errorf("state %v before the load", s)
	}
	b.on(event.PartitionChanged, bLog, event.Event{Partition: states, Peer: b0, LeaderEpoch: 1, Digest: uint64(id.SetOf(b0))})
	b.on(event.CoordinatorLoaded, b1, event.Event{Partition: states, Sequence: 1})
	if s := fold(b).State(clusterB, t0); s != record.Unknown {
		t.Errorf("state %v, by one that was deposed before it had loaded", s)
	}
	b.on(event.PartitionChanged, bLog, event.Event{Partition: states, Peer: b1, LeaderEpoch: 2, Sequence: 1, Digest: uint64(id.SetOf(b1))})
	b.on(event.CoordinatorLoaded, b1, event.Event{Partition: states, Sequence: 1})
	l := fold(b)
	epoch, offset, _ := l.Position(clusterB, t0)
	if l.State(clusterB, t0) != record.Paused || epoch != 4 || offset != 9 {
		t.Errorf("state %v, position %d at %d", l.State(clusterB, t0), epoch, offset)
	}
}

func TestLastStableOffset(t *testing.T) {
	marker := func(c record.Control) *record.Batch { return record.NewMarker(c, 5, 0, 0) }
	open := func(b *builder, producer int64) *record.Batch {
		x := b.data(p1, 1, producer, 0)
		x.Transactional = true
		return x.Sealed()
	}
	for _, c := range []struct {
		name   string
		closes bool
		want   int64
		build  func(b *builder) []*record.Batch
		hw     int64
	}{
		{"no transaction", false, 1, func(b *builder) []*record.Batch { return []*record.Batch{b.data(p1, 1, -1, -1)} }, 1},
		{"open", false, 0, func(b *builder) []*record.Batch { return []*record.Batch{open(b, 5)} }, 1},
		{"ended", false, 2, func(b *builder) []*record.Batch { return []*record.Batch{open(b, 5), marker(record.Commit)} }, 2},
		{"marker not below the high watermark", false, 0,
			func(b *builder) []*record.Batch { return []*record.Batch{open(b, 5), marker(record.Abort)} }, 1},
		{"reset clears producers", false, 0,
			func(b *builder) []*record.Batch { return []*record.Batch{open(b, 5), record.NewReset()} }, 2},
		{"reset closes transactions", true, 2,
			func(b *builder) []*record.Batch { return []*record.Batch{open(b, 5), record.NewReset()} }, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &builder{}
			b.boot()
			for _, x := range c.build(b) {
				b.append(a0, x, event.FromClient)
			}
			b.highWatermark(a0, c.hw)
			rules := topology
			rules.ResetClosesTransactions = c.closes
			l := NewLedger(rules)
			for i := range b.events {
				l.Fold(&b.events[i])
			}
			if got := l.LastStable(a0, t0); got != c.want {
				t.Errorf("last stable offset %d, want %d", got, c.want)
			}
		})
	}
}

// Where a mirror may change epochs and producers, the rest of a batch must still be equal.
func TestContentLeavesOutWhatAMirrorChanges(t *testing.T) {
	x := record.NewData(7, 0, 0, []record.Record{{Key: 1, Value: 1}}).At(0, 3)
	epoch := x.At(0, 9)
	producer := *x
	producer.ProducerID = -9
	producer.Sealed()
	value := *x
	value.Records = []record.Record{{Key: 1, Value: 2}}
	value.Sealed()
	for _, c := range []struct {
		name                          string
		t                             Topology
		epoch, producer, value, plain bool
	}{
		{"preserved", Topology{}, false, false, false, true},
		{"epochs", Topology{RewritesEpochs: true}, true, false, false, true},
		{"producers", Topology{RewritesProducers: true}, false, true, false, true},
	} {
		shadow := func(b *record.Batch) *Shadow {
			s := newShadow()
			s.append(b, 0, 0, &c.t)
			return s
		}
		same := func(b *record.Batch) bool { return shadow(x).equal(shadow(b), 0, 1, true) }
		if same(epoch) != c.epoch || same(&producer) != c.producer || same(&value) != c.value || same(x) != c.plain {
			t.Errorf("%s: epoch %v, producer %v, value %v, itself %v", c.name, same(epoch), same(&producer), same(&value), same(x))
		}
	}
}

func TestNewestResetAfterCuts(t *testing.T) {
	s := newShadow()
	for i, x := range []*record.Batch{record.NewReset(), record.NewData(7, 0, 0, make([]record.Record, 1)), record.NewReset()} {
		s.append(x.At(int64(i), 0), 0, 0, &Topology{})
	}
	for _, c := range []struct {
		name string
		cut  func()
		want int64
	}{
		{"whole", func() {}, 2},
		{"the newer one cut", func() { s.truncate(2) }, 0},
		{"the older one below the log start", func() { s.moveStart(1) }, -1},
	} {
		if c.cut(); s.reset != c.want {
			t.Errorf("%s: the newest reset is at %d, want %d", c.name, s.reset, c.want)
		}
	}
}

func TestShadowEpochs(t *testing.T) {
	at := func(base int64, epoch int32) func(*Shadow) {
		return func(s *Shadow) {
			s.append(record.NewData(-1, -1, -1, make([]record.Record, 1)).At(base, epoch), 0, 0, &Topology{})
		}
	}
	led := func(epoch int32) func(*Shadow) { return func(s *Shadow) { s.addEpoch(epoch, s.End) } }
	for _, c := range []struct {
		name string
		do   []func(*Shadow)
		want []Epoch
	}{
		{"batches", []func(*Shadow){at(0, 0), at(1, 0), at(2, 3)}, []Epoch{{0, 0}, {3, 2}}},
		{"a leader that writes", []func(*Shadow){at(0, 0), led(2), at(1, 2)}, []Epoch{{0, 0}, {2, 1}}},
		{"a leader that writes nothing is replaced", []func(*Shadow){at(0, 0), led(2), led(4)}, []Epoch{{0, 0}, {4, 1}}},
		{"mirrored batches go on below its epoch", []func(*Shadow){at(0, 0), led(9), at(1, 0)}, []Epoch{{0, 0}}},
		{"and behind a gap", []func(*Shadow){at(0, 0), led(9), at(4, 1)}, []Epoch{{0, 0}, {1, 4}}},
		{"a cut drops entries at the log end", []func(*Shadow){at(0, 0), at(1, 1), led(2), func(s *Shadow) { s.truncate(1) }},
			[]Epoch{{0, 0}}},
		{"the log start moves into an epoch", []func(*Shadow){at(0, 0), at(1, 1), at(2, 1), func(s *Shadow) { s.moveStart(2) }},
			[]Epoch{{1, 2}}},
		{"recovery lowers the start of the first entry", []func(*Shadow){at(3, 1), at(4, 2),
			func(s *Shadow) { s.rebuildEpoch(Epoch{1, 2}) }, func(s *Shadow) { s.rebuildEpoch(Epoch{2, 4}) }},
			[]Epoch{{1, 2}, {2, 4}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShadow()
			for _, do := range c.do {
				do(s)
			}
			if d := cmp.Diff(c.want, s.Epochs()); d != "" {
				t.Error(d)
			}
		})
	}
}
