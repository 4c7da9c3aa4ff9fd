package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// crossLog is a partition's log on one cluster. It is told to porcupine while clients of that cluster write it: from the
// start or a STOPPED until the next PREPARING.
type crossLog struct {
	cluster     id.Cluster
	partition   id.Partition
	leader      id.Node // that the metadata log names
	leaderEpoch int32
	isr         id.Set
	unclean     int32 // the leader epoch of the last unclean election; 0 before the first

	mirrored  bool
	cleaned   bool             // it was compacted: it is told no more
	open      bool             // it is told
	begun     uint64           // the event at which that began
	floor     int32            // the leader epoch in which it began
	first     int64            // the log's end then
	inherited int64            // the leader's log end then: batches below it need no operation
	reset     *record.Batch    // the newest MIRROR_PID_RESET of a stop
	unreset   bool             // the leader lacks it: it knows producers from below it
	chain     []*record.Batch  // what was committed, in offset order
	end       int64            // of the chain
	ops       []crossProduce   // under way, or of unknown outcome
	forgot    bool             // some of these were forgotten
	answered  []answeredFetch  // the newest of each consumer
	window    window[logState] // it begins in a log that ends at base
	base      int64
}

// crossProduce is one produce of a client.
type crossProduce struct {
	op        uint32
	client    id.Node
	crc       uint32
	count     int64 // of records
	all       bool  // acks=all
	plain     bool  // it has no producer id: a retry may append it again
	returned  bool
	stale     bool    // its acknowledgement proves nothing: its cluster has begun anew since it was called, or see deposed
	places    []int64 // at which it was told
	base      int64   // where it was committed last
	committed uint64  // when that was; 0: it is not
	called    uint64
}

// keptUnknown bounds the produces of unknown outcome that are kept of a partition.
const keptUnknown = 256

type answeredFetch struct {
	client id.Node
	offset int64
	at     uint64
}

// logState is a log as the specification sees it: its end, and the chained hash of its batches since the window began.
type logState struct {
	end  int64
	hash uint64
}

func (s logState) describe(*id.Names) string { return "the log ends at " + num(s.end) }

func chained(h uint64, base, last int64, crc uint32) uint64 {
	return event.Mix(event.Mix(event.Mix(h, uint64(base)), uint64(last)), uint64(crc))
}

// appendAct is an append that was given an offset, or that the log turned out to hold.
type appendAct struct {
	who        string
	base, last int64
	crc        uint32
}

func (a *appendAct) apply(s logState) (logState, bool) {
	return logState{a.last + 1, chained(s.hash, a.base, a.last, a.crc)}, s.end == a.base
}

func (a *appendAct) String() string {
	return "the append of " + a.who + " at offset " + num(a.base)
}

// fetchAct is a fetch that returned the batches from one offset up to another.
type fetchAct struct {
	who      string
	from, to int64
	digest   uint64
	same     bool   // the committed log has these batches there
	hash     uint64 // of the committed log up to there, since the window began
}

func (a *fetchAct) apply(s logState) (logState, bool) {
	return s, a.same && s.end >= a.to && (s.end > a.to || s.hash == a.hash)
}

func (a *fetchAct) String() string {
	return "the read of " + a.who + " from offset " + num(a.from) + " to " + num(a.to)
}

// doubt says why the read has no place in any order.
func (a *fetchAct) doubt() string {
	if a.same {
		return ""
	}
	return "what it returned is not what was committed there"
}

// standAct is the leader's log at the end of a window: it holds all that the operations have made.
type standAct struct {
	who  string
	end  int64
	hash map[int64]uint64 // by offset, since the window began
}

func (a *standAct) apply(s logState) (logState, bool) {
	h, ok := a.hash[s.end]
	return s, ok && h == s.hash
}

func (a *standAct) String() string { return "the log of " + a.who + ", which ends at " + num(a.end) }

// log is the object of a partition on a cluster, made at first sight.
func (c *CrossCheck) log(cl id.Cluster, p id.Partition) *crossLog {
	for _, o := range c.logs {
		if o.partition == p && o.cluster == cl {
			return o
		}
	}
	o := &crossLog{cluster: cl, partition: p, leader: id.None, leaderEpoch: -1}
	c.logs = append(c.logs, o)
	return o
}

