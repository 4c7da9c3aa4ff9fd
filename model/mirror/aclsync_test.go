package mirror_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

func acl(kind record.ResourceType, name string) record.Acl {
	return record.Acl{Resource: kind, Name: name, Principal: "alice"}
}

// TestAclsMadeEqual is section 9: of the bindings that the list includes those that only the source has are added, and those
// that only this cluster has removed; what the list does not include, and ACLs on mirrors, stay. It is asked last of a pass.
func TestAclsMadeEqual(t *testing.T) {
	r := working(t, record.MirrorRecord{Acls: []string{"topic:.*", "mirror:.*"}})
	both, here, there := acl(record.TopicResource, "both"), acl(record.TopicResource, "here"), acl(record.TopicResource, "there")
	for _, a := range []record.Acl{both, here, acl(record.GroupResource, "here"), acl(record.MirrorResource, "here")} {
		r.meta(&record.AclRecord{Acl: a})
	}
	told := func(acls ...record.Acl) {
		t.Helper()
		q, first := begun(r)
		list(r, q, 5)
		configs, _ := take[*wire.DescribeConfigsRequest](r)
		r.message(first, &wire.DescribeConfigsResponse{Cluster: clusterA, Offset: 5, Correlation: configs.Correlation})
		same(t, "not done before", len(r.kinds(event.MirrorSynced)), 0)
		ask, to := take[*wire.DescribeAclsRequest](r)
		same(t, "asked of", to, first)
		r.message(to, &wire.DescribeAclsResponse{Cluster: clusterA, Offset: 5, Acls: acls, Correlation: ask.Correlation})
	}
	told(both, there, acl(record.GroupResource, "there"), acl(record.MirrorResource, "there"))
	create, to := take[*wire.CreateAclsRequest](r)
	same(t, "added", []any{to, create.Acls, create.Mirror, create.Client}, []any{bC0, []record.Acl{there}, mirrorM, b0})
	remove, to := take[*wire.DeleteAclsRequest](r)
	same(t, "removed", []any{to, remove.Acls, remove.Mirror, remove.Client}, []any{bC0, []record.Acl{here}, mirrorM, b0})
	same(t, "requests", r.kinds(event.MirrorSynced)[0].Sequence, int32(2))
	r.events = nil
	r.meta(&record.AclRecord{Acl: there}, &record.AclRecord{Acl: here, Removed: true})
	told(both, there)
	none[*wire.CreateAclsRequest](r, "they are equal")
	none[*wire.DeleteAclsRequest](r, "they are equal")
	same(t, "requests", r.kinds(event.MirrorSynced)[0].Sequence, int32(0))
}

// TestAclsHalt: those of a topic that is paused meanwhile stay as they are.
func TestAclsHalt(t *testing.T) {
	r := working(t, record.MirrorRecord{Acls: []string{"topic:.*"}})
	r.meta(&record.TopicRecord{Topic: second, Name: "u", Partitions: 1}, &record.MirrorTopicRecord{Topic: second, Mirror: mirrorM, Desired: record.WantMirroring},
		&record.AclRecord{Acl: acl(record.TopicResource, "t")})
	q, _ := begun(r)
	list(r, q, 5)
	configs, _ := take[*wire.DescribeConfigsRequest](r)
	same(t, "topics", configs.Topics, []id.Topic{tp.Topic, second})
	r.message(a0, &wire.DescribeConfigsResponse{Cluster: clusterA, Offset: 5, Correlation: configs.Correlation})
	ask, _ := take[*wire.DescribeAclsRequest](r)
	r.want(record.WantPaused)
	r.message(a0, &wire.DescribeAclsResponse{Cluster: clusterA, Offset: 5, Acls: []record.Acl{acl(record.TopicResource, "u")}, Correlation: ask.Correlation})
	create, _ := take[*wire.CreateAclsRequest](r)
	same(t, "of the other topic", create.Acls, []record.Acl{acl(record.TopicResource, "u")})
	none[*wire.DeleteAclsRequest](r, "t is paused")
}
