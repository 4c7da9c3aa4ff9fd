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
	Accepted  bool      // the wait is one that the design accepts (section 13): a limit, and no violation
	Excuse    string    // why nothing is promised of it: the run went beyond the budget of faults; "" if it did not
}

// task is one partition on one cluster of which one liveness property is asked.
type task struct {
	property ID
	pt       *part
	cp       *clusterPart
	cluster  id.Cluster
	client   id.Node    // ConsumerProgress: the consumer
	read     *readState // and its reading
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
		sentence := where + " " + p.Why + ", " + bound.String() + " after the last fault; " + quote(where, waits)
		if p.Accepted {
			s.accepted = append(s.accepted, t.property.String()+": "+sentence)
			return
		}
		s.reporter.Violated(t.property, Violation{Facts: p.Facts, Sentence: sentence})
		if p.Excuse != "" {
			s.reporter.Excused(t.property, p.Excuse)
		}
	})
}

// Accepted is a line for each wait that JudgeLive has found and that the design accepts (section 13).
func (s *Suite) Accepted() []string { return s.accepted }

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
			ask := func(p ID) { yield(task{property: p, pt: pt, cp: cp, cluster: c}) }
			ask(IsrHeals)
			want := l.topics[pt.topic].desired[c]
			source := l.source(c, l.topics[pt.topic].mirror[c])
			gone := source != noCluster && l.lost(source, core)
			left := want == record.WantNone && len(cp.mirrors) > 0
			if want == record.WantStopped || want != record.WantNone && !gone || left {
				ask(ReachesDesired)
			}
			there := source == noCluster || pt.in[source].registered // a topic that its source has deleted has no lag
			if want == record.WantMirroring && !gone && there && !l.failed(pt, c) {
				ask(LagDrains)
			}
			if want == record.WantMirroring && !gone && l.afflicted(pt, c, core) == "" {
				if other, _ := l.beside(pt, c, core); other != nil {
					ask(FaultIsolation)
				}
			}
			if want == record.WantStopped || left {
				ask(BecomesWritable)
			}
			l.readings(pt, c, func(n id.Node, r *readState) {
				yield(task{property: ConsumerProgress, pt: pt, cp: cp, cluster: c, client: n, read: r})
			})
		}
	}
}

