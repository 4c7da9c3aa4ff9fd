package coordinator_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// options are the decisions that the property test draws.
var options = []struct {
	name   string
	tokens []string
}{
	{"coordinator-fence", []string{"none", "leader-epoch-equal", "leader-epoch", "leader-and-state-epoch"}},
	{"position-fence", []string{"as-state", "none"}},
	{"illegal-edge", []string{"error", "ignore"}},
	{"coordinator-ack", []string{"after-commit", "before-commit"}},
	{"coordinator-read", []string{"committed", "local"}},
	{"loading-answer", []string{"error", "from-memory"}},
	{"unknown-stop", []string{"illegal", "stopping"}},
}

// stateLog is the specification: the records of __mirror_state in order, from which every answer is computed anew.
type stateLog struct {
	set     map[string]string // the options
	records []record.MirrorState
	hw      int // how many of them are committed
	epoch   int32
	leads   bool
	read    bool // the present leader has replayed the log
	goal    int  // it has loaded when so many are committed
	waiting []awaited
	life    map[id.Mirror]int64 // of the data topic's entries, by the metadata
}

// awaited is a write that has no answer yet.
type awaited struct {
	number uint32
	end    int
}

// newest is the last record of a kind among the first n, nothing where that is a tombstone.
func (m *stateLog) newest(n int, kind record.MirrorStateKind, x id.Mirror) (found record.MirrorState, ok bool) {
	for _, r := range m.records[:n] {
		if r.Kind == kind && r.Mirror == x {
			found, ok = r, !r.Tombstone
		}
	}
	if !ok {
		return record.MirrorState{}, false
	}
	return found, true
}

// present is the newest record where it is of the present mirror of the name.
func (m *stateLog) present(n int, kind record.MirrorStateKind, x id.Mirror) record.MirrorState {
	if r, ok := m.newest(n, kind, x); ok && r.Life == m.life[x] {
		return r
	}
	return record.MirrorState{}
}

// highest is the highest leader epoch since the mirror's entry was last empty.
func (m *stateLog) highest(x id.Mirror) int32 {
	highest := int32(-1)
	has := map[record.MirrorStateKind]bool{}
	for _, r := range m.records {
		if r.Mirror != x {
			continue
		}
		highest = max(highest, r.LeaderEpoch)
		if has[r.Kind] = !r.Tombstone; !has[record.LastMirroredEpochs] && !has[record.MirrorPartitionState] {
			highest = -1
		}
	}
	return highest
}

// sweep has a coordinator that has loaded append tombstones for what an earlier mirror of the name left.
func (m *stateLog) sweep() {
	if !m.leads || !m.loaded() {
		return
	}
	for _, x := range []id.Mirror{mirrorM, mirrorN} {
		for _, kind := range []record.MirrorStateKind{record.LastMirroredEpochs, record.MirrorPartitionState} {
			if r, ok := m.newest(len(m.records), kind, x); ok && r.Life != m.life[x] {
				m.records = append(m.records, record.MirrorState{Kind: kind, Mirror: x, Partition: data, Tombstone: true, LeaderEpoch: -1})
			}
		}
	}
}

// replay is what a new coordinator reads: the value of a position says nothing of its writer.
func (m *stateLog) replay() {
	m.read = true
	for i := range m.records {
		if r := &m.records[i]; r.Kind == record.LastMirroredEpochs {
			r.LeaderEpoch = -1
		}
	}
}

func (m *stateLog) loaded() bool { return m.read && m.hw >= m.goal }

// refuses is the code that a writer gets whose leader epoch or state epoch is not what the options ask for.
func (m *stateLog) refuses(r record.MirrorState, seen int32) wire.Code {
	position := r.Kind == record.LastMirroredEpochs
	if position && m.set["position-fence"] == "none" {
		return wire.OK
	}
	stored, _ := m.newest(len(m.records), record.MirrorPartitionState, r.Mirror)
	switch fence := m.set["coordinator-fence"]; {
	case fence == "leader-epoch-equal" && r.LeaderEpoch > seen && r.LeaderEpoch >= m.highest(r.Mirror):
		return wire.UnknownLeaderEpoch
	case fence == "leader-epoch-equal" && r.LeaderEpoch != seen:
		return wire.FencedLeaderEpoch
	case (fence == "leader-epoch" || fence == "leader-and-state-epoch") && r.LeaderEpoch < m.highest(r.Mirror):
		return wire.FencedLeaderEpoch
	case fence == "leader-and-state-epoch" && !position && r.StateEpoch != stored.StateEpoch:
		return wire.FencedStateEpoch
	}
	return wire.OK
}

