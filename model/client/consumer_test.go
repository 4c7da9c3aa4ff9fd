package client

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// batch is a data batch of n records at base in leader epoch epoch.
func batch(base int64, n int, epoch int32) *record.Batch {
	return record.NewData(record.NoProducer, -1, record.NoSequence, make([]record.Record, n)).At(base, epoch)
}

// reading is a consumer that has located the log start 0 at leader 0, which leads in epoch 3, and sent its first fetch.
func reading(t testing.TB, reset wire.Reset) *driver {
	t.Helper()
	d := drive(t, NewConsumer(ConsumerSpec{Clusters: clusters, Settings: &settings}))
	d.command(&wire.ConsumeCommand{Partition: tp, Reset: reset})
	d.leader(0, 0, 3)
	l := request[*wire.ListOffsetsRequest](d, 0)
	if !l.Earliest {
		t.Fatal("reading does not start at the log start")
	}
	d.answer(0, &wire.ListOffsetsResponse{Partition: tp, LeaderEpoch: -1, Correlation: l.Correlation})
	d.history("moved 0/0 NONE to 0@-1")
	return d
}

// at12 has read 12 records, the last of epoch 3, and sent the next fetch.
func at12(t testing.TB, reset wire.Reset) *driver {
	t.Helper()
	d := reading(t, reset)
	f := request[*wire.FetchRequest](d, 0)
	d.answer(0, &wire.FetchResponse{Partition: tp, LeaderEpoch: 3, Batches: []*record.Batch{batch(0, 12, 3)},
		Correlation: f.Correlation})
	d.lines = nil
	return d
}

func wantFetch(t testing.TB, f *wire.FetchRequest, current, last int32, offset int64) {
	t.Helper()
	want := &wire.FetchRequest{Partition: tp, Replica: id.None, CurrentLeaderEpoch: current, LastFetchedEpoch: last,
		FetchOffset: offset, MaxWait: settings.FetchMaxWait, Correlation: f.Correlation}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Fatalf("fetch (-want +got):\n%s", diff)
	}
}

func TestConsumerReads(t *testing.T) {
	d := reading(t, wire.NoReset)
	f := request[*wire.FetchRequest](d, 0)
	wantFetch(t, f, 3, -1, 0)
	got := []*record.Batch{batch(0, 2, 1), record.NewReset().At(2, 2)}
	d.answer(0, &wire.FetchResponse{Partition: tp, LeaderEpoch: 3, Batches: got, Correlation: f.Correlation})
	digest := event.MixBatch(event.MixBatch(0, got[0]), got[1])
	d.history(fmt.Sprintf("read 0/0 from 0 [0,3) @2 committed 0 digest %x", digest))
	d.answer(0, &wire.FetchResponse{Partition: tp, LeaderEpoch: 3, Batches: got, Correlation: f.Correlation})
	d.history() // a duplicate
	f = request[*wire.FetchRequest](d, 0)
	wantFetch(t, f, 3, 2, 3)
	d.answer(0, &wire.FetchResponse{Partition: tp, LeaderEpoch: 3, FetchOffset: 3, Correlation: f.Correlation})
	d.history() // nothing to read
	f = request[*wire.FetchRequest](d, 0)
	wantFetch(t, f, 3, 2, 3)
	if w := waits(d.node); w != nil {
		t.Errorf("a consumer at the end waits for %v", w)
	}
}

// A batch that does not have its CRC is not given to the application: what stands before it is, and it is asked for again.
func TestConsumerChecksTheCRC(t *testing.T) {
	d := reading(t, wire.NoReset)
	f := request[*wire.FetchRequest](d, 0)
	good, bad := batch(0, 2, 1), batch(2, 1, 1)
	d.answer(0, &wire.FetchResponse{Partition: tp, LeaderEpoch: 3, Batches: []*record.Batch{good, bad.Flipped()}, Correlation: f.Correlation})
	d.history(fmt.Sprintf("read 0/0 from 0 [0,2) @1 committed 0 digest %x", event.MixBatch(0, good)))
	if d.fire(retryTimer); len(d.lines) != 0 {
		t.Errorf("history %v", d.lines)
	}
	d.leader(1, 0, 3)
	f = request[*wire.FetchRequest](d, 0)
	wantFetch(t, f, 3, 1, 2)
	d.answer(0, &wire.FetchResponse{Partition: tp, LeaderEpoch: 3, Batches: []*record.Batch{bad.Flipped()}, Correlation: f.Correlation})
	d.history()
}

