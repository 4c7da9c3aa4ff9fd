package replica

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/wire"
)

// Fetch answers a fetch, or parks it when there is nothing to read yet. A follower's fetch that comes behind a newer one
// of its own, late or for the second time, is dropped: its answer is not waited for any more, and the follower's log may
// be shorter by now. Kafka's connections keep the order, and the broker epoch in the fetch tells starts apart (KIP-903). One for an
// earlier topic of this id is of another count, which the follower begins anew with the topic.
func (r *Replica) Fetch(from id.Node, req *wire.FetchRequest, env *Env) {
	if f := r.follower(req.Replica); f != nil && !r.ofAnother(req) {
		if f.fetch != 0 && req.Correlation <= f.fetch {
			return
		}
		f.fetch = req.Correlation
	}
	r.unpark(from, env)
	res := r.read(req, env)
	if f := r.follower(req.Replica); f != nil && res.Code == wire.OK && !res.Diverging {
		r.heard(f, req, env)
		res.HighWatermark = r.Log.HighWatermark() // the fetch itself may have raised it
	}
	if r.ready(req, res) || req.MaxWait == 0 {
		r.answer(from, req, res, env)
		return
	}
	r.parked = append(r.parked, parked{from, req})
	env.Out.Arm(node.Timer{Kind: TimerParked, Partition: r.ID(), Peer: from}, req.MaxWait, 0)
}

// ofAnother tells whether a follower fetches for another topic of this id: one was deleted and created again, as a mirror does.
func (r *Replica) ofAnother(req *wire.FetchRequest) bool {
	return req.Replica != id.None && req.CreatedAt != 0 && req.CreatedAt != r.createdAt
}

// ParkedTimedOut answers the parked fetch of peer with what there is.
func (r *Replica) ParkedTimedOut(peer id.Node, env *Env) {
	if req := r.unpark(peer, env); req != nil {
		r.answer(peer, req, r.read(req, env), env)
	}
}

// answerParked tries every parked fetch again: after an append, a move of the high watermark, a change of the leader
// epoch, or a truncation of this leader's own log. One that is found diverging is answered at once.
func (r *Replica) answerParked(env *Env) {
	kept := r.parked[:0]
	for _, p := range r.parked {
		res := r.read(p.req, env)
		if !r.ready(p.req, res) {
			kept = append(kept, p)
			continue
		}
		env.Out.Cancel(node.Timer{Kind: TimerParked, Partition: r.ID(), Peer: p.from})
		r.answer(p.from, p.req, res, env)
	}
	clear(r.parked[len(kept):])
	r.parked = kept
}

func (r *Replica) unpark(peer id.Node, env *Env) *wire.FetchRequest {
	for i, p := range r.parked {
		if p.from == peer {
			r.parked = append(r.parked[:i], r.parked[i+1:]...)
			env.Out.Cancel(node.Timer{Kind: TimerParked, Partition: r.ID(), Peer: peer})
			return p.req
		}
	}
	return nil
}

// ready tells whether an answer is worth sending before the fetch has waited for long enough.
func (r *Replica) ready(req *wire.FetchRequest, res *wire.FetchResponse) bool {
	if res.Code != wire.OK || res.Diverging || len(res.Batches) > 0 {
		return true
	}
	f := r.follower(req.Replica)
	return f != nil && (f.sentHW < res.HighWatermark || f.cut != r.cuts) // news that the follower waits for
}

