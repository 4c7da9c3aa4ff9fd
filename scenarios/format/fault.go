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
//	fault corrupt A/orders-0 offset=4 for 10s
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
	l.checkTarget(plan.Fault.Target)
	return &Fault{plan}
}

// checkTarget looks the target's names up.
func (l *line) checkTarget(t faults.Target) {
	if l.err != nil {
		return
	}
	if tp, ok := t.Leader(); ok {
		l.plainTP(tp, tp)
		return
	}
	if name, tp, ok := t.Coordinator(); ok {
		l.checkDestination(l.lookupMirror(name), l.plainTP(tp, tp))
		return
	}
	if t.Peer == "" {
		l.checkOneOf(t.Node, "unknown node", l.p.s.Nodes())
		return
	}
	for _, name := range []string{t.Node, t.Peer} {
		l.checkOneOf(name, "unknown node or cluster", append(l.p.s.Nodes(), l.p.s.clusters()...))
	}
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

// Simpler is a process crash for a power loss, the first time at its point, and no point at all.
func (a *Fault) Simpler() []Act {
	var list []Act
	if a.Plan.When.Point != point.None {
		b := *a
		b.Plan.When = faults.When{}
		list = append(list, &b)
	}
	if a.Plan.When.Nth > 1 {
		b := *a
		b.Plan.When.Nth = 1
		list = append(list, &b)
	}
	if a.Plan.Fault.Kind == faults.PowerLoss {
		b := *a
		b.Plan.Fault.Kind = faults.Crash
		list = append(list, &b)
	}
	return list
}
