package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/record"
)

// A position that an old leader stored may be committed without an event, when a new coordinator loads. The new leader
// records the same one again: the commit is of that, and not of the old leader's.
func TestSamePositionOfTwoLeaders(t *testing.T) {
	for _, c := range []struct {
		name      string
		committed int32 // the leader epoch of the position that is committed
		want      Status
	}{
		{"the new leader's", 1, Holds},
		{"the old leader's", 0, Violated},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := mirrored()
			b.store(clusterB, record.Stopping)
			x := event.Event{Mirror: mirrorM, Peer: b0, BatchEpoch: 0, Offset: 3, Sequence: b.run[clusterB]}
			b.on(event.PositionStored, b1, x)
			b.elect(clusterB, b0, event.EpochBump)
			b.store(clusterB, record.Stopping)
			x.LeaderEpoch = 1
			b.on(event.PositionStored, b1, x)
			x.LeaderEpoch = c.committed
			b.on(event.PositionCommitted, b1, x)
			if v := verdictOf(t, judge(t, b.events), LegalState.String()); v.Status != c.want {
				t.Errorf("%v %+v, want %v", v.Status, v.Violations, c.want)
			}
		})
	}
}
