package mirror

import (
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// gather collects what coordinators store, on behalf of somebody else: of one partition under every mirror whose source
// was the asker (a position lookup), or of every partition of some topics (a request that D48 checks against the actual
// states before it goes to the controller).
type gather struct {
	slot     uint16
	from     id.Node
	lookup   *wire.LastMirroredPositionRequest // one of the two
	topics   *wire.MirrorTopicsRequest
	reads    []read
	attempts uint8
	reverse  id.Mirror // in which the looked up topic is mirrored from the asker's cluster, where D20 asks; 0: in none
	stopping bool      // that mirror is desired to be stopped
}

type read struct {
	mirror      id.Mirror
	partition   id.Partition
	correlation uint32
	answer      *wire.ReadMirrorStatesResponse // nil while it is waited for
}

// LookUp begins to answer a position lookup of another cluster: the mirrors are found from this broker's metadata, their
// coordinators are read, and the answer is taken over them (D22; section 6 of the design).
func (m *Manager) LookUp(from id.Node, req *wire.LastMirroredPositionRequest, env *replica.Env) {
	g := &gather{from: from, lookup: req}
	for _, r := range env.Image.Mirrors {
		if r.Source == req.Asker && (env.Config.LookupOver() != protocol.LookupSameName || r.Mirror == req.Mirror) {
			g.reads = append(g.reads, read{mirror: r.Mirror, partition: req.Partition})
		}
	}
	g.findReverse(env)
	m.begin(g, env)
}

// findReverse notes the mirror that brings the topic here from the asker's cluster, and reads its state too (D20).
func (g *gather) findReverse(env *replica.Env) {
	t := env.Image.Topic(g.lookup.Partition.Topic)
	if !env.Config.ChecksReverse() || t == nil || t.Desired == record.WantNone {
		return
	}
	if r := env.Image.Mirror(t.Mirror); r == nil || r.Source != g.lookup.Asker {
		return
	}
	g.reverse, g.stopping = t.Mirror, t.Desired == record.WantStopped
	for i := range g.reads {
		if g.reads[i].mirror == g.reverse {
			return
		}
	}
	g.reads = append(g.reads, read{mirror: g.reverse, partition: g.lookup.Partition})
}

// reverseActive tells whether that mirror is not STOPPED. One that reads UNKNOWN may have its first state under way; only
// where a stop leaves it so for good (D46) it counts as stopped.
func (g *gather) reverseActive(env *replica.Env) bool {
	for i := range g.reads {
		if g.reads[i].mirror == g.reverse {
			s := g.reads[i].answer.State.State
			return s != record.Stopped && !(s == record.Unknown && g.stopping && !env.Config.StopsUnknown())
		}
	}
	return false
}

// CheckActual reads the actual states of the topics' partitions, puts them into the request and forwards it (D48).
func (m *Manager) CheckActual(from id.Node, req *wire.MirrorTopicsRequest, env *replica.Env) {
	g := &gather{from: from, topics: req}
	for _, t := range req.Topics {
		topic := env.Image.Topic(t)
		if topic == nil || topic.Mirror != req.Mirror {
			continue // the controller refuses it
		}
		for i := range topic.Partitions {
			g.reads = append(g.reads, read{mirror: req.Mirror, partition: id.Partition{Topic: t, Index: i}})
		}
	}
	m.begin(g, env)
}

func (m *Manager) begin(g *gather, env *replica.Env) {
	i := 0
	for i < len(m.gathers) && m.gathers[i].slot == uint16(i) {
		i++
	}
	g.slot = uint16(i)
	m.gathers = append(m.gathers, nil)
	copy(m.gathers[i+1:], m.gathers[i:])
	m.gathers[i] = g
	if len(g.reads) == 0 {
		m.finish(g, wire.OK, env)
		return
	}
	m.sendReads(g, env)
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
			env.Out.Send(to, &wire.ReadMirrorStatesRequest{Mirror: r.mirror, Partition: r.partition, Correlation: m.sequence})
		}
	}
	env.Out.Arm(gatherTimer(g), env.Settings.FetchTimeout, 0)
}

