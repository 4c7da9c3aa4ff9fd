package client

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// idempotent is a producer with producer id 7 that leads nothing yet; its partition's leader is broker 0 in epoch 3.
func idempotent(t testing.TB) *driver {
	return drive(t, NewProducer(ProducerSpec{Clusters: clusters, Idempotent: true, Settings: &settings}))
}

// pinned asks for count records in batches of one, under producer id 7.
func pinned(d *driver, count int32) []*wire.ProduceRequest {
	d.t.Helper()
	d.command(&wire.ProduceCommand{Partition: tp, Count: count, Batch: 1, Acks: wire.AcksAll, ProducerID: 7})
	d.leader(0, 0, 3)
	var all []*wire.ProduceRequest
	for len(d.sent) > 0 {
		all = append(all, request[*wire.ProduceRequest](d, 0))
	}
	d.lines = nil
	return all
}

func (d *driver) produced(r *wire.ProduceRequest, code wire.Code, offset int64) {
	d.answer(0, &wire.ProduceResponse{Partition: r.Partition, Code: code, Base: offset, Correlation: r.Correlation})
}

func batchOf(r *wire.ProduceRequest) [3]int64 {
	return [3]int64{int64(r.Batch.ProducerEpoch), int64(r.Batch.BaseSequence), int64(r.Batch.Records[0].Value)}
}

func wantBatch(t testing.TB, r *wire.ProduceRequest, epoch, sequence, value int64) {
	t.Helper()
	if diff := cmp.Diff([3]int64{epoch, sequence, value}, batchOf(r)); diff != "" {
		t.Fatalf("producer epoch, base sequence, first value (-want +got):\n%s", diff)
	}
}

func TestProduceNormally(t *testing.T) {
	d := idempotent(t)
	d.command(&wire.ProduceCommand{Partition: tp, Count: 5, Batch: 2, Acks: wire.AcksAll, ProducerID: -1})
	d.leader(0, 1, 3)
	i := request[*wire.InitProducerIdRequest](d, 0)
	d.quiet()
	d.answer(0, &wire.InitProducerIdResponse{ProducerID: 1000, Correlation: i.Correlation})
	var got []*wire.ProduceRequest
	for range 3 {
		got = append(got, request[*wire.ProduceRequest](d, 1))
	}
	want := record.NewData(1000, 0, 4, []record.Record{{Key: uint64(self) + 1, Value: 5}})
	if diff := cmp.Diff(want, got[2].Batch); diff != "" || got[2].Acks != wire.AcksAll {
		t.Fatalf("third batch (-want +got):\n%s", diff)
	}
	for n, r := range got {
		d.produced(r, wire.OK, int64(10+2*n))
		d.produced(r, wire.OK, 99) // a duplicate
	}
	d.history("id 1000/0",
		"called op1 on 0/0 2 records as 1000/0@0 acks -1", "sent op1 to 1 #0",
		"called op2 on 0/0 2 records as 1000/0@2 acks -1", "sent op2 to 1 #0",
		"called op3 on 0/0 1 records as 1000/0@4 acks -1", "sent op3 to 1 #0",
		"returned op1 by 1 NONE 10", "returned op2 by 1 NONE 12", "returned op3 by 1 NONE 14")
	d.quiet()
	if len(waits(d.node)) > 0 || d.armed(requestTimer)+d.armed(deliveryTimer) > 0 {
		t.Errorf("an idle producer waits for %v, with timers %v", waits(d.node), d.timers)
	}
}

func TestPlainProducer(t *testing.T) {
	for _, c := range []struct {
		name       string
		idempotent bool
		acks       int8
		want       []string
	}{
		{"acks 0 is returned at once", true, 0, []string{"called op1 on 0/0 1 records as -1/-1@-1 acks 0", "sent op1 to 0 #0",
			"returned op1 by 0 NONE -1"}},
		{"acks 1 rules idempotence out", true, 1, []string{
			"called op1 on 0/0 1 records as -1/-1@-1 acks 1", "sent op1 to 0 #0"}},
		{"acks all without idempotence", false, -1, []string{
			"called op1 on 0/0 1 records as -1/-1@-1 acks -1", "sent op1 to 0 #0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := drive(t, NewProducer(ProducerSpec{Clusters: clusters, Idempotent: c.idempotent, Settings: &settings}))
			d.command(&wire.ProduceCommand{Partition: tp, Count: 1, Batch: 1, Acks: c.acks, ProducerID: -1})
			d.leader(0, 0, 3)
			if r := request[*wire.ProduceRequest](d, 0); r.Batch.HasProducer() {
				t.Error("the batch has a producer id")
			}
			d.history(c.want...)
		})
	}
}

