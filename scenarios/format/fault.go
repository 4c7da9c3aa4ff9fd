package format

import (
	"errors"
	"slices"

	"mirrorsim/faults"
	"mirrorsim/model/point"
)

// Fault has a fault fall, now or at a point of the protocol:
//
//	fault crash b1 for 5s
//	fault cut a0>b1 for 20s
//	fault cut A>B for 20s
//	fault delay b2>b0 by=2s for 10s
//	fault power-loss leader B/orders-0 at-point stop.position-recorded nth=2
//	fault crash coordinator m B/orders-0
//	fault heal b1
//	fault crash there for 5s at-point coordinator.load-begun on=b1
//	fault pause leader B/orders-0 for 12s
//	fault isolate A for 20s
//	fault drop b0>b1 api=WriteMirrorStatesResponse nth=2
//	fault move-coordinator m B/orders-0 to=b2
//	fault move-controller B at-point stop.epoch-bumped on=b1
//	fault corrupt A/orders-0 offset=4 for 10s
//	fault fence-producer tx on B
//	fault repeat-request B nth=2
//
// At an end of a link a cluster stands for all of its brokers, its controllers and its metadata log. It has completed
// when the fault has fallen or, with at-point, when it is armed.
type Fault struct{ Plan faults.Planned }

func parseFault(l *line) Act {
	plan, err := faults.Parse(l.words[l.next:])
	var wrong *faults.Error
	if errors.As(err, &wrong) {
		l.fail(wrong.Word, wrong.Message, wrong.Want...)
	}
	l.next = len(l.words)
	l.checkFault(plan.Fault)
	if on := plan.When.On; on.Role != "" {
		l.checkRole(on)
	} else if on.Node != "" {
		l.checkOneOf(on.Node, "unknown node", l.p.s.Nodes())
	}
	return &Fault{plan}
}

// checkFault looks the names up, and refuses a target upon which this kind cannot fall.
func (l *line) checkFault(f faults.Fault) {
	t := f.Target
	switch {
	case l.err != nil:
	case t.Role == faults.There:
	case f.Kind == faults.MoveController:
		l.checkMove(f)
	case f.Kind == faults.FenceProducer:
		l.checkFence(t)
	case f.Kind == faults.RepeatRequest:
		l.checkRepeat(t)
	case f.Kind.OfCluster():
		l.checkOneOf(t.Node, "unknown cluster", l.p.s.clusters())
	case t.Role != "":
		tp := l.checkRole(t)
		if c := l.p.s.cluster(tp.Cluster); f.To != "" && c != nil {
			l.checkOneOf(f.To, "cluster "+c.Name+" has no such broker", c.brokers())
		}
		if f.TP != "" {
			l.checkOn(f.TP, tp.Cluster)
		}
	case f.Kind.OfDisk() && t.Role == "":
		l.checkDisk(f)
	case f.Kind == faults.Stale:
		l.checkOneOf(t.Node, "no broker or controller", l.p.s.replaying())
	case f.Kind == faults.Heal && t.Peer == "":
		l.checkOneOf(t.Node, "unknown node or cluster", append(l.p.s.Nodes(), l.p.s.clusters()...))
	case t.Peer == "":
		l.checkOneOf(t.Node, "unknown node", l.p.s.Nodes())
	default:
		for _, name := range []string{t.Node, t.Peer} {
			l.checkOneOf(name, "unknown node or cluster", append(l.p.s.Nodes(), l.p.s.clusters()...))
		}
	}
}

// checkRole looks up the names of a role, and answers its partition.
func (l *line) checkRole(t faults.Target) TP {
	if tp, ok := t.Leader(); ok {
		return l.plainTP(tp, tp)
	}
	name, tp, _ := t.Coordinator()
	mirror, x := l.lookupMirror(name), l.plainTP(tp, tp)
	l.checkDestination(mirror, x)
	return x
}

// checkDisk wants a broker, and a partition of its cluster if one is named: no other node has a disk of logs.
func (l *line) checkDisk(f faults.Fault) {
	var all []string
	for i := range l.p.s.Clusters {
		all = append(all, l.p.s.Clusters[i].brokers()...)
	}
	l.checkOneOf(f.Target.Node, "no broker", all)
	for i := range l.p.s.Clusters {
		if c := &l.p.s.Clusters[i]; c.broker(f.Target.Node) >= 0 && f.TP != "" {
			l.checkOn(f.TP, c.Name)
		}
	}
}

