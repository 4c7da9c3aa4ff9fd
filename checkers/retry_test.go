package checkers

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// tried is B mirroring from A, and A started the other way and refused so often, with a last retry under way.
func tried(times int, why record.Reason) *builder {
	b := mirrored()
	b.intent(clusterA, record.WantMirroring)
	b.store(clusterA, record.Preparing)
	for range times {
		b.fail(clusterA, why)
		b.store(clusterA, record.Preparing)
		b.run[clusterA]-- // it is the same run
	}
	return b
}

// waiting is what is pending of A/t-0 in a PREPARING that is to go on.
var waiting = []string{"reaches-desired: A/t-0 is PREPARING, wanted is MIRRORING",
	"lag-drains: A/t-0 has not heard its source in leader epoch 0"}

// retries are histories with a retry of A/t-0, and what is pending of it.
var retries = []struct {
	name string
	make func() *builder
	want []string
}{
	{"again and again, and the reverse mirror is active", func() *builder { return tried(2, record.ReverseActive) }, nil},
	{"FAILED is stored and not committed", func() *builder {
		b := tried(2, record.ReverseActive)
		b.on(event.StateStored, a1, event.Event{Mirror: mirrorM, Peer: a0, From: uint8(record.Preparing), To: uint8(record.Failed),
			Offset: 1, Cause: uint8(record.ReverseActive), Sequence: 9})
		return b
	}, nil},
	{"the retry is stored and not committed", func() *builder {
		b := tried(2, record.ReverseActive)
		b.fail(clusterA, record.ReverseActive)
		b.on(event.StateStored, a1, event.Event{Mirror: mirrorM, Peer: a0, From: uint8(record.Failed), To: uint8(record.Preparing),
			Offset: 1, Sequence: 9})
		return b
	}, nil},
	{"a new leader goes on with the retry", func() *builder {
		b := tried(2, record.ReverseActive)
		b.store(clusterA, record.Preparing)
		return b
	}, nil},
	{"the first retry", func() *builder { return tried(1, record.ReverseActive) }, waiting},
	{"a retry that hangs", func() *builder {
		b := tried(2, record.ReverseActive)
		b.emit(event.Event{Kind: event.PointReached, Node: a0}).At += id.Second
		return b
	}, waiting},
	{"the reverse mirror is stopped", func() *builder {
		b := tried(2, record.ReverseActive)
		n := len(b.events)
		b.stopMirror(clusterB)
		for i := n; i < len(b.events); i++ {
			b.events[i].At = b.events[n].At // in no time
		}
		return b
	}, waiting},
	{"it is to be stopped", func() *builder {
		b := tried(2, record.ReverseActive)
		b.want(clusterA, record.WantStopped)
		return b
	}, []string{"reaches-desired: A/t-0 is PREPARING, wanted is STOPPED",
		"becomes-writable: A/t-0 is to be stopped and is not writable: a0 leads in epoch 0 and takes no writes"}},
	{"another reason in between", func() *builder {
		b := tried(1, record.SourceUnreachable)
		b.fail(clusterA, record.ReverseActive)
		b.store(clusterA, record.Preparing)
		return b
	}, waiting},
	{"a source that can be reached", func() *builder { return tried(2, record.SourceUnreachable) }, waiting},
	{"a partition that the source has", func() *builder { return tried(2, record.PartitionMissing) }, waiting},
	{"a partition that the source lacks", func() *builder {
		b := tried(2, record.PartitionMissing)
		b.on(event.TopicRemoved, bLog, event.Event{Partition: id.Partition{Topic: topicT}})
		return b
	}, nil},
	{"a batch that is corrupt", func() *builder {
		b := tried(2, record.CorruptBatch)
		b.emit(event.Event{Kind: event.Corrupted, Node: b0, Partition: t0, To: 1})
		return b
	}, nil},
	{"a batch that is whole again", func() *builder { return tried(2, record.CorruptBatch) }, waiting},
}

// Where a FAILED partition is tried again and again the run may end in a retry. That is an end as FAILED is, where the history shows
// that the retry cannot succeed, and none where it can, or hangs.
func TestRetryOfWhatIsRefused(t *testing.T) {
	for _, c := range retries {
		t.Run(c.name, func(t *testing.T) {
			l := judge(t, c.make().events).Ledger()
			var got []string
			for _, p := range l.Pending(wholeCore) {
				if p.Cluster == clusterA {
					got = append(got, fmt.Sprintf("%v: A/t-0 %s", p.Property, p.Why))
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// What is refused in a retry cannot go on beside others either, and a transaction that is open there is ended by a stop only.
func TestRefusedInARetryIsAsFailed(t *testing.T) {
	l := judge(t, tried(2, record.ReverseActive).events).Ledger()
	pt := l.seek(t0)
	if got := l.afflicted(pt, clusterA, wholeCore); got != "is FAILED: the reverse mirror is active" {
		t.Errorf("afflicted: %q", got)
	}
	if !l.endless(task{pt: pt, cp: pt.in[clusterA], cluster: clusterA}, wholeCore) {
		t.Error("an open transaction there is said to end")
	}
	l = judge(t, tried(1, record.ReverseActive).events).Ledger()
	if got := l.afflicted(l.seek(t0), clusterA, wholeCore); got != "" {
		t.Errorf("the first retry is afflicted: %q", got)
	}
}
