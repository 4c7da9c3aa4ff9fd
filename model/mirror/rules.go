package mirror

import (
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
	to := target(p, env)
	switch {
	case to == p.state && p.entered:
	case to == p.target && p.phase == pausing && p.then == goSendState: // on its way already
	case to == p.state && (to == record.Stopped || to == record.Unknown):
		m.enter(p, p.state, env) // nothing to store: it stays
	default:
		m.store(p, to, env)
	}
}

// target is the state that the rules pick for the desired and the actual state. Rule 0, no desired state, is Intent's.
func target(p *partition, env *replica.Env) record.State {
	switch p.desired {
	case record.WantStopped:
		switch {
		case p.state == record.Stopped, p.state == record.Unknown && !env.Config.StopsUnknown():
			return p.state
		}
		return record.Stopping
	case record.WantMirroring:
		if p.state == record.Unknown || p.state == record.Stopped {
			return record.Preparing
		}
	}
	return p.state
}

// enter begins the action of the state that is stored now.
func (m *Manager) enter(p *partition, from record.State, env *replica.Env) {
	p.entered = true
	e := env.Out.Emit(event.StateEntered, p.id)
	e.Mirror, e.From, e.To = p.mirror, uint8(from), uint8(p.state)
	e.LeaderEpoch, e.Offset = p.replica.LeaderEpoch(), int64(p.run)
	switch p.state {
	case record.Preparing:
		m.prepare(p, env)
	case record.Mirroring:
		m.startFetcher(p, env)
	case record.Stopping:
		p.step, p.early = 0, false
		m.nextStep(p, env)
	case record.Stopped:
		m.setWritable(p, p.desired == record.WantStopped, env)
	}
}

// bumped goes on in a new leader epoch of the same leader. It restarts the fetcher, and a bump that the stop waits for
// ends that wait.
func (m *Manager) bumped(p *partition, env *replica.Env) {
	if p.known {
		p.replica.SetAligned(p.uncut(), false, env) // a replica that missed a registration begins anew
	}
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
