package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// change is F1 with one event changed.
func change(t *testing.T, nth int, fits func(*event.Event) bool, with func(*event.Event)) []event.Event {
	t.Helper()
	events := f1().events
	with(&events[find(t, events, nth, fits)])
	return events
}

// rewritten changes the batch of every append of offset base by one of the nodes.
func rewritten(base int64, with func(*record.Batch), nodes ...id.Node) []event.Event {
	events := f1().events
	for i := range events {
		e := &events[i]
		for _, n := range nodes {
			if e.Kind == event.Appended && e.Node == n && e.Offset == base {
				b := *e.Batch
				with(&b)
				b.Sealed()
				e.Batch, e.BatchEpoch = &b, b.LeaderEpoch
			}
		}
	}
	return events
}

func otherRecord(b *record.Batch) { b.Records = []record.Record{{Key: 99, Value: 99}} }

// mirrored is three records on A, mirrored to B, which is MIRRORING with lag 0.
func mirrored() *builder {
	b := &builder{}
	b.boot()
	for i := range 3 {
		b.produce(p1, clusterA, b.data(p1, 1, 7, int32(i)))
	}
	b.start(clusterB, false, 0, event.AlignedToLME)
	b.catchUp(clusterB)
	return b
}

// stopped is mirrored, and B's mirror stopped.
func stopped() *builder {
	b := mirrored()
	b.stopMirror(clusterB)
	return b
}

type defect struct {
	name     string
	property ID
	words    []string // one sentence has them all
	build    func(t *testing.T) []event.Event
}

func (d *defect) run(t *testing.T) {
	wantViolated(t, judge(t, d.build(t)), d.property.String(), d.words...)
}

func TestEpochDefectsAreReported(t *testing.T) {
	for _, d := range []defect{
		{"batch epoch falls", EpochOrder, []string{"B/t-0@b0 offset 4 has epoch 0 below epoch 1 of offset 3"},
			func(*testing.T) []event.Event {
				return rewritten(4, func(b *record.Batch) { b.LeaderEpoch = 0 }, b0)
			}},
		{"batch below the log end", EpochOrder, []string{"A/t-0@a0 appended 1@0 below its log end 2"},
			func(t *testing.T) []event.Event {
				return rewritten(2, func(b *record.Batch) { b.Base, b.Last = 1, 1 }, a0)
			}},
		{"cache entry not above the newest", EpochOrder, []string{"A/t-0@a0 has the epoch entry 0→2 after 0→0"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.on(event.EpochAdded, a0, event.Event{BatchEpoch: 0, Offset: 2, Sequence: 2})
				return b.events
			}},
		{"cache not increasing", EpochOrder, []string{"B/t-0@b0 reports the epoch entry 1→0 after 0→0"},
			func(t *testing.T) []event.Event {
				return change(t, 0, func(e *event.Event) bool {
					return e.Kind == event.EpochReported && e.Node == b0 && e.BatchEpoch == 1
				}, func(e *event.Event) { e.Offset = 0 })
			}},
		{"cache does not name the epoch", EpochOrder,
			[]string{"B/t-0@b0 offset 3 has epoch 1, but its leader-epoch cache has the entry 0→0"},
			func(t *testing.T) []event.Event {
				return change(t, 0, func(e *event.Event) bool {
					return e.Kind == event.EpochReported && e.Node == b0 && e.BatchEpoch == 1
				}, func(e *event.Event) { e.Offset = 4 })
			}},
		{"leader epoch falls", LeaderEpoch, []string{"B/t-0 went from leader epoch 1 back to 0"},
			func(*testing.T) []event.Event {
				b := stopped()
				b.epoch[clusterB] = 0
				b.register(clusterB, event.IsrChange, id.SetOf(b0, b1))
				return b.events
			}},
		{"two leaders in one epoch", LeaderEpoch, []string{"A/t-0", "a0 and a1 both appended as leader in leader epoch 0"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.append(a1, b.data(p2, 1, -1, -1), event.FromClient)
				return b.events
			}},
		{"no bump at the stop", EraBoundary,
			[]string{"B/t-0@b0 offset 3, its first own batch after the stop, has epoch 0, not above epoch 0 of offset 2"},
			func(*testing.T) []event.Event {
				return rewritten(3, func(b *record.Batch) {
					if b.Control == record.MirrorPidReset {
						b.LeaderEpoch = 0
					}
				}, b0)
			}},
		{"two eras with one epoch", EraBoundary,
			[]string{"A/t-0@a0 offset 5 begins an era with epoch 2, but an earlier era of A has used epochs up to 2"},
			func(*testing.T) []event.Event {
				b := stopped()
				b.produce(p2, clusterB, b.data(p2, 1, 7, 0))
				b.elect(clusterA, a0, event.EpochBump)
				b.elect(clusterA, a0, event.EpochBump)
				b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
				b.start(clusterA, true, 3, event.Diverged)
				b.catchUp(clusterA)
				b.intent(clusterA, record.WantStopped)
				b.store(clusterA, record.Stopping)
				b.append(a0, record.NewReset(), event.FromStop) // stop-bump=if-not-above: epoch 2 is above 1
				return b.events
			}},
	} {
		t.Run(d.name, d.run)
	}
}