func gatherTimer(g *gather) node.Timer {
	return node.Timer{Kind: TimerGather, Partition: id.Partition{Index: g.slot}}
}

// gathered takes a coordinator's answer if a gathering waits for it. A lookup passes a failure on at once (the asker has
// D13 for it); a check asks again after a back-off, until the client's request has timed out.
func (m *Manager) gathered(res *wire.ReadMirrorStatesResponse, env *replica.Env) bool {
	for _, g := range m.gathers {
		for i := range g.reads {
			if g.reads[i].answer != nil || g.reads[i].correlation != res.Correlation {
				continue
			}
			switch {
			case res.Code == wire.OK:
				g.reads[i].answer = res
				if g.complete() {
					m.finish(g, wire.OK, env)
				}
			case g.lookup != nil:
				m.finish(g, res.Code, env)
			default:
				env.Out.Arm(gatherTimer(g), env.Settings.RetryBackoff, env.Settings.RetryBackoff/5)
			}
			return true
		}
	}
	return false
}

func (g *gather) complete() bool {
	for i := range g.reads {
		if g.reads[i].answer == nil {
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
		if g.attempts++; g.lookup != nil || g.attempts > gatherTries {
			m.finish(g, wire.RequestTimedOut, env)
			return
		}
		m.sendReads(g, env)
		return
	}
}

// finish answers the lookup, or forwards the request with what was read.
func (m *Manager) finish(g *gather, code wire.Code, env *replica.Env) {
	for i := range m.gathers {
		if m.gathers[i] == g {
			m.gathers = append(m.gathers[:i], m.gathers[i+1:]...)
			break
		}
	}
	env.Out.Cancel(gatherTimer(g))
	switch {
	case g.lookup != nil:
		env.Out.Send(g.from, g.position(code, env))
	case code != wire.OK:
		env.Out.Send(g.from, &wire.MirrorTopicsResponse{Code: code, Client: id.None, Correlation: g.topics.Correlation})
	default:
		req := *g.topics
		for i := range g.reads {
			req.Actual = append(req.Actual, wire.ActualState{Partition: g.reads[i].partition, State: g.reads[i].answer.State.State})
		}
		Forward(g.from, &req, env)
	}
}

// Forward passes a request to the active controller, with the client that the answer is for.
func Forward(from id.Node, req *wire.MirrorTopicsRequest, env *replica.Env) {
	if env.Controller == id.None {
		env.Out.Send(from, &wire.MirrorTopicsResponse{Code: wire.NotController, Client: id.None, Correlation: req.Correlation})
		return
	}
	c := *req
	c.Client = from
	env.Out.Send(env.Controller, &c)
}

// position is the answer to a lookup over what was read: the greatest epoch, or the one of the latest run (D22). Of
// equal ones the greater offset counts.
func (g *gather) position(code wire.Code, env *replica.Env) *wire.LastMirroredPositionResponse {
	res := &wire.LastMirroredPositionResponse{Cluster: env.Cluster, Partition: g.lookup.Partition, Code: code, Epoch: record.NoPosition,
		Offset: record.NoPosition, Correlation: g.lookup.Correlation}
	if code == wire.OK && g.reverse != 0 && g.reverseActive(env) {
		res.Code = wire.InvalidClusterMirrorState
		return res
	}
	var best record.MirrorState
	latest := env.Config.LookupOver() == protocol.LookupLatestRun
	for i := range g.reads {
		a := g.reads[i].answer
		if code != wire.OK || !a.HasPosition {
			continue
		}
		x := a.Position
		newer := x.Epoch > best.Epoch || x.Epoch == best.Epoch && x.Offset > best.Offset
		if latest && x.Run != best.Run {
			newer = x.Run > best.Run
		}
		if !res.Found || newer {
			best, res.Found = x, true
		}
	}
	if res.Found {
		res.Epoch, res.Offset = best.Epoch, best.Offset
	}
	return res
}

func (g *gather) clone() *gather {
	c := *g
	c.reads = append([]read(nil), g.reads...)
	return &c
}
