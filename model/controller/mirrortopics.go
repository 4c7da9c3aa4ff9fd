package controller

import (
	"slices"

	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/node"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// mirrorTopics validates each topic of a mirror request and writes the desired states of those that pass, in one append.
// The answer has one result per topic (seed 000, "Add", 3 and 4; section 2 of the design), behind them one for each topic
// that the patterns of a stop stopped. A topic that the request names twice has its result from the first time.
func (c *Controller) mirrorTopics(q request, req *wire.MirrorTopicsRequest, out *node.Effects) {
	res := &wire.MirrorTopicsResponse{Client: req.Client, Correlation: req.Correlation}
	if res.Code = c.refusesPatterns(req); res.Code != wire.OK {
		c.commit(q, nil, res, out)
		return
	}
	var records []record.Metadata
	for i, t := range req.Topics {
		list, code := []record.Metadata(nil), wire.InvalidRequest
		if !slices.Contains(req.Topics[:i], t) {
			list, code = c.validate(req, t)
		}
		res.Results = append(res.Results, wire.TopicResult{Topic: t, Code: code})
		records = append(records, list...)
	}
	if m := c.image.Mirror(req.Mirror); m != nil && len(req.Patterns) > 0 {
		list, results := c.stopByPattern(m, req, res.Results)
		records, res.Results = append(records, list...), append(res.Results, results...)
	}
	c.number(records, req)
	c.commit(q, records, res, out)
}

// validate answers the records to write for a topic, none where nothing changes, and the topic's result.
func (c *Controller) validate(req *wire.MirrorTopicsRequest, t id.Topic) ([]record.Metadata, wire.Code) {
	topic := c.image.Topic(t)
	if code, old := c.taken(req, t); old {
		return nil, code
	}
	switch {
	case c.image.Mirror(req.Mirror) == nil:
		return nil, wire.UnknownClusterMirror
	case req.Action == wire.StartMirrorTopics:
		return c.validateStart(req, t, topic)
	case topic == nil:
		return nil, wire.UnknownTopicOrPartition
	case topic.Mirror != req.Mirror || topic.Desired == record.WantNone:
		return nil, wire.TopicNotInClusterMirror
	}
	desired, code := record.WantNone, wire.UnsupportedVersion
	switch req.Action {
	case wire.StopMirrorTopics:
		desired, code = c.validateStop(req, topic)
	case wire.PauseMirrorTopics:
		desired, code = c.validatePause(req, topic)
	case wire.ResumeMirrorTopics:
		desired, code = c.validateResume(topic)
	case wire.RecoverMirrorTopics:
		return validateRecover(req, topic)
	}
	if desired == record.WantNone && code == wire.OK && c.numbers(req) {
		desired = topic.Desired // nothing changes, but an older request must not change it any more
	}
	if desired == record.WantNone {
		return nil, code
	}
	return []record.Metadata{intent(topic, desired)}, code
}

// intent is the record of another desired state of a topic in its mirror.
func intent(t *metadata.Topic, desired record.Desired) *record.MirrorTopicRecord {
	return &record.MirrorTopicRecord{Topic: t.Topic, Mirror: t.Mirror, Desired: desired, Recovery: t.Recovery}
}

// validateStop: the topic is in a state that D18 accepts, by the reading of D48; one that is stopped already succeeds. Where
// the source has deleted the topic (D24) its state is not asked for.
func (c *Controller) validateStop(req *wire.MirrorTopicsRequest, t *metadata.Topic) (record.Desired, wire.Code) {
	if t.Desired == record.WantStopped {
		return record.WantNone, wire.OK
	}
	mirroring, paused := t.Desired == record.WantMirroring, t.Desired == record.WantPaused
	if c.spec.Config.ChecksActual() {
		mirroring, paused = every(req.Actual, t, is(record.Mirroring)), every(req.Actual, t, is(record.Paused))
	}
	switch {
	case req.Deleted, c.spec.Config.StopAccepted(mirroring, paused):
		return record.WantStopped, wire.OK
	case paused:
		return record.WantNone, wire.MirrorTopicAlreadyPaused
	}
	return record.WantNone, wire.InvalidClusterMirrorState
}

// validatePause: the topic is MIRRORING, by the reading of D48 (seed 004, Pause, 2). What becomes of one of which a
// partition is on its way there is D25; a repeat is D47.
func (c *Controller) validatePause(req *wire.MirrorTopicsRequest, t *metadata.Topic) (record.Desired, wire.Code) {
	switch t.Desired {
	case record.WantPaused:
		return record.WantNone, c.repeated(wire.MirrorTopicAlreadyPaused)
	case record.WantStopped:
		return record.WantNone, wire.MirrorTopicBeingStopped
	}
	switch {
	case !c.spec.Config.ChecksActual() || every(req.Actual, t, is(record.Mirroring)):
		return record.WantPaused, wire.OK
	case !every(req.Actual, t, onItsWay):
		return record.WantNone, wire.InvalidClusterMirrorState
	}
	switch c.spec.Config.OnEarlyPause() {
	case protocol.EarlyPauseDropped:
		return record.WantNone, wire.OK
	case protocol.EarlyPauseLater:
		return record.WantPaused, wire.OK
	}
	return record.WantNone, wire.InvalidClusterMirrorState
}

// validateResume: the topic has the paused suffix (seed 004, Resume, 2), which is its desired state under either option of
// D48. A repeat is D47.
func (c *Controller) validateResume(t *metadata.Topic) (record.Desired, wire.Code) {
	switch t.Desired {
	case record.WantPaused:
		return record.WantMirroring, wire.OK
	case record.WantMirroring:
		return record.WantNone, c.repeated(wire.MirrorTopicNotPaused)
	}
	return record.WantNone, wire.MirrorTopicNotPaused
}

// validateRecover: a partition of the topic is FAILED. The desired state stays; what changes is the number of recoveries.
func validateRecover(req *wire.MirrorTopicsRequest, t *metadata.Topic) ([]record.Metadata, wire.Code) {
	failed := func(a wire.ActualState) bool { return a.Partition.Topic == t.Topic && a.State == record.Failed }
	if !slices.ContainsFunc(req.Actual, failed) {
		return nil, wire.InvalidClusterMirrorState
	}
	r := intent(t, t.Desired)
	r.Recovery++
	return []record.Metadata{r}, wire.OK
}

// repeated is the result of a request for what is so already (D47).
func (c *Controller) repeated(code wire.Code) wire.Code {
	if c.spec.Config.OnRepeat() != protocol.RepeatSuccess {
		return code
	}
	return wire.OK
}

// taken is D47 (numbered): the result of a request that this controller, or one before it, has taken of its admin already, or of which it
// has taken a later one; false where it is new.
func (c *Controller) taken(req *wire.MirrorTopicsRequest, t id.Topic) (wire.Code, bool) {
	newest := c.image.Taken(t, req.Client)
	switch {
	case !c.numbers(req) || req.Number > newest:
		return wire.OK, false
	case req.Number == newest:
		return wire.OK, true
	}
	return wire.InvalidRequest, true
}

// numbers tells whether the number of a request is kept (D47): a leader's own request has none.
func (c *Controller) numbers(req *wire.MirrorTopicsRequest) bool {
	return c.spec.Config.OnRepeat() == protocol.RepeatNumbered && req.Number != 0
}

// number has the records of desired states say which request has asked for them (D47).
func (c *Controller) number(records []record.Metadata, req *wire.MirrorTopicsRequest) {
	if !c.numbers(req) {
		return
	}
	for _, r := range records {
		if r, ok := r.(*record.MirrorTopicRecord); ok {
			r.Admin, r.Number = req.Client, req.Number
		}
	}
}

// every tells whether each partition of t was in a state of that kind when the broker that took the request asked. One that
// the broker did not ask for was not.
func every(actual []wire.ActualState, t *metadata.Topic, kind func(record.State) bool) bool {
	found := uint16(0)
	for _, a := range actual {
		if a.Partition.Topic == t.Topic && a.Partition.Index < t.Partitions {
			found++
			if !kind(a.State) {
				return false
			}
		}
	}
	return found == t.Partitions
}

func is(s record.State) func(record.State) bool { return func(x record.State) bool { return x == s } }

// onItsWay are MIRRORING and the states from which a partition gets there by itself (D25).
func onItsWay(s record.State) bool {
	switch s {
	case record.Unknown, record.Preparing, record.EpochFencing, record.UleRecovery, record.Mirroring:
		return true
	}
	return false
}
