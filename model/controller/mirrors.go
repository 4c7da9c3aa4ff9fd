package controller

import (
	"mirrorsim/model/metadata"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// createMirror creates the resource MIRROR/<name>, if the name is legal in this revision and unused (section 2 of the
// design, CreateMirror).
func (c *Controller) createMirror(q request, req *wire.CreateMirrorRequest, out *node.Effects) {
	res := &wire.CreateMirrorResponse{Client: req.Client, Correlation: req.Correlation}
	switch {
	case !c.spec.Config.Names().LegalMirrorName(req.Mirror.Name):
		res.Code = wire.InvalidClusterMirrorName
	case c.image.Mirror(req.Mirror.Mirror) != nil:
		res.Code = wire.ClusterMirrorAlreadyExists
	case !metadata.ValidEntries(req.Mirror.Include) || !metadata.ValidEntries(req.Mirror.Exclude),
		!metadata.ValidEntries(req.Mirror.Groups) || !metadata.ValidEntries(req.Mirror.NoGroups),
		!metadata.ValidEntries(req.Mirror.ExcludeConfigs) || !metadata.ValidAclEntries(req.Mirror.Acls):
		res.Code = wire.InvalidRequest
	default:
		c.commit(q, []record.Metadata{req.Mirror}, res, out)
		return
	}
	c.commit(q, nil, res, out)
}

// deleteMirror deletes a mirror of which every topic is stopped, and every partition STOPPED by what the broker that took
// the request has read. Its topics become plain (section 2 of the design, DeleteMirror).
func (c *Controller) deleteMirror(q request, req *wire.DeleteMirrorRequest, out *node.Effects) {
	res := &wire.DeleteMirrorResponse{Client: req.Client, Correlation: req.Correlation}
	if c.image.Mirror(req.Mirror) == nil {
		res.Code = wire.UnknownClusterMirror
		c.commit(q, nil, res, out)
		return
	}
	var records []record.Metadata
	for i := range c.image.Topics {
		t := &c.image.Topics[i]
		if t.Desired == record.WantNone || t.Mirror != req.Mirror {
			continue
		}
		if t.Desired != record.WantStopped || !every(req.Actual, t, is(record.Stopped)) {
			res.Code = wire.ClusterMirrorNotEmpty
			c.commit(q, nil, res, out)
			return
		}
		records = append(records, intent(t, record.WantNone))
	}
	c.commit(q, append(records, &record.RemoveMirrorRecord{Mirror: req.Mirror}), res, out)
}
