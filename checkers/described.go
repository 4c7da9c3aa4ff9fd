package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// failure is why the state that was stored last cannot go on, and how often that was so in a row. A FAILED that has no reason
// is no end (liveness.go).
type failure struct {
	reason   record.Reason
	attempts int16
}

// Description is what DescribeMirrors answered of a partition.
type Description struct {
	Mirror   id.Mirror
	Desired  record.Desired
	State    record.State
	Reason   record.Reason
	Attempts int16 // failures in a row; -1: not retryable
	Lag      int64 // by D43
	LagKnown bool
	Epoch    int32 // the last mirrored position; record.NoPosition if there is none
	Offset   int64
}

func failureOf(e *event.Event) failure { return failure{record.Reason(e.Cause), int16(e.Digest)} }

// foldDescribed keeps the last answer of each mirror, newest last. The list is replaced, never changed in place: clones share
// it.
func (l *Ledger) foldDescribed(e *event.Event) {
	c := l.cluster(e.Node)
	if c == noCluster {
		return
	}
	cp := l.part(e.Partition).in[c]
	kept := slices.DeleteFunc(slices.Clone(cp.described), func(d Description) bool { return d.Mirror == e.Mirror })
	cp.described = append(kept, Description{Mirror: e.Mirror, Desired: record.Desired(e.From), State: record.State(e.To),
		Reason: record.Reason(e.Cause), Attempts: int16(e.Sequence), Lag: e.Offset, LagKnown: e.End == 1, Epoch: e.BatchEpoch,
		Offset: e.ProducerID})
}

// Failure is the reason and the attempts of the state of p on c that was stored last, over all mirrors: NoReason and 0 where
// it is none of a failure, and -1 where the failure is not retryable.
func (l *Ledger) Failure(c id.Cluster, p id.Partition) (record.Reason, int) {
	if cp := l.cp(c, p); cp != nil {
		return cp.failure.reason, int(cp.failure.attempts)
	}
	return record.NoReason, 0
}

// Described is the last description of p on c under that mirror; 0 is whichever.
func (l *Ledger) Described(c id.Cluster, m id.Mirror, p id.Partition) (Description, bool) {
	cp := l.cp(c, p)
	for i := 0; cp != nil && i < len(cp.described); i++ {
		if d := cp.described[len(cp.described)-1-i]; m == 0 || d.Mirror == m {
			return d, true
		}
	}
	return Description{}, false
}
