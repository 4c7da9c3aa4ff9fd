package event

import (
	"slices"
	"strings"

	"mirrorsim/model/id"
)

// Schema is one row a kind: its name in histories and the fields that it fills. A field is named after Event's own,
// with what it holds there after a colon when the name does not say it.
type Schema struct {
	Name   string
	Fields []string
}

// Schemas is the table by Kind; row 0 is unused.
func Schemas() []Schema { return schemas[:] }

// String is the kind's name in histories.
func (k Kind) String() string {
	if int(k) < Kinds {
		return schemas[k].Name
	}
	return "?"
}

// Undeclared is a field that e fills although its kind does not have it, "" if there is none. An event fills what its
// schema says and nothing else, or a reader of histories would not find it.
func (e *Event) Undeclared() string {
	fields := schemas[e.Kind].Fields
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"Peer", e.Peer != id.None}, {"Mirror", e.Mirror != 0}, {"From", e.From != 0}, {"To", e.To != 0}, {"Cause", e.Cause != 0},
		{"Partition", e.Partition != id.Partition{}}, {"LeaderEpoch", e.LeaderEpoch != 0}, {"BatchEpoch", e.BatchEpoch != 0},
		{"Offset", e.Offset != 0}, {"End", e.End != 0}, {"ProducerID", e.ProducerID != 0}, {"Sequence", e.Sequence != 0},
		{"Op", e.Op != 0}, {"Digest", e.Digest != 0}, {"Batch", e.Batch != nil},
	} {
		declares := func(field string) bool { return field == f.name || strings.HasPrefix(field, f.name+":") }
		if f.set && !slices.ContainsFunc(fields, declares) {
			return f.name
		}
	}
	return ""
}

