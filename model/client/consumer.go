package client

import (
	"slices"

	"mirrorsim/model/assert"
	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/setting"
	"mirrorsim/model/wire"
)

// ConsumerSpec is how a consumer is configured.
type ConsumerSpec struct {
	Clusters []Cluster // by id.Cluster: every one that a command may name
	Settings *setting.Settings
}

// phase is what a consumer does with a partition.
type phase uint8

const (
	locating phase = iota // it asks for an end of the log to start from
	fetching
	resuming // of a group: it waits for the committed offset
	stopped  // by an error that it was not configured to pass over, or by a ReportCommand
)

// reader is a consumer's reading of one partition of one cluster. Its position carries the leader epoch of the record
// before it, by which a leader finds out that the history was truncated (KIP-320).
type reader struct {
	metadata  metadata
	committed bool // isolation.level=read_committed
	reset     wire.Reset
	phase     phase
	latest    bool    // which end to locate
	retrying  bool    // back-off: nothing is asked
	tries     uint8   // failed requests since the last good answer
	peer      id.Node // who was asked last
	position  int64
	epoch     int32  // of the record before the position, -1 if there is none
	asking    uint32 // the correlation of the request under way, 0 if there is none

	// Of a group: the position that is committed, and the one of the commit under way, each with its epoch.
	saved, asked           int64
	savedEpoch, askedEpoch int32
}

// consumer is Kafka's consumer with assigned partitions; that of a group is made of it.
type consumer struct {
	base
	readers []reader // by cluster and partition
}

// NewConsumer boots a consumer. It takes *wire.ConsumeCommand and *wire.ReportCommand.
func NewConsumer(spec ConsumerSpec) node.Boot {
	return func(self id.Node, _ *disk.Disk, _ *node.Effects) node.Node {
		return &consumer{base: newBase(self, spec.Clusters, spec.Settings)}
	}
}

// Step handles a command, an answer or a timer.
func (c *consumer) Step(in node.Input, out *node.Effects) {
	switch body := in.Body.(type) {
	case *wire.ConsumeCommand:
		c.consume(body, out)
	case *wire.FetchResponse:
		if r := c.answered(body.Correlation, out); r != nil {
			c.fetched(r, body, out)
		}
	case *wire.ListOffsetsResponse:
		if r := c.answered(body.Correlation, out); r != nil {
			c.located(r, body, out)
		}
	case *wire.MetadataResponse:
		c.metadataAnswered(body, out)
	case *wire.ReportCommand:
		for i := range c.readers {
			c.readers[i].stop(out)
			c.readers[i].metadata.stop(out)
		}
	case nil:
		c.fired(in.Timer, out)
	default:
		assert.That(false, "a consumer takes consume commands, report commands and the answers to its requests")
	}
}

// consume starts to read a partition from its log start; one that is being read already starts again.
func (c *consumer) consume(cmd *wire.ConsumeCommand, out *node.Effects) {
	r := c.reader(cmd.Cluster, cmd.Partition)
	r.stop(out)
	*r = reader{metadata: r.metadata, committed: cmd.ReadCommitted, reset: cmd.Reset, peer: id.None, epoch: -1}
	c.ask(r, out)
}

// reader finds or makes the reader of a partition of a cluster.
func (c *consumer) reader(cluster id.Cluster, p id.Partition) *reader {
	assert.That(int(cluster) < len(c.clusters), "a consumer knows every cluster that a command names")
	i, found := slices.BinarySearchFunc(c.readers, p, func(r reader, p id.Partition) int { return r.metadata.compare(cluster, p) })
	if !found {
		r := reader{metadata: newMetadata(cluster, p), phase: stopped, peer: id.None, epoch: -1}
		c.readers = slices.Insert(c.readers, i, r)
	}
	return &c.readers[i]
}

