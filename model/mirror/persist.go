package mirror

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/point"
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
	p.phase = reading
	n := m.await(p, env)
	e := env.Out.Emit(event.StateReadCalled, p.id)
	e.Mirror, e.Op, e.LeaderEpoch = p.mirror, event.OpOf(uint8(env.Self), n), p.replica.LeaderEpoch()
	if to := coordinatorOf(p.mirror, p.id, env); to != id.None {
		env.Out.Send(to, &wire.ReadMirrorStatesRequest{Mirror: p.mirror, Partition: p.id, Correlation: n})
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
	p.known, p.state, p.stateEpoch, p.run = true, res.State.State, res.State.StateEpoch, res.State.Run
	p.aligned, p.position = record.NoPosition, noPosition
	if p.state != record.Unknown {
		p.aligned = res.State.Aligned
	}
	p.replica.SetAligned(p.uncut(), false, env)
	if res.HasPosition && res.Position.Run == p.run {
		p.position = position{res.Position.Epoch, res.Position.Offset}
	}
	if p.state != record.Stopped {
		m.setWritable(p, false, env)
	}
	if p.state != record.Mirroring && p.state != record.Stopping {
		m.stopFetcher(p, env)
	}
	m.evaluate(p, env)
}

// store writes a state to the coordinator; its action begins once that is acknowledged: persist, then act (D17). The
// leader raises the run number when it stores PREPARING. What the state before was doing, but for a fetcher, ends here.
func (m *Manager) store(p *partition, to record.State, env *replica.Env) {
	p.target = to
	p.early = p.early && to == record.Stopped
	if to == record.Preparing {
		p.run++
		p.aligned = record.NoPosition
	}
	m.sendState(p, env)
}

func (m *Manager) sendState(p *partition, env *replica.Env) {
	p.phase = storing
	n := m.await(p, env)
	e := env.Out.Emit(event.StateWriteCalled, p.id)
	e.Mirror, e.Op, e.To = p.mirror, event.OpOf(uint8(env.Self), n), uint8(p.target)
	e.LeaderEpoch, e.Offset = p.replica.LeaderEpoch(), int64(p.run)
	m.write(p, n, false, record.MirrorState{Kind: record.MirrorPartitionState, State: p.target}, env)
}

// write sends a record to the coordinator with the writer's leader epoch and the state epoch that it read last.
func (m *Manager) write(p *partition, n uint32, keepFirst bool, r record.MirrorState, env *replica.Env) {
	r.Mirror, r.Partition, r.Run = p.mirror, p.id, p.run
	r.LeaderEpoch, r.StateEpoch, r.Aligned = p.replica.LeaderEpoch(), p.stateEpoch, p.aligned
	if to := coordinatorOf(p.mirror, p.id, env); to != id.None {
		env.Out.Send(to, &wire.WriteMirrorStatesRequest{Record: r, KeepFirst: keepFirst, Correlation: n})
	}
}

// Wrote takes the coordinator's answer to a write of a state or of the position.
func (m *Manager) Wrote(res *wire.WriteMirrorStatesResponse, env *replica.Env) {
	p := m.find(res.Partition)
	if p == nil || p.correlation != res.Correlation {
		return
	}
	switch p.phase {
	case storing:
		m.stored(p, res, env)
	case recording:
		m.recorded(p, res, env)
	}
}

func (m *Manager) stored(p *partition, res *wire.WriteMirrorStatesResponse, env *replica.Env) {
	e := env.Out.Emit(event.StateWriteReturned, p.id)
	e.Mirror, e.Op, e.To = p.mirror, event.OpOf(uint8(env.Self), res.Correlation), uint8(p.target)
	e.Sequence, e.Cause = res.Stored.StateEpoch, uint8(res.Code)
	switch {
	case res.Code == wire.OK:
		m.settle(p, env)
		p.stateEpoch = res.Stored.StateEpoch
		m.reach(p, point.StateStored, goAct)
	case res.Code.Retriable() && res.Code != wire.FencedLeaderEpoch:
		m.backOff(p, goSendState, env)
	default:
		m.backOff(p, goRead, env) // refused: what this leader believes of the state is old
	}
}

// act begins the action of the state just stored. One that was stored before the reset (D27) lets the stop go on.
func (m *Manager) act(p *partition, env *replica.Env) {
	from := p.state
	p.state = p.target
	if from == record.Preparing {
		m.stopFetcher(p, env)
		p.position = noPosition // it was the source's; a stop of this run has recorded nothing yet
	}
	if p.early {
		m.nextStep(p, env)
		return
	}
	m.enter(p, from, env)
	m.evaluate(p, env) // the desired state may be another one by now
}
