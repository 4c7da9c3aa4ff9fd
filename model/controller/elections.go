package controller

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// changed is a copy of a registration with the next partition epoch, to be altered before it is appended.
func changed(p *record.PartitionRecord, cause event.ChangeCause) *record.PartitionRecord {
	c := *p
	c.PartitionEpoch++
	c.Cause = uint8(cause)
	return &c
}

// elect gives the partition the first live ISR member in assignment order as its leader; if none is live, and an unclean
// election is allowed, the first live replica, which then is the whole ISR; else no leader. A replica whose log directory
// has failed does not count as live. It answers a new registration, nil if the leader stays. Every change of the leader, to
// none as well, raises the leader epoch by one.
func (c *Controller) elect(p *record.PartitionRecord, isr, live id.Set, unclean bool) *record.PartitionRecord {
	live &^= p.Offline
	leader, cause := first(p.Replicas, isr&live), event.CleanElection
	if leader == id.None && unclean {
		if leader = first(p.Replicas, live); leader != id.None {
			isr, cause = id.SetOf(leader), event.UncleanElection
		}
	}
	if leader == id.None {
		cause = event.NoLeader
	}
	if leader == p.Leader {
		return nil
	}
	n := changed(p, cause)
	n.Leader, n.ISR = leader, isr
	n.LeaderEpoch++
	return n
}

// unclean tells whether the partition's topic allows unclean elections.
func (c *Controller) unclean(p *record.PartitionRecord) bool {
	return c.image.Topic(p.Partition.Topic).Unclean
}

// first is the first of the replicas, in assignment order, that is in s.
func first(replicas []id.Node, s id.Set) id.Node {
	for _, n := range replicas {
		if s.Has(n) {
			return n
		}
	}
	return id.None
}

// fence takes a broker out: it leaves every ISR that has another member, and what it led is elected anew.
func (c *Controller) fence(n id.Node) []record.Metadata {
	b := c.image.Broker(n)
	if b == nil || b.Fenced {
		return nil
	}
	fenced := &record.BrokerRecord{Broker: n, Incarnation: b.Incarnation, Fenced: true}
	return append([]record.Metadata{fenced}, c.withdraw(n)...)
}

// withdraw are the registrations after n is gone. The last ISR member stays in the ISR.
func (c *Controller) withdraw(n id.Node) []record.Metadata {
	return c.without(n, c.image.Live().Without(n), func(p *record.PartitionRecord) (bool, id.Set) { return true, p.Offline })
}

// without are the registrations after n has left those that leaves names, each with the replicas that are offline then.
func (c *Controller) without(n id.Node, live id.Set, leaves func(*record.PartitionRecord) (bool, id.Set)) []record.Metadata {
	var out []record.Metadata
	for _, p := range c.image.Partitions {
		left, offline := leaves(p)
		if !left {
			continue
		}
		isr := p.ISR
		if isr.Has(n) && isr.Len() > 1 {
			isr = isr.Without(n)
		}
		then := *p
		then.Offline = offline
		if p.Leader == n {
			if e := c.elect(&then, isr, live, c.unclean(p)); e != nil {
				out = append(out, e)
			}
		} else if isr != p.ISR || offline != p.Offline {
			e := changed(&then, event.IsrChange)
			e.ISR = isr
			out = append(out, e)
		}
	}
	return out
}

// brokerHeartbeat registers an incarnation, unfences a broker that has caught up with its registration, and keeps its
// session. A new incarnation takes the old one out first, whatever its session says.
func (c *Controller) brokerHeartbeat(q request, req *wire.BrokerHeartbeatRequest, out *node.Effects) {
	res := &wire.BrokerHeartbeatResponse{Correlation: req.Correlation}
	b := c.image.Broker(q.from)
	var records []record.Metadata
	switch {
	case b == nil || req.Incarnation > b.Incarnation:
		res.Fenced = true
		records = append(records, &record.BrokerRecord{Broker: q.from, Incarnation: req.Incarnation, Fenced: true})
		records = append(records, c.register(q.from, req.Offline)...)
	case req.Incarnation < b.Incarnation:
		res.Code = wire.StaleBrokerEpoch
	case b.Fenced && req.MetadataOffset > b.RegisteredAt:
		records = c.unfence(q.from, b.Incarnation)
	default:
		res.Fenced = b.Fenced
		records = c.failed(q.from, req.Offline)
	}
	if res.Code == wire.OK && !res.Fenced {
		out.Arm(brokerSession(q.from), c.spec.Settings.BrokerSession, 0)
	}
	c.commit(q, records, res, out)
}

