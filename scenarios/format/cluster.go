package format

import (
	"slices"
	"strconv"
	"strings"

	"mirrorsim/model/id"
)

// Cluster is one Kafka cluster:
//
//	cluster A brokers=2
//	cluster B brokers=3 controllers=3
//
// Its brokers are called a0, a1, … after it, its controllers a-c0, …, its metadata log a-log and its admin a-admin.
type Cluster struct {
	Pos
	Name        string // letters only
	Brokers     int    // 1 to 16
	Controllers int    // 1 to 3
}

// Bounds of a topology. A topic id has 4 bits for the cluster, and a node index has 8.
const (
	maxClusters    = 16
	maxBrokers     = 16 // of one cluster; id.MaxBrokers bounds all of them
	maxControllers = 3
	maxNodes       = int(id.None)
)

// Node names the broker of that index.
func (c *Cluster) Node(broker int) string { return strings.ToLower(c.Name) + strconv.Itoa(broker) }

// Log names the node that holds the cluster's metadata log.
func (c *Cluster) Log() string { return strings.ToLower(c.Name) + "-log" }

// Controller names the controller of that index.
func (c *Cluster) Controller(i int) string { return strings.ToLower(c.Name) + "-c" + strconv.Itoa(i) }

// Admin names the cluster's admin client.
func (c *Cluster) Admin() string { return strings.ToLower(c.Name) + "-admin" }

func parseCluster(l *line) {
	c := Cluster{Name: l.name("a name for the cluster"), Controllers: 1}
	if l.err == nil && !lettersOnly(c.Name) {
		l.fail(c.Name, "not a name for a cluster", "1 to 16 letters, such as A")
	}
	for _, o := range l.p.s.Clusters {
		if strings.EqualFold(o.Name, c.Name) {
			l.fail(c.Name, "there is a cluster of this name already, and node names are in lower case")
		}
	}
	for l.more() {
		switch key, value := l.option("cluster", "brokers=N", "controllers=N"); key {
		case "brokers":
			c.Brokers = int(l.number("brokers="+value, value, 1, maxBrokers))
		case "controllers":
			c.Controllers = int(l.number("controllers="+value, value, 1, maxControllers))
		}
	}
	if l.err == nil && c.Brokers == 0 {
		l.fail("", "a cluster needs its number of brokers", "brokers=N")
	}
	c.Pos = l.p.pos()
	l.p.s.Clusters = append(l.p.s.Clusters, c)
	l.checkNodes(c.Name)
}

// checkNodes refuses a topology that the model's small integers cannot hold, or whose nodes have not a name each.
func (l *line) checkNodes(word string) {
	brokers := 0
	for i := range l.p.s.Clusters {
		brokers += l.p.s.Clusters[i].Brokers
	}
	nodes := l.p.s.Nodes()
	if len(l.p.s.Clusters) > maxClusters || brokers > id.MaxBrokers || len(nodes) > maxNodes {
		l.fail(word, "the topology is too large", "at most 16 clusters, 64 brokers and 255 nodes")
	}
	slices.Sort(nodes)
	for i := 1; i < len(nodes); i++ {
		if nodes[i] == nodes[i-1] {
			l.fail(word, "a client and a node of a cluster would both be called "+nodes[i])
		}
	}
}

func lettersOnly(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return s != "" && len(s) <= 16
}

func (c *Cluster) appendText(dst []byte) []byte {
	dst = append(dst, "cluster "+c.Name...)
	dst = appendOption(dst, "brokers", c.Brokers)
	if c.Controllers != 1 {
		dst = appendOption(dst, "controllers", c.Controllers)
	}
	return dst
}

// Nodes are the names of all nodes in the order of id.Node: first the brokers of all clusters, then each cluster's
// metadata log and controllers, then the clients, then the admins.
func (s *Scenario) Nodes() []string {
	var names []string
	for i := range s.Clusters {
		for b := range s.Clusters[i].Brokers {
			names = append(names, s.Clusters[i].Node(b))
		}
	}
	for i := range s.Clusters {
		names = append(names, s.Clusters[i].Log())
		for k := range s.Clusters[i].Controllers {
			names = append(names, s.Clusters[i].Controller(k))
		}
	}
	for i := range s.Clients {
		names = append(names, s.Clients[i].Name)
	}
	for i := range s.Clusters {
		names = append(names, s.Clusters[i].Admin())
	}
	return names
}
