package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"mirrorsim/checkers"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/scenarios/format"
)

// Role is what a node is. Each kind of event comes from nodes of some roles only.
type Role uint8

// The roles.
const (
	Broker Role = iota
	MetadataLog
	Controller
	Client
	Admin
	roles int = iota
)

var roleNames = [roles]string{"broker", "metadata-log", "controller", "client", "admin"}

// String is the role's word in a header.
func (r Role) String() string { return roleNames[r] }

// What the ids of the model have room for.
const (
	maxClusters = 16
	maxNodes    = int(id.None)
	maxTopics   = 0xfff // that one cluster creates
	maxMirrors  = 255
)

// names puts ids in the place of the names of a header, and the other way round.
type names struct {
	of         *id.Names
	cluster    []id.Cluster // by node
	role       []Role       // by node
	clusters   map[string]id.Cluster
	nodes      map[string]id.Node
	topics     map[string]id.Topic // by the ids of the header
	topicIDs   map[id.Topic]string
	mirrors    map[string]id.Mirror
	partitions map[id.Topic]int64 // how many the topic has had so far
	scratch    []byte
}

func newNames() *names {
	return &names{of: &id.Names{Topics: map[id.Topic]string{}, Mirrors: []string{""}, Acls: map[uint64]string{}},
		clusters: map[string]id.Cluster{}, nodes: map[string]id.Node{}, topics: map[string]id.Topic{},
		topicIDs: map[id.Topic]string{}, mirrors: map[string]id.Mirror{}, partitions: map[id.Topic]int64{}}
}

// headerBuilder gives ids to what a header names. It keeps the first error.
type headerBuilder struct {
	names *names
	t     *checkers.Topology
	err   *format.SyntaxError
}

func (b *headerBuilder) fail(word, message string, want ...string) {
	if b.err == nil {
		b.err = &format.SyntaxError{Word: word, Message: message, Want: want}
	}
}

// name checks a name: sentences and waits are made of words, so that a name is one.
func (b *headerBuilder) name(what, name string, taken bool) {
	blank := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }
	switch {
	case name == "" || strings.ContainsFunc(name, blank):
		b.fail(name, what+" is not a name", "printable characters without a blank")
	case taken:
		b.fail(name, what+" stands twice", "a name of its own")
	}
}

func (b *headerBuilder) clusters(list []string) {
	if len(list) == 0 || len(list) > maxClusters {
		b.fail("clusters", fmt.Sprintf("%d clusters", len(list)), fmt.Sprintf("1 to %d clusters", maxClusters))
		return
	}
	for i, name := range list {
		_, taken := b.names.clusters[name]
		b.name("the cluster", name, taken)
		b.names.clusters[name] = id.Cluster(i)
	}
	b.names.of.Clusters = list
}

func (b *headerBuilder) cluster(what, name string) id.Cluster {
	c, ok := b.names.clusters[name]
	if !ok {
		b.fail(name, what+" is on no cluster", b.names.of.Clusters...)
	}
	return c
}

// nodes numbers the brokers first, whatever the order is, for an id.Set holds numbers below 64 only.
func (b *headerBuilder) nodes(list []Node) {
	if len(list) == 0 || len(list) > maxNodes {
		b.fail("nodes", fmt.Sprintf("%d nodes", len(list)), fmt.Sprintf("1 to %d nodes", maxNodes))
		return
	}
	brokers := 0
	for _, brokersNow := range []bool{true, false} {
		for i := range list {
			if (list[i].Role == Broker.String()) == brokersNow {
				b.node(&list[i])
			}
		}
		if brokersNow {
			brokers = len(b.names.cluster)
		}
	}
	if brokers == 0 || brokers > id.MaxBrokers {
		b.fail("nodes", fmt.Sprintf("%d nodes are brokers", brokers), fmt.Sprintf("1 to %d brokers", id.MaxBrokers))
	}
}

func (b *headerBuilder) node(x *Node) {
	n := b.names
	_, taken := n.nodes[x.Name]
	b.name("the node", x.Name, taken)
	role := slices.Index(roleNames[:], x.Role)
	if role < 0 {
		b.fail(x.Role, "node "+x.Name+" has no such role", roleNames[:]...)
	}
	n.nodes[x.Name] = id.Node(len(n.cluster))
	n.of.Nodes = append(n.of.Nodes, x.Name)
	n.cluster = append(n.cluster, b.cluster("node "+x.Name, x.Cluster))
	n.role = append(n.role, Role(max(role, 0)))
}

