package controller_test

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

func binding(kind record.ResourceType, name string) record.Acl {
	return record.Acl{Resource: kind, Name: name, Principal: "alice", Operation: record.AclWrite}
}

// A user's bindings are added and removed; of mirror-wide work only what its mirror is to synchronise.
func TestAlterAcls(t *testing.T) {
	var (
		plain, running = binding(record.TopicResource, "t"), binding(record.TopicResource, "mirroring")
		halted, ended  = binding(record.TopicResource, "paused"), binding(record.TopicResource, "stopped")
		group, other   = binding(record.GroupResource, "g"), binding(record.GroupResource, "h")
		mirror         = binding(record.MirrorResource, "m")
		all            = []record.Acl{plain, running, halted, ended, group, other, mirror, plain}
		lists          = &record.MirrorRecord{Mirror: 1, Name: "m", Source: 1, Acls: []string{"topic:.*", "group:g", "mirror:.*"}}
		idle           = &record.MirrorRecord{Mirror: 2, Name: "n", Source: 2, Acls: []string{"topic:.*"}}
	)
	for _, test := range []struct {
		name string
		x    id.Mirror
		want []record.Acl
	}{
		{"a user", 0, []record.Acl{plain, running, halted, ended, group, other, mirror}},
		{"mirror-wide work", 1, []record.Acl{plain, running, group}},
		{"of a mirror that mirrors nothing", 2, nil},
		{"of no mirror", 9, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := active(t, append(mirrored(), lists, idle))
			for _, removed := range []bool{false, true, true} {
				var want []record.Metadata
				for _, a := range test.want {
					want = append(want, &record.AclRecord{Acl: a, Removed: removed, Mirror: test.x})
				}
				before := len(r.records())
				answer := wire.Body(call[*wire.CreateAclsResponse](r, a, x, &wire.CreateAclsRequest{Acls: all, Mirror: test.x, Client: admin, Correlation: 5}))
				expected := wire.Body(&wire.CreateAclsResponse{Client: admin, Correlation: 5})
				if removed {
					before = len(r.records())
					answer = call[*wire.DeleteAclsResponse](r, a, x, &wire.DeleteAclsRequest{Acls: all, Mirror: test.x, Client: admin, Correlation: 6})
					expected = &wire.DeleteAclsResponse{Client: admin, Correlation: 6}
				}
				equal(t, "answer", answer, expected)
				equal(t, "records", written(r, before), want)
			}
		})
	}
}

func TestAclEvents(t *testing.T) {
	r := active(t, mirrored())
	for _, bad := range []record.Acl{{Name: "t"}, {Principal: "alice"}} {
		before := len(r.records())
		res := call[*wire.CreateAclsResponse](r, a, x, &wire.CreateAclsRequest{Acls: []record.Acl{binding(record.TopicResource, "t"), bad}})
		equal(t, "code", res.Code, wire.InvalidRequest)
		equal(t, "nothing is written", len(r.records()), before)
	}
	one := binding(record.TopicResource, "t")
	call[*wire.CreateAclsResponse](r, a, x, &wire.CreateAclsRequest{Acls: []record.Acl{one}})
	before := len(r.records())
	call[*wire.CreateAclsResponse](r, a, x, &wire.CreateAclsRequest{Acls: []record.Acl{one}})
	equal(t, "what is there is not written", len(r.records()), before)
	call[*wire.DeleteAclsResponse](r, a, x, &wire.DeleteAclsRequest{Acls: []record.Acl{one}})
	var got [][]uint64
	for _, e := range r.events {
		if e.Kind == event.AclChanged {
			got = append(got, []uint64{e.Digest, uint64(e.To), uint64(e.Mirror)})
		}
	}
	equal(t, "events", got, [][]uint64{{one.Word(), 1, 0}, {one.Word(), 0, 0}})
	res := call[*wire.CreateMirrorResponse](r, a, x, &wire.CreateMirrorRequest{Mirror: &record.MirrorRecord{Mirror: 5, Name: "o", Acls: []string{"all"}}})
	equal(t, "an entry that is not valid", res.Code, wire.InvalidRequest)
}
