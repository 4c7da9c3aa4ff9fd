package replica_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// A parked fetch is tried again on append, a move of the high watermark, a change of the leader epoch, and a truncation
// of the leader's own log; otherwise it is answered when its time is up.
func TestParkedFetch(t *testing.T) {
	timer := node.Timer{Kind: replica.TimerParked, Partition: testPartition, Peer: b}
	for _, test := range []struct {
		name  string
		act   func(l *host)
		check func(t *testing.T, res *wire.FetchResponse)
	}{
		{"append", func(l *host) { l.produce(1, 1) },
			func(t *testing.T, res *wire.FetchResponse) { equal(t, "batches", len(res.Batches), 1) }},
		{"high watermark", func(l *host) { l.Lagging(c, &l.env); l.register(a, 2, a, b) },
			func(t *testing.T, res *wire.FetchResponse) { equal(t, "high watermark", res.HighWatermark, 10) }},
		{"epoch change", func(l *host) { l.register(a, 3, a, b, c) },
			func(t *testing.T, res *wire.FetchResponse) { equal(t, "code", res.Code, wire.FencedLeaderEpoch) }},
		{"lost leadership", func(l *host) { l.register(c, 3, a, b, c) },
			func(t *testing.T, res *wire.FetchResponse) { equal(t, "code", res.Code, wire.NotLeaderOrFollower) }},
		{"own truncation", func(l *host) { l.TruncateOwn(7, event.AlignedToLME, &l.env) },
			func(t *testing.T, res *wire.FetchResponse) {
				equal(t, "answer", [3]int64{int64(id.Bit(res.Diverging)), int64(res.DivergingEpoch), res.DivergingOffset},
					[3]int64{1, 1, 7})
			}},
		{"time-out", func(l *host) { l.ParkedTimedOut(b, &l.env) },
			func(t *testing.T, res *wire.FetchResponse) {
				equal(t, "code and batches", [2]int{int(res.Code), len(res.Batches)}, [2]int{0, 0})
			}},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newHost(t, a, spec{}).hold(t, "0-9@1").commit(5)
			l.register(a, 2, a, b, c)
			equal(t, "first answer tells the high watermark", l.fetch(b, 10, 1).HighWatermark, 5)
			failIf(t, l.fetch(b, 10, 1) != nil, "the fetch is not parked")
			equal(t, "time-out", l.timers[timer], l.settings.FetchMaxWait)
			other := l.next
			test.act(l)
			res := l.response()
			if res == nil {
				t.Fatal("the fetch is still parked")
			}
			test.check(t, res)
			equal(t, "answer to", res.Correlation, other)
			l.ParkedTimedOut(b, &l.env)
			failIf(t, l.response() != nil, "it is answered once")
			_, armed := l.timers[timer]
			equal(t, "time-out still armed", armed, false)
		})
	}
}

// Consumers wait for the high watermark, and are told the aborted history by the last stable offset.
func TestConsumerFetch(t *testing.T) {
	l := newHost(t, a, spec{}).hold(t, "0-4@1")
	open := record.NewData(5, 0, 0, []record.Record{{Value: 1}})
	open.Transactional = true
	l.Log.AppendAsIs(open.Sealed().At(5, 1), 1, event.FromLeader, &l.out)
	l.register(a, 1, a, b)
	l.commit(3)
	offsets := func(res *wire.FetchResponse) int { return len(res.Batches) }
	equal(t, "up to the high watermark", offsets(l.fetch(id.None, 0, -1)), 3)
	failIf(t, l.fetch(id.None, 3, 1) != nil, "beyond the high watermark a consumer waits")
	l.fetch(b, 5, 1, func(r *wire.FetchRequest) { r.MaxWait = 0 })
	l.settle()
	equal(t, "high watermark", l.Log.HighWatermark(), 5)
	l.fetch(b, 6, 1)
	committed := func(r *wire.FetchRequest) { r.ReadCommitted = true }
	equal(t, "read_committed", offsets(l.fetch(id.None, 0, -1, committed)), 5)
	equal(t, "read_uncommitted", offsets(l.fetch(id.None, 0, -1)), 6)
	equal(t, "beyond the log end", l.fetch(id.None, 7, -1).Code, wire.OffsetOutOfRange)
	l.Log.MoveStart(2, &l.out)
	equal(t, "below the log start", l.fetch(id.None, 1, 1).Code, wire.OffsetOutOfRange)
}

// A fetch that may not wait is answered at once; one answer holds at most so many batches.
func TestFetchBounds(t *testing.T) {
	l := newHost(t, a, spec{}).hold(t, "0-9@1")
	l.settings.FetchMaxBatches = 4
	l.register(a, 1, a, b)
	equal(t, "batches", len(l.fetch(b, 0, -1).Batches), 4)
	res := l.fetch(b, 10, 1, func(r *wire.FetchRequest) { r.MaxWait = 0 })
	failIf(t, res == nil, "a fetch that may not wait is answered")
	l.register(b, 2, a, b)
	equal(t, "code of a follower", l.fetch(c, 10, 1).Code, wire.NotLeaderOrFollower)
}

