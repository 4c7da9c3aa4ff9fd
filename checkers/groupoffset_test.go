package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// commitStored has cluster c's coordinator store a commit for group r1.
func (b *builder) commitStored(c id.Cluster, origin record.CommitOrigin, offset int64, epoch int32) {
	e := event.Event{Peer: r1, Mirror: mirrorM, Offset: offset, BatchEpoch: epoch, Sequence: -1, Cause: uint8(origin), End: 1}
	if origin != record.CommitMirror && origin != record.CommitLower {
		e.Mirror = 0
	}
	b.on(event.OffsetStored, brokers(c)[0], e)
	b.on(event.OffsetCommitted, brokers(c)[0], e)
}

// resume has r1, the member of its group on cluster c, go on from a committed offset and read to the high watermark.
func (b *builder) resume(c id.Cluster, offset int64) {
	b.emit(event.Event{Kind: event.GroupJoined, Node: r1, From: uint8(c), Sequence: 1})
	b.on(event.OffsetFetched, r1, event.Event{From: uint8(c), Offset: offset})
	b.on(event.ConsumerMoved, r1, event.Event{From: uint8(c), Offset: max(offset, 0), LeaderEpoch: -1})
	b.consume(r1, c, max(offset, 0))
}

func TestGroupOffsetDefectsAreReported(t *testing.T) {
	mirrorCommits := func(at int64, epoch int32) func(*testing.T) []event.Event {
		return func(*testing.T) []event.Event {
			b := mirrored()
			b.commitStored(clusterB, record.CommitMirror, at, epoch)
			return b.events
		}
	}
	for _, d := range []defect{
		{"above the high watermark", GroupOffset, []string{"the mirror committed 4@0 for r1 in B/t-0, above the high watermark, 3"}, mirrorCommits(4, 0)},
		{"another epoch", GroupOffset, []string{"the mirror committed 2@1 for r1 in B/t-0, though the record before it is 1@0"}, mirrorCommits(2, 1)},
		{"no epoch", GroupOffset, []string{"the mirror committed 2@-1 for r1 in B/t-0, though the record before it is 1@0"}, mirrorCommits(2, -1)},
		{"lowered to the log start", GroupOffset, []string{"the mirror committed 0@-1 for r1 in B/t-0, at the log start, where no record is before it, " +
			"and the group has committed nothing below that at the source"}, mirrorCommits(0, -1)},
		{"below the log start", GroupOffset, []string{"the mirror committed 1@0 for r1 in B/t-0, below the log start, 2"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.on(event.StartMoved, b0, event.Event{Offset: 2})
				b.commitStored(clusterB, record.CommitMirror, 1, 0)
				return b.events
			}},
		{"passes over records", GroupOffset, []string{"r1 resumed at 2 in B/t-0, and passes over 1 record that it has never read, the first of them 1@0 (record 7/2)"},
			func(*testing.T) []event.Event {
				b := mirrored()
				b.resume(clusterA, -1)
				for i := range b.events {
					if e := &b.events[i]; e.Kind == event.ConsumerRead {
						e.End = 1
					}
				}
				b.resume(clusterB, 2)
				return b.events
			}},
		{"replaces a member's", GroupOffset, []string{"the mirror committed 3 for r1 in B/t-0, in the place of 4, which was committed there after STOPPED"},
			replaces(record.CommitMember, record.CommitMirror)},
		{"replaces an admin's", GroupOffset, []string{"in the place of 4, which was committed there after STOPPED"},
			replaces(record.CommitAdmin, record.CommitLower)},
		{"epoch above the cluster's", ClientEpoch, []string{"the committed offset of r1 has epoch 1 for its position 2 in B/t-0, where the leader epoch is 0"},
			mirrorCommits(2, 1)},
	} {
		t.Run(d.name, d.run)
	}
}

// replaces is a history in which a commit made on B after STOPPED is replaced by another.
func replaces(first, then record.CommitOrigin) func(*testing.T) []event.Event {
	return func(*testing.T) []event.Event {
		b := stopped()
		b.commitStored(clusterB, first, 4, 1)
		b.commitStored(clusterB, then, 3, 0)
		return b.events
	}
}

