package replica

import (
	"encoding/binary"
	"fmt"

	"mirrorsim/model/id"
)

// AppendState appends the replica's memory in a canonical form, correlations apart.
func (r *Replica) AppendState(dst []byte) []byte {
	word := func(v uint64) { dst = binary.LittleEndian.AppendUint64(dst, v) }
	dst = r.Log.AppendState(dst)
	word(uint64(r.Role)<<8 | id.Bit64(r.Failed)<<2 | id.Bit64(r.followsSource)<<1 | id.Bit64(r.mirrored))
	if r.Reg != nil {
		word(uint64(r.Reg.LeaderEpoch)<<32 | uint64(uint32(r.Reg.PartitionEpoch)))
	}
	word(uint64(r.epochStart))
	word(uint64(r.aligned))
	word(uint64(r.cuts)<<32 | uint64(r.heardCuts))
	word(uint64(r.pending))
	for i := range r.followers {
		f := &r.followers[i]
		word(uint64(f.node) | id.Bit64(f.recent)<<8 | id.Bit64(f.strayed)<<9 | uint64(f.cut)<<16)
		word(uint64(f.end))
		word(uint64(uint32(f.lastEpoch)))
		word(uint64(f.leaderEnd))
		word(uint64(f.sentHW))
	}
	for _, w := range r.waiters {
		word(uint64(w.Kind)<<8 | uint64(w.To))
		word(uint64(w.End))
	}
	for _, p := range r.parked {
		word(uint64(p.from))
		word(uint64(p.req.FetchOffset))
		word(uint64(uint32(p.req.LastFetchedEpoch))<<32 | uint64(uint32(p.req.CurrentLeaderEpoch)))
	}
	return dst
}

// Waits says in words what waits on this replica.
func (r *Replica) Waits(name string, yield func(string) bool) bool {
	for _, w := range r.waiters {
		if !yield(fmt.Sprintf("%s: the batch at %d waits for the high watermark (%d) to pass it", name, w.Base, r.Log.HighWatermark())) {
			return false
		}
	}
	if r.pending != 0 && !yield(name+": an ISR change waits for the controller") {
		return false
	}
	return true
}
