package broker

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
)

// takeAway does what a record takes from this broker: the leadership of a partition, a topic's place in a mirror, or the
// topic. It answers whether the image lost a mirror or a topic.
func (b *Broker) takeAway(r record.Metadata, env *replica.Env) bool {
	switch r := r.(type) {
	case *record.PartitionRecord:
		if r.Leader != b.self {
			b.mirror.Lost(r.Partition, env)
		}
	case *record.MirrorTopicRecord:
		if r.Desired == record.WantNone {
			b.eachReplica(r.Topic, func(x *replica.Replica) { b.mirror.Lost(x.ID(), env) })
		}
	case *record.RemoveTopicRecord:
		b.eachReplica(r.Topic, func(x *replica.Replica) { b.drop(x, env) })
		return true
	case *record.RemoveMirrorRecord:
		return true
	}
	return false
}

// eachReplica does something with every replica of a topic here, which it may remove.
func (b *Broker) eachReplica(t id.Topic, do func(*replica.Replica)) {
	for i := 0; i < len(b.replicas); {
		r := b.replicas[i]
		if r.ID().Topic == t {
			do(r)
		}
		if i < len(b.replicas) && b.replicas[i] == r {
			i++
		}
	}
}

// drop removes a replica with its files: its topic is deleted. Who waits for it is refused.
func (b *Broker) drop(r *replica.Replica, env *replica.Env) {
	b.mirror.Lost(r.ID(), env)
	r.Close(env)
	b.after(r, env)
	i, _ := b.search(r.ID())
	b.replicas = append(b.replicas[:i], b.replicas[i+1:]...)
	b.disk.Remove(r.ID())
	env.Out.Emit(event.ReplicaRemoved, r.ID())
}

// dropStrays removes the replicas that this broker holds of topics which were deleted while it was down: its image, which
// has come to its own registration, does not place them here, or has them from a topic that was created again under its id.
// Kafka tells the old topic by its id, which is never given out twice in a cluster that is no mirror; a mirror gives a topic
// the source's id each time that it creates it, so that the record which created it must tell.
func (b *Broker) dropStrays(env *replica.Env) {
	for i := 0; i < len(b.replicas); {
		r := b.replicas[i]
		p, t := b.image.Partition(r.ID()), b.image.Topic(r.ID().Topic)
		if p != nil && id.SetOf(p.Replicas...).Has(b.self) && b.disk.Find(r.ID()).CreatedAt == t.CreatedAt {
			i++
			continue
		}
		b.drop(r, env)
	}
}

// tellRemoved tells the coordinators of mirror states and groups that mirrors or topics are gone.
func (b *Broker) tellRemoved(env *replica.Env) {
	b.coordinator.Removed(b.find, env)
	b.group.Removed(b.find, env)
	for _, r := range b.replicas {
		if b.isState(r.ID()) || b.isGroups(r.ID()) {
			b.after(r, env)
		}
	}
}
