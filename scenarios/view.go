package scenarios

import (
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

// Position is the last mirrored position as committed.
func (v view) Position(tp format.TP) (int32, int64, bool) {
	return v.ledger().Position(v.partition(tp))
}

// Lag is in records.
func (v view) Lag(tp format.TP) (int64, bool) { return v.ledger().Lag(v.partition(tp)) }

// LeaderEpoch is that of the cluster's metadata log.
func (v view) LeaderEpoch(tp format.TP) (int32, bool) {
	_, epoch := v.ledger().Leader(v.partition(tp))
	return epoch, epoch >= 0
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

// Lost is a heading of the loss report.
func (v view) Lost(tp format.TP) int64 { return v.ledger().Lost(v.partition(tp)) }

// Discarded is a heading of the loss report.
func (v view) Discarded(tp format.TP) int64 { return v.ledger().Discarded(v.partition(tp)) }

// CutByStop is a heading of the loss report.
func (v view) CutByStop(tp format.TP) int64 { return v.ledger().CutByStop(v.partition(tp)) }

// Code is the result of a step.
func (v view) Code(step int) (wire.Code, bool) {
	code, done, _ := v.watch().result(step)
	return code, done
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
