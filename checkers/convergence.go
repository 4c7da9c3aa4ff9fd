package checkers

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// convergence: with the mirror MIRRORING, the source quiet and lag 0, both ends are equal and the logs match. It is
// judged when an answer is applied, when the destination's high watermark moves, and at the end, provided that the
// source's log has not changed since it gave its last answer: only then do "lag 0" and both logs speak of one moment. A
// second divergence at the same place, with nothing cut in between, is a mirror that does not converge, though its lag,
// floored, reads 0.
type convergence struct{}

// Properties are those that this checker judges.
func (*convergence) Properties() []ID { return []ID{Convergence} }

// Kinds are the events that it looks at.
func (*convergence) Kinds() []event.Kind {
	return []event.Kind{event.MirrorFetched, event.HighWatermark, event.FetchAnswered}
}

// Clone is the checker itself, which keeps nothing.
func (c *convergence) Clone() Checker { return c }

// AppendState has nothing to add to the ledger's.
func (*convergence) AppendState(dst []byte) []byte { return dst }

// Observe judges e.
func (c *convergence) Observe(l *Ledger, e *event.Event, r *Reporter) {
	pt := l.part(e.Partition)
	if e.Kind == event.FetchAnswered {
		if event.Fetcher(e.From) == event.MirrorFetcher && e.Cause == 1 && e.To == codeOK {
			c.stuck(l, pt, e, r)
		}
		return
	}
	if cl := l.cluster(e.Node); cl != noCluster && pt.in[cl].leader == e.Node {
		c.judge(l, pt, cl, r)
	}
}

// Finish judges how the run ends.
func (c *convergence) Finish(l *Ledger, r *Reporter) {
	for _, x := range l.index {
		for cl := range l.parts[x.slot].in {
			c.judge(l, l.parts[x.slot], id.Cluster(cl), r)
		}
	}
}

// judge compares both ends if the lag of the partition on cluster cl is 0 and its source is quiet.
func (*convergence) judge(l *Ledger, pt *part, cl id.Cluster, r *Reporter) {
	cp := pt.in[cl]
	h := &cp.heard
	if !h.known || cp.state != record.Mirroring || int(h.source) >= len(pt.replicas) {
		return
	}
	d, s := l.leaderLog(pt, cl), pt.replicas[h.source]
	if s == nil || !cp.current(h.node, d) || h.leaderEpoch != cp.leaderEpoch || d.HighWatermark != h.end {
		return
	}
	if h.version != s.version || !quietSource(l, pt, s, h) {
		return
	}
	r.Exercised(Convergence)
	from := max(s.Start, d.Start)
	if d.End == s.End && s.equal(d, from, s.End, true) {
		return
	}
	words, facts, events := l.difference(pt, h.source, h.node, from, max(s.End, d.End))
	r.Violated(Convergence, Violation{l.replica(pt, h.node) + " is MIRRORING with lag 0 at " + num(h.end) +
		", but differs from its source " + l.replica(pt, h.source) + ": " + words, facts, events})
}

// quietSource tells whether s is the present leader of its cluster in the epoch that the fetch named, with nothing
// above its high watermark and no open transaction, and ends where its answer said.
func quietSource(l *Ledger, pt *part, s *Shadow, h *heard) bool {
	cp := pt.in[l.cluster(h.source)]
	return cp.current(h.source, s) && s.leaderEpoch == h.sourceEpoch && s.End == s.HighWatermark && h.end == s.End &&
		s.lastStable() == s.End
}

// mostIgnored is how many divergences a leader may hear while it waits to ask again for a state that was refused.
const mostIgnored = 8

// stuck judges a divergence that was answered before, was heard, and has led to nothing: the partition was in no other
// state since, and its fetcher runs. One that was stopped waits to say that it is FAILED, and what is answered then is a
// fetch that comes twice; and a leader that has asked for another state, such as ULE_RECOVERY, fetches again until it is stored, and for
// the time of a back-off where that was refused.
func (*convergence) stuck(l *Ledger, pt *part, e *event.Event, r *Reporter) {
	cl := l.cluster(e.Peer)
	if cl == noCluster {
		return
	}
	cp, d, s, before := pt.in[cl], pt.replicas[e.Peer], pt.replicas[e.Node], l.was.probe
	if d == nil || !cp.current(e.Peer, d) || cp.state != record.Mirroring || !d.endsIn(e.BatchEpoch) || d.End != e.Offset ||
		cp.halted || cp.leaving == cp.leaderEpoch && cp.ignored < mostIgnored {
		return
	}
	if !before.diverging || !before.applied || before.source != e.Node || before.offset != e.Offset ||
		before.epoch != e.BatchEpoch || before.version != s.version {
		return
	}
	r.Exercised(Convergence)
	if s.HighWatermark > d.HighWatermark {
		return // its lag shows that it is behind
	}
	r.Violated(Convergence, complaint(l.replica(pt, e.Peer)+" is MIRRORING at "+num(d.HighWatermark)+
		", not behind its source "+l.replica(pt, e.Node)+" at "+num(s.HighWatermark)+
		", and stays diverged from it at offset "+num(e.Offset),
		"a divergence at "+num(e.Offset)+" was answered before and heard", "the same fetch diverges again", 0, e))
}
