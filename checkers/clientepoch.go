package checkers

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// clientEpoch: the epoch that a consumer takes from a cluster's records, or from the answer that moves its position, and that
// of a committed offset when it is stored, is at or below the leader epoch in this cluster's metadata log at that time. A consumer that holds a higher one refuses every
// metadata that the cluster can give it, and waits for ever (KIP-320). It is an occasion only where the log may hold epochs
// that are not the cluster's own: on one that is, or has been, a mirror.
type clientEpoch struct{ plain }

// Properties are those that this checker judges.
func (*clientEpoch) Properties() []ID { return []ID{ClientEpoch} }

// Kinds are the events that it looks at.
func (*clientEpoch) Kinds() []event.Kind {
	return []event.Kind{event.ConsumerRead, event.ConsumerMoved, event.OffsetStored}
}

// Clone is the checker itself, which keeps nothing.
func (c *clientEpoch) Clone() Checker { return c }

// Observe judges e.
func (*clientEpoch) Observe(l *Ledger, e *event.Event, r *Reporter) {
	pt, c := l.part(e.Partition), id.Cluster(e.From)
	epoch, did := e.LeaderEpoch, l.name(e.Node)+" took epoch "+num(int64(e.LeaderEpoch))
	if e.Kind == event.OffsetStored {
		c = l.cluster(e.Node)
		epoch, did = e.BatchEpoch, "the committed offset of "+l.name(e.Peer)+" has epoch "+num(int64(e.BatchEpoch))
	}
	cp := pt.in[c]
	if epoch < 0 || !cp.registered {
		return
	}
	if cp.era > 0 {
		r.Exercised(ClientEpoch)
	}
	if epoch <= cp.leaderEpoch {
		return
	}
	offset := e.Offset
	if e.Kind == event.ConsumerRead {
		offset = e.End
	}
	known := num(int64(cp.leaderEpoch))
	r.Violated(ClientEpoch, complaint(did+" for its position "+num(offset)+" in "+l.where(pt, c)+", where the leader epoch is "+known,
		"the metadata log has leader epoch "+known, did, 0, e))
}
