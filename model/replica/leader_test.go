package replica_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// The high watermark is the smallest log end over the leader, the ISR with a pending expansion, and the caught-up
// eligible followers; it moves only while the ISR has enough members, and falls only by truncation.
func TestHighWatermark(t *testing.T) {
	leader := func(t *testing.T, s spec, isr ...id.Node) *host {
		l := newHost(t, a, s).hold(t, "0-9@1").commit(4)
		l.register(a, 2, isr...)
		return l
	}
	for _, test := range []struct {
		name string
		spec spec
		isr  []id.Node
		act  func(l *host)
		want int64
	}{
		{"the smallest of the ISR", spec{}, []id.Node{a, b, c}, func(l *host) { l.fetch(b, 8, 1); l.fetch(c, 6, 1) }, 6},
		{"a member that has not fetched yet", spec{}, []id.Node{a, b, c}, func(l *host) { l.fetch(b, 10, 1) }, 4},
		{"the leader alone", spec{}, []id.Node{a}, func(*host) {}, 10},
		{"the ISR is too small", spec{minISR: 2}, []id.Node{a}, func(l *host) { l.produce(1, 1) }, 4},
		{"the ISR is large enough again", spec{minISR: 2}, []id.Node{a}, func(l *host) {
			l.fetch(b, 10, 1)
			l.register(a, 2, a, b)
		}, 10},
		{"as many as there are replicas", spec{minISR: 2, replicas: []id.Node{a}}, []id.Node{a}, func(*host) {}, 10},
		{"an expansion under way", spec{}, []id.Node{a, c}, func(l *host) {
			l.fetch(b, 10, 1) // asks to join, and lags from then on
			l.Lagging(b, &l.env)
			l.produce(1, 2)
			l.fetch(c, 12, 2)
		}, 10},
		{"a follower that is about to join", spec{}, []id.Node{a, c}, func(l *host) {
			l.fetch(b, 10, 1)
			l.register(a, 2, a, c) // the change came to nothing
			l.produce(1, 2)
			l.fetch(c, 12, 2)
		}, 10},
		{"the same, fenced", spec{}, []id.Node{a, c}, func(l *host) {
			l.fetch(b, 10, 1)
			l.fence(b)
			l.register(a, 2, a, c)
			l.produce(1, 2)
			l.fetch(c, 12, 2)
		}, 12},
		{"the same, lagging", spec{}, []id.Node{a, c}, func(l *host) {
			l.fetch(b, 10, 1)
			l.register(a, 2, a, c)
			l.Lagging(b, &l.env)
			l.produce(1, 2)
			l.fetch(c, 12, 2)
		}, 12},
		{"it does not fall with a follower's log end", spec{}, []id.Node{a, b}, func(l *host) {
			l.fetch(b, 9, 1)
			l.fetch(b, 7, 1)
		}, 9},
		{"a shrink counts once it is done", spec{}, []id.Node{a, b, c}, func(l *host) {
			l.fetch(c, 10, 1)
			l.Lagging(b, &l.env)
		}, 4},
		{"a shrink that is done", spec{}, []id.Node{a, b, c}, func(l *host) {
			l.fetch(c, 10, 1)
			l.Lagging(b, &l.env)
			l.register(a, 2, a, c)
		}, 10},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := leader(t, test.spec, test.isr...)
			test.act(l)
			equal(t, "high watermark", l.Log.HighWatermark(), test.want)
		})
	}
}

