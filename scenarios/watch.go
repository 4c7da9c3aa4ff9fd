package scenarios

import (
	"slices"
	"sync/atomic"

	"mirrorsim/checkers"
	"mirrorsim/faults"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
)

// watch is what a world's history goes to: the checkers' suite, the results of the scenario's steps, and, when somebody
// tells the story, a listener.
type watch struct {
	suite   *checkers.Suite
	cover   covering
	reach   reaching
	cost    costing
	lean    bool                 // cover, reach and cost are nobody's business
	cluster []id.Cluster         // by node
	clients []clientWork         // by node
	cross   *checkers.CrossCheck // nil: nobody asked for it
	listen  func(*event.Event)
	topics  []namedTopic          // in the order in which the names were first used
	bare    func(id.Topic) string // the name of a topic, also of one that was created anew
	points  []pointReached        // so far
	last    pointReached          // where the last event was: its node and partition
	holders atomic.Int32          // how many worlds share it at most; 0: it is one world's alone
}

// clientWork is what the steps have asked of one client, and what has returned.
type clientWork struct {
	asked, returned int
	steps           []stepWork
	mirrored        []oldRequest // the last mirror requests of an admin's steps, newest last, at most faults.MostRepeated
}

// oldRequest is a request that an admin may be asked to repeat, and how many results it has.
type oldRequest struct {
	request wire.Body
	results int
}

// stepWork is one step's share of a client's operations: those that return up to the upto-th, or of an admin its request.
type stepWork struct {
	of         *format.Step // nil: the act is no step of a scenario
	step, upto int
	op         uint32             // of an admin's request; 0 before it is called
	waits      int                // results of an admin's request that have not come yet
	code       wire.Code          // the first error
	topics     []wire.TopicResult // of an admin's request
}

// done tells whether all of the step's operations have returned. Requests of one admin may return in another order.
func (s *stepWork) done(c *clientWork) bool {
	if s.op != 0 {
		return s.waits == 0
	}
	return c.returned >= s.upto
}

// ask notes that a step, which is that of the scenario, asks n operations of a client, or of an admin a request with n results,
// and answers which of the client's steps it is.
func (w *watch) ask(of *format.Step, step int, client id.Node, n int) int {
	c := &w.clients[client]
	c.asked += n
	c.steps = append(c.steps, stepWork{of: of, step: step, upto: c.asked, waits: n})
	return len(c.steps) - 1
}

// remember keeps a request of a step for a script that repeats it: those that start, stop, pause, resume and recover topics, and
// that create and delete mirrors.
func (w *watch) remember(admin id.Node, request wire.Body, results int) {
	switch request.(type) {
	case *wire.MirrorTopicsRequest, *wire.CreateMirrorRequest, *wire.DeleteMirrorRequest:
	default:
		return
	}
	c := &w.clients[admin]
	if len(c.mirrored) == faults.MostRepeated {
		c.mirrored = c.mirrored[1:]
	}
	c.mirrored = append(slices.Clip(c.mirrored), oldRequest{request, results}) // clipped: a fork may append too
}

// requested is the nth last of what an admin remembers, from 1, and how many results it has; nil if that is too far back.
func (w *watch) requested(admin id.Node, nth int) (request wire.Body, results int) {
	old := w.clients[admin].mirrored
	if nth > len(old) {
		return nil, 0
	}
	x := old[len(old)-nth]
	return x.request, x.results
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
			done = done && s.done(&w.clients[i])
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
	if !w.lean {
		w.cover.observe(w.suite.Ledger(), e)
		w.reach.observe(w.suite.Ledger(), w.cluster, e)
		w.cost.observe(w.suite.Ledger(), e)
	} else if e.Kind == event.PointReached {
		w.reach.node = e.Node // who is there
	}
	w.note(e)
	switch e.Kind {
	case event.TopicCreated:
		w.topicCreated(topicOn{w.cluster[e.Node], w.bare(e.Partition.Topic)}, e.Partition.Topic)
	case event.AdminCalled:
		w.clients[e.Node].called(e.Op)
	case event.AdminReturned:
		w.clients[e.Node].adminReturned(e)
	case event.ProduceReturned, event.TransactionReturned, event.GroupReturned:
		w.clients[e.Node].operationReturned(wire.Code(e.To))
	}
	if w.listen != nil {
		w.listen(e)
	}
}

