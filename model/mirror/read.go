package mirror

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// read asks the coordinator for the actual state. Nothing is known of it, and nothing is done, until it answers.
func (m *Manager) read(p *partition, env *replica.Env) {
	m.stopFetcher(p, env)
	p.known, p.entered = false, false
	m.askState(p, env)
}

func (m *Manager) askState(p *partition, env *replica.Env) {
	m.forgetBehind(p, env)
	p.phase = reading
	n := m.await(p, env)
	e := env.Out.Emit(event.StateReadCalled, p.id)
	e.Mirror, e.Op, e.LeaderEpoch = p.mirror, event.OpOf(uint8(env.Self), n), p.replica.LeaderEpoch()
	if to := coordinatorOf(p.mirror, p.id, env); to != id.None {
		env.Out.Send(to, &wire.ReadMirrorStatesRequest{Mirror: p.mirror, Partition: p.id,
			Life: env.Image.Life(p.mirror, p.id.Topic), Correlation: n})
	}
}

// coordinatorOf is the broker that coordinates p by this broker's metadata; id.None while nobody does.
func coordinatorOf(x id.Mirror, p id.Partition, env *replica.Env) id.Node {
	if at, ok := env.Image.CoordinatorOf(x, p); ok {
		if reg := env.Image.Partition(at); reg != nil {
			return reg.Leader
		}
	}
	return id.None
}

// Read takes the coordinator's answer and runs the rules.
func (m *Manager) Read(res *wire.ReadMirrorStatesResponse, env *replica.Env) {
	if m.gathered(res, env) {
		return
	}
	p := m.find(res.Partition)
	if p == nil || p.phase != reading || p.correlation != res.Correlation {
		return
	}
	e := env.Out.Emit(event.StateReadReturned, p.id)
	e.Mirror, e.Op, e.Cause = p.mirror, event.OpOf(uint8(env.Self), res.Correlation), uint8(res.Code)
	if res.Code != wire.OK {
		m.backOff(p, goAskState, env)
		return
	}
	e.To, e.Sequence, e.Offset = uint8(res.State.State), res.State.StateEpoch, int64(res.State.Run)
	m.settle(p, env)
	m.learn(p, res)
	p.replica.SetAligned(p.aligned, false, env)
	if p.state != record.Stopped {
		m.setWritable(p, false, env)
	}
	if p.state != record.Mirroring && p.state != record.Stopping {
		m.stopFetcher(p, env)
	}
	m.evaluate(p, env)
}

// learn takes over what the coordinator stores of p. What this leader knows of its own log stays: a coordinator that has moved may
// not have what was stored last, such as that the source has agreed to the log of this run, and how far it was cut for that.
func (m *Manager) learn(p *partition, res *wire.ReadMirrorStatesResponse) {
	s := &res.State
	same, agreed, followed, aligned := p.run >= s.Run && s.State != record.Unknown, p.agreed, p.followed, p.aligned
	p.known, p.state, p.stateEpoch, p.run = true, s.State, s.StateEpoch, s.Run
	p.previous, p.reason, p.recovery, p.retried = s.Previous, s.Reason, s.Recovery, false
	p.asserted = s.LeaderEpoch == p.replica.LeaderEpoch()
	p.failures = max(s.Attempts, 0)
	p.followed = s.Agreed || same && followed
	p.aligned, p.agreed, p.position = record.NoPosition, p.followed || same && agreed, noPosition
	if p.state != record.Unknown {
		p.aligned = s.Aligned
	}
	if same && aligned != record.NoPosition {
		p.alignedAt(aligned)
	}
	if p.hasFirst = res.HasPosition && res.Position.Run == p.run; p.hasFirst {
		p.position = position{res.Position.Epoch, res.Position.Offset}
		p.first = p.position
	}
}