func TestConsumerReadsCommitted(t *testing.T) {
	d := drive(t, NewConsumer(ConsumerSpec{Clusters: clusters, Settings: &settings}))
	d.command(&wire.ConsumeCommand{Cluster: 1, Partition: tp, ReadCommitted: true})
	d.leader(2, 3, 1)
	l := request[*wire.ListOffsetsRequest](d, 3)
	d.answer(3, &wire.ListOffsetsResponse{Partition: tp, Offset: 5, LeaderEpoch: 0, Correlation: l.Correlation})
	f := request[*wire.FetchRequest](d, 3)
	if !f.ReadCommitted || f.FetchOffset != 5 || f.LastFetchedEpoch != 0 {
		t.Errorf("fetch %+v", *f)
	}
	b := batch(4, 3, 1) // the log start is inside of it
	d.answer(3, &wire.FetchResponse{Partition: tp, Batches: []*record.Batch{batch(2, 2, 0), b}, Correlation: f.Correlation})
	d.history("moved 1/0 NONE to 5@0", fmt.Sprintf("read 1/0 from 3 [5,7) @1 committed 1 digest %x", event.MixBatch(0, b)))
}

// KIP-320: at 12@3, epoch 3 now ends at 10.
func TestConsumerFindsItsHistoryTruncated(t *testing.T) {
	for _, c := range []struct {
		name   string
		reset  wire.Reset
		offset int64
		epoch  int32
		want   string
		stops  bool
		next   int64
	}{
		{"no policy", wire.NoReset, 10, 3, "moved 0/0 LOG_TRUNCATION to 10@3", true, 0},
		{"earliest", wire.ResetEarliest, 10, 3, "moved 0/0 NONE to 10@3", false, 10},
		{"latest", wire.ResetLatest, 10, 3, "moved 0/0 NONE to 10@3", false, 10},
		{"never above the position", wire.ResetLatest, 15, 2, "moved 0/0 NONE to 12@2", false, 12},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := at12(t, c.reset)
			f := request[*wire.FetchRequest](d, 0)
			wantFetch(t, f, 3, 3, 12)
			d.answer(0, &wire.FetchResponse{Partition: tp, LeaderEpoch: 3, Diverging: true, DivergingEpoch: c.epoch,
				DivergingOffset: c.offset, Correlation: f.Correlation})
			d.history(c.want)
			if !c.stops {
				wantFetch(t, request[*wire.FetchRequest](d, 0), 3, c.epoch, c.next)
			}
			d.quiet()
		})
	}
}

// KAFKA-9840 and KAFKA-9338: an error about epochs or leadership is no reason to seek. Every fetch carries the leader
// epoch, and an answer of older metadata is not believed.
func TestConsumerAsksAgain(t *testing.T) {
	for _, code := range []wire.Code{wire.UnknownLeaderEpoch, wire.FencedLeaderEpoch, wire.NotLeaderOrFollower,
		wire.UnknownTopicOrPartition, wire.CorruptMessage} {
		t.Run(code.String(), func(t *testing.T) {
			d := at12(t, wire.ResetLatest)
			for range 3 {
				f := request[*wire.FetchRequest](d, 0)
				wantFetch(t, f, 3, 3, 12)
				d.answer(0, &wire.FetchResponse{Partition: tp, Code: code, LeaderEpoch: 2, Correlation: f.Correlation})
				if d.sent[0].To == 1 { // metadata of the zombie's time
					d.leader(1, 1, 2)
				} else {
					d.leader(0, 0, 3)
				}
				d.quiet()
				for d.armed(metadataRetryTimer) > 0 {
					d.fire(metadataRetryTimer)
					d.leader(0, 0, 3)
				}
				d.fire(retryTimer)
			}
			d.history()
		})
	}
}

func TestConsumerFollowsTheLeader(t *testing.T) {
	d := at12(t, wire.NoReset)
	late := request[*wire.FetchRequest](d, 0)
	d.fire(requestTimer)
	r := request[*wire.MetadataRequest](d, 1)
	d.answer(1, &wire.MetadataResponse{Partition: tp, Code: wire.LeaderNotAvailable, Leader: id.None, LeaderEpoch: 4,
		Correlation: r.Correlation})
	if diff := cmp.Diff([]string{"reading cluster0/topic1-0 waits for a leader to be known"}, waits(d.node)); diff != "" {
		t.Error(diff)
	}
	d.fire(retryTimer)
	d.quiet()
	d.fire(metadataRetryTimer)
	d.leader(0, 1, 5)
	d.answer(0, &wire.FetchResponse{Partition: tp, Batches: []*record.Batch{batch(12, 1, 3)}, Correlation: late.Correlation})
	wantFetch(t, request[*wire.FetchRequest](d, 1), 5, 3, 12)
	d.history()
}

