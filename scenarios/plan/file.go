package plan

import (
	"slices"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/scenarios/format"
)

// Plan is a parsed file: what an operator knows of his two clusters, and what he intends. Numbers are his; nothing is scaled.
type Plan struct {
	File      string
	Name      string
	Protocol  string // a revision; empty: Default
	Sets      []Setting
	Settings  []Setting
	Measured  id.Duration // how long ago the numbers were taken
	Ask       []Question  // in order
	Clusters  [2]Cluster  // in the order of the file
	Mirrors   []Mirror
	Topics    []Topic
	Groups    []Group
	Producers []Producer
	Steps     []Step

	GroupsSaid, ProducersSaid bool // the file says which there are, if only that there are none

	overridden string // the flags that stand above the file
}

// Default is the revision of a plan whose file and command name none.
const Default = "hardened"

// Setting is a decision with its option, or a constant with its value.
type Setting struct {
	Key, Value string
	line       int
}

// Cluster is one of the two clusters.
type Cluster struct {
	Name        string
	Controllers int
	Down        []int64 // brokers that are down
	Reachable   bool    // the other cluster's brokers reach its brokers
}

// Mirror is a mirror resource on the cluster To, an index into Clusters as From is.
type Mirror struct {
	Name             string // in the file
	Resource         string // of the mirror resource: that of the other direction may have the same
	From, To         int
	Groups, NoGroups []string // which groups are synchronised; nil: all, none
}

// Topic is a topic that both clusters have.
type Topic struct {
	Name       string
	Mirror     int // into Mirrors: the one that it is in
	Configs    [2]Configs
	Partitions []Partition
}

// Configs are the topic configs that matter here.
type Configs struct {
	MinInSync              int // 1 unless said, as in Kafka
	Unclean, MirrorUnclean bool
}

// Partition is a partition with its replicas on both clusters.
type Partition struct {
	Index       int
	Sides       [2]Side
	State       string // of the mirror, one of states
	Unreachable bool   // FAILED because the source was not reached
	Lag         *int64
	LagAge      *id.Duration
	MirroredEnd *int64 // STOPPED: where the destination's own records begin
	LastEpoch   *int64 // STOPPED: the last mirrored epoch that is recorded

	topic   *Topic
	line    int
	unfit   string // why no scenario can begin with these numbers; "" if one can
	leftOut []leftOut
}

// leftOut is a replica that the scenario does not have: out of the ISR, though its broker is up.
type leftOut struct {
	side   int
	broker int64
}

// Side is a partition on one cluster.
type Side struct {
	Replicas, ISR []int64
	Leader        int64 // -1: nobody leads
	LeaderEpoch   *int64
	Start, End    int64
	HighWatermark *int64
	Epochs        []EpochStart // ascending; nil: not known
	Age           *id.Duration
}

// EpochStart is an entry of a leader-epoch cache.
type EpochStart struct{ Epoch, Start int64 }

// Group is a consumer group with its committed offsets.
type Group struct {
	Name    string
	Active  bool   // a member reads on the cluster that has the topic's writers, until the group moves
	Reset   string // auto.offset.reset: earliest, latest; empty: not said
	Offsets []GroupOffset
}

// GroupOffset is what a group has committed of a partition on each cluster; -1: nothing.
type GroupOffset struct {
	Topic     int
	Partition int // into the topic's Partitions
	At        [2]int64
	line      int
}

// Producer is an application that writes.
type Producer struct {
	Name          string
	Cluster       int
	Topics        []int
	Rate          int64 // records a second over all its partitions
	Acks          string
	Idempotent    bool
	Transactional bool
}

// Step is one thing that the operator intends. Which fields count depends on Act.
type Step struct {
	Act    string
	Line   int
	Takes  id.Duration // how long it takes: what producers write meanwhile
	Mirror int
	Topics []int // into Topics
	Names  []int // into Groups or Producers
	To     int   // a cluster
	State  record.State
	Within id.Duration
	For    id.Duration
}

// The acts of steps.
const (
	actStopProducers = "stop-producers"
	actMoveProducers = "move-producers"
	actMoveGroups    = "move-groups"
	actStart         = "start"
	actStop          = "stop"
	actPause         = "pause"
	actResume        = "resume"
	actRecover       = "recover"
	actWaitForLag    = "wait-for-lag"
	actWaitForState  = "wait-for-state"
	actWait          = "wait"
	actRestore       = "restore"
)

