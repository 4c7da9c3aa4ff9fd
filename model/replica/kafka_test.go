package replica_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// KIP-101 a (KAFKA-1211): F holds 0 and 1, of which it knows 0 to be committed, and restarts. It keeps record 1: it asks
// for the end of e0 and does not cut to its high watermark; and if it leads instead, 1 is still there.
func TestKIP101a(t *testing.T) {
	crashed := func(t *testing.T) *host {
		f := newHost(t, b, spec{}).hold(t, "0-1@0")
		f.register(a, 0, a, b)
		f.commit(1)
		f.Log.Checkpoint()
		f.restart()
		equal(t, "log after the restart", f.strip(), "0-1@0")
		equal(t, "high watermark after the restart", f.Log.HighWatermark(), 1)
		return f
	}
	t.Run("the leader lives", func(t *testing.T) {
		f := crashed(t)
		f.register(a, 0, a)
		req := f.request()
		equal(t, "fetch offset", req.FetchOffset, 2)
		equal(t, "last fetched epoch", req.LastFetchedEpoch, 0)
	})
	t.Run("the leader dies", func(t *testing.T) {
		f := crashed(t)
		f.register(b, 1, b)
		equal(t, "log of the new leader", f.strip(), "0-1@0")
		equal(t, "high watermark of the new leader", f.Log.HighWatermark(), 2)
	})
}

// KIP-101 b: X keeps 0@0 1@0, Y keeps 0@0 and writes 1@1. X comes back with high watermark 2, asks for the end of e0, is
// told 1, and takes 1@1.
func TestKIP101b(t *testing.T) {
	y := newHost(t, b, spec{}).hold(t, "0@0")
	y.register(b, 1, b)
	y.produce(1, 1)
	x := newHost(t, a, spec{}).hold(t, "0-1@0").commit(2)
	x.register(b, 1, b)
	play(t, y, x)
	equal(t, "cuts of X", x.truncations(), []int64{1})
	equal(t, "log of X", x.strip(), "0@0 1@1")
	equal(t, "Y's own log", y.strip(), "0@0 1@1")
}

// KAFKA-7415: a new leader of e5 has 5→10 in its cache before it writes.
func TestKAFKA7415(t *testing.T) {
	t.Run("answered at once", func(t *testing.T) {
		l := newHost(t, a, spec{}).hold(t, "0-9@3")
		l.register(a, 5, a, b)
		equal(t, "epochs", l.epochs(), "3→0 5→10")
		f := newHost(t, b, spec{}).hold(t, "0-9@3 10-12@4")
		f.register(a, 5, a, b)
		play(t, l, f)
		equal(t, "log of F", f.strip(), "0-9@3")
		equal(t, "cuts of F", f.truncations(), []int64{10})
	})
	t.Run("below the first entry", func(t *testing.T) {
		l := newHost(t, a, spec{})
		l.Log.RestartAt(10, 4, &l.out)
		l.register(a, 5, a, b)
		res := l.fetch(b, 12, 4)
		equal(t, "epochs", l.epochs(), "5→10")
		equal(t, "answer", [3]int64{int64(id.Bit(res.Diverging)), int64(res.DivergingEpoch), res.DivergingOffset}, [3]int64{1, 4, 10})
	})
	for _, test := range []struct {
		token string // fetch-above, D33
		code  wire.Code
		want  [3]int64
	}{
		{"out-of-range", wire.OffsetOutOfRange, [3]int64{0, 0, 0}},
		{"newest", wire.OK, [3]int64{1, 5, 10}},
	} {
		t.Run("above every entry, "+test.token, func(t *testing.T) {
			l := newHost(t, a, spec{set: []string{"fetch-above=" + test.token}}).hold(t, "0-9@3")
			l.register(a, 5, a, b)
			res := l.fetch(b, 10, 6)
			equal(t, "code", res.Code, test.code)
			equal(t, "answer", [3]int64{int64(id.Bit(res.Diverging)), int64(res.DivergingEpoch), res.DivergingOffset}, test.want)
		})
	}
}

