package plog_test

import (
	"fmt"
	"strings"
	"testing"

	"mirrorsim/model/assert"
	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/plog"
	"mirrorsim/model/record"
)

// scope is the one decision that the log consults: true is reset-scope=producers-and-transactions.
type scope bool

func (s scope) ResetClearsTransactions() bool { return bool(s) }

var testPartition = id.Partition{Topic: 7, Index: 1}

// fixture is a log on a disk of its own.
type fixture struct {
	*plog.Log
	disk  *disk.Disk
	rules plog.Rules
	out   *node.Effects
}

func newFixture(rules plog.Rules) *fixture {
	f := &fixture{disk: &disk.Disk{}, rules: rules, out: &node.Effects{}}
	f.disk.Create(testPartition)
	f.reopen()
	return f
}

func (f *fixture) files() *disk.Partition { return f.disk.Find(testPartition) }

// reopen is what a process crash and a restart do to the log.
func (f *fixture) reopen() {
	f.out.Reset()
	f.Log = plog.Open(f.files(), f.rules, f.out)
}

// losePower keeps that many batches and epoch entries, and restarts.
func (f *fixture) losePower(batches, epochs int64) {
	f.disk.PowerLoss(func(file disk.File, _, _ int64) int64 {
		if file == disk.LogFile {
			return batches
		}
		return epochs
	})
	f.reopen()
}

func (f *fixture) clone() *fixture {
	d := f.disk.Clone()
	return &fixture{Log: f.Log.Clone(d.Find(testPartition)), disk: d, rules: f.rules, out: &node.Effects{}}
}

// lead appends as the leader of epoch.
func (f *fixture) lead(epoch int32, batches ...*record.Batch) {
	for _, b := range batches {
		f.AppendLeader(b, epoch, event.FromClient, f.out)
	}
}

// follow appends n records at base in epoch as a follower does.
func (f *fixture) follow(base int64, epoch int32, n int) {
	f.AppendAsIs(plain(n).At(base, epoch), epoch, event.FromLeader, f.out)
}

func (f *fixture) truncate(offset int64) { f.TruncateTo(offset, 9, event.Diverged, f.out) }

func (f *fixture) commit(hw int64) { f.SetHighWatermark(hw, 9, f.out) }

// state is everything that the log and its files remember.
func (f *fixture) state() string { return string(f.AppendState(f.disk.AppendState(nil))) }

// events is the events since the last call, with the fields of plog's kinds, without batches and digests.
func (f *fixture) events() []string {
	var lines []string
	for _, e := range f.out.Events {
		lines = append(lines, fmt.Sprintf("%s L%d B%d %d..%d seq %d cause %d", e.Kind, e.LeaderEpoch, e.BatchEpoch,
			e.Offset, e.End, e.Sequence, e.Cause))
	}
	f.out.Reset()
	return lines
}

// strip shows a log as offset@epoch, control batches with their kind.
func (f *fixture) strip() string {
	var words []string
	for _, b := range f.Read(f.Start(), f.End(), 1<<20) {
		w := fmt.Sprintf("%d@%d", b.Base, b.LeaderEpoch)
		if b.Last > b.Base {
			w = fmt.Sprintf("%d-%d@%d", b.Base, b.Last, b.LeaderEpoch)
		}
		if !b.IsData() {
			w += ":" + b.Control.String()
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// epochs shows the leader-epoch cache as epoch→start.
func (f *fixture) epochs() string {
	var words []string
	for _, e := range f.files().Epochs {
		words = append(words, fmt.Sprintf("%d→%d", e.Epoch, e.Start))
	}
	return strings.Join(words, " ")
}

// offsets is log start, high watermark, last stable offset and log end.
func (f *fixture) offsets() [4]int64 {
	return [4]int64{f.Start(), f.HighWatermark(), f.LastStable(), f.End()}
}

var counter uint64

func records(n int) []record.Record {
	rs := make([]record.Record, n)
	for i := range rs {
		counter++
		rs[i] = record.Record{Key: 1, Value: counter}
	}
	return rs
}

// plain is a batch of n records without a producer.
func plain(n int) *record.Batch {
	return record.NewData(record.NoProducer, -1, record.NoSequence, records(n))
}

// idempotent is a batch of n records of a producer.
func idempotent(producer int64, epoch int16, sequence int32, n int) *record.Batch {
	return record.NewData(producer, epoch, sequence, records(n))
}

// transactional is a batch of n records of an open transaction.
func transactional(producer int64, epoch int16, sequence int32, n int) *record.Batch {
	b := record.NewData(producer, epoch, sequence, records(n))
	b.Transactional = true
	return b.Sealed()
}

func mustFail(t *testing.T, what string, act func()) {
	t.Helper()
	defer func() {
		if _, ok := recover().(assert.Failure); !ok {
			t.Errorf("%s: no assertion failed", what)
		}
	}()
	act()
}
