package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// TurnedTransaction is a transaction that its coordinator committed at the source, and that the stop of the mirror had
// aborted at the destination (section 13 of the design). A failback copies the ABORT marker and turns the outcome round
// at the old source too.
type TurnedTransaction struct {
	Source, Destination id.Cluster // one cluster, if it was its own and was stopped before its log was cut for the mirror
	ProducerID          int64
	Epoch               int32  // of the producer
	First               int64  // the offset of its first batch
	Abort               int64  // that of the stop's marker at the destination
	Records             int    // in the destination's log
	AtSource            string // what the log of the source says of it now; "gone" if it holds none of it
}

// HangingTransaction is a transaction that is open in the log of a cluster that is not mirroring the partition, and that
// no transaction coordinator there is going to end (KIP-664).
type HangingTransaction struct {
	Cluster    id.Cluster
	ProducerID int64
	Epoch      int32       // of the producer
	First      int64       // the offset of its first batch
	Age        id.Duration // since that was appended
}

// DuplicateRecord is a record that stands on both sides of a producer reset: its producer tried again on the cluster that
// took over, which had forgotten what was mirrored.
type DuplicateRecord struct {
	Cluster       id.Cluster
	Key, Value    uint64
	First, Second int64 // offsets
}

// turned is a transaction that a stop has aborted.
type turned struct {
	source, destination id.Cluster
	producer            int64
	epoch               int32
	first, marker       int64
	committed           bool // at the source
}

// is tells whether x, of some log, is the transaction that y tells of. A log may have lost its first batches, but no two
// transactions of one producer overlap.
func (y *turned) is(x *txn) bool {
	return x.first == y.first || x.producer == y.producer && x.epoch == y.epoch && x.first < y.marker &&
		(x.marker < 0 || x.marker > y.first)
}

// commit is a transaction of which a client has heard that it is committed.
type commit struct {
	producer int64
	epoch    int32
	last     int64 // the last offset of its acknowledged batches
}

// coordinated is a transaction as its coordinator has stored it last.
type coordinated struct {
	cluster  id.Cluster
	client   id.Node // the transactional id
	producer int64
	epoch    int32
	state    record.TransactionState
}

func (l *Ledger) foldTransactionStored(c id.Cluster, e *event.Event) {
	i := slices.IndexFunc(l.txns, func(x coordinated) bool { return x.cluster == c && x.client == e.Peer })
	if i < 0 {
		i = len(l.txns)
		l.txns = append(l.txns, coordinated{cluster: c, client: e.Peer})
	}
	x := &l.txns[i]
	x.producer, x.epoch, x.state = e.ProducerID, e.BatchEpoch, record.TransactionState(e.To)
	for _, pt := range l.parts {
		pt.loss.decided(x)
		pt.in[c].decide(l.standingLog(pt, c), x)
	}
}

// decided takes note that a coordinator commits its transaction, in whichever partition a stop has aborted it: after a
// failback the log there takes no COMMIT marker any more.
func (x *losses) decided(by *coordinated) {
	for i := range x.turned {
		if y := &x.turned[i]; by.commits(y) && !y.committed {
			x.turned = slices.Clone(x.turned)
			x.turned[i].committed = true
		}
	}
}

// decision is a transaction that the cluster's own coordinator has decided to commit.
type decision struct {
	producer int64
	epoch    int32 // of its batches
}

// decide takes note that the coordinator of the cluster commits the transaction of x, if it is open in log s there. The markers of one
// that has become a mirror's find nothing to append to, and the coordinator goes on. What has ended in the log is forgotten.
func (cp *clusterPart) decide(s *Shadow, by *coordinated) {
	if by.state != record.PrepareCommit || s == nil {
		return
	}
	cp.decided = slices.DeleteFunc(slices.Clone(cp.decided), func(d decision) bool {
		return !slices.ContainsFunc(s.open, func(x txn) bool { return d == decision{x.producer, x.epoch} })
	})
	for i := range s.open {
		if x := &s.open[i]; x.producer == by.producer && (by.epoch-1 == x.epoch || by.epoch == x.epoch) {
			cp.decided = append(cp.decided, decision{x.producer, x.epoch})
		}
	}
}

