package coordinator_test

import (
	"bytes"
	"slices"
	"testing"

	"mirrorsim/model/coordinator"
	"mirrorsim/model/event"
	"mirrorsim/model/node"
	"mirrorsim/model/point"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// TestLoadWaitsForHighWatermark: three records stand in the log at the election and the high watermark is below them. The
// coordinator answers once it has reached the log end of the election, for whatever was answered before is below that.
func TestLoadWaitsForHighWatermark(t *testing.T) {
	r := newRig(t)
	r.append(0, by(1, 1, state(record.Preparing)), by(1, 2, state(record.Mirroring)))
	r.append(0, position(2, 5, 1))
	r.elect(1, self, peer)
	loading := wire.CoordinatorLoadInProgress
	same(t, "before the replay", []any{r.read(mirrorM).Code, r.write(state(record.Stopping)).Code}, []any{loading, loading})
	r.load()
	same(t, "replayed", []any{r.read(mirrorM).Code, r.write(state(record.Stopping)).Code}, []any{loading, loading})
	r.follow(2)
	same(t, "high watermark 2", r.read(mirrorM).Code, loading)
	r.follow(3)
	res := r.read(mirrorM)
	same(t, "high watermark 3", []any{res.Code, res.State.State, res.HasPosition}, []any{wire.OK, record.Mirroring, true})
	same(t, "events", r.events(event.CoordinatorLoaded, event.StateCommitted), []string{"coordinator-loaded 1"})
	same(t, "end", r.replica.Log.End(), int64(3))
}

// TestLoadTimer: the election arms the timer of the load, a resignation cancels it.
func TestLoadTimer(t *testing.T) {
	r := newRig(t)
	r.elect(0, self)
	timer := node.Timer{Kind: coordinator.TimerLoad, Partition: shard}
	armed := func(op node.TimerOp) bool { return op.Timer == timer && op.After >= 0 }
	cancelled := func(op node.TimerOp) bool { return op.Timer == timer && op.After < 0 }
	same(t, "armed", slices.ContainsFunc(r.out.Timers, armed), true)
	r.out.Reset()
	r.deposed(1)
	same(t, "cancelled", slices.ContainsFunc(r.out.Timers, cancelled), true)
}

// deposed makes the peer the leader.
func (r *rig) deposed(epoch int32) {
	r.registered(&record.PartitionRecord{Partition: shard, Replicas: r.replica.Reg.Replicas, ISR: r.replica.Reg.ISR,
		Leader: peer, LeaderEpoch: epoch, PartitionEpoch: epoch})
}

// TestEmptyLoad: an empty partition is loaded as soon as it is replayed, not before.
func TestEmptyLoad(t *testing.T) {
	r := newRig(t)
	r.elect(0, self, peer)
	same(t, "elected", r.read(mirrorM).Code, wire.CoordinatorLoadInProgress)
	r.load()
	same(t, "replayed", r.read(mirrorM).Code, wire.OK)
}

// TestLoadManyBatches: the replay reads on where one read ends.
func TestLoadManyBatches(t *testing.T) {
	r := newRig(t)
	r.setting.FetchMaxBatches = 2
	r.append(0, by(1, 1, state(record.Preparing)))
	for i := range int32(6) {
		r.append(0, by(1, 2+i, state(record.Mirroring)))
	}
	r.elect(1, self)
	r.load()
	same(t, "state epoch", r.read(mirrorM).State.StateEpoch, int32(7))
}

// TestReadWhileLoading is D42: from memory a read is answered with what has been replayed and is committed.
func TestReadWhileLoading(t *testing.T) {
	r := newRig(t, "loading-answer", "from-memory")
	r.append(0, by(1, 1, state(record.Preparing)))
	r.append(0, by(1, 2, state(record.Mirroring)))
	r.elect(1, self, peer)
	read := func() []any { res := r.read(mirrorM); return []any{res.Code, res.State.State} }
	same(t, "before the replay", read(), []any{wire.OK, record.Unknown})
	r.load()
	same(t, "replayed", read(), []any{wire.OK, record.Unknown})
	r.follow(1)
	same(t, "high watermark 1", read(), []any{wire.OK, record.Preparing})
	same(t, "a write is refused all the same", r.write(by(1, 2, state(record.Stopping))).Code, wire.CoordinatorLoadInProgress)
}

// TestReelected: a new leader epoch of the same broker loads again, and what was pending is refused: it may not survive.
func TestReelected(t *testing.T) {
	r := twoReplicas(t)
	n := r.send(state(record.Preparing), false)
	r.elect(1, self, peer)
	same(t, "pending", r.answered(n).Code, wire.NotCoordinator)
	same(t, "loading", r.read(mirrorM).Code, wire.CoordinatorLoadInProgress)
	r.load()
	r.follow(1)
	same(t, "loaded", r.read(mirrorM).State.State, record.Preparing)
	r.waits("the pending write was answered already")
}

// TestResigned: who waits is told NOT_COORDINATOR, and nothing is answered from here any more (KAFKA-18137).
func TestResigned(t *testing.T) {
	r := twoReplicas(t)
	first, second := r.send(state(record.Preparing), false), r.send(position(0, 1, 0), false)
	r.deposed(1)
	list := r.answers()
	if len(list) != 2 {
		t.Fatalf("%d answers", len(list))
	}
	for i, n := range []uint32{first, second} {
		same(t, "answer", []any{list[i].Correlation, list[i].Code}, []any{n, wire.NotCoordinator})
	}
	same(t, "read", r.read(mirrorM).Code, wire.NotCoordinator)
	r.coord.Load(r.replica, r.env()) // a load that was due is not done
	same(t, "read", r.read(mirrorM).Code, wire.NotCoordinator)
}

// TestPoints: a load and a write part where a fault may fall, before anybody is answered.
func TestPoints(t *testing.T) {
	r := newRig(t)
	r.append(0, state(record.Preparing))
	r.elect(1, self)
	r.coord.Load(r.replica, r.env())
	same(t, "a load has begun", r.coord.Point(), point.LoadBegun)
	same(t, "nothing is answered yet", r.read(mirrorM).Code, wire.CoordinatorLoadInProgress)
	r.after()
	same(t, "it has loaded", r.read(mirrorM).State.State, record.Preparing)
	for _, set := range []string{"after-commit", "before-commit"} {
		if err := r.config.Set("coordinator-ack", set); err != nil {
			t.Fatal(err)
		}
		r.number++
		r.coord.Write(writer, &wire.WriteMirrorStatesRequest{Record: by(0, 1, state(record.Preparing)), Correlation: r.number}, r.replica, 0, r.env())
		same(t, "appended", []any{r.coord.Point(), r.replica.Log.HighWatermark() == r.replica.Log.End()}, []any{point.StateAppended, true})
		r.coord.Advanced(r.replica, r.env())
		r.waits("at the point")
		r.after()
		same(t, "answer", r.answered(r.number).Code, wire.OK)
	}
	same(t, "points", r.points, []point.Point{point.LoadBegun, point.LoadReplayed, point.StateAppended, point.StateAppended})
	r.coord.Write(writer, &wire.WriteMirrorStatesRequest{Record: state(record.Preparing), Correlation: 99}, r.replica, 0, r.env())
	r.coord.Resigned(shard, r.env())
	same(t, "a deposed one is at no point", r.coord.Point(), point.None)
}

// TestClone: neither side sees what the other does.
func TestClone(t *testing.T) {
	r := twoReplicas(t)
	n := r.send(state(record.Preparing), false)
	before := r.coord.AppendState(nil)
	d := r.disk.Clone()
	c := &rig{t: t, config: r.config, setting: r.setting, image: r.image.Clone(), disk: d, replica: r.replica.Clone(d.Find(shard)),
		coord: r.coord.Clone(), number: r.number}
	same(t, "equal", c.coord.AppendState(nil), before)
	r.follow(1)
	r.send(state(record.Mirroring), false)
	same(t, "the original went on", bytes.Equal(r.coord.AppendState(nil), before), false)
	same(t, "the clone did not", c.coord.AppendState(nil), before)
	same(t, "the clone's read", c.read(mirrorM).State.State, record.Unknown)
	c.follow(1)
	same(t, "the clone's own answer", c.answered(n).Stored.State, record.Preparing)
	same(t, "the clone's own read", c.read(mirrorM).State.StateEpoch, int32(1))
}

// TestWaits says what is loading.
func TestWaits(t *testing.T) {
	r := newRig(t)
	r.elect(0, self)
	words := func() (list []string) {
		r.coord.Waits(func(s string) bool { list = append(list, s); return true })
		return list
	}
	same(t, "loading", words(), []string{"the coordinator of __mirror_state-0 is loading"})
	r.load()
	same(t, "loaded", words(), []string(nil))
}
