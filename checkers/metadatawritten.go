package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// configWritten judges a config that mirror-wide work has written.
func (c *metadataSync) configWritten(l *Ledger, e *event.Event, r *Reporter) {
	r.Exercised(MetadataSync)
	cl, k := l.cluster(e.Node), record.ConfigKey(e.To)
	src, lists := l.source(cl, e.Mirror), l.syncLists(cl, e.Mirror)
	what := "set the config " + k.String()
	c.halted(l, e, e.Partition.Topic, what, r)
	if src == noCluster || lists == nil {
		return
	}
	x := l.topics[l.topicIndex(e.Partition.Topic)].config(src, k)
	switch {
	case lists.Excluded[k]:
		c.wrote(l, e, what+", which is excluded", x.index, r)
	case e.From == 0:
		c.wrote(l, e, "deleted the config "+k.String()+", but deletions are not synchronised", x.index, r)
	case l.was.config.set && l.was.config.number == e.Offset:
		c.wrote(l, e, what+" to "+record.ConfigText(k, e.Offset)+", which it was already", l.was.config.index, r)
	case !(x.set && x.number == e.Offset) && c.longSince(l, cl, src, x.since):
		c.wrote(l, e, what+" to "+record.ConfigText(k, e.Offset)+", which the source does not have", x.index, r)
	}
}

// aclWritten judges an ACL binding that mirror-wide work has added or removed.
func (c *metadataSync) aclWritten(l *Ledger, e *event.Event, r *Reporter) {
	r.Exercised(MetadataSync)
	cl := l.cluster(e.Node)
	src, lists := l.source(cl, e.Mirror), l.syncLists(cl, e.Mirror)
	if src == noCluster || lists == nil {
		return
	}
	what := [...]string{"removed", "added"}[e.To&1] + " the ACL " + l.topology.Names.Acl(e.Digest)
	x := l.acl(src, e.Digest)
	included := false
	for _, a := range lists.Acls {
		if a.Word == e.Digest {
			included = true
			for _, t := range l.topics {
				if slices.Contains(a.Topics, t.id) {
					c.haltedAcl(l, e, t, what, r)
				}
			}
		}
	}
	switch {
	case !included:
		c.wrote(l, e, what+", which its list does not include", 0, r)
	case l.was.acl.there == (e.To == 1):
		c.wrote(l, e, what+", which was so already", l.was.acl.index, r)
	case x.there != (e.To == 1) && c.longSince(l, cl, src, x.since):
		c.wrote(l, e, what+", but the source has it otherwise", x.index, r)
	default:
		c.undone(l, e, what, x, r)
	}
}

// undone judges that what one mirror's work writes of an ACL binding does not undo what another's has written, while neither
// source has changed: the next pass of that one is going to undo it again.
func (c *metadataSync) undone(l *Ledger, e *event.Event, what string, x aclBinding, r *Reporter) {
	was, cl := l.was.acl, l.cluster(e.Node)
	other, with, z := l.contended(cl, e.Mirror, e.Digest)
	if !with || was.mirror != other || x.index > was.index || z.index > was.index || z.there == (e.To == 1) {
		return
	}
	names := l.topology.Names
	c.wrote(l, e, what+", and so undid what the work of mirror "+names.Mirror(other)+" wrote", was.index, r)
	r.NotPromised(MetadataSync, "the mirrors "+names.Mirror(min(other, e.Mirror))+" and "+names.Mirror(max(other, e.Mirror))+" of "+
		names.Cluster(cl)+" both include the ACL "+names.Acl(e.Digest)+", and their sources differ in it")
}

// contended is another mirror of cluster c than m that mirrors something and whose list includes the ACL binding too, and the
// binding at its source; one whose source differs from m's is preferred. with is false where there is none.
func (l *Ledger) contended(c id.Cluster, m id.Mirror, word uint64) (other id.Mirror, with bool, z aclBinding) {
	x := l.acl(l.source(c, m), word)
	for i := range l.topology.Sync {
		o := &l.topology.Sync[i]
		src := l.source(c, o.Mirror)
		if o.Cluster != c || o.Mirror == m || src == noCluster || with && z.there != x.there {
			continue
		}
		if includes := slices.ContainsFunc(o.Acls, func(a SyncedAcl) bool { return a.Word == word }); includes && l.mirrorsSome(c, o.Mirror) {
			other, with, z = o.Mirror, true, l.acl(src, word)
		}
	}
	return other, with, z
}

// mirrorsSome tells whether mirror m of cluster c is to mirror some topic.
func (l *Ledger) mirrorsSome(c id.Cluster, m id.Mirror) bool {
	return slices.ContainsFunc(l.topics, func(t *topic) bool { return t.desired[c] == record.WantMirroring && t.mirror[c] == m })
}

// longSince tells whether mirror-wide work must have heard of what the source has had since then.
func (c *metadataSync) longSince(l *Ledger, a, b id.Cluster, since id.Duration) bool {
	return !c.troubled(l, a, b) && l.now-max(since, l.calm) > syncSettles
}

// halted judges that a topic of which mirror-wide work has written something is one that its mirror is to mirror.
func (c *metadataSync) halted(l *Ledger, e *event.Event, t id.Topic, what string, r *Reporter) {
	x, cl := l.topics[l.topicIndex(t)], l.cluster(e.Node)
	if x.desired[cl] == record.WantMirroring && x.mirror[cl] == e.Mirror {
		return
	}
	c.wrote(l, e, what+" of "+l.topology.Names.Topic(t)+", which is desired to be "+x.desired[cl].String(), x.desiredBy[cl], r)
}

// haltedAcl judges that a topic of whose ACLs mirror-wide work has written one is not paused or stopped.
func (c *metadataSync) haltedAcl(l *Ledger, e *event.Event, x *topic, what string, r *Reporter) {
	cl := l.cluster(e.Node)
	if d := x.desired[cl]; d == record.WantPaused || d == record.WantStopped {
		c.wrote(l, e, what+", and "+l.topology.Names.Topic(x.id)+" is desired to be "+d.String(), x.desiredBy[cl], r)
	}
}

// discovered judges that a topic which mirror-wide work has started was in no mirror: paused and stopped ones are configured.
func (c *metadataSync) discovered(l *Ledger, e *event.Event, r *Reporter) {
	r.Exercised(MetadataSync)
	if l.was.desired != record.WantNone {
		c.wrote(l, e, "started "+l.topology.Names.Topic(e.Partition.Topic)+", which was desired to be "+l.was.desired.String(), l.was.desiredBy, r)
	}
}

// wrote reports what mirror-wide work should not have written; index is the event that shows why.
func (c *metadataSync) wrote(l *Ledger, e *event.Event, what string, index uint64, r *Reporter) {
	cluster, mirror := l.topology.Names.Cluster(l.cluster(e.Node)), l.topology.Names.Mirror(e.Mirror)
	r.Violated(MetadataSync, complaint("on "+cluster+" the work of mirror "+mirror+" "+what, "what was so before", "mirror "+mirror+" "+what, index, e))
}