var schemas = [Kinds]Schema{
	Started:      {"started", []string{"Sequence:incarnation"}},
	Crashed:      {"crashed", []string{"Cause:crash cause"}},
	LinkSet:      {"link-set", []string{"Peer:to", "To:1 up, 0 down", "Offset:delay"}},
	NodeSet:      {"node-set", []string{"Cause:hindrance", "To:1 begins, 0 ends", "Offset:delay", "Partition:of a broken log, none for all"}},
	Caught:       {"caught", []string{"Peer:to", "To:api", "Cause:catch", "Offset:delay"}},
	Corrupted:    {"corrupted", []string{"Partition", "Offset:base of the batch", "To:1 corrupt, 0 whole"}},
	PointReached: {"point-reached", []string{"To:point"}},
	Asserted:     {"asserted", nil},

	TopicCreated:      {"topic-created", []string{"Partition:topic", "Sequence:partitions", "To:min.insync.replicas", "From:1 __mirror_state, 2 unclean, 4 mirror unclean, 8 __transaction_state, 16 __consumer_offsets"}},
	TopicRemoved:      {"topic-removed", []string{"Partition:topic"}},
	TopicGrown:        {"topic-grown", []string{"Partition:topic", "Sequence:partitions", "Mirror:whose mirror-wide work"}},
	MirrorRemoved:     {"mirror-removed", []string{"Mirror"}},
	PartitionChanged:  {"partition-changed", []string{"Partition", "Peer:leader", "LeaderEpoch", "Sequence:partition epoch", "Digest:isr", "Offset:replicas", "Cause:change cause"}},
	MirrorCreated:     {"mirror-created", []string{"Mirror", "To:source cluster"}},
	IntentChanged:     {"intent-changed", []string{"Partition:topic", "Mirror", "To:desired", "Sequence:recoveries", "Cause:1 discovered"}},
	AclChanged:        {"acl-changed", []string{"Digest:binding", "To:1 added, 0 removed", "Mirror:whose mirror-wide work"}},
	ConfigChanged:     {"config-changed", []string{"Partition:topic", "To:config", "From:1 set, 0 deleted", "Offset:value", "Mirror:whose mirror-wide work"}},
	BrokerChanged:     {"broker-changed", []string{"Peer:broker", "Sequence:incarnation", "To:1 fenced"}},
	ControllerElected: {"controller-elected", []string{"Peer:controller", "LeaderEpoch:controller epoch"}},

	Recovered:        {"recovered", []string{"Partition", "Offset:log start", "End:log end", "Digest:log"}},
	BecameLeader:     {"became-leader", []string{"Partition", "LeaderEpoch", "Offset:log end", "End:high watermark"}},
	BecameFollower:   {"became-follower", []string{"Partition", "LeaderEpoch", "Peer:leader"}},
	Appended:         {"appended", []string{"Partition", "LeaderEpoch", "BatchEpoch", "Offset:base", "End:log end", "ProducerID", "Sequence", "Cause:origin", "Batch"}},
	Truncated:        {"truncated", []string{"Partition", "LeaderEpoch", "Offset:log end after", "End:log end before", "Cause:truncate cause"}},
	StartMoved:       {"start-moved", []string{"Partition", "Offset:log start after", "End:log start before"}},
	Compacted:        {"compacted", []string{"Partition", "Offset:base", "End:behind the last offset", "Sequence:records left", "Batch:what is left"}},
	HighWatermark:    {"high-watermark", []string{"Partition", "LeaderEpoch", "Offset:high watermark", "End:log end"}},
	EpochAdded:       {"epoch-added", []string{"Partition", "BatchEpoch:epoch", "Offset:start", "Sequence:entries after"}},
	ProducersReset:   {"producers-reset", []string{"Partition", "Offset:of the reset", "Sequence:entries left"}},
	FetchAnswered:    {"fetch-answered", []string{"Partition", "Peer:fetcher", "LeaderEpoch", "BatchEpoch:last fetched epoch", "Offset:fetch offset", "End:log end, or diverging end", "From:fetcher kind", "To:code", "Cause:1 diverging", "Sequence:diverging epoch"}},
	ReplicaRemoved:   {"replica-removed", []string{"Partition"}},
	ReplicaFailed:    {"replica-failed", []string{"Partition"}},
	ReplicaReported:  {"replica-reported", []string{"Partition", "LeaderEpoch", "Offset:log start", "End:log end", "ProducerID:high watermark", "Sequence:epoch entries", "Op:producer entries", "Cause:report cause", "Digest:log"}},
	EpochReported:    {"epoch-reported", []string{"Partition", "BatchEpoch:epoch", "Offset:start"}},
	ProducerReported: {"producer-reported", []string{"Partition", "ProducerID", "BatchEpoch:producer epoch", "Sequence:last sequence", "Offset:open transaction start", "End:last offset"}},
	IntentSeen:       {"intent-seen", []string{"Partition:topic", "Mirror", "To:desired"}},

	StateReadCalled:       {"state-read-called", []string{"Partition", "Mirror", "Op", "LeaderEpoch"}},
	StateReadReturned:     {"state-read-returned", []string{"Partition", "Mirror", "Op", "To:state", "Sequence:state epoch", "Offset:run", "Cause:code"}},
	StateWriteCalled:      {"state-write-called", []string{"Partition", "Mirror", "Op", "To:state", "LeaderEpoch", "Offset:run"}},
	StateWriteReturned:    {"state-write-returned", []string{"Partition", "Mirror", "Op", "To:state", "Sequence:state epoch", "Cause:code"}},
	PositionWriteCalled:   {"position-write-called", []string{"Partition", "Mirror", "Op", "BatchEpoch:last mirrored epoch", "Offset", "LeaderEpoch", "End:run"}},
	PositionWriteReturned: {"position-write-returned", []string{"Partition", "Mirror", "Op", "Cause:code"}},
	StateStored:           {"state-stored", []string{"Partition", "Mirror", "Peer:writer", "Op", "From:state before", "To:state", "LeaderEpoch", "Sequence:state epoch", "Offset:run", "End:offset in __mirror_state", "Cause:reason", "Digest:attempts"}},
	StateCommitted:        {"state-committed", []string{"Partition", "Mirror", "Op:partition of __mirror_state", "To:state", "LeaderEpoch", "Sequence:state epoch", "Offset:run"}},
	PositionStored:        {"position-stored", []string{"Partition", "Mirror", "Peer:writer", "Op", "BatchEpoch:last mirrored epoch", "Offset", "LeaderEpoch", "Sequence:run", "End:offset in __mirror_state"}},
	PositionCommitted:     {"position-committed", []string{"Partition", "Mirror", "Op:partition of __mirror_state", "BatchEpoch:last mirrored epoch", "Offset", "LeaderEpoch", "Sequence:run"}},
	EntryRemoved:          {"entry-removed", []string{"Partition", "Mirror", "From:record type"}},
	CoordinatorLoaded:     {"coordinator-loaded", []string{"Partition:of __mirror_state", "LeaderEpoch", "Sequence:entries"}},
	StateEntered:          {"state-entered", []string{"Partition", "Mirror", "From:state before", "To:state", "LeaderEpoch", "Offset:run"}},
	PositionRecalled:      {"position-recalled", []string{"Partition", "Mirror", "BatchEpoch:last mirrored epoch", "Offset", "Cause:1 found"}},
	LookupReturned:        {"lookup-returned", []string{"Partition", "Mirror", "Peer:answering broker", "BatchEpoch:last mirrored epoch", "Offset", "To:code", "Cause:1 found"}},
	Aligned:               {"aligned", []string{"Partition", "Mirror", "LeaderEpoch", "Offset:log end"}},
	MirrorFetchStarted:    {"mirror-fetch-started", []string{"Partition", "Mirror", "Peer:source leader", "Offset", "LeaderEpoch", "BatchEpoch:source leader epoch"}},
	MirrorFetched:         {"mirror-fetched", []string{"Partition", "Mirror", "Peer:source leader", "Offset:fetch offset", "End:source high watermark", "LeaderEpoch", "BatchEpoch:source leader epoch", "To:code", "Cause:1 diverging"}},
	MirrorFetchStopped:    {"mirror-fetch-stopped", []string{"Partition", "Mirror", "LeaderEpoch", "Offset:log end"}},
	StopStepDone:          {"stop-step-done", []string{"Partition", "Mirror", "To:step", "LeaderEpoch", "Offset:log end", "BatchEpoch:epoch of the newest batch"}},
	WritableChanged:       {"writable-changed", []string{"Partition", "Mirror", "LeaderEpoch", "To:1 writable", "Offset:run"}},
	MirrorSynced:          {"mirror-synced", []string{"Mirror", "Peer:source broker", "Sequence:requests to the controller"}},

	TransactionStored: {"transaction-stored", []string{"Peer:transactional id", "ProducerID", "BatchEpoch:producer epoch", "From:state before", "To:state", "LeaderEpoch:coordinator epoch", "Sequence:partitions"}},

	GroupStored:     {"group-stored", []string{"Peer:group", "Sequence:generation", "To:1 active", "LeaderEpoch:coordinator epoch"}},
	OffsetStored:    {"offset-stored", []string{"Partition", "Peer:group", "Mirror", "Offset", "BatchEpoch:of the record before it", "Sequence:generation, -1 if foreign", "Cause:commit origin", "To:1 tombstone", "LeaderEpoch:coordinator epoch", "End:end in __consumer_offsets"}},
	OffsetCommitted: {"offset-committed", []string{"Partition", "Peer:group", "Mirror", "Offset", "BatchEpoch:of the record before it", "Sequence:generation, -1 if foreign", "Cause:commit origin", "To:1 tombstone", "End:end in __consumer_offsets"}},

	ProducerIdReceived:  {"producer-id-received", []string{"ProducerID", "BatchEpoch:producer epoch", "From:cluster"}},
	ProduceCalled:       {"produce-called", []string{"Partition", "Op", "ProducerID", "BatchEpoch:producer epoch", "Sequence", "End:records", "Digest:crc", "From:cluster", "To:acks"}},
	ProduceSent:         {"produce-sent", []string{"Partition", "Op", "Peer:broker", "From:cluster", "Sequence:attempt"}},
	ProduceReturned:     {"produce-returned", []string{"Partition", "Op", "Peer:broker", "From:cluster", "Offset:base", "To:code"}},
	ConsumerRead:        {"consumer-read", []string{"Partition", "Peer:broker", "From:cluster", "To:1 read_committed", "Offset:from", "End:to", "LeaderEpoch", "Digest:batches"}},
	ConsumerMoved:       {"consumer-moved", []string{"Partition", "From:cluster", "Offset:position", "LeaderEpoch:of the record before it", "To:code", "Cause:1 read_committed"}},
	TransactionCalled:   {"transaction-called", []string{"Op", "From:cluster", "ProducerID", "BatchEpoch:producer epoch", "To:1 commit, 0 abort"}},
	TransactionReturned: {"transaction-returned", []string{"Op", "From:cluster", "ProducerID", "BatchEpoch:producer epoch", "To:code", "Cause:1 commit, 0 abort"}},
	ConsumerAssigned:    {"consumer-assigned", []string{"Partition", "From:cluster"}},
	GroupJoined:         {"group-joined", []string{"From:cluster", "Sequence:generation"}},
	GroupCalled:         {"group-called", []string{"Op", "From:cluster", "To:1 leave"}},
	GroupReturned:       {"group-returned", []string{"Op", "From:cluster", "To:code", "Cause:1 leave"}},
	OffsetFetched:       {"offset-fetched", []string{"Partition", "From:cluster", "Offset:committed, -1 if none", "BatchEpoch:committed"}},
	AdminCalled:         {"admin-called", []string{"Partition:topic", "Mirror", "Op", "From:cluster", "To:api or action"}},
	AdminReturned:       {"admin-returned", []string{"Partition:topic", "Mirror", "Op", "From:cluster", "To:code"}},
	MirrorDescribed:     {"mirror-described", []string{"Partition", "Mirror", "Op", "From:desired", "To:state", "Cause:reason", "Sequence:attempts", "Offset:lag", "End:1 the lag is known", "BatchEpoch:last mirrored epoch", "ProducerID:last mirrored offset"}},
}
