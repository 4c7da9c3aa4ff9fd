package txn

import (
	"testing"

	"mirrorsim/model/wire"
	"mirrorsim/scenarios/apart"
)

// The state of a coordinator and of a verifier tells apart whatever its future depends on (architecture, "Forks"). Left out are
// correlations, what is read from the log, where the world is, and whom the coordinator has heard, which only keeps late requests out.
func TestStateTellsFieldsApart(t *testing.T) {
	found := apart.Found(t, 12)
	found(apart.Collisions(func() *Coordinator {
		return &Coordinator{shards: []*shard{{entries: []entry{{markers: make([]marker, 1)}}}}}
	}, func(c *Coordinator) []byte { return c.AppendState(nil) }, ".Heard", ".sequence", ".points", ".shards.goal", ".shards.entries.known",
		".shards.entries.stored", ".shards.entries.next", ".shards.entries.reply.correlation", ".shards.entries.markers.correlation"))
	found(apart.Collisions(func() *Coordinator { return &Coordinator{shards: []*shard{{entries: make([]entry, 1)}}} },
		func(c *Coordinator) []byte { return c.AppendState(nil) }, ".Heard", ".sequence", ".points", ".shards.goal",
		".shards.entries.known", ".shards.entries.stored", ".shards.entries.next", ".shards.entries.reply.correlation"))
	found(apart.Collisions(func() *Verifier { return &Verifier{held: []held{{requests: []*wire.ProduceRequest{}}}} },
		func(v *Verifier) []byte { return v.AppendState(nil) }, ".sequence", ".held.correlation"))
}
