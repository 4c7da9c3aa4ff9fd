package group

import (
	"encoding/binary"
	"fmt"

	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// The timers of groups; the broker passes them on. Kinds 28 to 31 are this package's.
const (
	TimerLoad    uint8 = iota + 28 // a coordinator is about to replay its partition of __consumer_offsets
	TimerSweep                     // offsets that are to be removed are still there
	TimerSession                   // no heartbeat of the member of group Peer has come for session.timeout.ms
)

// Coordinator is the part of a broker that coordinates the groups which the partitions of __consumer_offsets that it leads
// stand for.
type Coordinator struct {
	node.Heard          // of the clients that ask it
	shards     []*shard // ordered by partition
}

// route finds the shard of a group and whether this broker may answer.
func (c *Coordinator) route(g record.Group, env *replica.Env) (*shard, wire.Code) {
	at, ok := env.Image.GroupsOf(g)
	if !ok {
		return nil, wire.NotCoordinator
	}
	return c.serving(at)
}

// serving finds the shard of a partition of __consumer_offsets and whether this broker may answer.
func (c *Coordinator) serving(at id.Partition) (*shard, wire.Code) {
	s := c.shard(at)
	switch {
	case s == nil:
		return nil, wire.NotCoordinator
	case !s.loaded:
		return nil, wire.CoordinatorLoadInProgress
	}
	return s, wire.OK
}

func (c *Coordinator) shard(p id.Partition) *shard {
	for _, s := range c.shards {
		if s.partition == p {
			return s
		}
	}
	return nil
}

// List are the groups that this broker coordinates, by partition of __consumer_offsets; those of one that loads are missing.
func (c *Coordinator) List() (list []record.Group) {
	for _, s := range c.shards {
		for i := range s.groups {
			if s.loaded && s.groups[i].exists() {
				list = append(list, s.groups[i].id)
			}
		}
	}
	return list
}

// exists tells whether the group has ever had a member, or has an offset.
func (g *group) exists() bool {
	for i := range g.offsets {
		if g.offsets[i].newest.exists() {
			return true
		}
	}
	return g.generation > 0
}

// Clone is a deep copy; requests and records are shared.
func (c *Coordinator) Clone() Coordinator {
	d := Coordinator{shards: make([]*shard, len(c.shards)), Heard: c.Heard.Clone()}
	for i, s := range c.shards {
		d.shards[i] = s.clone()
	}
	return d
}

// AppendState appends what is not derived from the log: how far each shard has loaded, what members read, and whom it owes an
// answer.
func (c *Coordinator) AppendState(dst []byte) []byte {
	for _, s := range c.shards {
		dst = binary.LittleEndian.AppendUint32(dst, s.partition.Word())
		dst = append(dst, id.Bit(s.replayed), id.Bit(s.loaded), id.Bit(s.stale), byte(len(s.pending)))
		for i := range s.groups {
			dst = s.groups[i].reads.appendState(dst)
		}
		for _, w := range s.pending {
			dst = append(dst, byte(w.reply.to))
			dst = binary.LittleEndian.AppendUint64(dst, uint64(w.end))
		}
	}
	return dst
}

// Waits says which shards are still loading, and which have records that are not below the high watermark.
func (c *Coordinator) Waits(yield func(string) bool) bool {
	for _, s := range c.shards {
		what := ""
		switch {
		case !s.loaded:
			what = fmt.Sprintf("the coordinator of __consumer_offsets-%d is loading", s.partition.Index)
		case len(s.pending) > 0:
			what = fmt.Sprintf("__consumer_offsets-%d waits for %d writes", s.partition.Index, len(s.pending))
		}
		if what != "" && !yield(what) {
			return false
		}
	}
	return true
}
