package scenarios

import (
	"mirrorsim/faults"
	"mirrorsim/model/id"
	"mirrorsim/model/setting"
	"mirrorsim/scenarios/format"
)

// cleanings are what the brokers of a run do to their logs by themselves, beside clients and operators.
type cleanings struct{ retains, compacts bool }

// draw says which of them a run has; a calm one has none.
func (x *cleanings) draw(g *generator) {
	if g.level != faults.None {
		x.retains, x.compacts = g.chance(retentionOf, 20), g.chance(compactionOf, 20)
	}
}

// clean adds retention and compaction of that cluster's logs to the window: of a source, or of a destination that was stopped.
func (g *generator) clean(cluster string) {
	for range 2 {
		if g.cleanings.retains && g.chance(retentionOf, 60) {
			g.at(g.some(), g.retention(cluster))
		}
		if g.cleanings.compacts && g.chance(compactionOf, 60) {
			g.at(g.some(), g.compaction(cluster))
		}
	}
}

// cleanBoth adds to the window what the cleaners of a mirror's destination do as well, besides the source's.
func (g *generator) cleanBoth(from, to string) {
	g.clean(from)
	if g.cleanings.compacts && g.chance(compactionOf, 40) {
		g.at(g.some(), g.compaction(to))
	}
}

func (g *generator) retention(cluster string) format.Act {
	return &format.Retention{Partition: g.anyPartition(cluster), Before: 1 + int64(g.ask(retentionOf, 40))}
}

// compaction is by key, or keeps one offset of some; now and then it is of the mirror states, or of the offsets of groups.
func (g *generator) compaction(cluster string) format.Act {
	a := &format.Compact{Partition: g.anyPartition(cluster)}
	switch kind := g.ask(compactionOf, 6); {
	case kind == 1 && (cluster == "A" || cluster == "B"):
		partitions := int(setting.Default().StatePartitions)
		a.Partition = format.TP{Cluster: cluster, Topic: format.StateTopic, Partition: g.ask(whichPartition, partitions)}
	case kind == 2 && (cluster == "A" || cluster == "B") && len(g.groups()) > 0:
		partitions := int(setting.Default().GroupPartitions)
		a.Partition = format.TP{Cluster: cluster, Topic: format.GroupTopic, Partition: g.ask(whichPartition, partitions)}
	case kind > 2:
		step := int64(2 + g.ask(compactionOf, 3))
		for offset := int64(g.ask(compactionOf, int(step))); offset < 2*mostRecords; offset += step {
			a.Keep = append(a.Keep, offset)
		}
	}
	return a
}

// cleanStopped has the cluster that was stopped clean its logs for a while, in a window of its own.
func (g *generator) cleanStopped(cluster string) {
	if !g.cleanings.retains && !g.cleanings.compacts {
		return
	}
	g.moment()
	g.now += 5 * id.Second
	g.clean(cluster)
	g.flush()
}
