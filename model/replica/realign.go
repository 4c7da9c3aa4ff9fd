package replica

import (
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// SetAligned tells the leader of a mirrored partition up to which offset no alignment has ever cut the log;
// record.NoPosition where there was none. fresh is that there has just been one: the replicas outside the ISR have not
// followed it.
func (r *Replica) SetAligned(offset int64, fresh bool, env *Env) {
	r.aligned = offset
	if offset == record.NoPosition {
		r.aligned = notAligned
	}
	for i := range r.followers {
		if f := &r.followers[i]; fresh {
			f.strayed = !(r.Reg.ISR | r.pending).Has(f.node)
		}
	}
	r.answerParked(env)
}

// realigns answers a follower that was outside the ISR, perhaps while alignment cut this log: above the end of the
// alignment it may hold records that no longer exist, under epochs that have been given to others since, so no comparison
// of epochs can tell. It is answered as diverging there, until it fetches from there or below (D41=realign). Before the
// leader has read whether the log was aligned, the follower asks again.
func (r *Replica) realigns(req *wire.FetchRequest, res *wire.FetchResponse, env *Env) bool {
	switch {
	case !r.mirrored || env.Config.AbsentReplicas() != protocol.AbsentRealigns:
		return false
	case r.aligned == notKnown:
		res.Code = wire.CoordinatorLoadInProgress
		return true
	case r.aligned == notAligned:
		return false
	}
	start := r.Log.Start()
	if start > 0 && r.aligned <= start && req.LastFetchedEpoch >= 0 && req.FetchOffset >= start {
		// All that it may keep lies below this log's start, where nobody can tell whether it is the same: it starts anew there.
		res.Diverging, res.DivergingEpoch, res.DivergingOffset = true, req.LastFetchedEpoch, start
		return true
	}
	cut := max(r.aligned, start) // a log cut below the start would be out of range, start there, and be cut again
	if b := r.Log.Read(cut, r.Log.End(), 1); len(b) > 0 {
		cut = min(cut, b[0].Base) // in the new history that may be inside a batch, which would overlap the follower's end
	}
	if req.FetchOffset <= max(cut, r.Log.Start()) {
		return false // it holds nothing above; a batch that reaches below the log start is sent whole to one that starts there
	}
	res.Diverging, res.DivergingEpoch, res.DivergingOffset = true, req.LastFetchedEpoch, cut
	return true
}
