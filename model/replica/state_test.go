package replica

import (
	"testing"

	"mirrorsim/model/plog"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/apart"
)

// A replica's state tells apart whatever its future depends on (architecture, "Forks"). Left out are correlations; what its
// registration and its topic say, which the broker's image has; and what the broker takes before the step ends.
func TestStateTellsFieldsApart(t *testing.T) {
	apart.Found(t, 40)(apart.Collisions(func() *Replica {
		return &Replica{Log: &plog.Log{}, followers: make([]follower, 1), waiters: make([]Waiter, 1), parked: []parked{{req: &wire.FetchRequest{}}}}
	}, func(r *Replica) []byte { return r.AppendState(nil) }, ".Done", ".Progress", ".minISR", ".createdAt", ".alters", ".fetches",
		".followers.fetch", ".waiters.Base", ".waiters.Correlation", ".parked in length"))
}
