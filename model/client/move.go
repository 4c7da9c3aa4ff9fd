package client

import (
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/wire"
)

// move has the producer go on with a partition's batches against another cluster, as Kafka's does whose bootstrap address
// leads elsewhere from now on: it keeps its producer id, its epoch and its sequences, because it notices nothing (section
// 13 of the design: what was mirrored and not acknowledged may stand twice then). What was sent to the old cluster returns
// with an unknown outcome, and is called anew for the new one. The delivery time-out begins again.
//
// Where batches wait at the new cluster already, the moved ones stand behind them and get new sequences.
func (p *producer) move(c *wire.MoveCommand, out *node.Effects) {
	p.addSequences(c.Partition)
	p.accumulator(c.From, c.Partition)
	p.accumulator(c.To, c.Partition)
	from, to := p.accumulator(c.From, c.Partition), p.accumulator(c.To, c.Partition) // both stand where they stay now
	if from == to {
		return
	}
	behind := len(to.queue) > 0
	group, free := to.freeGroup()
	if free && len(from.queue) > 0 {
		out.Arm(to.timer(deliveryTimer, group), p.settings.DeliveryTimeout, 0)
	}
	for i := range from.queue {
		b := &from.queue[i]
		if b.inFlight() {
			from.land(b, out)
		}
		if b.op != 0 {
			p.returned(from, b, wire.RequestTimedOut, -1, out)
		}
		out.Cancel(from.timer(deliveryTimer, b.group))
		b.op, b.attempts, b.tries, b.group, b.peer = 0, 0, 0, group, id.None
		b.sequenced = b.sequenced && !behind
		to.queue = append(to.queue, *b)
	}
	clear(from.queue)
	from.queue = from.queue[:0]
	if from.retrying {
		out.Cancel(from.timer(retryTimer, 0))
		from.retrying = false
	}
	from.metadata.stop(out)
	if p.idRequest.cluster == c.From {
		p.idRequest.stop(out)
	}
	p.drain(to, out)
}
