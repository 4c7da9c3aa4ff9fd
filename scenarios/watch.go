package scenarios

import (
	"slices"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/wire"
	"mirrorsim/sim"
)

// watch is what a world's history goes to: the checkers' suite, the results of the scenario's steps, and, when somebody
// tells the story, a listener.
type watch struct {
	suite   *checkers.Suite
	cover   covering
	cluster []id.Cluster         // by node
	clients []clientWork         // by node
	cross   *checkers.CrossCheck // nil: nobody asked for it
	listen  func(*event.Event)
	points  []pointReached // so far
	last    pointReached   // where the last event was: its node and partition
}

// clientWork is what the steps have asked of one client, and what has returned.
type clientWork struct {
	asked, returned int
	steps           []stepWork
}

// stepWork is one step's share of a client's operations: those that return up to the upto-th.
type stepWork struct {
	step, upto int
	code       wire.Code // the first error
}

// ask notes that a step asks n operations of a client.
func (w *watch) ask(step int, client id.Node, n int) {
	c := &w.clients[client]
	c.asked += n
	c.steps = append(c.steps, stepWork{step: step, upto: c.asked})
}

// result is the first error code of a step's operations, and whether all have returned; asked tells whether it had any.
func (w *watch) result(step int) (code wire.Code, done, asked bool) {
	done = true
	for i := range w.clients {
		for _, s := range w.clients[i].steps {
			if s.step != step {
				continue
			}
			asked = true
			done = done && w.clients[i].returned >= s.upto
			if code == wire.OK {
				code = s.code
			}
		}
	}
	return code, done && asked, asked
}

// Observe takes in the next event of the history.
func (w *watch) Observe(e *event.Event) {
	w.suite.Observe(e)
	if w.cross != nil {
		w.cross.Observe(e)
	}
	w.cover.observe(w.suite.Ledger(), e)
	w.note(e)
	if e.Kind == event.ProduceReturned || e.Kind == event.AdminReturned {
		c := &w.clients[e.Node]
		c.returned++
		for i := range c.steps {
			if s := &c.steps[i]; s.upto >= c.returned {
				if s.code == wire.OK {
					s.code = wire.Code(e.To)
				}
				break
			}
		}
	}
	if w.listen != nil {
		w.listen(e)
	}
}

// Clone is a copy that nobody listens to, and that is not cross-checked: a CrossCheck watches one run from its start.
func (w *watch) Clone() sim.Monitor {
	c := &watch{suite: w.suite.Clone(), cover: w.cover.clone(), cluster: w.cluster, clients: slices.Clone(w.clients), points: slices.Clip(w.points), last: w.last}
	for i := range c.clients {
		c.clients[i].steps = slices.Clone(c.clients[i].steps)
	}
	return c
}

// AppendState appends all that a later verdict depends on.
func (w *watch) AppendState(dst []byte) []byte {
	dst = w.suite.AppendState(dst)
	for i := range w.clients {
		dst = append(dst, byte(w.clients[i].returned))
	}
	return dst
}
