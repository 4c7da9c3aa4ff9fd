package replica

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// becomeFollower begins to follow the leader of the registration; without one it waits for the next.
func (r *Replica) becomeFollower(env *Env) {
	if r.Role == Leader {
		r.Role = Follower
		r.stepDown(env)
	}
	r.Role = Follower
	e := env.Out.Emit(event.BecameFollower, r.ID())
	e.LeaderEpoch, e.Peer = r.Reg.LeaderEpoch, r.Reg.Leader
	r.fetches = max(r.fetches+1, firstCorrelation(env)) // an answer under way is of another leader epoch
	r.heardCuts = 0
	r.fetch(env)
}

// fetch asks the leader for what follows this log. The divergence check goes by this log's last epoch, also when the
// leader's name is the same as before (KAFKA-7164).
func (r *Replica) fetch(env *Env) {
	t := node.Timer{Kind: TimerFetch, Partition: r.ID()}
	if r.Role != Follower || r.Reg.Leader == id.None {
		env.Out.Cancel(t)
		return
	}
	r.fetches++
	env.Out.Send(r.Reg.Leader, &wire.FetchRequest{Partition: r.ID(), Replica: env.Self,
		CurrentLeaderEpoch: r.Reg.LeaderEpoch, LastFetchedEpoch: r.lastEpoch(), FetchOffset: r.Log.End(),
		MaxWait: env.Settings.FetchMaxWait, CreatedAt: r.createdAt, Cut: r.heardCuts, Correlation: r.fetches})
	env.Out.Arm(t, env.Settings.FetchTimeout, 0)
}

// lastEpoch is the epoch that this log's last record has; an empty log has none.
func (r *Replica) lastEpoch() int32 {
	if r.Log.Start() == r.Log.End() {
		return -1
	}
	return r.Log.LatestEpoch()
}

// FetchAgain is the fetch timer: the back-off is over, or the answer was lost.
func (r *Replica) FetchAgain(env *Env) { r.fetch(env) }

// Fetched applies the leader's answer. One that is not the answer to the fetch under way is ignored, and so is one that
// comes when this broker has become the leader meanwhile (KAFKA-13207).
func (r *Replica) Fetched(from id.Node, res *wire.FetchResponse, env *Env) {
	if r.Role != Follower || from != r.Reg.Leader || res.Correlation != r.fetches || res.FetchOffset != r.Log.End() {
		return
	}
	switch {
	case res.Code == wire.OffsetOutOfRange:
		r.outOfRange(res, env)
	case res.Code != wire.OK:
		r.backOff(env)
		return
	case res.Diverging:
		r.diverged(res, env)
	case r.followsSource && (r.Log.Start() < r.Log.End() || r.Log.Start() > res.LogStart) && r.startsWithLeader(r.Log.End(), res, env):
		// The leader has started its log anew since this one was cut.
	default:
		r.heardCuts = res.Cut
		if !r.appendFetched(res, env) {
			r.backOff(env) // the same answer would come at once, again and again
			return
		}
	}
	r.fetch(env)
}

func (r *Replica) backOff(env *Env) {
	r.fetches++
	env.Out.Arm(node.Timer{Kind: TimerFetch, Partition: r.ID()}, env.Settings.RetryBackoff, env.Settings.RetryBackoff/5)
}

// outOfRange: a log that is longer than the leader's is cut to the leader's end, and goes on from there (KAFKA-2143); any other is
// dropped and started at the leader's log start (section 4 of the design), also one that ends within the leader's, whose epoch is above
// all of the leader's (D33). An empty one asks again: by the time of the answer the leader may have come to where it ends.
func (r *Replica) outOfRange(res *wire.FetchResponse, env *Env) {
	switch {
	case r.Log.End() > res.LogEnd:
		if cut := r.cutOutsideCleaned(res.LogEnd, env); !r.startsWithLeader(cut, res, env) {
			r.truncate(cut, event.BeyondLeader, env)
		}
	case r.Log.End() < res.LogStart || r.Log.Start() < r.Log.End():
		r.Log.RestartAt(res.LogStart, r.Reg.LeaderEpoch, env.Out)
	}
}

