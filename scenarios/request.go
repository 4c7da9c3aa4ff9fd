package scenarios

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
)

// request is the request of an admin that an act stands for, the cluster whose admin sends it, and how many results the
// history has of it: one for each topic, or one. It is nil for an act of another kind.
func (w *wiring) request(a format.Act) (c id.Cluster, request wire.Body, results int) {
	switch a := a.(type) {
	case *format.Operate:
		return w.operate(a)
	case *format.CreateMirror:
		m, c := w.mirrorOf(a.Mirror)
		r := w.mirrorRecord(w.scenario.FindMirror(a.Mirror))
		r.Mirror = m
		return c, &wire.CreateMirrorRequest{Mirror: r, Client: id.None}, 1
	case *format.DeleteMirror:
		m, c := w.mirrorOf(a.Mirror)
		return c, &wire.DeleteMirrorRequest{Mirror: m, Client: id.None}, 1
	case *format.Describe:
		m, c := w.mirrorOf(a.Mirror)
		_, p := w.partition(a.Partition)
		return c, &wire.DescribeMirrorsRequest{Mirror: m, Partition: p, Client: id.None}, 1
	case *format.CreateTopics:
		req := &wire.CreateTopicsRequest{Client: id.None}
		for _, name := range a.Topics {
			req.Topics = append(req.Topics, w.newTopic(w.clusterOf(a.On), w.scenario.TopicOf(a.On, name)))
		}
		return w.clusterOf(a.On), req, len(a.Topics)
	case *format.DeleteTopics:
		return w.clusterOf(a.On), &wire.DeleteTopicsRequest{Topics: w.topicsOn(a.On, a.Topics), Client: id.None}, len(a.Topics)
	case *format.CreatePartitions:
		return w.clusterOf(a.On), &wire.CreatePartitionsRequest{Topics: w.topicsOn(a.On, a.Topics),
			Partitions: uint16(a.Partitions), Client: id.None}, len(a.Topics)
	case *format.Config:
		req := &wire.IncrementalAlterConfigsRequest{Client: id.None}
		for _, t := range w.topicsOn(a.On, a.Topics) {
			req.Changes = append(req.Changes, wire.TopicConfig{Topic: t, Key: a.Key, Value: a.Value})
		}
		return w.clusterOf(a.On), req, len(a.Topics)
	case *format.AlterAcl:
		if a.Remove {
			return w.clusterOf(a.On), &wire.DeleteAclsRequest{Acls: []record.Acl{a.Acl}, Client: id.None}, 1
		}
		return w.clusterOf(a.On), &wire.CreateAclsRequest{Acls: []record.Acl{a.Acl}, Client: id.None}, 1
	case *format.DeleteRecords:
		c, p := w.partition(a.Partition)
		return c, &wire.DeleteRecordsRequest{Partition: p, Offset: a.Before}, 1
	case *format.ResetOffset:
		c, p := w.partition(a.Partition)
		return c, &wire.OffsetCommitRequest{Group: record.Group{Client: w.node[a.Client], Name: a.Client}, Generation: -1, Partition: p,
			Offset: a.To, Epoch: -1, Origin: record.CommitAdmin, Expected: wire.AnyVersion}, 1
	case *format.Elect:
		return w.elect(a)
	}
	return 0, nil, 0
}

var actions = [...]wire.MirrorAction{format.StartTopics: wire.StartMirrorTopics, format.StopTopics: wire.StopMirrorTopics,
	format.PauseTopics: wire.PauseMirrorTopics, format.ResumeTopics: wire.ResumeMirrorTopics, format.RecoverTopics: wire.RecoverMirrorTopics}

// operate is a request for topics of a mirror. A start names the source's topics, other requests those of the destination.
// A topic that stands on one side only has the id that it has there. A stop by patterns alone has one result.
func (w *wiring) operate(a *format.Operate) (id.Cluster, wire.Body, int) {
	m, c := w.mirrorOf(a.Mirror)
	req := &wire.MirrorTopicsRequest{Action: actions[a.Request], Mirror: m, Patterns: a.Patterns, Client: id.None}
	x := w.scenario.FindMirror(a.Mirror)
	for _, name := range a.Topics {
		on, other := x.To, x.From
		if a.Request == format.StartTopics {
			on, other = other, on
		}
		if w.scenario.TopicOf(on, name) == nil {
			on = other
		}
		req.Topics = append(req.Topics, w.topicOn(on, name))
	}
	return c, req, max(len(req.Topics), 1)
}

func (w *wiring) topicsOn(cluster string, names []string) (list []id.Topic) {
	for _, name := range names {
		list = append(list, w.topicOn(cluster, name))
	}
	return list
}

func (w *wiring) elect(a *format.Elect) (id.Cluster, wire.Body, int) {
	c, p := w.partition(a.Partition)
	if a.Coordinator.Name != "" {
		p = w.statePartition(a.Coordinator, c, p)
	}
	req := &wire.ElectLeadersRequest{Partition: p, Unclean: a.Unclean, Target: id.None, Client: id.None}
	if a.To != "" {
		req.Target = w.node[a.To]
	}
	return c, req, 1
}
