package scenarios

import (
	"slices"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// Coverage is which of the situations that a sweep must meet a run has met, by its history.
type Coverage struct {
	FinishedStop     bool // every partition of a mirrored topic was STOPPED and writable at one time
	FinishedFailback bool // later every partition was MIRRORING with lag 0 on the other cluster, at one time
	// FaultWhileAligningOrStopping: while a partition was PREPARING or STOPPING a node was down or hindered, or a link was
	// cut or slow, other than for good, or a message was caught.
	FaultWhileAligningOrStopping bool
	LostAtFailover               bool // the loss report lists a record as lost at a failover
	PermanentFault               bool // a node was down for good in the second phase
}

// covering folds the history into the facts of Coverage.
type covering struct {
	Coverage
	cluster  []id.Cluster // by node; never changed
	down     []bool       // by node
	impaired []bool       // by link: cut, or slow
	hindered []bool       // by node and hindrance
	faults   int          // nodes that are down or hindered, and links that are cut or slow
	stopped  []bool       // by cluster: whether it has finished a stop
	over     bool         // the second phase has begun: its faults are for good
}

func newCovering(cluster []id.Cluster) covering {
	n := len(cluster)
	return covering{cluster: cluster, down: make([]bool, n), impaired: make([]bool, n*n), stopped: make([]bool, n),
		hindered: make([]bool, n*event.Hindrances)}
}

func (c *covering) clone() covering {
	d := *c
	d.down, d.impaired, d.stopped = slices.Clone(c.down), slices.Clone(c.impaired), slices.Clone(c.stopped)
	d.hindered = slices.Clone(c.hindered)
	return d
}

// observe takes in an event that l has folded in already.
func (c *covering) observe(l *checkers.Ledger, e *event.Event) {
	switch e.Kind {
	case event.Started:
		c.set(&c.down[e.Node], false)
	case event.Crashed:
		c.set(&c.down[e.Node], true)
		c.set(c.hindrance(e.Node, event.Paused), false) // it ends with the process
		c.fault(c.inMotion(l))
	case event.LinkSet:
		c.set(&c.impaired[int(e.Node)*len(c.cluster)+int(e.Peer)], e.To == 0 || e.Offset > 0)
		c.fault(c.inMotion(l))
	case event.NodeSet:
		c.set(c.hindrance(e.Node, event.Hindrance(e.Cause)), e.To == 1)
		c.fault(c.inMotion(l))
	case event.Caught:
		c.faults++
		c.fault(c.inMotion(l))
		c.faults--
	case event.StateCommitted:
		c.fault(moving(record.State(e.To)))
		c.stop(l, e)
		c.failedBack(l, e)
	case event.WritableChanged:
		c.stop(l, e)
	case event.MirrorFetched, event.HighWatermark:
		c.failedBack(l, e)
	}
}

func (c *covering) hindrance(n id.Node, h event.Hindrance) *bool {
	return &c.hindered[int(n)*event.Hindrances+int(h)]
}

// set keeps count of the faults in force.
func (c *covering) set(fault *bool, on bool) {
	if *fault != on {
		c.faults++
		if !on {
			c.faults -= 2
		}
	}
	*fault = on
}

func (c *covering) fault(moving bool) {
	if moving && c.faults > 0 && !c.over {
		c.FaultWhileAligningOrStopping = true
	}
}

func moving(s record.State) bool { return s == record.Preparing || s == record.Stopping }

// inMotion tells whether a partition is PREPARING or STOPPING on any cluster. It is asked when a fault falls.
func (c *covering) inMotion(l *checkers.Ledger) bool {
	for _, p := range l.Partitions() {
		for n := range c.stopped {
			if moving(l.State(id.Cluster(n), p)) {
				return true
			}
		}
	}
	return false
}

// every tells whether all partitions of e's topic are so on the cluster of e's node.
func (c *covering) every(l *checkers.Ledger, e *event.Event, so func(id.Cluster, id.Partition) bool) bool {
	for _, p := range l.Partitions() {
		if p.Topic == e.Partition.Topic && !so(c.cluster[e.Node], p) {
			return false
		}
	}
	return true
}

func (c *covering) stop(l *checkers.Ledger, e *event.Event) {
	if !c.stopped[c.cluster[e.Node]] && c.every(l, e, func(cl id.Cluster, p id.Partition) bool {
		return l.Desired(cl, p) == record.WantStopped && l.State(cl, p) == record.Stopped && l.Writable(cl, p)
	}) {
		c.stopped[c.cluster[e.Node]], c.FinishedStop = true, true
	}
}

func (c *covering) failedBack(l *checkers.Ledger, e *event.Event) {
	if c.FinishedFailback || !c.FinishedStop || c.stopped[c.cluster[e.Node]] {
		return
	}
	c.FinishedFailback = c.every(l, e, func(cl id.Cluster, p id.Partition) bool {
		lag, known := l.Lag(cl, p)
		return l.State(cl, p) == record.Mirroring && known && lag == 0
	})
}

// lost tells whether a loss report lists a record as lost at a failover.
func lost(l *checkers.Ledger) bool {
	return slices.ContainsFunc(l.LossReports(), func(r checkers.LossReport) bool { return len(r.Lost) > 0 })
}
