package mirror

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// prepare is the action of PREPARING: look up the last mirrored position at the source, truncate the local log, wait
// until the replicas have followed (seed 000, "Add", 7; section 6 of the design). Without a marker (D1) nothing is
// looked up and nothing is cut.
func (m *Manager) prepare(p *partition, env *replica.Env) {
	p.position, p.own, p.ownFound = noPosition, noPosition, false
	if epoch, offset := env.Config.MarkerParts(); !epoch && !offset && !env.Config.ChecksReverse() {
		m.cutTo(p, p.replica.Log.End(), env)
		return
	}
	if env.Config.LookupOver() == protocol.LookupOwnToo {
		m.recall(p, env)
		return
	}
	m.lookUp(p, env)
}

// recall asks what this cluster has itself recorded when it last stopped mirroring from the source. Where the source has
// not mirrored it back since, its own answer is older, or none (D22).
func (m *Manager) recall(p *partition, env *replica.Env) {
	p.phase = recalling
	n := m.await(p, env)
	if r := env.Image.Mirror(p.mirror); r != nil {
		env.Out.Send(env.Self, &wire.LastMirroredPositionRequest{Asker: r.Source, Mirror: p.mirror, Partition: p.id, Own: true, Correlation: n})
	}
}

// recalled takes this cluster's own answer, and goes on to ask the source.
func (m *Manager) recalled(p *partition, res *wire.LastMirroredPositionResponse, env *replica.Env) {
	if res.Code != wire.OK {
		m.backOff(p, goRecall, env)
		return
	}
	p.own, p.ownFound = position{res.Epoch, res.Offset}, res.Found
	e := env.Out.Emit(event.PositionRecalled, p.id)
	e.Mirror, e.BatchEpoch, e.Offset = p.mirror, p.own.epoch, p.own.offset
	if res.Found {
		e.Cause = 1
	}
	m.settle(p, env)
	m.lookUp(p, env)
}

// or is the greater of two positions, by epoch, then by offset: boundaries of one history, which only move up.
func (x position) or(y position) position {
	if y.epoch > x.epoch || y.epoch == x.epoch && y.offset > x.offset {
		return y
	}
	return x
}

// lookUp asks a broker of the source. Each attempt asks the next one.
func (m *Manager) lookUp(p *partition, env *replica.Env) {
	p.phase = lookingUp
	n := m.await(p, env)
	if to := m.sourceBroker(p, env); to != id.None {
		env.Out.Send(to, &wire.LastMirroredPositionRequest{Asker: env.Cluster, Mirror: p.mirror, Partition: p.id, Correlation: n})
	}
}

// sourceBroker is the next broker of the source's bootstrap list.
func (m *Manager) sourceBroker(p *partition, env *replica.Env) id.Node {
	r := env.Image.Mirror(p.mirror)
	if r == nil || len(r.Bootstrap) == 0 {
		return id.None
	}
	p.fetcher.server++
	return r.Bootstrap[int(p.fetcher.server)%len(r.Bootstrap)]
}

