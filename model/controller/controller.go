package controller

import (
	"encoding/binary"
	"math"

	"mirrorsim/model/assert"
	"mirrorsim/model/disk"
	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/node"
	"mirrorsim/model/point"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/setting"
	"mirrorsim/model/wire"
)

// The timers of a controller, besides its sessions.
const (
	timerHeartbeat uint8 = iota + 2 // tell the log that it lives
	timerAppend                     // the answer to the append under way was lost
	timerFetch                      // the answer to the metadata fetch was lost
)

// Spec is what a controller is booted with.
type Spec struct {
	Log      id.Node // the metadata log of its cluster
	Config   *protocol.Config
	Settings *setting.Settings
}

// Controller is one controller of a cluster. Only while it is active and has replayed to the end does it answer; until
// then NOT_CONTROLLER. It handles one change at a time: requests queue while an append is under way.
type Controller struct {
	self  id.Node
	spec  *Spec
	image metadata.Image
	epoch int32 // the controller epoch in which it is active; 0 while it is not
	given int32 // the newest controller epoch that it gave up
	goal  int64 // it answers once it has replayed to here

	sequence uint32 // of its own requests
	fetches  uint32 // correlation of the metadata fetch under way
	under    *change
	done     *change // at a point: the log has taken it, who asked is not answered
	queue    []request
}

type request struct {
	from id.Node
	body wire.Body
}

// change is the append under way and what to answer once the log has it.
type change struct {
	append  *wire.AppendMetadataRequest
	request request
	answer  wire.Body // nil: nobody asked
}

// queueBound bounds the queue of requests; brokers and clients ask again.
const queueBound = 4096

// Boot boots a controller.
func Boot(spec *Spec) node.Boot {
	return func(self id.Node, d *disk.Disk, out *node.Effects) node.Node {
		// An answer to what it sent before a crash must not be taken for the answer to something else.
		c := &Controller{self: self, spec: spec, sequence: d.Incarnation << 20}
		c.heartbeat(out)
		c.fetch(out)
		return c
	}
}

// Step handles one input.
func (c *Controller) Step(in node.Input, out *node.Effects) {
	switch b := in.Body.(type) {
	case nil:
		if in.Resume {
			c.answer(out)
		} else {
			c.fired(in.Timer, out)
		}
	case *wire.ControllerHeartbeatResponse:
		c.heardLog(b, out)
	case *wire.MetadataFetchResponse:
		c.replay(b, out)
	case *wire.AppendMetadataResponse:
		c.appended(b, out)
	default:
		c.enqueue(request{in.From, b}, out)
	}
}

func (c *Controller) fired(t node.Timer, out *node.Effects) {
	switch t.Kind {
	case timerHeartbeat:
		c.heartbeat(out)
	case timerAppend:
		if c.under != nil {
			c.send(out)
		}
	case timerFetch:
		c.fetch(out)
	case timerSession:
		if t.Peer == id.None {
			c.resign(out) // cut from its quorum for a session time-out: it stops acting (KAFKA-15489)
			return
		}
		c.enqueue(request{t.Peer, nil}, out)
	}
}

func (c *Controller) heartbeat(out *node.Effects) {
	c.sequence++
	out.Send(c.spec.Log, &wire.ControllerHeartbeatRequest{Epoch: c.epoch, Correlation: c.sequence})
	out.Arm(node.Timer{Kind: timerHeartbeat}, c.spec.Settings.BrokerHeartbeat, 0)
}

// heardLog takes the active role or gives it up, as the log says. An epoch that it gave up it never takes again: an
// append that it abandoned there may still be under way, and the log would take the next one for a repeat of that.
func (c *Controller) heardLog(res *wire.ControllerHeartbeatResponse, out *node.Effects) {
	switch {
	case res.Epoch < c.epoch || res.Epoch <= c.given:
		return // an old answer
	case res.Active != c.self:
		c.resign(out)
		return
	}
	out.Arm(node.Timer{Kind: timerSession, Peer: id.None}, c.spec.Settings.BrokerSession, 0)
	if c.epoch != res.Epoch {
		c.resign(out)
		c.epoch, c.goal = res.Epoch, res.End
		c.lead(out)
	}
}