// KAFKA-7164: F is cut off while the leader changes from X to Z and back to X, which was cut to 10 meanwhile. F checks its
// history though the leader's name is the same.
func TestKAFKA7164(t *testing.T) {
	f := newHost(t, b, spec{}).hold(t, "0-11@1")
	f.register(a, 1, a, b)
	f.request()
	x := newHost(t, a, spec{}).hold(t, "0-9@1")
	x.register(a, 3, a)
	x.produce(1, 1)
	f.reg.PartitionEpoch++ // Z's election, which F never hears of
	f.register(a, 3, a)
	play(t, x, f)
	equal(t, "cuts of F", f.truncations(), []int64{10})
	equal(t, "log of F", f.strip(), "0-9@1 10@3")
}

// KAFKA-7164, the leader's side: X leads, Z leads, X leads again, and X hears of it in one go. What it knew of F is of
// another time: F has followed Z, and its log may be shorter now.
func TestKAFKA7164LeaderForgets(t *testing.T) {
	x := newHost(t, a, spec{}).hold(t, "0-11@1").commit(5)
	x.register(a, 1, a, b)
	x.fetch(b, 8, 1)
	equal(t, "high watermark", x.Log.HighWatermark(), 8)
	x.produce(wire.AcksAll, 1)
	x.reg.PartitionEpoch++ // Z's election is in the same answer of the metadata log
	x.register(a, 3, a, b)
	equal(t, "who waited is refused", codes(x.produced()), []wire.Code{wire.NotLeaderOrFollower})
	equal(t, "laggard", x.Laggard(1, &x.env), b)
	x.register(a, 4, a, b) // a bump: nobody else led
	x.fetch(b, 6, 1)
	equal(t, "high watermark after a fetch below it", x.Log.HighWatermark(), 8)
	x.fetch(b, 9, 1)
	equal(t, "high watermark after a fetch above it", x.Log.HighWatermark(), 9)
}

func codes(list []wire.ProduceResponse) []wire.Code {
	var out []wire.Code
	for _, r := range list {
		out = append(out, r.Code)
	}
	return out
}

// KAFKA-7128: the new leader's log ends at 10, all of it committed, its own high watermark still 5. Y at 5 does not join
// the ISR before it has reached the start of the new leader's epoch.
func TestKAFKA7128(t *testing.T) {
	l := newHost(t, a, spec{}).hold(t, "0-9@1").commit(5)
	l.register(a, 2, a, c)
	for _, offset := range []int64{5, 9} {
		l.fetch(b, offset, 1)
		equal(t, "ISR changes asked for too early", l.alters(), nil)
	}
	l.fetch(b, 10, 1)
	equal(t, "ISR asked for", l.alters(), []id.Set{id.SetOf(a, b, c)})
	equal(t, "high watermark, as c has not fetched", l.Log.HighWatermark(), 5)
}

// KAFKA-14704: an answer carries the divergence (e1, 10) and high watermark 13. The follower cuts first, and takes no
// high watermark from that answer.
func TestKAFKA14704(t *testing.T) {
	for _, test := range []struct {
		name       string
		hw, cut    int64 // the follower's high watermark before, and after the cut
		afterwards int64 // after the next answer
	}{
		{"ordinary", 9, 9, 10},
		{"after an unclean election", 12, 10, 10},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newHost(t, b, spec{}).hold(t, "0-9@1 10-13@2").commit(test.hw)
			f.register(a, 3, a, b)
			f.answer(f.request(), wire.FetchResponse{Diverging: true, DivergingEpoch: 1, DivergingOffset: 10,
				HighWatermark: 13, LogEnd: 13})
			equal(t, "log end", f.Log.End(), 10)
			equal(t, "high watermark after the cut", f.Log.HighWatermark(), test.cut)
			f.answer(f.request(), wire.FetchResponse{HighWatermark: 13, LogEnd: 13})
			equal(t, "high watermark after the next answer", f.Log.HighWatermark(), test.afterwards)
			f.answer(f.request(), wire.FetchResponse{HighWatermark: 8, LogEnd: 13})
			equal(t, "high watermark of a new leader that lags", f.Log.HighWatermark(), 8)
		})
	}
}

