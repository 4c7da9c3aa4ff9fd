package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// CrossCheck is the second opinion on linearizability: the operations of clients, brokers and admins, with their calls
// and returns, go to porcupine, which looks for an order that a sequential specification allows. It is told of three kinds
// of objects: a partition's log on the cluster that is its authority, an entry of __mirror_state, and the desired state of
// a topic at the controller. It shares no state with the ledger and the direct checkers, so that the two can be held
// against each other; what it finds is a violation of its own property, cross-check.
//
// It is a sample, not a checker of the suite: it keeps the operations of a window, and a run is watched by it only where
// somebody asks. A window ends where nothing of its object is pending, and holds at most 300 operations of 10 clients; a
// larger one is not judged, and counted. There is no time-out, because a verdict must not depend on the machine.
//
// What is told, so that correct Kafka is not refused: an append with acks=all that returned an offset; a fetch that
// returned data up to o, which claims an end of at least o and the batches that the committed log has there; nothing of a
// fetch that returned nothing, for the high watermark of a new leader may lag; acks=0 and 1 only as batches that the log
// turned out to hold. What became of an operation without an outcome is known: it took effect when it was committed, or
// not at all.
type CrossCheck struct {
	topology Topology
	replicas map[replicaOf]*copiedLog
	logs     []*crossLog // in the order in which they were first seen
	entries  []*crossEntry
	intents  []*crossIntent
	internal map[id.Topic]bool
	deleted  []deletedTopic
	anomaly  []Anomaly
	pictures []*Picture // of the first anomalies
	counts   CrossCounts
	last     map[id.Node]internalAppend // by coordinator
	replay   map[id.Node]id.Duration    // by metadata log: when it was started again
}

// Anomaly is a window for whose operations porcupine found no order.
type Anomaly struct {
	Object   string // B/t-0; mirror m of B/t-0; topic t on B
	Sentence string
	Events   [2]uint64 // the indexes of the events at which the window begins and ends
}

// CrossCounts say how much was cross-checked.
type CrossCounts struct {
	Windows    uint64 // that were judged
	Operations uint64 // in them
	NotChecked uint64 // windows that were too large, or were broken off by what is beyond the fault budget
}

type replicaOf struct {
	node      id.Node
	partition uint32
}

// NewCrossCheck watches every object of a run.
func NewCrossCheck(t Topology) *CrossCheck {
	if t.Names == nil {
		t.Names = &id.Names{}
	}
	return &CrossCheck{topology: t, replicas: map[replicaOf]*copiedLog{}, internal: map[id.Topic]bool{},
		last: map[id.Node]internalAppend{}, replay: map[id.Node]id.Duration{}}
}

// Observe takes in the next event of the history.
func (c *CrossCheck) Observe(e *event.Event) {
	switch k := e.Kind; {
	case k >= event.ProducerIdReceived:
		c.observeClient(e)
	case k >= event.StateReadCalled:
		c.observeState(e)
	case k >= event.Recovered:
		c.observeReplica(e)
	case k >= event.TopicCreated:
		c.observeMetadata(e)
	case k == event.Crashed:
		c.crashed(e)
	case k == event.Started && e.Sequence > 1:
		c.replay[e.Node] = e.At
	}
}

// Finish judges the windows that are still open, and answers all anomalies, oldest first, and the counts. Call it once,
// after the last event; end is its index.
func (c *CrossCheck) Finish(end uint64) ([]Anomaly, CrossCounts) {
	for _, o := range c.logs {
		c.closeLog(o, end)
	}
	for _, o := range c.entries {
		c.closeEntry(o, end)
	}
	for _, o := range c.intents {
		c.closeIntent(o, end)
	}
	return c.anomaly, c.counts
}