// LookedUp takes the source's answer. One that failed, or found a coordinator loading, is D13; one without a row for the
// partition is D49. Where the source lacks the topic or the partition there is nothing to align to, and nothing is cut.
func (m *Manager) LookedUp(from id.Node, res *wire.LastMirroredPositionResponse, env *replica.Env) {
	p := m.find(res.Partition)
	switch {
	case p == nil || p.correlation != res.Correlation:
		return
	case p.phase == recalling:
		m.recalled(p, res, env)
		return
	case p.phase != lookingUp:
		return
	}
	e := env.Out.Emit(event.LookupReturned, p.id)
	e.Mirror, e.Peer, e.To, e.BatchEpoch, e.Offset = p.mirror, from, uint8(res.Code), res.Epoch, res.Offset
	if res.Found {
		e.Cause = 1
	}
	found := res.Found || p.ownFound
	p.silence = 0
	if res.Code != wire.UnknownTopicOrPartition {
		p.unknown = 0
	}
	if !res.Lacks {
		p.lacking = 0
	}
	switch r := env.Image.Mirror(p.mirror); {
	case r != nil && res.Cluster != r.Source:
		m.fail(p, record.SourceReplaced, env)
	case res.Code == wire.InvalidClusterMirrorState: // the reverse mirror is active (D20): not before it is STOPPED
		m.fail(p, record.ReverseActive, env)
	case res.Code == wire.UnknownTopicOrPartition && m.unknownAtSource(p, env), res.Lacks && m.lackingAtSource(p, env):
	case res.Code != wire.OK && env.Config.RetriesLookup(), res.Code == wire.UnknownTopicOrPartition, res.Lacks:
		m.backOff(p, goLookUp, env)
	case res.Code == wire.OK && !found && env.Config.MissingRowFails(p.holdsRecords()):
		m.fail(p, record.PositionMissing, env)
	default:
		if res.Code == wire.OK && found {
			p.position = position{res.Epoch, res.Offset}.or(p.own)
		}
		m.settle(p, env)
		m.reach(p, point.LookupAnswered, goCut)
	}
}

// holdsRecords tells whether the log has a batch that no stop appends.
func (p *partition) holdsRecords() bool {
	return p.replica.Log.LastMirroredEpoch() >= 0
}

// lookupTimedOut is a lookup that nobody answered in time, which is a failure like any other (D13).
func (m *Manager) lookupTimedOut(p *partition, env *replica.Env) {
	if env.Config.RetriesLookup() {
		if !m.silent(p, env) {
			m.lookUp(p, env)
		}
		return
	}
	e := env.Out.Emit(event.LookupReturned, p.id)
	e.Mirror, e.To, e.BatchEpoch, e.Offset = p.mirror, uint8(wire.RequestTimedOut), record.NoPosition, record.NoPosition
	m.settle(p, env)
	m.reach(p, point.LookupAnswered, goCut)
}

// cut truncates the local log at the position looked up: -1 means to 0, and everything is copied; otherwise at the start
// of the first local epoch beyond the last mirrored epoch, at the recorded offset, or at the smaller of both (D1).
func (m *Manager) cut(p *partition, env *replica.Env) {
	m.cutTo(p, cutOffset(p, env), env)
}

func cutOffset(p *partition, env *replica.Env) int64 {
	byEpoch, byOffset := env.Config.MarkerParts()
	end := p.replica.Log.End()
	switch {
	case !byEpoch && !byOffset:
		return end
	case p.position == noPosition:
		return 0
	}
	at := end
	if byEpoch {
		switch _, epochEnd, ok := p.replica.Log.EndOffsetFor(p.position.epoch); {
		case ok:
			at = min(at, epochEnd)
		case p.replica.Log.LatestEpoch() >= 0 && !env.Config.AboveKeepsAll():
			at = 0
		}
	}
	if byOffset {
		at = min(at, max(p.position.offset, 0))
	}
	return at
}

func (m *Manager) cutTo(p *partition, offset int64, env *replica.Env) {
	end := p.replica.Log.End()
	p.replica.TruncateOwn(offset, event.AlignedToLME, env)
	p.cutFrom(end)
	p.replica.Report(event.ReportAligned, env)
	m.reach(p, point.LogAligned, goAwaitSource)
}

// awaitSource has the fetcher ask the source, where D12 wants its consent, and otherwise goes on to the replicas.
func (m *Manager) awaitSource(p *partition, env *replica.Env) {
	if _, source := alignmentWait(p, env); !source {
		m.awaitReplicas(p, env)
		return
	}
	p.phase = probing
	m.startFetcher(p, env)
}