func TestProduce(t *testing.T) {
	code := func(t *testing.T, got []wire.ProduceResponse, want ...wire.Code) {
		t.Helper()
		equal(t, "answers", codes(got), want)
	}
	t.Run("not the leader", func(t *testing.T) {
		h := newHost(t, b, spec{})
		h.register(a, 1, a, b)
		code(t, h.produce(wire.AcksAll, 1), wire.NotLeaderOrFollower)
		equal(t, "log", h.strip(), "")
	})
	t.Run("NOT_ENOUGH_REPLICAS before the append", func(t *testing.T) {
		l := newHost(t, a, spec{minISR: 2})
		l.register(a, 1, a)
		code(t, l.produce(wire.AcksAll, 1), wire.NotEnoughReplicas)
		equal(t, "log", l.strip(), "")
		code(t, l.produce(1, 1), wire.OK)
		equal(t, "log after acks=1", l.strip(), "0@1")
	})
	t.Run("NOT_ENOUGH_REPLICAS_AFTER_APPEND", func(t *testing.T) {
		l := newHost(t, a, spec{minISR: 2})
		l.register(a, 1, a, b)
		code(t, l.produce(wire.AcksAll, 2))
		l.Wait(2)
		l.register(a, 1, a)
		code(t, l.produced(), wire.NotEnoughReplicasAfterAppend)
		equal(t, "the batch stays", l.Log.End(), 2)
		l.fetch(b, 2, 1)
		l.register(a, 1, a, b)
		equal(t, "the stop sequence waited on", len(l.Done), 1)
		equal(t, "and is answered", l.Done[0].Code, wire.OK)
	})
	t.Run("NOT_ENOUGH_REPLICAS_AFTER_APPEND by a bump", func(t *testing.T) {
		l := newHost(t, a, spec{minISR: 2})
		l.register(a, 1, a, b)
		code(t, l.produce(wire.AcksAll, 1))
		l.register(a, 2, a)
		code(t, l.produced(), wire.NotEnoughReplicasAfterAppend)
	})
	t.Run("acknowledged when the high watermark passes it", func(t *testing.T) {
		l := newHost(t, a, spec{})
		l.register(a, 1, a, b)
		code(t, l.produce(wire.AcksAll, 3))
		l.fetch(b, 2, 1)
		code(t, l.produced())
		l.fetch(b, 3, 1)
		code(t, l.produced(), wire.OK)
	})
	t.Run("acks=1 at once, by a deposed leader that does not know it too; acks=0 never", func(t *testing.T) {
		l := newHost(t, a, spec{})
		l.register(a, 1, a, b)
		code(t, l.produce(1, 1), wire.OK)
		code(t, l.produce(0, 1))
		equal(t, "log end", l.Log.End(), 2)
	})
	t.Run("a corrupt batch", func(t *testing.T) {
		l := newHost(t, a, spec{})
		l.register(a, 1, a)
		bad := *plain(1, 7)
		bad.CRC++
		l.Produce(client, &wire.ProduceRequest{Partition: testPartition, Acks: 1, Batch: &bad}, &l.env)
		code(t, l.produced(), wire.CorruptMessage)
		equal(t, "log end", l.Log.End(), 0)
	})
}

// A retry of a batch that is one of the last five is answered with its first offset, and waits like the first try.
func TestProduceDuplicate(t *testing.T) {
	l := newHost(t, a, spec{})
	l.register(a, 1, a, b)
	l.produce(1, 4)
	send := func(sequence int32) []wire.ProduceResponse {
		batch := record.NewData(5, 0, sequence, []record.Record{{Value: 1}, {Value: 2}})
		l.Produce(client, &wire.ProduceRequest{Partition: testPartition, Acks: wire.AcksAll, Batch: batch,
			Correlation: 9}, &l.env)
		return l.produced()
	}
	equal(t, "first try", len(send(0)), 0)
	equal(t, "retry", len(send(0)), 0)
	equal(t, "log end", l.Log.End(), 6)
	equal(t, "a gap", codes(send(3)), []wire.Code{wire.OutOfOrderSequenceNumber})
	l.fetch(b, 6, 1)
	want := wire.ProduceResponse{Partition: testPartition, Base: 4, Correlation: 9}
	equal(t, "answers", l.produced(), []wire.ProduceResponse{want, want})
}

// unknown-producer, D35: sequence 5 of a producer that the partition does not know, on a log that was never used.
func TestUnknownProducer(t *testing.T) {
	for token, want := range map[string]wire.Code{
		"accept":                       wire.OK,
		"accept-unless-log-never-used": wire.OutOfOrderSequenceNumber,
		"reject":                       wire.UnknownProducerId,
	} {
		t.Run(token, func(t *testing.T) {
			l := newHost(t, a, spec{set: []string{"unknown-producer=" + token}})
			l.register(a, 1, a)
			batch := record.NewData(5, 0, 5, []record.Record{{Value: 1}})
			l.Produce(client, &wire.ProduceRequest{Partition: testPartition, Acks: 1, Batch: batch}, &l.env)
			equal(t, "answers", codes(l.produced()), []wire.Code{want})
		})
	}
}

