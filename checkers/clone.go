package checkers

import (
	"encoding/binary"
	"slices"

	"mirrorsim/model/id"
)

// Clone is a copy of which neither side sees the other's events. Batches are shared, and so are the lists that are only
// appended to, as far as they go now: both sides append behind, the clone in an array of its own.
func (l *Ledger) Clone() *Ledger {
	c := *l
	c.index = slices.Clone(l.index)
	c.nodes, c.txns, c.commits = slices.Clone(l.nodes), slices.Clone(l.txns), slices.Clone(l.commits)
	c.passes = slices.Clone(l.passes)
	c.groups = make([]groupReads, len(l.groups))
	for i := range l.groups {
		c.groups[i] = l.groups[i].clone()
	}
	c.cut, c.missing = nil, nil
	c.report.epochs, c.report.producers = slices.Clone(l.report.epochs), slices.Clone(l.report.producers)
	c.parts = make([]*part, len(l.parts))
	parts := make([]part, len(l.parts))
	for i, pt := range l.parts {
		c.parts[i] = &parts[i]
		pt.clone(&parts[i])
	}
	for _, t := range l.topics {
		if !t.shared { // it is read only where Share was called before
			t.shared = true
		}
	}
	c.topics = slices.Clone(l.topics)
	c.control = slices.Clone(l.control)
	c.acls = make([][]aclBinding, len(l.acls))
	for i, list := range l.acls {
		c.acls[i] = slices.Clone(list)
	}
	c.sources = slices.Clone(l.sources)
	c.clients = make([]*client, len(l.clients))
	for i, k := range l.clients {
		if k != nil {
			u := *k
			u.admin, u.reads, u.done = slices.Clone(k.admin), slices.Clone(k.reads), k.done[:len(k.done):len(k.done)]
			c.clients[i] = &u
		}
	}
	return &c
}

// topicToChange is the topic at i, which no clone shares any more.
func (l *Ledger) topicToChange(i int32) *topic {
	if t := l.topics[i]; t.shared {
		u := *t
		u.shared = false
		u.desired, u.mirror, u.seen = slices.Clone(t.desired), slices.Clone(t.mirror), slices.Clone(t.seen)
		u.partitions, u.desiredAt, u.desiredBy = slices.Clone(t.partitions), slices.Clone(t.desiredAt), slices.Clone(t.desiredBy)
		u.minISR, u.madeMinISR, u.configs = slices.Clone(t.minISR), slices.Clone(t.madeMinISR), slices.Clone(t.configs)
		l.topics[i] = &u
	}
	return l.topics[i]
}

// share says that clones will be taken, by several goroutines at a time: Clone then changes nothing.
func (l *Ledger) share() {
	for _, t := range l.topics {
		if !t.shared { // another ledger may have it too
			t.shared = true
		}
	}
	for _, pt := range l.parts {
		for _, s := range pt.replicas {
			if s != nil {
				s.shared = true
			}
		}
	}
}

// clone makes c a copy of pt.
func (pt *part) clone(c *part) {
	*c = *pt
	c.replicas = make([]*Shadow, len(pt.replicas))
	n := 0
	for _, s := range pt.replicas {
		n += int(id.Bit(s != nil))
	}
	shadows := make([]Shadow, n)
	for i, s := range pt.replicas {
		if s != nil {
			n--
			u := &shadows[n]
			if !s.shared { // it is read only where Share was called before
				s.shared = true
			}
			*u = *s
			u.log = s.log[:len(s.log):len(s.log)]
			u.epochs = s.epochs[:len(s.epochs):len(s.epochs)]
			u.open, u.ended = slices.Clone(s.open), s.ended[:len(s.ended):len(s.ended)]
			c.replicas[i] = u
		}
	}
	c.in = make([]*clusterPart, len(pt.in))
	in := make([]clusterPart, len(pt.in))
	for i, cp := range pt.in {
		in[i] = *cp
		in[i].mirrors, in[i].pending = slices.Clone(cp.mirrors), slices.Clone(cp.pending)
		in[i].acked, in[i].commits = cp.acked[:len(cp.acked):len(cp.acked)], cp.commits[:len(cp.commits):len(cp.commits)]
		in[i].past = slices.Clone(cp.past)
		c.in[i] = &in[i]
	}
	x := &c.loss
	x.failovers = x.failovers[:len(x.failovers):len(x.failovers)]
	x.alignments = x.alignments[:len(x.alignments):len(x.alignments)]
	x.turned = x.turned[:len(x.turned):len(x.turned)]
	for _, list := range x.lists() {
		list.clip()
	}
}

