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
	moved := f.end != req.FetchOffset || f.cut != req.Cut || f.lastEpoch != req.LastFetchedEpoch
	f.cut, f.lastEpoch, f.strayed = req.Cut, req.LastFetchedEpoch, false
	if req.Cut != r.cuts && env.Config.ForgetsFollowers() {
		return // sent before the cut: it says nothing about the log after it
	}
	f.end = req.FetchOffset
	if req.FetchOffset >= min(f.leaderEnd, r.Log.End()) {
		f.recent = true
		env.Out.Arm(r.lagTimer(f.node), env.Settings.ReplicaLag, 0)
	}
	f.leaderEnd = r.Log.End()
	if moved {
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

// Altered is the controller's answer. Only INELIGIBLE_REPLICA says that the change was not made: it is given up, and
// with it what it counted as in. After any other refusal it may have been made by a request whose answer was lost, so
// it counts as in until the metadata show what is so, and the timer asks again meanwhile (KAFKA-12686).
func (r *Replica) Altered(res *wire.AlterPartitionResponse, env *Env) {
	if r.Role != Leader || r.pending == 0 || res.Correlation != r.alters || res.Code != wire.IneligibleReplica {
		return // accepted: the change itself arrives with the metadata
	}
	r.pending = 0
	env.Out.Cancel(node.Timer{Kind: TimerAlter, Partition: r.ID()})
	r.watchLaggards(env)
	r.raiseHighWatermark(env)
}

// watchLaggards looks again, soon, at ISR members that are not caught up: the change that was to take them out did not
// happen, or they joined without being caught up and have no lag timer.
func (r *Replica) watchLaggards(env *Env) {
	for i := range r.followers {
		if f := &r.followers[i]; !f.recent && r.Reg.ISR.Has(f.node) {
			env.Out.Arm(r.lagTimer(f.node), env.Settings.RetryBackoffMax, 0)
		}
	}
}

// Laggard is a replica that has not followed the leader's truncation yet, of those that wait names (D12, D30); id.None
// when all have.
func (r *Replica) Laggard(wait protocol.Wait, env *Env) id.Node {
	for i := range r.followers {
		f := &r.followers[i]
		if wait != protocol.WaitNone && (wait == protocol.WaitAll || (r.Reg.ISR | r.pending).Has(f.node)) &&
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
