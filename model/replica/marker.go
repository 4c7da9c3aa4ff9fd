package replica

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// WriteMarker appends a COMMIT or ABORT marker for a transaction coordinator, and answers once it is below the high
// watermark. A coordinator repeats what was not answered: the marker of a repeat is in the log already, and its answer
// waits for the log as it is now. The caller has checked that the partition takes markers.
func (r *Replica) WriteMarker(from id.Node, req *wire.WriteTxnMarkersRequest, env *Env) {
	w := Waiter{Kind: ForMarker, To: from, Correlation: req.Correlation}
	repeat, code := false, r.notLeader()
	if r.Role == Leader {
		repeat, code = r.Log.CheckMarker(req.ProducerID, req.ProducerEpoch, req.CoordinatorEpoch)
		if refused := r.Refusal(env); refused != wire.OK {
			code = refused // the append is one with acks=all
		}
	}
	if code != wire.OK {
		r.AnswerMarker(Completion{w, code}, env)
		return
	}
	w.Base = r.Log.End()
	if !repeat {
		kind := record.Abort
		if req.Commit {
			kind = record.Commit
		}
		r.append(record.NewMarker(kind, req.ProducerID, req.ProducerEpoch, req.CoordinatorEpoch), event.FromCoordinator, env)
	}
	w.End = r.Log.End()
	for _, x := range r.waiters {
		if x.Kind == ForMarker && x.To == from && x.Correlation == req.Correlation {
			return // it waits for the same marker already
		}
	}
	r.wait(w)
}

// AnswerMarker answers a transaction coordinator whose waiter completed.
func (r *Replica) AnswerMarker(c Completion, env *Env) {
	env.Out.Send(c.To, &wire.WriteTxnMarkersResponse{Partition: r.ID(), Code: c.Code, Correlation: c.Correlation})
}
