package mirror

import (
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/replica"
)

// Mirror-wide work (discovery, partition growth, topic configs, groups, ACLs) is done by one broker for each mirror, every
// mirror.metadata.refresh.interval.ms: the coordinator of hash(mirror name) (sections 8 and 9 of the design; seed 000,
// "Add", 11). Every broker has the timer; who does the work is decided when it fires.

func armSync(env *replica.Env) {
	env.Out.Arm(node.Timer{Kind: TimerSync}, env.Settings.MetadataRefresh, 0)
}

// syncAll begins a pass for every mirror of which this broker does the mirror-wide work.
func (m *Manager) syncAll(env *replica.Env) {
	for i := range env.Image.Mirrors {
		if x := env.Image.Mirrors[i].Mirror; wide(x, env) {
			m.syncTopics(x, env)
			m.syncGroups(x, env)
		}
	}
	armSync(env)
}

// wide tells whether this broker does the mirror-wide work of x, by its own metadata.
func wide(x id.Mirror, env *replica.Env) bool {
	at, ok := env.Image.MirrorWide(x)
	if !ok {
		return false
	}
	reg := env.Image.Partition(at)
	return reg != nil && reg.Leader == env.Self
}