// mayFollow is the table of legal edges of section 3 of the design, row by row.
func (m *stateLog) mayFollow(from, to record.State) bool {
	if from == to {
		return true
	}
	switch to {
	case record.Preparing:
		return from == record.Unknown || from == record.Stopped || from == record.Failed
	case record.EpochFencing, record.UleRecovery, record.Pausing:
		return from == record.Mirroring
	case record.Mirroring:
		return slices.Contains([]record.State{record.Preparing, record.EpochFencing, record.UleRecovery, record.Paused,
			record.Failed}, from)
	case record.Paused:
		return from == record.Pausing
	case record.Stopping:
		return from != record.Stopped && (from != record.Unknown || m.set["unknown-stop"] == "stopping")
	case record.Stopped:
		return from == record.Stopping
	case record.Failed:
		return from != record.Stopped
	}
	return false
}

// write is what becomes of a write: its code, and the record that is appended, if one is.
func (m *stateLog) write(r record.MirrorState, keepFirst bool, seen int32) (code wire.Code, appended *record.MirrorState) {
	switch {
	case !m.leads, r.Life != m.life[r.Mirror]:
		return wire.NotCoordinator, nil
	case !m.loaded():
		return wire.CoordinatorLoadInProgress, nil
	}
	if code := m.refuses(r, seen); code != wire.OK {
		return code, nil
	}
	before, _ := m.newest(len(m.records), r.Kind, r.Mirror)
	if r.Kind == record.LastMirroredEpochs {
		if first, ok := m.newest(len(m.records), r.Kind, r.Mirror); ok && keepFirst && first.Run == r.Run {
			r.Epoch, r.Offset = first.Epoch, first.Offset
		}
		return wire.OK, &r
	}
	if !m.mayFollow(before.State, r.State) {
		if m.set["illegal-edge"] == "error" {
			return wire.InvalidClusterMirrorState, nil
		}
		return wire.OK, nil
	}
	r.StateEpoch, r.Previous = before.StateEpoch+1, before.State
	if r.State == record.Failed && before.State == record.Failed {
		r.Previous = before.Previous
	}
	return wire.OK, &r
}

// coordinatorMachine runs random acts on a coordinator and on the plain model of it.
type coordinatorMachine struct {
	rig   *rig
	model stateLog
}

func newCoordinatorMachine(t *testing.T, r *rapid.T) *coordinatorMachine {
	m := &coordinatorMachine{model: stateLog{set: map[string]string{}, epoch: -1,
		life: map[id.Mirror]int64{mirrorM: firstLife, mirrorN: firstLife}}}
	var sets []string
	for _, o := range options {
		m.model.set[o.name] = rapid.SampledFrom(o.tokens).Draw(r, o.name)
		sets = append(sets, o.name, m.model.set[o.name])
	}
	m.rig = newRig(t, sets...)
	m.elect(r)
	m.load(r)
	return m
}

func (m *coordinatorMachine) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"write": m.write,
		"write on": func(t *rapid.T) {
			for range rapid.IntRange(1, 4).Draw(t, "writes") {
				m.write(t)
			}
		},
		"elect": m.elect,
		"resign": func(t *rapid.T) {
			m.model.epoch++
			m.model.leads, m.model.read = false, false
			m.unanswered(t, wire.NotCoordinator, func() {
				m.rig.registered(&record.PartitionRecord{Partition: shard, Replicas: []id.Node{self, peer},
					ISR: id.SetOf(self, peer), Leader: peer, LeaderEpoch: m.model.epoch, PartitionEpoch: m.model.epoch})
			})
		},
		"load": m.load,
		"follow": func(t *rapid.T) {
			if !m.model.leads {
				return
			}
			to := rapid.IntRange(m.model.hw, len(m.model.records)).Draw(t, "to")
			m.rig.follow(int64(to))
			m.commit(t, to)
		},
		"delete and create": func(t *rapid.T) {
			x := rapid.SampledFrom([]id.Mirror{mirrorM, mirrorN}).Draw(t, "mirror")
			m.rig.meta(&record.RemoveMirrorRecord{Mirror: x}, &record.MirrorRecord{Mirror: x, Name: m.rig.image.Mirror(x).Name})
			m.model.life[x] = m.rig.image.Offset - 1
			m.model.sweep()
		},
		"clone": func(*rapid.T) { m.rig.coord = m.rig.coord.Clone() },
		"see":   func(t *rapid.T) { m.rig.seen = rapid.Int32Range(0, 4).Draw(t, "leader epoch") },
		"":      m.check,
	}
}

