package mirror

import (
	"mirrorsim/model/id"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// Describe answers for a mirrored partition what its coordinator stores, and the lag, which only the partition's leader
// knows (section 2 of the design, DescribeMirrors). The caller has checked that the topic is in the mirror.
func (m *Manager) Describe(from id.Node, req *wire.DescribeMirrorsRequest, env *replica.Env) {
	m.begin(&gather{from: from, request: req, reads: []read{{mirror: req.Mirror, partition: req.Partition}}}, env)
}

// described is the answer. Lag is unknown, not 0, before the source has answered in the present leader epoch, and where
// this broker does not lead the partition.
func (m *Manager) described(g *gather, req *wire.DescribeMirrorsRequest, code wire.Code, env *replica.Env) *wire.DescribeMirrorsResponse {
	res := &wire.DescribeMirrorsResponse{Partition: req.Partition, Code: code, Client: req.Client, Correlation: req.Correlation}
	t := env.Image.Topic(req.Partition.Topic)
	switch {
	case code != wire.OK:
		return res
	case t == nil:
		res.Code = wire.UnknownTopicOrPartition
		return res
	}
	a := g.reads[0].answer
	res.Desired, res.State, res.HasPosition, res.Position = t.Desired, a.State, a.HasPosition, a.Position
	if lag, ok := m.Lag(req.Partition); ok {
		res.Lag, res.LagKnown = env.Config.LagShown(lag), true
	}
	return res
}