// lead begins to answer once the image has reached the end that the log had when it gave the role.
func (c *Controller) lead(out *node.Effects) {
	if c.epoch == 0 || c.image.Offset < c.goal {
		return
	}
	out.Cancel(node.Timer{Kind: timerFetch})
	for i := range c.image.Brokers {
		if b := &c.image.Brokers[i]; !b.Fenced {
			out.Arm(brokerSession(b.Node), c.spec.Settings.BrokerSession, 0)
		}
	}
	c.next(out)
}

// resign drops everything of the active role.
func (c *Controller) resign(out *node.Effects) {
	if c.epoch == 0 {
		return
	}
	c.given, c.epoch, c.goal = c.epoch, 0, 0
	out.Cancel(node.Timer{Kind: timerAppend})
	for i := range c.image.Brokers {
		out.Cancel(brokerSession(c.image.Brokers[i].Node))
	}
	if c.under != nil {
		c.refuse(c.under.request, out)
		c.under = nil
	}
	for _, q := range c.queue {
		c.refuse(q, out)
	}
	c.queue = nil
	c.fetch(out)
}

func brokerSession(n id.Node) node.Timer { return node.Timer{Kind: timerSession, Peer: n} }

// active tells whether it may answer: it has the role and has replayed to the end.
func (c *Controller) active() bool { return c.epoch > 0 && c.image.Offset >= c.goal }

func (c *Controller) fetch(out *node.Effects) {
	if c.active() {
		return // what it appends itself it applies itself
	}
	c.sequence++
	c.fetches = c.sequence
	out.Send(c.spec.Log, &wire.MetadataFetchRequest{Offset: c.image.Offset, ControllerEpoch: math.MaxInt32, Correlation: c.sequence})
	out.Arm(node.Timer{Kind: timerFetch}, c.spec.Settings.BrokerHeartbeat, 0)
}

func (c *Controller) replay(res *wire.MetadataFetchResponse, out *node.Effects) {
	if c.active() || res.Correlation != c.fetches || res.Base != c.image.Offset {
		return
	}
	for _, r := range res.Records {
		c.image.Apply(r)
	}
	c.lead(out)
	c.fetch(out)
}

// enqueue handles a request, or a broker's session that ran out, when no append is under way, and keeps it otherwise.
func (c *Controller) enqueue(q request, out *node.Effects) {
	switch {
	case !c.active() || len(c.queue) == queueBound:
		c.refuse(q, out)
	case c.under != nil:
		c.queue = append(c.queue, q)
	default:
		c.handle(q, out)
	}
}

// commit appends records and keeps the answer until the log has them. Without records the answer is sent at once.
func (c *Controller) commit(q request, records []record.Metadata, answer wire.Body, out *node.Effects) {
	assert.That(c.under == nil, "a controller has one append under way")
	if len(records) == 0 {
		if answer != nil {
			out.Send(q.from, answer)
		}
		return
	}
	c.sequence++
	c.under = &change{request: q, answer: answer, append: &wire.AppendMetadataRequest{Epoch: c.epoch,
		Base: c.image.Offset, Records: records, Correlation: c.sequence}}
	c.send(out)
}

func (c *Controller) send(out *node.Effects) {
	out.Send(c.spec.Log, c.under.append)
	out.Arm(node.Timer{Kind: timerAppend}, c.spec.Settings.RetryBackoffMax, 0)
}

// appended applies what the log has taken and answers who asked; a refusal ends the active role.
func (c *Controller) appended(res *wire.AppendMetadataResponse, out *node.Effects) {
	if c.under == nil || res.Correlation != c.under.append.Correlation {
		return
	}
	if res.Code != wire.OK {
		c.resign(out)
		return
	}
	done := c.under
	c.under = nil
	out.Cancel(node.Timer{Kind: timerAppend})
	for _, r := range done.append.Records {
		c.image.Apply(r)
	}
	assert.That(c.image.Offset == res.End, "the active controller's image ends where the log ends")
	c.done = done
	if bumps(done.append.Records) {
		out.Yield = point.BumpApplied
		return
	}
	c.answer(out)
}

// answer answers who asked for the change that the log has taken, and goes on with what queued.
func (c *Controller) answer(out *node.Effects) {
	done := c.done
	c.done = nil
	if done.answer != nil {
		out.Send(done.request.from, done.answer)
	}
	c.next(out)
}

