package broker

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// fetchMetadata asks the metadata log for what follows the image.
func (b *Broker) fetchMetadata(out *node.Effects) {
	b.sequence++
	b.fetches = b.sequence
	out.Send(b.spec.Log, &wire.MetadataFetchRequest{Offset: b.image.Offset, ControllerEpoch: b.epoch, Correlation: b.sequence})
	out.Arm(node.Timer{Kind: timerMetadata}, b.spec.Settings.BrokerHeartbeat, 0)
}

// replay applies what the metadata log answered. What the records change here is done once the whole answer is in the
// image, partition by partition, so that nothing is decided by half of it.
func (b *Broker) replay(res *wire.MetadataFetchResponse, env *replica.Env) {
	if res.ControllerEpoch > b.epoch {
		b.controller, b.epoch = res.Controller, res.ControllerEpoch
		env.Controller = b.controller
		b.heartbeat(env)
	}
	if res.Correlation != b.fetches || res.Base != b.image.Offset {
		return
	}
	var moved []id.Partition
	for _, r := range res.Records {
		if p, ok := b.moves(r); ok {
			moved = append(moved, p)
		}
		b.image.Apply(r)
	}
	if b.started {
		b.act(res.Records, moved, env)
	} else {
		b.start(env)
	}
	b.fetchMetadata(env.Out)
}

// start begins to lead and follow once the image shows this incarnation registered.
func (b *Broker) start(env *replica.Env) {
	me := b.image.Broker(b.self)
	if me == nil || me.Incarnation != b.disk.Incarnation {
		return
	}
	b.started = true
	if me.Fenced {
		b.heartbeat(env) // caught up with the registration: the controller may unfence it
	}
	b.dropStrays(env)
	for i := range b.image.Topics {
		if t := &b.image.Topics[i]; t.Desired != record.WantNone {
			b.intentShown(t, env)
		}
	}
	for _, p := range b.image.Partitions {
		b.partitionChanged(p, env)
	}
}

// act does what new records ask of this broker. moved are the coordinators among what they changed.
func (b *Broker) act(records []record.Metadata, moved []id.Partition, env *replica.Env) {
	// First what any record has taken away, even if a later one of this answer gives it back: who leads again reads the
	// state again.
	removed := false
	for _, r := range records {
		removed = b.takeAway(r, env) || removed
	}
	// The image has all of it already: what it shows of desired states is told before the roles that change by it.
	for _, r := range records {
		if r, ok := r.(*record.MirrorTopicRecord); ok {
			if t := b.image.Topic(r.Topic); t != nil {
				b.intentShown(t, env)
			}
		}
	}
	for _, r := range records {
		switch r := r.(type) {
		case *record.MirrorTopicRecord:
			if t := b.image.Topic(r.Topic); t != nil {
				b.intentChanged(t, env)
			}
		case *record.TopicConfigRecord:
			if t := b.image.Topic(r.Topic); t != nil {
				b.configChanged(t, r.Key, env)
			}
		case *record.PartitionRecord:
			if p := b.image.Partition(r.Partition); p != nil {
				b.partitionChanged(p, env)
			}
		}
	}
	if removed {
		b.tellRemoved(env)
	}
	for _, p := range moved {
		b.mirror.CoordinatorMoved(p, env)
	}
}

// moves tells whether a record gives a partition of __mirror_state, which the image has, a new leader epoch.
func (b *Broker) moves(r record.Metadata) (p id.Partition, ok bool) {
	n, ok := r.(*record.PartitionRecord)
	if !ok || !b.isState(n.Partition) {
		return p, false
	}
	old := b.image.Partition(n.Partition)
	return n.Partition, old != nil && n.LeaderEpoch != old.LeaderEpoch
}

// intentShown writes the desired state that this broker's image shows now into the history.
func (b *Broker) intentShown(t *metadata.Topic, env *replica.Env) {
	e := env.Out.Emit(event.IntentSeen, id.Partition{Topic: t.Topic})
	e.Mirror, e.To = t.Mirror, uint8(t.Desired)
}

// intentChanged tells the replicas of the topic here, and the mirror manager of those that this broker leads.
func (b *Broker) intentChanged(t *metadata.Topic, env *replica.Env) {
	for i := range t.Partitions {
		r := b.find(id.Partition{Topic: t.Topic, Index: i})
		if r == nil {
			continue
		}
		r.SetTopic(t, env)
		if r.IsLeader() {
			b.mirror.Intent(r, t, env)
		}
		b.after(r, env)
	}
}

// partitionChanged applies a registration. A replica that this broker did not have is made.
func (b *Broker) partitionChanged(reg *record.PartitionRecord, env *replica.Env) {
	if !id.SetOf(reg.Replicas...).Has(b.self) {
		return
	}
	r := b.create(reg.Partition, env)
	r.SetTopic(b.image.Topic(reg.Partition.Topic), env)
	if r.SetRegistration(reg, env) {
		b.roleChanged(r, env)
	}
	b.after(r, env)
}

// roleChanged tells the coordinators, the verifier and the mirror manager of a new leader epoch.
func (b *Broker) roleChanged(r *replica.Replica, env *replica.Env) {
	b.verifier.Lost(r.ID(), env)
	switch state := b.isState(r.ID()); {
	case r.IsLeader() && b.isGroups(r.ID()):
		b.group.Elected(r, env)
	case b.isGroups(r.ID()):
		b.group.Resigned(r.ID(), env)
	case r.IsLeader() && b.isTransactions(r.ID()):
		b.transaction.Elected(r, env)
	case b.isTransactions(r.ID()):
		b.transaction.Resigned(r.ID(), env)
	case r.IsLeader() && state:
		b.coordinator.Elected(r, env)
	case r.IsLeader():
		b.mirror.Led(r, env)
	case state:
		b.coordinator.Resigned(r.ID(), env)
	default:
		b.mirror.Lost(r.ID(), env)
	}
}
