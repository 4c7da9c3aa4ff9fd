package replica_test

import (
	"strings"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

var fetchTimer = node.Timer{Kind: replica.TimerFetch, Partition: testPartition}

// epoch-floor, D15: what a destination follower in leader epoch 6 makes of mirrored batches of epoch 8. One that refuses
// them backs off, and does not ask at once, again and again.
func TestEpochFloor(t *testing.T) {
	for _, test := range []struct {
		token   string
		desired record.Desired
		want    string
	}{
		{"unconstrained", record.WantMirroring, "0@6 1-2@8"},
		{"unconstrained", record.WantStopped, "0@6 1-2@8"},
		{"unconstrained", record.WantNone, "0@6"},
		{"unconstrained-refusing", record.WantMirroring, "0@6"},
		{"fenced", record.WantMirroring, "0@6"},
	} {
		t.Run(test.token+" "+test.desired.String(), func(t *testing.T) {
			f := newHost(t, b, spec{desired: test.desired, set: []string{"epoch-floor=" + test.token}})
			f.register(a, 6, a, b)
			f.answer(f.request(), wire.FetchResponse{Batches: batches(t, "0@6 1-2@8"), LogEnd: 3, HighWatermark: 3})
			equal(t, "log", f.strip(), test.want)
			equal(t, "high watermark", f.Log.HighWatermark(), f.Log.End())
			req := f.request()
			f.answer(req, wire.FetchResponse{Batches: batches(t, "1@8"), LogEnd: 3})
			if test.want != "0@6" {
				return
			}
			failIf(t, f.request() != nil, "it asks at once")
			equal(t, "pause", f.timers[fetchTimer], f.settings.RetryBackoff)
			f.FetchAgain(&f.env)
			equal(t, "it asks then, at", f.request().FetchOffset, 1)
		})
	}
}

// A follower whose empty log starts at 5 is sent a batch of 0 to 9: it starts its log at 0 and appends it (Kafka's
// Partition.appendRecordsToFollowerOrFutureReplica). A batch wholly below its start it does not take.
func TestStartInsideBatch(t *testing.T) {
	for _, test := range []struct {
		last, start, end int64
	}{{9, 0, 10}, {5, 0, 6}, {4, 5, 5}} {
		f := newHost(t, b, spec{})
		f.register(a, 1, a, b)
		f.answer(f.request(), wire.FetchResponse{Code: wire.OffsetOutOfRange, LogStart: 5, LogEnd: test.last + 1})
		sent := record.NewData(record.NoProducer, -1, record.NoSequence, make([]record.Record, test.last+1)).At(0, 1)
		f.answer(f.request(), wire.FetchResponse{Batches: []*record.Batch{sent}, LogStart: 5, LogEnd: test.last + 1})
		equal(t, "log start", f.Log.Start(), test.start)
		equal(t, "log end", f.Log.End(), test.end)
	}
}

// A follower holds the begin of a transaction that its leader, which started its log anew at 5, knows nothing of. Cut to 5 it
// would have that open for ever; it starts its log there as well. Where the leader still has what is below the cut it is cut, and
// in a topic that is not mirrored too: what is known of producers outlives their records (KAFKA-7190).
func TestCutToLogStart(t *testing.T) {
	open := record.NewData(7, 0, 0, make([]record.Record, 1)).InTransaction().At(2, 1)
	for _, test := range []struct {
		name        string
		desired     record.Desired
		res         wire.FetchResponse
		start, open int64
	}{
		{"diverging at the leader's start", record.WantMirroring, wire.FetchResponse{Diverging: true, DivergingEpoch: 1, DivergingOffset: 5, LogStart: 5, LogEnd: 9}, 5, 0},
		{"the leader is empty", record.WantStopped, wire.FetchResponse{Code: wire.OffsetOutOfRange, LogStart: 5, LogEnd: 5}, 5, 0},
		{"diverging above it", record.WantMirroring, wire.FetchResponse{Diverging: true, DivergingEpoch: 1, DivergingOffset: 5, LogStart: 4, LogEnd: 9}, 0, 1},
		{"the leader is shorter", record.WantMirroring, wire.FetchResponse{Code: wire.OffsetOutOfRange, LogStart: 4, LogEnd: 5}, 0, 1},
		{"it ends there, and the leader is empty", record.WantMirroring, wire.FetchResponse{Code: wire.OffsetOutOfRange, LogStart: 7, LogEnd: 7}, 7, 0},
		{"it ends there, and the leader goes on", record.WantMirroring, wire.FetchResponse{LogStart: 7, LogEnd: 9}, 7, 0},
		{"it ends there, and the topic is stopped", record.WantStopped, wire.FetchResponse{LogStart: 7, LogEnd: 9}, 0, 1},
		{"not mirrored", record.WantNone, wire.FetchResponse{Diverging: true, DivergingEpoch: 1, DivergingOffset: 5, LogStart: 5, LogEnd: 9}, 0, 1},
		{"not mirrored, and the leader is empty", record.WantNone, wire.FetchResponse{Code: wire.OffsetOutOfRange, LogStart: 5, LogEnd: 5}, 0, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newHost(t, b, spec{desired: test.desired}).hold(t, "0-1@1")
			f.Log.AppendAsIs(open, 1, event.FromLeader, &f.out)
			f.hold(t, "3-6@1")
			f.register(a, 2, a, b)
			f.answer(f.request(), test.res)
			end := int64(5)
			if strings.HasPrefix(test.name, "it ends there") {
				end = 7
			}
			equal(t, "log start, log end, open transactions",
				[3]int64{f.Log.Start(), f.Log.End(), int64(len(f.Log.OpenTransactions()))}, [3]int64{test.start, end, test.open})
		})
	}
}

