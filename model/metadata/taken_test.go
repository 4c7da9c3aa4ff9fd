package metadata_test

import (
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/record"
)

// The newest number of each admin is kept with the topic, and with its id when it is deleted; a clone keeps what there was.
func TestTakenRequests(t *testing.T) {
	m := &metadata.Image{}
	wants := func(admin id.Node, number uint32) {
		m.Apply(&record.MirrorTopicRecord{Topic: orders, Mirror: 2, Desired: record.WantMirroring, Admin: admin, Number: number})
	}
	m.Apply(&record.TopicRecord{Topic: orders, Name: "orders", Partitions: 1})
	equal(t, "before the first", m.Taken(orders, 9), 0)
	wants(9, 4)
	wants(7, 2)
	clone := m.Clone()
	wants(9, 5)
	wants(0, 0)
	equal(t, "of one admin", m.Taken(orders, 9), 5)
	equal(t, "of the other", m.Taken(orders, 7), 2)
	equal(t, "of nobody", m.Taken(orders, 0), 0)
	equal(t, "the clone", clone.Taken(orders, 9), 4)
	m.Apply(&record.RemoveTopicRecord{Topic: orders})
	equal(t, "deleted", m.Taken(orders, 9), 5)
	m.Apply(&record.TopicRecord{Topic: orders, Name: "orders", Partitions: 1})
	equal(t, "made again", m.Taken(orders, 7), 2)
	equal(t, "of another topic", m.Taken(clicks, 9), 0)
}
