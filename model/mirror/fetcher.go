package mirror

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// fetcher pulls one partition from its source leader with consumer fetches, as a MirrorFetcherThread does.
type fetcher struct {
	on          bool
	server      uint8 // which bootstrap broker was asked last
	attempts    uint8
	leader      id.Node // of the source
	epoch       int32   // its leader epoch
	correlation uint32
	waiting     bool  // a back-off: nothing is asked
	stale       bool  // a batch was above the source leader epoch, and the metadata are refreshed
	heard       bool  // the source has answered in the present leader epoch
	sourceHW    int64 // as heard last
}

func fetchTimer(p *partition) node.Timer { return node.Timer{Kind: TimerFetch, Partition: p.id} }

// startFetcher is the action of MIRRORING: fetch from the local log end (seed 000, "Add", 8), once no group's offset is above
// that (D31).
func (m *Manager) startFetcher(p *partition, env *replica.Env) {
	p.fetcher = fetcher{on: true, server: p.fetcher.server, leader: id.None, epoch: -1}
	p.lowering.acked = nil
	if p.state == record.Mirroring && p.lowers(env) {
		m.lower(p, env)
		return
	}
	m.findSource(p, env)
}

func (m *Manager) stopFetcher(p *partition, env *replica.Env) {
	if !p.fetcher.on {
		return
	}
	p.fetcher = fetcher{server: p.fetcher.server, leader: id.None, epoch: -1}
	env.Out.Cancel(fetchTimer(p))
	e := env.Out.Emit(event.MirrorFetchStopped, p.id)
	e.Mirror, e.LeaderEpoch, e.Offset = p.mirror, p.replica.LeaderEpoch(), p.replica.Log.End()
}

// findSource asks a broker of the source who leads there.
func (m *Manager) findSource(p *partition, env *replica.Env) {
	m.sequence++
	p.fetcher.correlation, p.fetcher.leader, p.fetcher.waiting = m.sequence, id.None, false
	if to := m.sourceBroker(p, env); to != id.None {
		env.Out.Send(to, &wire.MetadataRequest{Partition: p.id, Correlation: m.sequence})
	}
	env.Out.Arm(fetchTimer(p), env.Settings.FetchTimeout, 0)
}

// fetchTimedOut asks again behind a back-off, or when nobody answered.
func (m *Manager) fetchTimedOut(p *partition, env *replica.Env) {
	if p.fetcher.on && p.lowering.acked != nil {
		m.sendLower(p, env)
		return
	}
	if p.fetcher.on && (p.fetcher.waiting || !m.silent(p, env)) {
		m.findSource(p, env)
	}
}

// FoundSource takes the answer of a source broker.
func (m *Manager) FoundSource(res *wire.MetadataResponse, env *replica.Env) {
	p := m.find(res.Partition)
	if p == nil || !p.fetcher.on || p.fetcher.correlation != res.Correlation {
		return
	}
	p.silence = 0
	switch r := env.Image.Mirror(p.mirror); {
	case r != nil && res.Cluster != r.Source:
		m.fail(p, record.SourceReplaced, env)
		return
	case res.Code == wire.UnknownTopicOrPartition && res.Partitions == 0: // one with fewer partitions is not deleted
		if !m.unknownAtSource(p, env) {
			m.fetchLater(p, env)
		}
		return
	}
	p.unknown = 0
	if res.Code != wire.OK || res.LeaderEpoch < p.fetcher.epoch {
		m.fetchLater(p, env) // no leader, or metadata older than what is known already
		return
	}
	if p.state == record.EpochFencing {
		if p.phase == refreshing {
			m.refreshed(p, res.LeaderEpoch, env)
		}
		return // otherwise its action has ended: what follows is being stored, or the state is read again
	}
	p.fetcher.leader, p.fetcher.epoch = res.Leader, res.LeaderEpoch
	e := env.Out.Emit(event.MirrorFetchStarted, p.id)
	e.Mirror, e.Peer, e.Offset = p.mirror, res.Leader, p.replica.Log.End()
	e.LeaderEpoch, e.BatchEpoch = p.replica.LeaderEpoch(), res.LeaderEpoch
	m.fetch(p, env)
}

// fetchLater asks for the source's leader again after a back-off.
func (m *Manager) fetchLater(p *partition, env *replica.Env) {
	f := &p.fetcher
	m.sequence++
	f.correlation, f.waiting = m.sequence, true // whatever is under way is not waited for any more
	env.Out.Arm(fetchTimer(p), min(env.Settings.RetryBackoff<<f.attempts, env.Settings.RetryBackoffMax), env.Settings.RetryBackoff/5)
	if f.attempts < 16 {
		f.attempts++
	}
}

