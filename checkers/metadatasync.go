package checkers

import (
	"cmp"
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// metadataSync: every dynamic config that is set at the source and not excluded gets the same value at the destination, the
// destination gets the source's partitions, and the ACLs that the mirror's list includes are equal, within a bounded time; what
// mirror-wide work writes changes something, and is what the source has; and it writes nothing of a topic that is paused or
// stopped, nor starts one. Keys that are deleted at the source stay.
//
// The time for it is two intervals. A message that is lost costs one more, and no event says so: judged is what is different
// after syncPasses passes have begun and ended, or after syncIntervals intervals and syncSettles where they do not end. No time
// counts in which a node is down, or a link down or late, of either cluster, or before the source's side changed last, or this
// one by a user: what mirror-wide work itself did here does not give it more time.
//
// An ACL binding that the lists of two mirrors into one cluster include is made equal to both sources in turn. The design says
// nothing of it. Where the sources differ, each pass of one undoes what the other's wrote: that is told, and not promised, since
// it is the operator who has asked for both.
type metadataSync struct {
	links []link // those that are down or late, ordered by their ends
}

const (
	// syncPasses are the passes of two intervals, one more for what was lost in one of them, and the last: when it is told to be
	// done it has heard all that it asked the source for, and its requests to the controller are only on their way.
	syncPasses = 4
	// syncIntervals are the intervals of so many passes, and one more: a pass that is under way may have asked before.
	syncIntervals = syncPasses + 1
	// syncSettles is how long what is under way may take: requests of a pass, which time out after 2 s each, and what the
	// controller has to do before it takes what was asked.
	syncSettles = 30 * id.Second
	// passLasts is the longest time of one pass: the time-outs of its three questions.
	passLasts = 6 * id.Second
)

// link is one direction between two nodes.
type link struct{ from, to id.Node }

// SyncLists is what the mirror-wide work of a mirror is to synchronise besides partitions.
type SyncLists struct {
	Cluster  id.Cluster // the destination
	Mirror   id.Mirror
	Excluded [record.ConfigKeys]bool
	Acls     []SyncedAcl // those that the list includes
}

// SyncedAcl is an ACL binding by its number, and the topics of the name that it is about, which may be created anew: none where
// it is about no topic.
type SyncedAcl struct {
	Word   uint64
	Topics []id.Topic
}

// Properties are those that this checker judges.
func (*metadataSync) Properties() []ID { return []ID{MetadataSync} }

// Kinds are the events that it looks at.
func (*metadataSync) Kinds() []event.Kind {
	return []event.Kind{event.LinkSet, event.ConfigChanged, event.AclChanged, event.TopicGrown, event.IntentChanged, event.MirrorSynced}
}

// Clone copies what is known of the links.
func (c *metadataSync) Clone() Checker { return &metadataSync{slices.Clone(c.links)} }

// AppendState appends the links.
func (c *metadataSync) AppendState(dst []byte) []byte {
	for _, x := range c.links {
		dst = append(dst, byte(x.from), byte(x.to))
	}
	return dst
}

// Observe judges e.
func (c *metadataSync) Observe(l *Ledger, e *event.Event, r *Reporter) {
	switch {
	case e.Kind == event.LinkSet:
		c.linkSet(e)
	case e.Kind == event.MirrorSynced:
		if x := l.syncLists(l.cluster(e.Node), e.Mirror); x != nil {
			c.due(l, x, r)
		}
	case e.Kind == event.IntentChanged && e.Cause == 1:
		c.discovered(l, e, r)
	case e.Kind == event.IntentChanged || e.Mirror == 0: // a user's
	case e.Kind == event.ConfigChanged:
		c.configWritten(l, e, r)
	case e.Kind == event.AclChanged:
		c.aclWritten(l, e, r)
	case e.Kind == event.TopicGrown:
		r.Exercised(MetadataSync)
		c.halted(l, e, e.Partition.Topic, "added partitions", r)
	}
}

// Finish judges what is different at the end.
func (c *metadataSync) Finish(l *Ledger, r *Reporter) {
	for i := range l.topology.Sync {
		c.due(l, &l.topology.Sync[i], r)
	}
}

// syncLists are those of a mirror on cluster c, nil where the topology has none.
func (l *Ledger) syncLists(c id.Cluster, m id.Mirror) *SyncLists {
	for i := range l.topology.Sync {
		if x := &l.topology.Sync[i]; x.Cluster == c && x.Mirror == m {
			return x
		}
	}
	return nil
}

func (c *metadataSync) linkSet(e *event.Event) {
	i, found := slices.BinarySearchFunc(c.links, link{e.Node, e.Peer}, func(x, y link) int {
		return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to))
	})
	switch bad := e.To == 0 || e.Offset > 0; {
	case bad && !found:
		c.links = slices.Insert(c.links, i, link{e.Node, e.Peer})
	case !bad && found:
		c.links = slices.Delete(c.links, i, i+1)
	}
}

// troubled tells whether a node of one of the clusters is down, or a link between nodes of theirs that are up.
func (c *metadataSync) troubled(l *Ledger, a, b id.Cluster) bool {
	of := func(n id.Node) bool { return l.cluster(n) == a || l.cluster(n) == b }
	for n := range l.nodes {
		if l.nodes[n].down && of(id.Node(n)) {
			return true
		}
	}
	return slices.ContainsFunc(c.links, func(x link) bool { return of(x.from) && of(x.to) })
}