// checkOn wants a partition of that cluster.
func (l *line) checkOn(text, cluster string) {
	if tp := l.plainTP(text, text); l.err == nil && tp.Cluster != cluster {
		l.fail(text, "the broker is of cluster "+cluster, cluster+"/"+tp.Topic+"-"+itoa(tp.Partition))
	}
}

// checkMove wants a cluster with another controller to move to.
func (l *line) checkMove(f faults.Fault) {
	var able, all []string
	for i := range l.p.s.Clusters {
		c := &l.p.s.Clusters[i]
		if c.Controllers > 1 {
			able = append(able, c.Name)
		}
		for k := range c.Controllers {
			if c.Name == f.Target.Node {
				all = append(all, c.Controller(k))
			}
		}
	}
	l.checkOneOf(f.Target.Node, "not a cluster with more than one controller", able)
	if l.err == nil && f.To != "" {
		l.checkOneOf(f.To, "cluster "+f.Target.Node+" has no such controller", all)
	}
}

// checkFence wants a client that has a transactional id: no other can be fenced by one.
func (l *line) checkFence(t faults.Target) {
	able := l.p.s.clients(Transactional)
	if len(able) == 0 {
		able = []string{"client NAME transactional on CLUSTER, above"}
	}
	l.checkOneOf(t.Node, "not a client with a transactional id", able)
	if t.Peer != "" {
		l.checkOneOf(t.Peer, "unknown cluster", l.p.s.clusters())
	}
}

// checkRepeat wants a cluster whose admin can have sent a mirror request: one that a mirror leads to.
func (l *line) checkRepeat(t faults.Target) {
	l.checkOneOf(t.Node, "unknown cluster", l.p.s.clusters())
	var able []string
	for i := range l.p.s.Mirrors {
		if to := l.p.s.Mirrors[i].To; !slices.Contains(able, to) {
			able = append(able, to)
		}
	}
	if len(able) == 0 {
		able = []string{"a cluster that a mirror statement above leads to"}
	}
	l.checkOneOf(t.Node, "no mirror leads to this cluster, so its admin has no mirror request to repeat", able)
}

// replaying are the nodes that replay a metadata log.
func (s *Scenario) replaying() []string {
	var list []string
	for i := range s.Clusters {
		c := &s.Clusters[i]
		list = append(list, c.brokers()...)
		for k := range c.Controllers {
			list = append(list, c.Controller(k))
		}
	}
	return list
}

func (l *line) checkOneOf(name, message string, want []string) {
	if !slices.Contains(want, name) {
		l.fail(name, message, want...)
	}
}

// Ends are the nodes that an end of a link stands for: the one of that name, or else those of the cluster of that name
// without its clients and its admin.
func (s *Scenario) Ends(name string) []string {
	if c := s.cluster(name); c != nil && !slices.Contains(s.Nodes(), name) {
		list := append(c.brokers(), c.Log())
		for i := range c.Controllers {
			list = append(list, c.Controller(i))
		}
		return list
	}
	return []string{name}
}

// Keyword is fault.
func (a *Fault) Keyword() string { return "fault" }

// AppendText appends the line.
func (a *Fault) AppendText(dst []byte) []byte { return a.Plan.AppendText(append(dst, "fault "...)) }

// Simpler is a process crash for a power loss, no point at all or the first time at its point and by any node, the first
// message, the last request, and a move to the next one.
func (a *Fault) Simpler() []Act {
	var list []Act
	if a.Plan.When.Point != point.None && a.Plan.Fault.Target.Role != faults.There {
		b := *a
		b.Plan.When = faults.When{}
		list = append(list, &b)
	}
	if a.Plan.When.Nth > 1 {
		b := *a
		b.Plan.When.Nth = 1
		list = append(list, &b)
	}
	if a.Plan.When.On != (faults.Target{}) {
		b := *a
		b.Plan.When.On = faults.Target{}
		list = append(list, &b)
	}
	if a.Plan.Fault.Nth > 1 {
		b := *a
		b.Plan.Fault.Nth = 1
		list = append(list, &b)
	}
	if a.Plan.Fault.To != "" {
		b := *a
		b.Plan.Fault.To = ""
		list = append(list, &b)
	}
	if a.Plan.Fault.Kind == faults.PowerLoss {
		b := *a
		b.Plan.Fault.Kind = faults.Crash
		list = append(list, &b)
	}
	return list
}
