package mirror

import (
	"encoding/binary"

	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// gather collects, on behalf of somebody else, what coordinators store and what other clusters say, before a request is
// answered here or passed on: a position lookup, a description, or an admin's request on its way to the controller.
type gather struct {
	slot     uint16
	from     id.Node
	request  wire.Body
	reads    []read
	asks     []ask // of a start
	chain    chain // of a lookup
	attempts uint8
}

// read is what the coordinator stores of a partition under a mirror.
type read struct {
	mirror      id.Mirror
	partition   id.Partition
	counts      bool // of a lookup: the position is one of those that it asks for
	correlation uint32
	answer      *wire.ReadMirrorStatesResponse // nil while it is waited for
}

// begin asks for what g lacks.
func (m *Manager) begin(g *gather, env *replica.Env) {
	i := 0
	for i < len(m.gathers) && m.gathers[i].slot == uint16(i) {
		i++
	}
	g.slot = uint16(i)
	m.gathers = append(m.gathers, nil)
	copy(m.gathers[i+1:], m.gathers[i:])
	m.gathers[i] = g
	if g.complete() {
		m.finish(g, wire.OK, env)
		return
	}
	m.sendReads(g, env)
	m.sendAsks(g, env)
	env.Out.Arm(gatherTimer(g), env.Settings.FetchTimeout, 0)
}

// sendReads asks every coordinator that has not answered yet.
func (m *Manager) sendReads(g *gather, env *replica.Env) {
	for i := range g.reads {
		r := &g.reads[i]
		if r.answer != nil {
			continue
		}
		m.sequence++
		r.correlation = m.sequence
		if to := coordinatorOf(r.mirror, r.partition, env); to != id.None {
			env.Out.Send(to, &wire.ReadMirrorStatesRequest{Mirror: r.mirror, Partition: r.partition,
				Life: env.Image.Life(r.mirror, r.partition.Topic), Correlation: m.sequence})
		}
	}
}

func gatherTimer(g *gather) node.Timer {
	return node.Timer{Kind: TimerGather, Partition: id.Partition{Index: g.slot}}
}

// gathered takes a coordinator's answer if a gathering waits for it. A lookup and a description pass a failure on at once,
// for who asked decides (D13) or asks again; a check asks again after a back-off, until the client's request has timed out.
func (m *Manager) gathered(res *wire.ReadMirrorStatesResponse, env *replica.Env) bool {
	for _, g := range m.gathers {
		for i := range g.reads {
			if g.reads[i].answer != nil || g.reads[i].correlation != res.Correlation {
				continue
			}
			switch {
			case res.Code == wire.OK:
				g.reads[i].answer = res
				m.proceedGather(g, env)
			case g.once():
				m.finish(g, res.Code, env)
			default:
				env.Out.Arm(gatherTimer(g), env.Settings.RetryBackoff, env.Settings.RetryBackoff/5)
			}
			return true
		}
	}
	return false
}

// once tells whether a gathering gives up at the first failure.
func (g *gather) once() bool {
	switch g.request.(type) {
	case *wire.LastMirroredPositionRequest, *wire.DescribeMirrorsRequest:
		return true
	}
	return false
}

// proceedGather ends a gathering that has all it asked for, unless that gives it something more to ask.
func (m *Manager) proceedGather(g *gather, env *replica.Env) {
	if g.complete() && !m.asksUpstream(g, env) {
		m.finish(g, wire.OK, env)
	}
}

func (g *gather) complete() bool {
	for i := range g.reads {
		if g.reads[i].answer == nil {
			return false
		}
	}
	for i := range g.asks {
		if !g.asks[i].done {
			return false
		}
	}
	return true
}

// gatherTries bounds how often a check asks: about as long as a client waits.
const gatherTries = 15

func (m *Manager) gatherAgain(slot uint16, env *replica.Env) {
	for _, g := range m.gathers {
		if g.slot != slot {
			continue
		}
		if g.attempts++; g.once() || g.attempts > gatherTries {
			m.finish(g, wire.RequestTimedOut, env)
			return
		}
		m.sendReads(g, env)
		m.sendAsks(g, env)
		if g.complete() {
			m.finish(g, wire.OK, env)
			return
		}
		env.Out.Arm(gatherTimer(g), env.Settings.FetchTimeout, 0)
		return
	}
}

// finish answers the request, or forwards it with what was read.
func (m *Manager) finish(g *gather, code wire.Code, env *replica.Env) {
	for i := range m.gathers {
		if m.gathers[i] == g {
			m.gathers = append(m.gathers[:i], m.gathers[i+1:]...)
			break
		}
	}
	env.Out.Cancel(gatherTimer(g))
	switch r := g.request.(type) {
	case *wire.LastMirroredPositionRequest:
		env.Out.Send(g.from, g.position(r, code, env))
	case *wire.DescribeMirrorsRequest:
		env.Out.Send(g.from, m.described(g, r, code, env))
	default:
		if code != wire.OK {
			env.Out.Send(g.from, wire.Refuse(r, code))
			return
		}
		Forward(g.from, g.filled(), env)
	}
}

func (g *gather) clone() *gather {
	c := *g
	c.reads = append([]read(nil), g.reads...)
	c.asks = append([]ask(nil), g.asks...)
	return &c
}

// appendGathers appends the gatherings under way, correlations apart.
func (m *Manager) appendGathers(dst []byte) []byte {
	dst = append(dst, m.upstream)
	for _, g := range m.gathers {
		words := []uint64{uint64(g.from) | uint64(g.attempts)<<8 | uint64(g.slot)<<16 | uint64(g.request.API())<<32, uint64(len(g.reads)),
			uint64(g.chain.mirror) | uint64(flags(g.chain.stopping, g.chain.asked != 0))<<8, uint64(len(g.asks))}
		words = g.request.Words(words)
		for i := range g.reads {
			r := &g.reads[i]
			words = append(words, uint64(r.mirror)|uint64(r.partition.Word())<<8|uint64(flags(r.counts))<<40)
			if r.answer != nil {
				words = r.answer.Words(words)
			}
		}
		for i := range g.asks {
			words = g.asks[i].words(words)
		}
		for _, w := range words {
			dst = binary.LittleEndian.AppendUint64(dst, w)
		}
	}
	return dst
}