// At most five batches are under way from the oldest unanswered one on: the broker would not know a sixth one back again.
func TestInFlightWindow(t *testing.T) {
	d := idempotent(t)
	r := pinned(d, 7)
	if len(r) != 5 {
		t.Fatalf("%d batches in flight, want 5", len(r))
	}
	d.produced(r[1], wire.OK, 1)
	d.quiet()
	d.produced(r[0], wire.OK, 0)
	wantBatch(t, request[*wire.ProduceRequest](d, 0), 0, 5, 6)
	wantBatch(t, request[*wire.ProduceRequest](d, 0), 0, 6, 7)
	d.quiet()
}

// A failed first of five: it goes again alone, then the others one by one in order, then the window opens again.
func TestOrderIsKeptAtRetries(t *testing.T) {
	d := idempotent(t)
	r := pinned(d, 6)
	before := d.node.AppendState(nil)
	d.produced(r[0], wire.NotLeaderOrFollower, 0)
	d.leader(1, 0, 4)
	for _, x := range r[1:] {
		d.produced(x, wire.OutOfOrderSequenceNumber, 0)
	}
	d.quiet()
	if bytes.Equal(before, d.state()) {
		t.Error("five failed batches do not show in the state")
	}
	d.fire(retryTimer)
	for n := range r {
		again := request[*wire.ProduceRequest](d, 0)
		wantBatch(t, again, 0, int64(n), int64(n+1))
		if again.Batch != r[n].Batch || again.Correlation == r[n].Correlation {
			t.Fatal("a retry sends the same batch under another correlation")
		}
		if n < len(r)-1 {
			d.quiet()
			d.lines = nil
		}
		d.produced(again, wire.OK, int64(20+n))
	}
	wantBatch(t, request[*wire.ProduceRequest](d, 0), 0, 5, 6) // behind the last one that was sent again
	d.history("returned op4 by 0 NONE 23", "sent op5 to 0 #1", "called op6 on 0/0 1 records as 7/0@5 acks -1",
		"sent op6 to 0 #0", "returned op5 by 0 NONE 24")
}

func TestRequestTimeOut(t *testing.T) {
	d := idempotent(t)
	r := pinned(d, 2)
	d.fire(requestTimer) // the connection is dropped, with both requests
	if n := d.armed(requestTimer); n != 0 {
		t.Fatalf("%d requests are still in flight on a dropped connection", n)
	}
	d.leader(1, 0, 3)
	d.produced(r[0], wire.OK, 5)
	d.history() // the answer is late
	d.fire(retryTimer)
	again := request[*wire.ProduceRequest](d, 0)
	d.produced(again, wire.OK, 5)
	d.history("sent op1 to 0 #1", "returned op1 by 0 NONE 5", "sent op2 to 0 #1")
}

func TestBackOffDoubles(t *testing.T) {
	d := idempotent(t)
	r := pinned(d, 1)[0]
	for _, want := range []id.Duration{100, 200, 400, 800, 1000, 1000} {
		d.produced(r, wire.NotEnoughReplicas, 0)
		op := d.fire(retryTimer)
		if op.After != want*id.Millisecond || op.Jitter != op.After/5 {
			t.Fatalf("back-off of %v and up to %v more, want %dms and 20 %%", op.After, op.Jitter, want)
		}
		r = request[*wire.ProduceRequest](d, 0)
	}
}