func TestLogDefectsAreReported(t *testing.T) {
	mirrorDiffers := func(*testing.T) []event.Event { return rewritten(1, otherRecord, b0, b1) }
	for _, d := range []defect{
		{"follower differs", LogMatching,
			[]string{"A/t-0@a0 answered A/t-0@a1 at offset 2 without divergence", "A/t-0@a1 has 1@0 (record 99/99)"},
			func(*testing.T) []event.Event { return rewritten(1, otherRecord, a1) }},
		{"ISR member differs", LogMatching, []string{"ISR member A/t-0@a1 differs from leader a0 below its high watermark 2"},
			func(*testing.T) []event.Event { return rewritten(1, otherRecord, a1) }},
		{"high watermark over a short follower", LogMatching,
			[]string{"leader A/t-0@a0 raised its high watermark to 3, but the log of ISR member a1 ends at 2"},
			func(t *testing.T) []event.Event {
				return change(t, 0, func(e *event.Event) bool {
					return e.Kind == event.Appended && e.Node == a1 && e.Offset == 2
				}, func(e *event.Event) { e.Kind = event.PointReached })
			}},
		{"high watermark over a follower that has caught up and is cut", LogMatching,
			[]string{"leader A/t-0@a0 raised its high watermark to 4, but the log of ISR member a1 ends at 2"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.append(a0, b.data(p1, 1, -1, -1), event.FromClient)
				b.append(a0, b.data(p1, 1, -1, -1), event.FromClient)
				b.follow(a0, a1)
				b.truncate(a1, 2, event.Diverged) // the power took the tail
				b.events[len(b.events)-1] = event.Event{Kind: event.Recovered, Node: a1, Partition: t0, End: 2,
					Digest: event.MixBatch(event.MixBatch(0, b.logs[a1][0]), b.logs[a1][1])}
				b.on(event.BecameFollower, a1, event.Event{Peer: a0})
				b.follow(a0, a1)
				b.truncate(a1, 2, event.Diverged)
				b.highWatermark(a0, 4)
				return b.events
			}},
		{"mirror differs", LogMatching,
			[]string{"A/t-0@a0 answered B/t-0@b0 at offset 3 without divergence", "B/t-0@b0 has 1@0 (record 99/99)"}, mirrorDiffers},
		{"replica is not what its events told", LogMatching, []string{"B/t-0@b1 reports log 0 to 4", "with other batches"},
			func(t *testing.T) []event.Event {
				return change(t, 0, kindOn(event.ReplicaReported, b1), func(e *event.Event) { e.Digest++ })
			}},
		{"lag 0 over different logs", Convergence,
			[]string{"B/t-0@b0 is MIRRORING with lag 0 at 3, but differs from its source A/t-0@a0", "record 99/99"}, mirrorDiffers},
		{"a divergence that leads to nothing", Convergence,
			[]string{"B/t-0@b0 is MIRRORING at 3, not behind its source A/t-0@a0 at 3, and stays diverged"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.fetch(clusterB, true)
				b.fetch(clusterB, true)
				return b.events
			}},
	} {
		t.Run(d.name, d.run)
	}
}

func TestLossesAreReported(t *testing.T) {
	cutByLeader := func(*testing.T) []event.Event {
		b := mirrored()
		b.truncate(a0, 2, event.Diverged)
		return b.events
	}
	for _, d := range []defect{
		{"leader cuts an acknowledged batch", Durability, []string{"leader A/t-0@a0 lacks 2@0, acknowledged to p1"}, cutByLeader},
		{"lost write", LinearizableLog, []string{"lost write: leader A/t-0@a0 lacks 2@0"}, cutByLeader},
		{"clean election of a short replica", Durability, []string{"leader A/t-0@a1 lacks 2@0"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.truncate(a1, 2, event.Diverged)
				b.elect(clusterA, a1, event.CleanElection)
				return b.events
			}},
		{"lost at the end", Durability, []string{"leader A/t-0@a1 lacks 2@0"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.truncate(a1, 2, event.Diverged)
				b.leader[clusterA] = a1
				b.register(clusterA, event.CleanElection, id.SetOf(a0, a1))
				return b.events
			}},
		{"acknowledged and gone without a line", LossAccounted,
			[]string{"A/t-0 1@0 (record 7/2), acknowledged to p1, is not in the final log of B/t-0@b0"},
			func(*testing.T) []event.Event { return rewritten(1, otherRecord, b0, b1) }},
		{"listed but not gone", LossAccounted,
			[]string{"the loss report lists A/t-0 3@0 (record 7/4) as lost, but it stands in the final log of B/t-0@b0"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
				b.intent(clusterB, record.WantStopped)
				b.store(clusterB, record.Stopping)
				b.on(event.StopStepDone, b0, event.Event{Mirror: mirrorM, Offset: 3})
				b.store(clusterB, record.Stopped)
				b.append(b0, b.logs[a0][3], event.FromMirror) // an answer in flight, applied after STOPPED
				return b.events
			}},
	} {
		t.Run(d.name, d.run)
	}
}

