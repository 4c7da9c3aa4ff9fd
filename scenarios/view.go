package scenarios

import (
	"mirrorsim/checkers"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
)

// view shows a run under way to waits and expectations, by the scenario's names.
type view struct{ *run }

var _ format.View = view{}

// Log is the log of the replica on tp's node, or of the present leader.
func (v view) Log(tp format.TP) (format.Log, bool) {
	c, p := v.partition(tp)
	n, _ := v.ledger().Leader(c, p)
	if tp.Node != "" {
		n = v.node[tp.Node]
	}
	if n == id.None {
		return format.Log{}, false
	}
	s := v.ledger().Log(n, p)
	if s == nil {
		return format.Log{}, false
	}
	return format.Log{Node: v.names.Node(n), Start: s.Start, End: s.End, HighWatermark: s.HighWatermark,
		LastStable: v.ledger().LastStable(n, p), Batches: s.Batches()}, true
}

// State is the last committed actual mirror state.
func (v view) State(tp format.TP) record.State { return v.ledger().State(v.partition(tp)) }

// Failure is the reason and the attempts of the state that was stored last.
func (v view) Failure(tp format.TP) (record.Reason, int) { return v.ledger().Failure(v.partition(tp)) }

// Described is the answer to the last describe of tp.
func (v view) Described(m format.MirrorRef, tp format.TP) (format.Description, bool) {
	c, p := v.partition(tp)
	d, ok := v.ledger().Described(c, v.mirror[m.Name], p)
	return format.Description{Desired: d.Desired, State: d.State, Reason: d.Reason, Attempts: int(d.Attempts), Lag: d.Lag,
		LagKnown: d.LagKnown, Epoch: d.Epoch, Offset: d.Offset}, ok
}

// Position is the last mirrored position as committed.
func (v view) Position(tp format.TP) (int32, int64, bool) {
	return v.ledger().Position(v.partition(tp))
}

// Committed is a group's committed offset, with the epoch of the record before it.
func (v view) Committed(group string, tp format.TP) (int64, int32, bool) {
	c, p := v.partition(tp)
	return v.ledger().CommittedOffset(v.node[group], c, p)
}

// GroupReads are how many records a group has read again, and passed over.
func (v view) GroupReads(group string, tp format.TP) (again, passed int64) {
	c, p := v.partition(tp)
	return v.ledger().GroupReads(v.node[group], c, p)
}

// Lag is in records.
func (v view) Lag(tp format.TP) (int64, bool) { return v.ledger().Lag(v.partition(tp)) }

// LeaderEpoch is that of the cluster's metadata log.
func (v view) LeaderEpoch(tp format.TP) (int32, bool) {
	_, epoch := v.ledger().Leader(v.partition(tp))
	return epoch, epoch >= 0
}

// Leader is the broker that the metadata log names.
func (v view) Leader(tp format.TP) (string, bool) {
	n, _ := v.ledger().Leader(v.partition(tp))
	return v.names.Node(n), n != id.None
}

// ISR is the number of in-sync replicas.
func (v view) ISR(tp format.TP) (int, bool) {
	s := v.ledger().ISR(v.partition(tp))
	return s.Len(), s != 0
}

// Read is the number of records that a consumer has read.
func (v view) Read(client string) int64 {
	var n int64
	for _, p := range v.ledger().Partitions() {
		for c := range v.names.Clusters {
			n += v.ledger().ReadTo(v.node[client], id.Cluster(c), p)
		}
	}
	return n
}

// Listed is the number of records or transactions under a heading of the loss report.
func (v view) Listed(h format.Heading, tp format.TP) int64 {
	c, p := v.partition(tp)
	r := v.ledger().LossReport(p)
	lists := [...][]checkers.LostRecord{format.Lost: r.Lost, format.TakenAfter: r.After, format.CutByStop: r.CutByStop,
		format.Discarded: r.Discarded, format.Trimmed: r.Trimmed, format.CopiedAgain: r.Recopied, format.Followed: r.Followed,
		format.Unexplained: r.Unexplained}
	switch h {
	case format.Duplicates:
		return count(r.Duplicates, func(x *checkers.DuplicateRecord) bool { return x.Cluster == c })
	case format.TurnedRound:
		return count(r.Turned, func(x *checkers.TurnedTransaction) bool { return x.Destination == c })
	case format.Hanging:
		return count(r.Hanging, func(x *checkers.HangingTransaction) bool { return x.Cluster == c })
	}
	return count(lists[h], func(x *checkers.LostRecord) bool { return x.Cluster == c })
}

func count[T any](list []T, is func(*T) bool) (n int64) {
	for i := range list {
		if is(&list[i]) {
			n++
		}
	}
	return n
}

// Code is the result of a step.
func (v view) Code(step int) (wire.Code, bool) {
	code, done, _ := v.watch().result(step)
	return code, done
}

// TopicCode is the result of a step for one topic.
func (v view) TopicCode(step int, topic string) (wire.Code, bool) {
	return v.watch().topicResult(step, func(t id.Topic) bool { return v.bareName(t) == topic })
}

// Config is the value of a dynamic config by the metadata log.
func (v view) Config(cluster, topic string, k record.ConfigKey) (string, bool) {
	n, set := v.ledger().Config(v.clusterOf(cluster), v.topicOn(cluster, topic), k)
	if !set {
		return "", false
	}
	return record.ConfigText(k, n), true
}

// HasAcl tells whether the cluster has the binding by its metadata log.
func (v view) HasAcl(cluster string, a record.Acl) bool {
	return v.ledger().HasAcl(v.clusterOf(cluster), a.Word())
}

// Passes is how many passes over a mirror's topics are done, and the last one's requests to the controller.
func (v view) Passes(m format.MirrorRef) (int, int) {
	x, c := v.mirrorOf(m)
	return v.ledger().Passes(c, x)
}

// Violated tells whether the property is violated so far.
func (v view) Violated(property string) (string, bool) {
	for _, x := range v.watch().suite.Verdicts() {
		if x.Property == property && len(x.Violations) > 0 {
			return x.Violations[0].Sentence, true
		}
	}
	return "", false
}

// Quiet tells whether nothing is pending.
func (v view) Quiet() (string, bool) {
	quiet, pending := v.ledger().Quiet()
	return pending, quiet
}