// fetch sends one consumer fetch: no replica id, so the source's ISR and high watermark are not affected, and bounded by
// its high watermark, or by its last stable offset (D10).
func (m *Manager) fetch(p *partition, env *replica.Env) {
	m.sequence++
	p.fetcher.correlation = m.sequence
	log := p.replica.Log
	last := int32(-1)
	if log.Start() < log.End() {
		last = log.LastBatchEpoch() // the cache may have an entry of this cluster's own behind it
	}
	wait := env.Settings.FetchMaxWait
	if p.phase == probing {
		wait = 0 // only whether it diverges is asked
	}
	env.Out.Send(p.fetcher.leader, &wire.FetchRequest{Partition: p.id, Replica: id.None, CurrentLeaderEpoch: p.fetcher.epoch,
		LastFetchedEpoch: last, FetchOffset: log.End(), MaxWait: wait,
		ReadCommitted: env.Config.FetchesCommittedOnly(), Mirror: true, Correlation: m.sequence})
	env.Out.Arm(fetchTimer(p), env.Settings.FetchTimeout, 0)
}

// Fetched applies the source leader's answer; the fetch offset must still be the local log end.
func (m *Manager) Fetched(from id.Node, res *wire.FetchResponse, env *replica.Env) {
	p := m.find(res.Partition)
	if p == nil || !p.fetcher.on || p.fetcher.leader != from || p.fetcher.correlation != res.Correlation ||
		res.FetchOffset != p.replica.Log.End() {
		return
	}
	if beginsBelow(p, res, env) {
		res = divergingAtStart(res)
	}
	if p.phase == probing && res.Code == wire.OK && !res.Diverging {
		m.dropBelow(p, res.LogStart, env)
	}
	e := env.Out.Emit(event.MirrorFetched, p.id)
	e.Mirror, e.Peer, e.Offset, e.End, e.To = p.mirror, from, res.FetchOffset, res.HighWatermark, uint8(res.Code)
	e.LeaderEpoch, e.BatchEpoch = p.replica.LeaderEpoch(), p.fetcher.epoch
	if res.Diverging {
		e.Cause = 1
	}
	p.silence = 0
	if res.Code == wire.OK || res.Code == wire.OffsetOutOfRange { // one that tells of a divergence tells the high watermark too
		p.fetcher.heard, p.fetcher.sourceHW = true, res.HighWatermark
	}
	ok := false
	switch {
	case (p.state == record.Preparing || p.state == record.UleRecovery) && p.phase != probing:
		p.heed(res)
		return // the desired state has changed: what ends PREPARING, or ULE_RECOVERY, is on its way
	case p.phase == probing && (res.Code == wire.OK || res.Code == wire.OffsetOutOfRange):
		if !m.probed(p, res, env) {
			return
		}
		ok = true
	case res.Code == wire.OffsetOutOfRange:
		ok = m.fetchOutOfRange(p, res, env)
	case res.Code != wire.OK:
	case res.Diverging:
		ok = m.diverged(p, replica.CutPoint(p.replica.Log, res.DivergingEpoch, res.DivergingOffset), res.LogStart, env)
	default:
		ok = m.mirrored(p, res, env)
	}
	switch {
	case !p.fetcher.on || p.fetcher.leader != from || p.phase == storing: // it starts again, or has ended, with what is stored
	case !ok:
		m.fetchLater(p, env)
	case p.state == record.Mirroring && p.lowers(env): // it has been cut
		m.startFetcher(p, env)
	default:
		p.fetcher.attempts = 0
		m.fetch(p, env)
	}
}

// beginsBelow tells whether the source has answered, to a probe or while MIRRORING, with a log that begins below that of p, which is
// empty, and D11 takes that for a divergence: the source has begun another history since all of its records were deleted, or a
// divergence has left nothing, and the log start hides whether that had begun further below. A fetch from an empty log carries no
// epoch, so that the source cannot tell; what it has below the fetch offset would be passed over.
func beginsBelow(p *partition, res *wire.FetchResponse, env *replica.Env) bool {
	log := p.replica.Log
	return (p.state == record.Mirroring || p.phase == probing) && env.Config.OnDivergence() == protocol.DivergenceRecovers &&
		res.Code == wire.OK && !res.Diverging && log.Start() == log.End() && res.LogStart < log.Start()
}

// divergingAtStart is the answer res as one that diverges where the source's log begins.
func divergingAtStart(res *wire.FetchResponse) *wire.FetchResponse {
	x := *res
	x.Diverging, x.DivergingEpoch, x.DivergingOffset = true, record.NoPosition, res.LogStart
	return &x
}