// trim drops what was committed below every log start of the cluster: nobody reads it any more. What lies above the beginning
// of the window stays.
func (c *CrossCheck) trim(o *crossLog) {
	low := o.base
	for n, cl := range c.topology.Cluster {
		if r := c.replicas[replicaOf{id.Node(n), o.partition.Word()}]; r != nil && cl == o.cluster && len(r.batches) > 0 {
			low = min(low, r.batches[0].Base)
		}
	}
	for i := range o.answered {
		low = min(low, o.answered[i].offset)
	}
	for i := range o.window.ops {
		if f, ok := o.window.ops[i].Input.(*fetchAct); ok {
			low = min(low, f.from)
		}
	}
	chain := copiedLog{batches: o.chain}
	if n := chain.from(low); n > 0 {
		o.chain = slices.Delete(o.chain, 0, n)
	}
}

// beginLog begins to tell of the log, with what the leader knows as committed.
func (c *CrossCheck) beginLog(o *crossLog, r *copiedLog, e *event.Event) {
	if o.open || o.mirrored || o.cleaned || !r.leading || e.Node != o.leader || r.epoch != o.leaderEpoch {
		return
	}
	o.open, o.begun, o.floor = true, e.Index, r.epoch
	o.chain = slices.Clone(r.batches[:r.from(r.hw)])
	o.end = r.hw
	if n := len(o.chain); n > 0 {
		o.end = max(o.end, o.chain[n-1].Last+1)
	}
	o.first, o.base, o.inherited = o.end, o.end, r.end
	o.window = window[logState]{from: e.Index + 1}
	o.unreset = o.reset != nil && !r.holds(o.reset)
	if c.internal[o.partition.Topic] {
		c.beginEntries(o)
	}
}

// breakOff ends the telling where what was committed may be gone: the direct checkers judge that.
func (c *CrossCheck) breakOff(o *crossLog) {
	if !o.open {
		return
	}
	o.open = false
	o.window.drop(c, 0)
	o.outdate()
	if c.internal[o.partition.Topic] {
		c.breakOffEntries(o)
	}
}

// deposed tells whether a broker leads, as it believes, in a leader epoch that an unclean election has ended. It may be its whole
// ISR, and acknowledge and show what nobody else will ever have.
func (o *crossLog) deposed(r *copiedLog) bool { return r != nil && r.leading && r.epoch < o.unclean }

// takenInVain marks the operation whose batch a deposed leader has appended.
func (o *crossLog) takenInVain(b *record.Batch) {
	for i := range o.ops {
		if p := &o.ops[i]; p.crc == b.CRC {
			p.stale = true
		}
	}
}

// outdate takes its meaning from every acknowledgement that is still to come.
func (o *crossLog) outdate() {
	for i := range o.ops {
		o.ops[i].stale, o.ops[i].places, o.ops[i].committed = true, nil, 0
	}
	o.answered = o.answered[:0]
}

// mirror follows a state that was stored: PREPARING ends local writing, STOPPED lets it begin.
func (c *CrossCheck) mirror(o *crossLog, state record.State, e *event.Event) {
	switch state {
	case record.Preparing:
		if o.open {
			c.closeLog(o, e.Index)
			o.open = false
			o.outdate()
		}
		o.mirrored = true
	case record.Stopped:
		o.mirrored = false
		if r := c.replicas[replicaOf{o.leader, o.partition.Word()}]; r != nil {
			begin := *e
			begin.Node = o.leader
			c.beginLog(o, r, &begin)
		}
	}
}

func (o *crossLog) abandon(n id.Node) {
	for i := range o.ops {
		if o.ops[i].client == n {
			o.ops[i].returned = true
		}
	}
}