// A follower that has not heard that the topic was deleted and created again fetches for the old one. When it has heard, it counts its
// fetches anew, from below, and they are answered.
func TestFetchesOfAnEarlierTopicOfTheID(t *testing.T) {
	l := newHost(t, a, spec{}).hold(t, "0-5@4").commit(6)
	l.register(a, 7, a, b)
	l.next = 20
	earlier := l.fetch(b, 10, 4, func(r *wire.FetchRequest) { r.CreatedAt = 9 })
	equal(t, "code of a fetch for the earlier topic", earlier.Code, wire.UnknownTopicOrPartition)
	l.next = 0
	res := l.fetch(b, 0, -1)
	failIf(t, res == nil || len(res.Batches) == 0, "the first fetch for this topic is answered %+v", res)
}

// A follower's fetch that the network delivers late, or twice, is not taken for news of its log: it was at 10 with a log
// of which the leader had 6, was told so, and cut itself. Meanwhile the leader got 10 from the source.
func TestLateFetch(t *testing.T) {
	l := newHost(t, a, spec{desired: record.WantMirroring}).hold(t, "0-5@4").commit(6)
	l.register(a, 7, a, b)
	equal(t, "diverging", l.fetch(b, 10, 4).Diverging, true)
	late := l.next
	l.fetch(b, 6, 4)
	for _, x := range batches(t, "6-9@4") {
		l.AppendMirrored(x, &l.env)
	}
	l.response()
	failIf(t, l.fetch(b, 10, 4, func(r *wire.FetchRequest) { r.Correlation = late }) != nil, "a late fetch is answered")
	equal(t, "high watermark", l.Log.HighWatermark(), 6)
	l.next++
	l.fetch(b, 10, 4)
	equal(t, "high watermark after a fetch of now", l.Log.HighWatermark(), 10)
}

// A follower that restarts numbers its fetches above those of its former life, so that one of these cannot come behind.
func TestFetchOfAFormerLife(t *testing.T) {
	f := newHost(t, b, spec{}).hold(t, "0-9@1")
	f.register(a, 1, a, b)
	for range 5 {
		f.FetchAgain(&f.env)
	}
	before := f.request()
	f.restart()
	f.register(a, 1, a)
	after := f.request()
	failIf(t, after.Correlation <= before.Correlation, "correlation %d follows %d", after.Correlation, before.Correlation)
	f.Fetched(a, &wire.FetchResponse{Partition: testPartition, LeaderEpoch: 1, FetchOffset: 10,
		Correlation: before.Correlation,
		Batches:     batches(t, "10@1")}, &f.env)
	equal(t, "log", f.strip(), "0-9@1")
}

// The events of an answer say what it said.
func TestFetchAnsweredEvent(t *testing.T) {
	l := newHost(t, a, spec{}).hold(t, "0-9@1")
	l.register(a, 2, a, b)
	l.events = nil
	l.fetch(b, 12, 1)
	l.fetch(id.None, 0, -1, func(r *wire.FetchRequest) { r.Mirror = true; r.MaxWait = 0 })
	l.fetch(id.None, 0, 5)
	var got []event.Event
	for _, e := range l.events {
		if e.Kind == event.FetchAnswered {
			got = append(got, e)
		}
	}
	want := []event.Event{
		{Kind: event.FetchAnswered, Partition: testPartition, Peer: b, LeaderEpoch: 2, BatchEpoch: 1, Offset: 12,
			End: 10, Cause: 1, Sequence: 1},
		{Kind: event.FetchAnswered, Partition: testPartition, Peer: client, LeaderEpoch: 2, BatchEpoch: -1, Offset: 0,
			End: 10, From: uint8(event.MirrorFetcher)},
		{Kind: event.FetchAnswered, Partition: testPartition, Peer: client, LeaderEpoch: 2, BatchEpoch: 5, Offset: 0, End: 10,
			From: uint8(event.Consumer), To: uint8(wire.OffsetOutOfRange)},
	}
	equal(t, "events", got, want)
}

// A fetch below the log start is out of range, whether its epoch diverges or not: there is nothing that could be compared.
func TestFetchBelowLogStart(t *testing.T) {
	l := newHost(t, a, spec{}).hold(t, "0-9@1").commit(10)
	l.register(a, 4, a, b)
	l.commit(10)
	l.Log.MoveStart(6, &l.out)
	equal(t, "below", said(l.fetch(b, 5, 3)), wire.OffsetOutOfRange.String())
	equal(t, "at the start", said(l.fetch(b, 6, 3)), "diverging 10")
	equal(t, "above the end of its epoch", said(l.fetch(b, 12, 1)), "diverging 10")
}
