package mirror_test

import (
	"fmt"

	"mirrorsim/model/coordinator"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// pumpBound is far above what any exchange of these tests takes.
const pumpBound = 2000

// pump plays the other nodes until b0 is quiet: what is muted stays in sent.
func (r *rig) pump() {
	r.t.Helper()
	kept := 0
	for range pumpBound {
		switch {
		case r.node == nil:
			return
		case kept < len(r.sent):
			s := r.sent[kept]
			if r.mute[s.Body.API()] || !r.played(s.Body) {
				kept++
				continue
			}
			r.sent = append(r.sent[:kept:kept], r.sent[kept+1:]...)
			r.play(s.To, s.Body)
		case r.follower && r.reg.Leader == b0 && r.lags():
			r.follow()
		default:
			return
		}
	}
	r.t.Fatalf("b0 does not become quiet: %s", r.pending())
}

// played tells whether pump has an answer to m.
func (r *rig) played(m wire.Body) bool {
	switch m := m.(type) {
	case *wire.FetchRequest:
		return m.Mirror && (m.CurrentLeaderEpoch != r.srcEpoch || m.FetchOffset != r.bound(m) || r.diverges(m))
	case *wire.MetadataRequest, *wire.ReadMirrorStatesRequest, *wire.WriteMirrorStatesRequest, *wire.BumpLeaderEpochRequest,
		*wire.LastMirroredPositionRequest, *wire.FetchResponse:
		return true
	}
	return false
}

func (r *rig) play(to id.Node, m wire.Body) {
	r.t.Helper()
	switch m := m.(type) {
	case *wire.MetadataRequest:
		r.message(to, &wire.MetadataResponse{Partition: m.Partition, Leader: a0, LeaderEpoch: r.srcEpoch, Correlation: m.Correlation})
	case *wire.FetchRequest:
		r.message(to, r.serve(m))
	case *wire.FetchResponse:
		r.cut = m.Cut // b1 takes it
	case *wire.ReadMirrorStatesRequest:
		res := &wire.ReadMirrorStatesResponse{Mirror: m.Mirror, Partition: m.Partition, Correlation: m.Correlation}
		res.State = *r.entry(m.Partition)
		if r.position != nil {
			res.HasPosition, res.Position = true, *r.position
		}
		r.message(to, res)
	case *wire.WriteMirrorStatesRequest:
		r.message(to, r.write(m))
	case *wire.BumpLeaderEpochRequest:
		r.grant(m)
	case *wire.LastMirroredPositionRequest:
		res := r.lookup
		res.Partition, res.Correlation = m.Partition, m.Correlation
		r.message(to, &res)
	}
}

// write is a coordinator that takes every write of a legal edge.
func (r *rig) write(m *wire.WriteMirrorStatesRequest) *wire.WriteMirrorStatesResponse {
	rec := m.Record
	if rec.Kind == record.LastMirroredEpochs {
		if !m.KeepFirst || r.position == nil || r.position.Run != rec.Run {
			r.position = &rec
		}
		r.writes = append(r.writes, fmt.Sprintf("position %d,%d", r.position.Epoch, r.position.Offset))
		return &wire.WriteMirrorStatesResponse{Mirror: rec.Mirror, Partition: rec.Partition, Stored: *r.position, Correlation: m.Correlation}
	}
	e := r.entry(rec.Partition)
	if !coordinator.Legal(e.State, rec.State, &r.config) {
		r.t.Errorf("%s is written over %s", rec.State, e.State)
		return refused(m, wire.InvalidClusterMirrorState)
	}
	rec.StateEpoch = e.StateEpoch + 1
	if rec.Previous = e.State; rec.State == record.Failed && e.State == record.Failed {
		rec.Previous = e.Previous
	}
	*e = rec
	r.writes, r.records = append(r.writes, rec.State.String()), append(r.records, rec)
	return &wire.WriteMirrorStatesResponse{Mirror: rec.Mirror, Partition: rec.Partition, Stored: rec, Correlation: m.Correlation}
}

// entry is what is stored of x: of tp in stored, of the others in a map.
func (r *rig) entry(x id.Partition) *record.MirrorState {
	if x == tp {
		return &r.stored
	}
	if r.others[x] == nil {
		r.others[x] = &record.MirrorState{}
	}
	return r.others[x]
}

// grant is a controller that bumps and answers; the metadata come first.
func (r *rig) grant(m *wire.BumpLeaderEpochRequest) {
	if m.Partition != tp {
		r.meta(&record.PartitionRecord{Partition: m.Partition, Replicas: []id.Node{b0}, ISR: id.SetOf(b0), Leader: b0,
			LeaderEpoch: m.Minimum, PartitionEpoch: m.Minimum, Cause: uint8(event.EpochBump)})
		return
	}
	if m.Minimum > r.reg.LeaderEpoch {
		r.register(func(p *record.PartitionRecord) {
			p.LeaderEpoch, p.Cause = m.Minimum, uint8(event.EpochBump)
		})
	}
	r.message(bC0, &wire.BumpLeaderEpochResponse{Partition: tp, LeaderEpoch: r.reg.LeaderEpoch, Correlation: m.Correlation})
}

func (r *rig) sourceEnd() int64 {
	if n := len(r.source); n > 0 {
		return r.source[n-1].Last + 1
	}
	return 0
}

// stable is the source's last stable offset: its end unless a test says otherwise.
func (r *rig) stable() int64 {
	if r.openAt > 0 {
		return r.openAt
	}
	return r.sourceEnd()
}

func (r *rig) bound(m *wire.FetchRequest) int64 {
	if m.ReadCommitted {
		return r.stable()
	}
	return r.sourceEnd()
}

// diverges tells whether the source's end of the fetch's last epoch is below the fetch offset.
func (r *rig) diverges(m *wire.FetchRequest) bool {
	epoch, end := r.endOffsetFor(m.LastFetchedEpoch)
	return m.LastFetchedEpoch >= 0 && (epoch < m.LastFetchedEpoch || end < m.FetchOffset)
}

// endOffsetFor is the source's, whose newest epoch is at least that of every fetch in these tests.
func (r *rig) endOffsetFor(epoch int32) (int32, int64) {
	found := int32(-1)
	for _, b := range r.source {
		if b.LeaderEpoch > epoch {
			return found, b.Base
		}
		found = b.LeaderEpoch
	}
	return found, r.sourceEnd()
}

// serve is the source's leader: everything is committed there.
func (r *rig) serve(m *wire.FetchRequest) *wire.FetchResponse {
	res := &wire.FetchResponse{Partition: m.Partition, LeaderEpoch: r.srcEpoch, FetchOffset: m.FetchOffset, HighWatermark: r.sourceEnd(),
		LastStable: r.sourceEnd(), LogEnd: r.sourceEnd(), Correlation: m.Correlation}
	switch {
	case m.CurrentLeaderEpoch < r.srcEpoch:
		res.Code = wire.FencedLeaderEpoch
	case r.diverges(m):
		res.Diverging = true
		res.DivergingEpoch, res.DivergingOffset = r.endOffsetFor(m.LastFetchedEpoch)
	case m.FetchOffset > r.sourceEnd():
		res.Code = wire.OffsetOutOfRange
	default:
		res.LastStable = r.stable()
		for _, b := range r.source {
			if b.Last >= m.FetchOffset && b.Last < r.bound(m) {
				res.Batches = append(res.Batches, b)
			}
		}
	}
	return res
}

// lags tells whether b1's next fetch would say something new to b0.
func (r *rig) lags() bool {
	return r.files() != nil && r.followed != [2]int64{r.end(), int64(r.reg.LeaderEpoch)<<32 | int64(r.cut)}
}

// follow has b1, which holds what b0 holds, fetch from there.
func (r *rig) follow() {
	r.t.Helper()
	r.followed = [2]int64{r.end(), int64(r.reg.LeaderEpoch)<<32 | int64(r.cut)}
	r.fetchFrom(b1, r.end())
}

// fetchFrom is a fetch of n at offset, with the epoch that b0's log has there.
func (r *rig) fetchFrom(n id.Node, offset int64) {
	r.t.Helper()
	last := int32(-1)
	for _, e := range r.files().Epochs {
		if e.Start < offset {
			last = e.Epoch
		}
	}
	r.fetchAs(n, offset, last)
}

func (r *rig) fetchAs(n id.Node, offset int64, last int32) {
	r.t.Helper()
	r.number++
	r.message(n, &wire.FetchRequest{Partition: tp, Replica: n, CurrentLeaderEpoch: r.reg.LeaderEpoch, LastFetchedEpoch: last,
		FetchOffset: offset, Cut: r.cut, Correlation: r.number})
}
