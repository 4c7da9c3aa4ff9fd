package replica

import (
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/protocol"
	"mirrorsim/model/wire"
)

// heard notes a good fetch of a follower: its log end is the fetch offset. A fetch that was answered with a divergence
// or an error never comes here (KAFKA-13141).
func (r *Replica) heard(f *follower, req *wire.FetchRequest, env *Env) {
	f.cut, f.lastEpoch = req.Cut, req.LastFetchedEpoch
	if req.Cut != r.cuts && env.Config.ForgetsFollowers() {
		return // sent before the cut: it says nothing about the log after it
	}
	moved := f.end != req.FetchOffset
	f.end = req.FetchOffset
	if req.FetchOffset >= min(f.leaderEnd, r.Log.End()) {
		f.recent = true
		env.Out.Arm(r.lagTimer(f.node), env.Settings.ReplicaLag, 0)
	}
	f.leaderEnd = r.Log.End()
	if moved || req.Cut != 0 {
		r.Progress = true
	}
	r.growISR(f, env)
	r.raiseHighWatermark(env)
}

// growISR asks for f to join the ISR when it has caught up: its log end is at or above the high watermark, and at or
// above this leader's log end at its election, or what D34 puts in its place while the log follows a source.
func (r *Replica) growISR(f *follower, env *Env) {
	if r.Reg.ISR.Has(f.node) || r.pending != 0 || !env.Image.Live().Has(f.node) || f.end < r.Log.HighWatermark() {
		return
	}
	if r.followsSource && env.Config.JoinsByLastEpoch() {
		if r.Log.EpochAt(f.end) != r.Log.LatestEpoch() {
			return
		}
	} else if f.end < r.epochStart {
		return
	}
	r.alter(r.Reg.ISR.With(f.node), env)
}

// Lagging is the lag timer of a follower: it leaves the ISR.
func (r *Replica) Lagging(n id.Node, env *Env) {
	f := r.follower(n)
	if f == nil {
		return
	}
	f.recent = false
	if r.pending != 0 {
		env.Out.Arm(r.lagTimer(n), env.Settings.RetryBackoffMax, 0) // look again when that change is through
		return
	}
	if r.Reg.ISR.Has(n) {
		r.alter(r.Reg.ISR.Without(n), env)
		return
	}
	r.raiseHighWatermark(env)
}

func (r *Replica) alter(isr id.Set, env *Env) {
	r.pending = isr
	r.alters++
	env.Out.Arm(node.Timer{Kind: TimerAlter, Partition: r.ID()}, env.Settings.RetryBackoffMax, 0)
	if env.Controller == id.None {
		return
	}
	env.Out.Send(env.Controller, &wire.AlterPartitionRequest{Partition: r.ID(), LeaderEpoch: r.Reg.LeaderEpoch,
		PartitionEpoch: r.Reg.PartitionEpoch, ISR: isr, Correlation: r.alters})
}

// AlterAgain is the time-out of an ISR change: the outcome is unknown, so the same change is asked for again. A change
// that did happen arrives with the metadata and ends this.
func (r *Replica) AlterAgain(env *Env) {
	if r.Role == Leader && r.pending != 0 {
		r.alter(r.pending, env)
	}
}

// Altered is the controller's answer. A refusal gives the change up, and with it what it counted as in.
func (r *Replica) Altered(res *wire.AlterPartitionResponse, env *Env) {
	if r.Role != Leader || r.pending == 0 || res.Correlation != r.alters || res.Code == wire.OK {
		return // accepted: the change itself arrives with the metadata
	}
	if res.Code == wire.NotController {
		return // the timer asks again, at whoever is the controller then
	}
	dropped := r.Reg.ISR &^ r.pending
	r.pending = 0
	env.Out.Cancel(node.Timer{Kind: TimerAlter, Partition: r.ID()})
	for i := range r.followers {
		if dropped.Has(r.followers[i].node) {
			env.Out.Arm(r.lagTimer(r.followers[i].node), env.Settings.RetryBackoffMax, 0)
		}
	}
	r.raiseHighWatermark(env)
}

// Laggard is a replica that has not followed the leader's truncation yet, of those that wait names (D12, D30); id.None
// when all have.
func (r *Replica) Laggard(wait protocol.Wait, env *Env) id.Node {
	for i := range r.followers {
		f := &r.followers[i]
		if wait != protocol.WaitNone && (wait == protocol.WaitAll || r.Reg.ISR.Has(f.node)) &&
			!r.hasFollowed(f, env.Config.FollowedMeans()) {
			return f.node
		}
	}
	return id.None
}

func (r *Replica) hasFollowed(f *follower, means protocol.Followed) bool {
	if f.end == unknownEnd || f.end > r.Log.End() {
		return false
	}
	switch means {
	case protocol.FollowedLeoAndEpoch:
		return f.end == r.Log.Start() || f.lastEpoch == r.Log.EpochAt(f.end-1)
	case protocol.FollowedLeoFresh:
		return f.cut == r.cuts
	}
	return true
}
