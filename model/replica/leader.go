package replica

import (
	"math"

	"mirrorsim/model/assert"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/plog"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// becomeLeader begins a leader epoch. A broker that led the epoch before as well (a bump) keeps what it knows of its
// followers and who waits; a newly elected one knows nothing of them yet. Unless the log is the source's to write, the
// leader-epoch cache gets the new epoch at the log end at once (KAFKA-7415).
func (r *Replica) becomeLeader(env *Env) {
	again := r.Role == Leader
	r.Role = Leader
	env.Out.Cancel(node.Timer{Kind: TimerFetch, Partition: r.ID()})
	r.epochStart = r.Log.End()
	if !r.followsSource {
		r.Log.AssignEpoch(r.Reg.LeaderEpoch, r.Log.End(), env.Out)
	}
	e := env.Out.Emit(event.BecameLeader, r.ID())
	e.LeaderEpoch, e.Offset, e.End = r.Reg.LeaderEpoch, r.Log.End(), r.Log.HighWatermark()
	if !again {
		r.alters, r.cuts, r.aligned = max(r.alters, firstCorrelation(env)), 0, notKnown
		r.followers = r.followers[:0]
		for _, n := range r.Reg.Replicas {
			if n != env.Self {
				r.followers = append(r.followers, follower{node: n, end: unknownEnd, lastEpoch: -1,
					leaderEnd: math.MaxInt64, sentHW: -1, strayed: !r.Reg.ISR.Has(n)})
			}
		}
	}
	for i := range r.followers {
		r.followers[i].recent = r.Reg.ISR.Has(r.followers[i].node)
		env.Out.Arm(r.lagTimer(r.followers[i].node), env.Settings.ReplicaLag, 0)
	}
	r.answerParked(env)
	r.Progress = true
	r.complete()
	r.raiseHighWatermark(env)
}

// stepDown ends a leader epoch: who waits is refused, what is parked is answered with an error.
func (r *Replica) stepDown(env *Env) {
	for i := range r.followers {
		env.Out.Cancel(r.lagTimer(r.followers[i].node))
	}
	r.followers = r.followers[:0]
	r.failWaiters(-1)
	r.pending = 0
	env.Out.Cancel(node.Timer{Kind: TimerAlter, Partition: r.ID()})
	r.answerParked(env)
}

func (r *Replica) lagTimer(n id.Node) node.Timer {
	return node.Timer{Kind: TimerLag, Partition: r.ID(), Peer: n}
}

// Produce appends a producer's batch and answers it, or keeps a waiter for acks=all. The caller has checked that
// clients may write. The rules are those of section 4, "Produce".
func (r *Replica) Produce(from id.Node, req *wire.ProduceRequest, env *Env) {
	refuse := func(c wire.Code) {
		r.answerProduce(Completion{Waiter{To: from, Correlation: req.Correlation, Base: -1}, c}, req.Acks, env)
	}
	switch {
	case r.Role != Leader:
		refuse(r.notLeader())
		return
	case req.Acks == wire.AcksAll && r.Reg.ISR.Len() < r.minISR:
		refuse(wire.NotEnoughReplicas)
		return
	case !req.Batch.Intact():
		refuse(wire.CorruptMessage)
		return
	}
	rule := unknownRule(env.Config.UnknownProducer())
	if req.Batch.Transactional && env.Settings.TxnVerify != 0 {
		rule = plog.StartAtZero
	}
	base, duplicate, code := r.Log.CheckProducer(req.Batch, rule)
	if code != wire.OK {
		refuse(code)
		return
	}
	if !duplicate && env.DiskFull {
		refuse(wire.KafkaStorageError)
		return
	}
	if !duplicate {
		b := r.append(req.Batch, event.FromClient, env)
		base = b.Base
	}
	w := Waiter{Kind: ForProduce, End: base + req.Batch.Count(), Base: base, To: from, Correlation: req.Correlation}
	if req.Acks != wire.AcksAll {
		r.answerProduce(Completion{w, wire.OK}, req.Acks, env)
		return
	}
	r.wait(w)
}

func unknownRule(u protocol.UnknownProducer) plog.UnknownRule {
	switch u {
	case protocol.AcceptUnlessNew:
		return plog.AcceptUnlessNew
	case protocol.RejectUnknown:
		return plog.Reject
	}
	return plog.Accept
}

func (r *Replica) answerProduce(c Completion, acks int8, env *Env) {
	if acks == 0 {
		return
	}
	env.Out.Send(c.To, &wire.ProduceResponse{Partition: r.ID(), Code: c.Code, Base: c.Base, Correlation: c.Correlation})
}

// AnswerProduce answers a producer whose waiter completed.
func (r *Replica) AnswerProduce(c Completion, env *Env) { r.answerProduce(c, wire.AcksAll, env) }

// AppendOwn appends a batch of this leader's own: a marker, the reset, or a record of __mirror_state.
func (r *Replica) AppendOwn(b *record.Batch, origin event.Origin, env *Env) *record.Batch {
	assert.That(r.Role == Leader, "only a leader appends")
	return r.append(b, origin, env)
}

// Wait has the stop sequence wait, as a producer with acks=all does, until the high watermark reaches end.
func (r *Replica) Wait(end int64) { r.wait(Waiter{Kind: ForStop, End: end}) }

func (r *Replica) append(b *record.Batch, origin event.Origin, env *Env) *record.Batch {
	assert.That(!env.DiskFull, "nothing is appended to a full disk")
	b = r.Log.AppendLeader(b, r.Reg.LeaderEpoch, origin, env.Out)
	if b.Control == record.MirrorPidReset {
		r.Report(event.ReportStopped, env)
	}
	r.appended(env)
	return b
}

// AppendMirrored appends batches that the mirror fetcher brought; they keep their offsets, and their epochs unless D8
// rewrites them.
func (r *Replica) AppendMirrored(b *record.Batch, env *Env) {
	assert.That(r.Role == Leader && !env.DiskFull, "only a leader whose disk is not full appends mirrored batches")
	r.Log.AppendAsIs(b, r.Reg.LeaderEpoch, event.FromMirror, env.Out)
	r.appended(env)
}

func (r *Replica) appended(env *Env) {
	r.raiseHighWatermark(env)
	r.answerParked(env)
}

// TruncateOwn cuts the leader's own log, in alignment, at the stop or where the source's history differs. What it knows
// of its followers from before the cut it keeps or forgets, by D52.
func (r *Replica) TruncateOwn(offset int64, cause event.TruncateCause, env *Env) {
	assert.That(r.Role == Leader, "TruncateOwn is the leader's")
	before := r.Log.End()
	if cause != event.CutToLastStable {
		offset = r.cutOutsideCleaned(offset, env)
	}
	r.Log.TruncateTo(offset, r.Reg.LeaderEpoch, cause, env.Out)
	if r.Log.End() == before {
		return
	}
	if cause != event.CutToLastStable && env.Config.OnDivergence() == protocol.DivergenceRecovers && r.solidEnd() < r.Log.End() {
		r.Log.TruncateTo(r.solidEnd(), r.Reg.LeaderEpoch, cause, env.Out)
	}
	r.cutOwn(env)
}

// solidEnd is where the newest batch ends, the log start if there is none. A cut ends above it inside a batch, or where
// compaction had removed what stood there. With D11=truncate-or-recover the log of a mirror is cut back to it, for it goes on from its
// end with what the source has: nobody could tell whether the gap is the source's too. In the design it ends there, gap or not
// (section 4).
func (r *Replica) solidEnd() int64 {
	if b := r.Log.LastBatch(); b != nil {
		return b.Last + 1
	}
	return r.Log.Start()
}

// cutOutsideCleaned is where a log is cut that is to be cut at offset, for what its cleaner has removed on account of what lies
// above. It is not in the design, and goes with D11=truncate-or-recover.
func (r *Replica) cutOutsideCleaned(offset int64, env *Env) int64 {
	if !r.mirrored || env.Config.OnDivergence() != protocol.DivergenceRecovers {
		return offset
	}
	return r.Log.CutOutsideCleaned(offset)
}

// RestartOwn drops the leader's whole log and starts it at offset.
func (r *Replica) RestartOwn(offset int64, env *Env) {
	assert.That(r.Role == Leader, "RestartOwn is the leader's")
	r.Log.RestartAt(offset, r.Reg.LeaderEpoch, env.Out)
	r.cutOwn(env)
}

// DeleteRecords moves the start of the leader's log to offset, -1 for the high watermark, and never above that. It answers
// the log start. Followers follow when they hear of it, in the answer to their next fetch (section 10 of the design has the
// mirror fetcher do the same).
func (r *Replica) DeleteRecords(offset int64, env *Env) int64 {
	assert.That(r.Role == Leader, "DeleteRecords is the leader's")
	if offset < 0 {
		offset = r.Log.HighWatermark()
	}
	r.Log.MoveStart(offset, env.Out)
	return r.Log.Start()
}

// Retain deletes the oldest whole batches that end below before and below the high watermark.
func (r *Replica) Retain(before int64, env *Env) {
	assert.That(r.Role == Leader, "Retain is the leader's")
	r.Log.MoveStart(r.Log.Deletable(before), env.Out)
}

func (r *Replica) cutOwn(env *Env) {
	r.cuts++
	r.epochStart = min(r.epochStart, r.Log.End())
	r.failWaiters(r.Log.End())
	r.aligned = min(r.aligned, r.Log.End())
	for i := range r.followers {
		f := &r.followers[i]
		f.strayed = f.strayed || !(r.Reg.ISR | r.pending).Has(f.node)
		if env.Config.ForgetsFollowers() {
			f.end = unknownEnd
		}
	}
	r.answerParked(env)
	r.Progress = true
}

// wait keeps w until the high watermark passes its end.
func (r *Replica) wait(w Waiter) {
	r.waiters = append(r.waiters, w)
	r.complete()
}

// failWaiters refuses who waits for the high watermark beyond end: what they appended will not be committed by this
// leader, and other batches may stand there later.
func (r *Replica) failWaiters(end int64) {
	kept := r.waiters[:0]
	for _, w := range r.waiters {
		if w.End > end {
			r.Done = append(r.Done, Completion{w, wire.NotLeaderOrFollower})
		} else {
			kept = append(kept, w)
		}
	}
	r.waiters = kept
}

// complete moves the waiters that the high watermark has passed to Done, and the producers and transaction coordinators
// whose batch it has not passed while the ISR is too small. The stop sequence waits on: its batches are in the log, and the ISR may grow again.
func (r *Replica) complete() {
	kept := r.waiters[:0]
	for _, w := range r.waiters {
		switch {
		case w.End <= r.Log.HighWatermark():
			r.Done = append(r.Done, Completion{w, wire.OK})
		case w.Kind != ForStop && !r.enoughReplicas():
			r.Done = append(r.Done, Completion{w, wire.NotEnoughReplicasAfterAppend})
		default:
			kept = append(kept, w)
		}
	}
	r.waiters = kept
}

// raiseHighWatermark sets the high watermark to the smallest log end over this leader, the ISR (an expansion under way
// counts as done) and the followers that are caught up and about to join, while the ISR has enough members.
func (r *Replica) raiseHighWatermark(env *Env) {
	if r.Role != Leader {
		return
	}
	if r.Reg.ISR.Len() < min(r.minISR, len(r.Reg.Replicas)) {
		return
	}
	hw := r.Log.End()
	live := env.Image.Live()
	for i := range r.followers {
		f := &r.followers[i]
		if (r.Reg.ISR | r.pending).Has(f.node) || f.recent && live.Has(f.node) {
			hw = min(hw, f.end)
		}
	}
	if hw > r.Log.HighWatermark() && r.Log.SetHighWatermark(hw, r.Reg.LeaderEpoch, env.Out) {
		r.Progress = true
		r.complete()
		r.answerParked(env)
	}
}
