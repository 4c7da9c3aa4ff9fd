package mirror

import (
	"mirrorsim/model/record"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// AclsTold takes the source's ACL bindings: those that the mirror's list includes are made equal to them, what is added there is
// added here, and what is removed there removed (section 9 of the design).
func (m *Manager) AclsTold(res *wire.DescribeAclsResponse, env *replica.Env) {
	p, _ := m.answered(res.Correlation, res.Cluster, res.Offset, env)
	if p == nil {
		return
	}
	create, remove := &wire.CreateAclsRequest{Mirror: p.mirror}, &wire.DeleteAclsRequest{Mirror: p.mirror}
	there := make(map[record.Acl]bool, len(res.Acls))
	for _, a := range res.Acls {
		there[a] = true
		if env.Image.SynchronisesAcl(p.mirror, a) && !env.Image.HasAcl(a) {
			create.Acls = append(create.Acls, a)
		}
	}
	for _, a := range env.Image.Acls {
		if env.Image.SynchronisesAcl(p.mirror, a) && !there[a] {
			remove.Acls = append(remove.Acls, a)
		}
	}
	if len(create.Acls) > 0 {
		m.ask(p, create, env)
	}
	if len(remove.Acls) > 0 {
		m.ask(p, remove, env)
	}
	m.passDone(p, env)
}