func TestConsumerOutOfRange(t *testing.T) {
	for _, c := range []struct {
		name     string
		reset    wire.Reset
		earliest bool
	}{{"earliest", wire.ResetEarliest, true}, {"latest", wire.ResetLatest, false}} {
		t.Run(c.name, func(t *testing.T) {
			d := at12(t, c.reset)
			f := request[*wire.FetchRequest](d, 0)
			d.answer(0, &wire.FetchResponse{Partition: tp, Code: wire.OffsetOutOfRange, Correlation: f.Correlation})
			l := request[*wire.ListOffsetsRequest](d, 0)
			if l.Earliest != c.earliest {
				t.Errorf("asks for earliest = %v", l.Earliest)
			}
			d.answer(0, &wire.ListOffsetsResponse{Partition: tp, Code: wire.NotLeaderOrFollower, Correlation: l.Correlation})
			d.leader(1, 1, 4)
			d.fire(retryTimer)
			l = request[*wire.ListOffsetsRequest](d, 1)
			d.answer(1, &wire.ListOffsetsResponse{Partition: tp, Offset: 20, LeaderEpoch: 4, Correlation: l.Correlation})
			wantFetch(t, request[*wire.FetchRequest](d, 1), 4, 4, 20)
			d.history("moved 0/0 NONE to 20@4")
		})
	}
	t.Run("no policy", func(t *testing.T) {
		d := at12(t, wire.NoReset)
		f := request[*wire.FetchRequest](d, 0)
		d.answer(0, &wire.FetchResponse{Partition: tp, Code: wire.OffsetOutOfRange, Correlation: f.Correlation})
		d.history("moved 0/0 OFFSET_OUT_OF_RANGE to 12@3")
		d.quiet()
	})
}

func TestMetadataAges(t *testing.T) {
	d := at12(t, wire.NoReset)
	f := request[*wire.FetchRequest](d, 0)
	if op := d.fire(metadataAgeTimer); op.After != settings.MetadataMaxAge {
		t.Errorf("metadata ages after %v", op.After)
	}
	d.leader(1, 1, 4) // the fetch under way goes on
	d.quiet()
	d.answer(0, &wire.FetchResponse{Partition: tp, Correlation: f.Correlation})
	wantFetch(t, request[*wire.FetchRequest](d, 1), 4, 3, 12)
}

func TestConsumerReportAndRestart(t *testing.T) {
	d := at12(t, wire.NoReset)
	f := request[*wire.FetchRequest](d, 0)
	d.command(&wire.ReportCommand{})
	d.answer(0, &wire.FetchResponse{Partition: tp, Batches: []*record.Batch{batch(12, 1, 3)}, Correlation: f.Correlation})
	d.history()
	d.quiet()
	if d.armed(requestTimer) != 0 {
		t.Error("a request timer is still armed")
	}
	d.command(&wire.ConsumeCommand{Partition: tp})
	l := request[*wire.ListOffsetsRequest](d, 0)
	d.answer(0, &wire.ListOffsetsResponse{Partition: tp, Code: wire.LeaderNotAvailable, Correlation: l.Correlation})
	request[*wire.MetadataRequest](d, 1)
	d.command(&wire.ConsumeCommand{Partition: tp}) // during the back-off
	request[*wire.ListOffsetsRequest](d, 0)
	if d.armed(retryTimer) != 0 {
		t.Error("the back-off of the reading before is still under way")
	}
}

func TestConsumerClone(t *testing.T) {
	d := at12(t, wire.ResetEarliest)
	before := d.state()
	e := &driver{t: t, node: d.node.Clone(nil)}
	f := request[*wire.FetchRequest](d, 0)
	answer := &wire.FetchResponse{Partition: tp, Batches: []*record.Batch{batch(12, 1, 3)}, Correlation: f.Correlation}
	e.answer(0, answer)
	if !bytes.Equal(before, d.state()) || bytes.Equal(before, e.state()) {
		t.Fatal("a step of the clone must show in it and not in the original")
	}
	d.answer(0, answer)
	if !bytes.Equal(d.state(), e.state()) {
		t.Fatal("equal steps lead to other states")
	}
}
