package client

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// fakeLeader is a leader with Kafka's rules for idempotent batches, which refuses an unknown producer whose sequence is
// not 0 (unknown-producer=accept-unless-log-never-used in section 12 of the design).
type fakeLeader struct {
	records []uint64 // the values that stand in the log
	bases   map[uint64]int64
	epoch   int16
	last    int32
	recent  []*record.Batch
}

func (l *fakeLeader) append(b *record.Batch) (wire.Code, int64) {
	for _, r := range l.recent {
		if r.ProducerEpoch == b.ProducerEpoch && r.BaseSequence == b.BaseSequence && r.LastSequence() == b.LastSequence() {
			return wire.OK, r.Base
		}
	}
	switch {
	case b.ProducerEpoch < l.epoch:
		return wire.InvalidProducerEpoch, -1
	case b.ProducerEpoch > l.epoch && b.BaseSequence != 0, b.ProducerEpoch == l.epoch && b.BaseSequence != l.last+1:
		return wire.OutOfOrderSequenceNumber, -1
	}
	base := int64(len(l.records))
	for _, r := range b.Records {
		l.records = append(l.records, r.Value)
	}
	l.epoch, l.last = b.ProducerEpoch, b.LastSequence()
	l.recent = append(l.recent, b.At(base, 0))
	l.recent = l.recent[max(0, len(l.recent)-5):]
	l.bases[b.Records[0].Value] = base
	return wire.OK, base
}

// TestExactlyOnceInOrder: whatever is lost, delayed, doubled, reordered, refused or timed out for a while, an idempotent
// producer that gives up nothing has each record in the log once, in order, and learns the right offsets.
func TestExactlyOnceInOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := drive(t, NewProducer(ProducerSpec{Clusters: clusters, Idempotent: true, Settings: &settings}))
		l := &fakeLeader{bases: map[uint64]int64{}, last: -1}
		var wanted uint64
		var answers []*wire.ProduceResponse
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			switch rapid.IntRange(0, 6).Draw(rt, "act") {
			case 0:
				n := rapid.Int32Range(1, 12).Draw(rt, "records")
				wanted += uint64(n)
				d.command(&wire.ProduceCommand{Partition: tp, Count: n, Batch: 2, Acks: wire.AcksAll, ProducerID: 7})
			case 1, 2, 3:
				if len(d.sent) > 0 {
					i := rapid.IntRange(0, min(1, len(d.sent)-1)).Draw(rt, "which")
					how := rapid.SampledFrom([]string{"deliver", "deliver", "lose", "refuse", "double"}).Draw(rt, "how")
					answers = append(answers, l.handle(d, i, how)...)
				}
			case 4, 5:
				if len(answers) > 0 {
					i := rapid.IntRange(0, len(answers)-1).Draw(rt, "which")
					if rapid.IntRange(0, 3).Draw(rt, "arrives") > 0 {
						d.answer(0, answers[i])
					}
					answers = slices.Delete(answers, i, i+1)
				}
			case 6:
				d.fireAny(rapid.IntRange(0, 7).Draw(rt, "timer"))
			}
		}
		l.settle(d, answers)
		want := make([]uint64, wanted)
		for i := range want {
			want[i] = uint64(i) + 1
		}
		if diff := cmp.Diff(want, append([]uint64{}, l.records...)); diff != "" {
			rt.Fatalf("log (-want +got):\n%s\nhistory %q\nwaits %q", diff, d.lines, waits(d.node))
		}
		if w := waits(d.node); w != nil {
			rt.Fatalf("waits: %v\nhistory %q\ntimers %v", w, d.lines, d.timers)
		}
	})
}

// settle runs on without faults: everything arrives, then timers fire, until nothing is left to do.
func (l *fakeLeader) settle(d *driver, answers []*wire.ProduceResponse) {
	for range 1000 {
		switch {
		case len(answers) > 0:
			d.answer(0, answers[0])
			answers = answers[1:]
		case len(d.sent) > 0:
			answers = l.handle(d, 0, "deliver")
		case !d.fireAny(0):
			return
		}
	}
}

// handle takes the i-th message that was sent, and answers the answers that are now on their way.
func (l *fakeLeader) handle(d *driver, i int, how string) []*wire.ProduceResponse {
	body := d.sent[i].Body
	d.sent = slices.Delete(d.sent, i, i+1)
	if how == "lose" {
		return nil
	}
	r, ok := body.(*wire.ProduceRequest)
	if !ok {
		m := body.(*wire.MetadataRequest)
		d.answer(0, &wire.MetadataResponse{Partition: tp, Correlation: m.Correlation})
		return nil
	}
	answer := &wire.ProduceResponse{Partition: tp, Correlation: r.Correlation, Code: wire.NotLeaderOrFollower, Base: -1}
	if how != "refuse" {
		answer.Code, answer.Base = l.append(r.Batch)
	}
	if answer.Code == wire.OK && answer.Base != l.bases[r.Batch.Records[0].Value] {
		d.t.Errorf("the batch of value %d is acknowledged at %d", r.Batch.Records[0].Value, answer.Base)
	}
	if how == "double" {
		again := *answer
		again.Code, again.Base = l.append(r.Batch)
		return []*wire.ProduceResponse{answer, &again}
	}
	return []*wire.ProduceResponse{answer}
}

// fireAny fires the n-th armed timer other than those after which something is given up or grows old.
func (d *driver) fireAny(n int) bool {
	for _, op := range d.timers {
		k, _ := splitKind(op.Timer)
		if k == deliveryTimer || k == metadataAgeTimer {
			continue
		}
		if n--; n < 0 {
			d.timers = slices.DeleteFunc(d.timers, func(o node.TimerOp) bool { return o.Timer == op.Timer })
			d.step(node.Input{Timer: op.Timer})
			return true
		}
	}
	return false
}