// inAnotherCopy has r1 resume on B, and read nothing before the topic is deleted there and made again.
func inAnotherCopy(b *builder) {
	b.stopMirror(clusterB)
	b.emit(event.Event{Kind: event.GroupJoined, Node: r1, From: uint8(clusterB), Sequence: 1})
	b.on(event.OffsetFetched, r1, event.Event{From: uint8(clusterB), Offset: 2})
	b.on(event.ConsumerMoved, r1, event.Event{From: uint8(clusterB), Offset: 2})
	b.deleteTopic(clusterB)
	b.on(event.TopicCreated, bLog, event.Event{Sequence: 1, To: 1})
	b.elect(clusterB, b0, event.PartitionCreated)
	for range 3 {
		b.produce(p2, clusterB, b.data(p2, 1, -1, -1))
	}
	b.consume(r1, clusterB, 2)
}

func TestGroupOffsetHolds(t *testing.T) {
	for _, c := range []struct {
		name string
		want Status
		then func(b *builder)
	}{
		{"within the log", Holds, func(b *builder) { b.commitStored(clusterB, record.CommitMirror, 3, 0) }},
		{"at the log start, as at the source", Holds, func(b *builder) { b.commitStored(clusterB, record.CommitMirror, 0, 0) }},
		{"raised to the log start", Holds, func(b *builder) {
			b.on(event.StartMoved, b0, event.Event{Offset: 2})
			b.commitStored(clusterA, record.CommitMember, 1, 0)
			b.commitStored(clusterB, record.CommitMirror, 2, -1)
		}},
		{"the source's has no epoch", Holds, func(b *builder) {
			b.commitStored(clusterA, record.CommitAdmin, 2, -1)
			b.commitStored(clusterB, record.CommitMirror, 2, -1)
		}},
		{"an admin's commit is not bounded", NotExercised, func(b *builder) { b.commitStored(clusterB, record.CommitAdmin, 9, -1) }},
		{"resumes where it has read", Holds, func(b *builder) {
			b.resume(clusterA, -1)
			b.resume(clusterB, 3)
		}},
		{"an admin has passed over records", Holds, func(b *builder) {
			b.commitStored(clusterB, record.CommitAdmin, 2, -1)
			b.resume(clusterB, 2)
		}},
		{"an admin has, of what was to come", Holds, func(b *builder) {
			b.commitStored(clusterB, record.CommitAdmin, 4, -1)
			b.produce(p1, clusterA, b.data(p1, 2, 7, 3))
			b.catchUp(clusterB)
			b.resume(clusterB, 4)
		}},
		{"its reset policy has", Holds, func(b *builder) {
			b.emit(event.Event{Kind: event.GroupJoined, Node: r1, From: uint8(clusterB), Sequence: 1})
			b.on(event.OffsetFetched, r1, event.Event{From: uint8(clusterB), Offset: -1})
			b.on(event.ConsumerMoved, r1, event.Event{From: uint8(clusterB), Offset: 2})
			b.resume(clusterB, 2)
		}},
		{"goes on in another copy of the topic", NotExercised, inAnotherCopy},
		{"a commit after STOPPED that a start gives up", Holds, func(b *builder) {
			b.stopMirror(clusterB)
			b.commitStored(clusterB, record.CommitMember, 4, 1)
			b.intent(clusterB, record.WantMirroring)
			b.commitStored(clusterB, record.CommitMirror, 3, 0)
		}},
		{"a commit before the stop", Holds, func(b *builder) {
			b.commitStored(clusterB, record.CommitMember, 2, 0)
			b.commitStored(clusterB, record.CommitMirror, 3, 0)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := mirrored()
			c.then(b)
			if v := verdictOf(t, judge(t, b.events), GroupOffset.String()); v.Status != c.want {
				t.Errorf("%v, want %v: %v", v.Status, c.want, v.Violations)
			}
		})
	}
}

