package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// Epoch is one entry of a leader-epoch cache: the epoch and the offset of its first record.
type Epoch struct {
	Epoch int32
	Start int64
}

// noEpoch is no entry.
var noEpoch = Epoch{-1, -1}

// Role is what a replica believes to be.
type Role uint8

// The roles. A broker that has crashed, or has not heard of the partition, has none.
const (
	NoRole Role = iota
	Leading
	Following
)

// Shadow is one replica's log as its events tell it.
type Shadow struct {
	Start, End, HighWatermark int64

	log    []entry // appended to or cut, changed in place by compact alone; who cuts it caps it
	shared bool    // a clone has the same log
	below  entry   // the sums of all that was dropped from the front
	epochs []Epoch // likewise

	role        Role
	leaderEpoch int32
	leader      id.Node      // whom it follows
	writable    bool         // it takes client writes of a mirrored topic
	known       record.State // the mirror state that this broker has read or written last, if knows
	knows       bool
	reset       int64  // the offset of the newest MIRROR_PID_RESET in the log; -1 if there is none
	open        []txn  // by first offset
	ended       []txn  // by marker; appended to or cut, never changed in place
	lostEnd     int64  // the log end before a power loss took the tail; 0 once the log is as long again
	version     uint64 // counts the changes of the log
	cuts        uint64 // counts the truncations and restarts
	shown       int64  // how far what the log holds has been below its high watermark at some time
	thinned     bool   // compaction has removed something of the partition, here or in another log
}

// entry is a batch of a shadow log. The sums run over the log up to and including the batch. Because the hash of a
// batch covers its offsets, the difference of two sums is a digest of the range between them, order included, and a
// log that has lost its front still compares in constant time.
//
// Compaction removes records on each replica by itself, so that what the logs of one history hold may differ. The entry of
// a batch stays where the cleaner removed it, with batch as it stood before, and the sums are over that: two logs compare
// as if nothing had been removed. What is there now is told apart.
type entry struct {
	batch *record.Batch // as it was appended first in this history
	now   *record.Batch // what compaction has left of it; batch itself where nothing was removed, nil where all was
	removal
	index        uint64 // of the event that appended it
	sum, content uint64 // content leaves out what a mirror may change (Topology)
}

// removal is what is known of the cleaner that removed something of an entry, this log's or that of one that it came from.
type removal struct {
	cleaned int64 // how far the log went then, the largest; 0: none has
	copied  bool  // it was another log's, and all that is missing was outdated or aborted there
}

func newShadow() *Shadow { return &Shadow{leaderEpoch: -1, leader: id.None, reset: -1} }

// Batches is the log from the log start, oldest first.
func (s *Shadow) Batches() []*record.Batch {
	all := make([]*record.Batch, 0, len(s.log))
	for i := range s.log {
		if b := s.log[i].now; b != nil {
			all = append(all, b)
		}
	}
	return all
}

// Epochs is the leader-epoch cache, oldest first.
func (s *Shadow) Epochs() []Epoch { return slices.Clone(s.epochs) }

// append adds a batch at the end of the log, and its epoch to the cache, as every replica does.
func (s *Shadow) append(b *record.Batch, index uint64, at id.Duration, t *Topology) {
	s.push(b, b, removal{}, index, t)
	s.dropUnwritten(b.LeaderEpoch)
	s.End = b.Last + 1
	s.version++
	if b.Transactional || b.Control == record.MirrorPidReset {
		s.foldTransaction(b, index, at, t.ResetClosesTransactions)
	}
	if b.Control == record.MirrorPidReset {
		s.reset = b.Base
	}
	if s.End >= s.lostEnd {
		s.lostEnd = 0
	}
	if n := len(s.epochs); n == 0 || s.epochs[n-1].Epoch != b.LeaderEpoch {
		s.addEpoch(b.LeaderEpoch, b.Base)
	}
}

// push adds an entry.
func (s *Shadow) push(b, now *record.Batch, r removal, index uint64, t *Topology) {
	sum, content := s.sums(len(s.log))
	h := event.MixBatch(0, b)
	g := h
	if t.RewritesEpochs || t.RewritesProducers {
		g = mixContent(b, t)
	}
	s.log = append(s.log, entry{b, now, r, index, sum + h, content + g})
}