func TestProduceDefectsAreReported(t *testing.T) {
	answered := func(nth int, with func(*event.Event)) func(*testing.T) []event.Event {
		return func(t *testing.T) []event.Event { return change(t, nth, kindOn(event.ProduceReturned, p2), with) }
	}
	twice := func(*testing.T) []event.Event {
		b := stopped()
		x := b.data(p2, 2, 7, 0)
		op := b.call(p2, clusterB, x, acksAll)
		b.append(b0, x, event.FromClient)
		b.append(b0, x, event.FromClient)
		b.replicate(clusterB)
		b.returned(p2, clusterB, op, 4, codeOK)
		return b.events
	}
	atZero := answered(0, func(e *event.Event) { e.Offset = 0 })
	for _, d := range []defect{
		{"below the log end", AckOffset,
			[]string{"B/t-0@b0 acknowledged a batch of p2 at offset 0, below the log end 4 at its first send"}, atZero},
		{"where it was never appended", AckOffset, []string{"at offset 9, where it was never appended: it was appended at 4@1"},
			answered(0, func(e *event.Event) { e.Offset = 9 })},
		{"inconsistent offset", LinearizableLog, []string{"inconsistent offset", "at offset 9"},
			answered(0, func(e *event.Event) { e.Offset = 9 })},
		{"stands twice", AckOffset, []string{"B/t-0@b0 holds one batch of producer 7, sequence 0, at offset 4 and again at 6"}, twice},
		{"duplicate", LinearizableLog, []string{"duplicate: B/t-0@b0", "at offset 4 and again at 6"}, twice},
		{"fresh producer stored twice", FreshProducer, []string{"at offset 4 and again at 6"}, twice},
		{"fresh producer deduplicated against the past", FreshProducer,
			[]string{"producer 7 started at sequence 0 after the reset at 3 of B/t-0, but was acknowledged at offset 0"}, atZero},
		{"fresh producer refused", FreshProducer,
			[]string{"producer 7 started at sequence 0 after the reset at 3 of B/t-0, but b0 refused it with error code 14"},
			func(t *testing.T) []event.Event {
				b := stopped()
				op := b.call(p2, clusterB, b.data(p2, 1, 7, 0), acksAll)
				b.returned(p2, clusterB, op, -1, codeOutOfOrderSequenceNumber)
				return b.events
			}},
		{"against real time", LinearizableLog,
			[]string{"A/t-0 acknowledged offset 1 to p2, but an append that ends at 3 had been acknowledged before"},
			func(*testing.T) []event.Event {
				b := mirrored()
				op := b.call(p2, clusterA, b.logs[a0][1], acksAll)
				b.returned(p2, clusterA, op, 1, codeOK)
				return b.events
			}},
	} {
		t.Run(d.name, d.run)
	}
}

func TestReadOnlyDefectsAreReported(t *testing.T) {
	for _, d := range []defect{
		{"append while mirroring", ReadOnly,
			[]string{"B/t-0@b0 appended client batch 3@0", "(wanted: mirroring) and has read MIRRORING last"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.append(b0, b.data(p2, 1, -1, -1), event.FromClient)
				return b.events
			}},
		{"append before the state is read", ReadOnly, []string{"B/t-0@b1 appended client batch 4@2", "has not read its mirror state"},
			func(*testing.T) []event.Event {
				b := stopped()
				b.elect(clusterB, b1, event.CleanElection)
				b.append(b1, b.data(p2, 1, -1, -1), event.FromClient)
				return b.events
			}},
		{"acknowledged between PREPARING and STOPPED", ReadOnly,
			[]string{"B/t-0 acknowledged offset 3 to p2 with acks=all", "after PREPARING was stored and before STOPPED"},
			func(*testing.T) []event.Event {
				b := mirrored()
				for i := range b.events {
					if b.events[i].Kind == event.IntentSeen {
						b.events[i].To = uint8(record.WantNone)
					}
				}
				b.produce(p2, clusterB, b.data(p2, 1, -1, -1))
				return b.events
			}},
	} {
		t.Run(d.name, d.run)
	}
}

