package scenarios

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/sim"
)

// order says which moves of a state may as well be made behind the calm one, in the state that it leads to. EXPLORE.md has the
// argument.
type order struct {
	*sim.Lookahead
	on      bool // something may be left out here
	state   *state
	enabled []sim.Action // the calm one first
	left    int          // departures
	crash   bool         // a crash is left
	once    bool         // there is but one in a run
}

// orderOf is asked with the enabled actions of s, the calm one first.
func (e *expander) orderOf(s *state, enabled []sim.Action) order {
	o := order{Lookahead: e.ahead, state: s, enabled: enabled, left: e.options.Departures - int(s.departures),
		crash: int(s.crashes) < e.options.Crashes, once: e.options.Crashes == 1}
	o.on = !e.options.AllOrders && o.At(s.world, enabled)
	return o
}

// sees tells whether it is to be seen what the calm move leads to: where no checker hears of it and time does not go on, the run does
// nothing by itself.
func (o *order) sees() bool { return o.on && !(o.CalmSilent() && o.More(id.None)) }

// saw is told what the calm move led to. Where the run went on by itself, or violates something, all moves are made before.
func (o *order) saw(after *state) {
	s := o.state
	o.on = o.on && !after.over && after.world.Now() == s.world.Now() && after.at.next == s.at.next &&
		after.at.phase == s.at.phase && len(after.due) == len(s.due) && len(after.result.Failures) == len(s.result.Failures) && after.watch().suite.Fallen() == s.watch().suite.Fallen()
}

// departs tells whether the ith enabled action may come behind the calm one.
func (o *order) departs(i int) bool {
	if !o.on || o.left > 2 || o.left == 2 && o.crash {
		return false
	}
	late := o.Late(i)
	switch {
	case !late.OK:
		return false
	case o.state.down != 0 && !(late.Alone && late.Sends&o.state.down == 0):
		return false
	case o.crash && (late.Points || o.CalmPoints() || !o.Steady(i) || !late.Alone || !late.SameDisk || late.Sends != 0):
		return false
	}
	return o.left == 1 || late.Alone && o.Follow(i, o.state.down)
}

// A crash, and a start with what it recovers, are events too. deafTo are the kinds of events that say the same to the checkers
// right before another node's crash or start and right behind it: a test makes both orders of each. A state that is stored is
// none of them: what a stop begins with is read from all replicas.
var deafTo = deaf(event.Appended, event.Truncated, event.HighWatermark, event.EpochAdded, event.FetchAnswered, event.BecameLeader,
	event.BecameFollower, event.ProducersReset, event.ReplicaReported, event.EpochReported, event.ProducerReported, event.IntentSeen,
	event.IntentChanged, event.PartitionChanged, event.StateReadCalled, event.StateReadReturned, event.StateWriteCalled,
	event.StateWriteReturned, event.StateCommitted, event.StateEntered, event.PositionWriteCalled, event.PositionWriteReturned,
	event.PositionStored, event.PositionCommitted, event.PositionRecalled, event.LookupReturned, event.Aligned,
	event.MirrorFetchStarted, event.MirrorFetched, event.MirrorFetchStopped, event.StopStepDone, event.WritableChanged,
	event.ProduceCalled, event.ProduceSent, event.ProduceReturned, event.AdminCalled)

func deaf(kinds ...event.Kind) (set [event.Kinds]bool) {
	for _, k := range kinds {
		set[k] = true
	}
	return set
}

func (o *order) deaf(i int) bool {
	return !slices.ContainsFunc(o.Kinds(i), func(k event.Kind) bool { return !deafTo[k] })
}

// allDeaf tells whether all that could be done next is deaf to the crash of n.
func (o *order) allDeaf(n id.Node) bool {
	for i := range o.enabled {
		if o.enabled[i].Node != n && !o.deaf(i) {
			return false
		}
	}
	return true
}

// crashes tells whether the crash of n, not to be started at once, may come behind the calm move. If nothing were left to happen
// then, the run would go on by itself in the same turn, in which n cannot be started.
func (o *order) crashes(n id.Node) bool {
	return o.on && o.once && n != o.enabled[0].Node && o.More(n) && o.deaf(0) && (o.left == 0 || o.allDeaf(n))
}

// starts tells whether the start of n may.
func (o *order) starts(n id.Node) bool {
	return o.on && o.once && n != o.enabled[0].Node && o.deaf(0) && o.left == 0 && !o.CalmSends().Has(n) && o.CalmBefore()
}
