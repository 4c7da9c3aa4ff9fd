package coordinator_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// TestStateEpoch: every accepted write of a state raises the state epoch, whatever the writer sent; run and leader epoch
// are the writer's; a position raises nothing.
func TestStateEpoch(t *testing.T) {
	r := lead(t)
	for i, s := range []record.State{record.Preparing, record.Preparing, record.Mirroring, record.Stopping} {
		rec := by(3, 99, state(s))
		rec.Run = 5
		res := r.write(rec)
		same(t, "stored", []any{res.Code, res.Stored.StateEpoch, res.Stored.LeaderEpoch, res.Stored.Run},
			[]any{wire.OK, int32(i + 1), int32(3), int32(5)})
	}
	r.write(by(3, 4, position(2, 10, 5)))
	res := r.read(mirrorM)
	same(t, "read", []any{res.State.State, res.State.Previous, res.State.StateEpoch, res.HasPosition, res.Position.Epoch},
		[]any{record.Stopping, record.Mirroring, int32(4), true, int32(2)})
	same(t, "events", r.events(event.StateStored, event.StateCommitted, event.PositionStored, event.PositionCommitted), []string{
		"state-stored UNKNOWN>PREPARING run 5 epochs 3,1 by 2 at 0", "state-committed PREPARING run 5 epochs 3,1",
		"state-stored PREPARING>PREPARING run 5 epochs 3,2 by 2 at 1", "state-committed PREPARING run 5 epochs 3,2",
		"state-stored PREPARING>MIRRORING run 5 epochs 3,3 by 2 at 2", "state-committed MIRRORING run 5 epochs 3,3",
		"state-stored MIRRORING>STOPPING run 5 epochs 3,4 by 2 at 3", "state-committed STOPPING run 5 epochs 3,4",
		"position-stored 2,10 run 5 by 2 at 4", "position-committed 2,10 run 5",
	})
}

// TestFencing has STOPPING stored by leader epoch 3 with state epoch 6, and metadata that show leader epoch 4.
func TestFencing(t *testing.T) {
	const ok, fenced, unknown, stateFenced = wire.OK, wire.FencedLeaderEpoch, wire.UnknownLeaderEpoch, wire.FencedStateEpoch
	type codes [6]wire.Code // of leader epochs 2, 3, 4, 5 with state epoch 6, then of 4 with 5, then of 4 with 7
	for _, row := range []struct {
		fence, position string
		state           codes
		place           codes
	}{
		{"none", "as-state", codes{ok, ok, ok, ok, ok, ok}, codes{ok, ok, ok, ok, ok, ok}},
		{"leader-epoch-equal", "as-state", codes{fenced, fenced, ok, unknown, ok, ok}, codes{fenced, fenced, ok, unknown, ok, ok}},
		{"leader-epoch", "as-state", codes{fenced, ok, ok, ok, ok, ok}, codes{fenced, ok, ok, ok, ok, ok}},
		{"leader-and-state-epoch", "as-state", codes{fenced, ok, ok, ok, stateFenced, stateFenced}, codes{fenced, ok, ok, ok, ok, ok}},
		{"none", "none", codes{ok, ok, ok, ok, ok, ok}, codes{ok, ok, ok, ok, ok, ok}},
		{"leader-epoch-equal", "none", codes{fenced, fenced, ok, unknown, ok, ok}, codes{ok, ok, ok, ok, ok, ok}},
		{"leader-epoch", "none", codes{fenced, ok, ok, ok, ok, ok}, codes{ok, ok, ok, ok, ok, ok}},
		{"leader-and-state-epoch", "none", codes{fenced, ok, ok, ok, stateFenced, stateFenced}, codes{ok, ok, ok, ok, ok, ok}},
	} {
		t.Run(row.fence+"/position-fence="+row.position, func(t *testing.T) {
			for i, w := range [6][2]int32{{2, 6}, {3, 6}, {4, 6}, {5, 6}, {4, 5}, {4, 7}} {
				for _, kind := range []struct {
					name string
					rec  record.MirrorState
					want wire.Code
				}{{"state", state(record.Stopped), row.state[i]}, {"position", position(0, 3, 0), row.place[i]}} {
					r := newRig(t, "coordinator-fence", row.fence, "position-fence", row.position)
					r.append(0, by(3, 6, state(record.Stopping)))
					r.elect(1, self)
					r.load()
					r.seen = 4
					if got := r.write(by(w[0], w[1], kind.rec)).Code; got != kind.want {
						t.Errorf("a %s of leader epoch %d, state epoch %d: %s, want %s", kind.name, w[0], w[1], got, kind.want)
					}
					if stored := r.replica.Log.End() == 2; stored != (kind.want == ok) {
						t.Errorf("a %s of leader epoch %d, state epoch %d: stored %t", kind.name, w[0], w[1], stored)
					}
				}
			}
		})
	}
}

