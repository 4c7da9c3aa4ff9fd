package mirror

import (
	"encoding/binary"
	"fmt"

	"mirrorsim/model/id"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
)

// Clone is a deep copy; find answers the clone's replica of a partition.
func (m *Manager) Clone(find func(id.Partition) *replica.Replica) Manager {
	c := *m
	c.partitions = make([]*partition, len(m.partitions))
	for i, p := range m.partitions {
		q := *p
		q.replica = find(p.id)
		q.lowering.acked = append([]bool(nil), p.lowering.acked...)
		q.behind = append([]record.MirrorState(nil), p.behind...)
		c.partitions[i] = &q
	}
	c.points = append([]reached(nil), m.points...)
	c.gathers = make([]*gather, len(m.gathers))
	for i, g := range m.gathers {
		c.gathers[i] = g.clone()
	}
	c.syncs = make([]*groupSync, len(m.syncs))
	for i, s := range m.syncs {
		c.syncs[i] = s.clone()
	}
	c.passes = make([]*pass, len(m.passes))
	for i, p := range m.passes {
		q := *p
		c.passes[i] = &q
	}
	c.newest = append([]int64(nil), m.newest...)
	return c
}

// AppendState appends the state of the machines, correlations apart.
func (m *Manager) AppendState(dst []byte) []byte {
	word := func(v uint64) { dst = binary.LittleEndian.AppendUint64(dst, v) }
	for _, p := range m.partitions {
		word(uint64(p.id.Word())<<8 | uint64(p.phase))
		dst = append(dst, byte(p.mirror), byte(p.desired), byte(p.then), byte(p.state), byte(p.target), p.attempts,
			byte(p.step), flags(p.afresh, p.known, p.entered, p.writable, p.early, p.fetcher.on, p.fetcher.heard))
		word(uint64(uint32(p.stateEpoch))<<32 | uint64(uint32(p.run)))
		word(uint64(uint32(p.position.epoch))<<32 | uint64(uint32(p.asked)))
		word(uint64(p.position.offset))
		word(uint64(uint32(p.own.epoch)))
		word(uint64(p.own.offset))
		word(uint64(uint32(p.first.epoch)))
		word(uint64(p.first.offset))
		word(uint64(p.end))
		word(uint64(p.aligned))
		word(uint64(p.fetcher.leader) | uint64(uint32(p.fetcher.epoch))<<8 | uint64(p.fetcher.attempts)<<40 | uint64(p.fetcher.server)<<48)
		word(uint64(p.fetcher.sourceHW))
		dst = append(dst, byte(p.previous), byte(p.reason), p.silence, p.unknown, p.lacking, byte(len(p.behind)),
			flags(p.retried, p.asserted, p.agreed, p.fetcher.stale, p.fetcher.waiting, p.behindCorrelation != 0, p.rerun, p.unsent),
			flags(p.ownFound, p.hasFirst, p.followed))
		word(uint64(uint32(p.recovery))<<32 | uint64(uint16(p.failures)))
		word(uint64(uint32(p.raised)))
		word(uint64(p.cut))
		dst = append(dst, flags(p.lowering.due, p.lowering.cut, p.lowering.first), byte(len(p.lowering.acked)))
		for _, acked := range p.lowering.acked {
			dst = append(dst, flags(acked))
		}
		word(uint64(p.cutStart))
		for i := range p.behind {
			dst = appendBehind(dst, &p.behind[i])
		}
	}
	for _, r := range m.points {
		if p := m.find(r.partition); p != nil && p.waitsAt(r.point) {
			word(uint64(r.partition.Word())<<8 | uint64(r.point))
		}
	}
	for _, s := range m.syncs {
		dst = s.appendState(dst)
	}
	return m.appendPasses(m.appendGathers(dst))
}

// appendBehind appends what is to be stored later. The leader epoch and the state epoch are those of the sending.
func appendBehind(dst []byte, r *record.MirrorState) []byte {
	dst = append(dst, byte(r.State), byte(r.Reason), flags(r.Agreed))
	dst = binary.LittleEndian.AppendUint16(dst, uint16(r.Attempts))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(r.Run))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(r.Recovery))
	return binary.LittleEndian.AppendUint64(dst, uint64(r.Aligned))
}

func flags(bits ...bool) byte {
	var f byte
	for i, b := range bits {
		if b {
			f |= 1 << i
		}
	}
	return f
}

// waits are the phases in words.
var waits = [...]string{
	idle:         "",
	reading:      "the coordinator has not answered the read of its state",
	storing:      "the coordinator has not acknowledged the write of state %s",
	atPoint:      "a point of the protocol",
	lookingUp:    "the source has not answered the lookup of the last mirrored position",
	probing:      "the source has not answered a fetch without divergence",
	following:    "replica %s has not followed the truncation",
	draining:     "the high watermark has not reached the log end",
	recording:    "the coordinator has not acknowledged the last mirrored position",
	bumping:      "the metadata do not show the leader epoch bump",
	cutting:      "replica %s has not followed the cut to the last stable offset",
	appending:    "the in-sync replicas do not have the markers or the reset",
	pausing:      "a back-off",
	refreshing:   "the source has not told its leader epoch",
	loweringStop: "has not lowered the group offsets above the log end",
	recalling:    "the coordinators here have not told the last mirrored position",
}

// Waits says what each unfinished partition waits for.
func (m *Manager) Waits(name func(id.Partition) string, env *replica.Env, yield func(string) bool) bool {
	for _, p := range m.partitions {
		what := waits[p.phase]
		switch p.phase {
		case idle:
			switch {
			case len(p.behind) > 0:
				what = fmt.Sprintf(waits[storing], p.behind[0].State)
			case p.fetcher.on && p.lowering.acked != nil:
				what = loweringWait(p, env)
			case p.fetcher.on && p.fetcher.leader == id.None:
				what = "the source's leader is not known"
			case p.known && p.state == record.Failed && p.triedAgain(env):
				what = p.reason.String() + "; it is tried again"
			case p.known && p.state == record.Failed:
				what = p.reason.String() + "; the way out: " + p.reason.WayOut()
			case p.known && p.state == record.Unknown && p.desired == record.WantStopped:
				what = "it never began to mirror, and unknown-stop=illegal (D46) keeps it so: read-only"
			}
		case pausing:
			if p.then == goEnter {
				what = p.reason.String() + "; it is tried again" // in place (D36)
			}
		case loweringStop:
			what = loweringWait(p, env)
		case storing:
			what = fmt.Sprintf(what, p.target)
		case following:
			wait, _ := followWait(p, env)
			what = fmt.Sprintf(what, fmt.Sprint("node ", p.replica.Laggard(wait, env)))
		case cutting:
			what = fmt.Sprintf(what, fmt.Sprint("node ", p.replica.Laggard(protocol.WaitISR, env)))
		}
		if what != "" && !yield(fmt.Sprintf("%s in %s: %s", name(p.id), p.state, what)) {
			return false
		}
	}
	return true
}

// State is what this broker knows of the actual state of a partition that it drives.
func (m *Manager) State(x id.Partition) (record.State, bool) {
	if p := m.find(x); p != nil && p.known {
		return p.state, true
	}
	return record.Unknown, false
}
