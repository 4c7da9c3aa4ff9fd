package scenarios

import (
	"mirrorsim/faults"
	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/scenarios/format"
)

// hasty has, in some windows, the operator stop what has only just been started, and start it again, while its leaders hear of it
// late: they find themselves stopped in whatever state it has come to. In other windows the source is cut off while the states are
// stored one after another, so that one of them is left by a failure. Light faults promise more than that.
func (g *generator) hasty(from, to string) {
	odds := 10
	if len(g.moments) > 1 {
		odds = 30 // the source's epochs are above this cluster's now: there is more to be stopped in
	}
	if !g.level.Budget().Portfolio || !g.chance(hastyOf, odds) {
		return
	}
	begin := g.moments[len(g.moments)-1]
	if g.ask(hastyOf, 2) == 1 {
		states := g.s.Topics[0].Partitions * (1 + g.ask(hastyOf, 3))
		f := faults.Fault{Kind: faults.Cut, Target: faults.Target{Node: from, Peer: to}, For: id.Second * id.Duration(5+g.ask(offsetOf, 30))}
		nth := uint32(states + 1 + g.ask(nthStateOf, g.s.Topics[0].Partitions))
		g.at(begin, &format.Fault{Plan: faults.Planned{Fault: f, When: faults.When{Point: point.StateStored, Nth: nth}}})
		return
	}
	after := func(least, steps int) id.Duration {
		return begin + 10*id.Millisecond*id.Duration(least+g.ask(offsetOf, steps))
	}
	deaf, long := after(5, 5), id.Second*id.Duration(1+g.ask(offsetOf, 6))
	for n := range g.s.Topics[0].Partitions {
		g.fault(deaf, faults.Fault{Kind: faults.Stale, Target: faults.Target{Node: g.broker(to, n)}, For: long})
	}
	stop := after(9, 8)
	g.at(stop, request(format.StopTopics, to))
	g.at(stop+id.Second*id.Duration(3+g.ask(offsetOf, 5)), request(format.StartTopics, to))
}

// pauseAtStop has, in some runs with pauses, the operator pause the topic right before he stops it. In some of these a leader goes
// down when its PAUSING is stored, so that the next one finds a pause half done and the topic stopped.
func (g *generator) pauseAtStop(to string) {
	if !g.x.pauses || !g.chance(pausesOf, 75) {
		return
	}
	if !g.level.Budget().Portfolio || g.ask(pausesOf, 2) == 0 {
		g.at(g.now, request(format.PauseTopics, to))
		g.now += id.Millisecond * id.Duration(g.ask(offsetOf, 12))
		return
	}
	f := faults.Fault{Kind: faults.Crash, Target: faults.Target{Role: faults.There}, For: 15 * id.Second}
	g.at(g.now, &format.Fault{Plan: faults.Planned{Fault: f, When: faults.When{Point: point.StateStored, Nth: 1}}})
	g.at(g.now, request(format.PauseTopics, to))
	g.now += 500 * id.Millisecond * id.Duration(1+g.ask(offsetOf, 8))
}
