package scenarios

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/id"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
)

// three is three clusters: B and C mirror A, and C mirrors B too; topic u stands on A only.
const three = `scenario three
cluster A brokers=2
cluster B brokers=2
cluster C brokers=2
topic t on A partitions=1 replicas=2
topic u on A partitions=1 replicas=2
topic t on B partitions=1 replicas=2 id-of=A unclean
topic t on C partitions=1 replicas=2 id-of=B mirror-unclean remote-storage
client p producer on A
client tx transactional on A
mirror m from A to B
mirror n from B to C
mirror all from A to C absent include=t,u.* exclude=ux exclude-configs=r.* acls=topic:t
`

func wireTest(t *testing.T, text string) (*wiring, *format.Scenario) {
	t.Helper()
	s, err := format.Parse("test.scn", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s.Clients = s.Clients[:1] // no transactional one, which has nothing to do with requests
	config, err := protocol.Revision(DefaultRevision)
	if err != nil {
		t.Fatal(err)
	}
	w, err := wireUp(s, config)
	if err != nil {
		t.Fatal(err)
	}
	return w, s
}

func TestRequests(t *testing.T) {
	const (
		topicT, topicU    = id.Topic(0<<12 | 2), id.Topic(0<<12 | 3)
		anotherU          = id.Topic(0<<12 | 4) // the name is taken, or was: what is created is another topic
		clusterB          = id.Cluster(1)
		clusterC          = id.Cluster(2)
		mirrorM, mirrorN  = id.Mirror(1), id.Mirror(2)
		mirrorAll         = id.Mirror(3)
		none, stateTopicC = id.None, id.Topic(2<<12 | 1)
	)
	p := id.Partition{Topic: topicT}
	topics := func(a wire.MirrorAction, m id.Mirror, list ...id.Topic) *wire.MirrorTopicsRequest {
		return &wire.MirrorTopicsRequest{Action: a, Mirror: m, Topics: list, Client: none}
	}
	patterns := topics(wire.StopMirrorTopics, mirrorM)
	patterns.Patterns = []string{"t", "u.*"}
	table := []struct {
		act     string
		cluster id.Cluster
		request wire.Body
		results int
	}{
		{"start t u in m", clusterB, topics(wire.StartMirrorTopics, mirrorM, topicT, topicU), 2},
		{"stop t in m", clusterB, topics(wire.StopMirrorTopics, mirrorM, topicT), 1},
		{"stop in m pattern=t,u.*", clusterB, patterns, 1},
		{"pause t in n", clusterC, topics(wire.PauseMirrorTopics, mirrorN, topicT), 1},
		{"resume t in n", clusterC, topics(wire.ResumeMirrorTopics, mirrorN, topicT), 1},
		{"recover u in n", clusterC, topics(wire.RecoverMirrorTopics, mirrorN, topicU), 1},
		{"create all", clusterC, &wire.CreateMirrorRequest{Mirror: &record.MirrorRecord{Mirror: mirrorAll, Name: "all",
			Bootstrap: []id.Node{0, 1}, Include: []string{"t", "u.*"}, Exclude: []string{"ux"},
			ExcludeConfigs: []string{"r.*"}, Acls: []string{"topic:t"}}, Client: none}, 1},
		{"create m from C", clusterB, &wire.CreateMirrorRequest{Mirror: &record.MirrorRecord{Mirror: mirrorM, Name: "m", Source: clusterC,
			Bootstrap: []id.Node{4, 5}, Exclude: []string{"__.*"}}, Client: none}, 1},
		{"delete m", clusterB, &wire.DeleteMirrorRequest{Mirror: mirrorM, Client: none}, 1},
		{"describe C/t-0 in n", clusterC, &wire.DescribeMirrorsRequest{Mirror: mirrorN, Partition: p, Client: none}, 1},
		{"create-topics u on A", 0, &wire.CreateTopicsRequest{Topics: []wire.NewTopic{{Record: &record.TopicRecord{Topic: anotherU, Name: "u",
			Partitions: 1, MinISR: 1}, Replicas: [][]id.Node{{0, 1}}}}, Client: none}, 1},
		{"delete-topics t u on C", clusterC, &wire.DeleteTopicsRequest{Topics: []id.Topic{topicT, topicU}, Client: none}, 2},
		{"create-partitions t on B partitions=4", clusterB,
			&wire.CreatePartitionsRequest{Topics: []id.Topic{topicT}, Partitions: 4, Client: none}, 1},
		{"config t u on C retention.ms=5", clusterC, &wire.IncrementalAlterConfigsRequest{Changes: []wire.TopicConfig{
			{Topic: topicT, Key: "retention.ms", Value: "5"}, {Topic: topicU, Key: "retention.ms", Value: "5"}}, Client: none}, 2},
		{"config t on B mirror.name=", clusterB, &wire.IncrementalAlterConfigsRequest{Changes: []wire.TopicConfig{
			{Topic: topicT, Key: "mirror.name"}}, Client: none}, 1},
		{"acl add group:g bob all deny on C", clusterC, &wire.CreateAclsRequest{Acls: []record.Acl{{Resource: record.GroupResource, Name: "g",
			Principal: "bob", Operation: record.AclAll, Deny: true}}, Client: none}, 1},
		{"acl remove topic:t bob read on B", clusterB, &wire.DeleteAclsRequest{Acls: []record.Acl{{Name: "t", Principal: "bob"}}, Client: none}, 1},
		{"delete-records B/t-0 before=7", clusterB, &wire.DeleteRecordsRequest{Partition: p, Offset: 7}, 1},
		{"delete-records B/t-0", clusterB, &wire.DeleteRecordsRequest{Partition: p, Offset: -1}, 1},
		{"elect B/t-0 to=b1 unclean", clusterB, &wire.ElectLeadersRequest{Partition: p, Unclean: true, Target: 3, Client: none}, 1},
		{"elect coordinator n C/t-0", clusterC, &wire.ElectLeadersRequest{Partition: id.Partition{Topic: stateTopicC},
			Target: none, Client: none}, 1},
		{"consume r C/t-0", 0, nil, 0},
	}
	for _, c := range table {
		t.Run(c.act, func(t *testing.T) {
			w, s := wireTest(t, strings.Replace(three, "client tx", "client r consumer on A\nclient tx", 1)+c.act+"\n")
			r := newRun(w, Options{Protocol: w.config})
			if err := r.boot(); err != nil {
				t.Fatal(err)
			}
			cluster, request, results := r.request(s.Steps[0].Do)
			if d := cmp.Diff([]any{c.cluster, c.request, c.results}, []any{cluster, request, results}); d != "" {
				t.Errorf("cluster, request, results (-want +got)\n%s", d)
			}
		})
	}
}

// What a cluster's metadata log holds at the beginning follows the options of topics and mirrors.
func TestFirstRecords(t *testing.T) {
	w, _ := wireTest(t, three)
	var topics []record.TopicRecord
	var mirrors []record.MirrorRecord
	for c := range w.names.Clusters {
		for _, r := range w.firstRecords(id.Cluster(c)) {
			switch r := r.(type) {
			case *record.TopicRecord:
				if r.Internal == record.NotInternal {
					topics = append(topics, *r)
				}
			case *record.MirrorRecord:
				mirrors = append(mirrors, *r)
			}
		}
	}
	topic := record.TopicRecord{Topic: 2, Name: "t", Partitions: 1, MinISR: 1}
	u, onB, onC := topic, topic, topic
	u.Topic, u.Name = 3, "u"
	onB.Unclean = true
	onC.MirrorUnclean, onC.RemoteStorage = true, true
	if d := cmp.Diff([]record.TopicRecord{topic, u, onB, onC}, topics); d != "" {
		t.Errorf("topics (-want +got)\n%s", d)
	}
	wanted := []record.MirrorRecord{
		{Mirror: 1, Name: "m", Bootstrap: []id.Node{0, 1}, Exclude: []string{"__.*"}},
		{Mirror: 2, Name: "n", Source: 1, Bootstrap: []id.Node{2, 3}, Exclude: []string{"__.*"}}}
	if d := cmp.Diff(wanted, mirrors); d != "" {
		t.Errorf("mirrors (-want +got)\n%s", d)
	}
}
