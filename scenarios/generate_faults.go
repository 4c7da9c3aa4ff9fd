package scenarios

import (
	"slices"

	"mirrorsim/faults"
	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
)

// hit adds the faults of the level to the steps.
func (g *generator) hit() {
	plan := faults.Draw(g.c, g.level.Budget(), g.field())
	for _, p := range plan {
		at := p.When.At
		p.When.At = 0
		g.insert(format.Step{When: format.When{Kind: format.At, Time: at}, Do: &format.Fault{Plan: p}})
	}
}

// field is where faults may fall.
func (g *generator) field() faults.Field {
	f := faults.Field{Moments: g.moments, End: max(g.now, id.Second)}
	for i := range g.s.Clusters {
		c := &g.s.Clusters[i]
		side := faults.Side{Name: c.Name, Log: c.Log()}
		for b := range c.Brokers {
			side.Brokers = append(side.Brokers, c.Node(b))
		}
		for k := range c.Controllers {
			side.Controllers = append(side.Controllers, c.Controller(k))
		}
		f.Sides = append(f.Sides, side)
	}
	f.Roles = g.roles()
	return f
}

// insert adds a step that has a time before the first step that has a later one. Steps without a time stay behind the
// one that they follow, so a wait may have the fault fall late; it never waits for a fault.
func (g *generator) insert(step format.Step) {
	i := 0
	for k := range g.s.Steps {
		if w := g.s.Steps[k].When; w.Kind == format.At && w.Time <= step.When.Time {
			i = k + 1
		}
	}
	g.s.Steps = slices.Insert(g.s.Steps, i, step)
}

// live adds the second phase. In about half of the runs with faults a node is down in it for good, or a whole cluster
// that the operator has given up.
func (g *generator) live() {
	live := &format.Live{}
	if g.level != faults.None {
		live.Core = g.core()
	}
	g.s.Steps = append(g.s.Steps, format.Step{When: format.When{Kind: format.At, Time: g.now}, Do: live})
}

// core is the brokers that live on, nil for all. A side that lives loses one broker at most: then every partition has a
// replica, and as many as min.insync.replicas asks for.
func (g *generator) core() []string {
	permanent := g.chance(coreOf, 55)
	if !permanent && g.lost == "" {
		return nil
	}
	loser := g.ask(coreOf, 3) // A, B or both
	var list []string
	for i := range g.s.Clusters {
		c := &g.s.Clusters[i]
		down := -1
		if permanent && (loser == i || loser == 2) {
			down = g.ask(whichBroker, c.Brokers)
		}
		for b := range c.Brokers {
			if b != down && c.Name != g.lost {
				list = append(list, c.Node(b))
			}
		}
	}
	return list
}
