package wire

import "mirrorsim/model/id"

// ForClient is a copy of an admin's request, or of the answer to one, that names client as who asked first; nil where b
// is neither.
func ForClient(b Body, client id.Node) Body {
	c, to, _ := copied(b)
	if to != nil {
		*to = client
	}
	return c
}

// Numbered is a copy of an admin's request as the admin sends it: under a correlation of its own, and without a client.
// It is nil where b is no such request.
func Numbered(b Body, correlation uint32) Body {
	c, to, n := copied(b)
	if c == nil {
		return nil
	}
	if to != nil {
		*to = id.None
	}
	*n = correlation
	return c
}

// ClientOf is who asked first; None where b has no such field, or no broker has forwarded it.
func ClientOf(b Body) id.Node {
	if _, to, _ := copied(b); to != nil {
		return *to
	}
	return id.None
}

// copied is a copy of an admin's request or of its answer, with the copy's client, which requests that no broker forwards
// (DeleteRecords, OffsetCommit, InitProducerId) have not, and its correlation.
func copied(b Body) (Body, *id.Node, *uint32) {
	switch b := b.(type) {
	case *MirrorTopicsRequest:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *CreateMirrorRequest:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *DeleteMirrorRequest:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *DeleteTopicsRequest:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *CreatePartitionsRequest:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *ElectLeadersRequest:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *DescribeMirrorsRequest:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *IncrementalAlterConfigsRequest:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *CreateTopicsRequest:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *CreateAclsRequest:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *DeleteAclsRequest:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *DeleteRecordsRequest:
		c := *b
		return &c, nil, &c.Correlation
	case *OffsetCommitRequest:
		c := *b
		return &c, nil, &c.Correlation
	case *InitProducerIdRequest:
		c := *b
		return &c, nil, &c.Correlation
	}
	return copiedAnswer(b)
}

func copiedAnswer(b Body) (Body, *id.Node, *uint32) {
	switch b := b.(type) {
	case *MirrorTopicsResponse:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *CreateMirrorResponse:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *DeleteMirrorResponse:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *DeleteTopicsResponse:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *CreatePartitionsResponse:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *ElectLeadersResponse:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *DescribeMirrorsResponse:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *IncrementalAlterConfigsResponse:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *CreateTopicsResponse:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *CreateAclsResponse:
		c := *b
		return &c, &c.Client, &c.Correlation
	case *DeleteAclsResponse:
		c := *b
		return &c, &c.Client, &c.Correlation
	}
	return nil, nil, nil
}

// Refuse is the answer to an admin's request as a whole with an error code: without results, for the same client. It is
// nil where b is no such request.
func Refuse(b Body, code Code) Body {
	switch b := b.(type) {
	case *MirrorTopicsRequest:
		return &MirrorTopicsResponse{Code: code, Client: b.Client, Correlation: b.Correlation}
	case *CreateMirrorRequest:
		return &CreateMirrorResponse{Code: code, Client: b.Client, Correlation: b.Correlation}
	case *DeleteMirrorRequest:
		return &DeleteMirrorResponse{Code: code, Client: b.Client, Correlation: b.Correlation}
	case *DeleteTopicsRequest:
		return &DeleteTopicsResponse{Code: code, Client: b.Client, Correlation: b.Correlation}
	case *CreatePartitionsRequest:
		return &CreatePartitionsResponse{Code: code, Client: b.Client, Correlation: b.Correlation}
	case *ElectLeadersRequest:
		return &ElectLeadersResponse{Partition: b.Partition, Code: code, Leader: id.None, Client: b.Client, Correlation: b.Correlation}
	case *DescribeMirrorsRequest:
		return &DescribeMirrorsResponse{Partition: b.Partition, Code: code, Client: b.Client, Correlation: b.Correlation}
	case *IncrementalAlterConfigsRequest:
		return &IncrementalAlterConfigsResponse{Code: code, Client: b.Client, Correlation: b.Correlation}
	case *CreateTopicsRequest:
		return &CreateTopicsResponse{Code: code, Client: b.Client, Correlation: b.Correlation}
	case *CreateAclsRequest:
		return &CreateAclsResponse{Code: code, Client: b.Client, Correlation: b.Correlation}
	case *DeleteAclsRequest:
		return &DeleteAclsResponse{Code: code, Client: b.Client, Correlation: b.Correlation}
	case *DeleteRecordsRequest:
		return &DeleteRecordsResponse{Partition: b.Partition, Code: code, LogStart: -1, Correlation: b.Correlation}
	}
	return nil
}
