package format

import "strings"

// CreateTopics has a cluster's admin create topics as their topic statements say, which may be absent when the run begins, or
// have been deleted. One that was there before gets a new topic id, which its name stands for on that cluster as soon as it is
// created:
//
//	create-topics later on A
//
// It has completed when the admin has a result for each topic.
type CreateTopics struct {
	Topics []string
	On     string
}

func parseCreateTopics(l *line) Act {
	a := &CreateTopics{}
	a.Topics, a.On = l.topicsOnCluster()
	for _, t := range a.Topics {
		if l.err == nil && l.p.s.topic(a.On, t) == nil {
			l.fail(t, "no topic statement says what this topic is like on cluster "+a.On)
		}
	}
	l.countCreated(a)
	return a
}

// maxCreated bounds the topics that the steps of a run create on one cluster, repeats counted out: each has an id of its own, which
// has 12 bits.
const maxCreated = 1000

// countCreated counts the topics that the step creates.
func (l *line) countCreated(a *CreateTopics) {
	if l.err != nil {
		return
	}
	n := len(a.Topics)
	for _, r := range l.p.open {
		n = min(n*r.Do.(*Repeat).Count, maxCreated+1)
	}
	if l.p.created == nil {
		l.p.created = map[string]int{}
	}
	if l.p.created[a.On] += n; l.p.created[a.On] > maxCreated {
		l.fail("create-topics", "with all repeats more than "+itoa(maxCreated)+" topics are created on cluster "+a.On)
	}
}

// Keyword is create-topics.
func (a *CreateTopics) Keyword() string { return "create-topics" }

// AppendText appends the line.
func (a *CreateTopics) AppendText(dst []byte) []byte {
	return append(dst, "create-topics "+strings.Join(a.Topics, " ")+" on "+a.On...)
}

// Simpler is the same request for one topic less.
func (a *CreateTopics) Simpler() []Act {
	var list []Act
	for _, topics := range oneLess(a.Topics) {
		list = append(list, &CreateTopics{topics, a.On})
	}
	return list
}
