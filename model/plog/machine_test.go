package plog_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mirrorsim/model/event"
	"mirrorsim/model/plog"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// machine runs random acts on a log and on the plain model of it. Half of the time it goes on with a clone and keeps
// the original, which must stay as it was.
type machine struct {
	log    *fixture
	model  plainLog
	past   *fixture // the side of the last clone that stands still
	before string   // its state then
}

func newMachine(rules scope) *machine {
	return &machine{log: newFixture(rules), model: plainLog{clears: bool(rules)}}
}

func (m *machine) batch(t *rapid.T) *record.Batch {
	producer := rapid.Int64Range(1, 3).Draw(t, "producer")
	epoch := int16(rapid.IntRange(0, 2).Draw(t, "producer epoch"))
	n := rapid.IntRange(1, 3).Draw(t, "records")
	sequence := int32(rapid.IntRange(0, 4).Draw(t, "sequence"))
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0, 1:
		return plain(n)
	case 2, 3, 4:
		return idempotent(producer, epoch, sequence, n)
	case 5, 6:
		return transactional(producer, epoch, sequence, n)
	case 7:
		return commit(producer, epoch)
	case 8:
		return abort(producer, epoch)
	}
	return record.NewReset()
}

// epochOf is an epoch that does not fall below the newest batch's.
func (m *machine) epochOf(t *rapid.T) int32 {
	return max(m.log.LastBatchEpoch(), 0) + int32(rapid.IntRange(0, 3).Draw(t, "epoch step")/2)
}

func (m *machine) offset(t *rapid.T, name string) int64 {
	return rapid.Int64Range(max(0, m.model.start-2), m.model.end+2).Draw(t, name)
}

func (m *machine) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"lead": func(t *rapid.T) {
			m.model.add(m.log.AppendLeader(m.batch(t), m.epochOf(t), event.FromClient, m.log.out))
		},
		"follow": func(t *rapid.T) {
			gap := rapid.Int64Range(0, 2).Draw(t, "gap")
			b := m.batch(t).At(m.model.end+gap, m.epochOf(t))
			m.log.AppendAsIs(b, 9, event.FromLeader, m.log.out)
			m.model.add(b)
		},
		"assign": func(t *rapid.T) {
			epoch := m.log.LatestEpoch() + int32(rapid.IntRange(0, 2).Draw(t, "above"))
			m.log.AssignEpoch(epoch, m.model.end, m.log.out)
			if epoch >= 0 {
				m.model.addEpoch(epoch, m.model.end)
			}
		},
		"commit": func(t *rapid.T) {
			hw := m.offset(t, "high watermark")
			m.log.commit(hw)
			m.model.hw = min(max(hw, m.model.start), m.model.end)
		},
		"truncate": func(t *rapid.T) {
			to := m.offset(t, "to")
			m.log.truncate(to)
			m.model.truncate(to)
		},
		"restart at": func(t *rapid.T) {
			to := m.offset(t, "to")
			m.log.RestartAt(to, 9, m.log.out)
			m.model.restart(to)
		},
		"move start": func(t *rapid.T) {
			to := m.offset(t, "to")
			m.log.MoveStart(to, m.log.out)
			m.model.moveStart(to)
		},
		"checkpoint": func(*rapid.T) { m.log.Checkpoint() },
		"sync":       func(*rapid.T) { m.log.files().Sync() },
		"crash":      func(*rapid.T) { m.crash(len(m.log.files().Batches), len(m.log.files().Epochs)) },
		"lose power": func(t *rapid.T) {
			f := m.log.files()
			m.crash(rapid.IntRange(f.BatchesSynced, len(f.Batches)).Draw(t, "batches kept"),
				rapid.IntRange(f.EpochsSynced, len(f.Epochs)).Draw(t, "entries kept"))
		},
		"clone": func(t *rapid.T) {
			m.past = m.log.clone()
			if rapid.Bool().Draw(t, "go on with the clone") {
				m.log, m.past = m.past, m.log
			}
			m.before = m.past.state()
		},
		"": m.check,
	}
}

func (m *machine) crash(batches, entries int) {
	f := m.log.files()
	m.model.recover(batches, entries, f.HighWatermark, f.StartCheckpoint)
	m.log.losePower(int64(batches), int64(entries))
}