// commits tells whether x is a coordinator's decision to commit the transaction of y, whose markers may still be on their way.
// The coordinator stores it with the producer epoch raised by one (KIP-890).
func (x *coordinated) commits(y *turned) bool {
	return x.state == record.PrepareCommit && x.cluster == y.source && x.producer == y.producer &&
		(x.epoch-1 == y.epoch || x.epoch == y.epoch)
}

// foldTransactionReturned notes in which partitions the transaction that a client has committed wrote what was
// acknowledged. Its batches were acknowledged after the end of the one before.
func (l *Ledger) foldTransactionReturned(e *event.Event) {
	k := l.client(e.Node)
	k.returned++
	k.finish(OpResult{Op: e.Op, Client: e.Node, Cluster: id.Cluster(e.From), Done: true, Code: e.To})
	for _, pt := range l.parts {
		cp := pt.in[e.From]
		for i := len(cp.acked) - 1; i >= 0 && cp.acked[i].index > k.ended && e.To == codeOK && e.Cause == 1; i-- {
			a := &cp.acked[i]
			if a.client == e.Node && a.batch.Transactional && a.batch.ProducerID == e.ProducerID &&
				int32(a.batch.ProducerEpoch) == e.BatchEpoch {
				cp.commits = append(cp.commits, commit{e.ProducerID, e.BatchEpoch, a.batch.Last})
				break
			}
		}
	}
	k.ended = e.Index
}

// told tells whether a client has heard that b's transaction is committed. A producer's epoch rises with every transaction
// (KIP-890), and where it does not, the acknowledged batches reach up to the last one's.
func (cp *clusterPart) told(b *record.Batch) bool {
	return b.Transactional && slices.ContainsFunc(cp.commits, func(x commit) bool {
		return x.producer == b.ProducerID && x.epoch == int32(b.ProducerEpoch) && b.Last <= x.last
	})
}

// abortedByStop takes note of the transaction that the newest batch of log s, an ABORT marker of the stop on cluster c, has
// ended.
func (l *Ledger) abortedByStop(pt *part, cp *clusterPart, c id.Cluster, s *Shadow) {
	n := len(s.ended)
	if n == 0 || s.ended[n-1].marker != s.newest().Base {
		return
	}
	x := s.ended[n-1]
	y := turned{source: l.source(c, cp.stop.mirror), destination: c, producer: x.producer, epoch: x.epoch, first: x.first,
		marker: x.marker}
	var source *Shadow
	if y.source != noCluster {
		source = l.standingLog(pt, y.source)
	}
	switch first := s.at(y.first); {
	case !cp.aligned && first != nil && (source == nil || !source.mirrors(first.batch)):
		y.source = c // its own, which the stop found before the log was cut for the mirror
		y.committed = slices.Contains(cp.decided, decision{y.producer, y.epoch})
	case source != nil:
		y.committed = source.outcome(&y) == committed
	}
	if y.source != noCluster {
		y.committed = y.committed || slices.ContainsFunc(l.txns, func(x coordinated) bool { return x.commits(&y) })
	}
	pt.loss.turned = slices.DeleteFunc(slices.Clone(pt.loss.turned), func(z turned) bool {
		again := z.destination == c && z.is(&x)
		y.committed = y.committed || again && z.committed // the source has been turned round meanwhile, too
		return again
	})
	pt.loss.turned = append(pt.loss.turned, y)
}

// committedAtSource takes note of the transaction that the newest batch of log s, a COMMIT marker on cluster c, has ended.
func (x *losses) committedAtSource(c id.Cluster, s *Shadow) {
	n := len(s.ended)
	if len(x.turned) == 0 || n == 0 || s.ended[n-1].marker != s.newest().Base {
		return
	}
	for i := range x.turned {
		if y := &x.turned[i]; y.source == c && y.is(&s.ended[n-1]) && !y.committed {
			x.turned = slices.Clone(x.turned)
			x.turned[i].committed = true
		}
	}
}

