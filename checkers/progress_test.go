package checkers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// fail stores FAILED for a reason on cluster c.
func (b *builder) fail(c id.Cluster, why record.Reason) {
	b.store(c, record.Failed)
	i := len(b.events) - 1
	for b.events[i].Kind != event.StateStored {
		i--
	}
	b.events[i].Cause = uint8(why)
}

// uncleanSupport makes mirror.support.unclean.leader.election true for the topic on B.
func (b *builder) uncleanSupport() {
	for i := range b.events {
		if e := &b.events[i]; e.Kind == event.TopicCreated && e.Node == bLog && e.From == 0 {
			e.From = 4
		}
	}
}

// more are histories of failures, pauses, deletions and readers with a core, and what is pending there; accepted waits have
// a star.
var more = []struct {
	name string
	make func() *builder
	core id.Set
	want []string
}{
	{"FAILED with a reason is an end", func() *builder {
		b := mirrored()
		b.fail(clusterB, record.SourceUnreachable)
		return b
	}, wholeCore, nil},
	{"FAILED without a reason", func() *builder {
		b := mirrored()
		b.fail(clusterB, record.NoReason)
		return b
	}, wholeCore, []string{"reaches-desired: B/t-0 is FAILED without a reason, wanted is MIRRORING"}},
	{"FAILED, and to be stopped", func() *builder {
		b := mirrored()
		b.fail(clusterB, record.SourceUnreachable)
		b.want(clusterB, record.WantStopped)
		return b
	}, wholeCore, []string{
		"becomes-writable: B/t-0 is to be stopped and is not writable: b0 leads in epoch 0 and takes no writes"}},
	{"paused", paused, wholeCore, nil},
	{"to be paused", func() *builder {
		b := mirrored()
		b.want(clusterB, record.WantPaused)
		return b
	}, wholeCore, []string{"reaches-desired: B/t-0 is MIRRORING, wanted is PAUSED"}},
	{"its mirror was deleted", func() *builder {
		b := stopped()
		b.deleteMirror(clusterB)
		return b
	}, wholeCore, nil},
	{"its mirror was deleted, and its entry is still there, and its leader has not heard of it", func() *builder {
		b := stopped()
		b.on(event.IntentChanged, bLog, event.Event{Partition: id.Partition{Topic: topicT}, Mirror: mirrorM})
		b.on(event.WritableChanged, b0, event.Event{Mirror: mirrorM})
		return b
	}, wholeCore, []string{"reaches-desired: B/t-0 is STOPPED, wanted is UNKNOWN",
		"becomes-writable: B/t-0 is to be a plain topic and is not writable: b0 leads in epoch 1 and takes no writes"}},
	{"alignment waits for a replica that is down for good", func() *builder {
		b := mirrored()
		b.uncleanSupport()
		b.intent(clusterB, record.WantMirroring)
		b.store(clusterB, record.UleRecovery)
		b.elect(clusterB, b0, event.EpochBump)
		b.register(clusterB, event.IsrChange, id.SetOf(b0))
		return b
	}, wholeCore.Without(b1), []string{"*reaches-desired: B/t-0 is ULE_RECOVERY, wanted is MIRRORING",
		"*lag-drains: B/t-0 has not heard its source in leader epoch 1"}},
	{"the same without unclean-election support", func() *builder {
		b := mirrored()
		b.store(clusterB, record.UleRecovery)
		b.register(clusterB, event.IsrChange, id.SetOf(b0))
		return b
	}, wholeCore.Without(b1), []string{"reaches-desired: B/t-0 is ULE_RECOVERY, wanted is MIRRORING"}},
	{"a consumer has read all", func() *builder {
		b := mirrored()
		b.consume(r1, clusterB, 0)
		return b
	}, wholeCore, nil},
	{"a consumer is behind", func() *builder {
		b := mirrored()
		b.consume(r1, clusterB, 0)
		b.on(event.ConsumerMoved, r1, event.Event{From: uint8(clusterB), Offset: 1})
		return b
	}, wholeCore, []string{"consumer-progress: B/t-0 has r1 at 1, and its high watermark is 3"}},
	{"a consumer is beyond the end", func() *builder {
		b := mirrored()
		b.on(event.ConsumerMoved, r1, event.Event{From: uint8(clusterB), Offset: 9})
		return b
	}, wholeCore, []string{"consumer-progress: B/t-0 has r1 at 9, and its high watermark is 3"}},
	{"a consumer has told its application of an error", func() *builder {
		b := mirrored()
		b.on(event.ConsumerMoved, r1, event.Event{From: uint8(clusterB), Offset: 1, To: 40})
		return b
	}, wholeCore, nil},
	{"a group's member has no position", func() *builder {
		b := mirrored()
		b.on(event.ConsumerAssigned, r1, event.Event{From: uint8(clusterB)})
		return b
	}, wholeCore, []string{"consumer-progress: B/t-0 has r1 without a position"}},
	{"a group's member has left", func() *builder {
		b := mirrored()
		b.on(event.ConsumerAssigned, r1, event.Event{From: uint8(clusterB)})
		b.emit(event.Event{Kind: event.GroupReturned, Node: r1, From: uint8(clusterB), Cause: 1})
		return b
	}, wholeCore, nil},
	{"a consumer is down", func() *builder {
		b := mirrored()
		b.on(event.ConsumerMoved, r1, event.Event{From: uint8(clusterB), Offset: 1})
		b.emit(event.Event{Kind: event.Crashed, Node: r1})
		return b
	}, wholeCore, nil},
	{"the last stable offset does not pass", func() *builder {
		b := transactions()
		b.consumeCommitted(clusterA, 0, 6, 0, 1, 5)
		return b
	}, wholeCore, []string{"consumer-progress: A/t-0 has r1 at 6, and its high watermark is 7; its last stable offset does not " +
		"pass: the transaction of producer 7, epoch 0, from offset 6 was open"}},
	{"the same on a mirror whose source is lost", func() *builder {
		b := mirroredTransactions()
		b.consumeCommitted(clusterB, 0, 6, 0, 1, 5)
		return b
	}, id.SetOf(b0, b1), []string{"*consumer-progress: B/t-0 has r1 at 6, and its high watermark is 7; its last stable offset " +
		"does not pass: the transaction of producer 7, epoch 0, from offset 6 was open"}},
	{"the same on a mirror that is FAILED", func() *builder {
		b := mirroredTransactions()
		b.consumeCommitted(clusterB, 0, 6, 0, 1, 5)
		b.store(clusterB, record.Failed)
		return b
	}, wholeCore, []string{"reaches-desired: B/t-0 is FAILED without a reason, wanted is MIRRORING",
		"*consumer-progress: B/t-0 has r1 at 6, and its high watermark is 7; its last stable offset " +
			"does not pass: the transaction of producer 7, epoch 0, from offset 6 was open"}},
}