// diverged cuts this log where it left the leader's history.
func (r *Replica) diverged(res *wire.FetchResponse, env *Env) {
	cut := r.cutOutsideCleaned(CutPoint(r.Log, res.DivergingEpoch, res.DivergingOffset), env)
	if !r.startsWithLeader(cut, res, env) {
		r.truncate(cut, event.Diverged, env)
	}
}

// startsWithLeader has the log of a mirrored topic of which a cut would leave nothing begin at its leader's log start. Where that is
// not lower, it is as if it ended below: the leader may have started its own log anew, and know nothing of what was open below; a
// follower that kept it would never see it end. In a topic that is not mirrored there are no such leaders: what is known of producers
// outlives their records (KAFKA-7190). Where this log's start is higher, it hides what stood below, and the leader may have started
// anew at its source's, because its own did.
func (r *Replica) startsWithLeader(cut int64, res *wire.FetchResponse, env *Env) bool {
	hidden := cut <= r.Log.Start() && r.Log.Start() > res.LogStart
	if !r.mirrored || !hidden && (res.LogStart == 0 || cut > res.LogStart) {
		return false
	}
	r.Log.RestartAt(res.LogStart, r.Reg.LeaderEpoch, env.Out)
	r.Report(event.ReportAligned, env)
	return true
}

// truncate cuts this log where it left the leader's history. The high watermark of an answer that carries a divergence
// is not looked at (KAFKA-14704).
func (r *Replica) truncate(offset int64, cause event.TruncateCause, env *Env) {
	r.Log.TruncateTo(offset, r.Reg.LeaderEpoch, cause, env.Out)
	r.Report(event.ReportAligned, env)
}

// appendFetched appends what the leader sent, then follows its log start and high watermark. A batch above the epoch of
// the fetch, and all after it, are skipped and fetched again (KAFKA-18723); in a mirrored topic D15 says which epochs
// are acceptable. A batch that begins below the log end, where the logs differ within one epoch, does not fit: Kafka
// fails the partition there (UnexpectedAppendOffsetException), unless the log is to start inside it. A full disk takes
// nothing. It answers false when there were batches and none could be appended.
func (r *Replica) appendFetched(res *wire.FetchResponse, env *Env) bool {
	before := r.Log.End()
	for _, b := range res.Batches {
		if env.DiskFull {
			break
		}
		if r.StartsInside(b) && b.Intact() && r.accepts(b, env) {
			r.Log.RestartAt(b.Base, r.Reg.LeaderEpoch, env.Out)
		}
		if b.Base < r.Log.End() || !b.Intact() || !r.accepts(b, env) {
			break
		}
		r.Log.AppendAsIs(b, r.Reg.LeaderEpoch, event.FromLeader, env.Out)
		if b.Control == record.MirrorPidReset {
			r.Report(event.ReportStopped, env)
		}
	}
	r.Log.SetHighWatermark(min(res.HighWatermark, r.Log.End()), r.Reg.LeaderEpoch, env.Out)
	if start := min(res.LogStart, r.Log.HighWatermark()); start > r.Log.Start() {
		r.Log.MoveStart(start, env.Out)
	}
	return len(res.Batches) == 0 || r.Log.End() > before
}

// StartsInside tells whether an empty log starts inside b, because records were deleted up to there. Kafka then drops the log
// and starts it at the batch's base offset (Partition.appendRecordsToFollowerOrFutureReplica).
func (r *Replica) StartsInside(b *record.Batch) bool {
	end := r.Log.End()
	return r.Log.Start() == end && b.Base < end && end <= b.Last
}

func (r *Replica) accepts(b *record.Batch, env *Env) bool {
	if r.mirrored {
		return env.Config.Floor().FollowerAccepts(b.LeaderEpoch, r.Reg.LeaderEpoch)
	}
	return b.LeaderEpoch <= r.Reg.LeaderEpoch
}
