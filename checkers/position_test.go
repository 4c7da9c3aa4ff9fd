package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// withOffset is a topology under marker=epoch-and-offset.
func withOffset() Topology {
	t := topology
	t.PositionOffset = true
	return t
}

// positions changes every event that tells of the position.
func positions(b *builder, with func(*event.Event)) {
	for i := range b.events {
		if k := b.events[i].Kind; k == event.PositionStored || k == event.PositionCommitted {
			with(&b.events[i])
		}
	}
}

// rerun is a stop that was interrupted before its reset was replicated: b1 leads without it, and stops again.
func rerun(b *builder, again func()) {
	three(b)
	b.intent(clusterB, record.WantStopped)
	b.store(clusterB, record.Stopping)
	b.position(clusterB, 0)
	b.elect(clusterB, b0, event.EpochBump)
	b.append(b0, record.NewReset(), event.FromStop)
	b.elect(clusterB, b1, event.CleanElection)
	again()
	b.append(b1, record.NewReset(), event.FromStop)
	b.truncate(b0, 3, event.Diverged)
	b.replicate(clusterB)
	b.store(clusterB, record.Stopped)
}

// home has coordinator n append the position of B's t-0 to its log of __mirror_state, and be loaded.
func (b *builder) home(n id.Node, epoch int32) {
	states := []record.MirrorState{{Kind: record.LastMirroredEpochs, Mirror: mirrorM, Partition: t0, Epoch: epoch, Offset: 3,
		Run: b.run[clusterB]}}
	x := record.NewStates(states).At(0, 0)
	b.on(event.Appended, n, event.Event{Partition: statesP, Cause: uint8(event.FromInternal), Batch: x, End: x.Last + 1})
}

// changedPositions is a stop whose positions are changed.
func changedPositions(with func(*event.Event)) func(*testing.T) []event.Event {
	return func(*testing.T) []event.Event {
		b := stopped()
		positions(b, with)
		return b.events
	}
}

var positionDefects = []defect{
	{"nothing is stored", PositionDurable,
		[]string{"B/t-0 is STOPPED and stores nothing, but the boundary is 3, where the position is epoch 0"},
		changedPositions(func(e *event.Event) { e.Kind = event.PointReached })},
	{"another epoch", PositionDurable, []string{"stores epoch 1, but the boundary is 3, where the position is epoch 0"},
		changedPositions(func(e *event.Event) { e.BatchEpoch = 1 })},
	{"of an earlier run", PositionDurable, []string{"stores epoch 0 of the earlier run 0, but the boundary is 3"},
		changedPositions(func(e *event.Event) { e.Sequence = 0 })},
	{"stored though the log is empty", PositionDurable,
		[]string{"B/t-0 is STOPPED and stores epoch 0, but the boundary is 0, where the position is nothing"},
		func(*testing.T) []event.Event {
			b := &builder{}
			b.boot()
			b.start(clusterB, false, 0, event.AlignedToLME)
			b.catchUp(clusterB)
			b.position(clusterB, 0)
			b.stopMirror(clusterB)
			return b.events
		}},
	{"of the markers of a stop that runs again", PositionDurable, []string{"stores epoch 1, but the boundary is 3"},
		func(*testing.T) []event.Event {
			b := mirrored()
			b.store(clusterB, record.Stopping)
			b.position(clusterB, 0)
			b.elect(clusterB, b0, event.EpochBump)
			b.append(b0, record.NewReset(), event.FromStop)
			b.replicate(clusterB)
			b.position(clusterB, 1)
			b.append(b0, record.NewReset(), event.FromStop)
			b.replicate(clusterB)
			b.store(clusterB, record.Stopped)
			return b.events
		}},
	{"of a log that the source has not agreed to", PositionDurable,
		[]string{"A/t-0 is STOPPED and stores epoch 1, but the logs, which were not aligned, are known to be equal up to 3"},
		func(*testing.T) []event.Event {
			b := mirrored()
			b.stopMirror(clusterB)
			b.elect(clusterA, a0, event.EpochBump)
			b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
			b.prepare(clusterA)
			b.store(clusterA, record.Stopping)
			b.position(clusterA, 1)
			b.store(clusterA, record.Stopped)
			return b.events
		}},
	{"changed after STOPPED", PositionDurable,
		[]string{"the last mirrored position of B/t-0 has changed after STOPPED: it was epoch 0", "it is epoch 4 at coordinator b1"},
		func(*testing.T) []event.Event {
			b := stopped()
			b.position(clusterB, 4)
			return b.events
		}},
	{"lost by a new coordinator", PositionDurable, []string{"has changed after STOPPED", "it is nothing at coordinator b0"},
		func(*testing.T) []event.Event {
			b := mirrored()
			b.home(b1, 0)
			b.stopMirror(clusterB)
			b.on(event.BecameLeader, b0, event.Event{Partition: statesP})
			b.on(event.CoordinatorLoaded, b0, event.Event{Partition: statesP})
			return b.events
		}},
}

func TestPositionDurableDefectsAreReported(t *testing.T) {
	for _, d := range positionDefects {
		t.Run(d.name, d.run)
	}
}