// mixContent is the hash of a batch without what the protocol lets a mirror change.
func mixContent(b *record.Batch, t *Topology) uint64 {
	h := event.Mix(event.Mix(uint64(b.Control), uint64(b.Base)), uint64(b.Last))
	if !t.RewritesEpochs {
		h = event.Mix(h, uint64(uint32(b.LeaderEpoch)))
	}
	if !t.RewritesProducers {
		return event.Mix(event.Mix(h, uint64(b.CRC)), uint64(b.ProducerID)<<16^uint64(uint16(b.ProducerEpoch)))
	}
	for _, r := range b.Records {
		h = event.Mix(event.Mix(h, r.Key), r.Value)
	}
	return h
}

// addEpoch adds an entry to the cache. An entry with the start of an old one replaces it; one that is not above the
// newest epoch is not added (section 4 of the design).
func (s *Shadow) addEpoch(epoch int32, start int64) {
	n := len(s.epochs)
	for n > 0 && s.epochs[n-1].Start >= start {
		n--
	}
	if n < len(s.epochs) {
		s.epochs = s.epochs[:n:n]
	}
	if n == 0 || s.epochs[n-1].Epoch < epoch {
		s.epochs = append(s.epochs, Epoch{epoch, start})
	}
}

// dropUnwritten drops entries of epochs above the given one that no batch stands for: mirrored batches may go on below
// the epoch of a leader that has written nothing. It is called before the log end moves.
func (s *Shadow) dropUnwritten(epoch int32) {
	n := len(s.epochs)
	for n > 0 && s.epochs[n-1].Start >= s.End && s.epochs[n-1].Epoch > epoch {
		n--
	}
	if n < len(s.epochs) {
		s.epochs = s.epochs[:n:n]
	}
}

// rebuildEpoch takes an entry that recovery has made anew from the batches.
func (s *Shadow) rebuildEpoch(x Epoch) {
	for i := range s.epochs {
		if s.epochs[i].Epoch == x.Epoch {
			if s.epochs[i].Start != x.Start {
				s.epochs = slices.Clone(s.epochs)
				s.epochs[i].Start = x.Start
			}
			return
		}
	}
	s.addEpoch(x.Epoch, x.Start)
}

// newestEpoch is the newest entry of the cache, {-1, -1} if it is empty.
func (s *Shadow) newestEpoch() Epoch {
	if n := len(s.epochs); n > 0 {
		return s.epochs[n-1]
	}
	return noEpoch
}

// newest is the newest batch that is there, nil in an empty log.
func (s *Shadow) newest() *record.Batch {
	for n := len(s.log); n > 0; n-- {
		if b := s.log[n-1].now; b != nil {
			return b
		}
	}
	return nil
}

// truncate cuts the log to end and answers what went. The answer is good until the next event. Below the log start nothing
// is known any more, of transactions neither: the log begins anew there.
func (s *Shadow) truncate(end int64) []entry {
	if end < s.Start {
		s.open, s.ended = nil, nil
	}
	n := s.position(end)
	gone := s.log[n:]
	s.log = s.log[:n:n]
	s.End, s.Start, s.HighWatermark, s.shown = end, min(s.Start, end), min(s.HighWatermark, end), min(s.shown, end)
	k := len(s.epochs)
	for k > 0 && s.epochs[k-1].Start >= end {
		k--
	}
	s.epochs = s.epochs[:k:k]
	s.version++
	s.cuts++
	if s.reset >= end {
		s.reset = s.lastReset()
	}
	if len(s.open)+len(s.ended) > 0 {
		if len(gone) > 0 {
			end = min(end, gone[0].batch.Base)
		}
		s.cutTransactions(end)
	}
	return gone
}

// lastReset looks for the newest reset. It walks the log, but only after a cut has removed one.
func (s *Shadow) lastReset() int64 {
	for i := len(s.log) - 1; i >= 0; i-- {
		if b := s.log[i].batch; b.Control == record.MirrorPidReset {
			return b.Base
		}
	}
	return -1
}

// restart drops the whole log and starts it at offset start.
func (s *Shadow) restart(start int64) []entry {
	gone := s.truncate(s.Start)
	s.Start, s.End, s.HighWatermark, s.shown = start, start, start, start
	s.open, s.ended = nil, nil
	return gone
}

// show moves the high watermark.
func (s *Shadow) show(to int64) {
	s.HighWatermark, s.shown = to, max(s.shown, to)
}