// A follower's log starts at 5, and a divergence leaves nothing of it. Its leader's begins at 2, as where that was started anew at its
// source's log start: the follower's begins there too, for its own log start hides whether what is below is the same. In a topic that
// is not mirrored, and where something is left, it is cut as in Kafka.
func TestNothingIsLeftAboveTheLeadersStart(t *testing.T) {
	diverging := func(end int64) wire.FetchResponse {
		return wire.FetchResponse{Diverging: true, DivergingEpoch: 1, DivergingOffset: end, LogStart: 2, LogEnd: 9}
	}
	for _, test := range []struct {
		name       string
		desired    record.Desired
		res        wire.FetchResponse
		start, end int64
	}{
		{"diverging below it", record.WantMirroring, diverging(4), 2, 2},
		{"diverging at it", record.WantMirroring, diverging(5), 2, 2},
		{"diverging above it", record.WantMirroring, wire.FetchResponse{Diverging: true, DivergingEpoch: 2, DivergingOffset: 6, LogStart: 2}, 5, 6},
		{"the leader is shorter", record.WantStopped, wire.FetchResponse{Code: wire.OffsetOutOfRange, LogStart: 2, LogEnd: 4}, 2, 2},
		{"it agrees", record.WantMirroring, wire.FetchResponse{LogStart: 2, LogEnd: 9}, 5, 8},
		{"it agrees, and is empty", record.WantMirroring, wire.FetchResponse{LogStart: 2, LogEnd: 9}, 2, 2},
		{"it agrees, is empty, and the topic is stopped", record.WantStopped, wire.FetchResponse{LogStart: 2, LogEnd: 9}, 5, 5},
		{"not mirrored", record.WantNone, diverging(4), 4, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newHost(t, b, spec{desired: test.desired})
			f.Log.RestartAt(5, 1, &f.out)
			if !strings.Contains(test.name, "is empty") {
				f.hold(t, "5-7@2")
			}
			f.register(a, 2, a, b)
			f.answer(f.request(), test.res)
			equal(t, "log start and end", [2]int64{f.Log.Start(), f.Log.End()}, [2]int64{test.start, test.end})
		})
	}
}

