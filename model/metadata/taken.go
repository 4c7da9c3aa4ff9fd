package metadata

import (
	"slices"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// Taken is the newest request of an admin that has changed the desired state of a topic (D47, numbered).
type Taken struct {
	Admin  id.Node
	Number uint32 // from 1
}

// Taken is the number of the newest request of an admin that has changed the desired state of the topic, of one of that id that was
// deleted as well; 0 if there was none, or numbers are not kept.
func (m *Image) Taken(t id.Topic, admin id.Node) uint32 {
	list := m.earlier(t).Taken
	if topic := m.Topic(t); topic != nil {
		list = topic.Taken
	}
	if i := slices.IndexFunc(list, func(x Taken) bool { return x.Admin == admin }); i >= 0 {
		return list[i].Number
	}
	return 0
}

// take keeps which request has asked for a desired state. Clones share the list, so that this topic gets another one.
func (t *Topic) take(r *record.MirrorTopicRecord) {
	if r.Number == 0 {
		return
	}
	list := slices.DeleteFunc(slices.Clone(t.Taken), func(x Taken) bool { return x.Admin == r.Admin })
	i, _ := slices.BinarySearchFunc(list, r.Admin, func(x Taken, n id.Node) int { return int(x.Admin) - int(n) })
	t.Taken = slices.Insert(list, i, Taken{r.Admin, r.Number})
}