var acts = []string{actStopProducers, actMoveProducers, actMoveGroups, actStart, actStop, actPause, actResume, actRecover,
	actWaitForLag, actWaitForState, actWait, actRestore}

// operates tells whether an act is a request for topics of a mirror.
func operates(act string) bool {
	return slices.Contains([]string{actStart, actStop, actPause, actResume, actRecover}, act)
}

// states are the words for the state of a mirrored partition, those in passing too.
var states = []string{"MIRRORING", "PAUSED", "STOPPED", "FAILED", "UNKNOWN", "PREPARING", "LOG_ALIGNMENT", "EPOCH_FENCING",
	"ULE_RECOVERY", "PAUSING", "STOPPING"}

// Question is one of the five.
type Question uint8

// The questions.
const (
	Lost      Question = iota // Q1: what will be lost if I fail over now?
	Discarded                 // Q2: what will failback discard?
	Groups                    // Q3: will any group skip or re-read records?
	Writing                   // Q4: is any producer still writing to the old side?
	Finished                  // Q5: is it finished?
	questions
)

var questionTexts = [questions]string{"What will be lost if I fail over now?", "What will failback discard?",
	"Will any group skip or read again?", "Is any producer still writing to the old side?", "Is it finished?"}

// String is the question's number, Q1 to Q5.
func (q Question) String() string { return "Q" + string(rune('1'+q)) }

// Text is the question in words.
func (q Question) Text() string { return questionTexts[q] }

// Questions are all questions.
func Questions() (list []Question) {
	for q := range questions {
		list = append(list, q)
	}
	return list
}

// questionWords are the numbers of all questions.
func questionWords() (list []string) {
	for _, q := range Questions() {
		list = append(list, q.String())
	}
	return list
}

// ParseQuestions are the questions of those numbers, Q1 to Q5. The error is a *format.InputError.
func ParseQuestions(words []string) (list []Question, err error) {
	for _, w := range words {
		q := slices.Index(questionWords(), w)
		if q < 0 {
			return nil, &format.InputError{Word: w, Message: "--ask " + w + ": not the number of a question", Want: questionWords()}
		}
		list = append(list, Question(q))
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// source is the cluster that the topic is mirrored from.
func (p *Plan) source(t *Topic) int { return p.Mirrors[t.Mirror].From }

// age is how old what is known of one side of a partition is.
func (p *Plan) age(s *Side) id.Duration {
	if s.Age != nil {
		return *s.Age
	}
	return p.Measured
}

// mirrored is where the destination's log ends that came from the source.
func (p *Plan) mirrored(x *Partition) int64 {
	if x.MirroredEnd != nil {
		return *x.MirroredEnd
	}
	return x.Sides[p.Mirrors[x.topic.Mirror].To].End
}

// reachable tells whether the source of a topic can be read from the other cluster: some broker of it is up, and there is a
// way.
func (p *Plan) reachable(c int) bool { return p.Clusters[c].Reachable && !p.dark(c) }

// dark tells whether every broker that the file names of a cluster is down.
func (p *Plan) dark(c int) bool {
	for _, b := range p.brokers(c) {
		if !slices.Contains(p.Clusters[c].Down, b) {
			return false
		}
	}
	return len(p.brokers(c)) > 0
}

// brokers are the brokers of a cluster that the file names, ascending.
func (p *Plan) brokers(c int) (list []int64) {
	list = slices.Clone(p.Clusters[c].Down)
	for i := range p.Topics {
		for k := range p.Topics[i].Partitions {
			list = append(list, p.Topics[i].Partitions[k].Sides[c].Replicas...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func named[T any](list []T, name func(*T) string) (names []string) {
	for i := range list {
		names = append(names, name(&list[i]))
	}
	return names
}

func (p *Plan) clusterNames() []string { return []string{p.Clusters[0].Name, p.Clusters[1].Name} }
func (p *Plan) mirrorNames() []string {
	return named(p.Mirrors, func(m *Mirror) string { return m.Name })
}
func (p *Plan) topicNames() []string { return named(p.Topics, func(t *Topic) string { return t.Name }) }
func (p *Plan) groupNames() []string { return named(p.Groups, func(g *Group) string { return g.Name }) }
func (p *Plan) producerNames() []string {
	return named(p.Producers, func(x *Producer) string { return x.Name })
}