// diverged is D11: what happens where the source's history differs while MIRRORING. In STOPPING, where some orders of D3
// stop the fetcher late, it differs by the markers and the reset, which are not the source's to cut off.
func (m *Manager) diverged(p *partition, offset, sourceStart int64, env *replica.Env) bool {
	if p.state != record.Mirroring {
		return false // the same fetch again, after a back-off
	}
	then := env.Config.OnDivergence()
	if t := env.Image.Topic(p.id.Topic); t != nil && t.MirrorUnclean && then >= protocol.DivergenceFails {
		if !p.leaving() {
			p.cut, p.cutStart = offset, sourceStart
			m.store(p, record.UleRecovery, env)
		}
		return false
	}
	switch then {
	case protocol.DivergenceTruncates, protocol.DivergenceRecovers:
		m.followSource(p, offset, sourceStart, env)
		return true
	case protocol.DivergenceFails:
		m.fail(p, record.SourceDiverged, env)
	}
	return false
}

// followSource truncates as a follower does. How far is stored before anything is appended there: a later leader must know
// it, for the sake of replicas that are away (D41).
func (m *Manager) followSource(p *partition, offset, sourceStart int64, env *replica.Env) {
	before := p.aligned
	m.cutDiverged(p, offset, sourceStart, env)
	switch {
	case p.aligned == before || env.Config.AbsentReplicas() != protocol.AbsentRealigns:
	case p.phase == storing:
		m.sendState(p, env) // what is on its way says the old end
	default:
		m.store(p, record.Mirroring, env)
	}
}

// fetchOutOfRange: a source that ends below the local log end is a divergence like any other; one that starts above it
// has deleted what is missing here, so the local log is dropped and starts there.
func (m *Manager) fetchOutOfRange(p *partition, res *wire.FetchResponse, env *replica.Env) bool {
	if p.state != record.Mirroring {
		return false // as in diverged: the markers of a stop are not the source's to drop
	}
	if res.LogStart > p.replica.Log.End() {
		p.replica.RestartOwn(res.LogStart, env)
		return true
	}
	if res.LogEnd < p.replica.Log.End() {
		return m.diverged(p, res.LogEnd, res.LogStart, env)
	}
	return false
}

// mirrored appends what the source sent, then follows its log start up to the local high watermark. It answers false when
// nothing more is to be fetched now: a batch was refused.
func (m *Manager) mirrored(p *partition, res *wire.FetchResponse, env *replica.Env) bool {
	log := p.replica.Log
	for _, b := range res.Batches {
		if m.refuses(p, b, env) {
			return false
		}
		if p.replica.StartsInside(b) {
			p.replica.RestartOwn(b.Base, env)
		}
		p.replica.AppendMirrored(asMirrored(b, p.replica.LeaderEpoch(), env), env)
	}
	if start := min(res.LogStart, log.HighWatermark()); start > log.Start() {
		log.MoveStart(start, env.Out)
	}
	m.wentWell(p, env)
	return true
}

// refuses tells whether a batch is not appended. One that does not fit at the log end, which may be inside the first batch of
// an empty log, is fetched again. A corrupt one fails the partition, and so does one that this broker's disk does not take. One
// whose epoch is above the source leader epoch of the fetch means stale source metadata: they are refreshed, and if it comes
// again the partition fails (section 5 of the design). One above the local leader epoch is D15.
func (m *Manager) refuses(p *partition, b *record.Batch, env *replica.Env) bool {
	switch {
	case b.Base < p.replica.Log.End() && (p.state != record.Mirroring || !p.replica.StartsInside(b)):
	case !b.Intact():
		m.fail(p, record.CorruptBatch, env)
	case env.DiskFull:
		m.fail(p, record.StorageError, env)
	case b.LeaderEpoch > p.fetcher.epoch && p.fetcher.stale:
		m.fail(p, record.StaleSource, env)
	case b.LeaderEpoch > p.fetcher.epoch:
		p.fetcher.stale = true
	default:
		return m.tooHigh(p, env.Config.MirroredEpoch(b.LeaderEpoch, p.replica.LeaderEpoch()), env)
	}
	return true
}

// asMirrored is the batch as the destination stores it: with the epoch and the producer id that D8 and D9 say. The bytes
// stay the source's unless those change them.
func asMirrored(b *record.Batch, leaderEpoch int32, env *replica.Env) *record.Batch {
	epoch := env.Config.MirroredEpoch(b.LeaderEpoch, leaderEpoch)
	producer, _ := env.Config.MirroredProducer(b.ProducerID)
	if epoch == b.LeaderEpoch && producer == b.ProducerID {
		return b
	}
	if producer != b.ProducerID {
		b = b.WithProducer(producer)
	}
	return b.At(b.Base, epoch)
}

// Lag is the source's high watermark last heard in the present leader epoch less the local one; false before the first
// answer.
func (m *Manager) Lag(x id.Partition) (int64, bool) {
	p := m.find(x)
	if p == nil || !p.fetcher.heard {
		return 0, false
	}
	return p.fetcher.sourceHW - p.replica.Log.HighWatermark(), true
}
