package checkers

import (
	"cmp"
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// hotLoopBound is how many events of the kinds that noHotLoop counts a partition may have on one cluster in one virtual second.
// A message inside a cluster takes half a millisecond, so that a loop without a pause makes some thousand; what has a back-off
// makes ten, and a busy second of elections, stops and repeats stays below a hundred.
const hotLoopBound = 200

// noHotLoop: nobody does the same again and again without a pause. Counted by partition, cluster and virtual second are the events
// that tell of an attempt: a fetch answered with an error or a divergence, a log that is cut, elections, reads and writes of mirror
// states and positions, what the state machine begins and ends, a consumer that moves on that cluster, committed offsets but an
// admin's. Counted so by group and cluster are its joins and what its coordinator stores of its member, and by mirror and cluster
// the passes of mirror-wide work. What a record costs is not counted, as there may be any number of them. Each second in which
// there is such an event is an occasion.
type noHotLoop struct {
	perCluster[busySecond]
	beside []besidePartitions // ordered by cluster, mirror and group
}

// besidePartitions is the newest second of a mirror or a group on a cluster.
type besidePartitions struct {
	cluster id.Cluster
	mirror  id.Mirror // 0: it is a group
	group   id.Node   // its only member, the client
	busySecond
}

// busySecond is how many events there were in the newest second in which there was one.
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
	event.WritableChanged, event.CoordinatorLoaded, event.ConsumerMoved, event.OffsetStored, event.GroupStored, event.GroupJoined,
	event.MirrorSynced}

// Properties are those that this checker judges.
func (*noHotLoop) Properties() []ID { return []ID{NoHotLoop} }

// Kinds are the events that it looks at.
func (*noHotLoop) Kinds() []event.Kind { return slices.Clone(attempts) }

// Finish has nothing left to judge.
func (*noHotLoop) Finish(*Ledger, *Reporter) {}

// Clone copies the counts.
func (c *noHotLoop) Clone() Checker { return &noHotLoop{c.clone(), slices.Clone(c.beside)} }

// AppendState appends the counts.
func (c *noHotLoop) AppendState(dst []byte) []byte {
	for i := range c.rows {
		dst = words(dst, uint64(c.rows[i].count))
	}
	for i := range c.beside {
		x := &c.beside[i]
		dst = words(dst, uint64(x.cluster)<<32|uint64(x.mirror)<<16|uint64(x.group), uint64(x.count))
	}
	return dst
}

// Observe counts e. A second that has too many is reported once.
func (c *noHotLoop) Observe(l *Ledger, e *event.Event, r *Reporter) {
	cl := triesOn(l, e)
	if cl == noCluster {
		return
	}
	x := c.of(l, cl, e)
	if second := e.At/id.Second + 1; x.second != second {
		*x = busySecond{second: second, first: e.Index}
		r.Exercised(NoHotLoop)
	}
	if x.count++; x.count == hotLoopBound+1 {
		more := "more than " + num(hotLoopBound) + " events in its second " + num(int64(x.second)-1)
		r.Violated(NoHotLoop, complaint(looping(l, cl, e)+" has "+more+", the last of them "+e.Kind.String()+" of "+l.name(e.Node),
			"the first of them was at that second's begin", more, x.first, e))
	}
}

// triesOn is the cluster on which e tells of an attempt, noCluster where it tells of none. A client's home is not where it tries.
func triesOn(l *Ledger, e *event.Event) id.Cluster {
	switch {
	case e.Kind == event.FetchAnswered && e.To == codeOK && e.Cause == 0,
		e.Kind == event.OffsetStored && record.CommitOrigin(e.Cause) == record.CommitAdmin:
		return noCluster
	case e.Kind == event.ConsumerMoved || e.Kind == event.GroupJoined:
		return id.Cluster(e.From)
	}
	return l.cluster(e.Node)
}

// of is the second in which e counts: its partition's, or its group's or mirror's.
func (c *noHotLoop) of(l *Ledger, cl id.Cluster, e *event.Event) *busySecond {
	x := besidePartitions{cluster: cl}
	switch e.Kind {
	case event.MirrorSynced:
		x.mirror = e.Mirror
	case event.GroupStored:
		x.group = e.Peer
	case event.GroupJoined:
		x.group = e.Node
	default:
		return c.at(l, l.part(e.Partition), cl)
	}
	i, found := slices.BinarySearchFunc(c.beside, x, func(x, y besidePartitions) int {
		return cmp.Or(cmp.Compare(x.cluster, y.cluster), cmp.Compare(x.mirror, y.mirror), cmp.Compare(x.group, y.group))
	})
	if !found {
		c.beside = slices.Insert(c.beside, i, x)
	}
	return &c.beside[i].busySecond
}

// looping names what e counts for.
func looping(l *Ledger, cl id.Cluster, e *event.Event) string {
	on := " on " + l.topology.Names.Cluster(cl)
	switch e.Kind {
	case event.MirrorSynced:
		return "the work of mirror " + l.topology.Names.Mirror(e.Mirror) + on
	case event.GroupStored:
		return "group " + l.name(e.Peer) + on
	case event.GroupJoined:
		return "group " + l.name(e.Node) + on
	}
	return l.where(l.part(e.Partition), cl)
}