func (x *losses) lists() []*lossList {
	return []*lossList{&x.lost, &x.cutByStop, &x.discarded, &x.trimmed, &x.recopied, &x.followed, &x.unexplained}
}

// AppendState appends what later answers and verdicts depend on, in the order of ids and without indexes and times, and so what
// the waits and expectations of a scenario ask for. What nobody asks for any more is left out.
func (l *Ledger) AppendState(dst []byte) []byte {
	for i := range l.nodes {
		dst = append(dst, id.Bit(l.nodes[i].down))
	}
	for _, x := range l.index {
		pt := l.parts[x.slot]
		dst = words(dst, uint64(x.word))
		t := l.topics[pt.topic]
		for c, d := range t.desired {
			dst = append(dst, byte(d), byte(t.mirror[c]), t.minISR[c], byte(t.partitions[c].n))
			dst = t.configs[c].appendState(dst)
		}
		for _, d := range t.seen {
			dst = append(dst, byte(d))
		}
		for _, s := range pt.replicas {
			dst = s.appendState(dst)
		}
		for _, cp := range pt.in {
			dst = cp.appendState(dst)
		}
		dst = append(pt.loss.appendState(dst), id.Bit(pt.sides.both))
	}
	for _, k := range l.clients {
		dst = k.appendState(l, dst)
	}
	for c, list := range l.acls {
		for _, x := range list {
			if x.there || x.mirror != 0 {
				dst = words(dst, uint64(c)<<16|uint64(x.mirror)<<1|id.Bit64(x.there), x.word)
			}
		}
	}
	for _, x := range l.passes {
		dst = words(dst, uint64(x.cluster)<<8|uint64(x.mirror), uint64(x.asked)<<32|uint64(x.done))
	}
	for c, list := range l.sources {
		for m, source := range list {
			if source != noCluster {
				dst = words(dst, uint64(c)<<16|uint64(m)<<8|uint64(source))
			}
		}
	}
	for _, x := range l.txns {
		dst = words(dst, uint64(x.cluster)<<16|uint64(x.client)<<8|uint64(x.state), uint64(x.producer), uint64(uint32(x.epoch)))
	}
	for i := range l.commits {
		dst = l.commits[i].appendState(l, dst)
	}
	for i := range l.groups {
		dst = l.groups[i].appendState(l, dst)
	}
	return dst
}

func (s *Shadow) appendState(dst []byte) []byte {
	if s == nil {
		return append(dst, 0)
	}
	sum, content := s.sums(len(s.log))
	dst = words(append(dst, 1), uint64(s.Start), uint64(s.End), uint64(s.HighWatermark), sum-s.below.sum,
		content-s.below.content, uint64(uint32(s.leaderEpoch))<<32|uint64(s.leader)<<24|uint64(s.role)<<16|
			uint64(s.known)<<8|id.Bit64(s.knows)<<1|id.Bit64(s.writable), uint64(s.lostEnd), uint64(s.shown))
	for i := range s.log {
		if x := &s.log[i]; x.now == nil {
			dst = words(dst, uint64(x.batch.Base), uint64(x.cleaned)<<1|id.Bit64(x.copied))
		} else if x.now != x.batch {
			dst = words(dst, uint64(x.batch.Base), uint64(x.now.CRC), uint64(x.cleaned)<<1|id.Bit64(x.copied))
		}
	}
	for _, x := range s.epochs {
		dst = words(dst, uint64(x.Epoch), uint64(x.Start))
	}
	for i := range s.open {
		dst = words(dst, uint64(s.open[i].producer), uint64(s.open[i].first))
	}
	return words(dst, uint64(len(s.epochs)), uint64(len(s.open)))
}