// TestFencingBehindTheStored: the coordinator's metadata lag behind a writer that it has stored already. Epoch 5 has
// written, 4 is stale although the metadata show 3 only, and 5 itself is ahead.
func TestFencingBehindTheStored(t *testing.T) {
	for fence, want := range map[string][2]wire.Code{
		"leader-epoch":       {wire.FencedLeaderEpoch, wire.OK},
		"leader-epoch-equal": {wire.FencedLeaderEpoch, wire.UnknownLeaderEpoch},
	} {
		r := newRig(t, "coordinator-fence", fence)
		r.append(0, by(5, 1, state(record.Mirroring)))
		r.elect(1, self)
		r.load()
		r.seen = 3
		got := [2]wire.Code{r.write(by(4, 1, state(record.Mirroring))).Code, r.write(by(5, 1, state(record.Mirroring))).Code}
		same(t, fence, got, want)
	}
}

// TestPositionRaisesHighest: a position carries its writer's leader epoch, and an older leader is fenced after it.
func TestPositionRaisesHighest(t *testing.T) {
	r := lead(t, "coordinator-fence", "leader-epoch")
	r.write(by(3, 0, state(record.Preparing)))
	r.write(by(5, 1, position(0, 3, 1)))
	same(t, "state of leader epoch 4", r.write(by(4, 1, state(record.Mirroring))).Code, wire.FencedLeaderEpoch)
	same(t, "state of leader epoch 5", r.write(by(5, 1, state(record.Mirroring))).Code, wire.OK)
}

// TestUnfencedPositionLowersNothing: D39=none lets a position of leader epoch 3 in after a state of 5; 4 is still stale.
func TestUnfencedPositionLowersNothing(t *testing.T) {
	r := lead(t, "coordinator-fence", "leader-epoch", "position-fence", "none")
	r.write(by(5, 0, state(record.Preparing)))
	same(t, "position of leader epoch 3", r.write(by(3, 0, position(0, 3, 1))).Code, wire.OK)
	same(t, "state of leader epoch 4", r.write(by(4, 1, state(record.Mirroring))).Code, wire.FencedLeaderEpoch)
}

// TestLateWriteOfDeposedLeader is case S3: leader epoch 4 has stored STOPPED when the FAILED write of epoch 3 arrives.
func TestLateWriteOfDeposedLeader(t *testing.T) {
	for _, fence := range []string{"leader-epoch-equal", "leader-epoch", "leader-and-state-epoch"} {
		r := lead(t, "coordinator-fence", fence)
		r.seen = 4
		for i, s := range []record.State{record.Preparing, record.Mirroring, record.Stopping, record.Stopped} {
			same(t, fence+" "+s.String(), r.write(by(4, int32(i), state(s))).Code, wire.OK)
		}
		same(t, fence, r.write(by(3, 4, state(record.Failed))).Code, wire.FencedLeaderEpoch)
		same(t, fence, r.read(mirrorM).State.State, record.Stopped)
	}
}

// TestKeepFirst: D5=keep-first keeps the position of this run, now as the last writer's, and takes that of the next.
func TestKeepFirst(t *testing.T) {
	r := lead(t)
	for _, row := range []struct {
		name       string
		send, want record.MirrorState
		keep       bool
	}{
		{"first of run 1", by(2, 0, position(4, 10, 1)), by(2, 0, position(4, 10, 1)), true},
		{"again in run 1", by(3, 0, position(7, 12, 1)), by(3, 0, position(4, 10, 1)), true},
		{"of run 2", by(3, 0, position(5, 11, 2)), by(3, 0, position(5, 11, 2)), true},
		{"overwrite in run 2", by(4, 0, position(6, 13, 2)), by(4, 0, position(6, 13, 2)), false},
	} {
		res := r.answered(r.send(row.send, row.keep))
		same(t, row.name, []any{res.Code, res.Stored}, []any{wire.OK, row.want})
		same(t, row.name+": read", r.read(mirrorM).Position, row.want)
	}
	same(t, "end", r.replica.Log.End(), int64(4))
}

// TestKeepFirstWaits: the first position is not committed yet, so neither is the answer to the second.
func TestKeepFirstWaits(t *testing.T) {
	r := newRig(t)
	r.elect(0, self, peer)
	r.load()
	r.follow(0)
	r.send(position(4, 10, 1), true)
	n := r.send(position(7, 12, 1), true)
	r.follow(1)
	if list := r.answers(); len(list) != 1 || list[0].Correlation != n-1 {
		t.Fatalf("answered %+v", list)
	}
	r.follow(2)
	same(t, "stored", r.answered(n).Stored.Epoch, int32(4))
}

// TestAck is D29: a write is answered when the high watermark has passed it, or when it is appended, and then once only.
func TestAck(t *testing.T) {
	t.Run("after-commit", func(t *testing.T) {
		r := twoReplicas(t, "coordinator-ack", "after-commit")
		first := r.send(state(record.Preparing), false)
		second := r.send(state(record.Mirroring), false)
		r.waits("nothing is replicated")
		r.follow(1)
		same(t, "first", r.answered(first).Stored.State, record.Preparing)
		r.follow(2)
		same(t, "second", r.answered(second).Stored.State, record.Mirroring)
		r.follow(2)
		r.waits("a second time")
	})
	t.Run("before-commit", func(t *testing.T) {
		r := twoReplicas(t, "coordinator-ack", "before-commit")
		same(t, "code", r.write(state(record.Preparing)).Code, wire.OK)
		same(t, "committed", r.events(event.StateCommitted), []string(nil))
		r.follow(1)
		r.waits("a second time")
		same(t, "committed", r.events(event.StateCommitted), []string{"state-committed PREPARING run 0 epochs 0,1"})
	})
}

