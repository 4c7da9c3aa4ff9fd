package wire

import "mirrorsim/model/id"

// Words of the message; see Body.
func (b *JoinGroupRequest) Words(dst []uint64) []uint64 {
	return append(b.Group.Words(dst), uint64(b.Member))
}

// Words of the message; see Body.
func (b *JoinGroupResponse) Words(dst []uint64) []uint64 {
	return append(b.Group.Words(dst), uint64(b.Code), uint64(b.Member), uint64(b.Generation))
}

// Words of the message; see Body.
func (b *HeartbeatRequest) Words(dst []uint64) []uint64 {
	return append(b.Group.Words(dst), uint64(b.Member), uint64(b.Generation))
}

// Words of the message; see Body.
func (b *HeartbeatResponse) Words(dst []uint64) []uint64 {
	return append(b.Group.Words(dst), uint64(b.Code))
}

// Words of the message; see Body.
func (b *LeaveGroupRequest) Words(dst []uint64) []uint64 {
	return append(b.Group.Words(dst), uint64(b.Member))
}

// Words of the message; see Body.
func (b *LeaveGroupResponse) Words(dst []uint64) []uint64 {
	return append(b.Group.Words(dst), uint64(b.Code))
}

// Words of the message; see Body.
func (b *OffsetCommitRequest) Words(dst []uint64) []uint64 {
	return append(b.Group.Words(dst), uint64(b.Member), uint64(b.Generation), uint64(b.Partition.Word()), uint64(b.Offset),
		uint64(b.Epoch), uint64(b.Origin), uint64(b.Mirror), uint64(b.Expected), uint64(b.CreatedAt))
}

// Words of the message; see Body.
func (b *OffsetCommitResponse) Words(dst []uint64) []uint64 {
	return append(b.Group.Words(dst), uint64(b.Partition.Word()), uint64(b.Code))
}

// Words of the message; see Body.
func (b *OffsetFetchRequest) Words(dst []uint64) []uint64 {
	return append(b.Group.Words(dst), uint64(b.Member), uint64(b.Partition.Word()))
}

// Words of the message; see Body.
func (b *OffsetFetchResponse) Words(dst []uint64) []uint64 {
	return append(b.Group.Words(dst), uint64(b.Partition.Word()), uint64(b.Code), uint64(b.Offset), uint64(b.Epoch), uint64(b.Version))
}

// Words of the message; see Body.
func (*ListGroupsRequest) Words(dst []uint64) []uint64 { return dst }

// Words of the message; see Body.
func (b *ListGroupsResponse) Words(dst []uint64) []uint64 {
	for _, g := range b.Groups {
		dst = g.Words(dst)
	}
	return dst
}

// Words of the message; see Body.
func (b *BoundOffsetRequest) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Mirror), uint64(b.Partition.Word()), uint64(b.Offset), uint64(b.Epoch))
}

// Words of the message; see Body.
func (b *BoundOffsetResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Partition.Word()), uint64(b.Code), uint64(b.Offset), uint64(b.Epoch))
}

// Words of the message; see Body.
func (b *LowerOffsetsRequest) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Groups.Word()), uint64(b.Mirror), uint64(b.Partition.Word()), uint64(b.Offset), uint64(b.Epoch), id.Bit64(b.All))
}

// Words of the message; see Body.
func (b *LowerOffsetsResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Groups.Word()), uint64(b.Partition.Word()), uint64(b.Code))
}

// Words of the message; see Body.
func (b *GroupCommand) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Cluster), id.Bit64(b.Leave))
}
