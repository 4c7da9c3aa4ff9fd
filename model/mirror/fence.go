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

// fence is the action of EPOCH_FENCING: refresh the source's metadata, have the controller raise the local leader epoch
// over the source's, and wait until this broker's metadata show it (sections 3 and 5 of the design).
func (m *Manager) fence(p *partition, env *replica.Env) {
	m.stopFetcher(p, env)
	p.phase = refreshing
	m.startFetcher(p, env)
}

// refreshed takes the source's leader epoch, for which EPOCH_FENCING has waited.
func (m *Manager) refreshed(p *partition, source int32, env *replica.Env) {
	m.stopFetcher(p, env)
	p.phase = idle
	minimum, needed := env.Config.Floor().Bump(source, source, p.replica.LeaderEpoch())
	if !needed {
		m.store(p, record.Mirroring, env)
		return
	}
	p.asked = minimum
	m.sendBump(p, env)
}

// bumpDone goes on with what waited for the bump.
func (m *Manager) bumpDone(p *partition, env *replica.Env) {
	if p.state == record.EpochFencing {
		m.store(p, record.Mirroring, env)
		return
	}
	m.stepDone(p, env)
}

// tooHigh has the leader epoch raised where a batch of the source's epoch is near it, and answers true where the batch is
// above it: that is not appended, and the partition goes to EPOCH_FENCING (D15). A stop that fetches still (D3) does
// neither: its leader epoch is raised by its own step.
func (m *Manager) tooHigh(p *partition, batchEpoch int32, env *replica.Env) bool {
	floor, own := env.Config.Floor(), p.replica.LeaderEpoch()
	accepted, goesOn := floor.LeaderAccepts(batchEpoch, own), p.state == record.Mirroring && !p.leaving()
	if !goesOn {
		return !accepted
	}
	if !accepted {
		m.store(p, record.EpochFencing, env)
		return true
	}
	if minimum, needed := floor.Bump(batchEpoch, p.fetcher.epoch, own); needed && minimum > max(p.raised, own) {
		m.raise(p, minimum, env)
	}
	return false
}

// raise schedules a bump while MIRRORING goes on. Nobody waits for it; the periodic check asks again.
func (m *Manager) raise(p *partition, minimum int32, env *replica.Env) {
	p.raised = minimum
	if env.Controller != id.None {
		m.sequence++
		env.Out.Send(env.Controller, &wire.BumpLeaderEpochRequest{Partition: p.id, Minimum: minimum, Correlation: m.sequence})
	}
}

func epochTimer(p *partition) node.Timer { return node.Timer{Kind: TimerEpoch, Partition: p.id} }

// armEpochCheck arms the periodic check of the source's leader epoch, where D15 asks for one.
func (m *Manager) armEpochCheck(p *partition, env *replica.Env) {
	if env.Config.Floor() >= protocol.FloorFenced {
		env.Out.Arm(epochTimer(p), env.Settings.EpochCheck, 0)
	}
}

// checkEpoch compares the source's leader epoch, as the fetcher knows it, with the local one, as a batch's is compared.
func (m *Manager) checkEpoch(p *partition, env *replica.Env) {
	if p.state != record.Mirroring || !p.fetcher.on {
		return
	}
	p.raised = 0 // a bump that was asked for may have been lost
	m.armEpochCheck(p, env)
	if p.phase == idle && p.fetcher.leader != id.None {
		m.tooHigh(p, p.fetcher.epoch, env)
	}
}

// recoverUnclean is the action of ULE_RECOVERY: the fetcher is removed, the log is cut where the source's history differs,
// and all replicas, alive or not, follow (section 3 of the design). A leader that did not see the divergence itself does not know where
// to cut: it asks the source, where D12 has it ask, and otherwise finds the divergence anew while MIRRORING, if it is still there.
func (m *Manager) recoverUnclean(p *partition, env *replica.Env) {
	m.stopFetcher(p, env)
	if p.cut == noCut {
		m.awaitSource(p, env)
		return
	}
	m.cutDiverged(p, p.cut, p.cutStart, env)
	p.cut, p.cutStart = noCut, 0
	m.awaitReplicas(p, env)
}

// cutDiverged cuts the log where the source's history differs, and notes how far for replicas that are away (D41).
func (m *Manager) cutDiverged(p *partition, offset, sourceStart int64, env *replica.Env) {
	end := p.replica.Log.End()
	p.replica.TruncateOwn(offset, event.Diverged, env)
	p.cutFrom(end)
	p.alignedAt(p.replica.Log.End())
	m.dropBelow(p, sourceStart, env)
}

// dropBelow drops a log of which all lies below the source's log start, and starts it there, as where the source's start is
// above the log end (section 10 of the design): of what the source has deleted nobody can tell whether it is the same. An
// epoch whose end the source has deleted as well is answered as ending at its log start, so that a cut may leave records that
// the source never had.
func (m *Manager) dropBelow(p *partition, sourceStart int64, env *replica.Env) {
	if log := p.replica.Log; log.End() <= sourceStart && log.Start() < sourceStart {
		p.replica.RestartOwn(sourceStart, env)
	}
}
