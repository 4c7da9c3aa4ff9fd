package id

import "strconv"

// Names puts names on ids for printing. A missing name prints as a number, never as an empty string.
type Names struct {
	Clusters []string          // by Cluster
	Nodes    []string          // by Node
	Topics   map[Topic]string  // looked up, never ranged over
	Mirrors  []string          // by Mirror; index 0 is unused
	Acls     map[uint64]string // the ACL bindings that a run may have, by their numbers; looked up, never ranged over
}

// Cluster is the name of c.
func (n *Names) Cluster(c Cluster) string {
	if int(c) < len(n.Clusters) {
		return n.Clusters[c]
	}
	return "cluster" + strconv.Itoa(int(c))
}

// Node is the name of x; "-" for None.
func (n *Names) Node(x Node) string {
	if x == None {
		return "-"
	}
	if int(x) < len(n.Nodes) {
		return n.Nodes[x]
	}
	return "node" + strconv.Itoa(int(x))
}

// Topic is the name of t; "-" for 0.
func (n *Names) Topic(t Topic) string {
	if t == 0 {
		return "-"
	}
	if s, ok := n.Topics[t]; ok {
		return s
	}
	return "topic" + strconv.Itoa(int(t))
}

// Mirror is the name of m; "-" for 0.
func (n *Names) Mirror(m Mirror) string {
	if m == 0 {
		return "-"
	}
	if int(m) < len(n.Mirrors) {
		return n.Mirrors[m]
	}
	return "mirror" + strconv.Itoa(int(m))
}

// Acl is the ACL binding of that number in words.
func (n *Names) Acl(word uint64) string {
	if s, ok := n.Acls[word]; ok {
		return s
	}
	return "acl" + strconv.FormatUint(word, 16)
}

// Partition is p as Kafka prints it: topic, hyphen, index.
func (n *Names) Partition(p Partition) string {
	return n.Topic(p.Topic) + "-" + strconv.Itoa(int(p.Index))
}