// recover takes the log as it came back after a crash: a power loss may have taken its tail.
func (s *Shadow) recover(start, end int64) []entry {
	was := s.End
	gone := s.truncate(end)
	s.Start, s.HighWatermark = start, start
	if end < was {
		s.lostEnd = max(s.lostEnd, was)
	}
	return gone
}

// moveStart drops what lies wholly below the new log start, and answers it. The answer is good until the next event.
func (s *Shadow) moveStart(start int64) []entry {
	s.Start = start
	n, log := 0, s.log
	for n < len(s.log) && s.log[n].batch.Last < start {
		n++
	}
	if n > 0 {
		s.below = entry{sum: s.log[n-1].sum, content: s.log[n-1].content}
		s.log = s.log[n:]
	}
	if s.reset >= 0 && s.reset < start {
		s.reset = -1
	}
	s.dropTransactions()
	k := 0
	for k+1 < len(s.epochs) && s.epochs[k+1].Start <= start {
		k++
	}
	if k > 0 || len(s.epochs) > 0 && s.epochs[0].Start < start {
		s.epochs = slices.Clone(s.epochs[k:])
		s.epochs[0].Start = start
	}
	s.version++
	return log[:n]
}

func (s *Shadow) forgetRole() {
	s.role, s.leader, s.writable, s.knows = NoRole, id.None, false, false
}

// remove forgets all of a replica that was deleted with its topic.
func (s *Shadow) remove() {
	version, cuts, thinned := s.version+1, s.cuts+1, s.thinned
	*s = *newShadow()
	s.version, s.cuts, s.thinned = version, cuts, thinned
}

// position is the index of the first batch whose last offset is at or beyond o: the one that holds o, or the first
// after it. Most questions are about the end of the log, so it looks there first.
func (s *Shadow) position(o int64) int {
	n := len(s.log)
	if n == 0 || o > s.log[n-1].batch.Last {
		return n
	}
	if n == 1 || o > s.log[n-2].batch.Last {
		return n - 1
	}
	lo, hi := 0, n-2
	for lo < hi {
		mid := (lo + hi) / 2
		if s.log[mid].batch.Last < o {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// sums are those of the first n batches and all that was dropped before them.
func (s *Shadow) sums(n int) (sum, content uint64) {
	if n == 0 {
		return s.below.sum, s.below.content
	}
	return s.log[n-1].sum, s.log[n-1].content
}

// at is the entry of the batch that starts at base, nil if there is none.
func (s *Shadow) at(base int64) *entry {
	if i := s.position(base); i < len(s.log) && s.log[i].batch.Base == base {
		return &s.log[i]
	}
	return nil
}

// holds tells whether b stands in the log at its offsets with its bytes and its epoch.
func (s *Shadow) holds(b *record.Batch) bool {
	x := s.at(b.Base)
	return x != nil && x.batch.Same(b)
}

// equal tells whether s and o hold the same batches from offset from up to offset to; mirrored leaves out what a mirror
// may change. It takes the time of two binary searches.
func (s *Shadow) equal(o *Shadow, from, to int64, mirrored bool) bool {
	sum, content := s.between(s.first(from, o), s.position(to))
	sum2, content2 := o.between(o.first(from, s), o.position(to))
	if mirrored {
		return content == content2
	}
	return sum == sum2
}

// first is the index of the first entry that is compared with o from offset from on. A batch that begins below that, as a log
// start inside a batch makes it, is not compared where compaction may have removed it: a log that began at that offset since has
// no trace of it.
func (s *Shadow) first(from int64, o *Shadow) int {
	i, k := s.position(from), o.position(from)
	if i == len(s.log) || s.log[i].batch.Base >= from || k < len(o.log) && o.log[k].batch.Base < from || !s.thinned {
		return i
	}
	return i + 1
}

// between is the sums over the entries from a to b.
func (s *Shadow) between(a, b int) (sum, content uint64) {
	if a >= b {
		return 0, 0
	}
	lowSum, lowContent := s.sums(a)
	sum, content = s.sums(b)
	return sum - lowSum, content - lowContent
}

// digest is the digest that a replica reports of itself: its batches from the log start, mixed in order.
func (s *Shadow) digest() uint64 {
	var h uint64
	for i := range s.log {
		if b := s.log[i].now; b != nil {
			h = event.MixBatch(h, b)
		}
	}
	return h
}
