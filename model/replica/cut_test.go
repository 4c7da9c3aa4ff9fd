package replica_test

import (
	"fmt"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// aligning is the leader of a mirrored partition that has cut its log from 10 to 6: 0-4@5 5@6 are left. Its followers
// stood at b and c before.
func aligning(t *testing.T, atB, atC int64, set ...string) *host {
	t.Helper()
	l := newHost(t, a, spec{desired: record.WantMirroring, set: set}).hold(t, "0-4@5 5-9@6").commit(3)
	l.register(a, 7, a, b)
	for n, offset := range map[id.Node]int64{b: atB, c: atC} {
		if offset >= 0 {
			l.fetch(n, offset, l.Log.EpochAt(offset-1))
		}
	}
	l.TruncateOwn(6, event.AlignedToLME, &l.env)
	l.settle()
	return l
}

func cut(n uint32) func(*wire.FetchRequest) {
	return func(r *wire.FetchRequest) { r.Cut = n }
}

// followed-means, D30: when the laggard b has followed the cut.
func TestFollowed(t *testing.T) {
	for _, test := range []struct {
		name   string
		before int64 // b's log end before the cut
		after  func(l *host)
		want   map[string]bool // by option: b has followed
	}{
		{"ahead of the cut", 10, func(*host) {}, map[string]bool{"leo": false, "leo-and-epoch": false, "leo-fresh": false}},
		{"never heard of", -1, func(*host) {}, map[string]bool{"leo": false, "leo-and-epoch": false, "leo-fresh": false}},
		{"not ahead before the cut", 5, func(*host) {}, map[string]bool{"leo": true, "leo-and-epoch": true,
			"leo-fresh": false}},
		{"a fetch from before the cut comes late", 10, func(l *host) { l.fetch(b, 5, 5) },
			map[string]bool{"leo": true, "leo-and-epoch": true, "leo-fresh": false}},
		{"a fetch that was sent after it", 10, func(l *host) { l.fetch(b, 5, 5, cut(1)) },
			map[string]bool{"leo": true, "leo-and-epoch": true, "leo-fresh": true}},
		{"another epoch at its end", 10, func(l *host) { l.fetch(b, 6, 5, cut(1)) }, // e5 ends at 5 here: a divergence
			map[string]bool{"leo": false, "leo-and-epoch": false, "leo-fresh": false}},
		{"an empty log", 10, func(l *host) { l.fetch(b, 0, -1, cut(1)) },
			map[string]bool{"leo": true, "leo-and-epoch": true, "leo-fresh": true}},
		{"a bump since the cut", 5, func(l *host) { l.register(a, 8, a, b) },
			map[string]bool{"leo": true, "leo-and-epoch": true, "leo-fresh": false}},
		{"a bump since the cut, and a fetch", 5, func(l *host) { l.register(a, 8, a, b); l.fetch(b, 6, 6, cut(1)) },
			map[string]bool{"leo": true, "leo-and-epoch": true, "leo-fresh": true}},
	} {
		for token, want := range test.want {
			t.Run(token+" "+test.name, func(t *testing.T) {
				l := aligning(t, test.before, -1, "followed-means="+token)
				test.after(l)
				equal(t, "followed", l.Laggard(protocol.WaitISR, &l.env) == id.None, want)
			})
		}
	}
}

// leo-and-epoch compares what the follower's last record was: a follower that was not ahead may hold another history.
func TestFollowedOtherEpoch(t *testing.T) {
	for token, want := range map[string]id.Node{"leo": id.None, "leo-and-epoch": b} {
		t.Run(token, func(t *testing.T) {
			l := newHost(t, a, spec{desired: record.WantMirroring, set: []string{"followed-means=" + token}}).hold(t, "0-9@6")
			l.register(a, 7, a, b)
			l.fetch(b, 6, 6)
			l.TruncateOwn(0, event.AlignedToLME, &l.env)
			for _, x := range batches(t, "0-7@8") {
				l.AppendMirrored(x, &l.env)
			}
			equal(t, "laggard", l.Laggard(protocol.WaitISR, &l.env), want)
		})
	}
}

// A follower at the leader's log start has followed, whatever epoch its records below have: the leader cannot tell.
func TestFollowedAtTheLogStart(t *testing.T) {
	l := newHost(t, a, spec{desired: record.WantMirroring, set: []string{"followed-means=leo-and-epoch"}}).hold(t,
		"0-4@5 5-9@6").commit(10)
	l.Log.MoveStart(5, &l.out)
	l.register(a, 7, a, b)
	l.fetch(b, 5, 5)
	equal(t, "laggard", l.Laggard(protocol.WaitISR, &l.env), id.None)
}

// Alignment waits for nobody, the ISR (and who is about to join it, as c is here), or every replica (D12).
func TestLaggardOf(t *testing.T) {
	l := aligning(t, 10, 10)
	equal(t, "none", l.Laggard(protocol.WaitNone, &l.env), id.None)
	equal(t, "the ISR", l.Laggard(protocol.WaitISR, &l.env), b)
	l.fetch(b, 5, 5, cut(1))
	equal(t, "the ISR, when b has followed", l.Laggard(protocol.WaitISR, &l.env), c)
	asked := l.asked[len(l.asked)-1]
	l.Altered(&wire.AlterPartitionResponse{Partition: testPartition, Code: wire.IneligibleReplica, Correlation: asked.Correlation}, &l.env)
	equal(t, "the ISR, when c does not join", l.Laggard(protocol.WaitISR, &l.env), id.None)
	equal(t, "all", l.Laggard(protocol.WaitAll, &l.env), c)
}

// leader-cut, D52: what the leader that cut its log makes of what b told before. b stood at 10; mirrored batches arrive
// up to 8.
func TestLeaderCut(t *testing.T) {
	for _, test := range []struct {
		token      string
		hw         int64 // after mirrored batches, before any fetch
		late, next int64 // after a fetch from before the cut, and after one from then on
		joins      []id.Set
	}{
		{"keep", 8, 8, 8, []id.Set{id.SetOf(a, b, c)}},
		{"forget", 6, 6, 7, nil},
	} {
		t.Run(test.token, func(t *testing.T) {
			l := aligning(t, 10, -1, "leader-cut="+test.token)
			l.settle()
			equal(t, "high watermark after the cut", l.Log.HighWatermark(), 6)
			for _, x := range batches(t, "6-7@6") {
				l.AppendMirrored(x, &l.env)
			}
			equal(t, "high watermark", l.Log.HighWatermark(), test.hw)
			l.fetch(b, 8, 6)
			equal(t, "high watermark after a late fetch", l.Log.HighWatermark(), test.late)
			l.alters()
			l.fetch(c, 8, 6)
			equal(t, "ISR asked for after a late fetch", l.alters(), test.joins)
			l.fetch(b, 7, 6, cut(1))
			equal(t, "high watermark after a fetch since the cut", l.Log.HighWatermark(), test.next)
		})
	}
}

// The answer to a fetch says how often the leader has cut its log since it was elected, so that the next fetch can say
// that it was sent after the cut; a follower that has not heard of it is answered at once. A bump goes on counting, for
// a fetch of the new epoch may have been sent before the cut; an election begins anew.
func TestCutsAreCounted(t *testing.T) {
	l := aligning(t, 10, -1)
	l.RestartOwn(6, &l.env)
	res := l.fetch(b, 6, -1)
	failIf(t, res == nil, "the news of the cut is not held back")
	equal(t, "cuts", res.Cut, 2)
	failIf(t, l.fetch(b, 6, -1, cut(2)) != nil, "there is nothing new to tell")
	l.TruncateOwn(9, event.AlignedToLME, &l.env) // nothing to cut
	l.register(a, 8, a, b)
	l.response()
	equal(t, "cuts after a bump", l.fetch(b, 6, -1).Cut, 2)
	l.register(b, 9, a, b)
	l.register(a, 10, a, b)
	equal(t, "cuts of the new election", l.fetch(b, 6, -1).Cut, 0)
	t.Run("heard by the follower", func(t *testing.T) {
		f := newHost(t, b, spec{})
		f.register(a, 1, a, b)
		req := f.request()
		equal(t, "cut before", req.Cut, 0)
		f.answer(req, wire.FetchResponse{Cut: 3})
		equal(t, "cut after", f.request().Cut, 3)
		f.register(a, 2, a, b)
		equal(t, "cut in a new leader epoch", f.request().Cut, 0)
	})
}

// A log of a mirrored topic is cut at 3 or 5, and its cleaner has removed a record at 1 that one above the cut had outdated: under one
// option of D11 it is cut at 1, whether it leads or follows. The log of a topic that is not mirrored is cut where it is asked for.
func TestCutOutsideCleaned(t *testing.T) {
	for _, test := range []struct {
		divergence string
		desired    record.Desired
		cut, end   int64
	}{
		{"truncate-or-recover", record.WantMirroring, 3, 1},
		{"truncate-or-recover", record.WantMirroring, 5, 1},
		{"truncate-or-recover", record.WantNone, 3, 3},
		{"truncate", record.WantMirroring, 3, 3},
	} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			cleaned := func(self id.Node) *host {
				f := newHost(t, self, spec{desired: test.desired, set: []string{"divergence=" + test.divergence}})
				f.hold(t, "0@1 1@1 2@1 3@1 4@1 5@1").commit(6)
				f.Log.Compact([]int64{0, 2, 3, 4}, &f.out)
				return f
			}
			l := cleaned(a)
			l.register(a, 2, a, b)
			l.TruncateOwn(test.cut, event.AlignedToLME, &l.env)
			equal(t, "the leader's log end", l.Log.End(), test.end)
			f := cleaned(b)
			f.register(a, 2, a, b)
			f.answer(f.request(), wire.FetchResponse{Diverging: true, DivergingEpoch: 1, DivergingOffset: test.cut, LogEnd: 9})
			equal(t, "the follower's log end", f.Log.End(), test.end)
			f = cleaned(b)
			f.register(a, 2, a, b)
			f.answer(f.request(), wire.FetchResponse{Code: wire.OffsetOutOfRange, LogEnd: test.cut})
			equal(t, "the log end of one that was longer", f.Log.End(), test.end)
		})
	}
}
