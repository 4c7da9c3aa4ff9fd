package client

import (
	"slices"

	"mirrorsim/model/assert"
	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/setting"
	"mirrorsim/model/wire"
)

// AdminSpec is how an admin is configured.
type AdminSpec struct {
	Cluster   id.Cluster // the one it works on; below 16
	Bootstrap []id.Node  // its brokers, at least one
	Settings  *setting.Settings
}

// maxCalls bounds the requests that an admin has under way: they are numbered in the names of timers.
const maxCalls = 200

// call is one request under way. It is retried until twice the request time-out has passed: default.api.timeout.ms is
// 60 s where request.timeout.ms is 30 s.
type call struct {
	request     wire.Body // as in the command, less the topics that have their result; never changed in place
	op          uint32
	number      uint32    // the correlation of the first attempt; it grows from request to request, over restarts too
	slot        uint8     // number of its timers
	tries       uint8     // failed attempts
	code        wire.Code // of the last attempt
	peer        id.Node   // who was asked last
	correlation uint32    // of the attempt in flight; 0 during back-off
}

// admin is Kafka's admin client. Any broker takes its requests and forwards them to the active controller.
type admin struct {
	base
	cluster id.Cluster
	turn    uint8  // the bootstrap broker to ask next
	calls   []call // in the order of the commands
}

// NewAdmin boots an admin. It takes *wire.AdminCommand and *wire.ReportCommand.
func NewAdmin(spec AdminSpec) node.Boot {
	return func(self id.Node, d *disk.Disk, _ *node.Effects) node.Node {
		clusters := make([]Cluster, int(spec.Cluster)+1)
		clusters[spec.Cluster] = Cluster{spec.Bootstrap}
		a := &admin{base: newBase(self, clusters, spec.Settings), cluster: spec.Cluster}
		a.correlation = d.Incarnation << 20 // coordinators drop what is not newer than they have heard
		return a
	}
}

// Step handles a command, an answer or a timer.
func (a *admin) Step(in node.Input, out *node.Effects) {
	switch body := in.Body.(type) {
	case *wire.AdminCommand:
		a.command(body.Request, out)
	case *wire.ReportCommand:
		for len(a.calls) > 0 {
			a.fail(0, wire.RequestTimedOut, out)
		}
	case nil:
		a.fired(in.Timer, out)
	default:
		a.receive(body, out)
	}
}

// receive takes an answer.
func (a *admin) receive(body wire.Body, out *node.Effects) {
	switch body := body.(type) {
	case *wire.MirrorTopicsResponse:
		a.topicsAnswered(body.Correlation, body.Code, body.Results, out)
	case *wire.DeleteTopicsResponse:
		a.topicsAnswered(body.Correlation, body.Code, body.Results, out)
	case *wire.CreateTopicsResponse:
		a.topicsAnswered(body.Correlation, body.Code, body.Results, out)
	case *wire.CreatePartitionsResponse:
		a.topicsAnswered(body.Correlation, body.Code, body.Results, out)
	case *wire.IncrementalAlterConfigsResponse:
		a.topicsAnswered(body.Correlation, body.Code, body.Results, out)
	case *wire.CreateAclsResponse:
		a.resultAnswered(body.Correlation, body.Code, out)
	case *wire.DeleteAclsResponse:
		a.resultAnswered(body.Correlation, body.Code, out)
	case *wire.CreateMirrorResponse:
		a.resultAnswered(body.Correlation, body.Code, out)
	case *wire.DeleteMirrorResponse:
		a.resultAnswered(body.Correlation, body.Code, out)
	case *wire.ElectLeadersResponse:
		a.resultAnswered(body.Correlation, body.Code, out)
	case *wire.DeleteRecordsResponse:
		a.resultAnswered(body.Correlation, body.Code, out)
	case *wire.OffsetCommitResponse:
		a.resultAnswered(body.Correlation, body.Code, out)
	case *wire.InitProducerIdResponse:
		a.resultAnswered(body.Correlation, body.Code, out)
	case *wire.DescribeMirrorsResponse:
		a.described(body, out)
	default:
		assert.That(false, "an admin takes admin commands, report commands and the answers to its requests")
	}
}

// command starts a request.
func (a *admin) command(request wire.Body, out *node.Effects) {
	assert.That(len(a.calls) < maxCalls, "an admin has at most 200 requests under way")
	a.calls = append(a.calls, call{request: request, op: a.nextOp(), slot: a.freeSlot(), peer: id.None})
	c := &a.calls[len(a.calls)-1]
	a.emitEach(c, event.AdminCalled, actionOf(request), out)
	out.Arm(a.timer(deliveryTimer, c.slot), 2*a.settings.RequestTimeout, 0)
	a.send(c, out)
}

// actionOf is the To of AdminCalled: the wire.MirrorAction of a MirrorTopicsRequest, otherwise the wire.API, which is
// above every action.
func actionOf(request wire.Body) uint8 {
	if r, ok := request.(*wire.MirrorTopicsRequest); ok {
		return uint8(r.Action)
	}
	return uint8(request.API())
}