// probed takes the source's answer to a fetch from the local log end in PREPARING or ULE_RECOVERY: where it diverges the log is cut, and
// the fetch repeated, after a back-off if there was nothing to cut; an answer without divergence ends the wait. Nothing
// is appended yet.
func (m *Manager) probed(p *partition, res *wire.FetchResponse, env *replica.Env) (again bool) {
	log := p.replica.Log
	end := log.End()
	p.heed(res)
	switch {
	case res.Code == wire.OffsetOutOfRange && res.LogStart > log.End():
		p.replica.RestartOwn(res.LogStart, env)
	case res.Code == wire.OffsetOutOfRange && res.LogEnd >= log.End(): // an epoch above all of the source's (D33)
		m.fetchLater(p, env)
		return false
	case res.Code == wire.OffsetOutOfRange:
		p.replica.TruncateOwn(res.LogEnd, event.Diverged, env)
		p.cutFrom(end)
	case res.Diverging:
		p.replica.TruncateOwn(replica.CutPoint(log, res.DivergingEpoch, res.DivergingOffset), event.Diverged, env)
		p.cutFrom(end)
		m.dropBelow(p, res.LogStart, env)
	default:
		m.stopFetcher(p, env)
		m.awaitReplicas(p, env)
		return false
	}
	if p.state == record.UleRecovery {
		p.alignedAt(log.End())
	}
	return true
}

// heed notes whether the source agrees to the log as it stands, until the replicas have followed.
func (p *partition) heed(res *wire.FetchResponse) {
	if p.state == record.Preparing && (res.Code == wire.OK || res.Code == wire.OffsetOutOfRange) {
		p.agreed = res.Code == wire.OK && !res.Diverging
	}
}

// awaitReplicas waits until the replicas that D12 names have followed. There is no truncation request: they find out by
// ordinary replication.
func (m *Manager) awaitReplicas(p *partition, env *replica.Env) {
	p.phase = following
	m.replicasFollowed(p, env)
}

func (m *Manager) replicasFollowed(p *partition, env *replica.Env) {
	if wait, _ := followWait(p, env); p.replica.Laggard(wait, env) != id.None {
		return
	}
	if p.state == record.UleRecovery {
		m.store(p, record.Mirroring, env)
		return
	}
	p.agreed, p.followed = true, true
	p.aligns()
	p.alignedAt(p.replica.Log.End())
	p.replica.SetAligned(p.aligned, true, env)
	e := env.Out.Emit(event.Aligned, p.id)
	e.Mirror, e.LeaderEpoch, e.Offset = p.mirror, p.replica.LeaderEpoch(), p.replica.Log.End()
	m.reach(p, point.ReplicasFollowed, goMirrorOn)
}

// alignedAt notes that the log was cut to end. A replica may have been away since before an earlier cut, of this run or
// another, so what counts is the lowest (D41).
func (p *partition) alignedAt(end int64) {
	if p.aligned == record.NoPosition || end < p.aligned {
		p.aligned = end
	}
}

// followWait is whom p waits for: in ULE_RECOVERY for all replicas, otherwise for whom alignment waits.
func followWait(p *partition, env *replica.Env) (wait protocol.Wait, source bool) {
	if p.state == record.UleRecovery {
		return protocol.WaitAll, false
	}
	return alignmentWait(p, env)
}

// alignmentWait is D12 for p's topic: whom alignment waits for, and whether for the source's consent first. D41 may have it
// wait for the absent too.
func alignmentWait(p *partition, env *replica.Env) (wait protocol.Wait, source bool) {
	t := env.Image.Topic(p.id.Topic)
	wait, source = env.Config.AlignmentWaits(t != nil && t.MirrorUnclean)
	if env.Config.AbsentReplicas() == protocol.AbsentWaitAll {
		wait = protocol.WaitAll
	}
	return wait, source
}

// mirrorOn goes on to MIRRORING, unless the desired state has changed meanwhile.
func (m *Manager) mirrorOn(p *partition, env *replica.Env) {
	if p.afresh {
		m.evaluate(p, env)
		if p.phase != idle {
			return
		}
	}
	m.store(p, record.Mirroring, env)
}
