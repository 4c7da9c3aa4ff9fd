package controller

import (
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// mirrorTopics validates each topic of a mirror request and writes the desired states of those that pass, in one append.
// The answer has one result per topic (seed 000, "Add", 3 and 4; section 2 of the design).
func (c *Controller) mirrorTopics(q request, req *wire.MirrorTopicsRequest, out *node.Effects) {
	res := &wire.MirrorTopicsResponse{Results: make([]wire.TopicResult, len(req.Topics)), Client: req.Client, Correlation: req.Correlation}
	var records []record.Metadata
	for i, t := range req.Topics {
		desired, code := c.validate(req, t)
		res.Results[i] = wire.TopicResult{Topic: t, Code: code}
		if desired != record.WantNone {
			records = append(records, &record.MirrorTopicRecord{Topic: t, Mirror: req.Mirror, Desired: desired})
		}
	}
	c.commit(q, records, res, out)
}

// validate answers the desired state to write, WantNone for nothing to write, and the topic's result.
func (c *Controller) validate(req *wire.MirrorTopicsRequest, t id.Topic) (record.Desired, wire.Code) {
	topic := c.image.Topic(t)
	switch {
	case c.image.Mirror(req.Mirror) == nil:
		return record.WantNone, wire.UnknownClusterMirror
	case topic == nil:
		return record.WantNone, wire.UnknownTopicOrPartition
	}
	mine := topic.Mirror == req.Mirror && topic.Desired != record.WantNone
	switch req.Action {
	case wire.StartMirrorTopics:
		return c.validateStart(topic.Desired, mine)
	case wire.StopMirrorTopics:
		if !mine {
			return record.WantNone, wire.TopicNotInClusterMirror
		}
		return c.validateStop(req, t, topic.Desired)
	}
	return record.WantNone, wire.UnsupportedVersion
}

// validateStart: a topic of no mirror starts, and a stopped one starts again in its own mirror. A repeat is D47.
func (c *Controller) validateStart(desired record.Desired, mine bool) (record.Desired, wire.Code) {
	switch {
	case desired == record.WantNone || mine && desired == record.WantStopped:
		return record.WantMirroring, wire.OK
	case mine && desired == record.WantPaused:
		return record.WantNone, wire.MirrorTopicNotStopped
	case mine && !c.spec.Config.RepeatIsError():
		return record.WantNone, wire.OK
	}
	return record.WantNone, wire.TopicAlreadyInClusterMirror
}

// validateStop: the topic is in a state that D18 accepts, by the reading of D48; one that is stopped already succeeds.
func (c *Controller) validateStop(req *wire.MirrorTopicsRequest, t id.Topic, desired record.Desired) (record.Desired, wire.Code) {
	if desired == record.WantStopped {
		return record.WantNone, wire.OK
	}
	mirroring, paused := desired == record.WantMirroring, desired == record.WantPaused
	if c.spec.Config.ChecksActual() {
		mirroring, paused = all(req.Actual, t, record.Mirroring), all(req.Actual, t, record.Paused)
	}
	switch {
	case c.spec.Config.StopAccepted(mirroring, paused):
		return record.WantStopped, wire.OK
	case paused:
		return record.WantNone, wire.MirrorTopicAlreadyPaused
	}
	return record.WantNone, wire.InvalidClusterMirrorState
}

// all tells whether every partition of t was in state s when the broker that took the request asked.
func all(actual []wire.ActualState, t id.Topic, s record.State) bool {
	found := false
	for _, a := range actual {
		if a.Partition.Topic == t {
			found = true
			if a.State != s {
				return false
			}
		}
	}
	return found
}
