package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mirrorsim/model/wire"
)

// ErrorIs is that a step had that result: the first error code that one of its operations returned, NONE if all
// succeeded, or the one of a single topic of its request. Steps are counted from 1, a repeat as one; last is the step above
// the line:
//
//	expect error 4=READ_ONLY_TOPIC
//	expect error last=NONE
//	expect error last/orders=TOPIC_NOT_IN_CLUSTER_MIRROR
type ErrorIs struct {
	Step  int    // from 1
	Last  bool   // as last, which printing keeps
	Topic string // empty: the first error of all
	Code  wire.Code
}

// withResult are the steps that an error can be expected of.
const withResult = "a step with produce, move, commit, abort, leave, elect or a request"

func parseErrorIs(l *line) Expectation {
	key, value := l.pair("STEP=CODE")
	word := key + "=" + value
	number, topic, single := strings.Cut(key, "/")
	steps := l.p.s.Steps
	e := ErrorIs{Step: len(steps), Last: number == "last", Topic: topic}
	switch {
	case l.err != nil:
		return e
	case len(steps) == 0:
		l.fail(word, "there is no step above this line", withResult)
		return e
	case !e.Last:
		e.Step = int(l.number(word, number, 1, int64(len(steps))))
	}
	do := steps[e.Step-1].Do
	if !answers(do) {
		l.fail(word, "step "+strconv.Itoa(e.Step)+" is "+do.Keyword()+", which has no result",
			withResult)
	}
	if topics := TopicsIn(do); single && !slices.Contains(topics, topic) {
		l.fail(word, "step "+strconv.Itoa(e.Step)+" has no result for topic "+topic, topics...)
	}
	c, ok := wire.ParseCode(value)
	if e.Code = c; !ok {
		l.fail(word, "unknown error code", codeNames()...)
	}
	return e
}

// answers tells whether an act is answered with an error code.
func answers(a Act) bool {
	switch a.(type) {
	case *Produce, *Move, *Commit, *Abort, *Operate, *CreateMirror, *DeleteMirror, *Describe, *DeleteTopics, *CreatePartitions,
		*DeleteRecords, *Elect, *Leave, *ResetOffset,
		*CreateTopics, *Config, *AlterAcl:
		return true
	}
	return false
}

// TopicsIn are the topics that an act requests something for, each of which has a result.
func TopicsIn(a Act) []string {
	switch a := a.(type) {
	case *Operate:
		return a.Topics
	case *DeleteTopics:
		return a.Topics
	case *CreatePartitions:
		return a.Topics
	case *Config:
		return a.Topics
	case *CreateTopics:
		return a.Topics
	}
	return nil
}

func codeNames() (names []string) {
	for c := wire.OK; c.String() != "?"; c++ {
		names = append(names, c.String())
	}
	return names
}

// AppendText appends the expectation.
func (e ErrorIs) AppendText(dst []byte) []byte {
	dst = append(dst, "error "...)
	if e.Last {
		dst = append(dst, "last"...)
	} else {
		dst = strconv.AppendInt(dst, int64(e.Step), 10)
	}
	if e.Topic != "" {
		dst = append(dst, "/"+e.Topic...)
	}
	return append(dst, "="+e.Code.String()...)
}

// Check compares the code.
func (e ErrorIs) Check(v View) error {
	of, c, ok := "", wire.OK, false
	if e.Topic != "" {
		of = " for topic " + e.Topic
		c, ok = v.TopicCode(e.Step, e.Topic)
	} else {
		c, ok = v.Code(e.Step)
	}
	if !ok {
		return fmt.Errorf("step %d has no result%s yet", e.Step, of)
	}
	if c != e.Code {
		return fmt.Errorf("the result of step %d%s is %v", e.Step, of, c)
	}
	return nil
}
