package mirror

import (
	"encoding/binary"
	"slices"

	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// groupSync is one pass over the groups of a mirror (section 9 of the design): the source's brokers tell which groups they
// coordinate, and then what those have committed; the leaders here bound that by their logs; and it is committed here, as a
// foreign commit, which the coordinator of an active group refuses. What gets no answer is left to the next pass.
type groupSync struct {
	mirror  id.Mirror
	listing []listed
	offsets []groupOffset
}

// listed is a broker of the source that has been asked for its groups.
type listed struct {
	broker      id.Node
	correlation uint32 // 0: it has answered
}

// groupOffset is a group's offset of one partition on its way here.
type groupOffset struct {
	group       record.Group
	partition   id.Partition
	stage       syncStage
	correlation uint32
	offset      int64 // the source's
	epoch       int32
	expected    int64 // the version that it is to replace here
	createdAt   int64 // where the metadata log here created the topic when the pass began
}

// syncStage is what an offset waits for.
type syncStage uint8

const (
	committedThere syncStage = iota // the source's coordinator: what is committed
	committedHere                   // the coordinator here: what is committed, so that nothing else is replaced (D32)
	bounding                        // the partition's leader here: the bounded offset
	committing                      // the coordinator here: the commit
)

// syncGroups begins a pass for x, in the place of the last one.
func (m *Manager) syncGroups(x id.Mirror, env *replica.Env) {
	m.syncs = slices.DeleteFunc(m.syncs, func(s *groupSync) bool { return s.mirror == x })
	r := env.Image.Mirror(x)
	if env.Image.GroupTopic == nil || len(m.syncedPartitions(x, env)) == 0 {
		return
	}
	s := &groupSync{mirror: x}
	for _, b := range r.Bootstrap {
		m.sequence++
		s.listing = append(s.listing, listed{b, m.sequence})
		env.Out.Send(b, &wire.ListGroupsRequest{Correlation: m.sequence})
	}
	m.syncs = append(m.syncs, s)
}

// syncedPartitions are those of the topics of mirror x whose desired state has their offsets synchronised.
func (m *Manager) syncedPartitions(x id.Mirror, env *replica.Env) (list []id.Partition) {
	for i := range env.Image.Topics {
		t := &env.Image.Topics[i]
		for n := uint16(0); n < t.Partitions && t.Mirror == x && syncsOffsets(t.Desired, env); n++ {
			list = append(list, id.Partition{Topic: t.Topic, Index: n})
		}
	}
	return list
}

// Listed takes the groups that a source broker coordinates, and asks it for the offsets of those that are included. A group
// that two brokers name is the first one's: the other's knowledge may be old, or this one's is, until the next pass.
func (m *Manager) Listed(from id.Node, res *wire.ListGroupsResponse, env *replica.Env) {
	for _, s := range m.syncs {
		i := slices.IndexFunc(s.listing, func(l listed) bool { return l.broker == from && l.correlation == res.Correlation })
		if i < 0 || res.Correlation == 0 {
			continue
		}
		s.listing[i].correlation = 0
		r := env.Image.Mirror(s.mirror)
		for _, g := range res.Groups {
			if r == nil || !metadata.IncludesGroup(r, g.Name) || s.has(g) {
				continue
			}
			for _, p := range m.syncedPartitions(s.mirror, env) {
				m.sequence++
				s.offsets = append(s.offsets, groupOffset{group: g, partition: p, correlation: m.sequence, expected: wire.AnyVersion,
					createdAt: env.Image.Topic(p.Topic).CreatedAt})
				env.Out.Send(from, &wire.OffsetFetchRequest{Group: g, Partition: p, Correlation: m.sequence})
			}
		}
	}
}

func (s *groupSync) has(g record.Group) bool {
	return slices.ContainsFunc(s.offsets, func(o groupOffset) bool { return o.group.Client == g.Client })
}

// syncing finds the pass and the offset that wait, at that stage, for the answer with that correlation.
func (m *Manager) syncing(stage syncStage, correlation uint32) (*groupSync, int) {
	for _, s := range m.syncs {
		for i := range s.offsets {
			if o := &s.offsets[i]; o.correlation == correlation && o.stage == stage {
				return s, i
			}
		}
	}
	return nil, 0
}

func (s *groupSync) drop(i int) { s.offsets = slices.Delete(s.offsets, i, i+1) }

// OffsetFetched takes what a group has committed: at the source, or here. Where nothing is, there is nothing to write.
func (m *Manager) OffsetFetched(res *wire.OffsetFetchResponse, env *replica.Env) {
	if s, i := m.syncing(committedThere, res.Correlation); s != nil {
		if res.Code != wire.OK || res.Offset < 0 {
			s.drop(i)
			return
		}
		o := &s.offsets[i]
		o.offset, o.epoch = res.Offset, res.Epoch
		if env.Config.OffsetsAfterStop() == protocol.SyncFenced {
			m.askOffset(s, i, committedHere, env)
			return
		}
		m.askOffset(s, i, bounding, env)
		return
	}
	if s, i := m.syncing(committedHere, res.Correlation); s != nil {
		if res.Code != wire.OK {
			s.drop(i)
			return
		}
		s.offsets[i].expected = res.Version
		m.askOffset(s, i, bounding, env)
	}
}

// askOffset sends the request of the next stage of an offset; where nobody is there to be asked the offset is left to the next
// pass.
func (m *Manager) askOffset(s *groupSync, i int, stage syncStage, env *replica.Env) {
	m.sequence++
	o := &s.offsets[i]
	o.stage, o.correlation = stage, m.sequence
	to, body := env.Image.GroupCoordinator(o.group), wire.Body(nil)
	switch stage {
	case committedHere:
		body = &wire.OffsetFetchRequest{Group: o.group, Partition: o.partition, Correlation: m.sequence}
	case bounding:
		to = id.None
		if reg := env.Image.Partition(o.partition); reg != nil {
			to = reg.Leader
		}
		body = &wire.BoundOffsetRequest{Mirror: s.mirror, Partition: o.partition, Offset: o.offset, Epoch: o.epoch, Correlation: m.sequence}
	case committing:
		body = &wire.OffsetCommitRequest{Group: o.group, Generation: -1, Partition: o.partition, Offset: o.offset, Epoch: o.epoch,
			Origin: record.CommitMirror, Mirror: s.mirror, Expected: o.expected, CreatedAt: o.createdAt, Correlation: m.sequence}
	}
	if to == id.None {
		s.drop(i)
		return
	}
	env.Out.Send(to, body)
}

// Bounded takes the offset as it may be committed here, and commits it, if the topic is still one whose offsets are
// synchronised. Above the log's end, where nothing bounds it, there is no epoch but the source's.
func (m *Manager) Bounded(res *wire.BoundOffsetResponse, env *replica.Env) {
	s, i := m.syncing(bounding, res.Correlation)
	if s == nil {
		return
	}
	t := env.Image.Topic(res.Partition.Topic)
	if res.Code != wire.OK || t == nil || t.Mirror != s.mirror || !syncsOffsets(t.Desired, env) {
		s.drop(i)
		return
	}
	s.offsets[i].offset, s.offsets[i].epoch = res.Offset, res.Epoch
	m.askOffset(s, i, committing, env)
}

// OffsetCommitted takes the answer to a commit, which ends its way: what was refused comes again with the next pass.
func (m *Manager) OffsetCommitted(res *wire.OffsetCommitResponse) {
	if s, i := m.syncing(committing, res.Correlation); s != nil {
		s.drop(i)
	}
}

func (s *groupSync) clone() *groupSync {
	c := *s
	c.listing, c.offsets = slices.Clone(s.listing), slices.Clone(s.offsets)
	return &c
}

// appendState appends what the pass waits for, without correlations.
func (s *groupSync) appendState(dst []byte) []byte {
	dst = append(dst, byte(s.mirror), byte(len(s.offsets)))
	for _, l := range s.listing {
		dst = append(dst, byte(l.broker), flags(l.correlation != 0))
	}
	for i := range s.offsets {
		o := &s.offsets[i]
		dst = append(dst, byte(o.group.Client), byte(o.stage))
		for _, w := range [...]uint64{uint64(o.partition.Word())<<32 | uint64(uint32(o.epoch)), uint64(o.offset), uint64(o.expected),
			uint64(o.createdAt)} {
			dst = binary.LittleEndian.AppendUint64(dst, w)
		}
	}
	return dst
}
