package scenarios

import (
	"strconv"
	"strings"

	"mirrorsim/checkers"
	"mirrorsim/model/broker"
	"mirrorsim/model/client"
	"mirrorsim/model/controller"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/setting"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
	"mirrorsim/scenarios/history"
)

// wiring is a scenario's topology as nodes of a world: what boots them, and what they are called. It is never changed once
// made, so runs and forks share it.
type wiring struct {
	scenario *format.Scenario
	config   protocol.Config
	settings setting.Settings
	names    id.Names
	cluster  []id.Cluster   // by node
	roles    []history.Role // by node
	boots    []node.Boot
	node     map[string]id.Node
	topic    map[topicOn]id.Topic   // as the topic statements say; see run.topicOn
	again    map[topicOn][]id.Topic // ids for what create-topics steps create anew, in their order
	mirror   map[string]id.Mirror
	admin    []id.Node // by cluster
	brokers  int       // the nodes below are brokers
}

type topicOn struct {
	cluster id.Cluster
	name    string
}

// scenarioAttempts is the default of failure-attempts in scenario files: the model's 100 take 27,811 virtual seconds.
const scenarioAttempts = 3

// wireUp makes the wiring of s under config. The error is one of a setting.
func wireUp(s *format.Scenario, config protocol.Config) (*wiring, error) {
	w := &wiring{scenario: s, config: config, settings: setting.Default(), node: map[string]id.Node{},
		topic: map[topicOn]id.Topic{}, again: map[topicOn][]id.Topic{}, mirror: map[string]id.Mirror{}}
	w.settings.FailureAttempts = scenarioAttempts
	w.names.Topics = map[id.Topic]string{}
	for _, set := range s.Settings {
		if err := w.settings.Set(set.Key, set.Token); err != nil {
			return nil, err
		}
	}
	w.nameMirrors()
	w.nameNodes()
	w.nameTopics()
	w.nameAcls()
	w.bootNodes()
	return w, nil
}

func (w *wiring) nameMirrors() {
	w.names.Mirrors = []string{""}
	for _, m := range w.scenario.Mirrors {
		if _, ok := w.mirror[m.Name]; !ok {
			w.mirror[m.Name] = id.Mirror(len(w.names.Mirrors))
			w.names.Mirrors = append(w.names.Mirrors, m.Name)
		}
	}
}

// nameNodes numbers the brokers of all clusters first, so that an id.Set holds any of them, then the metadata logs,
// controllers, clients and admins.
func (w *wiring) nameNodes() {
	add := func(c int, name string, role history.Role) id.Node {
		n := id.Node(len(w.names.Nodes))
		w.names.Nodes = append(w.names.Nodes, name)
		w.cluster = append(w.cluster, id.Cluster(c))
		w.roles = append(w.roles, role)
		w.node[name] = n
		return n
	}
	clusters := w.scenario.Clusters
	for c := range clusters {
		w.names.Clusters = append(w.names.Clusters, clusters[c].Name)
		for b := range clusters[c].Brokers {
			add(c, clusters[c].Node(b), history.Broker)
		}
	}
	w.brokers = len(w.names.Nodes)
	for c := range clusters {
		add(c, clusters[c].Log(), history.MetadataLog)
		for i := range clusters[c].Controllers {
			add(c, clusters[c].Controller(i), history.Controller)
		}
	}
	for _, x := range w.scenario.Clients {
		add(int(w.clusterOf(x.On)), x.Name, history.Client)
	}
	for c := range clusters {
		w.admin = append(w.admin, add(c, clusters[c].Admin(), history.Admin))
	}
}

// clusterOf is the cluster of that name; the format has checked that there is one.
func (w *wiring) clusterOf(name string) id.Cluster {
	for c := range w.scenario.Clusters {
		if w.scenario.Clusters[c].Name == name {
			return id.Cluster(c)
		}
	}
	panic("scenarios: no cluster " + name)
}

// nameTopics gives each topic an id: one of its own, or that of the topic of its name on another cluster. The state topic
// of each cluster is there whether the scenario mentions it or not. What a step may create anew gets an id too.
func (w *wiring) nameTopics() {
	next := make([]uint16, len(w.scenario.Clusters))
	another := func(c id.Cluster, name string) id.Topic {
		next[c]++
		t := id.NewTopic(c, next[c])
		w.names.Topics[t] = name
		return t
	}
	create := func(c id.Cluster, name string) { w.topic[topicOn{c, name}] = another(c, name) }
	for c := range w.scenario.Clusters {
		create(id.Cluster(c), format.StateTopic)
	}
	for _, t := range w.scenario.Topics {
		if !format.Internal(t.Name) && t.IDOf == "" {
			create(w.clusterOf(t.On), t.Name)
		}
	}
	for _, t := range w.scenario.Topics {
		if t.IDOf != "" {
			w.topic[topicOn{w.clusterOf(t.On), t.Name}] = w.topic[topicOn{w.clusterOf(t.IDOf), t.Name}]
		}
	}
	for c := range w.scenario.Clusters {
		if w.scenario.Transactional() {
			create(id.Cluster(c), format.TransactionTopic)
		}
		if w.scenario.Grouped() {
			create(id.Cluster(c), format.GroupTopic)
		}
	}
	w.nameNewTopics(another)
}

