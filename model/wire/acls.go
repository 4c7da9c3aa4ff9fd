package wire

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// CreateAclsRequest adds ACL bindings. Any broker forwards it to the active controller.
type CreateAclsRequest struct {
	Acls        []record.Acl
	Mirror      id.Mirror // 0, or whose mirror-wide work asks: bindings that it is not to synchronise now are passed over
	Client      id.Node   // who asked first; None until a broker forwards it
	Correlation uint32
}

// CreateAclsResponse is InvalidRequest where a binding names no resource or principal. One that is there already succeeds.
type CreateAclsResponse struct {
	Code        Code
	Client      id.Node
	Correlation uint32
}

// DeleteAclsRequest removes ACL bindings. Any broker forwards it to the active controller.
type DeleteAclsRequest struct {
	Acls        []record.Acl
	Mirror      id.Mirror // as CreateAclsRequest's
	Client      id.Node   // who asked first; None until a broker forwards it
	Correlation uint32
}

// DeleteAclsResponse is as CreateAclsResponse. A binding that is not there is removed.
type DeleteAclsResponse struct {
	Code        Code
	Client      id.Node
	Correlation uint32
}

// DescribeAclsRequest asks any broker for the ACL bindings of its cluster.
type DescribeAclsRequest struct{ Correlation uint32 }

// DescribeAclsResponse is what the broker's image holds at Offset; it may be old.
type DescribeAclsResponse struct {
	Cluster     id.Cluster
	Offset      int64 // of the metadata log: how far the broker has replayed it
	Acls        []record.Acl
	Correlation uint32
}

// API of each message.
func (*CreateAclsRequest) API() API    { return CreateAcls }
func (*CreateAclsResponse) API() API   { return CreateAcls + 1 }
func (*DeleteAclsRequest) API() API    { return DeleteAcls }
func (*DeleteAclsResponse) API() API   { return DeleteAcls + 1 }
func (*DescribeAclsRequest) API() API  { return DescribeAcls }
func (*DescribeAclsResponse) API() API { return DescribeAcls + 1 }

// Words of the message; see Body.
func (b *CreateAclsRequest) Words(dst []uint64) []uint64 {
	return record.AclWords(append(dst, uint64(b.Mirror), uint64(b.Client)), b.Acls)
}

// Words of the message; see Body.
func (b *CreateAclsResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Code), uint64(b.Client))
}

// Words of the message; see Body.
func (b *DeleteAclsRequest) Words(dst []uint64) []uint64 {
	return record.AclWords(append(dst, uint64(b.Mirror), uint64(b.Client)), b.Acls)
}

// Words of the message; see Body.
func (b *DeleteAclsResponse) Words(dst []uint64) []uint64 {
	return append(dst, uint64(b.Code), uint64(b.Client))
}

// Words of the message; see Body.
func (b *DescribeAclsRequest) Words(dst []uint64) []uint64 { return dst }

// Words of the message; see Body.
func (b *DescribeAclsResponse) Words(dst []uint64) []uint64 {
	return record.AclWords(append(dst, uint64(b.Cluster), uint64(b.Offset)), b.Acls)
}