// A batch that was given up may stand in the log. No new one is sent before the others are answered; then the producer
// epoch is bumped, unless a later batch was acknowledged.
func TestDeliveryTimeOut(t *testing.T) {
	for _, c := range []struct {
		name string
		code wire.Code
		want []string
	}{
		{"gap", wire.OutOfOrderSequenceNumber, []string{"returned op2 by 0 OUT_OF_ORDER_SEQUENCE_NUMBER -1",
			"called op3 on 0/0 1 records as 7/1@0 acks -1", "sent op3 to 0 #0",
			"called op4 on 0/0 1 records as 7/1@1 acks -1", "sent op4 to 0 #0"}},
		{"it stands", wire.OK, []string{"returned op2 by 0 NONE 6", "called op3 on 0/0 1 records as 7/0@2 acks -1",
			"sent op3 to 0 #0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := idempotent(t)
			r := pinned(d, 1)
			d.command(&wire.ProduceCommand{Partition: tp, Count: 1, Batch: 1, Acks: wire.AcksAll, ProducerID: 7})
			r = append(r, request[*wire.ProduceRequest](d, 0))
			d.lines = nil
			d.fire(deliveryTimer)
			d.history("returned op1 by 0 REQUEST_TIMED_OUT -1")
			d.command(&wire.ProduceCommand{Partition: tp, Count: 1, Batch: 1, Acks: wire.AcksAll, ProducerID: -1})
			d.quiet()
			d.produced(r[1], c.code, 6)
			if c.code != wire.OK { // it may have overtaken the first one, so it is sent once more
				d.fire(retryTimer)
				d.history("sent op2 to 0 #1")
				d.produced(request[*wire.ProduceRequest](d, 0), c.code, 6)
				d.fire(retryTimer)
			}
			d.history(c.want...)
		})
	}
}

func TestDeliveryTimeOutOfUnsentBatches(t *testing.T) {
	d := idempotent(t)
	d.command(&wire.ProduceCommand{Partition: tp, Count: 2, Batch: 1, Acks: wire.AcksAll, ProducerID: -1})
	d.fire(deliveryTimer)
	d.history("called op1 on 0/0 1 records as -1/-1@-1 acks -1", "returned op1 by 255 REQUEST_TIMED_OUT -1",
		"called op2 on 0/0 1 records as -1/-1@-1 acks -1", "returned op2 by 255 REQUEST_TIMED_OUT -1")
}

func TestProducerReport(t *testing.T) {
	d := idempotent(t)
	r := pinned(d, 6)
	d.produced(r[0], wire.NotLeaderOrFollower, 0)
	d.sent = nil
	d.command(&wire.ReportCommand{})
	d.history("returned op1 by 0 REQUEST_TIMED_OUT -1", "returned op2 by 0 REQUEST_TIMED_OUT -1",
		"returned op3 by 0 REQUEST_TIMED_OUT -1", "returned op4 by 0 REQUEST_TIMED_OUT -1",
		"returned op5 by 0 REQUEST_TIMED_OUT -1",
		"called op6 on 0/0 1 records as -1/-1@-1 acks -1", "returned op6 by 255 REQUEST_TIMED_OUT -1")
	for _, x := range r {
		d.produced(x, wire.OK, 0)
	}
	d.history()
	for _, op := range d.timers {
		if k, _ := splitKind(op.Timer); k != metadataAgeTimer {
			t.Errorf("timer %d is still armed", k)
		}
	}
	d.command(&wire.ProduceCommand{Partition: tp, Count: 1, Batch: 1, Acks: wire.AcksAll, ProducerID: 7})
	wantBatch(t, request[*wire.ProduceRequest](d, 0), 1, 0, 7)
}

func TestProducerClone(t *testing.T) {
	d := idempotent(t)
	r := pinned(d, 3)
	before := d.state()
	e := &driver{t: t, node: d.node.Clone(nil), timers: append(d.timers[:0:0], d.timers...)}
	if !bytes.Equal(before, e.state()) {
		t.Fatal("a clone has another state")
	}
	e.produced(r[0], wire.OK, 0)
	e.fire(requestTimer)
	if !bytes.Equal(before, d.state()) {
		t.Fatal("a step of the clone shows in the original")
	}
	if bytes.Equal(before, e.state()) {
		t.Fatal("a step of the clone does not show in its state")
	}
	d.produced(r[0], wire.OK, 0)
	d.fire(requestTimer)
	if !bytes.Equal(d.state(), e.state()) {
		t.Fatal("equal steps lead to other states")
	}
}

