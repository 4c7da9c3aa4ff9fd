package format

import "strings"

// CreateTopics has a cluster's admin create topics as their topic statements say, which may be absent when the run begins:
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
	return a
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