// commit takes what the leader's high watermark has passed.
func (c *CrossCheck) commit(o *crossLog, r *copiedLog, e *event.Event) {
	if !o.open || !r.leading || r.epoch < o.floor {
		return
	}
	for _, b := range r.batches[r.from(o.end):] {
		if b.Last >= r.hw {
			break
		}
		if b.Base < o.end {
			continue
		}
		o.chain = append(o.chain, b)
		o.end = b.Last + 1
		if c.internal[o.partition.Topic] {
			c.commitStates(o, b, e)
		} else {
			c.explain(o, b, e)
		}
	}
	c.cutLog(o, e.Index)
}

// explain finds the operation that a committed batch is of. Whatever no operation explains and a client has written is
// not told: then the log holds more than the operations have made.
func (c *CrossCheck) explain(o *crossLog, b *record.Batch, e *event.Event) {
	i := slices.IndexFunc(o.ops, func(p crossProduce) bool { return p.crc == b.CRC && (p.plain || p.committed == 0) })
	if i < 0 {
		if !b.IsData() || !b.HasProducer() || b.Base < o.inherited || o.forgot {
			o.window.tell(e.Node, &appendAct{c.topology.Names.Node(e.Node), b.Base, b.Last, b.CRC}, e.Index, e.Index)
		}
		return
	}
	p := &o.ops[i]
	p.committed, p.base = e.Index, b.Base
	if !slices.Contains(p.places, b.Base) && (p.plain || !p.all || p.returned || p.stale) {
		c.tellAppend(o, p, b.Base, e.Index)
	}
	if p.returned {
		o.forget(i)
	}
}

func (c *CrossCheck) tellAppend(o *crossLog, p *crossProduce, base int64, ret uint64) {
	p.places = append(p.places, base)
	o.window.tell(p.client, &appendAct{c.topology.Names.Node(p.client), base, base + p.count - 1, p.crc}, p.called, ret)
}

func (o *crossLog) forget(i int) { o.ops = slices.Delete(o.ops, i, i+1) }

// observeClient takes in what producers, consumers and admins called and heard.
func (c *CrossCheck) observeClient(e *event.Event) {
	switch e.Kind {
	case event.ProduceCalled:
		o := c.log(id.Cluster(e.From), e.Partition)
		o.ops = append(o.ops, crossProduce{op: e.Op, client: e.Node, crc: uint32(e.Digest), count: e.End,
			all: e.To == acksAll, plain: e.ProducerID < 0, called: e.Index})
	case event.ProduceReturned:
		o := c.log(id.Cluster(e.From), e.Partition)
		c.produceReturned(o, e)
		c.cutLog(o, e.Index)
	case event.ConsumerRead:
		c.consumerRead(c.log(id.Cluster(e.From), e.Partition), e)
	case event.AdminCalled, event.AdminReturned:
		c.observeAdmin(e)
	}
}

// produceReturned takes an outcome. An acknowledgement counts unless it may be of what stood in the log before it was
// told, or is taken for such because a reset was lost beyond the fault budget; an error says nothing, and what became of the batch is seen at its commit.
func (c *CrossCheck) produceReturned(o *crossLog, e *event.Event) {
	i := slices.IndexFunc(o.ops, func(p crossProduce) bool { return p.op == e.Op })
	if i < 0 {
		return
	}
	p := &o.ops[i]
	p.returned = true
	switch counts := e.To == codeOK && p.all && !p.stale && (p.called >= o.begun && !o.unreset || e.Offset >= o.first); {
	case !o.open || slices.Contains(p.places, e.Offset):
	case counts:
		c.tellAppend(o, p, e.Offset, e.Index)
	case p.committed > 0 && len(p.places) == 0:
		c.tellAppend(o, p, p.base, p.committed)
	}
	if p.committed > 0 {
		o.forget(i)
	} else if o.unknown() > keptUnknown {
		o.forgot = true
		o.forget(slices.IndexFunc(o.ops, func(p crossProduce) bool { return p.returned }))
	}
}

func (o *crossLog) unknown() int {
	n := 0
	for i := range o.ops {
		n += int(id.Bit(o.ops[i].returned))
	}
	return n
}

