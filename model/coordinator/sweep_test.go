package coordinator_test

import (
	"slices"
	"testing"

	"mirrorsim/model/coordinator"
	"mirrorsim/model/event"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// stopped is a loaded coordinator of two replicas that holds STOPPED and a position of data under m, written by leader epoch 7.
func stopped(t *testing.T, sets ...string) *rig {
	t.Helper()
	r := newRig(t, sets...)
	r.append(0, by(7, 9, state(record.Stopped)), position(6, 50, 3))
	r.elect(1, self, peer)
	r.load()
	r.follow(2)
	r.out.Reset()
	return r
}

// again is the mirror m created anew; its entries have life 7 behind the removal of the first one.
func again() []record.Metadata {
	return []record.Metadata{&record.RemoveMirrorRecord{Mirror: mirrorM}, &record.MirrorRecord{Mirror: mirrorM, Name: "m"}}
}

const secondLife = 7

func inLife(life int64, rec record.MirrorState) record.MirrorState {
	rec.Life = life
	return rec
}

var removed = []string{"entry-removed 1 of 1", "entry-removed 2 of 1"}

// TestDeletedMirror: each kind gets its tombstone; the other mirror's entry stays; no writer is answered but to look again.
func TestDeletedMirror(t *testing.T) {
	r := stopped(t)
	r.send(under(mirrorN, by(0, 0, state(record.Preparing))), false)
	r.follow(3)
	r.out.Reset()
	r.meta(&record.RemoveMirrorRecord{Mirror: mirrorM})
	same(t, "events", r.events(event.EntryRemoved, event.StateCommitted), removed)
	same(t, "end", r.replica.Log.End(), int64(5))
	for i, b := range r.replica.Log.Read(3, 5, 10)[0].States {
		same(t, "record", b, record.MirrorState{Kind: record.MirrorStateKind(i + 1), Mirror: mirrorM, Partition: data, Tombstone: true, LeaderEpoch: -1})
	}
	r.follow(5)
	same(t, "a tombstone is no state that is committed", r.events(event.StateCommitted, event.PositionCommitted), []string(nil))
	same(t, "the other mirror", r.read(mirrorN).State.State, record.Preparing)
	same(t, "read", r.read(mirrorM).Code, wire.NotCoordinator)
	same(t, "write", r.write(by(7, 9, state(record.Stopped))).Code, wire.NotCoordinator)
	r.meta(&record.RemoveMirrorRecord{Mirror: mirrorN})
	same(t, "once", r.events(event.EntryRemoved), []string{"entry-removed 2 of 2"})
}

// TestMirrorOfTheSameName begins with nothing, whatever is committed by then and whatever the fence had seen.
func TestMirrorOfTheSameName(t *testing.T) {
	for _, read := range []string{"committed", "local"} {
		for _, fence := range []string{"none", "leader-epoch", "leader-and-state-epoch"} {
			t.Run(read+"/"+fence, func(t *testing.T) {
				r := stopped(t, "coordinator-read", read, "coordinator-fence", fence)
				r.meta(again()...)
				same(t, "removed", r.events(event.EntryRemoved), removed)
				res := r.read(mirrorM)
				same(t, "read", []any{res.Code, res.State.State, res.HasPosition}, []any{wire.OK, record.Unknown, false})
				same(t, "a writer that is behind", r.write(by(8, 9, state(record.Preparing))).Code, wire.NotCoordinator)
				n := r.send(inLife(secondLife, by(0, 0, state(record.Preparing))), false)
				r.follow(5)
				a := r.answered(n)
				same(t, "stored", []any{a.Code, a.Stored.Previous, a.Stored.StateEpoch}, []any{wire.OK, record.Unknown, int32(1)})
				same(t, "read again", r.read(mirrorM).State.State, record.Preparing)
			})
		}
	}
}

// TestCoordinatorBehind: one whose metadata do not show the deletion yet takes nothing of the new mirror, and loses nothing
// that an earlier coordinator took of it.
func TestCoordinatorBehind(t *testing.T) {
	r := newRig(t)
	r.append(0, inLife(secondLife, by(0, 1, state(record.Mirroring))))
	r.elect(1, self)
	r.load()
	same(t, "removed", r.events(event.EntryRemoved), []string(nil))
	same(t, "write", r.write(inLife(secondLife, by(0, 1, state(record.Pausing)))).Code, wire.NotCoordinator)
	r.meta(again()...)
	same(t, "removed", r.events(event.EntryRemoved), []string(nil))
	same(t, "read", r.read(mirrorM).State.State, record.Mirroring)
}

// TestLoadOfDeletedMirror: the coordinator of before died between the deletion and its tombstones.
func TestLoadOfDeletedMirror(t *testing.T) {
	for name, gone := range map[string][]record.Metadata{"deleted": again()[:1], "created again": again()} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.append(0, by(7, 9, state(record.Stopped)), position(6, 50, 3))
			r.meta(gone...)
			r.elect(1, self)
			same(t, "before the load", r.events(event.EntryRemoved), []string(nil))
			r.load()
			same(t, "removed", r.events(event.EntryRemoved), removed)
			r.elect(2, self)
			r.load()
			same(t, "loaded again", r.events(event.EntryRemoved), []string(nil))
		})
	}
}

