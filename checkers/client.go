package checkers

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// op is a produce that has not returned.
type op struct {
	id       uint32
	client   id.Node
	producer int64
	epoch    int32 // of the producer
	sequence int32
	crc      uint32
	acks     uint8
	sent     bool
	readOnly uint8 // by place in stored: it was appended after PREPARING of a run was committed
	era      int32 // of the cluster when it was called
	called   uint64
	floor    int64 // the lowest end of a leader's log since it was first sent; -1 until then
	order    int64 // what the real-time order demands: the end of the highest append acknowledged before the call
	fresh    int64 // the reset that it is a fresh start after; -1 if it is none
	// The batch as brokers of the cluster appended it, the last four times. Retries that a failed leader had taken may
	// leave several.
	stored   [4]*record.Batch
	storedIn [4]int32 // the era of the cluster then, by place in stored
	appends  uint8
}

// ack is an append that was acknowledged with acks=all.
type ack struct {
	batch  *record.Batch // as it was appended at the acknowledged offset
	client id.Node
	index  uint64 // of ProduceReturned
	era    int32  // of the cluster when it was appended
	gone   bool   // excused or reported already
	// trimmed: a log that held it, of whichever cluster, has lost it to its log start; deleted: one of the cluster in charge has, or
	// its cleaner has removed it.
	trimmed, deleted bool
}

// client is what is known of a client node.
type client struct {
	called, returned int
	group            bool       // it is the member of a group
	ended            uint64     // index of the event that told of its last transaction's end
	admin            []OpResult // under way
	reads            []readState
	done             []OpResult // the last results, oldest first; appended to or cut, never changed in place
}

// recentOps is how many results are kept of one client, at least.
const recentOps = 32

// readState is one consumer's reading of one partition.
type readState struct {
	slot    int32
	cluster id.Cluster
	next    int64 // the position; -1 if it is not known
	count   int64 // data records read
	server  id.Node
	offset  int64  // the fetch that was answered last
	cuts    uint64 // how often the serving log had been cut then
	high    int64  // its high watermark then
	stable  int64  // its last stable offset then

	committed bool // isolation.level=read_committed
	given     bool // it has told the application of an error, and reads no more
	left      bool // it has left its group there
}

// OpResult is one operation of a client.
type OpResult struct {
	Op        uint32
	Client    id.Node
	Cluster   id.Cluster
	Partition id.Partition // of an admin request: the topic, of the first result
	Admin     bool
	Done      bool
	Code      uint8 // the error code; of an admin request the first that is not NONE
	Base      int64 // of a produce
	waits     int
}

func (l *Ledger) client(n id.Node) *client {
	if l.clients[n] == nil {
		l.clients[n] = &client{}
	}
	return l.clients[n]
}

func (k *client) read(slot int32, c id.Cluster) *readState {
	for i := range k.reads {
		if k.reads[i].slot == slot && k.reads[i].cluster == c {
			return &k.reads[i]
		}
	}
	k.reads = append(k.reads, readState{slot: slot, cluster: c, next: -1, server: id.None})
	return &k.reads[len(k.reads)-1]
}

// finish keeps a result, and forgets half of them when there are twice as many as must be kept.
func (k *client) finish(r OpResult) {
	if n := len(k.done); n == 2*recentOps {
		k.done = append(make([]OpResult, 0, 2*recentOps), k.done[n-recentOps:]...)
	}
	k.done = append(k.done, r)
}

// stored notes that a broker has appended b, if b is of an operation that is under way. Batches are told apart by
// their CRC, which covers the producer, the sequence and the records, and records are unique in a run.
func (cp *clusterPart) stored(b *record.Batch) {
	for i := range cp.pending {
		if o := &cp.pending[i]; o.crc == b.CRC {
			k := o.appends % uint8(len(o.stored))
			o.stored[k], o.storedIn[k], o.readOnly = b, cp.era, o.readOnly&^(1<<k)|id.Bit(cp.committed)<<k
			o.appends++
			return
		}
	}
}

// tookReadOnly tells whether o was appended at offset base after PREPARING was committed, and not after STOPPED too: what a
// deposed leader appended meanwhile says nothing about a repeat that is appended elsewhere once the topic is writable.
func (o *op) tookReadOnly(base int64) bool {
	took := false
	for k, b := range o.stored {
		if b != nil && b.Base == base {
			if took = o.readOnly>>k&1 != 0; !took {
				return false
			}
		}
	}
	return took
}

