package mirror

import (
	"encoding/binary"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// pass is one pass of a mirror's work over topics, their configs, and ACLs: a broker of the source is asked for one thing after the
// other, and what differs here is asked of the controller, whose decision it is. Whatever fails, or is not answered in time, ends
// the pass; the next one begins anew, at another broker. What the mirror does not keep from pass to pass cannot be wrong after
// a crash (section 9 of the design).
type pass struct {
	mirror      id.Mirror
	stage       stage
	server      id.Node // who is asked
	correlation uint32
	changes     int32 // requests to the controller so far
}

// stage is what a pass waits for.
type stage uint8

const (
	listing     stage = iota // the source's topics
	configuring              // the dynamic configs of those that are mirrored
	authorizing              // its ACLs
)

// syncTopics begins a pass, unless one is under way, or there is nothing to do: the mirror mirrors no topic now, as all are
// paused or stopped, and is to discover none.
func (m *Manager) syncTopics(x id.Mirror, env *replica.Env) {
	r := env.Image.Mirror(x)
	if m.findPass(x) != nil || len(r.Bootstrap) == 0 || len(r.Include)+len(synchronised(x, env)) == 0 {
		return
	}
	m.upstream++ // another broker each time: one of them may be down, or its metadata old
	p := &pass{mirror: x, server: r.Bootstrap[int(m.upstream)%len(r.Bootstrap)]}
	i := 0
	for i < len(m.passes) && m.passes[i].mirror < x {
		i++
	}
	m.passes = append(m.passes, nil)
	copy(m.passes[i+1:], m.passes[i:])
	m.passes[i] = p
	env.Out.Send(p.server, &wire.DescribeTopicPartitionsRequest{Correlation: m.inquire(p, listing, env)})
}

// synchronised are the topics that x is to mirror now.
func synchronised(x id.Mirror, env *replica.Env) []id.Topic {
	var list []id.Topic
	for i := range env.Image.Topics {
		if t := &env.Image.Topics[i]; t.Mirror == x && t.Desired == record.WantMirroring {
			list = append(list, t.Topic)
		}
	}
	return list
}

// inquire begins a stage, numbers its question and arms its time-out.
func (m *Manager) inquire(p *pass, s stage, env *replica.Env) uint32 {
	m.sequence++
	p.stage, p.correlation = s, m.sequence
	env.Out.Arm(passTimer(p), env.Settings.FetchTimeout, 0)
	return p.correlation
}

func passTimer(p *pass) node.Timer {
	return node.Timer{Kind: TimerPass, Partition: id.Partition{Index: uint16(p.mirror)}}
}

func (m *Manager) findPass(x id.Mirror) *pass {
	for _, p := range m.passes {
		if p.mirror == x {
			return p
		}
	}
	return nil
}

// answered is the pass that an answer of a source is for, and its mirror; nil when it is late, or ends the pass: this broker
// does the mirror's work no more, the answer is of another cluster, or older than one that was heard of that cluster before.
func (m *Manager) answered(correlation uint32, c id.Cluster, offset int64, env *replica.Env) (*pass, *record.MirrorRecord) {
	for _, p := range m.passes {
		if p.correlation != correlation {
			continue
		}
		r := env.Image.Mirror(p.mirror)
		if r == nil || r.Source != c || !wide(p.mirror, env) || offset < m.heardOf(c) {
			m.endPass(p.mirror, env)
			return nil, nil
		}
		m.newest[c] = offset
		return p, r
	}
	return nil, nil
}

// heardOf is the newest offset of the metadata log of cluster c that an answer was as of. A broker whose metadata are old
// would turn back what another one has told.
func (m *Manager) heardOf(c id.Cluster) int64 {
	for len(m.newest) <= int(c) {
		m.newest = append(m.newest, 0)
	}
	return m.newest[c]
}

// TopicsTold takes the source's list of topics: it grows those that are mirrored, starts those that are discovered, and asks
// for the configs.
func (m *Manager) TopicsTold(res *wire.DescribeTopicPartitionsResponse, env *replica.Env) {
	p, r := m.answered(res.Correlation, res.Cluster, res.Offset, env)
	if p == nil {
		return
	}
	discovered := &wire.MirrorTopicsRequest{Action: wire.StartMirrorTopics, Mirror: p.mirror, Discovered: true}
	for _, s := range res.Topics {
		t := env.Image.Topic(s.Topic)
		switch {
		case t != nil && t.Mirror == p.mirror && t.Desired == record.WantMirroring:
			if s.Partitions > t.Partitions {
				m.ask(p, &wire.CreatePartitionsRequest{Topics: []id.Topic{s.Topic}, Partitions: s.Partitions, Mirror: p.mirror}, env)
			}
		case (t == nil || t.Desired == record.WantNone) && metadata.Discovers(r, s.Name):
			discovered.Topics, discovered.Sources = append(discovered.Topics, s.Topic), append(discovered.Sources, s)
		}
	}
	if len(discovered.Topics) > 0 {
		m.ask(p, discovered, env)
	}
	topics := synchronised(p.mirror, env)
	if len(topics) == 0 {
		m.passDone(p, env)
		return
	}
	env.Out.Send(p.server, &wire.DescribeConfigsRequest{Topics: topics, Correlation: m.inquire(p, configuring, env)})
}

// ConfigsTold takes the source's dynamic configs of the topics that are mirrored: those that are not excluded and have another
// value here are set. What is deleted there stays here.
func (m *Manager) ConfigsTold(res *wire.DescribeConfigsResponse, env *replica.Env) {
	p, r := m.answered(res.Correlation, res.Cluster, res.Offset, env)
	if p == nil {
		return
	}
	req := &wire.IncrementalAlterConfigsRequest{Mirror: p.mirror}
	for _, c := range res.Configs {
		t := env.Image.Topic(c.Topic)
		k, known := record.ParseConfigKey(c.Key)
		if t == nil || t.Mirror != p.mirror || t.Desired != record.WantMirroring || !known || metadata.ConfigExcluded(r, k) {
			continue
		}
		if value, _ := t.Config(k); value != c.Value {
			req.Changes = append(req.Changes, c)
		}
	}
	if len(req.Changes) > 0 {
		m.ask(p, req, env)
	}
	if len(r.Acls) == 0 {
		m.passDone(p, env)
		return
	}
	env.Out.Send(p.server, &wire.DescribeAclsRequest{Correlation: m.inquire(p, authorizing, env)})
}

// ask has the controller change something here. Its answer is not waited for: the metadata show what came of it, and the
// next pass finds what is still different.
func (m *Manager) ask(p *pass, request wire.Body, env *replica.Env) {
	if env.Controller != id.None {
		p.changes++
		m.sequence++
		env.Out.Send(env.Controller, wire.ForClient(wire.Numbered(request, m.sequence), env.Self))
	}
}

// passDone ends a pass that has heard all it asked for.
func (m *Manager) passDone(p *pass, env *replica.Env) {
	e := env.Out.Emit(event.MirrorSynced, id.Partition{})
	e.Mirror, e.Peer, e.Sequence = p.mirror, p.server, p.changes
	m.endPass(p.mirror, env)
}

// endPass forgets a pass, done or not.
func (m *Manager) endPass(x id.Mirror, env *replica.Env) {
	for i, p := range m.passes {
		if p.mirror == x {
			env.Out.Cancel(passTimer(p))
			m.passes = append(m.passes[:i:i], m.passes[i+1:]...)
			return
		}
	}
}

// appendPasses appends the passes under way, correlations apart.
func (m *Manager) appendPasses(dst []byte) []byte {
	for _, p := range m.passes {
		dst = append(dst, byte(p.mirror), byte(p.stage), byte(p.server), byte(p.changes))
	}
	for _, offset := range m.newest {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(offset))
	}
	return dst
}
