package controller

import (
	"slices"

	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// createAcls adds ACL bindings, in one append.
func (c *Controller) createAcls(q request, req *wire.CreateAclsRequest, out *node.Effects) {
	list, code := c.validateAcls(req.Acls, req.Mirror, false)
	c.commit(q, list, &wire.CreateAclsResponse{Code: code, Client: req.Client, Correlation: req.Correlation}, out)
}

// deleteAcls removes ACL bindings, in one append.
func (c *Controller) deleteAcls(q request, req *wire.DeleteAclsRequest, out *node.Effects) {
	list, code := c.validateAcls(req.Acls, req.Mirror, true)
	c.commit(q, list, &wire.DeleteAclsResponse{Code: code, Client: req.Client, Correlation: req.Correlation}, out)
}

// validateAcls answers the records of what a request adds or removes; what is so already is not written. Mirror-wide work
// changes what its mirror's list includes, while it mirrors something, but nothing of a topic that is paused or stopped
// (section 9 of the design).
func (c *Controller) validateAcls(acls []record.Acl, x id.Mirror, removed bool) ([]record.Metadata, wire.Code) {
	if slices.ContainsFunc(acls, func(a record.Acl) bool { return !a.Valid() }) {
		return nil, wire.InvalidRequest
	}
	var records []record.Metadata
	for i, a := range acls {
		if c.image.HasAcl(a) != removed || slices.Contains(acls[:i], a) || x != 0 && !c.image.SynchronisesAcl(x, a) {
			continue
		}
		records = append(records, &record.AclRecord{Acl: a, Removed: removed, Mirror: x})
	}
	return records, wire.OK
}
