package scenarios

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
)

// request is the request of an admin that an act stands for, the cluster whose admin sends it, and how many results the
// history has of it: one for each topic, or one. It is nil for an act of another kind.
func (r *run) request(a format.Act) (c id.Cluster, request wire.Body, results int) {
	switch a := a.(type) {
	case *format.Operate:
		return r.operate(a)
	case *format.CreateMirror:
		m, c := r.mirrorOf(a.Mirror)
		line := *r.scenario.FindMirror(a.Mirror)
		if a.From != "" {
			line.From = a.From
		}
		made := r.mirrorRecord(&line)
		made.Mirror = m
		return c, &wire.CreateMirrorRequest{Mirror: made, Client: id.None}, 1
	case *format.DeleteMirror:
		m, c := r.mirrorOf(a.Mirror)
		return c, &wire.DeleteMirrorRequest{Mirror: m, Client: id.None}, 1
	case *format.Describe:
		m, c := r.mirrorOf(a.Mirror)
		_, p := r.partition(a.Partition)
		return c, &wire.DescribeMirrorsRequest{Mirror: m, Partition: p, Client: id.None}, 1
	case *format.CreateTopics:
		req := &wire.CreateTopicsRequest{Client: id.None}
		for _, name := range a.Topics {
			req.Topics = append(req.Topics, r.anotherTopic(r.clusterOf(a.On), r.scenario.TopicOf(a.On, name)))
		}
		return r.clusterOf(a.On), req, len(a.Topics)
	case *format.DeleteTopics:
		return r.clusterOf(a.On), &wire.DeleteTopicsRequest{Topics: r.topicsOn(a.On, a.Topics), Client: id.None}, len(a.Topics)
	case *format.CreatePartitions:
		return r.clusterOf(a.On), &wire.CreatePartitionsRequest{Topics: r.topicsOn(a.On, a.Topics),
			Partitions: uint16(a.Partitions), Client: id.None}, len(a.Topics)
	case *format.Config:
		req := &wire.IncrementalAlterConfigsRequest{Client: id.None}
		for _, t := range r.topicsOn(a.On, a.Topics) {
			req.Changes = append(req.Changes, wire.TopicConfig{Topic: t, Key: a.Key, Value: a.Value})
		}
		return r.clusterOf(a.On), req, len(a.Topics)
	case *format.AlterAcl:
		if a.Remove {
			return r.clusterOf(a.On), &wire.DeleteAclsRequest{Acls: []record.Acl{a.Acl}, Client: id.None}, 1
		}
		return r.clusterOf(a.On), &wire.CreateAclsRequest{Acls: []record.Acl{a.Acl}, Client: id.None}, 1
	case *format.DeleteRecords:
		c, p := r.partition(a.Partition)
		return c, &wire.DeleteRecordsRequest{Partition: p, Offset: a.Before}, 1
	case *format.ResetOffset:
		c, p := r.partition(a.Partition)
		return c, &wire.OffsetCommitRequest{Group: record.Group{Client: r.node[a.Client], Name: a.Client}, Generation: -1, Partition: p,
			Offset: a.To, Epoch: -1, Origin: record.CommitAdmin, Expected: wire.AnyVersion}, 1
	case *format.Elect:
		return r.elect(a)
	}
	return 0, nil, 0
}

var actions = [...]wire.MirrorAction{format.StartTopics: wire.StartMirrorTopics, format.StopTopics: wire.StopMirrorTopics,
	format.PauseTopics: wire.PauseMirrorTopics, format.ResumeTopics: wire.ResumeMirrorTopics, format.RecoverTopics: wire.RecoverMirrorTopics}

// operate is a request for topics of a mirror. A start names the source's topics, other requests those of the destination, under
// their names at that time. A topic that stands on one side only has the id that it has there. A stop by patterns alone has one
// result.
func (r *run) operate(a *format.Operate) (id.Cluster, wire.Body, int) {
	m, c := r.mirrorOf(a.Mirror)
	req := &wire.MirrorTopicsRequest{Action: actions[a.Request], Mirror: m, Patterns: a.Patterns, Client: id.None}
	x := r.scenario.FindMirror(a.Mirror)
	for _, name := range a.Topics {
		on, other := x.To, r.sourceOf(x)
		if a.Request == format.StartTopics {
			on, other = other, on
		}
		if r.scenario.TopicOf(on, name) == nil {
			on = other
		}
		req.Topics = append(req.Topics, r.topicOn(on, name))
	}
	return c, req, max(len(req.Topics), 1)
}

// sourceOf is the cluster that a mirror leads from now, and as its statement says while there is none.
func (r *run) sourceOf(m *format.Mirror) string {
	if c, ok := r.ledger().Source(r.clusterOf(m.To), r.wiring.mirror[m.Name]); ok {
		return r.names.Cluster(c)
	}
	return m.From
}

func (r *run) topicsOn(cluster string, names []string) (list []id.Topic) {
	for _, name := range names {
		list = append(list, r.topicOn(cluster, name))
	}
	return list
}

func (r *run) elect(a *format.Elect) (id.Cluster, wire.Body, int) {
	c, p := r.partition(a.Partition)
	if a.Coordinator.Name != "" {
		p = r.statePartition(a.Coordinator, c, p)
	}
	req := &wire.ElectLeadersRequest{Partition: p, Unclean: a.Unclean, Target: id.None, Client: id.None}
	if a.To != "" {
		req.Target = r.node[a.To]
	}
	return c, req, 1
}
