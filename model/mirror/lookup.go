package mirror

import (
	"mirrorsim/model/id"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// chain is what D20 asks of a lookup: the mirror that brings the looked up topic to this cluster, directly from the asker
// or from a third cluster.
type chain struct {
	mirror   id.Mirror // 0: the topic is mirrored from nowhere, or D20 does not ask
	stopping bool      // it is desired to be stopped
	asked    uint32    // correlation of the question to the source of that mirror; 0: it has not been asked
	loops    bool      // that source has answered that the topic comes from the asker
}

// LookUp begins to answer a position lookup of another cluster: the mirrors are found from this broker's metadata, their
// coordinators are read, and the answer is taken over them (D22; section 6 of the design). A topic that this cluster lacks,
// or of which it has fewer partitions, has no position, not even -1, by which the asker would drop its log.
func (m *Manager) LookUp(from id.Node, req *wire.LastMirroredPositionRequest, env *replica.Env) {
	g := &gather{from: from, request: req}
	switch {
	case env.Image.Topic(req.Partition.Topic) == nil:
		env.Out.Send(from, g.position(req, wire.UnknownTopicOrPartition, env))
		return
	case env.Image.Partition(req.Partition) == nil:
		res := g.position(req, wire.LeaderNotAvailable, env)
		res.Lacks = true
		env.Out.Send(from, res)
		return
	}
	for _, r := range env.Image.Mirrors {
		if req.Trace == 0 && r.Source == req.Asker && (env.Config.LookupOver() != protocol.LookupSameName || r.Mirror == req.Mirror) {
			g.reads = append(g.reads, read{mirror: r.Mirror, partition: req.Partition, counts: true})
		}
	}
	if !req.Own {
		g.findChain(req, env)
	}
	m.begin(g, env)
}

// findChain notes the mirror that brings the topic here, and reads its state too (D20).
func (g *gather) findChain(req *wire.LastMirroredPositionRequest, env *replica.Env) {
	t := env.Image.Topic(req.Partition.Topic)
	if !env.Config.ChecksReverse() || t.Desired == record.WantNone || env.Image.Mirror(t.Mirror) == nil {
		return
	}
	g.chain.mirror, g.chain.stopping = t.Mirror, t.Desired == record.WantStopped
	for i := range g.reads {
		if g.reads[i].mirror == t.Mirror {
			return
		}
	}
	g.reads = append(g.reads, read{mirror: t.Mirror, partition: req.Partition})
}

// active tells whether that mirror is not STOPPED. Where the topic is not to be stopped it is active, whatever is stored: it may have
// been started again, with its first state under way. So may one that reads UNKNOWN; only where a stop leaves it so for good (D46)
// it counts as stopped.
func (g *gather) active(env *replica.Env) bool {
	if g.chain.mirror != 0 && !g.chain.stopping {
		return true
	}
	for i := range g.reads {
		if a := g.reads[i].answer; g.reads[i].mirror == g.chain.mirror && a != nil {
			s := a.State.State
			return s != record.Stopped && !(s == record.Unknown && g.chain.stopping && !env.Config.StopsUnknown())
		}
	}
	return false
}

// stored tells whether a mirror from the asker has a state of the partition stored that is not STOPPED. This broker's metadata may be
// so old that they do not say that the topic is in that mirror.
func (g *gather) stored(env *replica.Env) bool {
	if !env.Config.ChecksReverse() {
		return false
	}
	for i := range g.reads {
		if a := g.reads[i].answer; g.reads[i].counts && a != nil && a.State.State != record.Stopped && a.State.State != record.Unknown {
			return true
		}
	}
	return false
}

// asksUpstream asks the third cluster from which the topic is mirrored here whether it comes there from the asker: a chain
// of mirrors that leads back is a loop, and is refused as the reverse mirror is (D20; section 1 of the design). It answers
// whether there is something to wait for.
func (m *Manager) asksUpstream(g *gather, env *replica.Env) bool {
	req, ok := g.request.(*wire.LastMirroredPositionRequest)
	if !ok || g.chain.mirror == 0 || g.chain.asked != 0 || !g.active(env) {
		return false
	}
	r := env.Image.Mirror(g.chain.mirror)
	trace := wire.MaxTrace
	if req.Trace > 0 {
		trace = int(req.Trace) - 1
	}
	if r == nil || r.Source == req.Asker || trace == 0 || len(r.Bootstrap) == 0 {
		return false
	}
	m.sequence++
	m.upstream++ // another broker each time: one of them may be down
	g.chain.asked = m.sequence
	env.Out.Send(r.Bootstrap[int(m.upstream)%len(r.Bootstrap)], &wire.LastMirroredPositionRequest{Asker: req.Asker,
		Mirror: r.Mirror, Partition: req.Partition, Trace: uint8(trace), Correlation: m.sequence})
	// Who asked waits a little longer than who is asked, along the whole chain, so that the answer is not given up first.
	env.Out.Arm(gatherTimer(g), env.Settings.FetchTimeout*id.Duration(trace)/(wire.MaxTrace+1), 0)
	return true
}

// Traced takes the answer to a question about a chain, if a gathering waits for it. Only a clear answer ends the question:
// anything else is told to the asker as a lookup that has failed, never as no loop.
func (m *Manager) Traced(res *wire.LastMirroredPositionResponse, env *replica.Env) bool {
	for _, g := range m.gathers {
		if g.chain.asked == 0 || g.chain.asked != res.Correlation {
			continue
		}
		switch res.Code {
		case wire.OK, wire.UnknownTopicOrPartition: // a cluster without the topic has it from nowhere
			m.finish(g, wire.OK, env)
		case wire.InvalidClusterMirrorState:
			g.chain.loops = true
			m.finish(g, wire.OK, env)
		default:
			m.finish(g, wire.RequestTimedOut, env)
		}
		return true
	}
	return false
}

// refusesReverse tells whether the topic comes here from the asker, directly, or by a chain that leads back to it. A chain
// of which the end is not reached in MaxTrace clusters goes round without the asker, or is too long to be told from a loop.
func (g *gather) refusesReverse(req *wire.LastMirroredPositionRequest, env *replica.Env) bool {
	if !req.Own && g.stored(env) {
		return true
	}
	if g.chain.mirror == 0 || !g.active(env) {
		return false
	}
	r := env.Image.Mirror(g.chain.mirror)
	return r != nil && (r.Source == req.Asker || req.Trace == 1) || g.chain.loops
}

// position is the answer to a lookup over what was read: the greatest epoch, or the one of the latest run (D22). Of
// equal ones the greater offset counts.
func (g *gather) position(req *wire.LastMirroredPositionRequest, code wire.Code, env *replica.Env) *wire.LastMirroredPositionResponse {
	res := &wire.LastMirroredPositionResponse{Cluster: env.Cluster, Partition: req.Partition, Code: code, Epoch: record.NoPosition,
		Offset: record.NoPosition, Correlation: req.Correlation}
	if code == wire.OK && g.refusesReverse(req, env) {
		res.Code = wire.InvalidClusterMirrorState
	}
	if res.Code != wire.OK || req.Trace > 0 {
		return res
	}
	var best record.MirrorState
	latest := env.Config.LookupOver() >= protocol.LookupLatestRun
	for i := range g.reads {
		a := g.reads[i].answer
		if !a.HasPosition || !g.reads[i].counts {
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