func (a *admin) freeSlot() uint8 {
	var used [maxCalls]bool
	for i := range a.calls {
		used[a.calls[i].slot] = true
	}
	return uint8(slices.Index(used[:], false))
}

// send sends one attempt to the next broker: a copy of the request with its own correlation, and a mirror request with the
// number that all of its attempts have (D47). Client stays none until a broker forwards the request. DeleteRecords, which only
// the partition's leader takes, a commit, which the group's coordinator takes, and InitProducerId, which the transaction
// coordinator takes, find it by asking one broker after the other.
func (a *admin) send(c *call, out *node.Effects) {
	c.peer, c.correlation = a.bootstrap(a.cluster, &a.turn), a.nextCorrelation()
	body := wire.Numbered(c.request, c.correlation)
	assert.That(body != nil, "an admin command holds one of an admin's requests")
	if c.number == 0 {
		c.number = c.correlation
	}
	if m, ok := body.(*wire.MirrorTopicsRequest); ok {
		m.Number = c.number
	}
	out.Send(c.peer, body)
	out.Arm(a.timer(requestTimer, c.slot), a.settings.RequestTimeout, 0)
}

// answered is the index of the request whose attempt in flight this answers; -1 when it is late, or a duplicate.
func (a *admin) answered(correlation uint32, out *node.Effects) int {
	for i := range a.calls {
		if c := &a.calls[i]; c.correlation != 0 && c.correlation == correlation {
			c.correlation = 0
			out.Cancel(a.timer(requestTimer, c.slot))
			return i
		}
	}
	return -1
}

// triesAgain tells whether an admin repeats a request after this code. That a topic does not exist is a result.
func triesAgain(code wire.Code) bool { return code.Retriable() && code != wire.UnknownTopicOrPartition }

// topicsAnswered takes one result per topic. Only topics whose result may be another next time are asked for again, without
// the patterns, which the controller has taken. A stop by patterns alone has the answer's code for its result.
func (a *admin) topicsAnswered(correlation uint32, code wire.Code, results []wire.TopicResult, out *node.Effects) {
	i := a.answered(correlation, out)
	if i < 0 {
		return
	}
	c := &a.calls[i]
	topics, m := topicsOf(c.request)
	if code != wire.OK || len(topics) == 0 {
		a.settle(i, code, out)
		return
	}
	var left []id.Topic
	for _, t := range topics {
		code := resultOf(results, t)
		if triesAgain(code) {
			left = append(left, t)
			c.code = code
			continue
		}
		a.emit(c, event.AdminReturned, id.Partition{Topic: t}, m, uint8(code), out)
	}
	if len(left) == 0 {
		a.remove(i, out)
		return
	}
	c.request = withTopics(c.request, left)
	a.backOff(c, out)
}

// topicsOf are the topics of a request that has a result for each, and its mirror, 0 where it is about none.
func topicsOf(request wire.Body) ([]id.Topic, id.Mirror) {
	switch r := request.(type) {
	case *wire.MirrorTopicsRequest:
		return r.Topics, r.Mirror
	case *wire.DeleteTopicsRequest:
		return r.Topics, 0
	case *wire.CreatePartitionsRequest:
		return r.Topics, 0
	case *wire.IncrementalAlterConfigsRequest:
		return r.Topics(), 0
	case *wire.CreateTopicsRequest:
		var topics []id.Topic
		for _, t := range r.Topics {
			topics = append(topics, t.Record.Topic)
		}
		return topics, 0
	}
	return nil, 0
}

// withTopics is such a request for some of its topics.
func withTopics(request wire.Body, topics []id.Topic) wire.Body {
	switch r := request.(type) {
	case *wire.MirrorTopicsRequest:
		c := *r
		c.Topics, c.Patterns = topics, nil
		return &c
	case *wire.DeleteTopicsRequest:
		c := *r
		c.Topics = topics
		return &c
	case *wire.CreatePartitionsRequest:
		c := *r
		c.Topics = topics
		return &c
	case *wire.IncrementalAlterConfigsRequest:
		c := *r
		c.Changes = nil
		for _, change := range r.Changes {
			if slices.Contains(topics, change.Topic) {
				c.Changes = append(c.Changes, change)
			}
		}
		return &c
	case *wire.CreateTopicsRequest:
		c := *r
		c.Topics = slices.DeleteFunc(slices.Clone(r.Topics), func(t wire.NewTopic) bool { return !slices.Contains(topics, t.Record.Topic) })
		return &c
	}
	return request
}

// described takes the answer about one partition, and writes it into the history before the result.
func (a *admin) described(r *wire.DescribeMirrorsResponse, out *node.Effects) {
	i := a.answered(r.Correlation, out)
	if i < 0 {
		return
	}
	if r.Code == wire.OK {
		c := &a.calls[i]
		e := out.Emit(event.MirrorDescribed, r.Partition)
		e.Mirror, e.Op, e.From, e.To = c.request.(*wire.DescribeMirrorsRequest).Mirror, c.op, uint8(r.Desired), uint8(r.State.State)
		e.Cause, e.Sequence, e.BatchEpoch, e.ProducerID = uint8(r.State.Reason), int32(r.State.Attempts), record.NoPosition, record.NoPosition
		if r.LagKnown {
			e.Offset, e.End = r.Lag, 1
		}
		if r.HasPosition {
			e.BatchEpoch, e.ProducerID = r.Position.Epoch, r.Position.Offset
		}
	}
	a.settle(i, r.Code, out)
}

