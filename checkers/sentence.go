package checkers

import (
	"strconv"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// where is the partition on a cluster as people write it: B/t-0.
func (l *Ledger) where(pt *part, c id.Cluster) string {
	return l.topology.Names.Cluster(c) + "/" + l.topology.Names.Partition(pt.id)
}

// replica is the partition on a node: B/t-0@b1.
func (l *Ledger) replica(pt *part, n id.Node) string {
	return l.where(pt, l.cluster(n)) + "@" + l.name(n)
}

func (l *Ledger) name(n id.Node) string { return l.topology.Names.Node(n) }

func num(n int64) string { return strconv.FormatInt(n, 10) }

// spell is a batch as log strips write it: 3-4@1, 5@1:reset.
func spell(b *record.Batch) string {
	s := num(b.Base)
	if b.Last > b.Base {
		s += "-" + num(b.Last)
	}
	s += "@" + num(int64(b.LeaderEpoch))
	if b.Control != record.Data {
		s += ":" + b.Control.String()
	}
	return s
}

// contents is a batch with its first record, so that two at one place can be told apart.
func contents(b *record.Batch) string {
	s := spell(b)
	if len(b.Records) > 0 {
		s += " (record " + strconv.FormatUint(b.Records[0].Key, 10) + "/" + strconv.FormatUint(b.Records[0].Value, 10) + ")"
	}
	return s
}

// complaint makes a violation of a sentence, its two facts and the events that show them.
func complaint(sentence, fact1, fact2 string, event1 uint64, e *event.Event) Violation {
	return Violation{Sentence: sentence, Facts: [2]string{fact1, fact2}, Events: [2]uint64{event1, e.Index}}
}

// difference is the first place in [from, to) where two logs differ, in words, and the events that appended what stands
// there. It walks both logs, but only when they are known to differ.
func (l *Ledger) difference(pt *part, a, b id.Node, from, to int64) (string, [2]string, [2]uint64) {
	s, o := pt.replicas[a], pt.replicas[b]
	i, j := s.first(from, o), o.first(from, s)
	for i < len(s.log) && j < len(o.log) && s.log[i].batch.Same(o.log[j].batch) {
		i, j = i+1, j+1
	}
	x, xi := l.standing(pt, a, i, to)
	y, yi := l.standing(pt, b, j, to)
	return x + ", but " + y, [2]string{x, y}, [2]uint64{xi, yi}
}

// standing says what a log has as its i-th batch.
func (l *Ledger) standing(pt *part, n id.Node, i int, to int64) (string, uint64) {
	s := pt.replicas[n]
	if i >= len(s.log) || s.log[i].batch.Base >= to {
		return l.replica(pt, n) + " has nothing more below " + num(to), 0
	}
	return l.replica(pt, n) + " has " + contents(s.log[i].batch), s.log[i].index
}
