package checkers

import (
	"slices"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// Two mirrors into B include one ACL: m from A, of t, and n from C, of u.
func TestAclsOfTwoMirrors(t *testing.T) {
	const mirrorN, clusterC, cLog id.Mirror = 2, 2, 11
	top, names := topology, *topology.Names
	names.Clusters, names.Nodes = append(slices.Clip(names.Clusters), "C"), append(slices.Clip(names.Nodes), "c-log")
	names.Mirrors, names.Acls = []string{"", "m", "n"}, map[uint64]string{aclOfGroup: "group:g alice read"}
	top.Cluster, top.Names, top.MetadataRefresh = append(slices.Clip(top.Cluster), id.Cluster(clusterC)), &names, 60*id.Second
	included := []SyncedAcl{{Word: aclOfGroup}}
	top.Sync = []SyncLists{{Cluster: clusterB, Mirror: mirrorM, Acls: included}, {Cluster: clusterB, Mirror: mirrorN, Acls: included}}
	u := id.Partition{Topic: id.NewTopic(id.Cluster(clusterC), 1)}
	for _, c := range []struct {
		name, why string
		want      Status
		write     func(b *syncing)
	}{
		{"they undo each other's writes", "the mirrors m and n of B both include the ACL group:g alice read, and their sources differ in it",
			NotPromised, func(b *syncing) {
				b.acl(aLog, aclOfGroup, 1, 0)
				for range 9 {
					b.acl(bLog, aclOfGroup, 1, mirrorM)
					b.wait(1)
					b.acl(bLog, aclOfGroup, 0, mirrorN)
					b.wait(1)
				}
			}},
		{"their sources agree", "", Holds, func(b *syncing) {
			b.acl(aLog, aclOfGroup, 1, 0)
			b.acl(id.Node(cLog), aclOfGroup, 1, 0)
			b.acl(bLog, aclOfGroup, 1, mirrorM)
			b.wait(9)
		}},
		{"their sources agree, and it does not come", "", Violated, func(b *syncing) {
			b.acl(aLog, aclOfGroup, 1, 0)
			b.acl(id.Node(cLog), aclOfGroup, 1, 0)
			b.wait(9)
		}},
		{"the other's source has changed since", "", Holds, func(b *syncing) {
			b.acl(aLog, aclOfGroup, 1, 0)
			b.acl(id.Node(cLog), aclOfGroup, 1, 0)
			b.acl(bLog, aclOfGroup, 1, mirrorM)
			b.acl(id.Node(cLog), aclOfGroup, 0, 0)
			b.acl(bLog, aclOfGroup, 0, mirrorN)
		}},
		{"the other mirrors nothing any more", "", Holds, func(b *syncing) {
			b.acl(aLog, aclOfGroup, 1, 0)
			b.acl(bLog, aclOfGroup, 1, mirrorM)
			b.desires(record.WantStopped, 0)
			b.acl(bLog, aclOfGroup, 0, mirrorN)
			b.wait(9)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &syncing{now: id.Second}
			b.boot()
			b.on(event.MirrorCreated, bLog, event.Event{Mirror: mirrorN, To: uint8(clusterC)})
			b.desires(record.WantMirroring, 0)
			b.emits(event.IntentChanged, bLog, event.Event{Partition: u, Mirror: mirrorN, To: uint8(record.WantMirroring)})
			c.write(b)
			if v := b.verdict(t, top, MetadataSync); v.Status != c.want || v.Why != c.why {
				t.Errorf("%v because %q, want %v because %q: %v", v.Status, v.Why, c.want, c.why, v.Violations)
			}
		})
	}
}
