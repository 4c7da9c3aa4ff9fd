package coordinator

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
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
// It runs when the image loses a mirror or topic and when a new coordinator has loaded; while the ISR is too small for an
// append it is put off, to the next write at the latest.
func (c *Coordinator) sweep(s *shard, state *replica.Replica, env *replica.Env) {
	if !s.stale || !s.loaded || !state.EnoughReplicas() {
		return
	}
	s.stale = false
	var list []record.MirrorState
	for i := range s.entries {
		list = s.entries[i].tombstones(list, env.Image)
	}
	if len(list) == 0 {
		return
	}
	b := state.AppendOwn(record.NewStates(list), event.FromInternal, env)
	for i, r := range list {
		s.take(r)
		s.pending = append(s.pending, write{end: b.Base + int64(i) + 1, record: r, to: id.None})
		e := env.Out.Emit(event.EntryRemoved, r.Partition)
		e.Mirror, e.From = r.Mirror, uint8(r.Kind)
	}
	c.Advanced(state, env)
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