// KAFKA-18723: a batch of epoch 7 in the answer to a fetch made in e6 is skipped, with all after it, and fetched again.
func TestKAFKA18723(t *testing.T) {
	f := newHost(t, b, spec{})
	f.register(a, 6, a, b)
	f.answer(f.request(), wire.FetchResponse{Batches: batches(t, "0-1@6 2@7 3@6"), LogEnd: 4})
	equal(t, "log", f.strip(), "0-1@6")
	req := f.request()
	equal(t, "fetched again at", req.FetchOffset, 2)
	f.answer(req, wire.FetchResponse{Batches: batches(t, "2@7"), LogEnd: 4})
	equal(t, "log", f.strip(), "0-1@6")
	failIf(t, f.request() != nil, "the same answer would come at once, for ever")
	equal(t, "pause", f.timers[node.Timer{Kind: replica.TimerFetch, Partition: testPartition}], f.settings.RetryBackoff)
	f.register(a, 7, a, b)
	f.answer(f.request(), wire.FetchResponse{Batches: batches(t, "2@7"), LogEnd: 4})
	equal(t, "log", f.strip(), "0-1@6 2@7")
}

// KAFKA-13207: an answer to a fetch of before this broker was elected is ignored.
func TestKAFKA13207(t *testing.T) {
	for _, test := range []struct {
		name  string
		elect func(f *host)
	}{
		{"it leads", func(f *host) { f.register(b, 2, b) }},
		{"it led and follows again", func(f *host) { f.register(b, 2, b); f.register(a, 3, a, b) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newHost(t, b, spec{}).hold(t, "0-9@1")
			f.register(a, 1, a, b)
			req := f.request()
			test.elect(f)
			f.Fetched(a, &wire.FetchResponse{Partition: testPartition, Diverging: true, DivergingEpoch: 1, DivergingOffset: 4,
				FetchOffset: 10, LeaderEpoch: 1, Correlation: req.Correlation}, &f.env)
			equal(t, "log", f.strip(), "0-9@1")
		})
	}
}

// KAFKA-2143: F at 100 asks a new leader whose log ends at 95. F is cut to 95 and goes on there, not at the leader's start.
func TestKAFKA2143(t *testing.T) {
	l := newHost(t, a, spec{}).hold(t, "0-94@1").commit(95)
	l.Log.MoveStart(20, &l.out)
	l.register(a, 2, a, b)
	t.Run("by divergence", func(t *testing.T) {
		f := newHost(t, b, spec{}).hold(t, "0-99@1").commit(50)
		f.register(a, 2, a, b)
		play(t, l, f)
		equal(t, "cuts of F", f.truncations(), []int64{95})
		equal(t, "log of F", f.strip(), "20-94@1") // it has followed the leader's start, up to its high watermark
	})
	t.Run("by OFFSET_OUT_OF_RANGE", func(t *testing.T) {
		f := newHost(t, b, spec{}).hold(t, "0-99@1")
		f.register(a, 2, a, b)
		f.answer(f.request(), wire.FetchResponse{Code: wire.OffsetOutOfRange, LogStart: 20, LogEnd: 95})
		equal(t, "log of F", f.strip(), "0-94@1")
		equal(t, "fetched again at", f.request().FetchOffset, 95)
	})
	t.Run("a log that ends below the leader's start", func(t *testing.T) {
		l := newHost(t, a, spec{}).hold(t, "0-94@1").commit(95)
		l.Log.MoveStart(20, &l.out)
		l.register(a, 2, a, b)
		f := newHost(t, b, spec{}).hold(t, "0-9@1")
		f.register(a, 2, a, b)
		play(t, l, f)
		equal(t, "log of F", f.strip(), "20-94@1")
		equal(t, "log start of F", f.Log.Start(), 20)
	})
}

// KIP-279: the leader has {0→0, 3→10} and ends at 11, F has {0→0, 2→3} and ends at 5. F cuts to 3, its own end of e0.
func TestKIP279(t *testing.T) {
	l := newHost(t, a, spec{}).hold(t, "0-9@0 10@3")
	l.register(a, 3, a, b)
	equal(t, "epochs", l.epochs(), "0→0 3→10")
	f := newHost(t, b, spec{}).hold(t, "0-2@0 3-4@2")
	f.register(a, 3, a, b)
	play(t, l, f)
	equal(t, "cuts of F", f.truncations(), []int64{3})
	equal(t, "log of F", f.strip(), "0-9@0 10@3")
}