// resultOf is a topic's result; an answer without one says nothing of what became of it.
func resultOf(results []wire.TopicResult, t id.Topic) wire.Code {
	for _, r := range results {
		if r.Topic == t {
			return r.Code
		}
	}
	return wire.RequestTimedOut
}

func (a *admin) resultAnswered(correlation uint32, code wire.Code, out *node.Effects) {
	if i := a.answered(correlation, out); i >= 0 {
		a.settle(i, code, out)
	}
}

// settle repeats a request after a back-off, or ends it with its code.
func (a *admin) settle(i int, code wire.Code, out *node.Effects) {
	if c := &a.calls[i]; triesAgain(code) {
		c.code = code
		a.backOff(c, out)
		return
	}
	a.fail(i, code, out)
}

// fail ends a request with one code for all that have no result yet.
func (a *admin) fail(i int, code wire.Code, out *node.Effects) {
	a.emitEach(&a.calls[i], event.AdminReturned, uint8(code), out)
	a.remove(i, out)
}

func (a *admin) backOff(c *call, out *node.Effects) {
	a.armBackoff(a.timer(retryTimer, c.slot), &c.tries, out)
}

func (a *admin) fired(t node.Timer, out *node.Effects) {
	i := slices.IndexFunc(a.calls, func(c call) bool { return c.slot == uint8(t.Peer) })
	assert.That(i >= 0, "the timers of a request that has ended are cancelled")
	switch k, _ := splitKind(t); k {
	case requestTimer:
		c := &a.calls[i]
		c.correlation, c.code = 0, wire.RequestTimedOut
		a.backOff(c, out)
	case retryTimer:
		a.send(&a.calls[i], out)
	case deliveryTimer:
		a.fail(i, wire.RequestTimedOut, out)
	}
}

// remove forgets a request and its timers.
func (a *admin) remove(i int, out *node.Effects) {
	c := &a.calls[i]
	out.Cancel(a.timer(deliveryTimer, c.slot))
	if c.correlation != 0 {
		out.Cancel(a.timer(requestTimer, c.slot))
	} else {
		out.Cancel(a.timer(retryTimer, c.slot))
	}
	a.calls = slices.Delete(a.calls, i, i+1)
}

func (a *admin) timer(k timerKind, slot uint8) node.Timer {
	return timer(k, a.cluster, id.Partition{}, slot)
}

// emitEach reports on a request: an event for each topic, or one for a request about a partition, a mirror, or patterns
// alone.
func (a *admin) emitEach(c *call, k event.Kind, to uint8, out *node.Effects) {
	topics, m := topicsOf(c.request)
	for _, t := range topics {
		a.emit(c, k, id.Partition{Topic: t}, m, to, out)
	}
	if len(topics) > 0 {
		return
	}
	var p id.Partition
	switch r := c.request.(type) {
	case *wire.CreateMirrorRequest:
		m = r.Mirror.Mirror
	case *wire.DeleteMirrorRequest:
		m = r.Mirror
	case *wire.ElectLeadersRequest:
		p = r.Partition
	case *wire.DeleteRecordsRequest:
		p = r.Partition
	case *wire.OffsetCommitRequest:
		p = r.Partition
	case *wire.DescribeMirrorsRequest:
		p, m = r.Partition, r.Mirror
	}
	a.emit(c, k, p, m, to, out)
}

func (a *admin) emit(c *call, k event.Kind, p id.Partition, m id.Mirror, to uint8, out *node.Effects) {
	e := out.Emit(k, p)
	e.Op, e.Mirror, e.From, e.To = c.op, m, uint8(a.cluster), to
}

// Clone is a deep copy; requests are shared. A client keeps nothing on its disk.
func (a *admin) Clone(*disk.Disk) node.Node {
	c := *a
	c.calls = slices.Clone(a.calls)
	return &c
}

// AppendState appends all that the admin's future depends on, without correlations and operation numbers.
func (a *admin) AppendState(dst []byte) []byte {
	dst = word(dst, uint64(a.turn))
	var words [16]uint64
	for i := range a.calls {
		c := &a.calls[i]
		dst = word(dst, uint64(c.slot)<<16|uint64(c.tries)<<8|flags(c.correlation != 0))
		request := c.request.Words(words[:0])
		dst = word(dst, uint64(c.request.API())<<32|uint64(len(request)))
		for _, w := range request {
			dst = word(dst, w)
		}
	}
	return dst
}

// Waits says what each request waits for.
func (a *admin) Waits(yield func(what string) bool) {
	for i := range a.calls {
		c := &a.calls[i]
		what := "its back-off after " + c.code.String()
		if c.correlation != 0 {
			what = "the answer of " + describeNode(c.peer)
		}
		if !yield(c.request.API().String() + " waits for " + what) {
			return
		}
	}
}
