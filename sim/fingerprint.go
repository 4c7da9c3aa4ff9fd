package sim

import (
	"encoding/binary"

	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/wire"
)

// part is a part of the fingerprint, remembered until what it stands for changes.
type part struct {
	sum   lanes
	known bool
}

// parts are those that belong to the whole world.
type parts struct{ monitor, links part }

// scratch is memory for fingerprints, used again.
type scratch struct {
	bytes []byte
	words []uint64
}

// Fingerprint is equal for two worlds of one Spec that differ in times, indexes and counts only: it is made of nodes and
// disks, who is up and what hinders it, links, messages and armed timers as multisets, faults that wait for a point or a
// message, whether the run has failed, and the monitor. Different worlds have equal fingerprints once in some 2^64 pairs.
func (w *World) Fingerprint() [2]uint64 { return w.print(w.messagesPrint(), w.timersPrint()) }

// print is the fingerprint with messages and timers as they are given.
func (w *World) print(messages, timers lanes) lanes {
	h := lanes{1, 2}
	for i := range w.nodes {
		h.lanes(w.memberPrint(i))
		w.nodes[i].hindrance.print(&h)
	}
	h.lanes(w.linksPrint())
	h.lanes(messages)
	h.lanes(timers)
	for _, a := range w.armed {
		h.word(uint64(a.point)<<40 | uint64(a.node)<<32 | uint64(a.left))
	}
	for i := range w.catches {
		w.catches[i].print(&h)
	}
	if w.failed {
		h.word(1)
	}
	h.lanes(w.monitorPrint())
	return h
}

func (w *World) memberPrint(i int) lanes {
	m := &w.nodes[i]
	if m.print.known {
		return m.print.sum
	}
	m.print = part{w.work().scratch.ofNode(m.node, m.disk), true}
	return m.print.sum
}

// ofNode is the fingerprint of a node, nil while it is down, with its disk.
func (s *scratch) ofNode(n node.Node, d *disk.Disk) lanes {
	h := lanes{3, 4}
	b := s.bytes[:0]
	if n != nil {
		b = n.AppendState(b)
		h.word(1)
	}
	h.bytes(b)
	b = d.AppendState(b[:0])
	h.bytes(b)
	s.bytes = b
	return h
}

// ofDisk is the fingerprint of a disk.
func (s *scratch) ofDisk(d *disk.Disk) lanes {
	h := lanes{3, 4}
	s.bytes = d.AppendState(s.bytes[:0])
	h.bytes(s.bytes)
	return h
}

func (w *World) linksPrint() lanes {
	p := &w.prints.links
	if !p.known {
		h := lanes{5, 6}
		for i := range w.links {
			if l := &w.links[i]; l.down || l.delay != 0 {
				h.word(uint64(i)<<1 | id.Bit64(l.down))
				h.word(uint64(l.delay)<<16 | uint64(l.cuts))
			}
		}
		*p = part{h, true}
	}
	return p.sum
}

func (w *World) messagesPrint() lanes {
	var sum lanes
	for i := range w.messages {
		if m := &w.messages[i]; m.seq != 0 {
			if !m.print.known {
				w.printMessage(m)
			}
			sum.add(m.print.sum)
		}
	}
	return sum
}

func (w *World) printMessage(m *message) {
	m.print = part{w.work().scratch.ofMessage(m.from, m.to, m.body), true}
}

// ofMessage is the fingerprint of a message.
func (s *scratch) ofMessage(from, to id.Node, b wire.Body) lanes {
	h := lanes{7, 8}
	h.word(uint64(from)<<16 | uint64(to)<<8 | uint64(b.API()))
	words := b.Words(s.words[:0])
	for _, x := range words {
		h.word(x)
	}
	h.word(uint64(len(words)))
	h.word(0)
	s.words = words
	return h
}

func (w *World) timersPrint() lanes {
	var sum lanes
	for i := range w.timers.slots {
		if t := &w.timers.slots[i]; t.armed {
			h := lanes{9, 10}
			h.word(timerWord(t.node, t.name))
			h.word(0)
			sum.add(h)
		}
	}
	return sum
}

func (w *World) monitorPrint() lanes {
	p := &w.prints.monitor
	if !p.known {
		h := lanes{11, 12}
		if w.monitor != nil {
			s := &w.work().scratch
			s.bytes = w.monitor.AppendState(s.bytes[:0])
			h.bytes(s.bytes)
		}
		*p = part{h, true}
	}
	return p.sum
}

// lanes are two hashes of the same words by different multipliers.
type lanes [2]uint64

func (l *lanes) word(x uint64) {
	l[0] = event.Mix(l[0], x)
	y := (l[1] ^ x) * 0xd6e8feb86659fd93
	l[1] = y ^ y>>32
}

// lanes mixes in the hash of a part, each lane into its own, so that two parts must meet in both.
func (l *lanes) lanes(part lanes) {
	l[0] = event.Mix(l[0], part[0])
	y := (l[1] ^ part[1]) * 0xd6e8feb86659fd93
	l[1] = y ^ y>>32
}

func (l *lanes) bytes(b []byte) {
	n := len(b)
	for ; len(b) >= 8; b = b[8:] {
		l.word(binary.LittleEndian.Uint64(b))
	}
	var last [8]byte
	copy(last[:], b)
	l.word(binary.LittleEndian.Uint64(last[:]))
	l.word(uint64(n))
}

// add makes a multiset: the order of what is added does not count.
func (l *lanes) add(x lanes) { l[0], l[1] = l[0]+x[0], l[1]+x[1] }
