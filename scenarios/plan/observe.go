package plan

import (
	"slices"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// at is one record at its place in the log of a cluster of the scenario.
type at struct {
	cluster    int
	offset     int64
	key, value uint64
}

// observer looks at one run while it goes on, for what only the moment shows: where a group resumed and what it had read
// before, what producers wrote to a side after its fence, and where logs were cut.
type observer struct {
	script *script
	groups map[id.Node]int // by client

	moves   []*move
	reads   []*reading
	fenced  []copied // the old side, from the stop of a mirror on: no producer may write there
	wrote   []wrote
	cuts    []cut
	aligned []copied // to the other side
	acked   map[acked]bool
	kept    map[copied][]at // what an old side had when it was aligned
}

// acked is where a client heard that its batch stands. Those of a plan have one record each.
type acked struct {
	copied
	offset int64
}

// reading is what a group has read of a partition on the cluster that it reads from.
type reading struct {
	group     int
	partition id.Partition
	cluster   int
	until     int64 // the end of its last read there
	moving    *move // it has resumed on the other cluster, and read nothing there yet
}

// move is a group's going on on another cluster.
type move struct {
	group          int
	partition      id.Partition
	from, to       int
	before, resume int64 // its offset on the old cluster, and where it goes on on the new one
	again, skipped []at
	committed      int64 // on the new cluster; -1: nothing
}

// copied is a partition on a cluster.
type copied struct {
	partition id.Partition
	cluster   int
}

// wrote is a record that a producer wrote to the old side behind the fence.
type wrote struct {
	partition id.Partition
	record    at
}

// cut is the lowest offset that the leader of a log was cut to.
type cut struct {
	partition id.Partition
	cluster   int
	offset    int64
	anew      bool // and the log was begun anew
}

func (s *script) observer(nodes []string) *observer {
	o := &observer{script: s, groups: map[id.Node]int{}, acked: map[acked]bool{}, kept: map[copied][]at{}}
	for n, name := range nodes {
		if i := slices.Index(s.groups, name); i >= 0 {
			o.groups[id.Node(n)] = i
		}
	}
	return o
}

// look takes an event.
func (o *observer) look(l *checkers.Ledger, e *event.Event) {
	switch e.Kind {
	case event.ConsumerMoved:
		if g, ok := o.groups[e.Node]; ok && e.To == 0 {
			o.moved(l, g, e)
		}
	case event.ConsumerRead:
		if g, ok := o.groups[e.Node]; ok {
			o.read(g, e)
		}
	case event.StateCommitted:
		if record.State(e.To) == record.Stopping {
			o.fence(e.Partition, 1-int(o.script.clusterOf(e)))
		}
	case event.Appended:
		if event.Origin(e.Cause) == event.FromClient && e.Batch != nil {
			o.appended(l, e)
		}
	case event.ProduceReturned:
		if e.To == codeOK {
			o.acked[acked{copied{e.Partition, int(e.From)}, e.Offset}] = true
		}
	case event.Truncated:
		o.truncated(l, e)
	case event.Aligned:
		o.aligned = append(o.aligned, copied{e.Partition, int(o.script.clusterOf(e))})
		o.keep(l, e)
	}
}

// codeOK is an answer without an error.
const codeOK = 0

// acknowledged tells whether a client has heard that a record is stored, on either cluster: a copy has the offset of its source.
func (o *observer) acknowledged(p id.Partition, r at) bool {
	return o.acked[acked{copied{p, 0}, r.offset}] || o.acked[acked{copied{p, 1}, r.offset}]
}

// clusterOf is the cluster of the broker that an event is of: brokers are numbered cluster by cluster.
func (s *script) clusterOf(e *event.Event) id.Cluster {
	if int(e.Node) < s.brokerCount(0) {
		return 0
	}
	return 1
}

func (o *observer) reading(group int, p id.Partition) *reading {
	for _, r := range o.reads {
		if r.group == group && r.partition == p {
			return r
		}
	}
	r := &reading{group: group, partition: p, cluster: o.script.home(group)}
	o.reads = append(o.reads, r)
	return r
}

// moved takes a group's position that is not where its last read ended.
func (o *observer) moved(l *checkers.Ledger, group int, e *event.Event) {
	r := o.reading(group, e.Partition)
	to := int(e.From)
	if to == r.cluster {
		return
	}
	if r.moving == nil {
		r.moving = &move{group: group, partition: e.Partition, from: r.cluster, to: to}
		o.moves = append(o.moves, r.moving)
	}
	m := r.moving
	m.resume, m.before = e.Offset, r.until
	if committed, _, ok := l.CommittedOffset(e.Node, id.Cluster(m.from), e.Partition); ok {
		m.before = max(m.before, committed)
	}
	m.committed = -1
	if committed, _, ok := l.CommittedOffset(e.Node, id.Cluster(to), e.Partition); ok {
		m.committed = committed
	}
	o.compare(l, m)
}

// compare finds what the group is going to read again, and what it passes over: the records of the new log at or above its
// position that it had read, and those below that it had not. What stands below the new log's start it passes over too.
func (o *observer) compare(l *checkers.Ledger, m *move) {
	from, to := o.log(l, m.from, m.partition), o.log(l, m.to, m.partition)
	m.again, m.skipped = nil, nil
	if from == nil || to == nil {
		return
	}
	read := map[int64]record.Record{}
	for _, b := range from.Batches() {
		for n, x := range b.Records {
			if off := b.OffsetOf(n); b.IsData() && off < m.before {
				read[off] = x
			} else if b.IsData() && off < min(m.resume, to.Start) {
				m.skipped = append(m.skipped, at{m.from, off, x.Key, x.Value})
			}
		}
	}
	for _, b := range to.Batches() {
		for n, x := range b.Records {
			off := b.OffsetOf(n)
			seen := read[off] == x || off < from.Start && off < m.before
			switch {
			case !b.IsData():
			case off >= m.resume && seen:
				m.again = append(m.again, at{m.to, off, x.Key, x.Value})
			case off < m.resume && !seen:
				m.skipped = append(m.skipped, at{m.to, off, x.Key, x.Value})
			}
		}
	}
}

// log is the log of a partition's leader, or where nobody leads the longest that a broker of the cluster has.
func (o *observer) log(l *checkers.Ledger, c int, p id.Partition) (longest *checkers.Shadow) {
	if n, _ := l.Leader(id.Cluster(c), p); n != id.None {
		return l.Log(n, p)
	}
	first := c * o.script.brokerCount(0)
	for n := first; n < first+o.script.brokerCount(c); n++ {
		if s := l.Log(id.Node(n), p); s != nil && (longest == nil || s.End > longest.End) {
			longest = s
		}
	}
	return longest
}

func (o *observer) read(group int, e *event.Event) {
	r := o.reading(group, e.Partition)
	if int(e.From) != r.cluster {
		r.cluster, r.moving, r.until = int(e.From), nil, 0
	}
	r.until = max(r.until, e.End)
}

func (o *observer) fence(p id.Partition, old int) {
	for i := range o.fenced {
		if o.fenced[i].partition == p {
			o.fenced[i].cluster = old
			return
		}
	}
	o.fenced = append(o.fenced, copied{p, old})
}

func (o *observer) appended(l *checkers.Ledger, e *event.Event) {
	c := int(o.script.clusterOf(e))
	if !slices.Contains(o.fenced, copied{e.Partition, c}) {
		return
	}
	for n, x := range e.Batch.Records {
		o.wrote = append(o.wrote, wrote{e.Partition, at{c, e.Batch.OffsetOf(n), x.Key, x.Value}})
	}
}

func (o *observer) truncated(l *checkers.Ledger, e *event.Event) {
	c := o.script.clusterOf(e)
	leader, _ := l.Leader(c, e.Partition)
	if leader != e.Node || e.Offset >= e.End || event.TruncateCause(e.Cause) == event.CutToLastStable {
		return
	}
	anew := event.TruncateCause(e.Cause) == event.RestartedAt || e.Offset == 0
	for i := range o.cuts {
		if x := &o.cuts[i]; x.partition == e.Partition && x.cluster == int(c) {
			x.offset, x.anew = min(x.offset, e.Offset), x.anew || anew
			return
		}
	}
	o.cuts = append(o.cuts, cut{e.Partition, int(c), e.Offset, anew})
}