// fetch-above, D33: a follower whose epoch is above all entries of its leader. Answered OFFSET_OUT_OF_RANGE, it is cut
// to the leader's end if it is longer, and then starts anew at the leader's start, as its epoch is still above all of the leader's;
// told the newest epoch, it looks up its own end of that.
func TestFetchAbove(t *testing.T) {
	for _, test := range []struct {
		token, log string
		cuts       []int64
		want       string
	}{
		{"out-of-range", "0-1@1 2-3@9", []int64{0}, "0-3@1"},
		{"out-of-range", "0-1@1 2-6@9", []int64{4, 0}, "0-3@1"},
		{"newest", "0-1@1 2-3@9", []int64{2}, "0-3@1"},
		{"newest", "0-1@1 2-6@9", []int64{2}, "0-3@1"},
	} {
		t.Run(test.token+" "+test.log, func(t *testing.T) {
			s := spec{desired: record.WantMirroring, set: []string{"fetch-above=" + test.token}}
			l := newHost(t, a, s).hold(t, "0-3@1").commit(4)
			l.register(a, 10, a, b)
			f := newHost(t, b, s).hold(t, test.log)
			f.register(a, 10, a, b)
			play(t, l, f)
			equal(t, "cuts", f.truncations(), test.cuts)
			equal(t, "log", f.strip(), test.want)
		})
	}
}

// A follower that is told OFFSET_OUT_OF_RANGE though it ends within its leader's log: by the time of the answer the leader may
// have come to where an empty log ends, which asks again. One with records has an epoch above all of the leader's (D33), and starts
// anew at the leader's log start. Both ask at once.
func TestOutOfRangeWithinTheLeadersLog(t *testing.T) {
	for _, test := range []struct {
		log   string
		start int64
	}{{"", 0}, {"0-1@1", 3}} {
		t.Run(test.log, func(t *testing.T) {
			f := newHost(t, b, spec{}).hold(t, test.log)
			f.register(a, 2, a, b)
			f.answer(f.request(), wire.FetchResponse{Code: wire.OffsetOutOfRange, LogStart: test.start, LogEnd: 5})
			failIf(t, f.request() == nil, "it waits")
			equal(t, "log start and end", [2]int64{f.Log.Start(), f.Log.End()}, [2]int64{test.start, test.start})
		})
	}
}

// Errors make a follower wait; an answer to another fetch, from another broker, or at another offset is not its own.
func TestFollowerIgnores(t *testing.T) {
	for _, code := range []wire.Code{wire.NotLeaderOrFollower, wire.FencedLeaderEpoch, wire.UnknownLeaderEpoch,
		wire.UnknownTopicOrPartition} {
		t.Run(code.String(), func(t *testing.T) {
			f := newHost(t, b, spec{}).hold(t, "0-9@1")
			f.register(a, 2, a, b)
			req := f.request()
			f.answer(req, wire.FetchResponse{Code: code, HighWatermark: 7, LogEnd: 3, LogStart: 3})
			failIf(t, f.request() != nil, "it asks at once")
			equal(t, "pause", f.timers[fetchTimer], f.settings.RetryBackoff)
			equal(t, "log", f.strip(), "0-9@1")
			equal(t, "high watermark", f.Log.HighWatermark(), 0)
			f.answer(req, wire.FetchResponse{Batches: batches(t, "10@1")})
			equal(t, "log after the answer came a second time", f.strip(), "0-9@1")
		})
	}
	for name, change := range map[string]func(*wire.FetchResponse){
		"another fetch":  func(r *wire.FetchResponse) { r.Correlation-- },
		"another offset": func(r *wire.FetchResponse) { r.FetchOffset = 9 },
	} {
		t.Run(name, func(t *testing.T) {
			f := newHost(t, b, spec{}).hold(t, "0-9@1")
			f.register(a, 2, a, b)
			req := f.request()
			res := &wire.FetchResponse{Partition: testPartition, LeaderEpoch: 2, FetchOffset: 10,
				Correlation: req.Correlation,
				Batches:     batches(t, "10@1")}
			f.Fetched(c, res, &f.env)
			equal(t, "log after the answer of another broker", f.strip(), "0-9@1")
			wrong := *res
			change(&wrong)
			f.Fetched(a, &wrong, &f.env)
			equal(t, "log", f.strip(), "0-9@1")
			f.Fetched(a, res, &f.env)
			equal(t, "log after its own answer", f.strip(), "0-10@1")
		})
	}
}

