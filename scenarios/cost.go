package scenarios

import (
	"slices"
	"strings"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// Cost is what a run made an operator wait for, and what it used up. It judges nothing.
type Cost struct {
	Stops       Times // of a topic on a cluster, from the request until all its partitions are STOPPED and writable
	Failbacks   Times // of a topic that was stopped on another cluster, from the request until all have lag 0
	Resets      int   // MIRROR_PID_RESET that stops appended
	LeaderEpoch int32 // the highest of a mirrored partition at the end, -1 if none was mirrored
	CopiedAgain int   // records that were cut and copied again, by the loss report
}

// Times are how long things took, in their order.
type Times []id.Duration

// String is each in seconds, "–" if there is none.
func (t Times) String() string {
	if len(t) == 0 {
		return "–"
	}
	var list []string
	for _, d := range t {
		list = append(list, inSeconds(int64(d)))
	}
	return strings.Join(list, ", ") + " s"
}

// costing folds the history into a Cost.
type costing struct {
	Cost
	cluster []id.Cluster // by node; never changed
	topics  []asked      // those that were asked for
}

// asked is what an operator asked for last of a topic on a cluster.
type asked struct {
	cluster  id.Cluster
	topic    id.Topic
	want     record.Desired
	since    id.Duration
	failback bool // it was stopped elsewhere before
	done     bool
	stopped  bool // it has ever been
}

func (c *costing) clone() costing {
	d := *c
	d.topics = slices.Clone(c.topics)
	d.Stops, d.Failbacks = slices.Clip(c.Stops), slices.Clip(c.Failbacks) // clipped: a fork may append too
	return d
}

// observe takes in an event that l has folded in already.
func (c *costing) observe(l *checkers.Ledger, e *event.Event) {
	switch e.Kind {
	case event.IntentChanged:
		c.asked(e)
	case event.StateCommitted, event.WritableChanged, event.MirrorFetched, event.HighWatermark:
		for i := range c.topics {
			x := &c.topics[i]
			if !x.done && x.topic == e.Partition.Topic && x.cluster == c.cluster[e.Node] && x.met(l) {
				c.finished(x, e.At)
			}
		}
	case event.Appended:
		if event.Origin(e.Cause) == event.FromStop && e.Batch.Control == record.MirrorPidReset {
			c.Resets++
		}
	}
}

// asked notes a request. One for what is wanted already is no new one.
func (c *costing) asked(e *event.Event) {
	on, want := c.cluster[e.Node], record.Desired(e.To)
	i := slices.IndexFunc(c.topics, func(x asked) bool { return x.topic == e.Partition.Topic && x.cluster == on })
	if i < 0 {
		i = len(c.topics)
		c.topics = append(c.topics, asked{cluster: on, topic: e.Partition.Topic})
	}
	x := &c.topics[i]
	if x.want == want {
		return
	}
	x.want, x.since, x.done = want, e.At, want != record.WantStopped && want != record.WantMirroring
	x.failback = slices.ContainsFunc(c.topics, func(o asked) bool { return o.topic == x.topic && o.cluster != on && o.stopped })
}

// met tells whether all partitions of the topic have come to what was asked for.
func (x *asked) met(l *checkers.Ledger) bool {
	for _, p := range l.Partitions() {
		if p.Topic != x.topic {
			continue
		}
		lag, known := l.Lag(x.cluster, p)
		ok := l.State(x.cluster, p) == record.Mirroring && known && lag == 0
		if x.want == record.WantStopped {
			ok = l.State(x.cluster, p) == record.Stopped && l.Writable(x.cluster, p)
		}
		if !ok {
			return false
		}
	}
	return true
}

// finished counts what was asked for. A first mirror is neither a stop nor a failback.
func (c *costing) finished(x *asked, at id.Duration) {
	x.done = true
	switch {
	case x.want == record.WantStopped:
		x.stopped = true
		c.Stops = append(c.Stops, at-x.since)
	case x.failback:
		c.Failbacks = append(c.Failbacks, at-x.since)
	}
}

// total is the cost of a run that has ended.
func (c *costing) total(l *checkers.Ledger) Cost {
	t := c.Cost
	t.LeaderEpoch = -1
	for _, x := range c.topics {
		for _, p := range l.Partitions() {
			if _, epoch := l.Leader(x.cluster, p); p.Topic == x.topic {
				t.LeaderEpoch = max(t.LeaderEpoch, epoch)
			}
		}
	}
	for _, r := range l.LossReports() {
		t.CopiedAgain += len(r.Recopied)
	}
	return t
}