// Who waits is refused when the broker ceases to lead, and waits on through a bump.
func TestWaiters(t *testing.T) {
	l := newHost(t, a, spec{})
	l.register(a, 1, a, b)
	l.produce(wire.AcksAll, 1)
	l.register(a, 2, a, b)
	equal(t, "answers after the bump", codes(l.produced()), nil)
	l.register(b, 3, a, b)
	equal(t, "answers after the election", codes(l.produced()), []wire.Code{wire.NotLeaderOrFollower})
	failIf(t, l.IsLeader(), "a follows")
	failIf(t, l.request() == nil, "it asks the new leader")
	l.register(id.None, 4, b)
	failIf(t, l.request() != nil, "without a leader nobody is asked")
}

// A leader that cuts its own log refuses who waits for what is gone: other batches may stand there before the high
// watermark passes.
func TestWaitersOfACut(t *testing.T) {
	for name, cut := range map[string]func(l *host){
		"truncated": func(l *host) { l.TruncateOwn(5, event.AlignedToLME, &l.env) },
		"restarted": func(l *host) { l.RestartOwn(0, &l.env) },
	} {
		t.Run(name, func(t *testing.T) {
			l := newHost(t, a, spec{set: []string{"divergence=truncate-or-recover"}})
			l.register(a, 1, a, b)
			l.produce(wire.AcksAll, 8)
			l.want(record.WantMirroring)
			cut(l)
			equal(t, "answers", codes(l.produced()), []wire.Code{wire.NotLeaderOrFollower})
			equal(t, "the log is empty: the cut was inside its one batch", [2]int64{l.Log.Start(), l.Log.End()}, [2]int64{0, 0})
			l.Wait(l.Log.End())
			equal(t, "who waits for what is left", len(l.Done), 1)
		})
	}
}

// A mirror's leader whose log a cut ends in a gap, inside of a batch or where compaction had removed what stood there, leaves the
// gap; with D11=truncate-or-recover it cuts it back to its newest batch, for it goes on from its end with what the source has. A stop
// goes on with its own batches, and does not.
func TestCutIntoAGap(t *testing.T) {
	for _, c := range []struct {
		cause event.TruncateCause
		token string
		end   int64
	}{{event.AlignedToLME, "truncate-or-recover", 2}, {event.Diverged, "truncate-or-recover", 2}, {event.CutToLastStable, "truncate-or-recover", 4},
		{event.AlignedToLME, "truncate", 4}, {event.Diverged, "fail-or-recover", 4}} {
		l := newHost(t, a, spec{set: []string{"divergence=" + c.token}}).hold(t, "0-1@5").commit(2)
		l.register(a, 7, a, b)
		l.want(record.WantMirroring)
		l.AppendMirrored(plain(1, 3).At(4, 5), &l.env)
		l.TruncateOwn(4, c.cause, &l.env)
		equal(t, "log end", l.Log.End(), c.end)
	}
}

func TestMirroredAppend(t *testing.T) {
	l := newHost(t, a, spec{desired: record.WantMirroring})
	l.register(a, 1, a)
	for _, x := range batches(t, "0-1@4 5@6") {
		l.AppendMirrored(x, &l.env)
	}
	equal(t, "log", l.strip(), "0-1@4 5@6")
	equal(t, "epochs", l.epochs(), "4→0 6→5")
	equal(t, "high watermark", l.Log.HighWatermark(), 6)
}

// While the topic follows a source an election adds nothing to the leader-epoch cache; once it is stopped it does again.
func TestEpochOfAMirror(t *testing.T) {
	for _, test := range []struct {
		desired record.Desired
		want    string
	}{
		{record.WantNone, "3→0 7→4"}, {record.WantMirroring, "3→0"}, {record.WantPaused, "3→0"}, {record.WantStopped,
			"3→0 7→4"},
	} {
		t.Run(test.desired.String(), func(t *testing.T) {
			l := newHost(t, a, spec{desired: test.desired}).hold(t, "0-3@3")
			l.register(a, 7, a)
			equal(t, "epochs", l.epochs(), test.want)
		})
	}
	t.Run("bumped after the stop", func(t *testing.T) {
		l := newHost(t, a, spec{desired: record.WantMirroring}).hold(t, "0-3@3")
		l.register(a, 7, a)
		l.want(record.WantStopped)
		equal(t, "epochs before the bump", l.epochs(), "3→0")
		l.register(a, 8, a)
		equal(t, "epochs", l.epochs(), "3→0 8→4")
		l.AppendOwn(record.NewReset(), event.FromStop, &l.env)
		equal(t, "log", l.strip(), "0-3@3 4@8")
	})
}