// TestSweepNeedsTheISR: with too few replicas in the ISR nothing is appended; the next write comes behind the tombstones.
func TestSweepNeedsTheISR(t *testing.T) {
	r := stopped(t)
	few := *r.image.Topic(stateTopic).TopicRecord
	few.MinISR = 3
	enough := r.image.Topics[0].TopicRecord
	r.image.Topics[0].TopicRecord = &few
	r.replica.SetTopic(r.image.Topic(stateTopic), r.env())
	r.meta(again()...)
	same(t, "removed", r.events(event.EntryRemoved), []string(nil))
	same(t, "read", r.read(mirrorM).State.State, record.Unknown)
	same(t, "write", r.write(inLife(secondLife, state(record.Preparing))).Code, wire.NotEnoughReplicas)
	r.image.Topics[0].TopicRecord = enough
	r.replica.SetTopic(r.image.Topic(stateTopic), r.env())
	r.send(inLife(secondLife, state(record.Preparing)), false)
	same(t, "removed", r.events(event.EntryRemoved, event.StateStored), append(removed[:2:2],
		"state-stored UNKNOWN>PREPARING run 0 epochs 0,1 by 2 at 4"))
}

// TestSweepComesLater: what a full disk did not take is removed when there is room, though nobody writes any more.
func TestSweepComesLater(t *testing.T) {
	r := stopped(t)
	r.disk.Full = true
	r.meta(again()[:1]...)
	same(t, "full", r.events(event.EntryRemoved), []string(nil))
	sweep := node.Timer{Kind: coordinator.TimerSweep, Partition: r.replica.ID()}
	armed := func() bool {
		i := slices.IndexFunc(r.out.Timers, func(op node.TimerOp) bool { return op.Timer == sweep && op.After > 0 })
		r.out.Timers = nil
		return i >= 0
	}
	same(t, "tried again", armed(), true)
	r.coord.SweepAgain(r.replica, r.env())
	same(t, "still full", []any{r.events(event.EntryRemoved), armed()}, []any{[]string(nil), true})
	r.disk.Full = false
	r.coord.SweepAgain(r.replica, r.env())
	r.after()
	same(t, "room", []any{r.events(event.EntryRemoved), armed()}, []any{removed, false})
}

// TestDeletedTopic: a topic that is made anew under its id begins with leader epoch 0, which nothing old may fence.
func TestDeletedTopic(t *testing.T) {
	r := stopped(t, "coordinator-fence", "leader-epoch")
	r.meta(&record.RemoveTopicRecord{Topic: data.Topic}, &record.TopicRecord{Topic: data.Topic, Name: "t", Partitions: 1})
	same(t, "removed", r.events(event.EntryRemoved), removed)
	n := r.send(inLife(secondLife, by(0, 0, state(record.Preparing))), false)
	r.follow(5)
	same(t, "stored", r.answered(n).Code, wire.OK)
}
