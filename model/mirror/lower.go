package mirror

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// lowering is what D31 asks of a leader that has cut its log: the group coordinators lower the offsets that stand above the
// log end, before anything else is appended there. A leader that is new in its epoch has it asked once too: the one before
// may have cut and not come so far.
type lowering struct {
	due         bool   // not done since the last cut
	acked       []bool // by partition of __consumer_offsets; nil while nothing is asked
	correlation uint32
}

// lowers tells whether p is to have offsets lowered before it goes on.
func (p *partition) lowers(env *replica.Env) bool {
	synced, _ := env.Config.LowersOffsets()
	return synced && p.lowering.due && env.Image.GroupTopic != nil
}

// lower asks the leader of every partition of __consumer_offsets.
func (m *Manager) lower(p *partition, env *replica.Env) {
	m.sequence++
	p.lowering.acked, p.lowering.correlation = make([]bool, env.Image.GroupTopic.Partitions), m.sequence
	m.sendLower(p, env)
}

// sendLower asks those that have not answered. Offsets above the log end are lowered to it.
func (m *Manager) sendLower(p *partition, env *replica.Env) {
	_, all := env.Config.LowersOffsets()
	log := p.replica.Log
	for i, acked := range p.lowering.acked {
		at := id.Partition{Topic: env.Image.GroupTopic.Topic, Index: uint16(i)}
		if reg := env.Image.Partition(at); !acked && reg != nil && reg.Leader != id.None {
			env.Out.Send(reg.Leader, &wire.LowerOffsetsRequest{Groups: at, Mirror: p.mirror, Partition: p.id, Offset: log.End(),
				Epoch: epochBefore(p.replica, log.End()), All: all, Correlation: p.lowering.correlation})
		}
	}
	if p.phase == loweringStop {
		env.Out.Arm(retryTimer(p), env.Settings.RetryBackoffMax, 0)
	} else {
		env.Out.Arm(fetchTimer(p), env.Settings.RetryBackoffMax, 0)
	}
}

// epochBefore is the leader epoch of the record before offset in the log, -1 where none is.
func epochBefore(r *replica.Replica, offset int64) int32 {
	if offset <= r.Log.Start() || offset > r.Log.End() {
		return record.NoPosition
	}
	return r.Log.EpochAt(offset - 1)
}

// Lowered takes a group coordinator's answer. One that could not is asked again. Once all have, the fetcher begins, or the
// stop goes on.
func (m *Manager) Lowered(res *wire.LowerOffsetsResponse, env *replica.Env) {
	p := m.find(res.Partition)
	if p == nil || p.lowering.acked == nil || p.lowering.correlation != res.Correlation || res.Code != wire.OK {
		return
	}
	p.lowering.acked[res.Groups.Index] = true
	for _, acked := range p.lowering.acked {
		if !acked {
			return
		}
	}
	p.lowering.due, p.lowering.acked = false, nil
	switch {
	case p.phase == loweringStop:
		m.settle(p, env)
		m.stepDone(p, env)
	case p.fetcher.on:
		m.findSource(p, env)
	}
}
