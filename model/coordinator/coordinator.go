package coordinator

import (
	"encoding/binary"
	"fmt"
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/point"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// The timers of coordinators; the broker passes them on. Kinds 16 to 23 are this package's.
const (
	TimerLoad  uint8 = iota + 16 // a coordinator is about to replay its partition of __mirror_state
	TimerSweep                   // entries that are to be removed are still there
)

// loadDelay is how long a new coordinator takes until it has replayed its partition.
const loadDelay = id.Millisecond

// Coordinator is the part of a broker that coordinates the partitions of __mirror_state which it leads.
type Coordinator struct {
	shards []*shard // ordered by partition
	points []reached
}

// reached is a point that a shard is at; what follows it waits.
type reached struct {
	partition id.Partition
	point     point.Point
	write     write // of StateAppended
}

// Elected begins to coordinate the partition of __mirror_state that r is. An election of the same broker (a new leader
// epoch) loads again: what was pending may not have survived.
func (c *Coordinator) Elected(r *replica.Replica, env *replica.Env) {
	c.Resigned(r.ID(), env)
	s := &shard{partition: r.ID(), goal: r.Log.End(), stale: true}
	i := 0
	for i < len(c.shards) && c.shards[i].partition.Less(s.partition) {
		i++
	}
	c.shards = append(c.shards, nil)
	copy(c.shards[i+1:], c.shards[i:])
	c.shards[i] = s
	env.Out.Arm(node.Timer{Kind: TimerLoad, Partition: r.ID()}, loadDelay, loadDelay)
}

// Resigned ends the coordination of p. Writes under way have an unknown outcome; their writers ask the next coordinator.
func (c *Coordinator) Resigned(p id.Partition, env *replica.Env) {
	for i, s := range c.shards {
		if s.partition != p {
			continue
		}
		for _, w := range s.pending {
			answer(w, wire.NotCoordinator, env)
		}
		c.shards = append(c.shards[:i], c.shards[i+1:]...)
		c.points = slices.DeleteFunc(c.points, func(r reached) bool { return r.partition == p })
		env.Out.Cancel(node.Timer{Kind: TimerLoad, Partition: p})
		env.Out.Cancel(sweepTimer(s))
		return
	}
}

// Load begins to replay the partition from its start. It is loaded once the high watermark has reached the log end that it had at
// the election: what an earlier coordinator answered is below that.
func (c *Coordinator) Load(r *replica.Replica, env *replica.Env) {
	s := c.shard(r.ID())
	if s == nil || s.replayed || s.held {
		return
	}
	c.reach(s, point.LoadBegun, write{})
}

// reach has a shard wait at a point: the step ends, and what follows runs when the world resumes.
func (c *Coordinator) reach(s *shard, at point.Point, w write) {
	s.held = true
	c.points = append(c.points, reached{s.partition, at, w})
}

// Point is where the step must yield; point.None if nowhere.
func (c *Coordinator) Point() point.Point {
	if len(c.points) == 0 {
		return point.None
	}
	return c.points[0].point
}

// Resume goes on behind the first point, and answers the replica of __mirror_state that it is about.
func (c *Coordinator) Resume(find func(id.Partition) *replica.Replica, env *replica.Env) *replica.Replica {
	x := c.points[0]
	c.points = append(c.points[:0], c.points[1:]...)
	s, r := c.shard(x.partition), find(x.partition)
	s.held = false
	switch x.point {
	case point.LoadBegun:
		c.replay(s, r)
		return r
	case point.StateAppended:
		if !env.Config.AcksAfterCommit() {
			answer(x.write, wire.OK, env)
		}
	}
	c.Advanced(r, env)
	return r
}

// replay reads the partition from its start.
func (c *Coordinator) replay(s *shard, r *replica.Replica) {
	s.replayed = true
	r.Log.Replay(func(b *record.Batch) {
		for i := range b.States {
			x := b.States[i]
			if x.Kind == record.LastMirroredEpochs || x.Tombstone {
				x.LeaderEpoch = -1 // its value carries none
			}
			s.take(x)
			s.pending = append(s.pending, write{end: b.OffsetOf(i) + 1, record: x, to: id.None})
		}
	})
	c.reach(s, point.LoadReplayed, write{})
}

// Advanced commits what the high watermark has passed, and answers who waits for that.
func (c *Coordinator) Advanced(r *replica.Replica, env *replica.Env) {
	s := c.shard(r.ID())
	if s == nil || !s.replayed || s.held {
		return
	}
	n := 0
	for n < len(s.pending) && s.pending[n].end <= r.Log.HighWatermark() {
		w := s.pending[n]
		s.commit(w.record)
		if s.loaded && !w.record.Tombstone {
			committed(w.record, s.partition, env)
		}
		answer(w, wire.OK, env)
		n++
	}
	s.pending = append(s.pending[:0], s.pending[n:]...)
	if !s.loaded && r.Log.HighWatermark() >= s.goal {
		s.loaded = true
		e := env.Out.Emit(event.CoordinatorLoaded, s.partition)
		e.LeaderEpoch, e.Sequence = r.LeaderEpoch(), int32(len(s.entries))
	}
	c.sweep(s, r, env)
}

// Read answers what is stored of one partition in the present life of its mirror: only what is committed, or the newest
// too, by D54. What an earlier mirror of the name stored reads as nothing, also before its tombstone is committed.
func (c *Coordinator) Read(from id.Node, req *wire.ReadMirrorStatesRequest, env *replica.Env) {
	res := &wire.ReadMirrorStatesResponse{Mirror: req.Mirror, Partition: req.Partition, Correlation: req.Correlation}
	s, code := c.route(req.Mirror, req.Partition, req.Life, env)
	if code == wire.CoordinatorLoadInProgress && env.Config.ReadsWhileLoading() {
		code = wire.OK
	}
	if res.Code = code; code == wire.OK {
		e := s.find(req.Mirror, req.Partition)
		res.State, _ = e.state.read(req.Life, env.Config.ReadsCommitted())
		res.Position, res.HasPosition = e.position.read(req.Life, env.Config.ReadsCommitted())
	}
	env.Out.Send(from, res)
}

// Write checks a write against what is stored (D16, D39, D38, D5), appends it, and answers when it is committed, or at
// once, by D29. leaderEpoch is the data partition's leader epoch as this broker's metadata show it.
func (c *Coordinator) Write(from id.Node, req *wire.WriteMirrorStatesRequest, state *replica.Replica, leaderEpoch int32, env *replica.Env) {
	rec := req.Record
	w := write{record: rec, to: from, correlation: req.Correlation}
	s, code := c.route(rec.Mirror, rec.Partition, rec.Life, env)
	if code != wire.OK {
		answer(w, code, env)
		return
	}
	c.sweep(s, state, env)
	e := s.find(rec.Mirror, rec.Partition)
	if code := fenced(e, &rec, leaderEpoch, env); code != wire.OK {
		answer(w, code, env)
		return
	}
	if code := state.Refusal(env); code != wire.OK {
		answer(w, code, env) // the append is one with acks=all
		return
	}
	switch {
	case rec.Kind == record.LastMirroredEpochs:
		if v := &e.position; req.KeepFirst && v.hasNewest && v.newest.Run == rec.Run {
			rec = v.newest // of this stop: written again by this writer, so that the answer waits until it is committed
			rec.LeaderEpoch = req.Record.LeaderEpoch
		}
	case Legal(e.current(), rec.State, env.Config):
		rec.StateEpoch = e.state.newest.StateEpoch + 1
		if rec.Previous = e.current(); rec.Previous == record.Failed && rec.State == record.Failed {
			rec.Previous = e.state.newest.Previous // FAILED over FAILED keeps the first one
		}
	default:
		code := wire.OK
		if env.Config.IllegalEdgeIsError() {
			code = wire.InvalidClusterMirrorState
		}
		if e.state.hasNewest {
			w.record = e.state.newest
		}
		answer(w, code, env)
		return
	}
	c.append(s, e, rec, w, state, env)
}

func (c *Coordinator) append(s *shard, e *entry, rec record.MirrorState, w write, state *replica.Replica, env *replica.Env) {
	before := e.current()
	b := state.AppendOwn(record.NewStates([]record.MirrorState{rec}), event.FromInternal, env)
	s.take(rec)
	w.record, w.end = rec, b.Last+1
	stored(w, before, b.Base, env)
	waits := w
	if !env.Config.AcksAfterCommit() {
		waits.to = id.None // it is answered behind the point
	}
	s.pending = append(s.pending, waits)
	c.reach(s, point.StateAppended, w)
}

// fenced is the code for a stale writer, OK for another. A position is fenced like a state or not at all (D39). A leader
// epoch above this broker's metadata, and not below one that is stored, is not stale but news: UNKNOWN_LEADER_EPOCH, and
// the writer tries again.
func fenced(e *entry, rec *record.MirrorState, leaderEpoch int32, env *replica.Env) wire.Code {
	position := rec.Kind == record.LastMirroredEpochs
	if position && !env.Config.FencesPosition() {
		return wire.OK
	}
	stateEpoch := e.state.newest.StateEpoch
	if position {
		stateEpoch = rec.StateEpoch // only states raise the state epoch; a position does not compete for it
	}
	switch byLeader, byState := env.Config.WriteFenced(rec.LeaderEpoch, e.highest, leaderEpoch, rec.StateEpoch, stateEpoch); {
	case byLeader && rec.LeaderEpoch > leaderEpoch && rec.LeaderEpoch >= e.highest:
		return wire.UnknownLeaderEpoch
	case byLeader:
		return wire.FencedLeaderEpoch
	case byState:
		return wire.FencedStateEpoch
	}
	return wire.OK
}

// route finds the shard for (x, p) and whether it may answer somebody to whom this is the present life of mirror and topic.
// Where the two disagree one of them is behind: the other asks again, until its metadata show that the mirror is gone, or
// until this broker has caught up.
func (c *Coordinator) route(x id.Mirror, p id.Partition, life int64, env *replica.Env) (*shard, wire.Code) {
	at, ok := env.Image.CoordinatorOf(x, p)
	if !ok || life != env.Image.Life(x, p.Topic) {
		return nil, wire.NotCoordinator
	}
	s := c.shard(at)
	switch {
	case s == nil:
		return nil, wire.NotCoordinator
	case !s.loaded:
		return s, wire.CoordinatorLoadInProgress
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

func answer(w write, code wire.Code, env *replica.Env) {
	if w.to == id.None {
		return
	}
	env.Out.Send(w.to, &wire.WriteMirrorStatesResponse{Mirror: w.record.Mirror, Partition: w.record.Partition,
		Code: code, Stored: w.record, Correlation: w.correlation})
}

// stored writes an accepted write into the history.
func stored(w write, before record.State, offset int64, env *replica.Env) {
	r := &w.record
	kind := event.StateStored
	if r.Kind == record.LastMirroredEpochs {
		kind = event.PositionStored
	}
	e := env.Out.Emit(kind, r.Partition)
	e.Mirror, e.Peer, e.Op, e.LeaderEpoch, e.End = r.Mirror, w.to, event.OpOf(uint8(w.to), w.correlation), r.LeaderEpoch, offset
	if kind == event.StateStored {
		e.From, e.To, e.Sequence, e.Offset = uint8(before), uint8(r.State), r.StateEpoch, int64(r.Run)
		e.Cause, e.Digest = uint8(r.Reason), uint64(r.Attempts)
	} else {
		e.BatchEpoch, e.Offset, e.Sequence = r.Epoch, r.Offset, r.Run
	}
}

// committed writes into the history that a write is below the high watermark.
func committed(r record.MirrorState, in id.Partition, env *replica.Env) {
	if r.Kind == record.LastMirroredEpochs {
		e := env.Out.Emit(event.PositionCommitted, r.Partition)
		e.Mirror, e.BatchEpoch, e.Offset, e.Sequence, e.LeaderEpoch = r.Mirror, r.Epoch, r.Offset, r.Run, r.LeaderEpoch
		e.Op = in.Word()
		return
	}
	e := env.Out.Emit(event.StateCommitted, r.Partition)
	e.Mirror, e.To, e.LeaderEpoch, e.Sequence, e.Offset = r.Mirror, uint8(r.State), r.LeaderEpoch, r.StateEpoch, int64(r.Run)
	e.Op = in.Word()
}

// Clone is a deep copy.
func (c *Coordinator) Clone() Coordinator {
	d := Coordinator{shards: make([]*shard, len(c.shards)), points: append([]reached(nil), c.points...)}
	for i, s := range c.shards {
		d.shards[i] = s.clone()
	}
	return d
}

// AppendState appends what is not derived from the log: how far each shard has loaded, and whom it owes an answer.
func (c *Coordinator) AppendState(dst []byte) []byte {
	for _, s := range c.shards {
		dst = binary.LittleEndian.AppendUint32(dst, s.partition.Word())
		dst = append(dst, id.Bit(s.replayed), id.Bit(s.loaded), id.Bit(s.stale), id.Bit(s.held))
		for _, w := range s.pending {
			dst = binary.LittleEndian.AppendUint64(dst, uint64(w.end))
			dst = append(dst, byte(w.to))
		}
	}
	return dst
}

// Waits says which shards are still loading.
func (c *Coordinator) Waits(yield func(string) bool) bool {
	for _, s := range c.shards {
		if !s.loaded && !yield(fmt.Sprintf("the coordinator of __mirror_state-%d is loading", s.partition.Index)) {
			return false
		}
	}
	return true
}
