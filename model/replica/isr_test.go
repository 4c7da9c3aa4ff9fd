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

func lagTimer(n id.Node) node.Timer {
	return node.Timer{Kind: replica.TimerLag, Partition: testPartition, Peer: n}
}

// isr-join, D34: what a follower needs beside a log end at or above the high watermark. The leader of a mirrored
// partition is elected at 10, with 0-4@5 and 5-9@6, of which 3 are committed.
func TestISRJoin(t *testing.T) {
	for _, test := range []struct {
		name, token string
		desired     record.Desired
		cut         int64 // of the leader's own log; -1: none
		offset      int64
		joins       bool
	}{
		{"at the leader's end", "epoch-start", record.WantMirroring, -1, 10, true},
		{"below the leader's end at its election", "epoch-start", record.WantMirroring, -1, 9, false},
		{"at a cut", "epoch-start", record.WantMirroring, 6, 6, true},
		{"below a cut", "epoch-start", record.WantMirroring, 6, 5, false},
		{"in the newest epoch", "last-epoch", record.WantMirroring, -1, 5, true},
		{"in the newest epoch of a paused topic", "last-epoch", record.WantPaused, -1, 5, true},
		{"in an older epoch", "last-epoch", record.WantMirroring, -1, 4, false},
		{"in the newest epoch of a stopped topic", "last-epoch", record.WantStopped, -1, 7, false},
		{"in the newest epoch of a plain topic", "last-epoch", record.WantNone, -1, 7, false},
		{"below the high watermark", "last-epoch", record.WantMirroring, -1, 2, false},
		{"below the high watermark in the newest epoch", "last-epoch", record.WantMirroring, 6, 5, false},
		{"an epoch that is the newest only since the cut", "last-epoch", record.WantMirroring, 5, 4, true},
	} {
		t.Run(test.token+" "+test.name, func(t *testing.T) {
			l := newHost(t, a, spec{desired: test.desired, set: []string{"isr-join=" + test.token}}).hold(t,
				"0-4@5 5-9@6").commit(3)
			l.register(a, 7, a, c)
			if test.cut >= 0 {
				l.TruncateOwn(test.cut, event.AlignedToLME, &l.env)
			}
			last := int32(5)
			if test.offset > 5 {
				last = 6
			}
			if test.cut == 6 {
				l.commit(6)
			}
			l.fetch(b, test.offset, last)
			want := []id.Set(nil)
			if test.joins {
				want = []id.Set{id.SetOf(a, b, c)}
			}
			equal(t, "ISR asked for", l.alters(), want)
		})
	}
}

// Once the topic is stopped the ordinary condition holds, though the leader was elected while it was mirroring.
func TestISRJoinAfterTheStop(t *testing.T) {
	l := newHost(t, a, spec{desired: record.WantMirroring, set: []string{"isr-join=last-epoch"}}).hold(t,
		"0-4@5 5-9@6").commit(3)
	l.register(a, 7, a, c)
	l.want(record.WantStopped)
	l.fetch(b, 7, 6)
	equal(t, "ISR asked for", l.alters(), nil)
	l.fetch(b, 10, 6)
	equal(t, "ISR asked for at the leader's end", l.alters(), []id.Set{id.SetOf(a, b, c)})
}

// A follower whose broker is fenced does not join, and one change is asked at a time.
func TestISRJoinEligible(t *testing.T) {
	l := newHost(t, a, spec{}).hold(t, "0-3@1")
	l.register(a, 1, a)
	l.fence(b)
	l.fetch(b, 4, 1)
	equal(t, "ISR asked for, b fenced", l.alters(), nil)
	l.fetch(c, 4, 1)
	equal(t, "ISR asked for", l.alters(), []id.Set{id.SetOf(a, c)})
	l.image.Apply(&record.BrokerRecord{Broker: b, Incarnation: 1})
	l.fetch(b, 4, 1)
	equal(t, "ISR asked for while another change is under way", l.alters(), nil)
	l.register(a, 1, a, c)
	l.fetch(b, 4, 1)
	equal(t, "ISR asked for then", l.alters(), []id.Set{id.SetOf(a, b, c)})
}