var positionCases = []stateCase{
	{"no stop", NotExercised, "", three},
	{"nothing stored of an empty log", Holds, "", func(b *builder) {
		b.start(clusterB, false, 0, event.AlignedToLME)
		b.catchUp(clusterB)
		b.stopMirror(clusterB)
	}},
	{"nothing, in words, stored of an empty log", Holds, "", func(b *builder) {
		b.start(clusterB, false, 0, event.AlignedToLME)
		b.catchUp(clusterB)
		b.position(clusterB, record.NoPosition)
		positions(b, func(e *event.Event) { e.Offset = record.NoPosition })
		b.stopMirror(clusterB)
	}},
	{"a stop before the source has agreed keeps what was stored", Holds, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.produce(p2, clusterB, b.data(p2, 1, 7, 0))
		b.prepare(clusterB)
		b.stopMirror(clusterB)
	}},
	{"a stop that runs again without the first reset", Holds, "", func(b *builder) {
		rerun(b, func() { b.position(clusterB, 0) })
	}},
	{"a stop that fails after its reset, and goes on", Holds, "", func(b *builder) {
		three(b)
		b.intent(clusterB, record.WantStopped)
		b.store(clusterB, record.Stopping)
		b.position(clusterB, 0)
		b.elect(clusterB, b0, event.EpochBump)
		b.append(b0, record.NewReset(), event.FromStop)
		b.replicate(clusterB)
		b.store(clusterB, record.Failed)
		b.store(clusterB, record.Stopping)
		b.append(b0, record.NewReset(), event.FromStop)
		b.replicate(clusterB)
		b.store(clusterB, record.Stopped)
	}},
	{"the next stop stores another one", Holds, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.elect(clusterA, a0, event.EpochBump)
		b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
		b.start(clusterB, true, 3, event.AlignedToLME)
		b.catchUp(clusterB)
		b.stopMirror(clusterB)
	}},
	{"a new coordinator has replayed it", Holds, "", func(b *builder) {
		three(b)
		b.home(b1, 0)
		b.stopMirror(clusterB)
		b.home(b0, 0)
		b.on(event.CoordinatorLoaded, b0, event.Event{Partition: statesP})
	}},
	{"the coordinator of other partitions has replayed its log", Holds, "", func(b *builder) {
		three(b)
		b.home(b1, 0)
		b.stopMirror(clusterB)
		other := id.Partition{Topic: statesP.Topic, Index: 1}
		b.on(event.BecameLeader, b0, event.Event{Partition: other})
		b.on(event.CoordinatorLoaded, b0, event.Event{Partition: other})
	}},
	{"back and forth, and back again", Holds, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.produce(p2, clusterB, b.data(p2, 1, 7, 0))
		b.start(clusterA, true, 3, event.AlignedToLME)
		b.catchUp(clusterA)
		b.stopMirror(clusterA)
		b.start(clusterB, true, 5, event.AlignedToLME)
		b.catchUp(clusterB)
		b.stopMirror(clusterB)
	}},
	{"the mirror is deleted", Holds, "", func(b *builder) {
		three(b)
		b.stopMirror(clusterB)
		b.on(event.EntryRemoved, b1, event.Event{Mirror: mirrorM, From: uint8(record.LastMirroredEpochs)})
		b.position(clusterB, 4)
	}},
	{"lost beyond the budget", NotPromised, "unclean election of b0 of B/" + topology.Names.Partition(statesP), func(b *builder) {
		three(b)
		b.loseStates(clusterB)
		b.stopMirror(clusterB)
		positions(b, func(e *event.Event) { e.Kind = event.PointReached })
	}},
}

func TestPositionDurableStatus(t *testing.T) { runStates(t, PositionDurable, positionCases) }

// The offset counts where D1 stores one, and with marker=none nothing may be stored.
func TestPositionByMarker(t *testing.T) {
	none := topology
	none.PositionEpoch = false
	for _, c := range []struct {
		name   string
		with   Topology
		offset int64
		want   Status
	}{
		{"right offset", withOffset(), 3, Holds},
		{"wrong offset", withOffset(), 2, Violated},
		{"offset that is not looked at", topology, 2, Holds},
		{"a position without a marker", none, 3, Violated},
		{"no marker, and none stored", none, record.NoPosition, Holds},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := stopped()
			positions(b, func(e *event.Event) {
				if e.Offset = c.offset; c.offset == record.NoPosition {
					e.Kind = event.PointReached
				}
			})
			if v := b.verdict(t, c.with, PositionDurable); v.Status != c.want {
				t.Errorf("position-durable is %v, want %v: %v", v.Status, c.want, v.Violations)
			}
		})
	}
	b := &builder{}
	b.boot()
	rerun(b, func() { b.elect(clusterB, b1, event.EpochBump) })
	if v := b.verdict(t, withOffset(), PositionDurable); v.Status != Holds {
		t.Errorf("the boundary of a stop that ran again is not that of the log in charge: %v", v.Violations)
	}
}

// A leader that has been deposed and does not know appends its reset, and is elected again with it: the boundary is below it.
func TestResetOfALeaderThatIsElectedAgain(t *testing.T) {
	for name, want := range map[string]Status{"epoch of the source": Holds, "epoch of the reset": Violated} {
		t.Run(name, func(t *testing.T) {
			b := mirrored()
			b.intent(clusterB, record.WantStopped)
			b.store(clusterB, record.Stopping)
			stored := int32(0)
			if want == Violated {
				stored = 1
			}
			b.position(clusterB, stored)
			b.elect(clusterB, b0, event.EpochBump)
			b.leader[clusterB] = id.None
			b.epoch[clusterB]++
			b.register(clusterB, event.NoLeader, id.SetOf(b0))
			b.epoch[clusterB]-- // it acts in the epoch that it knows
			b.append(b0, record.NewReset(), event.FromStop)
			b.epoch[clusterB]++
			b.elect(clusterB, b0, event.CleanElection)
			b.replicate(clusterB)
			b.store(clusterB, record.Stopped)
			if v := verdictOf(t, judge(t, b.events), PositionDurable.String()); v.Status != want {
				t.Errorf("%v %v, want %v", v.Status, v.Violations, want)
			}
		})
	}
}