func (m *machine) check(t *rapid.T) {
	if m.past != nil && m.past.state() != m.before {
		t.Fatal("what happened after a clone shows on the other side")
	}
	l, s := m.log, &m.model
	if got, want := l.offsets(), [4]int64{s.start, s.hw, s.lastStable(), s.end}; got != want {
		t.Fatalf("start, high watermark, last stable offset and end are %v, want %v", got, want)
	}
	m.checkCache(t)
	m.checkTransactions(t)
	m.checkProducers(t)
	for from := s.start; from <= s.end; from++ {
		for _, bound := range []int64{s.hw, s.end} {
			if diff := cmp.Diff(s.read(from, bound), l.Read(from, bound, 1<<20)); diff != "" {
				t.Fatalf("Read(%d, %d): %s", from, bound, diff)
			}
		}
	}
}

func (m *machine) checkCache(t *rapid.T) {
	entries := m.log.files().Epochs
	if got, want := fmt.Sprint(entries), fmt.Sprint(m.model.epochs); got != want {
		t.Fatalf("cache %s, want %s", got, want)
	}
	for i := 1; i < len(entries); i++ {
		if entries[i].Epoch <= entries[i-1].Epoch || entries[i].Start <= entries[i-1].Start {
			t.Fatalf("cache %v does not increase strictly", entries)
		}
	}
	for _, b := range m.model.batches {
		if at := max(b.Base, m.model.start); m.log.EpochAt(at) != b.LeaderEpoch {
			t.Fatalf("EpochAt(%d) = %d, the batch there has %d; cache %v", at, m.log.EpochAt(at), b.LeaderEpoch, entries)
		}
	}
	for epoch := int32(-1); epoch <= m.log.LatestEpoch()+1; epoch++ {
		if got, want := endOffsetFor(m.log, epoch), m.model.endOffsetFor(epoch); got != want {
			t.Fatalf("endOffsetFor(%d) = %v, want %v; cache %v", epoch, got, want, entries)
		}
	}
}

func (m *machine) checkTransactions(t *rapid.T) {
	var open [][2]int64
	for _, o := range m.log.OpenTransactions() {
		open = append(open, [2]int64{o.ProducerID, o.Start})
	}
	if diff := cmp.Diff(m.model.openStarts(), open); diff != "" {
		t.Fatalf("open transactions: %s", diff)
	}
	if diff := cmp.Diff(m.model.aborted(), m.log.Aborted(m.model.start, m.model.end)); diff != "" {
		t.Fatalf("aborted transactions: %s", diff)
	}
}

// checkProducers asks for every next and every remembered batch of each producer.
func (m *machine) checkProducers(t *rapid.T) {
	ids := m.model.producers()
	if m.log.Producers() != len(ids) {
		t.Fatalf("%d producer entries, want those of %v", m.log.Producers(), ids)
	}
	for _, id := range ids {
		epoch, batches := m.model.newest(id)
		next := int32(0)
		asked := make(map[[2]int32]bool)
		for _, b := range batches {
			next = record.AddSequence(b.LastSequence(), 1)
			again := [2]int32{b.BaseSequence, b.LastSequence()}
			if got := check(m.log, b, plog.Reject); !asked[again] && got != (verdict{b.Base, true, wire.OK}) {
				t.Fatalf("producer %d, sequences %v again: %v, want a duplicate at %d", id, again, got, b.Base)
			}
			asked[again] = true
		}
		after := idempotent(id, epoch, next, 1000)
		if got := check(m.log, after, plog.Reject); got != (verdict{-1, false, wire.OK}) {
			t.Fatalf("producer %d, sequence %d in epoch %d: %v", id, next, epoch, got)
		}
		if got := check(m.log, idempotent(id, epoch, next+1, 1000), plog.Accept); got.code == wire.OK {
			t.Fatalf("producer %d, sequence %d in epoch %d after a hole: %v", id, next+1, epoch, got)
		}
	}
}

func TestLogAgainstPlainModel(t *testing.T) {
	for _, rules := range []scope{false, true} {
		t.Run(fmt.Sprintf("reset clears transactions %v", rules), rapid.MakeCheck(func(t *rapid.T) {
			t.Repeat(newMachine(rules).actions())
		}))
	}
}