func TestCutPoint(t *testing.T) {
	for _, test := range []struct {
		name, log string
		epoch     int32
		end, want int64
	}{
		{"the same epoch, own end smaller", "0-5@1 6-9@3", 1, 8, 6},
		{"the same epoch, answered end smaller", "0-5@1 6-9@3", 1, 4, 4},
		{"the newest epoch ends at the log end", "0-5@1 6-9@3", 3, 20, 10},
		{"a lower epoch: its own end, not the answered one", "0-2@0 3-4@2", 1, 1, 3},
		{"undefined: the answered end", "0-5@1", 2, 4, 4},
		{"undefined: never above the log end", "0-5@1", 2, 9, 6},
		{"below the first entry", "0-5@4", 2, 3, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHost(t, a, spec{}).hold(t, test.log)
			equal(t, "cut", replica.CutPoint(h.Log, test.epoch, test.end), test.want)
		})
	}
}

// KAFKA-13141: a fetch at 14 that is answered with a divergence says nothing of F's log end.
func TestKAFKA13141(t *testing.T) {
	l := newHost(t, a, spec{}).hold(t, "0-9@1").commit(5)
	l.register(a, 2, a, b)
	res := l.fetch(b, 14, 1)
	equal(t, "answer", [3]int64{int64(id.Bit(res.Diverging)), int64(res.DivergingEpoch), res.DivergingOffset}, [3]int64{1, 1, 10})
	equal(t, "high watermark", l.Log.HighWatermark(), 5)
	equal(t, "laggard", l.Laggard(1, &l.env), b)
	l.register(a, 2, a)
	l.fetch(b, 14, 1)
	equal(t, "ISR changes asked for", l.alters(), nil)
	l.fetch(b, 11, -1)
	equal(t, "ISR changes asked for after OFFSET_OUT_OF_RANGE", l.alters(), nil)
}

// KAFKA-9835: nothing at or above the high watermark is returned to a consumer, not in a batch that reaches it either.
func TestKAFKA9835(t *testing.T) {
	l := newHost(t, a, spec{}).hold(t, "0-7@1")
	l.Log.AppendAsIs(plain(4, 1<<40).At(8, 1), 1, 0, &l.out)
	l.commit(10).register(a, 1, a, b)
	res := l.fetch(id.None, 5, 1)
	equal(t, "batches", len(res.Batches), 3)
	equal(t, "last offset", res.Batches[2].Last, 7)
	failIf(t, l.fetch(id.None, 8, 1) != nil, "a fetch at the batch that reaches the high watermark waits")
	equal(t, "a follower's fetch reads to the log end", len(l.fetch(b, 5, 1).Batches), 4)
}

// KAFKA-9338: a zombie leader of e1 answers a client that knows e2 with UNKNOWN_LEADER_EPOCH, every time.
func TestKAFKA9338(t *testing.T) {
	l := newHost(t, a, spec{}).hold(t, "0-7@1").commit(8)
	l.register(a, 1, a, b)
	for range 2 {
		res := l.fetch(id.None, 8, 1, func(r *wire.FetchRequest) { r.CurrentLeaderEpoch = 2 })
		equal(t, "code", res.Code, wire.UnknownLeaderEpoch)
	}
	l.register(a, 3, a, b)
	res := l.fetch(id.None, 8, 1, func(r *wire.FetchRequest) { r.CurrentLeaderEpoch = 2 })
	equal(t, "code of a client that knows less", res.Code, wire.FencedLeaderEpoch)
}

// KIP-320 and KAFKA-9840: a consumer at 12@3 is told where its history ends, or that the broker does not know.
func TestKIP320(t *testing.T) {
	unchecked := func(r *wire.FetchRequest) { r.CurrentLeaderEpoch = -1 }
	t.Run("e3 ends at 10", func(t *testing.T) {
		l := newHost(t, a, spec{}).hold(t, "0-9@3")
		l.register(a, 4, a)
		l.produce(1, 5)
		res := l.fetch(id.None, 12, 3, unchecked)
		equal(t, "answer", [3]int64{int64(id.Bit(res.Diverging)), int64(res.DivergingEpoch), res.DivergingOffset}, [3]int64{1, 3, 10})
	})
	t.Run("e3 is not known", func(t *testing.T) {
		l := newHost(t, a, spec{}).hold(t, "0-15@2")
		l.register(a, 2, a)
		equal(t, "code", l.fetch(id.None, 12, 3, unchecked).Code, wire.OffsetOutOfRange)
	})
}

