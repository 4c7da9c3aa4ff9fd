package broker

import (
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// retain is a pass of retention over a partition that this broker leads; its followers hear of the new log start with their
// next fetch. In Kafka every replica does this by itself, by its own clock, with the same outcome.
//
// The log of a mirrored topic that is not STOPPED begins where the source's begins (section 10 of the design), so that its
// leader does no retention of its own: what it deleted by its own clock the source might still have, and the two logs would
// have no common start. An internal topic is compacted, and nothing is deleted from it by age.
func (b *Broker) retain(c *wire.RetentionCommand, env *replica.Env) {
	t, r := b.image.Topic(c.Partition.Topic), b.find(c.Partition)
	if t == nil || r == nil || !r.IsLeader() || t.Internal != record.NotInternal || !b.mirror.Writable(r, env) {
		return
	}
	r.Retain(c.Before, env)
}

// compact is a pass of this broker's cleaner over its replica of a partition, leading or following: every replica is cleaned
// by itself, up to its own last stable offset, so that logs of one history may differ in what is left of it. A mirrored topic
// is compacted like any other: offsets stay, and what goes is what a newer record of the same history has outdated.
func (b *Broker) compact(c *wire.CompactCommand, env *replica.Env) {
	if r := b.find(c.Partition); r != nil {
		r.Log.Compact(c.Keep, env.Out)
	}
}