// readings are the consumers of the partition on a cluster that go on reading. One that told the application of an error
// has stopped, and so has one that has left its group there.
func (l *Ledger) readings(pt *part, c id.Cluster, yield func(id.Node, *readState)) {
	for n, k := range l.clients {
		if k == nil || l.nodes[n].down {
			continue
		}
		for i := range k.reads {
			if r := &k.reads[i]; r.slot == pt.slot && r.cluster == c && !r.given && !r.left {
				yield(id.Node(n), r)
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
		if p.Why, p.Facts = l.unreached(t, l.topics[t.pt.topic].desired[t.cluster]); p.Why == "" {
			p.Why, p.Facts = l.groundless(t)
		}
		if p.Why == "" {
			p.Why, p.Facts = l.stuck(t)
		}
		p.Accepted = l.awaitsReplica(t, core) || l.awaitsChain(t, core)
	case LagDrains:
		p.Why, p.Facts = l.lagging(t)
		p.Accepted = l.awaitsReplica(t, core) || l.awaitsChain(t, core)
	case FaultIsolation:
		p.Why, p.Facts = l.infected(t, core)
	case BecomesWritable:
		p.Why, p.Facts = l.readOnlyStill(t)
	case ConsumerProgress:
		p.Why, p.Facts, p.Accepted = l.unread(t, core)
		if s := l.leaderLog(t.pt, t.cluster); s != nil && t.read.committed && t.read.next >= s.lastStable() {
			p.Excuse = t.cp.excuse // the marker that is missing may have gone with what was lost
		}
	}
	return p, p.Why != ""
}

// awaitsReplica tells whether the partition waits for a replica that is down for good, as alignment and ULE_RECOVERY do
// under unclean-election support, for ever if need be (section 13 of the design).
func (l *Ledger) awaitsReplica(t task, core id.Set) bool {
	waits := t.cp.state == record.Preparing || t.cp.state == record.UleRecovery
	return waits && l.uncleanSupport(t.pt, t.cluster) && t.cp.replicas&^core != 0
}

// awaitsChain tells whether the partition's lookup waits for a cluster that is lost. Where reverse mirrors are checked (D20) its
// source asks the one that it mirrors the topic from itself whether the chain leads back, and only a clear answer will do: a cluster that
// cannot be reached may come back and close the loop. The way out is a stop of the mirror from the lost cluster.
func (l *Ledger) awaitsChain(t task, core id.Set) bool {
	if !l.topology.ChecksReverse || t.cp.state != record.Preparing {
		return false
	}
	at := l.upstream(t.pt, t.cluster)
	for range l.clusters {
		if at == noCluster || l.lost(at, core) {
			return false
		}
		if at = l.upstream(t.pt, at); at != noCluster && l.lost(at, core) {
			return true
		}
	}
	return false
}

// unread says what a consumer has not read yet: it is to be at the leader's high watermark, at the end of all that is
// there. A transaction that stays open for ever is no end for read_committed, but where only a stop could end it.
func (l *Ledger) unread(t task, core id.Set) (string, [2]string, bool) {
	r, s := t.read, l.leaderLog(t.pt, t.cluster)
	if s == nil || r.next == s.HighWatermark {
		return "", [2]string{}, false
	}
	facts := [2]string{"the high watermark is " + num(s.HighWatermark), l.name(t.client) + " is at " + num(r.next)}
	why := "has " + l.name(t.client) + " at " + num(r.next) + ", and its high watermark is " + num(s.HighWatermark)
	if r.next < 0 {
		why = "has " + l.name(t.client) + " without a position"
	}
	accepted := false
	if stable := s.lastStable(); r.committed && r.next >= stable {
		why += "; its last stable offset does not pass: " + pinned(s, stable)
		accepted = l.endless(t, core)
	}
	return why, facts, accepted
}

// endless tells whether only an operator could end a transaction that is open in a mirror: the partition is paused, or FAILED, with the
// way out that he has, or follows a cluster that is lost, or one of which the same is so; or the two follow each other, which both are
// refused (D20).
func (l *Ledger) endless(t task, core id.Set) bool {
	at := t.cluster
	for range l.clusters {
		source := l.aligningTo(t.pt.in[at], at)
		switch {
		case source == noCluster:
			return false
		case l.lost(source, core), l.failed(t.pt, at), t.pt.in[at].state == record.Paused, source == t.cluster:
			return true
		}
		at = source
	}
	return false
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
var desiredStates = [...]record.State{record.WantNone: record.Unknown, record.WantMirroring: record.Mirroring, record.WantPaused: record.Paused,
	record.WantStopped: record.Stopped}

func (l *Ledger) unreached(t task, desired record.Desired) (string, [2]string) {
	want, state := desiredStates[desired], t.cp.state
	if state == want || l.refused(t.pt, t.cluster) != record.NoReason {
		return "", [2]string{}
	}
	facts := [2]string{"wanted is " + want.String(), "committed is " + state.String()}
	if state == record.Failed {
		return "is FAILED without a reason, wanted is " + want.String(), facts
	}
	return "is " + state.String() + ", wanted is " + want.String(), facts
}

// groundless tells of a partition that is FAILED for good because its source has no last mirrored position: that is to save its
// records, and where it has none nothing needs to be saved, and no request would bring it on (D49).
func (l *Ledger) groundless(t task) (string, [2]string) {
	s := l.standingLog(t.pt, t.cluster)
	if t.cp.state != record.Failed || t.cp.failure.reason != record.PositionMissing || s == nil {
		return "", [2]string{}
	}
	for i := range s.log {
		if b := s.log[i].batch; b.Control != record.MirrorPidReset && b.Control != record.Abort {
			return "", [2]string{}
		}
	}
	return "is FAILED, as " + t.cp.failure.reason.String() + ", but its own log holds no record that a copy would replace",
		[2]string{"it is FAILED for good: " + t.cp.failure.reason.String(), "its log holds nothing but what stops append"}
}

// stuck tells of a partition that is FAILED for good and has no sure way out: it is not tried again, a recovery brings it back to a
// state that fails for the same reason, what is mirrored can neither be deleted nor written, and a stop is refused as well (D18), but in
// the moment between a recovery and the next failure.
func (l *Ledger) stuck(t task) (string, [2]string) {
	if !l.topology.RefusesFailed || t.cp.state != record.Failed || t.cp.failure.attempts != record.NotRetryable {
		return "", [2]string{}
	}
	return "is FAILED for good, as " + t.cp.failure.reason.String() + ", and has no sure way out: a stop is refused there",
		[2]string{"it is not tried again: " + t.cp.failure.reason.String(), "a stop is accepted in other states only"}
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
	s, wanted := l.leaderLog(t.pt, t.cluster), "to be stopped"
	takes := s != nil && s.writable && t.cp.current(t.cp.leader, s)
	if l.topics[t.pt.topic].desired[t.cluster] == record.WantNone {
		takes, wanted = l.writable(t.pt, t.cluster), "to be a plain topic"
	}
	if takes {
		return "", [2]string{}
	}
	leader := "nobody leads"
	if t.cp.leader != id.None {
		leader = l.name(t.cp.leader) + " leads in epoch " + num(int64(t.cp.leaderEpoch)) + " and takes no writes"
	}
	return "is " + wanted + " and is not writable: " + leader, [2]string{"it is " + wanted, leader}
}
