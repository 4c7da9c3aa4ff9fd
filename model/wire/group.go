package wire

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// JoinGroupRequest joins a group, which has one member at a time: a second join of the same client, or of one that was
// started anew, replaces the first. Member is what the coordinator gave before, 0 at first.
type JoinGroupRequest struct {
	Group       record.Group
	Member      uint32
	Correlation uint32
}

// JoinGroupResponse gives the member its id and the group's new generation, both stored.
type JoinGroupResponse struct {
	Group       record.Group
	Code        Code
	Member      uint32
	Generation  int32
	Correlation uint32
}

// HeartbeatRequest keeps a member in its group.
type HeartbeatRequest struct {
	Group       record.Group
	Member      uint32
	Generation  int32
	Correlation uint32
}

// HeartbeatResponse answers UnknownMemberId or IllegalGeneration to one that has to join again.
type HeartbeatResponse struct {
	Group       record.Group
	Code        Code
	Correlation uint32
}

// LeaveGroupRequest leaves a group, which is empty then.
type LeaveGroupRequest struct {
	Group       record.Group
	Member      uint32
	Correlation uint32
}

// LeaveGroupResponse answers once that is stored.
type LeaveGroupResponse struct {
	Group       record.Group
	Code        Code
	Correlation uint32
}

// AnyVersion is the Expected of a commit that does not depend on the one before.
const AnyVersion int64 = -1

// OffsetCommitRequest commits an offset. A member names itself and its generation; a foreign commit, of an admin or a
// mirror, has neither (0 and -1), and is refused with UnknownMemberId while the group is active, as Kafka's is.
type OffsetCommitRequest struct {
	Group       record.Group
	Member      uint32
	Generation  int32
	Partition   id.Partition
	Offset      int64 // the next one to read
	Epoch       int32 // leader epoch of the record before it; -1: not known
	Origin      record.CommitOrigin
	Mirror      id.Mirror // of a mirror's
	Expected    int64     // the OffsetFetchResponse.Version that the commit is to replace, else it is refused (D32); AnyVersion: any
	CreatedAt   int64     // of a mirror's: where its metadata log created the topic when it began; 0: not said. The id may come again
	Correlation uint32
}

// OffsetCommitResponse answers once the commit is below the high watermark; InvalidUpdateVersion where Expected did not hold.
type OffsetCommitResponse struct {
	Group       record.Group
	Partition   id.Partition
	Code        Code
	Correlation uint32
}

// OffsetFetchRequest asks a group's coordinator for its committed offset. A member names itself, as since Kafka's version 9
// (KIP-848): it reads the partition in its generation, from there on. For others Member is 0.
type OffsetFetchRequest struct {
	Group       record.Group
	Member      uint32
	Partition   id.Partition
	Correlation uint32
}

// OffsetFetchResponse answers what is committed, below the high watermark; offset and epoch are -1 where nothing is.
type OffsetFetchResponse struct {
	Group       record.Group
	Partition   id.Partition
	Code        Code
	Offset      int64
	Epoch       int32
	Version     int64 // grows with every commit of this group and partition; 0: nothing is committed
	Correlation uint32
}

// ListGroupsRequest asks a broker which groups it coordinates.
type ListGroupsRequest struct{ Correlation uint32 }

// ListGroupsResponse answers them, those that are loading not.
type ListGroupsResponse struct {
	Groups      []record.Group
	Correlation uint32
}

// BoundOffsetRequest asks a destination partition's leader to bound a source group's offset by its log (D19, D44).
type BoundOffsetRequest struct {
	Mirror      id.Mirror
	Partition   id.Partition
	Offset      int64
	Epoch       int32
	Correlation uint32
}

// BoundOffsetResponse answers the offset, and the epoch to commit with it: that of the request where the offset is, and
// otherwise the local one of the record before, -1 at the log start, to which the offset was raised.
type BoundOffsetResponse struct {
	Partition   id.Partition
	Code        Code // NotLeaderOrFollower, TopicNotInClusterMirror, UnknownLeaderEpoch
	Offset      int64
	Epoch       int32
	Correlation uint32
}

// LowerOffsetsRequest has a group coordinator lower the offsets of a partition that stand above Offset, where its leader has
// cut the log (D31). The member of an active group that reads the partition has to join again, so that it goes on from there too.
type LowerOffsetsRequest struct {
	Groups      id.Partition // of __consumer_offsets
	Mirror      id.Mirror
	Partition   id.Partition
	Offset      int64
	Epoch       int32 // leader epoch of the record before it; -1 if there is none
	All         bool  // those of members and admins too
	Correlation uint32
}

// LowerOffsetsResponse answers once the lower offsets are below the high watermark.
type LowerOffsetsResponse struct {
	Groups      id.Partition
	Partition   id.Partition
	Code        Code
	Correlation uint32
}

// API of each message.
func (*JoinGroupRequest) API() API     { return JoinGroup }
func (*JoinGroupResponse) API() API    { return JoinGroup + 1 }
func (*HeartbeatRequest) API() API     { return Heartbeat }
func (*HeartbeatResponse) API() API    { return Heartbeat + 1 }
func (*LeaveGroupRequest) API() API    { return LeaveGroup }
func (*LeaveGroupResponse) API() API   { return LeaveGroup + 1 }
func (*OffsetCommitRequest) API() API  { return OffsetCommit }
func (*OffsetCommitResponse) API() API { return OffsetCommit + 1 }
func (*OffsetFetchRequest) API() API   { return OffsetFetch }
func (*OffsetFetchResponse) API() API  { return OffsetFetch + 1 }
func (*ListGroupsRequest) API() API    { return ListGroups }
func (*ListGroupsResponse) API() API   { return ListGroups + 1 }
func (*BoundOffsetRequest) API() API   { return BoundOffset }
func (*BoundOffsetResponse) API() API  { return BoundOffset + 1 }
func (*LowerOffsetsRequest) API() API  { return LowerOffsets }
func (*LowerOffsetsResponse) API() API { return LowerOffsets + 1 }
