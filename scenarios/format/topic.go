package format

import (
	"slices"
	"strconv"
	"strings"

	"mirrorsim/model/setting"
)

// Topic is a topic of one cluster:
//
//	topic orders on A partitions=1 replicas=2
//	topic orders on B partitions=1 replicas=2 min-isr=2 id-of=A assign=b1,b0
//	topic logs on A partitions=1 replicas=2 unclean mirror-unclean remote-storage
//	topic later on A partitions=1 replicas=2 absent
//	topic __mirror_state on B partitions=2 replicas=1 assign=b2
//	topic __transaction_state on A partitions=1 replicas=1
//	topic __consumer_offsets on B partitions=1 replicas=1
//
// The topics whose names begin with two underscores say what an internal topic is like when the cluster makes it.
type Topic struct {
	Pos
	Name       string
	On         string   // the cluster
	Partitions int      // 1 to 1000
	Replicas   int      // 1 to the cluster's brokers
	MinISR     int      // 0: 2 from three replicas on, else 1
	IDOf       string   // the cluster whose topic of this name has the same topic id; empty: an id of its own
	Assign     []string // the brokers of every partition, the preferred leader first; empty: see Brokers

	Unclean       bool // unclean.leader.election.enable
	MirrorUnclean bool // mirror.support.unclean.leader.election
	RemoteStorage bool // remote.storage.enable
	Absent        bool // it does not exist when the run begins
}

const maxPartitions = 1000

// MinInSync is min.insync.replicas: as written, or 2 at three replicas and more, else 1.
func (t *Topic) MinInSync() int {
	switch {
	case t.MinISR > 0:
		return t.MinISR
	case t.Replicas >= 3:
		return 2
	}
	return 1
}

// Brokers are the replicas of a partition in assignment order, as indexes into the cluster's brokers: those of Assign,
// or Replicas brokers in a row from the one whose index is the partition's, going round.
func (t *Topic) Brokers(c *Cluster, partition int) []int {
	var brokers []int
	for b := range t.Replicas {
		brokers = append(brokers, (partition+b)%c.Brokers)
	}
	for i, name := range t.Assign {
		brokers[i] = c.broker(name)
	}
	return brokers
}

// broker is the index of the broker of that name, -1 if the cluster has none.
func (c *Cluster) broker(name string) int {
	for b := range c.Brokers {
		if c.Node(b) == name {
			return b
		}
	}
	return -1
}

func parseTopic(l *line) {
	t := Topic{Name: l.name("a name for the topic")}
	if l.err == nil && strings.HasPrefix(t.Name, "__") && !Internal(t.Name) {
		l.fail(t.Name, "names that begin with __ are for internal topics", "another name", StateTopic, TransactionTopic, GroupTopic)
	}
	if t.Name == "in" || t.Name == "on" {
		l.fail(t.Name, "this word ends the list of topics in a request", "another name")
	}
	l.keyword("on")
	c := l.cluster()
	t.On = c.Name
	for l.more() {
		l.topicOption(&t, c)
	}
	l.checkTopic(&t, c)
	t.Pos = l.p.pos()
	l.p.s.Topics = append(l.p.s.Topics, t)
}

