package mirror

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/point"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// store writes a state to the coordinator. Its action begins once that is acknowledged, or at once, by D17. The leader
// raises the run number when it stores PREPARING. What the state before was doing, but for a fetcher, ends here.
func (m *Manager) store(p *partition, to record.State, env *replica.Env) {
	p.target = to
	p.early = p.early && to == record.Stopped
	switch to {
	case record.Preparing:
		p.lowering.first = p.lowering.first || p.run == 0
		p.run++
		p.agreed = p.agreed && (p.state == record.Preparing || p.state == record.Failed) // it is stored again: the log is the same
		p.followed, p.hasFirst, p.failures, p.reason = false, false, 0, record.NoReason
	case record.Stopped, record.Paused:
		p.failures, p.reason = 0, record.NoReason
	}
	if env.Config.PersistsFirst() {
		m.reach(p, point.StateChosen, goSendState)
		p.phase, p.unsent = storing, true
		return
	}
	m.settle(p, env)
	p.behind = append(p.behind, m.stateRecord(p, env))
	if len(p.behind) == 1 {
		m.sendBehind(p, env)
	}
	m.act(p, env)
}

// stateRecord is what is stored with the state that p goes to.
func (m *Manager) stateRecord(p *partition, env *replica.Env) record.MirrorState {
	r := record.MirrorState{Kind: record.MirrorPartitionState, State: p.target, Attempts: p.failures, Recovery: p.recovery}
	if p.target == record.Failed {
		r.Reason = p.reason
		if !p.reason.Retryable() {
			r.Attempts = record.NotRetryable
		}
	}
	return m.complete(p, r, env)
}

// complete fills in what every record carries: whose it is, the run, the life of mirror and topic, and the writer's leader
// epoch.
func (m *Manager) complete(p *partition, r record.MirrorState, env *replica.Env) record.MirrorState {
	r.Mirror, r.Partition, r.Run, r.Life = p.mirror, p.id, p.run, env.Image.Life(p.mirror, p.id.Topic)
	r.LeaderEpoch, r.StateEpoch, r.Aligned, r.Agreed = p.replica.LeaderEpoch(), p.stateEpoch, p.aligned, p.followed
	return r
}

// sendState writes the target state, for which p waits: persist, then act.
func (m *Manager) sendState(p *partition, env *replica.Env) {
	p.phase, p.unsent = storing, false
	m.write(p, m.await(p, env), false, m.stateRecord(p, env), env)
}

// write sends a record to the coordinator with the state epoch that the writer read last.
func (m *Manager) write(p *partition, n uint32, keepFirst bool, r record.MirrorState, env *replica.Env) {
	kind := event.StateWriteCalled
	if r.Kind == record.LastMirroredEpochs {
		kind = event.PositionWriteCalled
	}
	e := env.Out.Emit(kind, p.id)
	e.Mirror, e.Op, e.LeaderEpoch = p.mirror, event.OpOf(uint8(env.Self), n), r.LeaderEpoch
	if kind == event.StateWriteCalled {
		e.To, e.Offset = uint8(r.State), int64(r.Run)
	} else {
		e.BatchEpoch, e.Offset, e.End = r.Epoch, r.Offset, int64(r.Run)
	}
	if to := coordinatorOf(p.mirror, p.id, env); to != id.None {
		env.Out.Send(to, &wire.WriteMirrorStatesRequest{Record: r, KeepFirst: keepFirst, Correlation: n})
	}
}

// Wrote takes the coordinator's answer to a write of a state or of the position.
func (m *Manager) Wrote(res *wire.WriteMirrorStatesResponse, env *replica.Env) {
	p := m.find(res.Partition)
	switch {
	case p == nil:
	case len(p.behind) > 0 && p.behindCorrelation == res.Correlation:
		m.behindStored(p, res, env)
	case p.correlation != res.Correlation:
	case p.phase == storing:
		m.stored(p, res, env)
	case p.phase == recording:
		m.recorded(p, res, env)
	}
}

// wroteState writes the answer to a write of a state into the history.
func (m *Manager) wroteState(p *partition, to record.State, res *wire.WriteMirrorStatesResponse, env *replica.Env) {
	e := env.Out.Emit(event.StateWriteReturned, p.id)
	e.Mirror, e.Op, e.To = p.mirror, event.OpOf(uint8(env.Self), res.Correlation), uint8(to)
	e.Sequence, e.Cause = res.Stored.StateEpoch, uint8(res.Code)
}

func (m *Manager) stored(p *partition, res *wire.WriteMirrorStatesResponse, env *replica.Env) {
	m.wroteState(p, p.target, res, env)
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

// act begins the action of the target state. One that was stored before the reset (D27) lets the stop go on.
func (m *Manager) act(p *partition, env *replica.Env) {
	from := p.state
	p.state, p.retried = p.target, false
	if p.state == record.Failed && from != record.Failed {
		p.previous = from
	}
	if p.state != from {
		p.silence, p.unknown = 0, 0 // what the source did not answer before is of no account now
	}
	if from == record.Preparing && p.state != record.Preparing {
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

// sendBehind writes the oldest state that p has acted on before it was stored (D17=act-first), with the leader epoch and
// the state epoch of now.
func (m *Manager) sendBehind(p *partition, env *replica.Env) {
	m.sequence++
	p.behindCorrelation = m.sequence
	r := p.behind[0]
	r.LeaderEpoch, r.StateEpoch = p.replica.LeaderEpoch(), p.stateEpoch
	m.write(p, m.sequence, false, r, env)
	env.Out.Arm(behindTimer(p), env.Settings.FetchTimeout, 0)
}

func behindTimer(p *partition) node.Timer { return node.Timer{Kind: TimerBehind, Partition: p.id} }

func (m *Manager) behindStored(p *partition, res *wire.WriteMirrorStatesResponse, env *replica.Env) {
	m.wroteState(p, p.behind[0].State, res, env)
	switch {
	case res.Code == wire.OK:
		p.stateEpoch = res.Stored.StateEpoch
		p.behind = append(p.behind[:0], p.behind[1:]...)
		env.Out.Cancel(behindTimer(p))
		if len(p.behind) > 0 {
			m.sendBehind(p, env)
		}
	case res.Code.Retriable() && res.Code != wire.FencedLeaderEpoch:
		p.behindCorrelation = 0
		env.Out.Arm(behindTimer(p), env.Settings.RetryBackoff, env.Settings.RetryBackoff/5)
	default:
		m.forgetBehind(p, env)
		m.backOff(p, goRead, env)
	}
}

// forgetBehind gives up what p has acted on and not stored: it reads what is stored instead.
func (m *Manager) forgetBehind(p *partition, env *replica.Env) {
	if len(p.behind) > 0 {
		p.behind = p.behind[:0]
		env.Out.Cancel(behindTimer(p))
	}
}