func (cp *clusterPart) appendState(dst []byte) []byte {
	dst = words(dst, uint64(cp.leader)<<32|uint64(uint32(cp.leaderEpoch)), uint64(cp.partitionEpoch), uint64(cp.isr),
		uint64(cp.excusedBelow), uint64(cp.dark), uint64(cp.corrupt),
		uint64(cp.state)<<8|id.Bit64(cp.begun)<<4|id.Bit64(cp.followed)<<3|id.Bit64(cp.committed)<<2|id.Bit64(cp.aligned)<<1|id.Bit64(cp.mirrored),
		uint64(uint32(cp.position.epoch)), uint64(cp.position.offset), id.Bit64(cp.position.known),
		uint64(uint32(cp.recalled.epoch)), uint64(cp.recalled.offset), id.Bit64(cp.recalled.known),
		id.Bit64(cp.looked.known)<<1|id.Bit64(cp.looked.alignment.Found), uint64(uint32(cp.looked.alignment.Epoch)),
		uint64(cp.heard.node)<<48|uint64(cp.heard.source)<<40|id.Bit64(cp.heard.known)<<32|
			uint64(uint32(cp.heard.leaderEpoch)), uint64(cp.heard.end), uint64(cp.eraFloor), uint64(cp.eraMax),
		uint64(cp.ended), uint64(cp.ackedEnd), uint64(cp.stop.began), uint64(cp.stop.floor), uint64(cp.stop.boundary),
		uint64(cp.stop.sourceEnd), uint64(cp.stop.sourceStood), id.Bit64(cp.stop.active), uint64(cp.probe.source)<<40|
			uint64(uint32(cp.probe.epoch))<<8|id.Bit64(cp.probe.diverging)<<1|id.Bit64(cp.probe.applied),
		uint64(cp.probe.offset), uint64(cp.departed), id.Bit64(cp.refused)<<26|uint64(cp.ignored)<<18|id.Bit64(cp.leaving == cp.leaderEpoch)<<17|id.Bit64(cp.halted)<<16|id.Bit64(cp.fenced)<<8|uint64(cp.failure.reason), uint64(len(cp.commits)),
		uint64(uint16(cp.failure.attempts)), uint64(cp.era-cp.born), uint64(cp.retry.reason)<<2|id.Bit64(cp.retry.underWay)<<1|id.Bit64(cp.retry.longest > 0))
	if st := &cp.stop; st.active {
		dst = words(dst, uint64(st.mirror)<<1|id.Bit64(st.fixed), uint64(uint32(st.run))<<32|uint64(uint32(st.sourceEpoch)))
	}
	for _, d := range cp.described {
		dst = words(dst, uint64(d.Mirror)<<40|uint64(uint16(d.Attempts))<<24|uint64(d.Reason)<<16|uint64(d.State)<<8|uint64(d.Desired),
			uint64(d.Lag)<<1|id.Bit64(d.LagKnown), uint64(uint32(d.Epoch)), uint64(d.Offset))
	}
	if cp.heard.known {
		dst = words(dst, uint64(uint32(cp.heard.sourceEpoch)))
	}
	if cp.reset != nil {
		dst = words(dst, uint64(cp.reset.Base), uint64(cp.reset.LeaderEpoch))
	}
	for _, m := range cp.mirrors {
		dst = words(dst, uint64(m.mirror)<<16|id.Bit64(m.ended)<<9|id.Bit64(m.positionEnded)<<8|uint64(m.state), uint64(m.run))
		dst = m.position.append(dst)
	}
	for _, p := range cp.past {
		dst = words(dst, uint64(p.batch.Base), uint64(p.batch.CRC), uint64(p.before)<<1|id.Bit64(p.trimmed))
	}
	for _, d := range cp.decided {
		dst = words(dst, uint64(d.producer), uint64(uint32(d.epoch)))
	}
	for _, x := range cp.commits {
		dst = words(dst, uint64(x.producer), uint64(uint32(x.epoch)), uint64(x.last))
	}
	for i := range cp.pending {
		o := &cp.pending[i]
		dst = words(dst, uint64(o.id), uint64(o.crc), uint64(o.floor), uint64(o.order), uint64(o.fresh),
			uint64(cp.era-o.era), uint64(uint32(o.epoch)), uint64(o.readOnly)<<16|id.Bit64(o.sent)<<1|uint64(o.appends)<<8)
		for k, b := range o.stored {
			if b != nil {
				dst = words(dst, uint64(k), uint64(b.Base), uint64(b.LeaderEpoch), uint64(cp.era-o.storedIn[k]))
			}
		}
	}
	for i := range cp.acked {
		a := &cp.acked[i]
		dst = words(dst, uint64(a.batch.Base), uint64(a.batch.CRC), uint64(cp.era-a.era), id.Bit64(a.gone)|id.Bit64(a.trimmed)<<1|id.Bit64(a.deleted)<<2)
	}
	return words(dst, uint64(len(cp.mirrors)), uint64(len(cp.pending)), uint64(len(cp.acked)), uint64(len(cp.past)), uint64(len(cp.decided)), id.Bit64(cp.reset != nil))
}

