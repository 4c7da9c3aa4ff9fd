package format

import (
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// View is what a run shows to waits and expectations, by the scenario's names. Every query answers what is so at the
// present moment of the run by its history; ok is false when the history does not know it.
type View interface {
	// Log is the log of the replica on TP's node, or of the present leader when it names none.
	Log(tp TP) (l Log, ok bool)
	// State is the last committed actual mirror state; Unknown when none is stored.
	State(tp TP) record.State
	// Failure is the reason and the attempts of the state that was stored last; NoReason and 0 where it has none.
	Failure(tp TP) (r record.Reason, attempts int)
	// Described is the answer to the last describe of tp; m without a name is whichever mirror.
	Described(m MirrorRef, tp TP) (d Description, ok bool)
	// Position is the last mirrored position as committed. An epoch or offset that the marker does not have is -1.
	Position(tp TP) (epoch int32, offset int64, ok bool)
	// Committed is a group's committed offset on tp's cluster, with the leader epoch of the record before it, -1 if none is known.
	Committed(group string, tp TP) (offset int64, epoch int32, ok bool)
	// GroupReads are how many records of tp a group has read again on tp's cluster, and how many it has passed over there.
	GroupReads(group string, tp TP) (again, passed int64)
	// Lag is in records, and known only if the source answered in the present leader epoch.
	Lag(tp TP) (n int64, ok bool)
	// LeaderEpoch is that of the cluster's metadata log.
	LeaderEpoch(tp TP) (epoch int32, ok bool)
	// Leader is the broker that the cluster's metadata log names; ok is false when nobody leads, or tp does not exist.
	Leader(tp TP) (node string, ok bool)
	// ISR is the number of in-sync replicas.
	ISR(tp TP) (n int, ok bool)
	// Read is the number of records that a consumer has read, over all partitions.
	Read(client string) int64
	// Listed is the number of records, or transactions, that the loss report lists of tp's cluster under a heading.
	Listed(h Heading, tp TP) int64
	// Code is the result of the step with that number, counted from 1 over Scenario.Steps: the first error code that
	// one of its operations returned, else OK. ok is false while one is still pending, or when it was never begun.
	Code(step int) (c wire.Code, ok bool)
	// TopicCode is the result of that step for one of the topics of its request.
	TopicCode(step int, topic string) (c wire.Code, ok bool)
	// Config is the value of a dynamic config of a topic by the metadata log of a cluster; ok is false where it is not set.
	Config(cluster, topic string, k record.ConfigKey) (value string, ok bool)
	// HasAcl tells whether a cluster has an ACL binding by its metadata log.
	HasAcl(cluster string, a record.Acl) bool
	// Passes is how many passes over the topics of a mirror are done, and the last one's requests to the controller.
	Passes(m MirrorRef) (done, asked int)
	// Violated tells whether the property is violated so far, and how.
	Violated(property string) (sentence string, violated bool)
	// Quiet tells whether nothing is pending, and otherwise says what is.
	Quiet() (pending string, quiet bool)
}

// Log is one replica's log as a View shows it. Offsets are as in section 4 of the design.
type Log struct {
	Node                                  string // the replica's broker
	Start, End, HighWatermark, LastStable int64
	Batches                               []*record.Batch // ordered by offset
}
