package mirror

import (
	"slices"
	"strconv"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// lowering is what D31 asks of a leader that has cut its log: the group coordinators lower the offsets that stand above the
// log end, before anything else is appended there. It has no bound: a group whose offset is not lowered before appends reach it
// would pass over them. A leader that took over has it asked once too, for the one before may have cut and not come so far. One
// that has itself begun the first run of the mirror here, and has cut nothing since, asks nobody.
type lowering struct {
	first       bool   // this leader has begun the mirror's first run here: no other has cut the log for it
	cut         bool   // this leader has cut the log since offsets were lowered last
	due         bool   // not done since the last cut
	acked       []bool // by partition of __consumer_offsets; nil while nothing is asked
	correlation uint32
}

// cutFrom notes a cut of the log, which ended at end before it, if that has taken anything.
func (p *partition) cutFrom(end int64) {
	if p.replica.Log.End() < end {
		p.lowering.cut, p.lowering.due = true, true
	}
}

// aligns notes the end of an alignment, which is where a run begins to mirror. What an earlier leader has cut, or an earlier
// mirror, is not known.
func (p *partition) aligns() {
	p.lowering.due = p.lowering.cut || !p.lowering.first || p.ownFound
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

// loweringWait names the first partition of __consumer_offsets that has not answered, in words.
func loweringWait(p *partition, env *replica.Env) string {
	i := slices.Index(p.lowering.acked, false)
	if i < 0 {
		return ""
	}
	leader := "without a leader"
	if reg := env.Image.Partition(id.Partition{Topic: env.Image.GroupTopic.Topic, Index: uint16(i)}); reg != nil && reg.Leader != id.None {
		leader = "led by node " + strconv.Itoa(int(reg.Leader))
	}
	return "__consumer_offsets-" + strconv.Itoa(i) + ", " + leader + ", " + waits[loweringStop]
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
	p.lowering.cut, p.lowering.due, p.lowering.acked = false, false, nil
	switch {
	case p.phase == loweringStop:
		m.settle(p, env)
		m.stepDone(p, env)
	case p.fetcher.on:
		m.findSource(p, env)
	}
}