// ask sends the next request of a reader, if there is a leader to ask and nothing else under way. Every fetch carries the
// leader epoch that the consumer knows, so that a zombie leader finds out on any of them (KAFKA-9338).
func (c *consumer) ask(r *reader, out *node.Effects) {
	if r.phase >= resuming || r.asking != 0 || r.retrying || !r.metadata.known(&c.base, out) {
		return
	}
	r.asking, r.peer = c.nextCorrelation(), r.metadata.leader
	if r.phase == locating {
		out.Send(r.peer, &wire.ListOffsetsRequest{Partition: r.metadata.partition, Earliest: !r.latest,
			ReadCommitted: r.committed, Correlation: r.asking})
	} else {
		out.Send(r.peer, &wire.FetchRequest{Partition: r.metadata.partition, Replica: id.None,
			CurrentLeaderEpoch: r.metadata.epoch, LastFetchedEpoch: r.epoch, FetchOffset: r.position,
			MaxWait: c.settings.FetchMaxWait, ReadCommitted: r.committed, Correlation: r.asking})
	}
	out.Arm(r.timer(requestTimer), c.settings.RequestTimeout, 0)
}

// answered finds the reader that waits for this answer; nil when the answer is late, or a duplicate.
func (c *consumer) answered(correlation uint32, out *node.Effects) *reader {
	for i := range c.readers {
		if r := &c.readers[i]; r.asking != 0 && r.asking == correlation {
			r.asking = 0
			out.Cancel(r.timer(requestTimer))
			return r
		}
	}
	return nil
}

// fetched takes the answer to a fetch. An answer about leader epochs never moves the position: the broker or the consumer
// is behind, so the consumer looks for the leader and asks again (KAFKA-9840).
func (c *consumer) fetched(r *reader, f *wire.FetchResponse, out *node.Effects) {
	switch {
	case f.Code == wire.OffsetOutOfRange:
		if r.reset == wire.NoReset {
			r.moved(wire.OffsetOutOfRange, out)
			r.phase = stopped
			return
		}
		r.phase, r.latest = locating, r.reset == wire.ResetLatest
	case f.Code != wire.OK:
		c.retry(r, out)
		return
	case f.Diverging:
		r.diverged(f, out)
	default:
		if !r.read(f, out) {
			c.retry(r, out)
			return
		}
	}
	r.tries = 0
	c.ask(r, out)
}

// diverged moves the position to the end that the leader has of the epoch it shares with the consumer, whatever the reset
// policy; without a policy the consumer stops there, so that the application may decide (KIP-320).
func (r *reader) diverged(f *wire.FetchResponse, out *node.Effects) {
	r.position, r.epoch = min(r.position, f.DivergingOffset), f.DivergingEpoch
	if r.reset == wire.NoReset {
		r.moved(wire.LogTruncation, out)
		r.phase = stopped
		return
	}
	r.moved(wire.OK, out)
}

// read takes the batches from the position on. In read_committed the application gets neither control batches nor those of
// aborted transactions, and the event's digest is of what it gets; otherwise it is of all of them. It answers false when it
// came to a batch that does not have its CRC (check.crcs): it is asked for again.
func (r *reader) read(f *wire.FetchResponse, out *node.Effects) bool {
	from, digest, intact := r.position, uint64(0), true
	skip := aborted{pending: f.Aborted}
	for _, b := range f.Batches {
		if intact = b.Intact(); !intact {
			break
		}
		hidden := r.committed && skip.hides(b)
		if b.Last < r.position {
			continue // it ends below a position inside the first batch of the answer
		}
		if !hidden {
			digest = event.MixBatch(digest, b)
		}
		r.position, r.epoch = b.Last+1, b.LeaderEpoch
	}
	if r.position == from {
		return intact
	}
	e := out.Emit(event.ConsumerRead, r.metadata.partition)
	e.Peer, e.From, e.To = r.peer, uint8(r.metadata.cluster), uint8(flags(r.committed))
	e.Offset, e.End, e.LeaderEpoch, e.Digest = from, r.position, r.epoch, digest
	return intact
}