func (p mirrorPosition) append(dst []byte) []byte {
	return words(dst, uint64(uint32(p.epoch))<<32|uint64(uint32(p.run)), uint64(p.offset), id.Bit64(p.known))
}

func (x *losses) appendState(dst []byte) []byte {
	dst = append(dst, byte(x.authority))
	for i := range x.failovers {
		f := &x.failovers[i]
		dst = words(dst, uint64(f.Source)<<32|uint64(f.Destination)<<24|uint64(f.Mirror)<<8|id.Bit64(f.Undone), uint64(f.Run),
			uint64(f.Common), uint64(f.Boundary), uint64(uint32(f.sourceEpoch))<<32|uint64(uint32(f.epoch)))
	}
	for _, y := range x.turned {
		dst = words(dst, uint64(y.source)<<16|uint64(y.destination)<<8|id.Bit64(y.committed), uint64(y.first), uint64(y.marker))
	}
	dst = words(dst, uint64(len(x.failovers)), uint64(len(x.turned)))
	for _, list := range x.lists() {
		all := list.all()
		for _, g := range slices.Concat(all, list.held) {
			dst = words(dst, uint64(g.cluster)<<1|id.Bit64(g.trimmed), uint64(g.batch.Base), uint64(g.batch.CRC))
		}
		dst = words(dst, uint64(len(all)), uint64(len(list.held)))
	}
	return dst
}

func (k *client) appendState(l *Ledger, dst []byte) []byte {
	if k == nil {
		return append(dst, 0)
	}
	dst = words(append(dst, 1), uint64(k.called-k.returned))
	if n := len(k.done); n > 0 {
		dst = words(dst, uint64(k.done[n-1].Code), uint64(k.done[n-1].Base))
	}
	for _, r := range k.admin {
		dst = words(dst, uint64(r.Op), uint64(r.waits), uint64(r.Code))
	}
	for _, r := range k.reads {
		dst = words(dst, uint64(l.parts[r.slot].id.Word()), uint64(r.cluster), uint64(r.next), uint64(r.count),
			uint64(r.server), uint64(r.offset), uint64(r.high), uint64(r.stable), uint64(id.Bit(r.committed)|id.Bit(r.given)<<1|id.Bit(r.left)<<2))
	}
	return words(dst, uint64(len(k.admin)), uint64(len(k.reads)))
}

func words(dst []byte, all ...uint64) []byte {
	for _, w := range all {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst
}
