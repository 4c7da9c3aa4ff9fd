package checkers

import (
	"math/rand/v2"
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// stateTopic is __mirror_state of cluster B; b1 coordinates it.
var stateTopic = id.NewTopic(clusterB, 9)

// flight is a produce that has not returned.
type flight struct {
	client   id.Node
	op       uint32
	batch    *record.Batch
	acks     uint8
	appended bool
}

// randomHistory writes a history of concurrent produces and reads on cluster A and of reads and writes of B's mirror
// state, as a correct system would: every operation goes through its phases, and the next phase of any of them may come
// next. One corruption may be put in.
type randomHistory struct {
	*builder
	rng       *rand.Rand
	open      []*flight
	sequence  int32
	next      int64 // the consumer's position
	states    []*record.Batch
	value     record.MirrorState // committed last
	corrupt   string
	corrupted bool
}

func newRandomHistory(seed uint64, corrupt string) *randomHistory {
	h := &randomHistory{builder: &builder{}, rng: rand.New(rand.NewPCG(seed, 1)), corrupt: corrupt}
	h.boot()
	home := id.Partition{Topic: stateTopic}
	h.on(event.TopicCreated, bLog, event.Event{Partition: id.Partition{Topic: stateTopic}, Sequence: 1, To: 1, From: 1})
	h.on(event.PartitionChanged, bLog, event.Event{Partition: home, Peer: b1, Digest: uint64(id.SetOf(b1)),
		Offset: int64(id.SetOf(b1))})
	h.on(event.BecameLeader, b1, event.Event{Partition: home})
	for range 120 {
		h.step()
	}
	for len(h.open) > 0 {
		h.finish()
	}
	h.replicate(clusterA)
	h.consumeMore()
	return h
}

// corruptedHistory is the first history from that seed on in which there was a moment for the corruption.
func corruptedHistory(seed uint64, what string) *randomHistory {
	for {
		if h := newRandomHistory(seed, what); h.corrupted {
			return h
		}
		seed++
	}
}

func (h *randomHistory) step() {
	switch h.rng.IntN(10) {
	case 0, 1:
		h.callProduce()
	case 2, 3:
		h.appendOne()
	case 4:
		h.replicate(clusterA)
	case 5:
		h.finish()
	case 6:
		h.consumeMore()
	case 7:
		h.writeState()
	case 8:
		h.readState()
	case 9:
		if h.rng.IntN(4) == 0 {
			h.retain()
		}
		if h.rng.IntN(4) == 0 {
			h.replicate(clusterA)
			h.elect(clusterA, h.other(h.leader[clusterA]), event.CleanElection)
		} else {
			h.spoil()
		}
	}
}

// retain has retention delete a few of the oldest batches that the consumer has read.
func (h *randomHistory) retain() {
	h.replicate(clusterA)
	if log := h.logs[h.leader[clusterA]]; len(log) > 4 && log[2].Base <= h.next {
		h.trim(clusterA, log[2].Base)
	}
}

func (h *randomHistory) callProduce() {
	if len(h.open) >= 6 {
		return
	}
	f := &flight{client: []id.Node{p1, p2}[h.rng.IntN(2)], acks: acksAll}
	n := 1 + h.rng.IntN(2)
	if f.client == p1 {
		f.batch = h.data(p1, n, 7, h.sequence)
		h.sequence += int32(n)
	} else {
		f.batch = h.data(p2, n, -1, -1)
		if h.rng.IntN(4) == 0 {
			f.acks = 1
		}
	}
	f.op = h.call(f.client, clusterA, f.batch, f.acks)
	h.open = append(h.open, f)
}

// appendOne appends the oldest batch of a client: sequences come in order. A plain producer's may come twice.
func (h *randomHistory) appendOne() {
	client := []id.Node{p1, p2}[h.rng.IntN(2)]
	for _, f := range h.open {
		if f.client != client || f.appended {
			continue
		}
		f.appended = true
		f.batch = h.append(h.leader[clusterA], f.batch, event.FromClient)
		if client == p2 && h.rng.IntN(8) == 0 {
			h.append(h.leader[clusterA], f.batch.At(h.end(h.leader[clusterA]), h.epoch[clusterA]), event.FromClient)
		}
		return
	}
}

// finish returns an operation: acknowledged where that is right, otherwise, at times, with a time-out.
func (h *randomHistory) finish() {
	if len(h.open) == 0 {
		return
	}
	i := h.rng.IntN(len(h.open))
	f := h.open[i]
	n := h.leader[clusterA]
	switch {
	case f.appended && (f.acks == 1 || f.batch.Last < h.hw[n]):
		h.returned(f.client, clusterA, f.op, f.batch.Base, codeOK)
	case h.rng.IntN(3) == 0:
		h.returned(f.client, clusterA, f.op, -1, codeRequestTimedOut)
		if !f.appended && f.client == p2 && h.rng.IntN(2) == 0 {
			h.append(n, f.batch, event.FromClient) // the request arrives after its client has given up
		}
	default:
		return
	}
	h.open = slices.Delete(h.open, i, i+1)
}

func (h *randomHistory) consumeMore() {
	n := h.leader[clusterA]
	if h.next >= h.hw[n] {
		return
	}
	h.on(event.FetchAnswered, n, event.Event{Peer: r1, LeaderEpoch: h.epoch[clusterA], Offset: h.next, End: h.end(n),
		From: uint8(event.Consumer)})
	to := h.hw[n]
	batches := slices.DeleteFunc(slices.Clone(h.logs[n]), func(b *record.Batch) bool { return b.Last < h.next || b.Base >= to })
	if h.wants("two records swapped in a read") && len(batches) > 1 {
		batches[0], batches[1] = batches[1], batches[0]
		h.corrupted = true
	}
	if h.wants("a record left out of a read") && len(batches) > 1 {
		i := h.rng.IntN(len(batches))
		batches = slices.Delete(batches, i, i+1)
		h.corrupted = true
	}
	if h.wants("a record read that was never committed") {
		b := batches[len(batches)-1]
		batches[len(batches)-1] = h.data(p2, int(b.Count()), -1, -1).At(b.Base, b.LeaderEpoch)
		h.corrupted = true
	}
	if more := h.logs[n]; h.wants("a read of more than is committed") && h.end(n) > to {
		to = h.end(n)
		batches = slices.DeleteFunc(slices.Clone(more), func(b *record.Batch) bool { return b.Last < h.next })
		h.corrupted = true
	}
	var digest uint64
	for _, b := range batches {
		digest = event.MixBatch(digest, b)
	}
	h.on(event.ConsumerRead, r1, event.Event{Peer: n, From: uint8(clusterA), Offset: h.next, End: to, Digest: digest})
	h.next = to
	if h.corrupted && h.corrupt == "a read of more than is committed" {
		h.truncate(n, h.hw[n], event.Diverged) // and it never is
	}
}

func (h *randomHistory) wants(what string) bool {
	return h.corrupt == what && !h.corrupted && len(h.events) > 60
}

// spoil puts in the corruption if now is a moment for it.
func (h *randomHistory) spoil() {
	n := h.leader[clusterA]
	log := h.logs[n]
	switch {
	case h.wants("an append doubled"):
		for i := len(log) - 1; i >= 0 && !h.corrupted; i-- {
			if h.corrupted = log[i].HasProducer(); h.corrupted {
				h.append(n, log[i].At(h.end(n), h.epoch[clusterA]), event.FromClient)
				h.replicate(clusterA)
			}
		}
	case h.wants("an append acknowledged and never made"):
		h.replicate(clusterA)
		op := h.call(p2, clusterA, h.data(p2, 1, -1, -1), acksAll)
		h.returned(p2, clusterA, op, h.end(n), codeOK)
		h.corrupted = true
		h.produce(p2, clusterA, h.data(p2, 1, -1, -1))
	case h.wants("an append acknowledged at an offset of another") && len(log) > 0:
		h.replicate(clusterA)
		op := h.call(p2, clusterA, h.data(p2, 1, -1, -1), acksAll)
		h.returned(p2, clusterA, op, h.end(n)-1, codeOK)
		h.corrupted = true
	case h.wants("an append acknowledged below one that came before") && len(log) > 3:
		x := h.data(p2, 1, -1, -1)
		op := h.call(p2, clusterA, x, acksAll)
		h.append(n, x, event.FromClient)
		h.replicate(clusterA)
		h.returned(p2, clusterA, op, log[1].Base, codeOK)
		h.corrupted = true
	case h.wants("an acknowledged append lost"):
		h.replicate(clusterA)
		base := h.end(n)
		h.produce(p2, clusterA, h.data(p2, 1, -1, -1))
		h.truncate(h.other(n), base, event.Diverged)
		h.elect(clusterA, h.other(n), event.CleanElection)
		h.truncate(n, base, event.Diverged)
		h.corrupted = true
	}
}

// put appends a record to __mirror_state, and commits it: that is its ISR's only member.
func (h *randomHistory) put(rec record.MirrorState, op uint32, writer id.Node) {
	home := id.Partition{Topic: stateTopic}
	b := record.NewStates([]record.MirrorState{rec}).At(int64(len(h.states)), 0)
	h.states = append(h.states, b)
	h.on(event.Appended, b1, event.Event{Partition: home, Offset: b.Base, End: b.Last + 1, Cause: uint8(event.FromInternal),
		Batch: b, ProducerID: -1, Sequence: -1})
	x := event.Event{Mirror: mirrorM, Op: op, Peer: writer, LeaderEpoch: rec.LeaderEpoch, End: b.Base}
	kind, committed := event.StateStored, event.StateCommitted
	if rec.Kind == record.LastMirroredEpochs {
		kind, committed = event.PositionStored, event.PositionCommitted
		x.BatchEpoch, x.Offset, x.Sequence = rec.Epoch, rec.Offset, rec.Run
	} else {
		x.From, x.To, x.Sequence, x.Offset = uint8(h.value.State), uint8(rec.State), rec.StateEpoch, int64(rec.Run)
	}
	early := h.rng.IntN(2) == 0
	highWatermark := func() {
		h.on(event.HighWatermark, b1, event.Event{Partition: home, Offset: b.Last + 1, End: b.Last + 1})
	}
	if early {
		highWatermark()
	}
	h.on(kind, b1, x)
	if !early {
		highWatermark()
	}
	x.Peer, x.From, x.Op, x.End = id.None, 0, 0, 0
	h.on(committed, b1, x)
	if rec.Kind == record.MirrorPartitionState {
		h.value = rec
	}
}

// follows is a legal successor of each state of the histories here; PREPARING begins another run.
var follows = map[record.State]record.State{record.Unknown: record.Preparing, record.Preparing: record.Mirroring,
	record.Mirroring: record.Stopping, record.Stopping: record.Stopped, record.Stopped: record.Preparing}

// writeState is a write of the next state, or of the same again. Some are stored and their writer never hears of it; some are
// read by the leader of B while they are under way.
func (h *randomHistory) writeState() {
	if h.rng.IntN(5) == 0 {
		h.elect(clusterB, h.leader[clusterB], event.EpochBump)
	}
	rec := record.MirrorState{Kind: record.MirrorPartitionState, Mirror: mirrorM, Partition: t0, State: follows[h.value.State],
		Run: h.value.Run, StateEpoch: h.value.StateEpoch + 1, LeaderEpoch: h.epoch[clusterB]}
	if h.rng.IntN(4) == 0 && h.value.State != record.Unknown {
		rec.State = h.value.State
	}
	if rec.State == record.Preparing && h.value.State != record.Preparing {
		rec.Run++
	}
	low := h.epoch[clusterB] > 0 && h.value.LeaderEpoch == h.epoch[clusterB]
	if low && h.wants("a write of a lower leader epoch") {
		rec.LeaderEpoch--
		h.corrupted = true
	}
	h.write(rec)
	if low && h.wants("a position of a lower leader epoch") {
		h.write(record.MirrorState{Kind: record.LastMirroredEpochs, Mirror: mirrorM, Partition: t0, Epoch: 3, Run: h.value.Run,
			LeaderEpoch: h.epoch[clusterB] - 1})
		h.corrupted = true
	}
}

func (h *randomHistory) write(rec record.MirrorState) {
	h.ops++
	writer := h.other(h.leader[clusterB])
	op := event.OpOf(uint8(writer), h.ops)
	called, returned := event.StateWriteCalled, event.StateWriteReturned
	x := event.Event{Mirror: mirrorM, Op: op, To: uint8(rec.State), LeaderEpoch: rec.LeaderEpoch, Offset: int64(rec.Run)}
	if rec.Kind == record.LastMirroredEpochs {
		called, returned = event.PositionWriteCalled, event.PositionWriteReturned
	}
	h.on(called, writer, x)
	before := h.value
	answer := h.readCalled(h.leader[clusterB])
	h.put(rec, op, writer)
	if h.rng.IntN(2) == 0 {
		before = h.value
	}
	answer(before)
	if h.rng.IntN(6) > 0 {
		h.on(returned, writer, event.Event{Mirror: mirrorM, Op: op, To: uint8(rec.State), Sequence: rec.StateEpoch})
	}
}

// readCalled begins a read; what it answers ends it.
func (h *randomHistory) readCalled(n id.Node) func(record.MirrorState) {
	h.ops++
	op := event.OpOf(uint8(n), h.ops)
	h.on(event.StateReadCalled, n, event.Event{Mirror: mirrorM, Op: op, LeaderEpoch: h.epoch[clusterB]})
	return func(v record.MirrorState) {
		h.on(event.StateReadReturned, n, event.Event{Mirror: mirrorM, Op: op, To: uint8(v.State), Sequence: v.StateEpoch,
			Offset: int64(v.Run)})
	}
}

func (h *randomHistory) readState() {
	before := h.value
	if h.wants("a stale read of the state") && before.State != record.Unknown {
		h.writeState()
		h.readCalled(h.leader[clusterB])(before)
		h.corrupted = true
		return
	}
	h.readCalled(h.leader[clusterB])(h.value)
}
