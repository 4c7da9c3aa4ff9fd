package scenarios

import (
	"strconv"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/scenarios/format"
)

// discovered is the topic that a source gets while it is mirrored, and that a mirror's pattern matches.
const discovered = "v"

// synchronisation draws whether a run has changes of metadata for mirror-wide work, which then has a shorter interval: configs and
// ACLs, in some runs partitions, in some a topic that a pattern matches.
func (g *generator) synchronisation() {
	if !g.chance(syncsOf, 30) {
		return
	}
	g.x.syncs, g.x.discovers, g.x.grows = true, g.chance(discoversOf, 40), g.chance(growsOf, 30)
	refresh := [...]string{"5s", "10s", "20s"}[g.ask(syncsOf, 3)]
	g.s.Settings = append(g.s.Settings, format.Set{Key: "metadata-refresh", Token: refresh})
	for i := range g.s.Mirrors {
		if m := &g.s.Mirrors[i]; m.Name == "m" {
			m.Acls = []string{"topic:t", "group:.*"}
			if g.x.discovers && m.To == "B" {
				m.Include = []string{discovered + ".*"}
			}
		}
	}
	if g.x.discovers {
		g.s.Topics = append(g.s.Topics, format.Topic{Name: discovered, On: "A", Partitions: 1, Replicas: 2, Absent: true})
	}
}

// changes adds changes of metadata to the window in which one cluster mirrors the other, most of them at the source; first is
// the first such window.
func (g *generator) changes(from, to string, first bool) {
	if !g.x.syncs {
		return
	}
	for range 1 + g.ask(syncsOf, 5) {
		on := from
		if g.chance(syncsOf, 25) {
			on = to
		}
		g.at(g.some(), g.change(on))
	}
	if g.x.grows && g.chance(growsOf, 60) {
		g.grown++
		g.at(g.some(), &format.CreatePartitions{Topics: []string{"t"}, On: from, Partitions: g.s.Topics[0].Partitions + g.grown})
	}
	if g.x.discovers && first {
		at := g.some()
		g.at(at, &format.CreateTopics{Topics: []string{discovered}, On: "A"})
		if !g.full() {
			a := &format.Produce{Client: "p", To: format.TP{Cluster: "A", Topic: discovered}, Count: 1 + g.ask(countOf, 6), Acks: -1, PID: -1, Batch: 1}
			g.records += a.Count
			g.at(at+id.Second*id.Duration(g.ask(offsetOf, 8)), a)
		}
		if g.chance(discoversOf, 30) {
			g.at(g.now, g.asked(format.StopTopics, discovered, "B", "m"))
		}
	}
}

// change sets or deletes a config of t on that cluster, or adds or removes an ACL. Only values are drawn under which everything
// that is promised stays promised: no unclean election, no more in-sync replicas than before, no tiered storage.
func (g *generator) change(on string) format.Act {
	if g.ask(changeOf, 3) == 2 {
		a := record.Acl{Name: "t", Principal: [...]string{"alice", "bob"}[g.ask(changeOf, 2)], Operation: record.AclOperation(g.ask(changeOf, 2))}
		switch g.ask(changeOf, 4) {
		case 2:
			a.Resource, a.Name = record.GroupResource, "g"
		case 3:
			a.Resource, a.Name = record.MirrorResource, "m"
		}
		return &format.AlterAcl{Remove: g.ask(changeOf, 3) == 2, Acl: a, On: on}
	}
	k := [...]record.ConfigKey{record.RetentionMs, record.MaxMessageBytes, record.MinInsyncReplicas, record.TimestampType}[g.ask(changeOf, 4)]
	value := ""
	if g.ask(changeOf, 4) < 3 {
		switch k {
		case record.MinInsyncReplicas:
			value = "1"
		case record.TimestampType:
			value = record.ConfigText(k, int64(g.ask(changeOf, 2)))
		default:
			value = strconv.Itoa(1000 * (1 + g.ask(changeOf, 4)))
		}
	}
	return &format.Config{Topics: []string{"t"}, On: on, Key: k.String(), Value: value}
}