func (l *line) topicOption(t *Topic, c *Cluster) {
	key, value := l.option("topic", "partitions=N", "replicas=N", "min-isr=N", "id-of=CLUSTER", "assign=BROKER,BROKER",
		"unclean", "mirror-unclean", "remote-storage", "absent")
	word := key + "=" + value
	switch key {
	case "partitions":
		t.Partitions = int(l.number(word, value, 1, maxPartitions))
	case "replicas":
		t.Replicas = int(l.number(word, value, 1, maxBrokers))
		if l.err == nil && t.Replicas > c.Brokers {
			l.fail(word, "more replicas than brokers in cluster "+c.Name, "replicas=1 to replicas="+strconv.Itoa(c.Brokers))
		}
	case "min-isr":
		t.MinISR = int(l.number(word, value, 1, maxBrokers))
	case "id-of":
		t.IDOf = value
		if l.p.s.topic(value, t.Name) == nil || value == t.On {
			l.fail(word, "there is no topic "+t.Name+" on this cluster above", l.p.s.clustersWith(t.Name)...)
		}
	case "unclean":
		t.Unclean = true
	case "mirror-unclean":
		t.MirrorUnclean = true
	case "remote-storage":
		t.RemoteStorage = true
	case "absent":
		t.Absent = true
	case "assign":
		t.Assign = strings.Split(value, ",")
		for i, name := range t.Assign {
			if c.broker(name) < 0 || slices.Contains(t.Assign[:i], name) {
				l.fail(word, "brokers of cluster "+c.Name+", each once, are assigned", c.brokers()...)
			}
		}
	}
}

func (l *line) checkTopic(t *Topic, c *Cluster) {
	switch {
	case l.err != nil:
	case l.p.s.topic(t.On, t.Name) != nil:
		l.fail(t.Name, "this topic is on cluster "+t.On+" already")
	case t.Partitions == 0:
		l.fail("", "a topic needs its number of partitions", "partitions=N")
	case t.Replicas == 0:
		l.fail("", "a topic needs its number of replicas", "replicas=N")
	case t.MinISR > t.Replicas:
		l.fail("min-isr", "min-isr is above the number of replicas", "min-isr=1 to min-isr="+strconv.Itoa(t.Replicas))
	case len(t.Assign) > 0 && len(t.Assign) != t.Replicas:
		l.fail("assign="+strings.Join(t.Assign, ","), "as many brokers are assigned as there are replicas",
			"assign="+strings.Join(c.brokers()[:t.Replicas], ","))
	case Internal(t.Name) && t.IDOf != "":
		l.fail("id-of="+t.IDOf, "an internal topic has an id of its own")
	case Internal(t.Name) && t.Absent:
		l.fail("absent", "an internal topic is there from the beginning")
	case Internal(t.Name) && (t.MirrorUnclean || t.RemoteStorage):
		l.fail(t.Name, "an internal topic is not mirrored, and stays on the brokers' disks")
	}
}

func (t *Topic) appendText(dst []byte) []byte {
	dst = append(dst, "topic "+t.Name+" on "+t.On...)
	dst = appendOption(dst, "partitions", t.Partitions)
	dst = appendOption(dst, "replicas", t.Replicas)
	if t.MinISR != 0 {
		dst = appendOption(dst, "min-isr", t.MinISR)
	}
	if t.IDOf != "" {
		dst = append(dst, " id-of="+t.IDOf...)
	}
	if len(t.Assign) > 0 {
		dst = append(dst, " assign="+strings.Join(t.Assign, ",")...)
	}
	for _, flag := range []struct {
		set  bool
		word string
	}{{t.Unclean, " unclean"}, {t.MirrorUnclean, " mirror-unclean"}, {t.RemoteStorage, " remote-storage"},
		{t.Absent, " absent"}} {
		if flag.set {
			dst = append(dst, flag.word...)
		}
	}
	return dst
}

// InternalTopic is an internal topic of a cluster: as its topic statement says, otherwise with as many partitions as the
// setting for it says and one replica on each broker, at most three.
func (s *Scenario) InternalTopic(name, cluster string, c *setting.Settings) Topic {
	if t := s.topic(cluster, name); t != nil {
		return *t
	}
	t := Topic{Name: name, On: cluster, Partitions: int(c.StatePartitions)}
	switch name {
	case TransactionTopic:
		t.Partitions = int(c.TxnPartitions)
	case GroupTopic:
		t.Partitions = int(c.GroupPartitions)
	}
	for i := range s.Clusters {
		if s.Clusters[i].Name == cluster {
			t.Replicas = min(s.Clusters[i].Brokers, 3)
		}
	}
	return t
}