func TestListOffsets(t *testing.T) {
	for _, test := range []struct {
		name string
		req  wire.ListOffsetsRequest
		want wire.ListOffsetsResponse
	}{
		{"the high watermark", wire.ListOffsetsRequest{}, wire.ListOffsetsResponse{Offset: 6, LeaderEpoch: 2}},
		{"the log start", wire.ListOffsetsRequest{Earliest: true}, wire.ListOffsetsResponse{Offset: 0, LeaderEpoch: -1}},
		{"the last stable offset", wire.ListOffsetsRequest{ReadCommitted: true}, wire.ListOffsetsResponse{Offset: 5,
			LeaderEpoch: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newHost(t, a, spec{}).hold(t, "0-4@1")
			open := record.NewData(5, 0, 0, []record.Record{{Value: 1}})
			open.Transactional = true
			l.Log.AppendAsIs(open.Sealed().At(5, 2), 2, event.FromLeader, &l.out)
			l.register(a, 3, a)
			l.ListOffsets(client, &test.req, &l.env)
			l.settle()
			test.want.Partition = testPartition
			equal(t, "answer", *l.answers[len(l.answers)-1].(*wire.ListOffsetsResponse), test.want)
		})
	}
	t.Run("not the leader", func(t *testing.T) {
		h := newHost(t, b, spec{})
		h.register(a, 1, a, b)
		h.request()
		h.ListOffsets(client, &wire.ListOffsetsRequest{}, &h.env)
		h.settle()
		equal(t, "code", h.answers[0].(*wire.ListOffsetsResponse).Code, wire.NotLeaderOrFollower)
	})
}

// Each marker that a coordinator has written is answered once it is below the high watermark, one time for all repeats of it:
// neither another marker of that coordinator, nor another request of the same number, stands for it.
func TestMarkersAreAnsweredEach(t *testing.T) {
	l := newHost(t, a, spec{})
	l.register(a, 1, a, b)
	l.produce(wire.AcksAll, 1) // number 1, of the client
	marker := func(from id.Node, producer int64, number uint32) {
		l.WriteMarker(from, &wire.WriteTxnMarkersRequest{Partition: testPartition, ProducerID: producer, ProducerEpoch: 1, Correlation: number}, &l.env)
	}
	marker(c, 7, 1)
	marker(c, 8, 2)
	marker(c, 8, 2) // a repeat
	marker(b, 9, 2)
	l.fetch(b, 0, -1)
	l.fetch(b, l.Log.End(), 1)
	var answered [][2]uint32
	for _, d := range l.Done {
		if d.Kind == replica.ForMarker {
			answered = append(answered, [2]uint32{uint32(d.To), d.Correlation})
		}
	}
	equal(t, "answered", answered, [][2]uint32{{uint32(c), 1}, {uint32(c), 2}, {uint32(b), 2}})
}

// A clone goes on by itself.
func TestClone(t *testing.T) {
	l := newHost(t, a, spec{})
	l.register(a, 1, a, b)
	l.produce(wire.AcksAll, 2)
	l.fetch(b, 0, -1)
	l.fetch(b, 2, 1)
	l.produce(wire.AcksAll, 1)
	before := string(l.AppendState(nil))
	d := l.disk.Clone()
	twin := l.Replica.Clone(d.Find(testPartition))
	equal(t, "state of the clone", string(twin.AppendState(nil)), before)
	env := l.env
	twin.Fetch(b, &wire.FetchRequest{Partition: testPartition, Replica: b, CurrentLeaderEpoch: 1, LastFetchedEpoch: 1,
		FetchOffset: 3, MaxWait: 1, Correlation: 99}, &env)
	equal(t, "the clone's high watermark", twin.Log.HighWatermark(), 3)
	equal(t, "state of the original", string(l.AppendState(nil)), before)
	failIf(t, string(twin.AppendState(nil)) == before, "the clone's state shows what it did")
}