func (m *coordinatorMachine) write(t *rapid.T) {
	rec := record.MirrorState{Kind: record.MirrorPartitionState, Partition: data, Life: firstLife,
		Mirror: rapid.SampledFrom([]id.Mirror{mirrorM, mirrorN}).Draw(t, "mirror"), Run: rapid.Int32Range(1, 2).Draw(t, "run"), LeaderEpoch: rapid.Int32Range(0, 4).Draw(t, "leader epoch")}
	rec.Life = m.model.life[rec.Mirror] - int64(rapid.IntRange(0, 8).Draw(t, "lives behind")/8)
	keepFirst := false
	if rapid.IntRange(0, 2).Draw(t, "kind") == 0 {
		rec.Kind, rec.Epoch, rec.Offset = record.LastMirroredEpochs, rapid.Int32Range(0, 9).Draw(t, "epoch"), record.NoPosition
		keepFirst = rapid.Bool().Draw(t, "keep first")
	} else {
		stored, _ := m.model.newest(len(m.model.records), rec.Kind, rec.Mirror)
		rec.State = m.state(t, stored.State)
		rec.StateEpoch = stored.StateEpoch - rapid.Int32Range(0, 3).Draw(t, "state epochs behind")/3
	}
	code, appended := m.model.write(rec, keepFirst, m.rig.seen)
	n := m.rig.send(rec, keepFirst)
	if appended == nil {
		m.answered(t, n, code)
		return
	}
	m.model.records = append(m.model.records, *appended)
	if m.model.set["coordinator-ack"] == "before-commit" {
		m.answered(t, n, wire.OK)
		return
	}
	m.rig.waits("a write that is not committed")
	m.model.waiting = append(m.model.waiting, awaited{n, len(m.model.records)})
}

// state is one that may follow, or, one time in four, any.
func (m *coordinatorMachine) state(t *rapid.T, from record.State) record.State {
	any := rapid.IntRange(0, 3).Draw(t, "whatever") == 0
	var list []record.State
	for s := record.Preparing; int(s) < record.States; s++ {
		if any || m.model.mayFollow(from, s) {
			list = append(list, s)
		}
	}
	return rapid.SampledFrom(list).Draw(t, "state")
}

func (m *coordinatorMachine) elect(t *rapid.T) {
	m.model.epoch++
	m.unanswered(t, wire.NotCoordinator, func() { m.rig.elect(m.model.epoch, self, peer) })
	m.model.leads, m.model.read, m.model.goal = true, false, len(m.model.records)
}

func (m *coordinatorMachine) load(*rapid.T) {
	m.rig.load()
	if m.model.leads && !m.model.read {
		m.model.replay()
	}
	m.model.sweep()
}

func (m *coordinatorMachine) answered(t *rapid.T, n uint32, code wire.Code) {
	if list := m.rig.answers(); len(list) != 1 || list[0].Correlation != n || list[0].Code != code {
		t.Fatalf("write %d is answered %+v, want %v", n, list, code)
	}
}

// commit follows a high watermark that has risen, and wants the answers of what it has passed, in order.
func (m *coordinatorMachine) commit(t *rapid.T, to int) {
	m.model.hw = to
	var want []uint32
	for len(m.model.waiting) > 0 && m.model.waiting[0].end <= to {
		want = append(want, m.model.waiting[0].number)
		m.model.waiting = m.model.waiting[1:]
	}
	m.wantAnswers(t, want, wire.OK)
	m.model.sweep()
}

// unanswered has every write that waits answered with a code.
func (m *coordinatorMachine) unanswered(t *rapid.T, code wire.Code, act func()) {
	act()
	var want []uint32
	for _, w := range m.model.waiting {
		want = append(want, w.number)
	}
	m.model.waiting = nil
	m.wantAnswers(t, want, code)
}

func (m *coordinatorMachine) wantAnswers(t *rapid.T, want []uint32, code wire.Code) {
	var got []uint32
	for _, a := range m.rig.answers() {
		if got = append(got, a.Correlation); a.Code != code {
			t.Fatalf("write %d is answered %v, want %v", a.Correlation, a.Code, code)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("writes %v are answered, want %v", got, want)
	}
}

// check reads both entries.
func (m *coordinatorMachine) check(t *rapid.T) {
	if got := m.rig.replica.Log.HighWatermark(); got != int64(m.model.hw) {
		t.Fatalf("the high watermark is %d, want %d", got, m.model.hw)
	}
	for _, x := range []id.Mirror{mirrorM, mirrorN} {
		res := m.rig.read(x)
		want := wire.OK
		switch {
		case !m.model.leads:
			want = wire.NotCoordinator
		case !m.model.loaded() && m.model.set["loading-answer"] == "error":
			want = wire.CoordinatorLoadInProgress
		}
		if res.Code != want {
			t.Fatalf("a read is answered %v, want %v", res.Code, want)
		}
		if want != wire.OK {
			continue
		}
		n := m.model.hw
		if m.model.set["coordinator-read"] == "local" {
			n = len(m.model.records)
		}
		if !m.model.read {
			n = 0 // it knows nothing yet
		}
		state := m.model.present(n, record.MirrorPartitionState, x)
		place := m.model.present(n, record.LastMirroredEpochs, x)
		has := place != record.MirrorState{}
		if res.State != state || res.HasPosition != has || res.Position != place {
			t.Fatalf("mirror %d reads %+v, %v %+v, want %+v, %v %+v", x, res.State, res.HasPosition, res.Position, state, has, place)
		}
	}
}

// TestCoordinatorAgainstPlainModel: entries, fencing, acknowledgement, load and reload, under drawn options.
func TestCoordinatorAgainstPlainModel(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) { r.Repeat(newCoordinatorMachine(t, r).actions()) })
}