// nameNewTopics gives an id to each topic that a create-topics step may create under a name that its cluster had before: one
// for each such step, because a topic that was deleted does not come back. The first step for an absent topic creates the one
// that the topic statement names. In reports the second topic of a name is called orders#2.
func (w *wiring) nameNewTopics(another func(c id.Cluster, name string) id.Topic) {
	for _, due := range w.scenario.Unroll()[1:] {
		a, ok := due.Step.Do.(*format.CreateTopics)
		if !ok {
			continue
		}
		c := w.clusterOf(a.On)
		for _, name := range a.Topics {
			at := topicOn{c, name}
			w.again[at] = append(w.again[at], another(c, name+"#"+strconv.Itoa(len(w.again[at])+2)))
		}
	}
}

// bareName is the name of a topic, also of one that was created anew.
func (w *wiring) bareName(t id.Topic) string {
	name, _, _ := strings.Cut(w.names.Topic(t), "#")
	return name
}

// brokersOf are the nodes of a cluster's brokers.
func (w *wiring) brokersOf(c id.Cluster) []id.Node {
	var list []id.Node
	for n := range w.brokers {
		if w.cluster[n] == c {
			list = append(list, id.Node(n))
		}
	}
	return list
}

// bootNodes makes what boots each node, in the order of nameNodes.
func (w *wiring) bootNodes() {
	log := func(c id.Cluster) id.Node { return w.node[w.scenario.Clusters[c].Log()] }
	for n := range w.brokers {
		w.boots = append(w.boots, broker.Boot(&broker.Spec{Cluster: w.cluster[n], Log: log(w.cluster[n]),
			Config: &w.config, Settings: &w.settings, Names: &w.names}))
	}
	for c := range w.scenario.Clusters {
		w.boots = append(w.boots, controller.BootLog(w.firstRecords(id.Cluster(c)), &w.settings))
		for range w.scenario.Clusters[c].Controllers {
			w.boots = append(w.boots, controller.Boot(&controller.Spec{Log: log(id.Cluster(c)), Config: &w.config, Settings: &w.settings}))
		}
	}
	var clusters []client.Cluster
	for c := range w.scenario.Clusters {
		clusters = append(clusters, client.Cluster{Bootstrap: w.brokersOf(id.Cluster(c))})
	}
	for _, x := range w.scenario.Clients {
		reads := client.ConsumerSpec{Clusters: clusters, Settings: &w.settings}
		switch x.Kind {
		case format.Consumer:
			w.boots = append(w.boots, client.NewConsumer(reads))
		case format.Group:
			w.boots = append(w.boots, client.NewGroup(client.GroupSpec{ConsumerSpec: reads, Name: x.Name}))
		default:
			w.boots = append(w.boots, client.NewProducer(client.ProducerSpec{Clusters: clusters, Idempotent: !x.Plain,
				Transactional: x.Kind == format.Transactional, Settings: &w.settings}))
		}
	}
	for c := range w.scenario.Clusters {
		w.boots = append(w.boots, client.NewAdmin(client.AdminSpec{Cluster: id.Cluster(c), Bootstrap: clusters[c].Bootstrap, Settings: &w.settings}))
	}
}

// firstRecords is what a cluster's metadata log holds when the run begins: its brokers, its topics with their first
// leaders in leader epoch 0, and its mirrors.
func (w *wiring) firstRecords(c id.Cluster) []record.Metadata {
	var list []record.Metadata
	for _, n := range w.brokersOf(c) {
		list = append(list, &record.BrokerRecord{Broker: n, Incarnation: 1})
	}
	list = append(list, w.topicRecords(c, w.internalTopic(c, format.StateTopic))...)
	if w.scenario.Transactional() {
		list = append(list, w.topicRecords(c, w.internalTopic(c, format.TransactionTopic))...)
	}
	if w.scenario.Grouped() {
		list = append(list, w.topicRecords(c, w.internalTopic(c, format.GroupTopic))...)
	}
	for i := range w.scenario.Topics {
		if t := &w.scenario.Topics[i]; !format.Internal(t.Name) && w.clusterOf(t.On) == c && !t.Absent {
			list = append(list, w.topicRecords(c, t)...)
		}
	}
	for i := range w.scenario.Mirrors {
		if m := &w.scenario.Mirrors[i]; w.clusterOf(m.To) == c && !m.Absent {
			list = append(list, w.mirrorRecord(m))
		}
	}
	return list
}

