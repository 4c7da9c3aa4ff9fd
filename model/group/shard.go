package group

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// loadDelay is how long a new coordinator takes until it has replayed its partition.
const loadDelay = id.Millisecond

// shard is one partition of __consumer_offsets that this broker leads.
type shard struct {
	partition id.Partition
	replayed  bool    // the log has been read from its start
	goal      int64   // loaded once the high watermark has reached the log end of the election
	loaded    bool    // requests are answered
	stale     bool    // a topic was deleted: tombstones may be missing
	groups    []group // ordered by client
	pending   []write // appended, and not below the high watermark yet, in their order
}

// group is what the coordinator knows of one group. Membership is what was appended last: a request is judged by it, as
// Kafka's coordinator does, and its answer waits until it is below the high watermark.
type group struct {
	id         record.Group
	generation int32
	member     uint32   // 0: the group is empty
	offsets    []offset // ordered by partition
	reads      reads    // what the member reads
}

// offset is what a group has committed of one partition: appended last, and below the high watermark.
type offset struct {
	partition      id.Partition
	newest, stored committed
}

// committed is a record with the end of its place in __consumer_offsets, which is its version; 0: there is none.
type committed struct {
	record  record.GroupRecord
	version int64
}

// exists tells whether there is an offset, and no tombstone of one.
func (c *committed) exists() bool { return c.version > 0 && !c.record.Tombstone }

// lives tells whether there is an offset, of the topic that the image has now, and of none that had its id before.
func (c *committed) lives(env *replica.Env) bool {
	t := env.Image.Topic(c.record.Partition.Topic)
	return c.exists() && t != nil && t.CreatedAt == c.record.CreatedAt
}

// write is one appended batch.
type write struct {
	end     int64 // offset after it
	records []record.GroupRecord
	reply   reply
}

// reply is an answer that is owed; to is id.None when nobody waits.
type reply struct {
	to   id.Node
	body wire.Body // the request
}

var noReply = reply{to: id.None}

// find is the entry of a group, made when there is none.
func (s *shard) find(g record.Group) *group {
	i := 0
	for i < len(s.groups) && s.groups[i].id.Client < g.Client {
		i++
	}
	if i == len(s.groups) || s.groups[i].id.Client != g.Client {
		s.groups = append(s.groups, group{})
		copy(s.groups[i+1:], s.groups[i:])
		s.groups[i] = group{id: g}
	}
	return &s.groups[i]
}

// of is what the group has committed of p, made when there is nothing.
func (g *group) of(p id.Partition) *offset {
	i := 0
	for i < len(g.offsets) && g.offsets[i].partition.Less(p) {
		i++
	}
	if i == len(g.offsets) || g.offsets[i].partition != p {
		g.offsets = append(g.offsets, offset{})
		copy(g.offsets[i+1:], g.offsets[i:])
		g.offsets[i] = offset{partition: p}
	}
	return &g.offsets[i]
}

func sessionTimer(s *shard, g *group) node.Timer {
	return node.Timer{Kind: TimerSession, Partition: s.partition, Peer: g.id.Client}
}

func (s *shard) clone() *shard {
	c := *s
	c.groups = append([]group(nil), s.groups...)
	for i := range c.groups {
		c.groups[i].offsets = append([]offset(nil), s.groups[i].offsets...)
		c.groups[i].reads.partitions = append([]readOf(nil), s.groups[i].reads.partitions...)
	}
	c.pending = append([]write(nil), s.pending...)
	return &c
}

// take applies an appended record, of which version is the offset after it.
func (s *shard) take(r record.GroupRecord, version int64) {
	g := s.find(r.Group)
	if r.Kind == record.GroupMetadata {
		g.generation, g.member = r.Generation, r.Member
		return
	}
	g.of(r.Partition).newest = committed{r, version}
}

// Elected begins to coordinate the partition of __consumer_offsets that r is. An election of the same broker (a new leader
// epoch) loads again: what was on its way may not have survived.
func (c *Coordinator) Elected(r *replica.Replica, env *replica.Env) {
	c.Resigned(r.ID(), env)
	i := 0
	for i < len(c.shards) && c.shards[i].partition.Less(r.ID()) {
		i++
	}
	c.shards = append(c.shards, nil)
	copy(c.shards[i+1:], c.shards[i:])
	c.shards[i] = &shard{partition: r.ID(), goal: r.Log.End()}
	env.Out.Arm(node.Timer{Kind: TimerLoad, Partition: r.ID()}, loadDelay, loadDelay)
}

// Resigned ends the coordination of p, also while it is loading. Requests under way have an unknown outcome; who asked asks
// the next coordinator.
func (c *Coordinator) Resigned(p id.Partition, env *replica.Env) {
	for i, s := range c.shards {
		if s.partition != p {
			continue
		}
		env.Out.Cancel(node.Timer{Kind: TimerLoad, Partition: p})
		env.Out.Cancel(sweepTimer(s))
		for j := range s.groups {
			env.Out.Cancel(sessionTimer(s, &s.groups[j]))
		}
		c.shards = append(c.shards[:i], c.shards[i+1:]...)
		for _, w := range s.pending {
			w.reply.answer(wire.NotCoordinator, env)
		}
		return
	}
}