// twoReplicas is a loaded coordinator with a follower in the ISR.
func twoReplicas(t *testing.T, sets ...string) *rig {
	r := newRig(t, sets...)
	r.elect(0, self, peer)
	r.load()
	r.follow(0)
	r.out.Reset()
	return r
}

// TestRead is D54: what is appended but not committed shows by local only.
func TestRead(t *testing.T) {
	for option, want := range map[string][2]any{
		"committed": {record.Unknown, false},
		"local":     {record.Preparing, true},
	} {
		r := twoReplicas(t, "coordinator-read", option)
		r.send(state(record.Preparing), false)
		r.send(position(1, 2, 0), false)
		res := r.read(mirrorM)
		same(t, option, [2]any{res.State.State, res.HasPosition}, want)
		r.follow(2)
		res = r.read(mirrorM)
		same(t, option+" committed", [2]any{res.State.State, res.HasPosition}, [2]any{record.Preparing, true})
	}
}

// TestNotEnoughReplicas: a write is an append with acks=all, so one that too small an ISR would take is refused before it.
func TestNotEnoughReplicas(t *testing.T) {
	r := newRig(t)
	r.image.Topics[0].TopicRecord = &record.TopicRecord{Topic: stateTopic, Name: "__mirror_state", Partitions: 1, MinISR: 2, Internal: record.MirrorStateTopic}
	r.elect(0, self)
	r.load()
	same(t, "code", r.write(state(record.Preparing)).Code, wire.NotEnoughReplicas)
	same(t, "end", r.replica.Log.End(), int64(0))
}

// TestFullDisk: nothing is appended to a full disk, and the writer tries again.
func TestFullDisk(t *testing.T) {
	r := lead(t)
	r.disk.Full = true
	res := r.write(state(record.Preparing))
	same(t, "code", []any{res.Code, res.Code.Retriable()}, []any{wire.KafkaStorageError, true})
	same(t, "end", r.replica.Log.End(), int64(0))
	r.disk.Full = false
	r.write(state(record.Preparing))
	same(t, "end behind it", r.replica.Log.End(), int64(1))
}

// TestTwoMirrors: the same partition under two mirrors is two entries.
func TestTwoMirrors(t *testing.T) {
	r := lead(t, "coordinator-fence", "leader-and-state-epoch")
	r.write(under(mirrorM, by(9, 0, state(record.Preparing))))
	r.write(under(mirrorM, by(9, 1, position(3, 4, 1))))
	same(t, "n is fenced by its own epochs", r.write(under(mirrorN, by(2, 0, state(record.Preparing)))).Code, wire.OK)
	n := r.read(mirrorN)
	same(t, "n", []any{n.State.State, n.State.LeaderEpoch, n.State.StateEpoch, n.HasPosition}, []any{record.Preparing, int32(2), int32(1), false})
	same(t, "m", r.read(mirrorM).State.LeaderEpoch, int32(9))
}

// TestTombstones: a tombstone removes its own kind only, for both readings of D54.
func TestTombstones(t *testing.T) {
	for _, option := range []string{"committed", "local"} {
		for _, row := range []struct {
			kind     record.MirrorStateKind
			state    record.State
			position bool
		}{{record.LastMirroredEpochs, record.Stopped, false}, {record.MirrorPartitionState, record.Unknown, true}} {
			r := newRig(t, "coordinator-read", option)
			r.append(0, by(1, 1, state(record.Stopped)), position(2, 5, 1), tombstone(row.kind))
			r.elect(1, self)
			r.load()
			res := r.read(mirrorM)
			same(t, option, []any{res.State.State, res.HasPosition}, []any{row.state, row.position})
		}
	}
}

// TestTombstoneStartsAgain: after the state's tombstone a partition is UNKNOWN, so PREPARING is legal and MIRRORING not.
func TestTombstoneStartsAgain(t *testing.T) {
	r := newRig(t)
	r.append(0, by(1, 1, state(record.Mirroring)), tombstone(record.MirrorPartitionState))
	r.elect(1, self)
	r.load()
	same(t, "MIRRORING", r.write(state(record.Mirroring)).Code, wire.InvalidClusterMirrorState)
	same(t, "PREPARING", r.write(state(record.Preparing)).Code, wire.OK)
}

// TestNotCoordinator: neither the mirror's placement nor the shard is here.
func TestNotCoordinator(t *testing.T) {
	r := newRig(t)
	same(t, "not elected", []any{r.write(state(record.Preparing)).Code, r.read(mirrorM).Code}, []any{wire.NotCoordinator, wire.NotCoordinator})
	r = lead(t)
	same(t, "unknown mirror", r.read(id.Mirror(7)).Code, wire.NotCoordinator)
}
