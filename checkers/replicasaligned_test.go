package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// absent is a failback during which a1 is out of the ISR: A's 3@0 was cut from a0, a1 holds it still, and a0 has caught up
// with B's 3 and 4.
func absent(b *builder) {
	three(b)
	b.stopMirror(clusterB)
	b.produce(p2, clusterB, b.data(p2, 1, 7, 0))
	b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
	b.register(clusterA, event.IsrChange, id.SetOf(a0))
	b.prepare(clusterA)
	b.truncate(a0, 3, event.AlignedToLME)
	b.store(clusterA, record.Mirroring)
	b.mirrorAlone()
}

// mirrorAlone has a0 mirror what B has, without its follower.
func (b *builder) mirrorAlone() {
	b.fetch(clusterA, false)
	for _, x := range b.logs[b0][3:] {
		b.append(a0, x, event.FromMirror)
	}
	b.highWatermark(a0, b.end(a0))
}

// diverging is a failback that is MIRRORING when it finds that A's 3@0 is none of B's. The leader a0 is cut.
func diverging(b *builder) {
	three(b)
	b.stopMirror(clusterB)
	b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
	b.prepare(clusterA)
	b.store(clusterA, record.Mirroring)
	b.fetch(clusterA, true)
	b.truncate(a0, 3, event.Diverged)
}

// supported has cluster A's topic support unclean elections.
func supported(b *builder) {
	b.on(event.TopicCreated, aLog, event.Event{Sequence: 1, To: 1, From: 4})
}

var replicasAlignedCases = []stateCase{
	{"nothing was removed", NotExercised, "", three},
	{"the absent replica stays away", Holds, "", absent},
	{"the absent replica joins the ISR", Violated, "", func(b *builder) {
		absent(b)
		b.register(clusterA, event.IsrChange, id.SetOf(a0, a1))
	}},
	{"the absent replica is cut and joins the ISR", Holds, "", func(b *builder) {
		absent(b)
		b.truncate(a1, 3, event.Diverged)
		b.follow(a0, a1)
		b.register(clusterA, event.IsrChange, id.SetOf(a0, a1))
	}},
	{"the absent replica is alive, with unclean support", Violated, "", func(b *builder) {
		supported(b)
		absent(b)
	}},
	{"the absent replica is down, with unclean support", Holds, "", func(b *builder) {
		supported(b)
		b.emit(event.Event{Kind: event.Crashed, Node: a1})
		absent(b)
	}},
	{"the absent replica leads after an unclean election", NotPromised, "unclean election of a1", func(b *builder) {
		absent(b)
		b.hw[a1] = 4
		b.elect(clusterA, a1, event.UncleanElection)
	}},
	{"the same with unclean support", Violated, "", func(b *builder) {
		b.emit(event.Event{Kind: event.Crashed, Node: a1})
		supported(b)
		absent(b)
		b.hw[a1] = 4
		b.elect(clusterA, a1, event.UncleanElection)
	}},
	{"MIRRORING before the ISR has followed, and the follower leads", Violated, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
		b.prepare(clusterA)
		b.truncate(a0, 3, event.AlignedToLME)
		b.store(clusterA, record.Mirroring)
		b.elect(clusterA, a1, event.CleanElection)
	}},
	{"a leader that has not followed a divergence yet", NotExercised, "", func(b *builder) {
		diverging(b)
		b.elect(clusterA, a1, event.CleanElection)
		b.fetch(clusterA, true)
		b.truncate(a1, 3, event.Diverged)
	}},
	{"a leader that has not followed a divergence, and the source sees none", Violated, "", func(b *builder) {
		diverging(b)
		b.elect(clusterA, a1, event.CleanElection)
		b.fetch(clusterA, false)
	}},
	{"the high watermark passes a follower that has not followed", Violated, "", func(b *builder) {
		diverging(b)
		b.mirrorAlone()
	}},
	{"what was removed comes back to a leader that had followed", Violated, "", func(b *builder) {
		diverging(b)
		gone := b.logs[a1][3]
		b.truncate(a1, 3, event.Diverged)
		b.append(a1, gone, event.FromLeader)
		b.elect(clusterA, a1, event.CleanElection)
		b.highWatermark(a1, 4)
	}},
	{"what was removed was mirrored again, and the source has lost it since", NotExercised, "", func(b *builder) {
		three(b)
		b.fetch(clusterB, true)
		b.cut(clusterB, 2, event.Diverged)
		b.catchUp(clusterB)
		b.cut(clusterA, 2, event.Diverged)
		b.elect(clusterB, b1, event.CleanElection)
	}},
	{"what was removed is the source's, and a leader that had not followed keeps it", Holds, "", func(b *builder) {
		three(b)
		b.fetch(clusterB, true)
		b.truncate(b0, 2, event.Diverged)
		b.elect(clusterB, b1, event.CleanElection)
		b.fetch(clusterB, false)
	}},
	{"what was removed is the source's again when the logs are aligned, and the source deletes it later", Holds, "", func(b *builder) {
		three(b)
		b.fetch(clusterB, true)
		b.truncate(b0, 2, event.Diverged)
		b.elect(clusterB, b1, event.CleanElection)
		b.fetch(clusterB, false)
		b.trim(clusterA, 3)
		b.elect(clusterB, b1, event.CleanElection)
	}},
	{"what was removed is the source's no more when the logs are aligned", Violated, "", func(b *builder) {
		three(b)
		b.fetch(clusterB, true)
		b.truncate(b0, 2, event.Diverged)
		b.elect(clusterB, b1, event.CleanElection)
		b.trim(clusterA, 3)
		b.fetch(clusterB, false)
	}},
	{"the absent replica joins the ISR in the next alignment", Holds, "", func(b *builder) {
		absent(b)
		b.store(clusterA, record.Stopping)
		b.store(clusterA, record.Stopped)
		b.prepare(clusterA)
		b.register(clusterA, event.IsrChange, id.SetOf(a0, a1))
	}},
	{"what was removed is a gap where it is mirrored again, and the source has lost the gap since", Holds, "", func(b *builder) {
		three(b)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
		b.catchUp(clusterB)
		b.fetch(clusterB, true)
		b.cut(clusterB, 1, event.Diverged)
		b.compact(a0, 0, 1)
		b.catchUp(clusterB)
		b.trim(clusterA, 4)
		b.register(clusterB, event.IsrChange, id.SetOf(b0, b1))
	}},
	{"the log is started anew where the source has deleted what it had, and the next leader has it", NotExercised, "", func(b *builder) {
		startedAnew(b, true)
	}},
	{"the log is started anew, and the source has deleted nothing", Violated, "", func(b *builder) { startedAnew(b, false) }},
	{"what was removed is mirrored again", Holds, "", func(b *builder) {
		three(b)
		b.fetch(clusterB, true)
		b.cut(clusterB, 2, event.Diverged)
		b.catchUp(clusterB)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
		b.fetch(clusterB, true)
		b.cut(clusterB, 2, event.Diverged)
		b.append(b0, b.data(p1, 1, -1, -1).At(2, 0), event.FromMirror)
		b.replicate(clusterB)
	}},
}