func TestMorePending(t *testing.T) {
	for _, c := range more {
		t.Run(c.name, func(t *testing.T) {
			b := c.make()
			l := judge(t, b.events).Ledger()
			var got []string
			for _, p := range l.Pending(c.core) {
				star := ""
				if p.Accepted {
					star = "*"
				}
				got = append(got, fmt.Sprintf("%s%v: %s/%s %s", star, p.Property, l.topology.Names.Cluster(p.Cluster),
					l.topology.Names.Partition(p.Partition), p.Why))
				if p.Facts[0] == "" || p.Facts[1] == "" {
					t.Errorf("%v names the facts %q", p.Property, p.Facts)
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// A wait that the design accepts is told, and is no violation.
func TestAcceptedWaitsAreNoViolation(t *testing.T) {
	b := mirrored()
	b.uncleanSupport()
	b.store(clusterB, record.UleRecovery)
	b.register(clusterB, event.IsrChange, id.SetOf(b0))
	s := judge(t, b.events)
	s.JudgeLive(wholeCore.Without(b1), 60*id.Second, nil)
	if v := verdictOf(t, s, ReachesDesired.String()); v.Status != Holds || v.Occasions != 1 {
		t.Errorf("%v, %d occasions: %v", v.Status, v.Occasions, v.Violations)
	}
	want := "reaches-desired: B/t-0 is ULE_RECOVERY, wanted is MIRRORING, 1m after the last fault; no node says"
	if got := s.Clone().Accepted(); len(got) != 1 || !strings.HasPrefix(got[0], want) {
		t.Errorf("accepted: %q", got)
	}
}
