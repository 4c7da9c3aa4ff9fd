package coordinator

import (
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
)

// edges are the edges of Machine that are legal under every option, as sets of states from which a state may be stored.
var edges = legalAlways(Machine())

// conditional are those that a decision makes legal.
var conditional = legalSometimes(Machine())

func legalAlways(rows []Row) (sets [record.States]uint16) {
	for _, r := range rows {
		for _, e := range r.From {
			if e.only == nil {
				sets[r.State] |= 1 << e.State
			}
		}
	}
	return sets
}

// taken tells whether leaders that know of a partition's state take it over the edge under c, once it is in that state. A legal edge to which a decision leads
// is not taken under its other options.
func (e *Edge) taken(c *protocol.Config) bool {
	switch {
	case e.Unaware:
		return false
	case e.Mark == ifActsFirst:
		return !c.PersistsFirst() && c.FailureIsState()
	case e.Mark == ifFenced:
		_, fences := c.Floor().Bump(1, 1, 0)
		return fences
	case e.Mark == ifRecovers:
		d := c.OnDivergence()
		return d == protocol.DivergenceFails || d == protocol.DivergenceRecovers
	case e.Mark == ifFailed:
		return c.FailureIsState()
	}
	return e.only == nil || e.only(c)
}

// Taken are the edges, from and to, over which leaders that know of a partition's state take it under c, from UNKNOWN on: those of
// which c leads to the state that they leave.
func Taken(c *protocol.Config) (edges [record.States][record.States]bool) {
	reached := [record.States]bool{record.Unknown: true}
	for more := true; more; {
		more = false
		for _, row := range Machine() {
			for _, e := range row.From {
				if reached[e.State] && e.taken(c) && !edges[e.State][row.State] {
					edges[e.State][row.State], reached[row.State], more = true, true, true
				}
			}
		}
	}
	return edges
}

// guarded is an edge with the decision that makes it legal.
type guarded struct {
	from, to record.State
	only     func(*protocol.Config) bool
}

func legalSometimes(rows []Row) (list []guarded) {
	for _, r := range rows {
		for _, e := range r.From {
			if e.only != nil {
				list = append(list, guarded{e.State, r.State, e.only})
			}
		}
	}
	return list
}

// Legal tells whether the state to may be stored over the state from (section 3 of the design). A self-edge is always
// legal; it runs the state's action again.
func Legal(from, to record.State, c *protocol.Config) bool {
	if from == to && to != record.Unknown || edges[to]&(1<<from) != 0 {
		return true
	}
	for _, g := range conditional {
		if g.from == from && g.to == to {
			return g.only(c)
		}
	}
	return false
}