func (o *crossLog) fetchAnswered(e *event.Event) {
	o.answered = slices.DeleteFunc(o.answered, func(f answeredFetch) bool { return f.client == e.Peer })
	o.answered = append(o.answered, answeredFetch{e.Peer, e.Offset, e.Index})
}

// consumerRead takes what a consumer was given. Its claim was true when the broker answered and stays true while the
// log is told, so it may be placed anywhere between.
func (c *CrossCheck) consumerRead(o *crossLog, e *event.Event) {
	i := slices.IndexFunc(o.answered, func(f answeredFetch) bool { return f.client == e.Node && f.offset == e.Offset })
	if !o.open || i < 0 || o.answered[i].at < o.begun || e.To == 1 {
		return // what read_committed leaves out makes no prefix: transaction-isolation judges it
	}
	o.window.tell(e.Node, &fetchAct{who: c.topology.Names.Node(e.Node), from: e.Offset, to: e.End, digest: e.Digest},
		o.answered[i].at, e.Index)
	c.cutLog(o, e.Index)
}

// cutAfter is how many operations a window has before it is cut at the next moment at which nothing is pending.
const cutAfter = 32

// cutLog ends the window if nothing is pending: no produce is under way, and none was acknowledged without being
// committed.
func (c *CrossCheck) cutLog(o *crossLog, at uint64) {
	if !o.open || !o.window.large && len(o.window.ops) < cutAfter {
		return
	}
	for i := range o.ops {
		if p := &o.ops[i]; p.all && !p.stale && (!p.returned || len(p.places) > 0 && p.committed == 0) {
			return
		}
	}
	c.closeLog(o, at)
}

// closeLog judges the window. What is committed and not returned has taken effect by then.
func (c *CrossCheck) closeLog(o *crossLog, at uint64) {
	if !o.open {
		return
	}
	for i := range o.ops {
		if p := &o.ops[i]; p.all && !p.stale && len(p.places) == 0 && p.committed > 0 {
			c.tellAppend(o, p, p.base, p.committed)
		}
	}
	hashes := hashesFrom(o.base, o.chain)
	for i := range o.window.ops {
		if f, ok := o.window.ops[i].Input.(*fetchAct); ok {
			f.same, f.hash = o.digest(f.from, f.to) == f.digest, hashes[f.to]
		}
	}
	if r := c.replicas[replicaOf{o.leader, o.partition.Word()}]; len(o.window.ops) > 0 && r != nil && r.leading &&
		r.epoch == o.leaderEpoch {
		o.window.claim(o.leader, &standAct{c.topology.Names.Node(o.leader), r.end, hashesFrom(o.base, o.standing(r))}, at)
	}
	o.window.close(c, c.where(o.cluster, o.partition), logState{end: o.base}, at)
	o.base = o.end
}

// standing is what the log of the leader's replica r has from the beginning of the window on, with what was below its present log
// start: DeleteRecords and retention remove what the operations of a window have made, as it was committed.
func (o *crossLog) standing(r *copiedLog) []*record.Batch {
	below, first := copiedLog{batches: o.chain}, r.end
	if len(r.batches) > 0 {
		first = r.batches[0].Base
	}
	from, to := below.from(o.base), below.from(first)
	return slices.Concat(o.chain[min(from, to):to], r.batches[r.from(o.base):])
}

// hashesFrom are the chained hashes of a log from offset base on, by the offset that they run to.
func hashesFrom(base int64, batches []*record.Batch) map[int64]uint64 {
	hashes, h := map[int64]uint64{base: 0}, uint64(0)
	r := copiedLog{batches: batches}
	for _, b := range batches[r.from(base):] {
		h = chained(h, b.Base, b.Last, b.CRC)
		hashes[b.Last+1] = h
	}
	return hashes
}

// digest is what a read from one offset up to another has as its digest, by the committed log.
func (o *crossLog) digest(from, to int64) uint64 {
	r, h := copiedLog{batches: o.chain}, uint64(0)
	for _, b := range o.chain[r.from(from):] {
		if b.Base >= to {
			break
		}
		h = event.MixBatch(h, b)
	}
	return h
}