// Verdict is Finish as a verdict of the run on the property cross-check: its occasions are the windows.
func (c *CrossCheck) Verdict(end uint64) (Verdict, CrossCounts) {
	anomalies, counts := c.Finish(end)
	v := Verdict{Property: Crossed.String(), Occasions: counts.Windows, Count: uint64(len(anomalies))}
	for _, a := range anomalies[:min(len(anomalies), keptViolations)] {
		v.Violations = append(v.Violations, Violation{Sentence: a.Sentence, Events: a.Events,
			Facts: [2]string{"operations on " + a.Object + " returned", "no order explains what they returned"}})
	}
	switch {
	case len(anomalies) > 0:
		v.Status = Violated
	case counts.Windows == 0:
		v.Status = NotExercised
	}
	return v, counts
}

// Pictures are those of the first anomalies that Finish or Verdict has answered, in their order.
func (c *CrossCheck) Pictures() []*Picture { return c.pictures }

func (c *CrossCheck) cluster(n id.Node) id.Cluster {
	if int(n) < len(c.topology.Cluster) {
		return c.topology.Cluster[n]
	}
	return noCluster
}

func (c *CrossCheck) where(cl id.Cluster, p id.Partition) string {
	return c.topology.Names.Cluster(cl) + "/" + c.topology.Names.Partition(p)
}

// crashed takes away what a node had under way, and what a power loss may have taken from a log is beyond what is told:
// the loss of a flush is judged by the direct checkers, which know the budget in full.
func (c *CrossCheck) crashed(e *event.Event) {
	for _, o := range c.logs {
		if r := c.replicas[replicaOf{e.Node, o.partition.Word()}]; r != nil {
			r.leading = false
		}
		if event.CrashCause(e.Cause) == event.PowerLoss && o.isr.Has(e.Node) {
			c.breakOff(o)
		}
		o.abandon(e.Node)
	}
	for _, o := range c.entries {
		o.abandon(e.Node)
	}
}

func (c *CrossCheck) observeMetadata(e *event.Event) {
	cl := c.cluster(e.Node)
	if at, again := c.replay[e.Node]; cl == noCluster || again && at == e.At {
		return // a metadata log that starts again writes all that it holds into the history once more
	}
	switch e.Kind {
	case event.TopicCreated:
		if e.From&1 != 0 {
			c.internal[e.Partition.Topic] = true
		}
	case event.PartitionChanged:
		o := c.log(cl, e.Partition)
		o.leader, o.leaderEpoch, o.isr = e.Peer, e.LeaderEpoch, id.Set(e.Digest)
		if event.ChangeCause(e.Cause) == event.UncleanElection {
			o.unclean = e.LeaderEpoch
			c.breakOff(o)
		}
	case event.IntentChanged:
		c.intentChanged(c.intent(cl, e.Partition.Topic), e)
	case event.MirrorRemoved:
		c.retireEntries(cl, func(o *crossEntry) bool { return o.mirror == e.Mirror })
	case event.TopicRemoved:
		c.topicRemoved(cl, e)
	}
}

// deletedTopic is a topic that a cluster has deleted.
type deletedTopic struct {
	cluster id.Cluster
	topic   id.Topic
}

// topicRemoved ends all that is told of a topic; another one may come under its id.
func (c *CrossCheck) topicRemoved(cl id.Cluster, e *event.Event) {
	c.deleted = append(c.deleted, deletedTopic{cl, e.Partition.Topic})
	for _, o := range c.logs {
		if o.cluster == cl && o.partition.Topic == e.Partition.Topic {
			c.breakOff(o)
			o.mirrored, o.leader, o.unclean = false, id.None, 0
		}
	}
	c.retireEntries(cl, func(o *crossEntry) bool { return o.partition.Topic == e.Partition.Topic })
	c.intentRemoved(c.intent(cl, e.Partition.Topic), e)
}

// copiedLog is one replica's log, as its events tell it.
type copiedLog struct {
	batches []*record.Batch
	end, hw int64
	leading bool
	epoch   int32
}

// from is the index of the first batch that holds offset o or lies behind it.
func (r *copiedLog) from(o int64) int {
	i, _ := slices.BinarySearchFunc(r.batches, o, func(b *record.Batch, o int64) int {
		if b.Last < o {
			return -1
		}
		return 1
	})
	return i
}

