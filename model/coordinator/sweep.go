package coordinator

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// Removed tells the coordinator that a mirror or a topic is gone from its broker's image. find answers the replica of a
// partition of __mirror_state here.
func (c *Coordinator) Removed(find func(id.Partition) *replica.Replica, env *replica.Env) {
	for _, s := range c.shards {
		s.stale = true
		c.sweep(s, find(s.partition), env)
	}
}

// sweep appends a tombstone of each kind for every entry of a mirror that was deleted (section 2 of the design, DeleteMirror),
// or of a topic that was: one that is made anew under its id begins with leader epoch 0, which the old entry would fence.
// It runs when the image loses a mirror or topic and when a new coordinator has loaded; while an append with acks=all is
// refused it is tried again: nobody writes any more what is gone, so no write would bring it about.
func (c *Coordinator) sweep(s *shard, state *replica.Replica, env *replica.Env) {
	if !s.stale || !s.loaded {
		return
	}
	var list []record.MirrorState
	for i := range s.entries {
		list = s.entries[i].tombstones(list, env.Image)
	}
	if s.stale = len(list) > 0; !s.stale {
		return
	}
	if state.Refusal(env) != wire.OK {
		env.Out.Arm(sweepTimer(s), env.Settings.RetryBackoffMax, 0)
		return
	}
	s.stale = false
	b := state.AppendOwn(record.NewStates(list), event.FromInternal, env)
	for i, r := range list {
		s.take(r)
		s.pending = append(s.pending, write{end: b.Base + int64(i) + 1, record: r, to: id.None})
		e := env.Out.Emit(event.EntryRemoved, r.Partition)
		e.Mirror, e.From = r.Mirror, uint8(r.Kind)
	}
	c.Advanced(state, env)
}

func sweepTimer(s *shard) node.Timer { return node.Timer{Kind: TimerSweep, Partition: s.partition} }

// SweepAgain tries to remove what could not be removed from the partition of __mirror_state that r is.
func (c *Coordinator) SweepAgain(r *replica.Replica, env *replica.Env) {
	if s := c.shard(r.ID()); s != nil {
		c.sweep(s, r, env)
	}
}

// tombstones appends those of e's values that are not of the present life of mirror and topic. A value of a life that m has
// not replayed yet, which an earlier coordinator took, is no such value.
func (e *entry) tombstones(list []record.MirrorState, m *metadata.Image) []record.MirrorState {
	life := m.Life(e.mirror, e.partition.Topic)
	for _, v := range [...]*value{&e.position, &e.state} {
		if v.hasNewest && v.newest.Life != life && v.newest.Life < m.Offset {
			list = append(list, record.MirrorState{Kind: v.newest.Kind, Mirror: e.mirror, Partition: e.partition,
				Tombstone: true, LeaderEpoch: -1})
		}
	}
	return list
}
