package controller

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// validateStart: a topic of no mirror starts, and a stopped one starts again in its own mirror; one that is stopped in
// another mirror still belongs to that. A repeat is D47, a topic that this cluster lacks D37. What the source could not be
// asked is not checked (seed 000, Add, 3; section 2 of the design).
func (c *Controller) validateStart(req *wire.MirrorTopicsRequest, t id.Topic, topic *metadata.Topic) ([]record.Metadata, wire.Code) {
	source := sourceOf(req.Sources, t)
	if code := c.checkIdentity(source, topic); code != wire.OK {
		return nil, code
	}
	if req.Discovered && !c.discovered(req, source, topic) {
		return nil, wire.InvalidRequest
	}
	if topic == nil {
		return c.validateCreate(req, source)
	}
	mine := topic.Mirror == req.Mirror
	switch topic.Desired {
	case record.WantNone:
	case record.WantStopped:
		if !mine {
			return nil, wire.TopicAlreadyInClusterMirror
		}
	case record.WantPaused:
		if mine {
			return nil, wire.MirrorTopicNotStopped
		}
		return nil, wire.TopicAlreadyInClusterMirror
	default:
		if mine {
			return nil, c.repeated(wire.TopicAlreadyInClusterMirror)
		}
		return nil, wire.TopicAlreadyInClusterMirror
	}
	if topic.Internal != record.NotInternal || metadata.Excluded(c.image.Mirror(req.Mirror), topic.Name) {
		return nil, wire.InvalidRequest
	}
	r := intent(topic, record.WantMirroring)
	r.Mirror, r.Discovered = req.Mirror, req.Discovered
	return []record.Metadata{r}, wire.OK
}

// discovered tells whether a topic is to be started without anybody's request, by what this controller knows: the lists, or
// the topic's desired state, may have changed since the broker looked. A paused or stopped topic is configured, and is not
// started (section 9 of the design).
func (c *Controller) discovered(req *wire.MirrorTopicsRequest, source *wire.SourceTopic, topic *metadata.Topic) bool {
	return (topic == nil || topic.Desired == record.WantNone) && source != nil &&
		metadata.Discovers(c.image.Mirror(req.Mirror), source.Name)
}

// sourceOf is what the source says of a topic; nil where it was not asked, or did not answer.
func sourceOf(list []wire.SourceTopic, t id.Topic) *wire.SourceTopic {
	if i := slices.IndexFunc(list, func(s wire.SourceTopic) bool { return s.Topic == t }); i >= 0 {
		return &list[i]
	}
	return nil
}

// checkIdentity holds the name that the topic has at the source against the names here: the topic of that name has another
// id, or the topic of that id another name.
func (c *Controller) checkIdentity(source *wire.SourceTopic, topic *metadata.Topic) wire.Code {
	if source == nil || source.Partitions == 0 {
		return wire.OK
	}
	if named := c.image.TopicNamed(source.Name); named != nil && named.Topic != source.Topic {
		return wire.InconsistentTopicId
	}
	if topic != nil && topic.Name != source.Name {
		return wire.TopicAlreadyExists
	}
	return wire.OK
}

// validateCreate is D37: a topic that this cluster lacks is refused, or created as the source has it. Where the source has
// not answered its number of partitions is not known: the admin asks again.
func (c *Controller) validateCreate(req *wire.MirrorTopicsRequest, source *wire.SourceTopic) ([]record.Metadata, wire.Code) {
	switch {
	case c.spec.Config.OnMissingTopic() == protocol.StartRefuses:
		return nil, wire.UnknownTopicOrPartition
	case source == nil:
		return nil, wire.RequestTimedOut
	case source.Partitions == 0:
		return nil, wire.UnknownTopicOrPartition
	case metadata.Excluded(c.image.Mirror(req.Mirror), source.Name):
		return nil, wire.InvalidRequest
	}
	if c.image.Live() == 0 {
		return nil, wire.LeaderNotAvailable
	}
	factor := min(createdReplicas, len(c.image.Brokers))
	topic := &record.TopicRecord{Topic: source.Topic, Name: source.Name, Partitions: source.Partitions, MinISR: 1}
	if factor == createdReplicas {
		topic.MinISR = 2
	}
	records := append([]record.Metadata{topic}, c.created(topic.Topic, 0, topic.Partitions, factor)...)
	return append(records, &record.MirrorTopicRecord{Topic: topic.Topic, Mirror: req.Mirror, Desired: record.WantMirroring,
		Discovered: req.Discovered}), wire.OK
}

// createdReplicas is the replication factor of a topic that a start creates, where the cluster has so many brokers.
const createdReplicas = 3

// created are the first registrations of the partitions from one index to another, round robin from the broker whose index is the
// partition's: on live brokers, and on fenced ones where there are more replicas than those, as Kafka's StripedReplicaPlacer has
// it. The live ones are in sync. At least one broker is live. Where the cluster has had a topic of that id before, D37 says in which
// leader epoch they begin.
func (c *Controller) created(t id.Topic, from, to uint16, factor int) []record.Metadata {
	live, fenced := nodesOf(c.image.Live()), nodesOf(c.image.Fenced())
	epoch := int32(0)
	if c.spec.Config.OnMissingTopic() == protocol.StartCreatesAbove {
		epoch = c.image.EarlierEpoch(t) + 1
	}
	var list []record.Metadata
	for index := from; index < to; index++ {
		replicas := append(inTurn(live, index, factor), inTurn(fenced, index, factor-len(live))...)
		list = append(list, &record.PartitionRecord{Partition: id.Partition{Topic: t, Index: index}, Replicas: replicas,
			ISR: id.SetOf(replicas...) & c.image.Live(), Leader: replicas[0], LeaderEpoch: epoch, Cause: uint8(event.PartitionCreated)})
	}
	return list
}

// inTurn are at most n of the brokers, from the index-th on, going round.
func inTurn(brokers []id.Node, index uint16, n int) []id.Node {
	var list []id.Node
	for i := range min(n, len(brokers)) {
		list = append(list, brokers[(int(index)+i)%len(brokers)])
	}
	return list
}

func nodesOf(s id.Set) []id.Node {
	var list []id.Node
	for n := range id.Node(id.MaxBrokers) {
		if s.Has(n) {
			list = append(list, n)
		}
	}
	return list
}
