package checkers

import (
	"strings"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// The ACL bindings of these tests: about t, about a group, and one that no list includes.
const (
	aclOfT uint64 = iota + 1
	aclOfGroup
	aclOfNone
)

// syncing writes a history of mirror-wide work over the topic t of B, which mirrors A, by a clock of its own.
type syncing struct {
	builder
	now id.Duration
}

func (b *syncing) emits(k event.Kind, n id.Node, e event.Event) {
	b.on(k, n, e).At = b.now
}

// wait lets time pass, in which n passes are done.
func (b *syncing) wait(n int) {
	for range n {
		b.passes(60 * id.Second)
	}
}

// passes has a pass be done after that time.
func (b *syncing) passes(after id.Duration) {
	b.now += after
	b.emits(event.MirrorSynced, b0, event.Event{Mirror: mirrorM, Peer: a0})
}

func (b *syncing) sets(n id.Node, k record.ConfigKey, value int64, m id.Mirror) {
	b.emits(event.ConfigChanged, n, event.Event{To: uint8(k), From: 1, Offset: value, Mirror: m})
}

func (b *syncing) deletes(n id.Node, k record.ConfigKey, m id.Mirror) {
	b.emits(event.ConfigChanged, n, event.Event{To: uint8(k), Mirror: m})
}

func (b *syncing) acl(n id.Node, word uint64, there uint8, m id.Mirror) {
	b.emits(event.AclChanged, n, event.Event{Digest: word, To: there, Mirror: m})
}

func (b *syncing) grows(n id.Node, to int32, m id.Mirror) {
	b.emits(event.TopicGrown, n, event.Event{Sequence: to, Mirror: m})
}

func (b *syncing) desires(d record.Desired, discovered uint8) {
	b.emits(event.IntentChanged, bLog, event.Event{Mirror: mirrorM, To: uint8(d), Cause: discovered})
}

func (b *syncing) link(from, to id.Node, up uint8, late int64) {
	b.emits(event.LinkSet, from, event.Event{Peer: to, To: up, Offset: late})
}

// syncCases are histories behind the start of t, with words of the violation, "" where there is none.
var syncCases = []struct {
	name  string
	write func(b *syncing)
	words string
}{
	{"what the source has is set, and what it deletes stays", func(b *syncing) {
		b.sets(aLog, record.RetentionMs, 5, 0)
		b.sets(bLog, record.RetentionMs, 5, mirrorM)
		b.deletes(aLog, record.RetentionMs, 0)
		b.wait(9)
	}, ""},
	{"a config does not come", func(b *syncing) {
		b.sets(aLog, record.CleanupPolicy, 1, 0)
		b.wait(4)
	}, "the config cleanup.policy of t is compact on A since 1s, and on B, which mirrors it, it is not set"},
	{"it has another value", func(b *syncing) {
		b.sets(bLog, record.RetentionMs, 4, 0)
		b.sets(aLog, record.RetentionMs, 5, 0)
		b.wait(4)
	}, "and on B, which mirrors it, it is 4"},
	{"it has another value, which mirror-wide work has set late", func(b *syncing) {
		b.sets(aLog, record.RetentionMs, 4, 0)
		b.sets(aLog, record.RetentionMs, 5, 0)
		b.now += 20 * id.Second
		b.sets(bLog, record.RetentionMs, 4, mirrorM)
		for range 4 {
			b.passes(5 * id.Second)
		}
	}, "and on B, which mirrors it, it is 4"},
	{"it has not had the time", func(b *syncing) {
		b.sets(aLog, record.RetentionMs, 5, 0)
		b.wait(3)
	}, ""},
	{"an excluded one does not come", func(b *syncing) {
		b.sets(aLog, record.MinInsyncReplicas, 2, 0)
		b.wait(9)
	}, ""},
	{"no pass is done any more", func(b *syncing) {
		b.sets(aLog, record.RetentionMs, 5, 0)
		b.now += 331 * id.Second
		b.emits(event.HighWatermark, b0, event.Event{})
	}, "retention.ms of t is 5 on A"},
	{"the topic was resumed just now", func(b *syncing) {
		b.sets(aLog, record.RetentionMs, 5, 0)
		b.desires(record.WantPaused, 0)
		b.wait(9)
		b.desires(record.WantMirroring, 0)
		b.wait(3)
	}, ""},
	{"a broker is down", func(b *syncing) {
		b.sets(aLog, record.RetentionMs, 5, 0)
		b.emits(event.Crashed, a1, event.Event{})
		b.wait(9)
	}, ""},
	{"a link is late", func(b *syncing) {
		b.sets(aLog, record.RetentionMs, 5, 0)
		b.link(b0, a1, 1, 5)
		b.wait(9)
	}, ""},
	{"a link was cut, and works", func(b *syncing) {
		b.sets(aLog, record.RetentionMs, 5, 0)
		b.link(b0, a1, 0, 0)
		b.link(b0, a1, 1, 0)
		b.wait(4)
	}, "retention.ms of t is 5 on A"},
	{"an excluded config is set", func(b *syncing) { b.sets(bLog, record.MinInsyncReplicas, 2, mirrorM) },
		"on B the work of mirror m set the config min.insync.replicas, which is excluded"},
	{"a config is deleted", func(b *syncing) {
		b.sets(bLog, record.RetentionMs, 5, 0)
		b.deletes(bLog, record.RetentionMs, mirrorM)
	}, "deleted the config retention.ms, but deletions are not synchronised"},
	{"a config is written again", func(b *syncing) {
		b.sets(aLog, record.RetentionMs, 5, 0)
		b.sets(bLog, record.RetentionMs, 5, mirrorM)
		b.sets(bLog, record.RetentionMs, 5, mirrorM)
	}, "set the config retention.ms to 5, which it was already"},
	{"a value is set that the source had a moment ago", func(b *syncing) {
		b.sets(aLog, record.RetentionMs, 5, 0)
		b.sets(aLog, record.RetentionMs, 6, 0)
		b.sets(bLog, record.RetentionMs, 5, mirrorM)
	}, ""},
	{"a value is set that the source has not", func(b *syncing) {
		b.sets(aLog, record.RetentionMs, 5, 0)
		b.wait(1)
		b.sets(bLog, record.RetentionMs, 6, mirrorM)
	}, "set the config retention.ms to 6, which the source does not have"},
	{"a config of a paused topic is set", func(b *syncing) {
		b.sets(aLog, record.RetentionMs, 5, 0)
		b.desires(record.WantPaused, 0)
		b.sets(bLog, record.RetentionMs, 5, mirrorM)
	}, "set the config retention.ms of t, which is desired to be paused"},
	{"a user sets one of a stopped topic", func(b *syncing) {
		b.desires(record.WantStopped, 0)
		b.sets(bLog, record.RetentionMs, 5, 0)
	}, ""},
	{"a stopped topic is grown", func(b *syncing) {
		b.desires(record.WantStopped, 0)
		b.grows(bLog, 2, mirrorM)
	}, "added partitions of t, which is desired to be stopped"},
	{"partitions do not come", func(b *syncing) {
		b.grows(aLog, 2, 0)
		b.wait(4)
	}, "t has 2 partitions on A since 1s, and 1 on B, which mirrors it"},
	{"partitions come", func(b *syncing) {
		b.grows(aLog, 2, 0)
		b.grows(bLog, 2, mirrorM)
		b.wait(9)
	}, ""},
	{"a stopped topic is discovered", func(b *syncing) {
		b.desires(record.WantStopped, 0)
		b.desires(record.WantMirroring, 1)
	}, "started t, which was desired to be stopped"},
	{"a plain topic is discovered", func(b *syncing) {
		b.desires(record.WantNone, 0)
		b.desires(record.WantMirroring, 1)
	}, ""},
	{"ACLs are made equal", func(b *syncing) {
		b.acl(aLog, aclOfT, 1, 0)
		b.acl(bLog, aclOfGroup, 1, 0)
		b.acl(aLog, aclOfNone, 1, 0)
		b.acl(bLog, aclOfT, 1, mirrorM)
		b.acl(bLog, aclOfGroup, 0, mirrorM)
		b.wait(9)
	}, ""},
	{"an ACL does not come", func(b *syncing) { b.acl(aLog, aclOfT, 1, 0); b.wait(4) },
		"the ACL topic:t alice read is included in mirror m: A has it, and B has it not"},
	{"an ACL does not go", func(b *syncing) { b.acl(bLog, aclOfGroup, 1, 0); b.wait(4) }, "A has it not, and B has it"},
	{"an ACL of a topic that is paused does not come", func(b *syncing) {
		b.desires(record.WantPaused, 0)
		b.acl(aLog, aclOfT, 1, 0)
		b.wait(9)
	}, ""},
	{"one of a paused topic is added", func(b *syncing) {
		b.desires(record.WantPaused, 0)
		b.acl(aLog, aclOfT, 1, 0)
		b.acl(bLog, aclOfT, 1, mirrorM)
	}, "added the ACL topic:t alice read, and t is desired to be paused"},
	{"one that is not included is added", func(b *syncing) {
		b.acl(aLog, aclOfNone, 1, 0)
		b.acl(bLog, aclOfNone, 1, mirrorM)
	}, "added the ACL mirror:m alice alter, which its list does not include"},
	{"one is added twice", func(b *syncing) {
		b.acl(aLog, aclOfT, 1, 0)
		b.acl(bLog, aclOfT, 1, mirrorM)
		b.acl(bLog, aclOfT, 1, mirrorM)
	}, "added the ACL topic:t alice read, which was so already"},
	{"one is removed that the source has", func(b *syncing) {
		b.acl(aLog, aclOfT, 1, 0)
		b.acl(bLog, aclOfT, 1, mirrorM)
		b.wait(1)
		b.acl(bLog, aclOfT, 0, mirrorM)
	}, "removed the ACL topic:t alice read, but the source has it otherwise"},
}

// Each clause of metadata-sync, and what must not be taken for a violation of it.
func TestMetadataSync(t *testing.T) {
	top, names := topology, *topology.Names
	names.Acls = map[uint64]string{aclOfT: "topic:t alice read", aclOfGroup: "group:g alice read", aclOfNone: "mirror:m alice alter"}
	lists := SyncLists{Cluster: clusterB, Mirror: mirrorM, Acls: []SyncedAcl{{aclOfT, []id.Topic{topicT}}, {Word: aclOfGroup}}}
	lists.Excluded[record.MinInsyncReplicas] = true
	top.Names, top.MetadataRefresh, top.Sync = &names, 60*id.Second, []SyncLists{lists}
	for _, c := range syncCases {
		t.Run(c.name, func(t *testing.T) {
			b := &syncing{now: id.Second}
			b.boot()
			b.desires(record.WantMirroring, 0)
			c.write(b)
			s, err := NewSuite(top, MetadataSync.String())
			if err != nil {
				t.Fatal(err)
			}
			for i := range b.events {
				s.Observe(&b.events[i])
			}
			fork := s.Clone()
			s.Finish()
			fork.Finish()
			v, w := s.Verdicts()[0], fork.Verdicts()[0]
			switch {
			case len(w.Violations) != len(v.Violations):
				t.Errorf("a clone finds %v", w.Violations)
			case c.words == "" && len(v.Violations) > 0:
				t.Errorf("refused: %v", v.Violations)
			case c.words != "" && (len(v.Violations) == 0 || !strings.Contains(v.Violations[0].Sentence, c.words)):
				t.Errorf("%v, want one with %q", v.Violations, c.words)
			}
		})
	}
}
