package record

import (
	"encoding/binary"

	"mirrorsim/model/id"
)

// Group is a consumer group: the client that is its only member, on whichever cluster, and the group's id, by which lists
// and patterns name it. A group of that id exists on every cluster, with offsets of its own on each.
type Group struct {
	Client id.Node
	Name   string // group.id; never empty
}

// Words are the group's fields as numbers, in a fixed order, appended to dst.
func (g Group) Words(dst []uint64) []uint64 { return append(dst, uint64(g.Client), TextWord(g.Name)) }

// GroupKind is the kind of a __consumer_offsets record.
type GroupKind uint8

// The kinds, with Kafka's key versions: OffsetCommitKey 1, GroupMetadataKey 2.
const (
	OffsetCommit  GroupKind = 1
	GroupMetadata GroupKind = 2
)

// CommitOrigin says by whom an offset was committed.
type CommitOrigin uint8

// The origins. All but the member's are foreign: of somebody who is not in the group.
const (
	CommitMember CommitOrigin = iota // the group's member
	CommitMirror                     // mirror-wide work, from the source's offset (section 9 of the design)
	CommitAdmin                      // an admin's AlterConsumerGroupOffsets
	CommitLower                      // a leader that cut its log: the offset stood above the cut (D31)
)

// GroupRecord is one record of __consumer_offsets. The key is (kind, group) of a GroupMetadata and (kind, group, partition)
// of an OffsetCommit. A tombstone has no value.
type GroupRecord struct {
	Kind      GroupKind
	Group     Group
	Partition id.Partition // OffsetCommit
	Tombstone bool         // OffsetCommit: the topic was deleted

	Generation int32  // GroupMetadata: raised by every join; OffsetCommit: in which it was committed, -1 if foreign
	Member     uint32 // GroupMetadata: the member; 0: the group is empty

	Offset int64 // OffsetCommit: the next one to read
	Epoch  int32 // OffsetCommit: leader epoch of the record before it; -1: not known
	Origin CommitOrigin
	Mirror id.Mirror // OffsetCommit: of CommitMirror and CommitLower, for which mirror
	// CreatedAt, of an OffsetCommit, is where the metadata log created the topic: one that is made again under its id, as a mirror
	// makes it, has other offsets. Kafka's is never given out twice.
	CreatedAt int64
}

// appendRecord appends a __consumer_offsets record: fixed-width fields, big endian, but for the group's id.
func (g *GroupRecord) appendRecord(dst []byte, delta int32) []byte {
	var keyBuf, buf [64]byte
	key := append(keyBuf[:0], byte(g.Kind), byte(g.Group.Client))
	key = append(key, g.Group.Name...)
	value := buf[:0]
	if g.Kind == OffsetCommit {
		key = binary.BigEndian.AppendUint32(key, g.Partition.Word())
	}
	switch {
	case g.Tombstone:
	case g.Kind == OffsetCommit:
		value = binary.BigEndian.AppendUint64(value, uint64(g.Offset))
		value = binary.BigEndian.AppendUint32(value, uint32(g.Epoch))
		value = binary.BigEndian.AppendUint32(value, uint32(g.Generation))
		value = append(value, byte(g.Origin), byte(g.Mirror))
		value = binary.BigEndian.AppendUint64(value, uint64(g.CreatedAt))
	default:
		value = binary.BigEndian.AppendUint32(value, uint32(g.Generation))
		value = binary.BigEndian.AppendUint32(value, g.Member)
	}
	return appendRecord(dst, delta, key, value)
}

// NewGroups is a batch of __consumer_offsets records, not yet at an offset. It has at least one record.
func NewGroups(groups []GroupRecord) *Batch {
	b := &Batch{Last: int64(len(groups) - 1), LeaderEpoch: -1, ProducerID: NoProducer, ProducerEpoch: -1,
		BaseSequence: NoSequence, Groups: groups}
	return b.Sealed()
}