// holds tells whether the batch stands in the log, or below its start, as it was appended.
func (r *copiedLog) holds(b *record.Batch) bool {
	i := r.from(b.Base)
	return i < len(r.batches) && (r.batches[i].Base > b.Last || r.batches[i].Same(b)) || i == len(r.batches) && r.end > b.Last
}

func (r *copiedLog) truncate(end int64) {
	r.batches = r.batches[:r.from(end)]
	r.end, r.hw = min(r.end, end), min(r.hw, end)
}

func (c *CrossCheck) observeReplica(e *event.Event) {
	cl := c.cluster(e.Node)
	if cl == noCluster || e.Kind == event.IntentSeen {
		return
	}
	if e.Kind == event.FetchAnswered {
		o := c.log(cl, e.Partition)
		if event.Fetcher(e.From) == event.Consumer && !o.deposed(c.replicas[replicaOf{e.Node, e.Partition.Word()}]) {
			o.fetchAnswered(e)
		}
		return
	}
	o := c.log(cl, e.Partition)
	key := replicaOf{e.Node, e.Partition.Word()}
	r := c.replicas[key]
	if r == nil {
		r = &copiedLog{epoch: -1}
		c.replicas[key] = r
	}
	switch e.Kind {
	case event.ReplicaRemoved:
		delete(c.replicas, key)
	case event.Recovered:
		r.truncate(e.End)
		r.leading, r.end, r.hw = false, e.End, e.Offset
	case event.BecameLeader:
		r.leading, r.epoch, r.hw = true, e.LeaderEpoch, e.End
		c.beginLog(o, r, e)
		c.abandonEntries(cl, e.Partition, e.Node, true)
	case event.BecameFollower:
		r.leading = false
		c.abandonEntries(cl, e.Partition, e.Node, false)
	case event.Appended:
		c.appended(r, e)
		if e.Batch.Control == record.MirrorPidReset && event.Origin(e.Cause) == event.FromStop {
			o.reset = e.Batch
		}
		if event.Origin(e.Cause) == event.FromClient && o.deposed(r) {
			o.takenInVain(e.Batch)
		}
	case event.Truncated:
		c.truncated(o, r, e)
	case event.Compacted:
		c.compacted(o, r, e)
	case event.StartMoved:
		r.batches = r.batches[r.from(e.Offset):]
		c.trim(o)
	case event.HighWatermark:
		r.hw = e.Offset
		c.beginLog(o, r, e)
		c.commit(o, r, e)
	}
}

func (c *CrossCheck) appended(r *copiedLog, e *event.Event) {
	if e.Batch.Base < r.end {
		r.truncate(e.Batch.Base)
	}
	r.batches = append(r.batches, e.Batch)
	r.end = e.Batch.Last + 1
	if event.Origin(e.Cause) == event.FromInternal {
		c.last[e.Node] = internalAppend{partition: e.Partition, batch: e.Batch}
	}
}

// compacted follows a cleaner. What it leaves differs from one replica to the next, and readers see it: a log that clients
// read is told no more. A coordinator's entries are what the newest record of each key says.
func (c *CrossCheck) compacted(o *crossLog, r *copiedLog, e *event.Event) {
	i := r.from(e.Offset)
	if i == len(r.batches) || r.batches[i].Base != e.Offset {
		return
	}
	r.batches = slices.Clone(r.batches)
	if r.batches[i] = e.Batch; e.Batch == nil {
		r.batches = slices.Delete(r.batches, i, i+1)
	}
	if !c.internal[o.partition.Topic] {
		c.breakOff(o)
		o.cleaned = true
	}
}

// truncated follows a cut. A leader that cuts its own log because of a mirror ends what is told of it.
func (c *CrossCheck) truncated(o *crossLog, r *copiedLog, e *event.Event) {
	switch cause := event.TruncateCause(e.Cause); {
	case cause == event.RestartedAt:
		r.batches, r.end, r.hw = nil, e.Offset, e.Offset
		return
	case r.leading && (cause == event.AlignedToLME || cause == event.CutToLastStable):
		c.breakOff(o)
	}
	r.truncate(e.Offset)
}