// Load replays the partition from its start. It is loaded once the high watermark has reached the log end that it had at
// the election: what an earlier coordinator answered is below that.
func (c *Coordinator) Load(r *replica.Replica, env *replica.Env) {
	s := c.shard(r.ID())
	if s == nil || s.replayed {
		return
	}
	s.replayed = true
	r.Log.Replay(func(b *record.Batch) {
		for i := range b.Groups {
			s.take(b.Groups[i], b.OffsetOf(i)+1)
		}
	})
	c.Advanced(r, env)
}

// Advanced takes up what the high watermark has passed: a load that is complete, and records, whose requests are answered.
// A member that an earlier coordinator had begins its session anew.
func (c *Coordinator) Advanced(r *replica.Replica, env *replica.Env) {
	s := c.shard(r.ID())
	if s == nil || !s.replayed {
		return
	}
	hw := r.Log.HighWatermark()
	if !s.loaded && hw >= s.goal {
		s.loaded, s.stale = true, true
		for i := range s.groups {
			g := &s.groups[i]
			for k := range g.offsets {
				o := &g.offsets[k]
				if o.stored = o.newest; o.stored.version > 0 {
					emit(env.Out.Emit(event.OffsetCommitted, o.partition), o.stored.record, o.stored.version)
				}
			}
			if g.member != 0 {
				env.Out.Arm(sessionTimer(s, g), env.Settings.GroupSession, 0)
			}
		}
	}
	for len(s.pending) > 0 && s.pending[0].end <= hw {
		w := s.pending[0]
		s.pending = append(s.pending[:0:0], s.pending[1:]...)
		w.commit(s, env)
	}
	c.sweep(s, r, env)
}

// commit takes over a batch that is below the high watermark, and answers its request.
func (w *write) commit(s *shard, env *replica.Env) {
	for i, r := range w.records {
		if r.Kind != record.OffsetCommit {
			continue
		}
		version := w.end - int64(len(w.records)-i-1)
		s.find(r.Group).of(r.Partition).stored = committed{r, version}
		emit(env.Out.Emit(event.OffsetCommitted, r.Partition), r, version)
	}
	w.reply.answer(wire.OK, env)
}

// store appends records as one batch, and keeps the reply until it is below the high watermark. It is false, and the reply
// is given, when an append with acks=all is refused: the ISR is too small, or the disk is full.
func (s *shard) store(records []record.GroupRecord, to reply, r *replica.Replica, env *replica.Env) bool {
	if r.Refusal(env) != wire.OK {
		to.answer(wire.CoordinatorNotAvailable, env)
		return false
	}
	b := r.AppendOwn(record.NewGroups(records), event.FromInternal, env)
	for i, x := range records {
		version := b.Base + int64(i) + 1
		s.take(x, version)
		if x.Kind == record.OffsetCommit {
			e := env.Out.Emit(event.OffsetStored, x.Partition)
			emit(e, x, version)
			e.LeaderEpoch = r.LeaderEpoch()
			continue
		}
		e := env.Out.Emit(event.GroupStored, id.Partition{})
		e.Peer, e.Sequence, e.LeaderEpoch = x.Group.Client, x.Generation, r.LeaderEpoch()
		if x.Member != 0 {
			e.To = 1
		}
	}
	s.pending = append(s.pending, write{b.Last + 1, records, to})
	return true
}

// emit fills in what an event says of a committed offset.
func emit(e *event.Event, r record.GroupRecord, version int64) {
	e.Peer, e.Mirror, e.Offset, e.BatchEpoch, e.Sequence = r.Group.Client, r.Mirror, r.Offset, r.Epoch, r.Generation
	e.Cause, e.End = uint8(r.Origin), version
	if r.Tombstone {
		e.To = 1
	}
}

// answer gives the reply, if anybody waits for it. That of a join is given with what it has stored.
func (p reply) answer(code wire.Code, env *replica.Env) {
	if p.to == id.None {
		return
	}
	switch req := p.body.(type) {
	case *wire.JoinGroupRequest:
		env.Out.Send(p.to, &wire.JoinGroupResponse{Group: req.Group, Code: code, Generation: -1, Correlation: req.Correlation})
	case *joined:
		res := &wire.JoinGroupResponse{Group: req.Group, Code: code, Generation: -1, Correlation: req.Correlation}
		if code == wire.OK {
			res.Member, res.Generation = req.member, req.generation
		}
		env.Out.Send(p.to, res)
	case *wire.HeartbeatRequest:
		env.Out.Send(p.to, &wire.HeartbeatResponse{Group: req.Group, Code: code, Correlation: req.Correlation})
	case *wire.LeaveGroupRequest:
		env.Out.Send(p.to, &wire.LeaveGroupResponse{Group: req.Group, Code: code, Correlation: req.Correlation})
	case *wire.OffsetCommitRequest:
		env.Out.Send(p.to, &wire.OffsetCommitResponse{Group: req.Group, Partition: req.Partition, Code: code, Correlation: req.Correlation})
	case *wire.LowerOffsetsRequest:
		env.Out.Send(p.to, &wire.LowerOffsetsResponse{Groups: req.Groups, Partition: req.Partition, Code: code, Correlation: req.Correlation})
	}
}

// joined is a join with what it came to.
type joined struct {
	*wire.JoinGroupRequest
	member     uint32
	generation int32
}
