package mirror

import (
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/apart"
)

// A manager's state tells apart whatever its future depends on (architecture, "Forks"). Left out are correlations, of which only
// counts whether there is one; what a state that is stored later gets when it is sent; where the world is, which shows in it;
// and what does not outlast the step in which it comes to be.
func TestStateTellsFieldsApart(t *testing.T) {
	found := apart.Found(t, 15)
	state := func(m *Manager) []byte { return m.AppendState(nil) }
	found(apart.Collisions(func() *Manager {
		p := &partition{behind: make([]record.MirrorState, 1), lowering: lowering{acked: make([]bool, 1)}}
		return &Manager{partitions: []*partition{p}}
	}, state, ".sequence", ".points", ".partitions.correlation", ".partitions.fetcher.correlation", ".partitions.behindCorrelation",
		".partitions.lowering.correlation", ".partitions.behind.Kind", ".partitions.behind.Mirror", ".partitions.behind.Partition",
		".partitions.behind.Tombstone", ".partitions.behind.Life", ".partitions.behind.Epoch", ".partitions.behind.Offset",
		".partitions.behind.Previous", ".partitions.behind.LeaderEpoch", ".partitions.behind.StateEpoch"))
	found(apart.Collisions(func() *Manager {
		g := &gather{request: &wire.LastMirroredPositionRequest{}, reads: make([]read, 1), asks: make([]ask, 1)}
		return &Manager{gathers: []*gather{g}, passes: []*pass{{}}, newest: make([]int64, 1)}
	}, state, ".sequence", ".points", ".gathers.reads.correlation", ".gathers.asks.correlation", ".gathers.asks.answer.Topic",
		".gathers.chain.asked", ".gathers.chain.loops", ".passes.correlation"))
	found(apart.Collisions(func() *Manager {
		return &Manager{syncs: []*groupSync{{listing: make([]listed, 1), offsets: make([]groupOffset, 1)}}}
	}, state, ".sequence", ".points", ".syncs.listing.correlation", ".syncs.offsets.correlation"))
	states := map[string]bool{}
	for _, at := range []reached{{}, {id.Partition{Topic: 1}, point.StateStored}, {id.Partition{Topic: 1}, point.LogAligned},
		{id.Partition{Topic: 2}, point.StateStored}} {
		m := &Manager{partitions: []*partition{{id: id.Partition{Topic: 1}, phase: atPoint}, {id: id.Partition{Topic: 2}, phase: atPoint}}}
		if at.point != point.None {
			m.points = []reached{at}
		}
		states[string(state(m))] = true
	}
	if len(states) != 4 {
		t.Errorf("at four places there are %d states", len(states))
	}
}
