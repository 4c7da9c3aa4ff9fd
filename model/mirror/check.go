package mirror

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// ask is a topic of a start that the source is asked for: its name and number of partitions (section 2 of the design).
type ask struct {
	topic       id.Topic
	tried       uint8  // brokers of the source
	correlation uint32 // of the question under way
	done        bool
	told        bool
	answer      wire.SourceTopic // where a broker of the source has told
}

func (a *ask) words(dst []uint64) []uint64 {
	return append(dst, uint64(a.topic)|uint64(a.tried)<<16|uint64(flags(a.done, a.told))<<24,
		record.TextWord(a.answer.Name), uint64(a.answer.Partitions))
}

// Check takes an admin's request about mirrors and forwards it to the active controller once this broker has read what the
// controller's validations need and only coordinators or the source know: actual states (D48; a recovery and DeleteMirror
// always), and of topics to be started their names at the source.
func (m *Manager) Check(from id.Node, request wire.Body, env *replica.Env) {
	g := &gather{from: from, request: request}
	switch r := request.(type) {
	case *wire.MirrorTopicsRequest:
		switch {
		case r.Action == wire.StartMirrorTopics:
			g.askSource(r, env)
		case readsActual(r, env):
			for _, t := range r.Topics {
				g.readTopic(r.Mirror, t, env)
			}
		}
	case *wire.DeleteMirrorRequest:
		for i := range env.Image.Topics {
			g.readTopic(r.Mirror, env.Image.Topics[i].Topic, env)
		}
	}
	m.begin(g, env)
}

// readsActual tells whether the validation of a request reads actual states: by D48, but for a stop that D18 accepts from
// every state and for a resume, which is about the desired state. A recovery is about FAILED, which only the actual is.
func readsActual(r *wire.MirrorTopicsRequest, env *replica.Env) bool {
	switch r.Action {
	case wire.StopMirrorTopics:
		return env.Config.ChecksActual() && !r.Deleted && !env.Config.StopAccepted(false, false)
	case wire.PauseMirrorTopics:
		return env.Config.ChecksActual()
	}
	return r.Action == wire.RecoverMirrorTopics
}

// readTopic reads every partition of a topic, if it is in the mirror; otherwise the controller refuses it anyway.
func (g *gather) readTopic(x id.Mirror, t id.Topic, env *replica.Env) {
	topic := env.Image.Topic(t)
	if topic == nil || topic.Mirror != x || topic.Desired == record.WantNone {
		return
	}
	for i := range topic.Partitions {
		g.reads = append(g.reads, read{mirror: x, partition: id.Partition{Topic: t, Index: i}})
	}
}

// askSource has each topic of a start asked for at the source, if the mirror exists here.
func (g *gather) askSource(r *wire.MirrorTopicsRequest, env *replica.Env) {
	if x := env.Image.Mirror(r.Mirror); x == nil || len(x.Bootstrap) == 0 {
		return
	}
	for _, t := range r.Topics {
		g.asks = append(g.asks, ask{topic: t, answer: wire.SourceTopic{Topic: t}})
	}
}

// sendAsks asks for every topic that is not done the broker of the source whose turn it is. Each is asked once; when none is
// left what is not known is not checked.
func (m *Manager) sendAsks(g *gather, env *replica.Env) {
	for i := range g.asks {
		m.sendAsk(g, &g.asks[i], env)
	}
}

func (m *Manager) sendAsk(g *gather, a *ask, env *replica.Env) {
	if a.done {
		return
	}
	x := env.Image.Mirror(g.request.(*wire.MirrorTopicsRequest).Mirror)
	if x == nil || int(a.tried) >= len(x.Bootstrap) {
		a.done = true
		return
	}
	m.sequence++
	a.correlation = m.sequence
	env.Out.Send(x.Bootstrap[a.tried], &wire.MetadataRequest{Partition: id.Partition{Topic: a.topic}, Correlation: m.sequence})
	a.tried++
}

// SourceTold takes the answer of a broker of the source, if a gathering waits for it. One that does not know the topic may be
// behind: the next one is asked, and only when none knows it the source has no such topic.
func (m *Manager) SourceTold(res *wire.MetadataResponse, env *replica.Env) bool {
	for _, g := range m.gathers {
		for i := range g.asks {
			a := &g.asks[i]
			if a.done || a.correlation != res.Correlation {
				continue
			}
			x := env.Image.Mirror(g.request.(*wire.MirrorTopicsRequest).Mirror)
			if x != nil && x.Source == res.Cluster { // a broker of another cluster tells nothing of the source
				a.told, a.done = true, res.Partitions > 0
				a.answer.Name, a.answer.Partitions = res.Name, res.Partitions
			}
			if !a.done {
				m.sendAsk(g, a, env)
			}
			m.proceedGather(g, env)
			return true
		}
	}
	return false
}

// filled is the request with what was read for it.
func (g *gather) filled() wire.Body {
	switch r := g.request.(type) {
	case *wire.MirrorTopicsRequest:
		c := *r
		c.Actual = g.actual()
		for i := range g.asks {
			if g.asks[i].told {
				c.Sources = append(c.Sources, g.asks[i].answer)
			}
		}
		return &c
	case *wire.DeleteMirrorRequest:
		c := *r
		c.Actual = g.actual()
		return &c
	}
	return g.request
}

func (g *gather) actual() []wire.ActualState {
	var list []wire.ActualState
	for i := range g.reads {
		list = append(list, wire.ActualState{Partition: g.reads[i].partition, State: g.reads[i].answer.State.State})
	}
	return list
}

// Forward passes an admin's request to the active controller, with the client that the answer is for.
func Forward(from id.Node, request wire.Body, env *replica.Env) {
	if env.Controller == id.None {
		env.Out.Send(from, wire.Refuse(request, wire.NotController))
		return
	}
	env.Out.Send(env.Controller, wire.ForClient(request, from))
}
