package history

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// slot is a field of an event.Event that holds a number.
type slot uint8

const (
	peer slot = iota
	mirrorSlot
	from
	to
	cause
	place // the partition
	leaderEpoch
	batchEpoch
	offsetSlot
	end
	producer
	sequence
	op
	digestSlot
	topicSlot // the topic of the partition, and its index, where they are two fields
	indexSlot
	batchSlot     // the batch, which no number stands for
	slots     int = iota
)

// slotNames are the fields' names in event.Schemas.
var slotNames = [slots]string{"Peer", "Mirror", "From", "To", "Cause", "Partition", "LeaderEpoch", "BatchEpoch", "Offset", "End",
	"ProducerID", "Sequence", "Op", "Digest", "Partition", "Partition", "Batch"}

// get is the number in a slot.
func (s slot) get(e *event.Event) int64 {
	switch s {
	case peer:
		return int64(e.Peer)
	case mirrorSlot:
		return int64(e.Mirror)
	case from:
		return int64(e.From)
	case to:
		return int64(e.To)
	case cause:
		return int64(e.Cause)
	case place:
		return int64(e.Partition.Word())
	case leaderEpoch:
		return int64(e.LeaderEpoch)
	case batchEpoch:
		return int64(e.BatchEpoch)
	case offsetSlot:
		return e.Offset
	case end:
		return e.End
	case producer:
		return e.ProducerID
	case sequence:
		return int64(e.Sequence)
	case op:
		return int64(e.Op)
	case topicSlot:
		return int64(e.Partition.Topic) << 16
	case indexSlot:
		return int64(e.Partition.Index)
	}
	return int64(e.Digest)
}

// set puts a number into a slot; the form of the field has bounded it.
func (s slot) set(e *event.Event, v int64) {
	switch s {
	case peer:
		e.Peer = id.Node(v)
	case mirrorSlot:
		e.Mirror = id.Mirror(v)
	case from:
		e.From = uint8(v)
	case to:
		e.To = uint8(v)
	case cause:
		e.Cause = uint8(v)
	case place:
		e.Partition = id.Partition{Topic: id.Topic(v >> 16), Index: uint16(v)}
	case leaderEpoch:
		e.LeaderEpoch = int32(v)
	case batchEpoch:
		e.BatchEpoch = int32(v)
	case offsetSlot:
		e.Offset = v
	case end:
		e.End = v
	case producer:
		e.ProducerID = v
	case sequence:
		e.Sequence = int32(v)
	case op:
		e.Op = uint32(v)
	case topicSlot:
		e.Partition.Topic = id.Topic(v >> 16)
	case indexSlot:
		e.Partition.Index = uint16(v)
	default:
		e.Digest = uint64(v)
	}
}

// field is one field of a kind of event: its name in a line, where it stands in an event.Event, and how it is written.
type field struct {
	name     string
	slot     slot
	form     form
	optional bool
	none     int64 // what stands in the slot where an optional field is left out
	means    string
}

func need(name string, s slot, f form, means string) field {
	return field{name: name, slot: s, form: f, means: means}
}

func may(name string, s slot, f form, none int64, means string) field {
	return field{name: name, slot: s, form: f, optional: true, none: none, means: means}
}

// nobody is the number of no node.
const nobody = int64(id.None)

// The fields that many kinds have.
var (
	ofPartition = need("partition", place, partition, "")
	ofTopic     = need("topic", place, topic, "")
	ofMirror    = need("mirror", mirrorSlot, mirror, "")
	byMirror    = may("by_mirror", mirrorSlot, mirror, 0, "whose mirror-wide work has written it; a user where it is left out")
	ofEpoch     = need("leader_epoch", leaderEpoch, someEpoch, "in which the node does so; -1 if it knows none")
	inEpoch     = need("leader_epoch", leaderEpoch, epoch, "")
	ofOp        = need("op", op, operation, "a number that the events of one operation share, and no other operation has")
	onCluster   = need("cluster", from, cluster, "the cluster that the client speaks to")
	ofCode      = need("code", to, codeWords, "")
	causeCode   = need("code", cause, codeWords, "")
	ofDelay     = need("delay_us", offsetSlot, duration, "")
	ofRun       = need("run", offsetSlot, offset, "counts how often PREPARING was stored")
	ofState     = need("state", to, stateWords, "")
	ofProducer  = need("producer_id", producer, producerID, "-1 if none")
	ofIdentity  = need("producer_epoch", batchEpoch, someEpoch, "-1 if none")
	lmeEpoch    = need("epoch", batchEpoch, someEpoch, "the last mirrored epoch; -1 if none")
	lmeOffset   = need("offset", offsetSlot, someOffset, "the last mirrored offset; -1 if none")
	logEnd      = need("log_end", offsetSlot, offset, "")
	ofHome      = need("stored_in", op, partition, "the partition of __mirror_state")
)

// row is the kind of a line: from which roles it comes and what fields it has.
type row struct {
	from   []Role
	fields []field
}

func (r *row) comesFrom(role Role) bool { return slices.Contains(r.from, role) }

func rowOf(from []Role, fields ...field) row { return row{from, fields} }

// The roles that events come from.
var (
	fromAny    = []Role{Broker, MetadataLog, Controller, Client, Admin}
	fromLog    = []Role{MetadataLog}
	fromBroker = []Role{Broker}
	fromClient = []Role{Client}
	fromAdmin  = []Role{Admin}
)

// rows is the table by kind. A test holds it against event.Schemas.
var rows = merge(worldRows(), metadataRows(), replicaRows(), reportRows(), mirrorRows(), coordinatorRows(), clientRows(),
	adminRows())

func merge(tables ...map[event.Kind]row) (all [event.Kinds]row) {
	for _, t := range tables {
		for k, r := range t {
			all[k] = r
		}
	}
	return all
}

// kinds are the kinds by name.
var kinds = func() map[string]event.Kind {
	m := map[string]event.Kind{}
	for k := event.Kind(1); int(k) < event.Kinds; k++ {
		m[k.String()] = k
	}
	return m
}()
