package metadata

import (
	"slices"

	"mirrorsim/model/assert"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// Deleted is what an image keeps of a topic id that was deleted: a mirror that is started again brings the source's id back, and an old
// request may ask for that.
type Deleted struct {
	Topic       id.Topic
	LeaderEpoch int32 // the highest one that a partition of the id has ever had in this cluster
	Taken       []Taken
}

// removeTopic forgets a topic with its partitions, but for how high their leader epochs were. Clones share the list of these, so
// that this image gets another one.
func (m *Image) removeTopic(t id.Topic) {
	i, ok := m.topic(t)
	assert.That(ok, "a topic that exists is deleted")
	taken := m.Topics[i].Taken
	m.Topics = slices.Delete(m.Topics, i, i+1)
	highest := m.EarlierEpoch(t)
	m.Partitions = slices.DeleteFunc(m.Partitions, func(p *record.PartitionRecord) bool {
		gone := p.Partition.Topic == t
		if gone {
			highest = max(highest, p.LeaderEpoch)
		}
		return gone
	})
	others := slices.DeleteFunc(slices.Clone(m.Deleted), func(d Deleted) bool { return d.Topic == t })
	m.Deleted = append(others, Deleted{t, highest, taken})
}

// EarlierEpoch is the highest leader epoch that partitions of topics of that id had which were deleted; -1 if there were none.
func (m *Image) EarlierEpoch(t id.Topic) int32 {
	return m.earlier(t).LeaderEpoch
}

// earlier is what is kept of a topic id that was deleted; without an epoch if none was.
func (m *Image) earlier(t id.Topic) Deleted {
	if i := slices.IndexFunc(m.Deleted, func(d Deleted) bool { return d.Topic == t }); i >= 0 {
		return m.Deleted[i]
	}
	return Deleted{Topic: t, LeaderEpoch: -1}
}
