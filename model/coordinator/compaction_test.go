package coordinator_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/record"
)

// TestReloadAfterCompaction: what a coordinator replays of a compacted log is what it replayed before: the newest state and
// position of each entry, and nothing of one that a tombstone removed.
func TestReloadAfterCompaction(t *testing.T) {
	r := newRig(t)
	r.append(0, by(1, 1, state(record.Preparing)), position(2, 5, 1))
	r.append(0, under(mirrorN, by(1, 1, state(record.Preparing))))
	r.append(0, by(1, 2, state(record.Mirroring)))
	r.append(0, under(mirrorN, position(7, 9, 1)))
	r.append(0, by(1, 3, state(record.Stopping)), position(3, 8, 1))
	r.append(0, by(1, 4, state(record.Stopped)))
	r.append(0, under(mirrorN, tombstone(record.MirrorPartitionState)), under(mirrorN, tombstone(record.LastMirroredEpochs)))
	r.append(0, under(mirrorN, by(2, 1, state(record.Preparing))))
	loaded := func(epoch int32) []any {
		t.Helper()
		r.out.Reset()
		r.elect(epoch, self)
		r.load()
		m, n := r.read(mirrorM), r.read(mirrorN)
		return []any{m.Code, m.State, m.HasPosition, m.Position, n.Code, n.State, n.HasPosition, n.Position,
			r.events(event.CoordinatorLoaded)[0][:len("coordinator-loaded")]}
	}
	before := loaded(1)
	same(t, "mirror m is", before[1].(record.MirrorState).State, record.Stopped)
	same(t, "its position is", before[3].(record.MirrorState).Epoch, int32(3))
	same(t, "mirror n's position", before[6], false)
	r.deposed(2)
	batches := len(r.disk.Find(shard).Batches)
	r.replica.Log.SetHighWatermark(r.replica.Log.End(), 2, &r.out)
	r.replica.Log.Compact(nil, &r.out)
	if left := len(r.disk.Find(shard).Batches); left >= batches || left != 4 {
		t.Fatalf("%d of %d batches are left", left, batches)
	}
	same(t, "after compaction", loaded(3), before)
	r.deposed(4)
	r.replica.Log.Compact(nil, &r.out)
	same(t, "after a second pass", len(r.disk.Find(shard).Batches) <= 5, true)
}
