package broker

import (
	"mirrorsim/model/id"
	"mirrorsim/model/replica"
)

// failReplicas takes the replicas offline whose log directory has failed, and tells the controller, which elects others
// (KIP-112, KIP-858). A broker notices it at its next input, whatever that is: it reads and writes its logs all the time.
func (b *Broker) failReplicas(env *replica.Env) {
	if len(b.disk.Broken) == 0 {
		return
	}
	failed := false
	for _, r := range b.replicas {
		if !r.Failed && b.disk.Breaks(r.ID()) {
			failed = true
			r.Fail(env)
			b.roleChanged(r, env)
			b.after(r, env)
		}
	}
	if failed {
		b.heartbeat(env)
	}
}

// offline are the partitions whose replica here has failed.
func (b *Broker) offline() []id.Partition {
	var list []id.Partition
	for _, r := range b.replicas {
		if r.Failed {
			list = append(list, r.ID())
		}
	}
	return list
}