// due judges what the mirror's work should have made equal by now.
func (c *metadataSync) due(l *Ledger, lists *SyncLists, r *Reporter) {
	cl := lists.Cluster
	src := l.source(cl, lists.Mirror)
	if src == noCluster || c.troubled(l, cl, src) {
		return
	}
	began := id.Duration(-1) // since when the mirror mirrors something
	for _, t := range l.topics {
		if t.desired[cl] != record.WantMirroring || t.mirror[cl] != lists.Mirror {
			continue
		}
		if began < 0 || t.desiredAt[cl] < began {
			began = t.desiredAt[cl]
		}
		for k := range record.ConfigKeys {
			if x := t.config(src, record.ConfigKey(k)); x.set && !lists.Excluded[k] {
				c.dueConfig(l, lists, src, t, record.ConfigKey(k), r)
			}
		}
		c.dueGrowth(l, lists, src, t, r)
	}
	if began >= 0 {
		c.dueAcls(l, lists, src, began, r)
	}
}

// overdue tells whether what both sides have had since then should be equal by now. What mirror-wide work has done here itself
// is no reason to wait longer.
func (l *Ledger) overdue(lists *SyncLists, since ...id.Duration) bool {
	from := max(slices.Max(since), l.calm)
	if i, found := l.findPasses(lists.Cluster, lists.Mirror); found && l.passes[i].recent[0] > from+passLasts {
		return true
	}
	return l.topology.MetadataRefresh > 0 && l.now-from > syncIntervals*l.topology.MetadataRefresh+syncSettles
}

func (c *metadataSync) dueConfig(l *Ledger, lists *SyncLists, src id.Cluster, t *topic, k record.ConfigKey, r *Reporter) {
	x, y := t.config(src, k), t.config(lists.Cluster, k)
	if !l.overdue(lists, x.since, y.asked, t.desiredAt[lists.Cluster]) {
		return
	}
	r.Exercised(MetadataSync)
	if y.set && y.number == x.number {
		return
	}
	here := "is not set"
	if y.set {
		here = "is " + record.ConfigText(k, y.number)
	}
	topic := l.topology.Names.Topic(t.id)
	r.Violated(MetadataSync, Violation{Sentence: "the config " + k.String() + " of " + topic + " is " + record.ConfigText(k, x.number) + " on " +
		l.topology.Names.Cluster(src) + " since " + x.since.String() + ", and on " + l.topology.Names.Cluster(lists.Cluster) + ", which mirrors it, it " + here,
		Facts: [2]string{k.String() + "=" + record.ConfigText(k, x.number) + " was set at the source", "it " + here + " at the destination"}, Events: [2]uint64{x.index, y.index}})
}

func (c *metadataSync) dueGrowth(l *Ledger, lists *SyncLists, src id.Cluster, t *topic, r *Reporter) {
	x, y := t.partitions[src], t.partitions[lists.Cluster]
	if x.since == 0 && y.n >= x.n || !l.overdue(lists, x.since, y.asked, t.desiredAt[lists.Cluster]) {
		return
	}
	r.Exercised(MetadataSync)
	if y.n < x.n {
		topic := l.topology.Names.Topic(t.id)
		r.Violated(MetadataSync, Violation{Sentence: topic + " has " + Several(int64(x.n), "partition", "partitions") + " on " + l.topology.Names.Cluster(src) + " since " +
			x.since.String() + ", and " + num(int64(y.n)) + " on " + l.topology.Names.Cluster(lists.Cluster) + ", which mirrors it",
			Facts: [2]string{"the source has " + Several(int64(x.n), "partition", "partitions"), "the destination has " + num(int64(y.n))}, Events: [2]uint64{x.index, y.index}})
	}
}

func (c *metadataSync) dueAcls(l *Ledger, lists *SyncLists, src id.Cluster, began id.Duration, r *Reporter) {
	for _, a := range lists.Acls {
		x, y := l.acl(src, a.Word), l.acl(lists.Cluster, a.Word)
		since := began
		halted := false // a topic of that name is not to be mirrored now
		for _, t := range l.topics {
			if slices.Contains(a.Topics, t.id) {
				d := t.desired[lists.Cluster]
				halted = halted || d == record.WantPaused || d == record.WantStopped
				since = max(since, t.desiredAt[lists.Cluster])
			}
		}
		if halted {
			continue
		}
		_, with, z := l.contended(lists.Cluster, lists.Mirror, a.Word)
		if with && z.there != x.there || x.index == 0 && y.index == 0 || !l.overdue(lists, x.since, z.since, y.asked, since) {
			continue
		}
		r.Exercised(MetadataSync)
		if x.there != y.there {
			has := [...]string{"has it not", "has it"}
			r.Violated(MetadataSync, Violation{Sentence: "the ACL " + l.topology.Names.Acl(a.Word) + " is included in mirror " + l.topology.Names.Mirror(lists.Mirror) +
				": " + l.topology.Names.Cluster(src) + " " + has[id.Bit(x.there)] + ", and " + l.topology.Names.Cluster(lists.Cluster) + " " + has[id.Bit(y.there)],
				Facts: [2]string{"the source " + has[id.Bit(x.there)], "the destination " + has[id.Bit(y.there)]}, Events: [2]uint64{x.index, y.index}})
		}
	}
}