// located takes the end of the log that was asked for as the position.
func (c *consumer) located(r *reader, l *wire.ListOffsetsResponse, out *node.Effects) {
	if l.Code != wire.OK {
		c.retry(r, out)
		return
	}
	r.position, r.epoch, r.phase, r.tries = l.Offset, l.LeaderEpoch, fetching, 0
	r.moved(wire.OK, out)
	c.ask(r, out)
}

// moved reports the position: that reading goes on from there, or the error that ended it.
func (r *reader) moved(code wire.Code, out *node.Effects) {
	e := out.Emit(event.ConsumerMoved, r.metadata.partition)
	e.From, e.To, e.Offset, e.LeaderEpoch = uint8(r.metadata.cluster), uint8(code), r.position, r.epoch
	e.Cause = uint8(flags(r.committed))
}

// retry asks for the leader again at once, and repeats the request after a back-off.
func (c *consumer) retry(r *reader, out *node.Effects) {
	r.metadata.refresh(&c.base, out)
	r.retrying = true
	c.armBackoff(r.timer(retryTimer), &r.tries, out)
}

func (c *consumer) metadataAnswered(m *wire.MetadataResponse, out *node.Effects) {
	for i := range c.readers {
		if r := &c.readers[i]; r.metadata.asking != 0 && r.metadata.asking == m.Correlation {
			r.metadata.answered(&c.base, m, out)
			c.ask(r, out)
			return
		}
	}
}

func (c *consumer) fired(t node.Timer, out *node.Effects) {
	k, cluster := splitKind(t)
	r := c.reader(cluster, t.Partition)
	switch k {
	case requestTimer:
		r.asking = 0
		c.retry(r, out)
	case retryTimer:
		r.retrying = false
		c.ask(r, out)
	default:
		r.metadata.fired(&c.base, k, r.phase != stopped, out)
	}
}

// stop gives up the request under way.
func (r *reader) stop(out *node.Effects) {
	if r.asking != 0 {
		out.Cancel(r.timer(requestTimer))
	}
	if r.retrying {
		out.Cancel(r.timer(retryTimer))
	}
	r.asking, r.retrying, r.phase = 0, false, stopped
}

func (r *reader) timer(k timerKind) node.Timer { return r.metadata.timer(k) }

// Clone is a deep copy. A client keeps nothing on its disk.
func (c *consumer) Clone(*disk.Disk) node.Node {
	d := *c
	d.readers = slices.Clone(c.readers)
	return &d
}

// AppendState appends all that the consumer's future depends on, without correlations.
func (c *consumer) AppendState(dst []byte) []byte {
	for i := range c.readers {
		r := &c.readers[i]
		dst = r.metadata.appendState(dst)
		dst = word(dst, uint64(r.position))
		dst = word(dst, uint64(uint32(r.epoch))<<32|uint64(r.phase)<<24|uint64(r.reset)<<16|uint64(r.peer)<<8|uint64(r.tries))
		dst = word(dst, flags(r.committed, r.latest, r.retrying, r.asking != 0))
		dst = word(dst, uint64(r.saved))
		dst = word(dst, uint64(r.asked))
		dst = word(dst, uint64(uint32(r.savedEpoch))<<32|uint64(uint32(r.askedEpoch)))
	}
	return dst
}

// Waits says of each partition that is neither being fetched nor given up what it waits for.
func (c *consumer) Waits(yield func(what string) bool) {
	for i := range c.readers {
		r := &c.readers[i]
		what := r.waitsFor()
		if what == "" {
			continue
		}
		if !yield("reading " + describe(r.metadata.cluster, r.metadata.partition) + " waits for " + what) {
			return
		}
	}
}

func (r *reader) waitsFor() string {
	switch {
	case r.phase == stopped:
		return ""
	case r.phase == resuming:
		return "the committed offset"
	case r.metadata.leader == id.None:
		return "a leader to be known"
	case r.retrying:
		return "its back-off"
	case r.phase == locating:
		return "the log's end from " + describeNode(r.peer)
	}
	return ""
}