// A follower that has not caught up for the lag time leaves the ISR; each good fetch at the leader's end puts it off.
func TestISRShrink(t *testing.T) {
	l := newHost(t, a, spec{}).hold(t, "0-3@1")
	l.register(a, 1, a, b, c)
	equal(t, "lag timer", l.timers[lagTimer(b)], l.settings.ReplicaLag)
	clear(l.timers)
	l.fetch(b, 3, 1)
	equal(t, "lag timer after a fetch below the end", len(l.timers), 0)
	l.fetch(b, 4, 1)
	equal(t, "lag timer after a fetch at the end", l.timers[lagTimer(b)], l.settings.ReplicaLag)
	l.Lagging(b, &l.env)
	asked := l.asked0(t)
	equal(t, "leader epoch and partition epoch", [2]int32{asked.LeaderEpoch, asked.PartitionEpoch}, [2]int32{1, 1})
	equal(t, "ISR asked for", asked.ISR, id.SetOf(a, c))
	equal(t, "retry", l.timers[node.Timer{Kind: replica.TimerAlter, Partition: testPartition}], l.settings.RetryBackoffMax)
	l.AlterAgain(&l.env)
	failIf(t, l.asked0(t).Correlation == asked.Correlation, "each try has its own correlation")
	l.Lagging(c, &l.env)
	equal(t, "asked while another change is under way", l.alters(), nil)
	equal(t, "look at c again", l.timers[lagTimer(c)], l.settings.RetryBackoffMax)
	l.register(a, 1, a, c)
	l.Lagging(c, &l.env)
	equal(t, "ISR asked for", l.alters(), []id.Set{id.SetOf(a)})
	_, armed := l.timers[node.Timer{Kind: replica.TimerAlter, Partition: testPartition}]
	l.register(b, 2, b)
	_, still := l.timers[node.Timer{Kind: replica.TimerAlter, Partition: testPartition}]
	equal(t, "retry armed while it leads, and after", [2]bool{armed, still}, [2]bool{true, false})
	l.AlterAgain(&l.env)
	equal(t, "asked by a follower", l.alters(), nil)
}

// asked0 is the one ISR change asked since the last look.
func (h *host) asked0(t *testing.T) *wire.AlterPartitionRequest {
	t.Helper()
	h.settle()
	if len(h.asked) != 1 {
		t.Fatalf("%d ISR changes were asked", len(h.asked))
	}
	asked := h.asked[0]
	h.asked = nil
	return asked
}

// A shrink that another change of the ISR overtook is looked at again: a follower that is cut off from its leader only
// would stay in the ISR for ever, and hold up the high watermark.
func TestISRShrinkOvertaken(t *testing.T) {
	l := newHost(t, a, spec{}).hold(t, "0-3@1")
	l.register(a, 1, a, b, c)
	l.Lagging(b, &l.env)
	l.alters()
	l.timers = map[node.Timer]id.Duration{}
	l.register(a, 1, a, b) // the controller fenced c
	equal(t, "look at b again", l.timers[lagTimer(b)], l.settings.RetryBackoffMax)
	l.Lagging(b, &l.env)
	equal(t, "ISR asked for", l.alters(), []id.Set{id.SetOf(a)})
}

// A controller that is not known yet is asked when the timer fires.
func TestISRChangeWithoutController(t *testing.T) {
	l := newHost(t, a, spec{}).hold(t, "0-3@1")
	l.register(a, 1, a, b)
	l.env.Controller = id.None
	l.Lagging(b, &l.env)
	equal(t, "asked", l.alters(), nil)
	l.env.Controller = activeController
	l.AlterAgain(&l.env)
	equal(t, "asked then", l.alters(), []id.Set{id.SetOf(a)})
}

// A restarted leader does not take the answer to a request of its former life for one of this.
func TestISRChangeOfAFormerLife(t *testing.T) {
	l, before := expanding(t)
	l.restart()
	l.reg.LeaderEpoch = 1
	l.register(a, 2, a)
	l.fetch(b, 10, 1)
	after := l.asked0(t)
	failIf(t, after.Correlation <= before.Correlation, "correlation %d follows %d", after.Correlation, before.Correlation)
}