// KAFKA-12686: an older registration is ignored. A refusal does not tell whether an earlier try of the same change was
// made, so what joins counts as in until newer metadata come: the controller may have made it eligible already.
func TestKAFKA12686(t *testing.T) {
	t.Run("older registration", func(t *testing.T) {
		l := newHost(t, a, spec{})
		l.register(a, 1, a, b)
		old := h2reg(l)
		l.register(a, 1, a)
		failIf(t, l.SetRegistration(&old, &l.env), "an older registration is no change")
		equal(t, "ISR", l.Reg.ISR, id.SetOf(a))
	})
	for _, code := range []wire.Code{wire.OK, wire.InvalidUpdateVersion, wire.FencedLeaderEpoch, wire.NotController,
		wire.UnknownTopicOrPartition} {
		t.Run("the answer is "+code.String(), func(t *testing.T) {
			l, asked := expanding(t)
			l.Altered(&wire.AlterPartitionResponse{Partition: testPartition, Code: code,
				Correlation: asked.Correlation}, &l.env)
			l.Lagging(b, &l.env) // b is not caught up any more
			l.produce(1, 1)
			equal(t, "high watermark", l.Log.HighWatermark(), 10)
			l.AlterAgain(&l.env)
			equal(t, "asked again", l.alters(), []id.Set{id.SetOf(a, b)})
			l.register(a, 1, a)
			equal(t, "high watermark once the metadata show that b is out", l.Log.HighWatermark(), 11)
		})
	}
	t.Run("the answer is INELIGIBLE_REPLICA", func(t *testing.T) {
		l, asked := expanding(t)
		l.Altered(&wire.AlterPartitionResponse{Partition: testPartition, Code: wire.IneligibleReplica,
			Correlation: asked.Correlation - 1}, &l.env)
		l.Lagging(b, &l.env)
		l.produce(1, 1)
		equal(t, "high watermark after the answer to another request", l.Log.HighWatermark(), 10)
		l.Altered(&wire.AlterPartitionResponse{Partition: testPartition, Code: wire.IneligibleReplica,
			Correlation: asked.Correlation}, &l.env)
		l.Lagging(b, &l.env)
		equal(t, "high watermark", l.Log.HighWatermark(), 11)
		l.AlterAgain(&l.env)
		equal(t, "asked again", l.alters(), nil)
	})
}

func h2reg(h *host) record.PartitionRecord { return h.reg }

// expanding is a leader at 10 that has asked for b to join its ISR.
func expanding(t *testing.T) (*host, *wire.AlterPartitionRequest) {
	t.Helper()
	l := newHost(t, a, spec{}).hold(t, "0-9@1")
	l.register(a, 1, a)
	l.fetch(b, 10, 1)
	if len(l.asked) != 1 || l.asked[0].ISR != id.SetOf(a, b) {
		t.Fatalf("asked for %v", l.asked)
	}
	asked := l.asked[0]
	l.asked = nil
	return l, asked
}

// KAFKA-9672: a broker that is none of the replicas fetches, up to date, and never comes into the ISR.
func TestKAFKA9672(t *testing.T) {
	l := newHost(t, a, spec{replicas: []id.Node{a, b}}).hold(t, "0-9@1")
	l.register(a, 1, a, b)
	for range 2 {
		equal(t, "code", l.fetch(c, 10, 1).Code, wire.UnknownTopicOrPartition)
	}
	equal(t, "ISR changes asked for", l.alters(), nil)
}

// KAFKA-10751: log ends 10, 5 and 2; the last is elected uncleanly. The others are cut by 8 and by 3.
func TestKAFKA10751(t *testing.T) {
	l := newHost(t, c, spec{}).hold(t, "0-1@1").commit(2)
	l.register(c, 2, c)
	for n, log := range map[id.Node]string{a: "0-9@1", b: "0-4@1"} {
		f := newHost(t, n, spec{}).hold(t, log).commit(2)
		f.register(c, 2, c)
		play(t, l, f)
		equal(t, "cuts", f.truncations(), []int64{2})
		equal(t, "log", f.strip(), "0-1@1")
	}
}

// KAFKA-6003: a replica without producer state takes sequence 7 from its leader.
func TestKAFKA6003(t *testing.T) {
	f := newHost(t, b, spec{})
	f.register(a, 1, a, b)
	late := record.NewData(5, 0, 7, []record.Record{{Value: 1}}).At(0, 1)
	f.answer(f.request(), wire.FetchResponse{Batches: []*record.Batch{late}, LogEnd: 1})
	equal(t, "log", f.strip(), "0@1")
}
