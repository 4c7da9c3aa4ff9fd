package broker_test

import (
	"fmt"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/group"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

var (
	groupTP = id.Partition{Topic: id.NewTopic(0, 4)}
	groupG  = record.Group{Client: client, Name: "g"}
)

// groupTopic is __consumer_offsets with its only partition led by leader; b0 and b1 are in the ISR.
func groupTopic(leader id.Node) []record.Metadata {
	return []record.Metadata{
		&record.TopicRecord{Topic: groupTP.Topic, Name: "__consumer_offsets", Partitions: 1, MinISR: 1, Internal: record.ConsumerOffsetsTopic},
		groupLeader(leader, 0, b0),
	}
}

func groupLeader(leader id.Node, epoch int32, isr ...id.Node) *record.PartitionRecord {
	return &record.PartitionRecord{Partition: groupTP, Replicas: []id.Node{b1, b0}, ISR: id.SetOf(isr...), Leader: leader,
		LeaderEpoch: epoch, PartitionEpoch: epoch}
}

// keeping is b0 as running has it, and as the coordinator of all groups, alone in the ISR.
func keeping(t testing.TB) *rig {
	t.Helper()
	r := running(t)
	r.meta(groupTopic(b0)...)
	r.fire(group.TimerLoad)
	r.sent, r.events = nil, nil
	return r
}

// asks sends a request to b0 and answers what came back.
func asks[T wire.Body](r *rig, from id.Node, b wire.Body) T {
	r.t.Helper()
	r.message(from, b)
	res, to := take[T](r)
	same(r.t, "to", to, from)
	return res
}

func (r *rig) join(member uint32) [2]int {
	r.t.Helper()
	res := asks[*wire.JoinGroupResponse](r, client, &wire.JoinGroupRequest{Group: groupG, Member: member, Correlation: r.next()})
	same(r.t, "join", res.Code, wire.OK)
	return [2]int{int(res.Member), int(res.Generation)}
}

func commit(member uint32, generation int32, p id.Partition, offset int64, epoch int32) *wire.OffsetCommitRequest {
	return &wire.OffsetCommitRequest{Group: groupG, Member: member, Generation: generation, Partition: p, Offset: offset, Epoch: epoch,
		Expected: wire.AnyVersion}
}

func foreign(origin record.CommitOrigin, offset int64, epoch int32) *wire.OffsetCommitRequest {
	c := commit(0, -1, tp, offset, epoch)
	c.Origin = origin
	return c
}

func (r *rig) commit(from id.Node, c *wire.OffsetCommitRequest) wire.Code {
	r.t.Helper()
	c.Correlation = r.next()
	return asks[*wire.OffsetCommitResponse](r, from, c).Code
}

// committed is what the group has of p: offset@epoch and version.
func (r *rig) committed(p id.Partition) string {
	r.t.Helper()
	res := asks[*wire.OffsetFetchResponse](r, client, &wire.OffsetFetchRequest{Group: groupG, Partition: p, Correlation: r.next()})
	same(r.t, "fetch", res.Code, wire.OK)
	return fmt.Sprintf("%d@%d v%d", res.Offset, res.Epoch, res.Version)
}

// TestGroupMembers: a join raises the generation, a second one of the member keeps its id, one of another start replaces it,
// and whoever is not of the present generation is told so.
func TestGroupMembers(t *testing.T) {
	r := keeping(t)
	found := asks[*wire.FindCoordinatorResponse](r, client, &wire.FindCoordinatorRequest{Group: groupG})
	same(t, "coordinator", found.Coordinator, b0)
	same(t, "joins", [][2]int{r.join(0), r.join(1), r.join(0)}, [][2]int{{1, 1}, {1, 2}, {3, 3}})
	beat := func(member uint32, generation int32) wire.Code {
		return asks[*wire.HeartbeatResponse](r, client, &wire.HeartbeatRequest{Group: groupG, Member: member, Generation: generation, Correlation: r.next()}).Code
	}
	same(t, "heartbeats", []wire.Code{beat(1, 1), beat(3, 2), beat(3, 3)}, []wire.Code{wire.UnknownMemberId, wire.IllegalGeneration, wire.OK})
	same(t, "commits", []wire.Code{r.commit(client, commit(1, 3, tp, 5, 0)), r.commit(client, commit(3, 2, tp, 5, 0)), r.commit(client, commit(3, 3, tp, 4, 0))},
		[]wire.Code{wire.UnknownMemberId, wire.IllegalGeneration, wire.OK})
	same(t, "committed", r.committed(tp), "4@0 v4")
	leave := func(member uint32) wire.Code {
		return asks[*wire.LeaveGroupResponse](r, client, &wire.LeaveGroupRequest{Group: groupG, Member: member, Correlation: r.next()}).Code
	}
	same(t, "leave", []wire.Code{leave(1), leave(3), leave(3)}, []wire.Code{wire.UnknownMemberId, wire.OK, wire.UnknownMemberId})
	same(t, "after it", r.commit(client, commit(3, 3, tp, 6, 0)), wire.UnknownMemberId)
}

// TestGroupSession: a member without a heartbeat is out of its group when its session is over.
func TestGroupSession(t *testing.T) {
	r := keeping(t)
	r.join(0)
	same(t, "active", r.commit(admin, foreign(record.CommitAdmin, 3, 0)), wire.UnknownMemberId)
	op := r.fire(group.TimerSession)
	same(t, "session", op.After, r.setting.GroupSession)
	same(t, "empty", []wire.Code{r.commit(admin, foreign(record.CommitAdmin, 3, 0)), r.commit(client, commit(1, 1, tp, 4, 0))},
		[]wire.Code{wire.OK, wire.UnknownMemberId})
	same(t, "committed", r.committed(tp), "3@0 v3")
}

// TestGroupSessionOfOne: the end of one member's session is no other group's.
func TestGroupSessionOfOne(t *testing.T) {
	r := keeping(t)
	r.join(0)
	of := func(b *wire.JoinGroupRequest) *wire.JoinGroupRequest {
		b.Group, b.Correlation = record.Group{Client: client + 1, Name: "h"}, r.next()
		return b
	}
	res := asks[*wire.JoinGroupResponse](r, client+1, of(&wire.JoinGroupRequest{}))
	same(t, "join", res.Code, wire.OK)
	r.fire(group.TimerSession)
	same(t, "the group whose session is over", r.commit(client, commit(1, 1, tp, 4, 0)), wire.UnknownMemberId)
	c := commit(res.Member, res.Generation, tp, 4, 0)
	c.Group = record.Group{Client: client + 1, Name: "h"}
	same(t, "the other", r.commit(client+1, c), wire.OK)
}

// TestCommitsOnce: a commit of a client or an admin that comes again, or late, is dropped, as Kafka's connections never bring it. A
// broker has several under way for a mirror, in any order.
func TestCommitsOnce(t *testing.T) {
	r := keeping(t)
	for _, x := range []struct {
		from   id.Node
		origin record.CommitOrigin
		again  bool
	}{{admin, record.CommitAdmin, false}, {b1, record.CommitMirror, true}} {
		late := r.next()
		c := foreign(x.origin, 5, 0)
		same(t, "commit", r.commit(x.from, c), wire.OK)
		for _, number := range []uint32{c.Correlation, late} {
			again := *foreign(x.origin, 6, 0)
			again.Correlation = number
			r.message(x.from, &again)
			answered := sends[*wire.OffsetCommitResponse](r)
			same(t, "answered", answered, x.again)
			if answered {
				same(t, "again", r.taken().Code, wire.OK)
			}
		}
	}
}

// TestForeignCommit: what a mirror commits again is not written again, and a commit that expects another one is refused.
func TestForeignCommit(t *testing.T) {
	r := keeping(t)
	synced := func(offset, expected int64) wire.Code {
		c := foreign(record.CommitMirror, offset, 2)
		c.Expected = expected
		return r.commit(b1, c)
	}
	same(t, "commits", []wire.Code{synced(7, 0), synced(7, 1), synced(8, 0), synced(8, 1)},
		[]wire.Code{wire.OK, wire.OK, wire.InvalidUpdateVersion, wire.OK})
	same(t, "written", r.count(event.OffsetStored), 2)
	same(t, "committed", r.committed(tp), "8@2 v2")
	c := foreign(record.CommitAdmin, 1, 0)
	c.Partition = id.Partition{Topic: id.NewTopic(0, 9)}
	same(t, "a topic that is not there", r.commit(admin, c), wire.UnknownTopicOrPartition)
}

// TestCommitWaits: the answer to a commit is given, and the offset shown, once the ISR has it.
func TestCommitWaits(t *testing.T) {
	r := keeping(t)
	r.meta(groupLeader(b0, 1, b0, b1))
	c := foreign(record.CommitAdmin, 3, 0)
	c.Correlation = r.next()
	r.message(admin, c)
	loading := asks[*wire.OffsetFetchResponse](r, client, &wire.OffsetFetchRequest{Group: groupG, Partition: tp})
	same(t, "loads again", loading.Code, wire.CoordinatorLoadInProgress)
	same(t, "refused meanwhile", r.taken().Code, wire.CoordinatorLoadInProgress)
	r.fire(group.TimerLoad)
	c.Correlation = r.next()
	r.message(admin, c)
	same(t, "no answer yet", sends[*wire.OffsetCommitResponse](r), false)
	same(t, "nothing is shown", r.committed(tp), "-1@-1 v0")
	r.message(b1, &wire.FetchRequest{Partition: groupTP, Replica: b1, CurrentLeaderEpoch: 1, LastFetchedEpoch: 1, FetchOffset: 1, Correlation: 1})
	same(t, "answered", r.taken().Code, wire.OK)
	same(t, "shown", r.committed(tp), "3@0 v1")
}

func (r *rig) taken() *wire.OffsetCommitResponse {
	r.t.Helper()
	res, _ := take[*wire.OffsetCommitResponse](r)
	return res
}

// TestGroupCoordinatorMoves: a coordinator that is deposed answers what is under way, and the next one loads offsets and
// members, whose sessions begin anew.
func TestGroupCoordinatorMoves(t *testing.T) {
	r := keeping(t)
	r.join(0)
	same(t, "commit", r.commit(client, commit(1, 1, tp, 5, 0)), wire.OK)
	r.meta(groupLeader(b1, 1, b0, b1))
	same(t, "not the coordinator", r.commit(client, commit(1, 1, tp, 6, 0)), wire.NotCoordinator)
	r.meta(groupLeader(b0, 2, b0))
	same(t, "loading", r.commit(client, commit(1, 1, tp, 6, 0)), wire.CoordinatorLoadInProgress)
	r.fire(group.TimerLoad)
	same(t, "loaded", r.committed(tp), "5@0 v2")
	same(t, "the member is known", r.commit(client, commit(1, 1, tp, 6, 0)), wire.OK)
	r.fire(group.TimerSession)
	same(t, "and its session", r.commit(client, commit(1, 1, tp, 7, 0)), wire.UnknownMemberId)
}

// TestGroupTombstones: the offsets of a deleted topic go, the others stay.
func TestGroupTombstones(t *testing.T) {
	r := keeping(t)
	r.commit(admin, foreign(record.CommitAdmin, 3, 0))
	c := foreign(record.CommitAdmin, 4, 0)
	c.Partition = id.Partition{Topic: other}
	r.commit(admin, c)
	r.meta(&record.RemoveTopicRecord{Topic: other})
	same(t, "committed", []string{r.committed(tp), r.committed(c.Partition)}, []string{"3@0 v1", "-1@-1 v3"})
}

// TestGroupTombstonesComeLater: what a full disk did not take is stored when there is room, though nobody commits any more.
func TestGroupTombstonesComeLater(t *testing.T) {
	r := keeping(t)
	r.commit(admin, foreign(record.CommitAdmin, 3, 0))
	c := foreign(record.CommitAdmin, 4, 0)
	c.Partition = id.Partition{Topic: other}
	r.commit(admin, c)
	r.disk.Full = true
	r.meta(&record.RemoveTopicRecord{Topic: other})
	same(t, "a commit", r.commit(admin, foreign(record.CommitAdmin, 5, 0)), wire.CoordinatorNotAvailable)
	r.fire(group.TimerSweep)
	same(t, "full: it is hidden, and there", []string{r.committed(tp), r.committed(c.Partition)}, []string{"3@0 v1", "-1@-1 v2"})
	r.disk.Full = false
	r.fire(group.TimerSweep)
	same(t, "room", []string{r.committed(tp), r.committed(c.Partition)}, []string{"3@0 v1", "-1@-1 v3"})
}

// anotherOther are the records by which the topic other is deleted and made again under its id.
func anotherOther() []record.Metadata {
	return []record.Metadata{&record.RemoveTopicRecord{Topic: other}, &record.TopicRecord{Topic: other, Name: "other", Partitions: 1, MinISR: 1},
		&record.PartitionRecord{Partition: id.Partition{Topic: other}, Replicas: []id.Node{b1}, ISR: id.SetOf(b1), Leader: b1}}
}

// TestOffsetsOfATopicMadeAgain: a coordinator that has not seen a topic deleted, and another made under its id, removes the
// offsets of the first, which are no offsets of the second. Those of other topics stay.
func TestOffsetsOfATopicMadeAgain(t *testing.T) {
	r := keeping(t)
	p := id.Partition{Topic: other}
	c := foreign(record.CommitAdmin, 4, 0)
	c.Partition = p
	same(t, "commits", []wire.Code{r.commit(admin, foreign(record.CommitAdmin, 3, 0)), r.commit(admin, c)}, []wire.Code{wire.OK, wire.OK})
	r.meta(groupLeader(b1, 1, b0, b1))
	r.meta(anotherOther()...)
	same(t, "committed", r.count(event.OffsetStored), 2)
	r.meta(groupLeader(b0, 2, b0))
	r.fire(group.TimerLoad)
	same(t, "after it", []string{r.committed(tp), r.committed(p)}, []string{"3@0 v1", "-1@-1 v3"})
}

// TestOffsetsOfATopicMadeAgainAreHidden: while the ISR is too small for a tombstone they are not shown, nor lowered, and the
// commit of a mirror that says the same is one of the second.
func TestOffsetsOfATopicMadeAgainAreHidden(t *testing.T) {
	r := running(t)
	made := groupTopic(b0)
	made[0].(*record.TopicRecord).MinISR = 2
	r.meta(made...)
	r.meta(groupLeader(b0, 1, b0, b1))
	r.fire(group.TimerLoad)
	r.sent = nil
	p := id.Partition{Topic: other}
	c := foreign(record.CommitMirror, 4, 0)
	c.Partition, c.Correlation = p, r.next()
	r.message(b1, c)
	fetch := func(offset int64) {
		r.message(b1, &wire.FetchRequest{Partition: groupTP, Replica: b1, CurrentLeaderEpoch: 1, LastFetchedEpoch: 1, FetchOffset: offset, Correlation: r.next()})
	}
	fetch(1)
	same(t, "answered", r.taken().Code, wire.OK)
	r.meta(&record.PartitionRecord{Partition: groupTP, Replicas: []id.Node{b1, b0}, ISR: id.SetOf(b0), Leader: b0, LeaderEpoch: 1, PartitionEpoch: 2})
	r.meta(anotherOther()...)
	same(t, "no tombstone", r.count(event.OffsetStored), 1)
	same(t, "hidden", r.committed(p), "-1@-1 v1")
	lowered := asks[*wire.LowerOffsetsResponse](r, b1, &wire.LowerOffsetsRequest{Groups: groupTP, Mirror: mirrorM, Partition: p, All: true,
		Correlation: r.next()})
	same(t, "nothing is to be lowered", lowered.Code, wire.OK)
	again := *c
	same(t, "the same is not there yet", r.commit(b1, &again), wire.CoordinatorNotAvailable)
}

// TestPositionsOfATopicMadeAgain: a member's position in a topic that was deleted is none in the one that was made under its id:
// it joins again. A mirror's commit that began before is refused.
func TestPositionsOfATopicMadeAgain(t *testing.T) {
	r := keeping(t)
	p := id.Partition{Topic: other}
	reads := func() {
		asks[*wire.OffsetFetchResponse](r, client, &wire.OffsetFetchRequest{Group: groupG, Member: 1, Partition: p, Correlation: r.next()})
	}
	r.join(0)
	reads()
	same(t, "before", r.commit(client, commit(1, 1, p, 9, 0)), wire.OK)
	r.meta(&record.RemoveTopicRecord{Topic: other})
	reads()
	r.meta(anotherOther()[1:]...)
	same(t, "of none", r.commit(client, commit(1, 1, p, 9, 0)), wire.IllegalGeneration)
	same(t, "of a topic that stays", r.commit(client, commit(1, 1, tp, 9, 0)), wire.OK)
	reads()
	same(t, "of this one", r.commit(client, commit(1, 1, p, 2, 0)), wire.OK)
	r.meta(anotherOther()...)
	same(t, "of the one before", r.commit(client, commit(1, 1, p, 2, 0)), wire.IllegalGeneration)
	same(t, "joins again", r.join(1), [2]int{1, 2})
	same(t, "leaves", asks[*wire.LeaveGroupResponse](r, client, &wire.LeaveGroupRequest{Group: groupG, Member: 1, Correlation: r.next()}).Code, wire.OK)
	c := foreign(record.CommitMirror, 4, 0)
	c.Partition, c.CreatedAt = p, 1
	same(t, "a mirror's of another", r.commit(b1, c), wire.UnknownTopicOrPartition)
	c.CreatedAt = r.length - 2
	same(t, "a mirror's of this one", r.commit(b1, c), wire.OK)
}

// TestLowerOffsets: offsets above a cut are lowered, a mirror's alone or all; members that lose theirs join again.
func TestLowerOffsets(t *testing.T) {
	r := keeping(t)
	lower := func(offset int64, all bool) wire.Code {
		return asks[*wire.LowerOffsetsResponse](r, b1, &wire.LowerOffsetsRequest{Groups: groupTP, Mirror: mirrorM, Partition: tp,
			Offset: offset, Epoch: 4, All: all, Correlation: r.next()}).Code
	}
	r.commit(admin, foreign(record.CommitAdmin, 9, 5))
	same(t, "an admin's stays", []any{lower(7, false), r.committed(tp)}, []any{wire.OK, "9@5 v1"})
	r.commit(b1, foreign(record.CommitMirror, 9, 6))
	same(t, "a mirror's goes", []any{lower(8, false), r.committed(tp)}, []any{wire.OK, "8@4 v3"})
	same(t, "one below stays", []any{lower(8, true), r.committed(tp)}, []any{wire.OK, "8@4 v3"})
	r.join(0)
	same(t, "commit", r.commit(client, commit(1, 1, tp, 10, 5)), wire.OK)
	same(t, "all", []any{lower(8, true), r.committed(tp)}, []any{wire.OK, "8@4 v7"})
	same(t, "its member", r.commit(client, commit(1, 1, tp, 10, 5)), wire.IllegalGeneration)
	same(t, "joins again", r.join(1), [2]int{1, 3})
}

// TestLowerLeavesOtherMembers: a cut puts a member out of its generation that reads the partition, or has an offset of it, and no
// other; of one that an earlier coordinator had it is not known what it reads.
func TestLowerLeavesOtherMembers(t *testing.T) {
	r := keeping(t)
	lower := func(p id.Partition) {
		res := asks[*wire.LowerOffsetsResponse](r, b1, &wire.LowerOffsetsRequest{Groups: groupTP, Mirror: mirrorM, Partition: p, Offset: 8,
			Epoch: 4, All: true, Correlation: r.next()})
		same(t, "lower", res.Code, wire.OK)
	}
	reads := func(member uint32, p id.Partition) {
		res := asks[*wire.OffsetFetchResponse](r, client, &wire.OffsetFetchRequest{Group: groupG, Member: member, Partition: p, Correlation: r.next()})
		same(t, "fetch", res.Code, wire.OK)
	}
	beats := func(generation int32) wire.Code {
		return asks[*wire.HeartbeatResponse](r, client, &wire.HeartbeatRequest{Group: groupG, Member: 1, Generation: generation, Correlation: r.next()}).Code
	}
	r.join(0)
	reads(1, tp1)
	reads(7, tp) // no member
	lower(tp)
	same(t, "it reads another partition", beats(1), wire.OK)
	lower(tp1)
	same(t, "it reads this one", beats(1), wire.IllegalGeneration)
	same(t, "joins again", r.join(1), [2]int{1, 3})
	lower(tp1)
	same(t, "it reads nothing yet", beats(3), wire.OK)
	same(t, "commit", r.commit(client, commit(1, 3, tp, 5, 0)), wire.OK)
	lower(tp)
	same(t, "it has an offset of this one", beats(3), wire.IllegalGeneration)
	same(t, "joins again", r.join(1), [2]int{1, 5})
	r.meta(groupLeader(b0, 2, b0))
	r.fire(group.TimerLoad)
	lower(tp1)
	same(t, "of an earlier coordinator", beats(5), wire.IllegalGeneration)
}

// TestCompactedOffsetsLoad: a coordinator that loads a compacted partition knows the same generation, offsets and versions, also
// of a batch of which the cleaner has left the second record alone.
func TestCompactedOffsetsLoad(t *testing.T) {
	r := keeping(t)
	r.join(0)
	same(t, "commits", []wire.Code{r.commit(client, commit(1, 1, tp, 5, 5)), r.commit(client, commit(1, 1, tp1, 4, 5)),
		r.commit(client, commit(1, 1, tp, 9, 5))}, []wire.Code{wire.OK, wire.OK, wire.OK})
	res := asks[*wire.LowerOffsetsResponse](r, b1, &wire.LowerOffsetsRequest{Groups: groupTP, Mirror: mirrorM, Partition: tp, Offset: 8, Epoch: 4,
		All: true, Correlation: r.next()})
	same(t, "lowered", res.Code, wire.OK)
	same(t, "joins again", r.join(1), [2]int{1, 3})
	same(t, "commit", r.commit(client, commit(1, 3, tp1, 5, 5)), wire.OK)
	before := []string{r.committed(tp), r.committed(tp1)}
	r.message(id.None, &wire.CompactCommand{Partition: groupTP})
	same(t, "batches that the cleaner changed", r.count(event.Compacted), 4)
	r.meta(groupLeader(b0, 2, b0))
	r.fire(group.TimerLoad)
	same(t, "after it", []string{r.committed(tp), r.committed(tp1)}, before)
	same(t, "the generation", r.commit(client, commit(1, 3, tp, 9, 5)), wire.OK)
}

// TestGroupLoadWaits: a coordinator answers, and takes an offset for committed, only when the high watermark has passed all that
// was in the log when it was elected: a record that not every replica has may yet be gone.
func TestGroupLoadWaits(t *testing.T) {
	r := running(t)
	r.meta(groupTopic(b0)...)
	r.meta(groupLeader(b0, 1, b0, b1))
	r.fire(group.TimerLoad)
	c := foreign(record.CommitAdmin, 4, 0)
	c.Correlation = r.next()
	r.message(admin, c)
	r.meta(groupLeader(b1, 2, b0, b1))
	r.meta(groupLeader(b0, 3, b0, b1))
	r.fire(group.TimerLoad)
	r.sent = nil
	fetch := func() wire.Code {
		return asks[*wire.OffsetFetchResponse](r, client, &wire.OffsetFetchRequest{Group: groupG, Partition: tp, Correlation: r.next()}).Code
	}
	same(t, "while it loads", fetch(), wire.CoordinatorLoadInProgress)
	same(t, "committed while it loads", r.count(event.OffsetCommitted), 0)
	r.message(b1, &wire.FetchRequest{Partition: groupTP, Replica: b1, CurrentLeaderEpoch: 3, LastFetchedEpoch: 1, FetchOffset: 1, Correlation: r.next()})
	r.sent = nil
	same(t, "when it has loaded", []any{fetch(), r.committed(tp)}, []any{wire.OK, "4@0 v1"})
	same(t, "committed when it has loaded", r.count(event.OffsetCommitted), 1)
}

// TestCommittedAsStored: each offset is committed under the version under which it was stored, also where one batch has several.
func TestCommittedAsStored(t *testing.T) {
	r := keeping(t)
	other := record.Group{Client: client + 1, Name: "h"}
	for _, g := range []record.Group{groupG, other} {
		c := foreign(record.CommitAdmin, 9, 5)
		c.Group = g
		same(t, "commit", r.commit(admin, c), wire.OK)
	}
	res := asks[*wire.LowerOffsetsResponse](r, b1, &wire.LowerOffsetsRequest{Groups: groupTP, Mirror: mirrorM, Partition: tp, Offset: 8, Epoch: 4,
		All: true, Correlation: r.next()})
	same(t, "lowered", res.Code, wire.OK)
	var stored, committed []string
	for _, e := range r.events {
		what := fmt.Sprintf("%d v%d", e.Offset, e.End)
		switch e.Kind {
		case event.OffsetStored:
			stored = append(stored, what)
		case event.OffsetCommitted:
			committed = append(committed, what)
		}
	}
	same(t, "stored", stored, []string{"9 v1", "9 v2", "8 v3", "8 v4"})
	same(t, "committed", committed, stored)
	same(t, "told", r.committed(tp), "8@4 v3")
}