// TestGroupReads: what a group reads a second time, on another cluster too, and what it passes over are counted.
func TestGroupReads(t *testing.T) {
	b := mirrored()
	b.resume(clusterA, -1)
	b.resume(clusterB, 1)
	l := judge(t, b.events).Ledger()
	if again, skipped := l.GroupReads(r1, clusterB, t0); again != 2 || skipped != 0 {
		t.Errorf("%d read again, %d passed over", again, skipped)
	}
	if again, _ := l.GroupReads(r1, clusterA, t0); again != 0 {
		t.Errorf("%d read again on A", again)
	}
	if l.Clone().AppendState(nil) == nil || string(l.Clone().AppendState(nil)) != string(l.AppendState(nil)) {
		t.Error("the clone is another ledger")
	}
	b = mirrored()
	b.resume(clusterB, 2)
	if _, skipped := judge(t, b.events).Ledger().GroupReads(r1, clusterB, t0); skipped != 2 {
		t.Errorf("%d passed over", skipped)
	}
}

// offsetsLog has b0 append a record of __consumer_offsets-i on B, and b0 and b1 hold it up to the high watermark to.
func (b *builder) offsetsLog(i uint16, base, to int64) {
	p := id.Partition{Topic: topicOffsets, Index: i}
	x := record.NewGroups([]record.GroupRecord{{Kind: record.OffsetCommit, Group: record.Group{Client: r1, Name: "g"}}}).At(base, 0)
	b.on(event.Appended, b0, event.Event{Partition: p, Offset: base, End: base + 1, ProducerID: -1, Sequence: -1, Cause: uint8(event.FromInternal), Batch: x})
	if to > 0 {
		b.on(event.HighWatermark, b0, event.Event{Partition: p, Offset: to, End: base + 1})
	}
}

// An offset is committed when its record is below the high watermark of the partition on which its group is placed, and not before;
// how far another partition is does not matter. Of a group of which nothing was stored it is not known where it is placed.
func TestCommittedBelowTheHighWatermark(t *testing.T) {
	const above = "b0 takes 2 of r1 in B/t-0 for committed, whose record ends at 2 in B/__consumer_offsets-1@b0, above the high watermark, 1"
	stored, committed := event.OffsetStored, event.OffsetCommitted
	for _, c := range []struct {
		name string
		want string // "" if it holds
		tell func(b *builder, say func(k event.Kind, end int64))
	}{
		{"below", "", func(b *builder, say func(event.Kind, int64)) {
			b.offsetsLog(1, 0, 0)
			say(stored, 1)
			b.on(event.HighWatermark, b0, event.Event{Partition: id.Partition{Topic: topicOffsets, Index: 1}, Offset: 1, End: 1})
			say(committed, 1)
		}},
		{"above", above, func(b *builder, say func(event.Kind, int64)) {
			b.offsetsLog(1, 0, 1)
			b.offsetsLog(1, 1, 0)
			say(stored, 2)
			say(committed, 2)
		}},
		{"above, though another partition is farther", above, func(b *builder, say func(event.Kind, int64)) {
			b.offsetsLog(0, 0, 1)
			b.offsetsLog(0, 1, 2)
			b.offsetsLog(1, 0, 1)
			b.offsetsLog(1, 1, 0)
			say(stored, 2)
			b.offsetsLog(0, 2, 3)
			say(committed, 2)
		}},
		{"of a group that is not known", "", func(b *builder, say func(event.Kind, int64)) {
			b.offsetsLog(1, 0, 0)
			say(committed, 1)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := mirrored()
			b.on(event.TopicCreated, bLog, event.Event{Partition: id.Partition{Topic: topicOffsets}, Sequence: 2, To: 1, From: 16})
			for i := range uint16(2) {
				b.on(event.PartitionChanged, bLog, event.Event{Partition: id.Partition{Topic: topicOffsets, Index: i}, Peer: b0,
					Digest: uint64(id.SetOf(b0)), Offset: int64(id.SetOf(b0))})
				b.on(event.BecameLeader, b0, event.Event{Partition: id.Partition{Topic: topicOffsets, Index: i}})
			}
			c.tell(b, func(k event.Kind, end int64) {
				b.on(k, b0, event.Event{Peer: r1, Offset: 2, Sequence: 1, Cause: uint8(record.CommitMember), End: end})
			})
			v := verdictOf(t, judge(t, b.events), GroupOffset.String())
			switch {
			case c.want == "" && v.Count > 0:
				t.Errorf("%v", v.Violations)
			case c.want != "" && (v.Count != 1 || v.Violations[0].Sentence != c.want):
				t.Errorf("%v, want %q", v.Violations, c.want)
			}
		})
	}
}
