package client

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/disk"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

var groupG = record.Group{Client: self, Name: "g"}

// joined is a group's member that has found its coordinator, broker 1, and joined in generation 1 on cluster 0.
func joined(t testing.TB, reset wire.Reset) *driver {
	t.Helper()
	d := drive(t, NewGroup(GroupSpec{ConsumerSpec{Clusters: clusters, Settings: &settings}, "g"}))
	d.command(&wire.ConsumeCommand{Partition: tp, Reset: reset})
	find := request[*wire.FindCoordinatorRequest](d, 0)
	if find.Group != groupG {
		t.Fatalf("the coordinator of %v is looked for", find.Group)
	}
	d.answer(0, &wire.FindCoordinatorResponse{Coordinator: 1, Correlation: find.Correlation})
	d.join(0, 7, 1)
	d.history("assigned 0/0", "joined on 0 in generation 1")
	return d
}

func (d *driver) join(old, member uint32, generation int32) {
	d.t.Helper()
	j := request[*wire.JoinGroupRequest](d, 1)
	if j.Group != groupG || j.Member != old {
		d.t.Fatalf("joins %v as %d", j.Group, j.Member)
	}
	d.answer(1, &wire.JoinGroupResponse{Group: groupG, Member: member, Generation: generation, Correlation: j.Correlation})
}

// committed answers the fetch of the committed offset.
func (d *driver) committed(offset int64, epoch int32) {
	d.t.Helper()
	f := request[*wire.OffsetFetchRequest](d, 1)
	d.answer(1, &wire.OffsetFetchResponse{Group: groupG, Partition: f.Partition, Offset: offset, Epoch: epoch, Correlation: f.Correlation})
}

// at5 goes on from offset 5@2 at leader 0 of epoch 3, and has sent its first fetch.
func at5(t testing.TB) *driver {
	t.Helper()
	d := joined(t, wire.ResetEarliest)
	d.committed(5, 2)
	d.history("committed 0/0 is 5@2", "moved 0/0 NONE to 5@2")
	d.leader(0, 0, 3)
	return d
}

// read has the leader answer two records of epoch 3 from the position on.
func (d *driver) read(position int64, last int32) {
	d.t.Helper()
	f := request[*wire.FetchRequest](d, 0)
	wantFetch(d.t, f, 3, last, position)
	d.answer(0, &wire.FetchResponse{Partition: tp, LeaderEpoch: 3, Batches: []*record.Batch{batch(position, 2, 3)}, Correlation: f.Correlation})
	request[*wire.FetchRequest](d, 0)
	d.lines = nil
}

func (d *driver) wantCommit(member uint32, generation int32, offset int64, epoch int32) *wire.OffsetCommitRequest {
	d.t.Helper()
	c := request[*wire.OffsetCommitRequest](d, 1)
	want := &wire.OffsetCommitRequest{Group: groupG, Member: member, Generation: generation, Partition: tp, Offset: offset, Epoch: epoch,
		Expected: wire.AnyVersion, Correlation: c.Correlation}
	if diff := cmp.Diff(want, c); diff != "" {
		d.t.Fatalf("commit (-want +got):\n%s", diff)
	}
	return c
}

func (d *driver) commitAnswered(c *wire.OffsetCommitRequest, code wire.Code) {
	d.answer(1, &wire.OffsetCommitResponse{Group: groupG, Partition: tp, Code: code, Correlation: c.Correlation})
}

// TestGroupCommits: the fetch carries the committed epoch; the position is committed at the interval, and not again while it
// stays.
func TestGroupCommits(t *testing.T) {
	d := at5(t)
	d.read(5, 2)
	d.fire(commitTimer)
	d.commitAnswered(d.wantCommit(7, 1, 7, 3), wire.OK)
	d.fire(commitTimer)
	d.quiet()
	d.fire(heartbeatTimer)
	if h := request[*wire.HeartbeatRequest](d, 1); h.Member != 7 || h.Generation != 1 {
		t.Errorf("the heartbeat is of %d in generation %d", h.Member, h.Generation)
	}
}

// TestGroupWithoutCommit: the reset policy says where reading starts, and without one it does not.
func TestGroupWithoutCommit(t *testing.T) {
	for reset, want := range []string{wire.NoReset: "", wire.ResetEarliest: "start", wire.ResetLatest: "end"} {
		d := joined(t, wire.Reset(reset))
		d.committed(-1, -1)
		if want == "" {
			d.history("committed 0/0 is -1@-1", "moved 0/0 OFFSET_OUT_OF_RANGE to 0@-1")
			d.quiet()
			continue
		}
		d.leader(0, 0, 3)
		if l := request[*wire.ListOffsetsRequest](d, 0); l.Earliest != (want == "start") {
			t.Errorf("reset policy %d does not ask for the log %s", reset, want)
		}
	}
}

// TestGroupWaitsForEpoch: a committed epoch above the leader epoch of the cluster makes the member refuse its metadata, for
// as long as the cluster has no higher one (case E2).
func TestGroupWaitsForEpoch(t *testing.T) {
	d := joined(t, wire.ResetEarliest)
	d.committed(5, 7)
	d.leader(0, 0, 3)
	d.quiet()
	d.fire(metadataRetryTimer)
	d.leader(1, 0, 3)
	d.quiet()
	if w := waits(d.node); len(w) != 1 || w[0] != "reading cluster0/topic1-0 waits for a leader to be known" {
		t.Errorf("waits: %v", w)
	}
	d.fire(metadataRetryTimer)
	d.leader(0, 0, 7)
	wantFetch(t, request[*wire.FetchRequest](d, 0), 7, 7, 5)
}