func TestProducerDefectsAreReported(t *testing.T) {
	entry := func(with func(*event.Event)) func(*testing.T) []event.Event {
		return func(t *testing.T) []event.Event { return change(t, 0, kindOn(event.ProducerReported, b1), with) }
	}
	for _, d := range []defect{
		{"an entry is left after the reset", ProducerReset,
			[]string{"B/t-0@b1 still holds 1 producer entries after the reset at offset 3"},
			func(t *testing.T) []event.Event {
				return change(t, 0, kindOn(event.ProducersReset, b1), func(e *event.Event) { e.Sequence = 1 })
			}},
		{"an entry from below the reset", ProducerReset,
			[]string{"B/t-0@b1 has its log end at 5, above the reset at 3, and holds an entry of producer 7"},
			entry(func(e *event.Event) { e.End = 2 })},
		{"another last sequence", ProducerReset, []string{"B/t-0@b1", "last sequence 0, but reports epoch 0, last sequence 5"},
			entry(func(e *event.Event) { e.Sequence = 5 })},
		{"no entry of a producer", ProducerReset, []string{"B/t-0@b1", "but reports no entry of it"},
			entry(func(e *event.Event) { e.ProducerID = 8 })},
	} {
		t.Run(d.name, d.run)
	}
}

func TestStateDefectsAreReported(t *testing.T) {
	commit := func(b *builder, kind event.Kind, leaderEpoch int32) {
		x := event.Event{Mirror: mirrorM, To: uint8(record.Mirroring), LeaderEpoch: leaderEpoch, Sequence: 9, BatchEpoch: 4}
		b.on(kind, b1, x)
		b.on(kind+1, b1, x)
	}
	for _, d := range []defect{
		{"illegal edge", LegalState, []string{"B/t-0: coordinator b1 stored the illegal edge MIRRORING → PREPARING for b0"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.store(clusterB, record.Preparing)
				return b.events
			}},
		{"stale read", LegalState, []string{"B/t-0: b0 was told that the state is PREPARING#1", "it was STOPPED#4"},
			func(*testing.T) []event.Event {
				b := stopped()
				b.state[clusterB], b.version[clusterB] = record.Preparing, 1
				b.read(b0)
				return b.events
			}},
		{"state of an older leader", LegalState,
			[]string{"B/t-0: a write of MIRRORING by leader epoch 0 took effect at coordinator b1 after one of leader epoch 1"},
			func(*testing.T) []event.Event {
				b := stopped()
				commit(b, event.StateStored, 0)
				return b.events
			}},
		{"position of an older leader", LegalState, []string{"a write of position epoch 4 by leader epoch 0 took effect"},
			func(*testing.T) []event.Event {
				b := stopped()
				commit(b, event.PositionStored, 0)
				return b.events
			}},
		{"assertion", Assertion, []string{"an assertion of the model fired on b0"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.emit(event.Event{Kind: event.Asserted, Node: b0})
				return b.events
			}},
	} {
		t.Run(d.name, d.run)
	}
}

func TestReadDefectsAreReported(t *testing.T) {
	reading := func(from int64, with func(*event.Event)) func(*testing.T) []event.Event {
		return func(*testing.T) []event.Event {
			b := stopped()
			b.consume(r1, clusterB, 0)
			b.produce(p2, clusterB, b.data(p2, 1, 7, 0))
			b.produce(p2, clusterB, b.data(p2, 1, 7, 1))
			b.consume(r1, clusterB, from)
			with(&b.events[len(b.events)-1])
			return b.events
		}
	}
	none := func(*event.Event) {}
	for _, d := range []defect{
		{"unseen", LinearizableLog, []string{"unseen: r1 read offsets 4 to 6 of B/t-0@b0"},
			reading(4, func(e *event.Event) { e.Digest++ })},
		{"poll skip", LinearizableLog, []string{"poll skip: r1 read offsets 5 to 6", "its position was 4, where 4@1 stands"},
			reading(5, none)},
		{"non-monotonic poll", LinearizableLog, []string{"non-monotonic poll: r1 read offsets 3 to 6", "its position was 4"},
			reading(3, none)},
		{"unstable read", LinearizableLog, []string{"unstable read: r1", "the high watermark is 6"},
			reading(4, func(e *event.Event) { e.End = 7 })},
		{"aborted read", LinearizableLog, []string{"aborted read: r1", "the last stable offset is 4"},
			func(*testing.T) []event.Event {
				b := stopped()
				x := b.data(p2, 1, 7, 0)
				x.Transactional = true
				b.produce(p2, clusterB, x.Sealed())
				b.consume(r1, clusterB, 0)
				b.events[len(b.events)-1].To = 1
				return b.events
			}},
	} {
		t.Run(d.name, d.run)
	}
}