// read makes the answer to a fetch from the log as it is now.
func (r *Replica) read(req *wire.FetchRequest, env *Env) *wire.FetchResponse {
	res := &wire.FetchResponse{Partition: r.ID(), LeaderEpoch: r.LeaderEpoch(), FetchOffset: req.FetchOffset, Correlation: req.Correlation}
	switch {
	case r.Role != Leader:
		res.Code = r.notLeader()
		return res
	case req.CurrentLeaderEpoch >= 0 && req.CurrentLeaderEpoch < r.Reg.LeaderEpoch:
		res.Code = wire.FencedLeaderEpoch
		return res
	case req.CurrentLeaderEpoch > r.Reg.LeaderEpoch:
		res.Code = wire.UnknownLeaderEpoch
		return res
	case req.Replica != id.None && r.follower(req.Replica) == nil:
		res.Code = wire.UnknownTopicOrPartition // not one of the replicas (KAFKA-9672)
		return res
	case r.ofAnother(req):
		// One of the two has not heard yet that the topic was deleted and created again under its id.
		res.Code = wire.UnknownTopicOrPartition
		return res
	}
	l := r.Log
	res.HighWatermark, res.LastStable, res.LogStart, res.LogEnd, res.Cut = l.HighWatermark(), l.LastStable(), l.Start(), l.End(), r.cuts
	if req.FetchOffset < l.Start() { // whether epochs diverge or not, as in Kafka's Partition.readRecords
		res.Code = wire.OffsetOutOfRange
		return res
	}
	if r.diverges(req, res, env) {
		return res
	}
	if req.FetchOffset > l.End() {
		res.Code = wire.OffsetOutOfRange
		return res
	}
	if f := r.follower(req.Replica); f != nil && f.strayed && r.realigns(req, res, env) {
		return res
	}
	bound := l.End()
	switch {
	case req.Replica != id.None:
	case req.ReadCommitted:
		bound = l.LastStable()
	default:
		bound = l.HighWatermark()
	}
	res.Batches = l.Read(req.FetchOffset, bound, int(env.Settings.FetchMaxBatches))
	if n := len(res.Batches); n > 0 && req.ReadCommitted && !req.Mirror {
		for _, t := range l.Aborted(req.FetchOffset, res.Batches[n-1].Last+1) {
			res.Aborted = append(res.Aborted, wire.AbortedTransaction{ProducerID: t.ProducerID, First: t.First})
		}
	}
	return res
}

// diverges checks the fetcher's last epoch against this log: its answer to endOffsetFor is a divergence when that names
// a lower epoch, or an end below the fetch offset. An epoch above every entry is OFFSET_OUT_OF_RANGE, or by D33 the
// newest epoch and the log end. A fetch from an empty log carries no epoch and is checked for its offset only.
func (r *Replica) diverges(req *wire.FetchRequest, res *wire.FetchResponse, env *Env) bool {
	if req.LastFetchedEpoch < 0 {
		return false
	}
	epoch, end, ok := r.Log.EndOffsetFor(req.LastFetchedEpoch)
	if !ok {
		consumer := req.Replica == id.None && !req.Mirror // it would seek to where a leader that is deposed ends (KAFKA-9840)
		if consumer || !env.Config.AnswersNewestAbove() || r.Log.LatestEpoch() < 0 {
			res.Code = wire.OffsetOutOfRange
			return true
		}
		epoch, end = r.Log.LatestEpoch(), r.Log.End()
	}
	if epoch < req.LastFetchedEpoch || end < req.FetchOffset {
		res.Diverging, res.DivergingEpoch, res.DivergingOffset = true, epoch, end
	}
	return res.Diverging
}

// answer sends the answer and writes down what it said.
func (r *Replica) answer(to id.Node, req *wire.FetchRequest, res *wire.FetchResponse, env *Env) {
	e := env.Out.Emit(event.FetchAnswered, r.ID())
	e.Peer, e.LeaderEpoch, e.BatchEpoch, e.Offset = to, res.LeaderEpoch, req.LastFetchedEpoch, req.FetchOffset
	e.End, e.To = res.LogEnd, uint8(res.Code)
	if res.Diverging {
		e.Cause, e.Sequence, e.End = 1, res.DivergingEpoch, res.DivergingOffset
	}
	switch {
	case req.Mirror:
		e.From = uint8(event.MirrorFetcher)
	case req.Replica == id.None:
		e.From = uint8(event.Consumer)
	}
	if f := r.follower(req.Replica); f != nil && res.Code == wire.OK && !res.Diverging {
		f.sentHW = res.HighWatermark
	}
	env.Out.Send(to, res)
}

func (r *Replica) follower(n id.Node) *follower {
	if n == id.None {
		return nil
	}
	for i := range r.followers {
		if r.followers[i].node == n {
			return &r.followers[i]
		}
	}
	return nil
}

// ListOffsets answers an end of the log.
func (r *Replica) ListOffsets(from id.Node, req *wire.ListOffsetsRequest, env *Env) {
	res := &wire.ListOffsetsResponse{Partition: r.ID(), Offset: -1, LeaderEpoch: -1, Correlation: req.Correlation}
	switch {
	case r.Role != Leader:
		res.Code = r.notLeader()
	case req.Earliest:
		res.Offset = r.Log.Start()
	case req.ReadCommitted:
		res.Offset = r.Log.LastStable()
	default:
		res.Offset = r.Log.HighWatermark()
	}
	if res.Offset > r.Log.Start() {
		res.LeaderEpoch = r.Log.EpochAt(res.Offset - 1)
	}
	env.Out.Send(from, res)
}
