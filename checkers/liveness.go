package checkers

import (
	"strings"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// Pending is a partition of which a liveness property does not hold yet, and why.
type Pending struct {
	Property  ID
	Cluster   id.Cluster
	Partition id.Partition
	Why       string    // what follows "B/t-0 "
	Facts     [2]string // what is asked for, and what is so
}

// task is one partition on one cluster of which one liveness property is asked.
type task struct {
	property ID
	pt       *part
	cp       *clusterPart
	cluster  id.Cluster
}

// Pending is everything that is not as the second phase of a run asks for, while the brokers of core are up, and the
// others down for good. It is ordered by partition, cluster and property.
//
// A cluster without a broker in the core is lost: nothing is asked of it, and no partition is asked to catch up with it.
func (l *Ledger) Pending(core id.Set) []Pending {
	var list []Pending
	l.tasks(core, func(t task) {
		if p, ok := l.pending(t, core); ok {
			list = append(list, p)
		}
	})
	return list
}

// JudgeLive judges the liveness properties at the end of a run's second phase, which was to take no longer than bound.
// waits are what nodes say that they wait for, a line each; a violation quotes those that name its partition. It is
// called at most once, before Finish.
func (s *Suite) JudgeLive(core id.Set, bound id.Duration, waits []string) {
	s.lived = true
	s.ledger.tasks(core, func(t task) {
		s.reporter.Exercised(t.property)
		p, pending := s.ledger.pending(t, core)
		if !pending {
			return
		}
		where := s.ledger.where(t.pt, t.cluster)
		s.reporter.Violated(t.property, Violation{Facts: p.Facts,
			Sentence: where + " " + p.Why + ", " + bound.String() + " after the last fault; " + quote(where, waits)})
	})
}

// quote is what nodes wait for with that partition, in words.
func quote(where string, waits []string) string {
	var list []string
	for _, w := range waits {
		for _, word := range strings.FieldsFunc(w, func(r rune) bool { return r == ' ' || r == ':' || r == ',' }) {
			if word == where {
				list = append(list, w)
				break
			}
		}
	}
	if len(list) == 0 {
		return "no node says that it waits for anything there"
	}
	return strings.Join(list, "; ")
}

// tasks are what the second phase asks of each partition.
func (l *Ledger) tasks(core id.Set, yield func(task)) {
	for _, x := range l.index {
		pt := l.parts[x.slot]
		for n, cp := range pt.in {
			c := id.Cluster(n)
			if !cp.registered || l.lost(c, core) {
				continue
			}
			yield(task{IsrHeals, pt, cp, c})
			want := l.topics[pt.topic].desired[c]
			source := l.source(c, l.topics[pt.topic].mirror[c])
			gone := source != noCluster && l.lost(source, core)
			if want == record.WantStopped || want != record.WantNone && !gone {
				yield(task{ReachesDesired, pt, cp, c})
			}
			if want == record.WantMirroring && !gone {
				yield(task{LagDrains, pt, cp, c})
			}
			if want == record.WantStopped {
				yield(task{BecomesWritable, pt, cp, c})
			}
		}
	}
}

// lost tells whether no broker of the cluster is in the core.
func (l *Ledger) lost(c id.Cluster, core id.Set) bool {
	for n := range l.nodes {
		if l.nodes[n].cluster == c && core.Has(id.Node(n)) {
			return false
		}
	}
	return true
}

// pending tells whether t is not done, and says why.
func (l *Ledger) pending(t task, core id.Set) (Pending, bool) {
	p := Pending{Property: t.property, Cluster: t.cluster, Partition: t.pt.id}
	switch t.property {
	case IsrHeals:
		p.Why, p.Facts = l.unhealed(t.cp, core)
	case ReachesDesired:
		p.Why, p.Facts = unreached(t.cp, l.topics[t.pt.topic].desired[t.cluster])
	case LagDrains:
		p.Why, p.Facts = l.lagging(t)
	case BecomesWritable:
		p.Why, p.Facts = l.readOnlyStill(t)
	}
	return p, p.Why != ""
}

func (l *Ledger) unhealed(cp *clusterPart, core id.Set) (string, [2]string) {
	if cp.leader == id.None {
		return "has no leader, its ISR is" + l.set(cp.isr),
			[2]string{"in the core are" + l.set(core), "the metadata log names no leader"}
	}
	if out := cp.replicas & core &^ cp.isr; out != 0 {
		return "has not" + l.set(out) + " in its ISR, which is" + l.set(cp.isr),
			[2]string{"live replicas are" + l.set(cp.replicas&core), "the ISR is" + l.set(cp.isr)}
	}
	return "", [2]string{}
}

// set spells brokers out, each with a space before it.
func (l *Ledger) set(s id.Set) string {
	text := ""
	for n := id.Node(0); n < id.MaxBrokers; n++ {
		if s.Has(n) {
			text += " " + l.name(n)
		}
	}
	if text == "" {
		return " empty"
	}
	return text
}

// desiredStates are the actual states that desired ones ask for.
var desiredStates = [...]record.State{record.WantMirroring: record.Mirroring, record.WantPaused: record.Paused,
	record.WantStopped: record.Stopped}

func unreached(cp *clusterPart, desired record.Desired) (string, [2]string) {
	want := desiredStates[desired]
	if cp.state == want || cp.state == record.Failed {
		return "", [2]string{}
	}
	return "is " + cp.state.String() + ", wanted is " + want.String(),
		[2]string{"wanted is " + want.String(), "committed is " + cp.state.String()}
}

// lagging holds the destination against its source as it is, not only against what the destination has heard last: that
// is 0 as long as nothing is heard.
func (l *Ledger) lagging(t task) (string, [2]string) {
	facts := [2]string{"it is to be mirroring", ""}
	lag, known := l.Lag(t.cluster, t.pt.id)
	if !known {
		facts[1] = "its lag is unknown"
		return "has not heard its source in leader epoch " + num(int64(t.cp.leaderEpoch)), facts
	}
	source := l.source(t.cluster, l.topics[t.pt.topic].mirror[t.cluster])
	if source != noCluster {
		if s := l.leaderLog(t.pt, source); s != nil {
			lag += s.HighWatermark - t.cp.heard.end
		}
	}
	if lag == 0 {
		return "", facts
	}
	facts[1] = "its lag is " + num(lag)
	return "has lag " + num(lag), facts
}

func (l *Ledger) readOnlyStill(t task) (string, [2]string) {
	if s := l.leaderLog(t.pt, t.cluster); s != nil && s.writable && t.cp.current(t.cp.leader, s) {
		return "", [2]string{}
	}
	leader := "nobody leads"
	if t.cp.leader != id.None {
		leader = l.name(t.cp.leader) + " leads in epoch " + num(int64(t.cp.leaderEpoch)) + " and takes no writes"
	}
	return "is to be stopped and is not writable: " + leader, [2]string{"wanted is STOPPED", leader}
}