func (b *headerBuilder) topics(list []Topic) {
	n := b.names
	var created [maxClusters]uint16
	for i := range list {
		x := &list[i]
		name := cmp.Or(x.Name, x.ID)
		_, taken := n.topics[x.ID]
		b.name("the topic", x.ID, taken)
		b.name("the topic", name, false)
		c := b.cluster("topic "+x.ID, x.On)
		if created[c]++; created[c] > maxTopics {
			b.fail(x.ID, "the cluster has created more topics than fit", fmt.Sprintf("%d topics of one cluster", maxTopics))
			return
		}
		t := id.NewTopic(c, created[c])
		n.topics[x.ID], n.topicIDs[t], n.of.Topics[t] = t, x.ID, name
	}
}

func (b *headerBuilder) topic(what, name string) id.Topic {
	t, ok := b.names.topics[name]
	if !ok {
		b.fail(name, what+" is of no topic in topics", b.names.topicNames()...)
	}
	return t
}

// topicNames are some topics, for errors.
func (n *names) topicNames() []string {
	var list []string
	for t := range n.topicIDs {
		list = append(list, n.topicIDs[t])
	}
	slices.Sort(list)
	return some(list)
}

// some are as many of a list as an error shows.
func some(list []string) []string {
	const shown = 20
	if len(list) > shown {
		return append(list[:shown:shown], fmt.Sprintf("and %d more", len(list)-shown))
	}
	return list
}

func (b *headerBuilder) mirrors(list []Mirror) {
	n := b.names
	to := map[string]bool{}
	for i := range list {
		x := &list[i]
		on := x.Name + " " + x.To
		b.name("the mirror", x.Name, to[on])
		to[on] = true
		if _, ok := n.mirrors[x.Name]; !ok {
			n.mirrors[x.Name] = id.Mirror(len(n.of.Mirrors))
			n.of.Mirrors = append(n.of.Mirrors, x.Name)
		}
		if len(n.of.Mirrors)-1 > maxMirrors {
			b.fail(x.Name, "there are too many mirrors", fmt.Sprintf("%d names of mirrors", maxMirrors))
			return
		}
		b.syncLists(x)
	}
}

// syncLists takes what a mirror is to synchronise.
func (b *headerBuilder) syncLists(x *Mirror) {
	if x.To == "" {
		if len(x.ExcludedConfigs)+len(x.Acls) > 0 {
			b.fail(x.Name, "the mirror has lists and no cluster", `"to" with them`)
		}
		return
	}
	s := checkers.SyncLists{Cluster: b.cluster("mirror "+x.Name, x.To), Mirror: b.names.mirrors[x.Name]}
	for _, name := range x.ExcludedConfigs {
		k, ok := record.ParseConfigKey(name)
		if !ok {
			b.fail(name, "mirror "+x.Name+" excludes an unknown config", record.ConfigNames()...)
		}
		s.Excluded[k] = true
	}
	for _, a := range x.Acls {
		word, ok := b.names.acl(a.Acl)
		if !ok {
			b.fail(a.Acl, "not an ACL binding", aclForm)
		}
		synced := checkers.SyncedAcl{Word: word}
		for _, t := range a.Topics {
			synced.Topics = append(synced.Topics, b.topic("an ACL of mirror "+x.Name, t))
		}
		s.Acls = append(s.Acls, synced)
	}
	b.t.Sync = append(b.t.Sync, s)
}

const aclForm = "RESOURCE:NAME PRINCIPAL OPERATION [deny], such as topic:orders alice read"

// acl is the number of an ACL binding in words, which is noted for printing.
func (n *names) acl(words string) (uint64, bool) {
	a, ok := record.ParseAcl(strings.Fields(words)...)
	if !ok {
		return 0, false
	}
	word := a.Word()
	if _, known := n.of.Acls[word]; !known {
		n.of.Acls[word] = a.String()
	}
	return word, true
}