// storedAt is the batch of o that was appended at offset base, and the era of the cluster then; nil if there is none. Two leaders
// may have appended it there, in epochs of their own, when the later one had not heard of it: then it is the one that stands in the
// log of the present leader s, or else the newest.
func (o *op) storedAt(base int64, s *Shadow) (found *record.Batch, era int32) {
	for i := range o.stored {
		k := (int(o.appends) + i) % len(o.stored)
		b := o.stored[k]
		if b == nil || b.Base != base {
			continue
		}
		if found, era = b, o.storedIn[k]; s != nil && s.holds(b) {
			break
		}
	}
	return found, era
}

// foldClient takes in what clients called, sent and heard. Node is the client, From the cluster it spoke to.
func (l *Ledger) foldClient(e *event.Event) {
	if e.Kind == event.MirrorDescribed {
		l.foldDescribed(e)
		return
	}
	if int(e.Node) >= len(l.clients) || int(e.From) >= l.clusters {
		return
	}
	switch e.Kind {
	case event.ProduceCalled:
		l.foldProduceCalled(e)
	case event.ProduceSent:
		l.foldProduceSent(e)
	case event.ProduceReturned:
		l.foldProduceReturned(e)
	case event.ConsumerRead:
		l.foldConsumerRead(e)
	case event.ConsumerMoved:
		r := l.client(e.Node).read(l.part(e.Partition).slot, id.Cluster(e.From))
		r.next, r.given, r.left, r.committed = e.Offset, e.To != codeOK, false, e.Cause == 1
		l.foldGroupMoved(e)
	case event.TransactionCalled:
		l.client(e.Node).called++
	case event.TransactionReturned:
		l.foldTransactionReturned(e)
	case event.ConsumerAssigned:
		r := l.client(e.Node).read(l.part(e.Partition).slot, id.Cluster(e.From))
		r.next, r.given, r.left = -1, false, false
	case event.GroupJoined:
		l.client(e.Node).group = true
	case event.OffsetFetched:
		o := l.groupReads(e.Node, l.part(e.Partition).slot).at(id.Cluster(e.From))
		o.fetched, o.resets = e.Offset >= 0, e.Offset < 0
	case event.GroupCalled:
		l.client(e.Node).called++
	case event.GroupReturned:
		l.client(e.Node).groupReturned(e)
	case event.AdminCalled:
		l.client(e.Node).adminCalled(e)
	case event.AdminReturned:
		l.client(e.Node).adminReturned(e)
	}
}

func (l *Ledger) foldProduceCalled(e *event.Event) {
	k := l.client(e.Node)
	k.called++
	pt := l.part(e.Partition)
	cp := pt.in[e.From]
	o := op{id: e.Op, client: e.Node, producer: e.ProducerID, epoch: e.BatchEpoch, sequence: e.Sequence, crc: uint32(e.Digest), acks: e.To,
		era: cp.era, called: e.Index, floor: -1, order: cp.ackedEnd, fresh: -1}
	if s := l.leaderLog(pt, id.Cluster(e.From)); s != nil && e.Sequence == 0 && e.ProducerID >= 0 && !cp.mirrored {
		o.fresh = s.reset
	}
	cp.pending = append(cp.pending, o)
}

// foldProduceSent notes the log end at the moment of the first send. A broker that was deposed and does not know it may
// answer acks=1, so the floor is the lowest end among all that believe to lead.
func (l *Ledger) foldProduceSent(e *event.Event) {
	pt := l.part(e.Partition)
	cp := pt.in[e.From]
	i := cp.find(e.Op)
	if i < 0 || cp.pending[i].sent {
		return
	}
	o := &cp.pending[i]
	o.sent = true
	s := l.leaderLog(pt, id.Cluster(e.From))
	if s == nil {
		return
	}
	o.floor = s.End
	for n, x := range pt.replicas {
		if x != nil && x.role == Leading && l.nodes[n].cluster == id.Cluster(e.From) {
			o.floor = min(o.floor, x.End)
		}
	}
}

func (cp *clusterPart) find(id uint32) int {
	for i := range cp.pending {
		if cp.pending[i].id == id {
			return i
		}
	}
	return -1
}