// Two producers that got to the same place with different numbers of requests have the same state.
func TestStateLeavesCountersOut(t *testing.T) {
	a, b := idempotent(t), idempotent(t)
	ra := pinned(a, 1)[0]
	a.produced(ra, wire.OK, 0)
	b.command(&wire.ProduceCommand{Partition: tp, Count: 1, Batch: 1, Acks: wire.AcksAll, ProducerID: 7})
	for range 2 {
		b.fire(metadataTimer)
		b.fire(metadataRetryTimer)
	}
	b.sent = b.sent[2:]
	b.leader(0, 0, 3)
	b.produced(request[*wire.ProduceRequest](b, 0), wire.OK, 0)
	if !bytes.Equal(a.state(), b.state()) {
		t.Error("states differ")
	}
}

func TestIdleMetadataAges(t *testing.T) {
	d := idempotent(t)
	d.produced(pinned(d, 1)[0], wire.OK, 0)
	d.fire(metadataAgeTimer)
	d.quiet()
	one(d, 0, tp)
	d.leader(1, 0, 4)
	request[*wire.ProduceRequest](d, 0) // what is old is used meanwhile
	one(d, 0, tp)
	request[*wire.ProduceRequest](d, 0)
	d.quiet()
}

func TestRequestTimersAreReused(t *testing.T) {
	d := idempotent(t)
	r := pinned(d, 1)[0]
	for n := range 70 {
		d.produced(r, wire.OK, int64(n))
		one(d, 0, tp)
		r = request[*wire.ProduceRequest](d, 0)
		if op := d.timers[len(d.timers)-1]; op.Timer != timer(requestTimer, 0, tp, 0) || op.After != settings.RequestTimeout {
			t.Fatalf("attempt %d armed %+v", n, op)
		}
	}
}

// one asks for one more record of a partition, under the producer id that the producer has.
func one(d *driver, c id.Cluster, p id.Partition) {
	d.command(&wire.ProduceCommand{Cluster: c, Partition: p, Count: 1, Batch: 1, Acks: wire.AcksAll, ProducerID: 7})
}

func TestProducerWaits(t *testing.T) {
	d := idempotent(t)
	want := func(what string) {
		t.Helper()
		if diff := cmp.Diff([]string{"a batch for cluster0/topic1-0 waits for " + what}, waits(d.node)); diff != "" {
			t.Fatalf("waits (-want +got):\n%s", diff)
		}
	}
	d.command(&wire.ProduceCommand{Partition: tp, Count: 2, Batch: 1, Acks: wire.AcksAll, ProducerID: -1})
	want("a leader to be known")
	d.leader(0, 0, 0)
	want("a producer id")
	i := request[*wire.InitProducerIdRequest](d, 0)
	d.answer(0, &wire.InitProducerIdResponse{ProducerID: 4, Correlation: i.Correlation})
	want("the answer of node0")
	r := request[*wire.ProduceRequest](d, 0)
	d.produced(r, wire.NotEnoughReplicas, 0)
	want("its back-off after NOT_ENOUGH_REPLICAS")
	d.fire(retryTimer)
	r = request[*wire.ProduceRequest](d, 0)
	want("the answer of node0")
}

// BenchmarkProduce is a command, its request and its answer: three allocations, the records, the batch and the request.
func BenchmarkProduce(b *testing.B) {
	d := idempotent(b)
	d.produced(pinned(d, 1)[0], wire.OK, 0)
	c := &wire.ProduceCommand{Partition: tp, Count: 1, Batch: 1, Acks: wire.AcksAll, ProducerID: 7}
	answer := &wire.ProduceResponse{Partition: tp}
	b.ReportAllocs()
	for b.Loop() {
		d.node.Step(node.Input{Body: c}, &d.out)
		answer.Correlation = d.out.Sends[0].Body.(*wire.ProduceRequest).Correlation
		d.out.Reset()
		d.node.Step(node.Input{Body: answer}, &d.out)
		d.out.Reset()
	}
}
