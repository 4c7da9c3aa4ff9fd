package scenarios

import (
	"mirrorsim/model/record"
	"mirrorsim/scenarios/format"
)

// wideBatch is how many records a batch may have in a run whose batches are wide: enough for an offset inside of one to be a log
// start.
const wideBatch = 10

// farthestStart is the highest offset below which records are deleted. Most partitions of a run end below it; a request beyond the
// high watermark is refused, which is no more than another answer.
const farthestStart = 40

// topicExtras are what a run has of deletions: each is drawn apart, and a calm run has none of it.
type topicExtras struct {
	wide    bool // batches of up to wideBatch records
	trims   bool // records are deleted: at the source at any time, at the destination once it is stopped
	deleted int  // the second topic: 0 stays, 1 is deleted at the source, 2 at the destination once its mirror is gone
}

// draw draws them. Only a run with a second topic deletes one.
func (x *topicExtras) draw(g *generator) {
	x.wide, x.trims = g.chance(wideOf, 40), g.chance(trimsOf, 30)
	if g.x.other {
		x.deleted = g.ask(deletedOf, 3)
	}
}

// batch is how many records a batch of a produce step has, at most count.
func (g *generator) batch(count, most int) int {
	if g.topics.wide {
		most = wideBatch
	}
	return min(1+g.ask(batchOf, most), count)
}

// trims are deletions of records in the window, at the cluster that is mirrored from: below the high watermark, or below an offset,
// which is inside a batch as often as at its begin.
func (g *generator) trims(from string) {
	if !g.topics.trims {
		return
	}
	for range g.ask(trimsOf, 3) {
		g.at(g.some(), g.trim(from))
	}
}

// trimStopped deletes records of a cluster on which all is stopped.
func (g *generator) trimStopped(to string) {
	if g.topics.trims && g.chance(trimsOf, 40) {
		g.then(g.trim(to))
	}
}

func (g *generator) trim(cluster string) *format.DeleteRecords {
	before := int64(-1)
	if g.ask(trimOf, 4) != 3 {
		before = int64(1 + g.ask(startOf, farthestStart))
	}
	return &format.DeleteRecords{Partition: g.anyPartition(cluster), Before: before}
}

// deleteAtSource deletes the second topic at its source, in the window: while it is mirrored, paused or stopped.
func (g *generator) deleteAtSource() {
	if g.topics.deleted == 1 {
		g.at(g.some(), &format.DeleteTopics{Topics: []string{"u"}, On: "A"})
	}
}

// deleteAtDestination deletes the second topic at its destination, as soon as its mirror is stopped and deleted.
func (g *generator) deleteAtDestination() {
	if g.topics.deleted != 2 {
		return
	}
	g.then(g.asked(format.StopTopics, "u", "B", otherMirror))
	g.wait(format.StateIs{TP: format.TP{Cluster: "B", Topic: "u"}, State: record.Stopped}, patience)
	g.then(&format.DeleteMirror{Mirror: format.MirrorRef{Cluster: "B", Name: otherMirror}})
	g.then(&format.DeleteTopics{Topics: []string{"u"}, On: "B"})
}
