package metadata_test

import (
	"testing"

	"mirrorsim/model/metadata"
	"mirrorsim/model/record"
)

func acl(kind record.ResourceType, name string) record.Acl {
	return record.Acl{Resource: kind, Name: name, Principal: "alice"}
}

// ACL bindings are kept in order, each once.
func TestAcls(t *testing.T) {
	b, a := acl(record.GroupResource, "b"), acl(record.TopicResource, "a")
	m := image(&record.AclRecord{Acl: b}, &record.AclRecord{Acl: a}, &record.AclRecord{Acl: b})
	before := m.Clone()
	equal(t, "bindings", m.Acls, []record.Acl{a, b})
	m.Apply(&record.AclRecord{Acl: a, Removed: true})
	m.Apply(&record.AclRecord{Acl: a, Removed: true})
	equal(t, "one is removed", m.Acls, []record.Acl{b})
	equal(t, "the clone", []any{before.Acls, before.HasAcl(a), m.HasAcl(a)}, []any{[]record.Acl{a, b}, true, false})
}

// What a mirror's list includes is synchronised while the mirror mirrors something, but nothing of a paused or stopped topic,
// and never an ACL on a mirror.
func TestSynchronisesAcl(t *testing.T) {
	topics := []record.Metadata{&record.MirrorRecord{Mirror: 2, Name: "m", Acls: []string{"topic:orders.*", "group:a.b", "mirror:.*"}},
		&record.MirrorRecord{Mirror: 3, Name: "n", Acls: []string{"topic:.*"}},
		&record.TopicRecord{Topic: orders, Name: "orders"}, &record.TopicRecord{Topic: clicks, Name: "orders-eu"}}
	m := image(topics...)
	want := func(what string, list ...bool) {
		t.Helper()
		var got []bool
		for _, a := range []record.Acl{acl(record.TopicResource, "orders"), acl(record.TopicResource, "orders-eu"), acl(record.TopicResource, "orders-none"),
			acl(record.TopicResource, "clicks"), acl(record.GroupResource, "a.b"), acl(record.GroupResource, "a-b"), acl(record.MirrorResource, "m")} {
			got = append(got, m.SynchronisesAcl(2, a))
		}
		equal(t, what, got, list)
	}
	want("nothing is mirrored", false, false, false, false, false, false, false)
	m.Apply(&record.MirrorTopicRecord{Topic: orders, Mirror: 2, Desired: record.WantMirroring})
	want("orders is mirrored", true, true, true, false, true, false, false)
	equal(t, "by another mirror", m.SynchronisesAcl(3, acl(record.TopicResource, "orders")), false)
	equal(t, "by no mirror", m.SynchronisesAcl(4, acl(record.TopicResource, "orders")), false)
	for _, desired := range []record.Desired{record.WantPaused, record.WantStopped} {
		m.Apply(&record.MirrorTopicRecord{Topic: clicks, Mirror: 3, Desired: desired})
		want("orders-eu is "+desired.String(), true, false, true, false, true, false, false)
	}
	m.Apply(&record.MirrorTopicRecord{Topic: orders, Mirror: 2, Desired: record.WantPaused})
	want("orders is paused", false, false, false, false, false, false, false)
}

func TestValidAclEntries(t *testing.T) {
	for entry, valid := range map[string]bool{"topic:a": true, "group:a.*b": true, "mirror:x": true, "topic:": false, "topic": false, "cluster:a": false, "topic:o(": false} {
		equal(t, entry, metadata.ValidAclEntries([]string{"topic:t", entry}), valid)
	}
}
