package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// hotLoopBound is how many events of the kinds that noHotLoop counts a partition may have on one cluster in one virtual second.
// A message inside a cluster takes half a millisecond, so that a loop without a pause makes some thousand; what has a back-off
// makes ten, and a busy second of elections, stops and repeats stays below a hundred.
const hotLoopBound = 200

// noHotLoop: nobody does the same again and again without a pause. Counted by partition, cluster and virtual second are the events
// that tell of an attempt: a fetch answered with an error or a divergence, a log that is cut, elections, reads and writes of mirror
// states and positions, what the state machine begins and ends, a consumer that moves. What a record costs is not
// counted, as there may be any number of them. Each second in which a partition has such an event is an occasion.
type noHotLoop struct{ perCluster[busySecond] }

// busySecond is how many events a partition had in the newest second in which it had one.
type busySecond struct {
	second id.Duration // in whole seconds since the start, from 1
	count  int
	first  uint64 // the index of the first of them
}

// attempts are the kinds that are counted, FetchAnswered only where it gives nothing.
var attempts = []event.Kind{event.PartitionChanged, event.BecameLeader, event.BecameFollower, event.Truncated,
	event.FetchAnswered, event.StateReadCalled, event.StateReadReturned, event.StateWriteCalled, event.StateWriteReturned,
	event.PositionWriteCalled, event.PositionWriteReturned, event.StateStored, event.PositionStored, event.StateEntered,
	event.LookupReturned, event.Aligned, event.MirrorFetchStarted, event.MirrorFetched, event.MirrorFetchStopped, event.StopStepDone,
	event.WritableChanged, event.CoordinatorLoaded, event.ConsumerMoved}

// Properties are those that this checker judges.
func (*noHotLoop) Properties() []ID { return []ID{NoHotLoop} }

// Kinds are the events that it looks at.
func (*noHotLoop) Kinds() []event.Kind { return slices.Clone(attempts) }

// Finish has nothing left to judge.
func (*noHotLoop) Finish(*Ledger, *Reporter) {}

// Clone copies the counts.
func (c *noHotLoop) Clone() Checker { return &noHotLoop{c.clone()} }

// AppendState appends the counts.
func (c *noHotLoop) AppendState(dst []byte) []byte {
	for i := range c.rows {
		dst = words(dst, uint64(c.rows[i].count))
	}
	return dst
}

// Observe counts e. A second that has too many is reported once.
func (c *noHotLoop) Observe(l *Ledger, e *event.Event, r *Reporter) {
	cl := l.cluster(e.Node)
	if cl == noCluster || e.Kind == event.FetchAnswered && e.To == codeOK && e.Cause == 0 {
		return
	}
	pt := l.part(e.Partition)
	x := c.at(l, pt, cl)
	if second := e.At/id.Second + 1; x.second != second {
		*x = busySecond{second: second, first: e.Index}
		r.Exercised(NoHotLoop)
	}
	if x.count++; x.count == hotLoopBound+1 {
		more := "more than " + num(hotLoopBound) + " events in its second " + num(int64(x.second)-1)
		r.Violated(NoHotLoop, complaint(l.where(pt, cl)+" has "+more+", the last of them "+e.Kind.String()+" of "+l.name(e.Node),
			"the first of them was at that second's begin", more, x.first, e))
	}
}