func (l *Ledger) foldProduceReturned(e *event.Event) {
	k := l.client(e.Node)
	k.returned++
	k.finish(OpResult{Op: e.Op, Client: e.Node, Cluster: id.Cluster(e.From), Partition: e.Partition, Done: true,
		Code: e.To, Base: e.Offset})
	pt := l.part(e.Partition)
	cp := pt.in[e.From]
	i := cp.find(e.Op)
	l.was.closed, l.missing = i >= 0, l.missing[:0]
	if i < 0 {
		return
	}
	o := &cp.pending[i]
	l.was.op = *o
	leader := l.leaderLog(pt, id.Cluster(e.From))
	b, era := o.storedAt(e.Offset, leader)
	if e.To == codeOK && o.acks == acksAll && b != nil && !cp.deleted(b, era, leader) && !leader.cleaned(b) {
		cp.acked = append(cp.acked, ack{batch: b, client: e.Node, index: e.Index, era: era})
		if era == cp.era && !cp.mirrored {
			cp.ackedEnd = max(cp.ackedEnd, b.Last+1)
			if i := len(cp.acked) - 1; cp.current(cp.leader, leader) && cp.lacks(&cp.acked[i], leader) {
				l.miss(cp, i)
			}
		}
	}
	copy(cp.pending[i:], cp.pending[i+1:])
	cp.pending[len(cp.pending)-1] = op{}
	cp.pending = cp.pending[:len(cp.pending)-1]
}

// deleted tells whether an operator had b, which was appended in an era of the cluster, deleted before the client heard of it: with
// its topic, or with the records of a cluster whose log start is its own. Nothing is promised of it.
func (cp *clusterPart) deleted(b *record.Batch, era int32, leader *Shadow) bool {
	return era < cp.born || era == cp.era && !cp.mirrored && cp.current(cp.leader, leader) && b.Last < leader.Start
}

// foldConsumerRead walks the serving log over what was read: it counts the records, and takes the digest that the read
// should have. Both can be told only if that log was not cut between the answer and its arrival. The digest is of all
// batches; under read_committed of those that the application is given: data of transactions that were committed, or of
// none.
func (l *Ledger) foldConsumerRead(e *event.Event) {
	pt := l.part(e.Partition)
	r := l.client(e.Node).read(pt.slot, id.Cluster(e.From))
	l.was.next, l.was.digest, l.was.judgeable, l.was.isolated = r.next, 0, false, false
	l.was.high, l.was.stable = r.high, r.stable
	r.next, r.committed, l.was.resumed = e.End, e.To == 1, resumed{}
	if int(e.Peer) >= len(pt.replicas) || pt.replicas[e.Peer] == nil {
		r.count += e.End - e.Offset
		return
	}
	s := pt.replicas[e.Peer]
	l.was.judgeable = r.server == e.Peer && r.offset == e.Offset && r.cuts == s.cuts && e.Offset >= s.Start
	for i := s.position(e.Offset); i < len(s.log) && s.log[i].batch.Base < e.End; i++ {
		b := s.log[i].now
		if b == nil {
			continue
		}
		l.was.isolated = l.was.isolated || b.Transactional && b.IsData()
		if r.committed && s.hidden(b) {
			continue
		}
		l.was.digest = event.MixBatch(l.was.digest, b)
		for n := range b.Records {
			if b.OffsetOf(n) >= e.Offset {
				r.count++
			}
		}
	}
	l.foldGroupRead(pt, s, l.was.judgeable, e)
}

// groupReturned takes the end of a commit, or of a leave, behind which the client reads nothing on that cluster.
func (k *client) groupReturned(e *event.Event) {
	k.returned++
	k.finish(OpResult{Op: e.Op, Client: e.Node, Cluster: id.Cluster(e.From), Done: true, Code: e.To})
	for i := range k.reads {
		if r := &k.reads[i]; e.Cause == 1 && r.cluster == id.Cluster(e.From) {
			r.left = true
		}
	}
}

func (k *client) adminCalled(e *event.Event) {
	for i := range k.admin {
		if k.admin[i].Op == e.Op {
			k.admin[i].waits++
			return
		}
	}
	k.called++
	k.admin = append(k.admin, OpResult{Op: e.Op, Client: e.Node, Cluster: id.Cluster(e.From), Partition: e.Partition,
		Admin: true, waits: 1})
}

// adminReturned takes one topic's result; the request has returned when every topic has.
func (k *client) adminReturned(e *event.Event) {
	for i := range k.admin {
		r := &k.admin[i]
		if r.Op != e.Op {
			continue
		}
		if r.Code == codeOK {
			r.Code = e.To
		}
		if r.waits--; r.waits > 0 {
			return
		}
		r.Done = true
		k.returned++
		k.finish(*r)
		k.admin = append(k.admin[:i], k.admin[i+1:]...)
		return
	}
}