// TestGroupJoinsAgain: a member that is not of its group's generation gives up its positions, joins, and goes on from what
// is committed. One that the group does not know is a new one.
func TestGroupJoinsAgain(t *testing.T) {
	for code, old := range map[wire.Code]uint32{wire.IllegalGeneration: 7, wire.UnknownMemberId: 0} {
		d := at5(t)
		d.read(5, 2)
		d.command(&wire.GroupCommand{})
		d.commitAnswered(d.wantCommit(7, 1, 7, 3), code)
		d.history("group op1 on 0 leave 0")
		d.join(old, 8, 2)
		d.history("joined on 0 in generation 2", "group op1 returned "+code.String()+" on 0")
		d.committed(4, 2)
		wantFetch(t, request[*wire.FetchRequest](d, 0), 3, 2, 4)
	}
}

// TestGroupCommitsToATopicThatIsGone: what cannot be committed any more is not asked for again, and the command has that result.
func TestGroupCommitsToATopicThatIsGone(t *testing.T) {
	d := at5(t)
	d.read(5, 2)
	d.command(&wire.GroupCommand{})
	d.commitAnswered(d.wantCommit(7, 1, 7, 3), wire.UnknownTopicOrPartition)
	d.history("group op1 on 0 leave 0", "group op1 returned UNKNOWN_TOPIC_OR_PARTITION on 0")
	d.quiet()
	if d.armed(groupRetryTimer) > 0 {
		t.Error("it is tried again")
	}
}

// TestGroupLeaves: positions are committed, then the group is left, and nothing is read any more. On another cluster it
// joins as a new member.
func TestGroupLeaves(t *testing.T) {
	d := at5(t)
	d.read(5, 2)
	d.command(&wire.GroupCommand{Leave: true})
	c := d.wantCommit(7, 1, 7, 3)
	d.commitAnswered(c, wire.CoordinatorLoadInProgress)
	d.quiet()
	d.fire(groupRetryTimer)
	d.commitAnswered(d.wantCommit(7, 1, 7, 3), wire.OK)
	l := request[*wire.LeaveGroupRequest](d, 1)
	d.answer(1, &wire.LeaveGroupResponse{Group: groupG, Correlation: l.Correlation})
	d.history("group op1 on 0 leave 1", "group op1 returned NONE on 0")
	if d.armed(heartbeatTimer)+d.armed(commitTimer)+d.armed(requestTimer) > 0 {
		t.Errorf("timers are armed: %v", d.timers)
	}
	d.command(&wire.ConsumeCommand{Cluster: 1, Partition: tp})
	find := request[*wire.FindCoordinatorRequest](d, 2)
	d.answer(2, &wire.FindCoordinatorResponse{Coordinator: 3, Correlation: find.Correlation})
	if j := request[*wire.JoinGroupRequest](d, 3); j.Member != 0 {
		t.Errorf("it joins as %d", j.Member)
	}
}

// TestGroupCoordinatorMoves: a request without an answer is sent to another coordinator, which is looked for first.
func TestGroupCoordinatorMoves(t *testing.T) {
	d := at5(t)
	d.read(5, 2)
	d.fire(commitTimer)
	d.wantCommit(7, 1, 7, 3)
	d.fire(groupTimer)
	d.quiet()
	d.fire(groupRetryTimer)
	find := request[*wire.FindCoordinatorRequest](d, 1)
	d.answer(1, &wire.FindCoordinatorResponse{Code: wire.CoordinatorNotAvailable, Coordinator: id.None, Correlation: find.Correlation})
	d.fire(groupRetryTimer)
	find = request[*wire.FindCoordinatorRequest](d, 0)
	d.answer(0, &wire.FindCoordinatorResponse{Coordinator: 1, Correlation: find.Correlation})
	d.commitAnswered(d.wantCommit(7, 1, 7, 3), wire.OK)
}

// TestGroupDeadlines: a commit that has no answer in 60 s has failed, and a leave is over after 30 s, whatever the coordinator
// knows of it.
func TestGroupDeadlines(t *testing.T) {
	d := at5(t)
	d.read(5, 2)
	d.command(&wire.GroupCommand{})
	d.wantCommit(7, 1, 7, 3)
	d.command(&wire.GroupCommand{Leave: true})
	if op := d.fire(groupDeadlineTimer); op.After != 60*id.Second {
		t.Errorf("a commit takes %v", op.After)
	}
	d.history("group op1 on 0 leave 0", "group op2 on 0 leave 1", "group op1 returned REQUEST_TIMED_OUT on 0")
	if op := d.fire(groupDeadlineTimer); op.After != 30*id.Second {
		t.Errorf("a leave takes %v", op.After)
	}
	d.history("group op2 returned REQUEST_TIMED_OUT on 0")
	if len(d.timers) > 1 { // metadata.max.age.ms
		t.Errorf("timers are armed: %v", d.timers)
	}
}

func TestGroupClone(t *testing.T) {
	d := at5(t)
	d.read(5, 2)
	before := d.state()
	c := d.node.Clone(&disk.Disk{})
	d.command(&wire.ConsumeCommand{Partition: tp1})
	d.command(&wire.GroupCommand{Leave: true})
	if !bytes.Equal(c.AppendState(nil), before) || bytes.Equal(d.state(), before) {
		t.Error("a change of the member shows in its clone, or not in its own state")
	}
}
