package mirror

import (
	"mirrorsim/model/coordinator"
	"mirrorsim/model/event"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
)

// evaluate runs the rules of section 3 and stores the state that they pick, unless that is the state whose action is
// under way already. While a read, a write or a point is under way the rules wait for it.
func (m *Manager) evaluate(p *partition, env *replica.Env) {
	asking := p.phase == reading || p.phase == pausing && (p.then == goAskState || p.then == goRead)
	if !p.known || asking || p.phase == storing || p.phase == atPoint {
		p.afresh = p.known
		return
	}
	p.afresh = false
	p.recovers(env)
	to := target(p, env)
	switch {
	case to == p.state && p.entered:
	case to == p.target && p.phase == pausing && p.then == goSendState: // on its way already
	case to == record.Unknown, to == p.state && to == record.Stopped && p.asserted:
		m.enter(p, p.state, env) // nothing to store: it stays
	default:
		m.store(p, to, env)
	}
}

// target is the state that the rules pick for the desired and the actual state (section 3 of the design). Rule 0, no
// desired state, is Intent's.
func target(p *partition, env *replica.Env) record.State {
	actual := p.state
	if actual == record.Failed {
		switch {
		case p.desired == record.WantStopped:
			return record.Stopping // the stop was accepted
		case !p.retried:
			return record.Failed
		}
		actual = p.failedFrom()
	}
	to := wanted(p.desired, actual, env)
	if p.state == record.Failed && !coordinator.Legal(record.Failed, to, env.Config) {
		return actual // it goes on from there
	}
	return to
}

// wanted are rules 2 to 4. Where a pause is desired, what comes before MIRRORING is finished first.
func wanted(desired record.Desired, actual record.State, env *replica.Env) record.State {
	begins := actual == record.Unknown || actual == record.Stopped
	switch desired {
	case record.WantStopped:
		if actual == record.Stopped || actual == record.Unknown && !env.Config.StopsUnknown() {
			return actual
		}
		return record.Stopping
	case record.WantPaused:
		switch {
		case actual == record.Mirroring:
			return record.Pausing
		case begins:
			return record.Preparing
		}
	case record.WantMirroring:
		switch {
		case actual == record.Paused:
			return record.Mirroring // resumed: no truncation
		case begins:
			return record.Preparing
		}
	}
	return actual
}

// enter begins the action of the state that is stored now.
func (m *Manager) enter(p *partition, from record.State, env *replica.Env) {
	p.entered = true
	e := env.Out.Emit(event.StateEntered, p.id)
	e.Mirror, e.From, e.To = p.mirror, uint8(from), uint8(p.state)
	e.LeaderEpoch, e.Offset = p.replica.LeaderEpoch(), int64(p.run)
	if t := env.Image.Topic(p.id.Topic); t != nil && t.RemoteStorage && (p.state == record.Preparing || p.state == record.Mirroring) {
		m.fail(p, record.RemoteStorage, env)
		return
	}
	switch p.state {
	case record.Preparing:
		m.prepare(p, env)
	case record.Mirroring:
		m.startFetcher(p, env)
		m.armEpochCheck(p, env)
	case record.EpochFencing:
		m.fence(p, env)
	case record.UleRecovery:
		m.recoverUnclean(p, env)
	case record.Pausing:
		m.stopFetcher(p, env)
		m.store(p, record.Paused, env)
	case record.Failed:
		m.failed(p, env)
	case record.Stopping:
		p.step, p.early, p.rerun = 0, false, from == record.Stopping
		m.nextStep(p, env)
	case record.Stopped:
		m.setWritable(p, p.desired == record.WantStopped, env)
	}
}

// bumped goes on in a new leader epoch of the same leader. It restarts the fetcher, and a bump that the stop waits for
// ends that wait.
func (m *Manager) bumped(p *partition, env *replica.Env) {
	if p.known {
		p.replica.SetAligned(p.aligned, false, env) // a replica that missed a registration begins anew
	}
	p.raised = 0
	if p.fetcher.on {
		m.stopFetcher(p, env)
		m.startFetcher(p, env)
	}
	if p.phase == bumping {
		m.bumpShown(p, env)
	}
	m.evaluate(p, env)
}

// Progressed tells the manager that the replica of a partition which it drives may have moved: its followers' log ends,
// its high watermark or its ISR.
func (m *Manager) Progressed(r *replica.Replica, env *replica.Env) {
	p := m.find(r.ID())
	if p == nil {
		return
	}
	switch p.phase {
	case following:
		m.replicasFollowed(p, env)
	case draining:
		m.drained(p, env)
	case cutting:
		m.cutFollowed(p, env)
	}
}