// mirrorRecord is the resource MIRROR/<name> that a mirror statement speaks of.
func (w *wiring) mirrorRecord(m *format.Mirror) *record.MirrorRecord {
	source := w.clusterOf(m.From)
	return &record.MirrorRecord{Mirror: w.mirror[m.Name], Name: m.Name, Source: source, Bootstrap: w.brokersOf(source),
		Include: m.Include, Exclude: m.Excludes(), Groups: m.Groups, NoGroups: m.NoGroups,
		ExcludeConfigs: m.ExcludeConfigs, Acls: m.Acls}
}

// internalTopic is an internal topic of a cluster.
func (w *wiring) internalTopic(c id.Cluster, name string) *format.Topic {
	t := w.scenario.InternalTopic(name, w.scenario.Clusters[c].Name, &w.settings)
	return &t
}

// topicRecords are those of a topic that is there when the run begins.
func (w *wiring) topicRecords(c id.Cluster, t *format.Topic) []record.Metadata {
	made := w.newTopic(c, t)
	list := []record.Metadata{made.Record}
	for i, replicas := range made.Replicas {
		list = append(list, &record.PartitionRecord{Partition: id.Partition{Topic: made.Record.Topic, Index: uint16(i)}, Replicas: replicas,
			ISR: id.SetOf(replicas...), Leader: replicas[0], Cause: uint8(event.PartitionCreated)})
	}
	return list
}

// newTopic is a topic of a cluster as its statement says, with the replicas of each partition.
func (w *wiring) newTopic(c id.Cluster, t *format.Topic) wire.NewTopic {
	topic := w.topic[topicOn{c, t.Name}]
	made := &record.TopicRecord{Topic: topic, Name: t.Name, Partitions: uint16(t.Partitions), MinISR: uint8(t.MinInSync()),
		Unclean: t.Unclean, MirrorUnclean: t.MirrorUnclean, RemoteStorage: t.RemoteStorage}
	switch t.Name {
	case format.StateTopic:
		made.Internal = record.MirrorStateTopic
	case format.TransactionTopic:
		made.Internal = record.TransactionStateTopic
	case format.GroupTopic:
		made.Internal = record.ConsumerOffsetsTopic
	}
	list := wire.NewTopic{Record: made}
	brokers := w.brokersOf(c)
	for i := range t.Partitions {
		var replicas []id.Node
		for _, b := range t.Brokers(&w.scenario.Clusters[c], i) {
			replicas = append(replicas, brokers[b])
		}
		list.Replicas = append(list.Replicas, replicas)
	}
	return list
}

// topology is what the checkers must know beforehand.
func (w *wiring) topology() checkers.Topology {
	epoch := w.config.MirroredEpoch(1, 0)
	producer, _ := w.config.MirroredProducer(0)
	byEpoch, byOffset := w.config.MarkerParts()
	return checkers.Topology{Cluster: w.cluster, Names: &w.names, RewritesEpochs: epoch != 1, RewritesProducers: producer != 0,
		ResetClosesTransactions: w.config.ResetClearsTransactions(), PositionEpoch: byEpoch, PositionOffset: byOffset,
		DropsEarlyPauses: w.config.OnEarlyPause() == protocol.EarlyPauseDropped, StopsDeleted: w.config.OnSourceDeleted() == protocol.DeletedStops,
		RefusesFailed: w.config.ChecksActual() && !w.config.StopAccepted(false, false), ChecksReverse: w.config.ChecksReverse(), MetadataRefresh: w.settings.MetadataRefresh, Sync: w.syncLists()}
}

// partition is the partition that tp names, with its cluster.
func (w *wiring) partition(tp format.TP) (id.Cluster, id.Partition) {
	c := w.clusterOf(tp.Cluster)
	return c, id.Partition{Topic: w.topicOn(tp.Cluster, tp.Topic), Index: uint16(tp.Partition)}
}

// topicOn is the id of the topic of that name on a cluster: its own, or that of the source from which a start may create it.
func (w *wiring) topicOn(cluster, name string) id.Topic {
	if t := w.scenario.TopicOf(cluster, name); t != nil {
		cluster = t.On
	}
	return w.topic[topicOn{w.clusterOf(cluster), name}]
}

// mirrorOf is the mirror that ref names and its destination cluster.
func (w *wiring) mirrorOf(ref format.MirrorRef) (id.Mirror, id.Cluster) {
	return w.mirror[ref.Name], w.clusterOf(w.scenario.FindMirror(ref).To)
}