// called takes the operation of the next step of an admin: requests are called in the order of the steps.
func (c *clientWork) called(op uint32) {
	for i := range c.steps {
		switch c.steps[i].op {
		case op: // another topic of the same request
			return
		case 0:
			c.steps[i].op = op
			return
		}
	}
}

// adminReturned takes one result of a request. One that is not for topics has it for the topic of its partition.
func (c *clientWork) adminReturned(e *event.Event) {
	c.returned++
	for i := range c.steps {
		if s := &c.steps[i]; s.op == e.Op {
			s.take(wire.Code(e.To))
			s.topics = append(s.topics, wire.TopicResult{Topic: e.Partition.Topic, Code: wire.Code(e.To)})
			s.waits--
			return
		}
	}
}

// operationReturned takes the result of an operation for the oldest step that waits for one.
func (c *clientWork) operationReturned(code wire.Code) {
	c.returned++
	for i := range c.steps {
		if s := &c.steps[i]; s.upto >= c.returned {
			s.take(code)
			return
		}
	}
}

func (s *stepWork) take(code wire.Code) {
	if s.code == wire.OK {
		s.code = code
	}
}

// topicResult is the result of a step for the topic that is meant; ok is false while it is pending, or when the step has
// none for it.
func (w *watch) topicResult(step int, is func(id.Topic) bool) (code wire.Code, ok bool) {
	for i := range w.clients {
		for _, s := range w.clients[i].steps {
			for _, r := range s.topics {
				if s.step == step && is(r.Topic) {
					return r.Code, true
				}
			}
		}
	}
	return wire.OK, false
}

// Share says that one more world holds it, and that clones will be taken, by several goroutines at a time.
func (w *watch) Share() {
	if w.holders.Load() == 0 {
		w.holders.Store(1)
		w.suite.Share()
	}
	w.holders.Add(1)
}

// Own is the watch itself if no other world holds it and nobody listens to it, or else a clone. A world gives up its hold only when
// it has its clone, so that nobody changes what is being cloned.
func (w *watch) Own() sim.Monitor {
	if w.holders.Load() <= 1 && w.listen == nil && w.cross == nil {
		w.holders.Store(0)
		return w
	}
	c := w.Clone()
	w.holders.Add(-1)
	return c
}

// Clone is a copy that nobody listens to, and that is not cross-checked: a CrossCheck watches one run from its start.
func (w *watch) Clone() sim.Monitor {
	c := &watch{suite: w.suite.Clone(), lean: w.lean, cover: w.cover, reach: w.reach, cost: w.cost,
		cluster: w.cluster, clients: slices.Clone(w.clients), points: slices.Clip(w.points), last: w.last, topics: slices.Clone(w.topics), bare: w.bare}
	if !w.lean {
		c.cover, c.reach, c.cost = w.cover.clone(), w.reach.clone(), w.cost.clone()
	}
	for i := range c.clients {
		steps := slices.Clone(c.clients[i].steps)
		for k := range steps {
			steps[k].topics = slices.Clip(steps[k].topics)
		}
		c.clients[i].steps = steps
	}
	return c
}

// AppendState appends all that a later verdict depends on.
func (w *watch) AppendState(dst []byte) []byte {
	dst = w.suite.AppendState(dst)
	for i := range w.clients {
		dst = append(dst, byte(w.clients[i].returned))
		for k := range w.clients[i].steps {
			x := &w.clients[i].steps[k]
			dst = append(dst, byte(x.code), byte(x.waits))
			for _, r := range x.topics {
				dst = append(dst, byte(r.Topic>>8), byte(r.Topic), byte(r.Code))
			}
		}
	}
	for _, x := range w.topics {
		dst = append(dst, byte(x.on.cluster), byte(x.topic>>8), byte(x.topic))
	}
	return dst
}
