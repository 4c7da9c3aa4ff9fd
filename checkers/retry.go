package checkers

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// retry is how a FAILED partition is tried again: each time the state that it failed from is stored anew, and where the cause is still
// there, FAILED follows with the same reason (section 3 of the design). The times are of the states' storing.
type retry struct {
	reason   record.Reason // of the failure that is tried again; NoReason: of none
	underWay bool          // the state that it failed from is stored, and FAILED is not yet
	since    id.Duration   // when that state, or FAILED, was stored
	longest  id.Duration   // that a retry which failed again has taken; 0 before one has
}

// fold takes in that a state was stored. What a new leader stores again goes on with the retry that there was.
func (r *retry) fold(e *event.Event) {
	from, to, why := record.State(e.From), record.State(e.To), record.Reason(e.Cause)
	switch {
	case to == record.Failed && why != r.reason:
		*r = retry{reason: why, since: e.At}
	case to == record.Failed && r.underWay:
		r.underWay, r.longest, r.since = false, max(r.longest, e.At-r.since), e.At
	case from == record.Failed && (to == record.Preparing || to == record.Mirroring):
		r.underWay, r.since = true, e.At
	case from != to:
		*r = retry{}
	}
}

// refused is why a partition of which a mirror wants records cannot have them: the reason of FAILED, or of the failure that is being tried
// again, where what the history shows of the source lets no retry succeed; NoReason if it can have them. A run ends at some moment, and
// what is refused for good stands then in FAILED, or in a retry.
func (l *Ledger) refused(pt *part, c id.Cluster) record.Reason {
	cp, topic := pt.in[c], l.topics[pt.topic]
	r, want := &cp.retry, topic.desired[c]
	switch source := l.source(c, topic.mirror[c]); {
	case cp.state == record.Failed && r.underWay: // stored, and not committed yet
		return r.reason
	case cp.state == record.Failed:
		return cp.failure.reason
	case want != record.WantMirroring && want != record.WantPaused || source == noCluster:
		return record.NoReason
	case l.now-r.since >= 2*r.longest: // the first one may go on, and one that takes much longer hangs
		return record.NoReason
	case r.reason == record.ReverseActive && l.leadsBack(pt, c),
		r.reason == record.PartitionMissing && !pt.in[source].registered,
		r.reason == record.CorruptBatch && pt.in[source].corrupt > 0:
		return r.reason
	}
	return record.NoReason
}

// failed tells whether the partition is FAILED, or refused in a retry.
func (l *Ledger) failed(pt *part, c id.Cluster) bool {
	return pt.in[c].state == record.Failed || l.refused(pt, c) != record.NoReason
}

// leadsBack tells whether the mirrors that bring the partition to cluster c come from c again, or go round without it: such a chain has
// no end at which the records are made, and a start that would follow it is refused (D20).
func (l *Ledger) leadsBack(pt *part, c id.Cluster) bool {
	at := l.upstream(pt, c)
	for range l.clusters {
		if at == noCluster || at == c {
			break
		}
		at = l.upstream(pt, at)
	}
	return at != noCluster
}

// upstream is the cluster of which cluster c mirrors the partition, as it answers a lookup (D20): a mirror that is not to be stopped is
// active, whatever is stored of it, and another one until STOPPED is stored. It is noCluster if c mirrors it of none.
func (l *Ledger) upstream(pt *part, c id.Cluster) id.Cluster {
	topic, state := l.topics[pt.topic], pt.in[c].state
	if want := topic.desired[c]; want == record.WantNone || want == record.WantStopped && (state == record.Stopped || state == record.Unknown) {
		return noCluster
	}
	return l.source(c, topic.mirror[c])
}