// register takes a broker out as it has started anew. Of its replicas those are offline that it says.
func (c *Controller) register(n id.Node, offline []id.Partition) []record.Metadata {
	return c.without(n, c.image.Live().Without(n), func(p *record.PartitionRecord) (bool, id.Set) {
		if slices.Contains(offline, p.Partition) {
			return true, p.Offline.With(n)
		}
		return true, p.Offline.Without(n)
	})
}

// failed takes a broker out of the partitions of which it says that its replica has gone offline; what it led there is
// elected anew (KIP-858).
func (c *Controller) failed(n id.Node, offline []id.Partition) []record.Metadata {
	if len(offline) == 0 {
		return nil
	}
	return c.without(n, c.image.Live(), func(p *record.PartitionRecord) (bool, id.Set) {
		news := !p.Offline.Has(n) && id.SetOf(p.Replicas...).Has(n) && slices.Contains(offline, p.Partition)
		return news, p.Offline.With(n)
	})
}

// unfence takes a broker in again; what has no leader and can be led by it is elected.
func (c *Controller) unfence(n id.Node, incarnation uint32) []record.Metadata {
	records := []record.Metadata{&record.BrokerRecord{Broker: n, Incarnation: incarnation}}
	live := c.image.Live().With(n)
	for _, p := range c.image.Partitions {
		if p.Leader == id.None {
			if e := c.elect(p, p.ISR, live, c.unclean(p)); e != nil {
				records = append(records, e)
			}
		}
	}
	return records
}

// electLeaders moves a leadership by command: clean to the next live ISR member in assignment order, unclean to the first
// live replica that is not the leader, which then is the whole ISR.
func (c *Controller) electLeaders(q request, req *wire.ElectLeadersRequest, out *node.Effects) {
	res := &wire.ElectLeadersResponse{Partition: req.Partition, Leader: id.None, Client: req.Client, Correlation: req.Correlation}
	p := c.image.Partition(req.Partition)
	if p == nil {
		res.Code = wire.UnknownTopicOrPartition
		c.commit(q, nil, res, out)
		return
	}
	able := c.image.Live() & id.SetOf(p.Replicas...) &^ p.Offline
	if !req.Unclean {
		able &= p.ISR
	}
	target := req.Target
	switch {
	case target != id.None:
	case req.Unclean:
		target = first(p.Replicas, able.Without(p.Leader))
	default:
		target = after(p.Replicas, p.Leader, able)
	}
	if target == p.Leader || !able.Has(target) {
		res.Code, res.Leader, res.LeaderEpoch = wire.EligibleLeadersNotAvailable, p.Leader, p.LeaderEpoch
		if target == p.Leader && target != id.None {
			res.Code = wire.ElectionNotNeeded
		}
		c.commit(q, nil, res, out)
		return
	}
	n := changed(p, event.CleanElection)
	if req.Unclean {
		n.Cause, n.ISR = uint8(event.UncleanElection), id.SetOf(target)
	}
	n.Leader = target
	n.LeaderEpoch++
	res.Leader, res.LeaderEpoch = n.Leader, n.LeaderEpoch
	c.commit(q, []record.Metadata{n}, res, out)
}

// after is the first replica behind n in assignment order, going round, that is in s and is not n.
func after(replicas []id.Node, n id.Node, s id.Set) id.Node {
	at := 0
	for i, r := range replicas {
		if r == n {
			at = i + 1
		}
	}
	for i := range replicas {
		if r := replicas[(at+i)%len(replicas)]; r != n && s.Has(r) {
			return r
		}
	}
	return id.None
}
