package format

import (
	"slices"
	"strings"
)

// DeleteTopics has a cluster's admin delete topics:
//
//	delete-topics orders users on B
//
// It has completed when the admin has a result for each topic.
type DeleteTopics struct {
	Topics []string
	On     string
}

// CreatePartitions has a cluster's admin grow topics to so many partitions:
//
//	create-partitions orders on B partitions=4
//
// It has completed when the admin has a result for each topic.
type CreatePartitions struct {
	Topics     []string
	On         string
	Partitions int // 1 to 1000
}

// DeleteRecords has a cluster's admin delete the records of a partition below an offset, or all below the high watermark:
//
//	delete-records A/orders-0 before=20
//	delete-records A/orders-0
//
// It has completed when the admin has the result.
type DeleteRecords struct {
	Partition TP
	Before    int64 // -1: the high watermark
}

// topicsOnCluster reads the topics of a request, and the cluster that it goes to.
func (l *line) topicsOnCluster() (topics []string, cluster string) {
	for l.err == nil && !l.skip("on") {
		topics = append(topics, l.word("on CLUSTER"))
	}
	cluster = l.cluster().Name
	if l.err == nil && len(topics) == 0 {
		l.fail("on", "the request names no topic", l.p.s.topicsAt(cluster)...)
	}
	for i, t := range topics {
		if l.err == nil && l.p.s.TopicOf(cluster, t) == nil {
			l.fail(t, "cluster "+cluster+" has no topic "+t, l.p.s.topicsAt(cluster)...)
		}
		if slices.Contains(topics[:i], t) {
			l.fail(t, "the request names this topic twice")
		}
	}
	return topics, cluster
}

func parseDeleteTopics(l *line) Act {
	a := &DeleteTopics{}
	a.Topics, a.On = l.topicsOnCluster()
	return a
}

func parseCreatePartitions(l *line) Act {
	a := &CreatePartitions{}
	a.Topics, a.On = l.topicsOnCluster()
	key, value := l.option("create-partitions", "partitions=N")
	a.Partitions = int(l.number(key+"="+value, value, 1, maxPartitions))
	if l.err == nil {
		l.p.grown = append(l.p.grown, a)
	}
	return a
}

func parseDeleteRecords(l *line) Act {
	a := &DeleteRecords{Partition: l.tp(), Before: -1}
	if l.more() {
		key, value := l.option("delete-records", "before=N")
		a.Before = l.number(key+"="+value, value, 0, 1<<53)
	}
	return a
}

// Keyword is delete-topics.
func (a *DeleteTopics) Keyword() string { return "delete-topics" }

// Keyword is create-partitions.
func (a *CreatePartitions) Keyword() string { return "create-partitions" }

// Keyword is delete-records.
func (a *DeleteRecords) Keyword() string { return "delete-records" }

// AppendText appends the line.
func (a *DeleteTopics) AppendText(dst []byte) []byte {
	return append(dst, "delete-topics "+strings.Join(a.Topics, " ")+" on "+a.On...)
}

// AppendText appends the line.
func (a *CreatePartitions) AppendText(dst []byte) []byte {
	dst = append(dst, "create-partitions "+strings.Join(a.Topics, " ")+" on "+a.On...)
	return appendOption(dst, "partitions", a.Partitions)
}

// AppendText appends the line.
func (a *DeleteRecords) AppendText(dst []byte) []byte {
	dst = append(dst, "delete-records "+a.Partition.String()...)
	if a.Before >= 0 {
		dst = appendOption(dst, "before", int(a.Before))
	}
	return dst
}

// Simpler is the same request for one topic less.
func (a *DeleteTopics) Simpler() []Act {
	var list []Act
	for _, topics := range oneLess(a.Topics) {
		list = append(list, &DeleteTopics{topics, a.On})
	}
	return list
}

// Simpler is the same request for one topic less.
func (a *CreatePartitions) Simpler() []Act {
	var list []Act
	for _, topics := range oneLess(a.Topics) {
		list = append(list, &CreatePartitions{topics, a.On, a.Partitions})
	}
	return list
}

// Simpler is all records.
func (a *DeleteRecords) Simpler() []Act {
	if a.Before < 0 {
		return nil
	}
	return []Act{&DeleteRecords{a.Partition, -1}}
}

// oneLess are the lists without one of the entries; none for a list of one.
func oneLess(list []string) (all [][]string) {
	for i := 0; i < len(list) && len(list) > 1; i++ {
		all = append(all, slices.Delete(slices.Clone(list), i, i+1))
	}
	return all
}