// next handles what queued, up to the next change.
func (c *Controller) next(out *node.Effects) {
	for c.under == nil && len(c.queue) > 0 {
		q := c.queue[0]
		c.queue = c.queue[1:]
		c.handle(q, out)
	}
}

// handle decides one request. Decisions go by the image, which holds every record that was appended.
func (c *Controller) handle(q request, out *node.Effects) {
	switch b := q.body.(type) {
	case nil:
		c.commit(q, c.fence(q.from), nil, out)
	case *wire.BrokerHeartbeatRequest:
		c.brokerHeartbeat(q, b, out)
	case *wire.AlterPartitionRequest:
		c.alterPartition(q, b, out)
	case *wire.BumpLeaderEpochRequest:
		c.bumpLeaderEpoch(q, b, out)
	case *wire.ElectLeadersRequest:
		c.electLeaders(q, b, out)
	case *wire.MirrorTopicsRequest:
		c.mirrorTopics(q, b, out)
	case *wire.CreateMirrorRequest:
		c.createMirror(q, b, out)
	case *wire.DeleteMirrorRequest:
		c.deleteMirror(q, b, out)
	case *wire.DeleteTopicsRequest:
		c.deleteTopics(q, b, out)
	case *wire.CreatePartitionsRequest:
		c.createPartitions(q, b, out)
	case *wire.IncrementalAlterConfigsRequest:
		c.alterConfigs(q, b, out)
	case *wire.CreateTopicsRequest:
		c.createTopics(q, b, out)
	case *wire.CreateAclsRequest:
		c.createAcls(q, b, out)
	case *wire.DeleteAclsRequest:
		c.deleteAcls(q, b, out)
	case *wire.AllocateProducerIdsRequest:
		start, count := c.image.NextProducerID, c.spec.Settings.ProducerIdBlock
		c.commit(q, []record.Metadata{&record.ProducerIdsRecord{Next: start + count}},
			&wire.AllocateProducerIdsResponse{Start: start, Count: int32(count), Correlation: b.Correlation}, out)
	}
}

// refuse answers NOT_CONTROLLER, in the form of the request's own answer.
func (c *Controller) refuse(q request, out *node.Effects) {
	const code = wire.NotController
	switch b := q.body.(type) {
	case *wire.BrokerHeartbeatRequest:
		out.Send(q.from, &wire.BrokerHeartbeatResponse{Code: code, Correlation: b.Correlation})
	case *wire.AlterPartitionRequest:
		out.Send(q.from, &wire.AlterPartitionResponse{Partition: b.Partition, Code: code, Correlation: b.Correlation})
	case *wire.BumpLeaderEpochRequest:
		out.Send(q.from, &wire.BumpLeaderEpochResponse{Partition: b.Partition, Code: code, Correlation: b.Correlation})
	case *wire.AllocateProducerIdsRequest:
		out.Send(q.from, &wire.AllocateProducerIdsResponse{Code: code, Correlation: b.Correlation})
	default:
		if answer := wire.Refuse(b, code); answer != nil {
			out.Send(q.from, answer)
		}
	}
}

// Clone is a deep copy; a controller keeps nothing on its disk.
func (c *Controller) Clone(*disk.Disk) node.Node {
	d := *c
	d.image = c.image.Clone()
	d.queue = append([]request(nil), c.queue...)
	return &d // a change under way is never written to
}

// AppendState appends the controller's state. The sum of its image stands for the image.
func (c *Controller) AppendState(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, c.image.Sum)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(c.goal))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(c.epoch))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(c.given))
	var words []uint64
	for _, x := range [...]*change{c.under, c.done} {
		if x != nil {
			words = x.request.words(x.append.Words(words))
		}
	}
	for _, q := range c.queue {
		words = q.words(words)
	}
	for _, w := range words {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst
}

func (q request) words(dst []uint64) []uint64 {
	dst = append(dst, uint64(q.from))
	if q.body == nil {
		return dst
	}
	return q.body.Words(append(dst, uint64(q.body.API())))
}

// Waits says what the controller waits for.
func (c *Controller) Waits(yield func(string) bool) {
	switch {
	case c.epoch > 0 && !c.active():
		yield("the new active controller replays the metadata log before it answers")
	case c.under != nil:
		yield("a change waits for the metadata log to take it")
	}
}
