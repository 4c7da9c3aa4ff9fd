package broker

import (
	"encoding/binary"

	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// heartbeat registers this incarnation with the active controller and keeps the session.
func (b *Broker) heartbeat(env *replica.Env) {
	env.Out.Arm(node.Timer{Kind: timerHeartbeat}, env.Settings.BrokerHeartbeat, 0)
	if b.controller == id.None {
		return
	}
	b.sequence++
	env.Out.Send(b.controller, &wire.BrokerHeartbeatRequest{Incarnation: b.disk.Incarnation,
		MetadataOffset: b.image.Offset, Offline: b.offline(), Correlation: b.sequence})
}

// producerIds is the block of producer ids that the controller gave to this broker, and who waits for one.
type producerIds struct {
	next, end int64
	asking    uint32 // correlation of the request under way; 0 if there is none
	waiting   []waitingClient
}

// waitingClient is a client whose request needs a producer id.
type waitingClient struct {
	from id.Node
	body wire.Body
}

// initProducerId gives a client the next producer id of this broker's block, with producer epoch 0. Ids come from the
// cluster's own allocator, so one may equal the id of a mirrored producer. That of a transactional id is the transaction
// coordinator's to give.
func (b *Broker) initProducerId(from id.Node, req *wire.InitProducerIdRequest, env *replica.Env) {
	if req.Transactional {
		b.coordinate(from, req, req.Correlation, env)
		return
	}
	b.awaitId(from, req, env)
}

// awaitId has a request wait for a producer id.
func (b *Broker) awaitId(from id.Node, body wire.Body, env *replica.Env) {
	b.ids.waiting = append(b.ids.waiting, waitingClient{from, body})
	b.serveIds(env)
}

func (b *Broker) serveIds(env *replica.Env) {
	p := &b.ids
	for len(p.waiting) > 0 && p.next < p.end {
		w := p.waiting[0]
		p.waiting = append(p.waiting[:0], p.waiting[1:]...)
		p.next++
		if req, ok := w.body.(*wire.InitProducerIdRequest); ok && !req.Transactional {
			env.Out.Send(w.from, &wire.InitProducerIdResponse{ProducerID: p.next - 1, Correlation: req.Correlation})
		} else {
			b.endOrInit(w.from, w.body, p.next-1, env)
		}
	}
	if len(p.waiting) > 0 && p.asking == 0 {
		b.allocate(env)
	}
}

// allocate asks the controller for a block, again and again until it answers.
func (b *Broker) allocate(env *replica.Env) {
	b.sequence++
	b.ids.asking = b.sequence
	env.Out.Arm(node.Timer{Kind: timerProducerId}, env.Settings.RetryBackoffMax, 0)
	if b.controller != id.None {
		env.Out.Send(b.controller, &wire.AllocateProducerIdsRequest{Correlation: b.sequence})
	}
}

func (b *Broker) allocated(res *wire.AllocateProducerIdsResponse, env *replica.Env) {
	if b.ids.asking != res.Correlation || res.Code != wire.OK {
		return // the timer asks again
	}
	b.ids.asking, b.ids.next, b.ids.end = 0, res.Start, res.Start+int64(res.Count)
	env.Out.Cancel(node.Timer{Kind: timerProducerId})
	b.serveIds(env)
}

func (p *producerIds) appendState(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(p.next))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(p.end))
	for _, w := range p.waiting {
		dst = append(dst, byte(w.from), byte(w.body.API()))
	}
	return dst
}