// startedAnew has B's leader start its log anew at 4, above what it has mirrored, and b1, which has not, elected.
func startedAnew(b *builder, deleted bool) {
	three(b)
	b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
	if deleted {
		b.trim(clusterA, 4)
	}
	b.on(event.Truncated, b0, event.Event{LeaderEpoch: b.epoch[clusterB], Offset: 4, End: 3, Cause: uint8(event.RestartedAt)})
	if !deleted {
		b.trim(clusterA, 4)
	}
	b.elect(clusterB, b1, event.CleanElection)
	b.fetch(clusterB, false)
}

func TestReplicasAlignedStatus(t *testing.T) { runStates(t, ReplicasAligned, replicasAlignedCases) }

func TestReplicasAlignedSentence(t *testing.T) {
	b := &builder{}
	b.boot()
	absent(b)
	b.register(clusterA, event.IsrChange, id.SetOf(a0, a1))
	wantViolated(t, judge(t, b.events), ReplicasAligned.String(),
		"ISR member A/t-0@a1 holds 3@0 (record 7/5) below the high watermark 5 of leader a0",
		"an alignment or a divergence had removed it from the leader's log")
}

// What was removed is forgotten when it is below every log start of the cluster.
func TestRemovalsAreForgotten(t *testing.T) {
	b := &builder{}
	b.boot()
	absent(b)
	for _, n := range brokers(clusterA) {
		b.on(event.StartMoved, n, event.Event{Offset: 4})
	}
	s, err := NewSuite(topology, ReplicasAligned.String())
	if err != nil {
		t.Fatal(err)
	}
	for i := range b.events {
		s.Observe(&b.events[i])
		if c := s.checkers[0].(*replicasAligned); i == len(b.events)-2 && len(c.at(s.ledger, s.ledger.part(t0), clusterA).gone) != 1 {
			t.Error("what was removed is forgotten while a log start is below it")
		}
	}
	if c := s.checkers[0].(*replicasAligned); len(c.at(s.ledger, s.ledger.part(t0), clusterA).gone) != 0 {
		t.Error("what was removed is kept though every log start is above it")
	}
}