// A lost answer is asked for again; a corrupt batch, or one that begins below the log end, is not appended.
func TestFollowerAppends(t *testing.T) {
	follower := func(t *testing.T, log string) *host {
		f := newHost(t, b, spec{}).hold(t, log)
		f.register(a, 2, a, b)
		return f
	}
	t.Run("lost answer", func(t *testing.T) {
		f := follower(t, "0-9@1")
		lost := f.request()
		equal(t, "time-out", f.timers[fetchTimer], f.settings.FetchTimeout)
		f.FetchAgain(&f.env)
		failIf(t, f.request().Correlation == lost.Correlation, "the second fetch is another")
	})
	t.Run("corrupt batch", func(t *testing.T) {
		f := follower(t, "0-9@1")
		bad := *batches(t, "10@1")[0]
		bad.CRC++
		f.answer(f.request(), wire.FetchResponse{Batches: []*record.Batch{&bad}, LogEnd: 11})
		equal(t, "log", f.strip(), "0-9@1")
		failIf(t, f.request() != nil, "it asks at once")
	})
	t.Run("overlap", func(t *testing.T) {
		f := follower(t, "0-9@1")
		f.answer(f.request(), wire.FetchResponse{Batches: []*record.Batch{plain(4, 7).At(8, 1)}, LogEnd: 12})
		equal(t, "log", f.strip(), "0-9@1")
		failIf(t, f.request() != nil, "it asks at once")
	})
	t.Run("gap", func(t *testing.T) {
		f := follower(t, "0-9@1")
		f.answer(f.request(), wire.FetchResponse{Batches: batches(t, "12@1"), LogEnd: 13})
		equal(t, "log", f.strip(), "0-9@1 12@1")
	})
	t.Run("log start, never above the high watermark", func(t *testing.T) {
		f := follower(t, "0-9@1")
		f.answer(f.request(), wire.FetchResponse{HighWatermark: 4, LogStart: 6, LogEnd: 10})
		equal(t, "log start", f.Log.Start(), 4)
	})
	t.Run("reset", func(t *testing.T) {
		f := follower(t, "0@1")
		f.settle()
		f.events = nil
		f.answer(f.request(), wire.FetchResponse{Batches: []*record.Batch{record.NewReset().At(1, 2)}, LogEnd: 2})
		f.settle()
		reports := 0
		for _, e := range f.events {
			if e.Kind == event.ReplicaReported && e.Cause == uint8(event.ReportStopped) {
				reports++
			}
		}
		equal(t, "reports of the reset", reports, 1)
	})
}

// A fetch names the last epoch of the log; an empty log has none, also above offset 0 and with an entry in the cache.
func TestLastFetchedEpoch(t *testing.T) {
	f := newHost(t, b, spec{})
	f.register(a, 1, a, b)
	equal(t, "an empty log", f.request().LastFetchedEpoch, -1)
	f.answer(&wire.FetchRequest{Correlation: 1<<20 + 1}, wire.FetchResponse{Code: wire.OffsetOutOfRange, LogStart: 7,
		LogEnd: 9})
	req := f.request()
	equal(t, "an empty log that starts at 7", [2]int64{req.FetchOffset, int64(req.LastFetchedEpoch)}, [2]int64{7, -1})
	f.register(b, 2, b)
	f.register(a, 3, a, b)
	equal(t, "an empty log that was a leader's", f.request().LastFetchedEpoch, -1)
	f.hold(t, "7@3")
	f.FetchAgain(&f.env)
	equal(t, "one record", f.request().LastFetchedEpoch, 3)
}
