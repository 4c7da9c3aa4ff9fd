package scenarios

import (
	"mirrorsim/model/id"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
)

// namedTopic is the topic that got a name on a cluster last.
type namedTopic struct {
	on    topicOn
	topic id.Topic
}

// topicCreated notes under which name a cluster has a topic from now on.
func (w *watch) topicCreated(on topicOn, t id.Topic) {
	for i := range w.topics {
		if w.topics[i].on == on {
			w.topics[i].topic = t
			return
		}
	}
	w.topics = append(w.topics, namedTopic{on, t})
}

// topicOn is the topic that the cluster has under that name, or had last: it may have been deleted, and another have come in
// its place. Where there was none it is as the topic statements say: its own, or that of the source from which a start may
// create it.
func (r *run) topicOn(cluster, name string) id.Topic {
	on := topicOn{r.clusterOf(cluster), name}
	for _, x := range r.watch().topics {
		if x.on == on {
			return x.topic
		}
	}
	if t := r.scenario.TopicOf(cluster, name); t != nil && t.On != cluster {
		return r.topicOn(t.On, name)
	}
	return r.wiring.topicOn(cluster, name)
}

// partition is the partition that tp names now, with its cluster.
func (r *run) partition(tp format.TP) (id.Cluster, id.Partition) {
	return r.clusterOf(tp.Cluster), id.Partition{Topic: r.topicOn(tp.Cluster, tp.Topic), Index: uint16(tp.Partition)}
}

// anotherTopic is what a create-topics step asks for. Only the first one for an absent topic asks for that of the statement:
// behind it, and where the topic is there when the run begins, the name may stand for a topic that was deleted.
func (r *run) anotherTopic(c id.Cluster, t *format.Topic) wire.NewTopic {
	at := topicOn{c, t.Name}
	made := r.newTopic(c, t)
	n := r.created[at]
	r.created[at]++
	if t.Absent {
		n--
	}
	if n >= 0 {
		made.Record.Topic = r.again[at][n]
	}
	return made
}