// outcome is how the transaction of y stands in the log; open if the log knows nothing of it.
func (s *Shadow) outcome(y *turned) ending {
	for i := len(s.ended) - 1; i >= 0 && s.ended[i].marker > y.first; i-- {
		if y.is(&s.ended[i]) {
			return s.ended[i].how
		}
	}
	return open
}

func (l *Ledger) turnedTransactions(pt *part) []TurnedTransaction {
	var all []TurnedTransaction
	for _, x := range pt.loss.turned {
		if !x.committed {
			continue
		}
		t := TurnedTransaction{Source: x.source, Destination: x.destination, ProducerID: x.producer, Epoch: x.epoch,
			First: x.first, Abort: x.marker, AtSource: "gone"}
		if s := l.standingLog(pt, x.source); s != nil && s.at(x.first) != nil {
			t.AtSource = s.outcome(&x).String()
		}
		if s := l.standingLog(pt, x.destination); s != nil {
			for i := s.position(x.first); i < len(s.log) && s.log[i].batch.Base < x.marker; i++ {
				if b := s.log[i].now; b != nil && b.Transactional && b.ProducerID == x.producer {
					t.Records += len(b.Records)
				}
			}
		}
		all = append(all, t)
	}
	return all
}

// accountsOutcome tells whether the report says that b, which a client heard to be committed, is not so in the log final:
// its transaction was turned round by a stop, or hangs there.
func (l *Ledger) accountsOutcome(pt *part, final *Shadow, b *record.Batch) bool {
	x := final.transactionOf(b)
	if x == nil {
		return false
	}
	if x.how == open {
		return l.hanging(pt.loss.authority, x)
	}
	return slices.ContainsFunc(pt.loss.turned, func(y turned) bool { return y.committed && y.is(x) })
}

// hanging tells whether no coordinator of cluster c is going to end the open transaction x.
func (l *Ledger) hanging(c id.Cluster, x *txn) bool {
	return !slices.ContainsFunc(l.txns, func(y coordinated) bool {
		prepared := y.state == record.PrepareCommit || y.state == record.PrepareAbort // which may have raised the epoch
		return y.cluster == c && y.producer == x.producer && (prepared && y.epoch >= x.epoch ||
			y.state == record.TransactionOngoing && y.epoch == x.epoch)
	})
}

func (l *Ledger) hangingTransactions(pt *part) []HangingTransaction {
	var all []HangingTransaction
	for c, cp := range pt.in {
		s := l.standingLog(pt, id.Cluster(c))
		if s == nil || cp.mirrored {
			continue
		}
		for i := range s.open {
			if x := &s.open[i]; l.hanging(id.Cluster(c), x) {
				all = append(all, HangingTransaction{id.Cluster(c), x.producer, x.epoch, x.first, l.now - x.at})
			}
		}
	}
	return all
}

func (l *Ledger) hangs(pt *part) bool { return len(l.hangingTransactions(pt)) > 0 }

// duplicates walks the log of the cluster in charge, if it holds a reset.
func (l *Ledger) duplicates(pt *part) []DuplicateRecord {
	c := pt.loss.authority
	if c == noCluster {
		return nil
	}
	s := l.standingLog(pt, c)
	if s == nil || s.reset < 0 {
		return nil
	}
	var all []DuplicateRecord
	resets := 0
	type place struct {
		offset int64
		resets int
	}
	seen := map[record.Record]place{}
	for _, b := range s.Batches() {
		if b.Control == record.MirrorPidReset {
			resets++
		}
		for n, r := range b.Records {
			at := place{b.OffsetOf(n), resets}
			if old, ok := seen[r]; ok && old.resets < resets {
				all = append(all, DuplicateRecord{c, r.Key, r.Value, old.offset, at.offset})
			}
			seen[r] = at
		}
	}
	return all
}
