package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// script is a plan as a scenario, and what its records, clients and lines stand for. It is not changed once it is written: all
// runs share it.
type script struct {
	plan  *Plan
	setup []string // lines; what makes the numbers of the file
	steps []scripted

	parts     []*scriptPart
	producers []*scriptProducer // those of the file, and what they are called after a move
	groups    []string          // by group of the plan: the client
	setters   [2]bool           // the client that makes a cluster's records is needed
	taken     map[string]bool   // names of nodes and clients
	broken    []string          // what differs from the file, in words
}

// scripted is a step of the plan in lines: an act with what is written meanwhile, and what is waited for.
type scripted struct {
	act, writes, waits []string
}

// scriptPart is a partition that the scenario has.
type scriptPart struct {
	topic, partition int // of the plan
	*Partition
	name   string // of its topic in the scenario, which has this partition alone
	scales [2]*scale
	raised [2]int // how often its leader epoch was raised so far
}

// scriptProducer is a client of the scenario that writes for one of the file's producers.
type scriptProducer struct {
	producer int
	client   string
	cluster  int
	open     bool // a transaction
	values   int64
	bursts   []burst
}

// burst is records of a client: those with values below until, and from the burst's before on.
type burst struct{ until, made, real int64 }

// letters are the clusters of the scenario, in the order of the file.
var letters = [2]string{"A", "B"}

// write makes the script of a plan; nil where no partition can be in it.
func (p *Plan) write() *script {
	s := &script{plan: p, taken: map[string]bool{}}
	for ti := range p.Topics {
		t := &p.Topics[ti]
		for pi := range t.Partitions {
			if x := &t.Partitions[pi]; x.unfit == "" {
				s.parts = append(s.parts, &scriptPart{topic: ti, partition: pi, Partition: x,
					name: s.topicName(ti, x.Index), scales: p.scales(ti, pi)})
			}
		}
	}
	if len(s.parts) == 0 {
		return nil
	}
	for i := range p.Groups {
		s.groups = append(s.groups, s.alias(p.Groups[i].Name))
	}
	for i := range p.Producers {
		s.producers = append(s.producers, &scriptProducer{producer: i, client: s.alias(p.Producers[i].Name),
			cluster: p.Producers[i].Cluster})
	}
	s.begin()
	s.intend()
	return s
}

// topicName is the scenario's topic for a partition. Kafka's longest names leave no room for the partition.
func (s *script) topicName(ti, partition int) string {
	name := s.plan.Topics[ti].Name
	if len(name) > longTopic {
		name = name[:longTopic] + "-" + strconv.Itoa(ti)
	}
	return name + "." + strconv.Itoa(partition)
}

const longTopic = 230

// alias is a name for a client that no node of the scenario has: the operator's, if that can be.
func (s *script) alias(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
	clean = clean[:min(len(clean), 100)]
	if clean == "" || clean == "." || clean == ".." || nodeName.MatchString(clean) {
		clean = "x-" + clean
	}
	free := clean
	for n := 2; s.taken[free]; n++ {
		free = clean + "-" + strconv.Itoa(n)
	}
	s.taken[free] = true
	return free
}

// nodeName are the names of nodes of the clusters A and B, and of the clients that make the start.
var nodeName = regexp.MustCompile(`^(?i)([ab]\d+|[ab]-.*|setup-[ab])$`)

// setter is the client that makes what the file says a cluster has.
func setter(c int) string { return "setup-" + strings.ToLower(letters[c]) }

// broker is the scenario's name for a broker.
func (s *script) broker(c int, b int64) string {
	return strings.ToLower(letters[c]) + strconv.Itoa(slices.Index(s.plan.brokers(c), b))
}

// brokerCount is how many brokers a cluster of the scenario has: two at least, as its internal topics need.
func (s *script) brokerCount(c int) int { return max(2, len(s.plan.brokers(c))) }

// tp is a partition on a cluster.
func (x *scriptPart) tp(c int) string { return letters[c] + "/" + x.name + "-0" }

// mirror is how a line names a mirror.
func (s *script) mirror(m int) string {
	return letters[s.plan.Mirrors[m].To] + "/" + s.plan.Mirrors[m].Resource
}

// mirrorOf is the mirror that a partition is in when the scenario begins.
func (s *script) mirrorOf(x *scriptPart) *Mirror { return &s.plan.Mirrors[x.Partition.topic.Mirror] }

// head is the topology.
func (s *script) head(title string) string {
	var b strings.Builder
	p := s.plan
	fmt.Fprintf(&b, "# %s\n", title)
	for c := range letters {
		fmt.Fprintf(&b, "# Cluster %s is %s.%s\n", letters[c], p.Clusters[c].Name, s.brokerNames(c))
	}
	fmt.Fprintf(&b, "# Topic T.n is partition n of T. Between two offsets that mean something more than %d records are %d.\n",
		exactly, compressed)
	fmt.Fprintf(&b, "scenario %s\nprotocol %s\n", p.Name, p.revision())
	for _, x := range p.Sets {
		fmt.Fprintf(&b, "set %s=%s\n", x.Key, x.Value)
	}
	for _, x := range p.Settings {
		fmt.Fprintf(&b, "setting %s=%s\n", x.Key, x.Value)
	}
	b.WriteString("\n")
	for c := range letters {
		fmt.Fprintf(&b, "cluster %s brokers=%d controllers=%d\n", letters[c], s.brokerCount(c), p.Clusters[c].Controllers)
	}
	for _, x := range s.parts {
		for c := range letters {
			s.topicLine(&b, x, c)
		}
	}
	s.clientLines(&b)
	for i := range p.Mirrors {
		m := &p.Mirrors[i]
		fmt.Fprintf(&b, "mirror %s from %s to %s", m.Resource, letters[m.From], letters[m.To])
		if m.Groups != nil {
			fmt.Fprintf(&b, " groups=%s", strings.Join(m.Groups, ","))
		}
		if m.NoGroups != nil {
			fmt.Fprintf(&b, " exclude-groups=%s", strings.Join(m.NoGroups, ","))
		}
		b.WriteString("\n")
	}
	return b.String() + "\n"
}

func (s *script) brokerNames(c int) string {
	var list []string
	for _, n := range s.plan.brokers(c) {
		list = append(list, fmt.Sprintf("%s is broker %d", s.broker(c, n), n))
	}
	if len(list) == 0 {
		return ""
	}
	return " " + strings.ToUpper(list[0][:1]) + strings.Join(list, ", ")[1:] + "."
}

func (s *script) topicLine(b *strings.Builder, x *scriptPart, c int) {
	k := &x.Partition.topic.Configs[c]
	var assign []string
	for _, n := range s.assigned(x, c) {
		assign = append(assign, s.broker(c, n))
	}
	fmt.Fprintf(b, "topic %s on %s partitions=1 replicas=%d min-isr=%d", x.name, letters[c], len(assign), k.MinInSync)
	if c == 1 {
		b.WriteString(" id-of=A")
	}
	fmt.Fprintf(b, " assign=%s", strings.Join(assign, ","))
	if k.Unclean {
		b.WriteString(" unclean")
	}
	if k.MirrorUnclean {
		b.WriteString(" mirror-unclean")
	}
	b.WriteString("\n")
}

// assigned are the replicas in the order of their assignment: so that the file's leader leads after the elections of the setup,
// which go to and fro between the first two.
func (s *script) assigned(x *scriptPart, c int) []int64 {
	list := s.plan.replicas(x.Partition, c)
	if s.plan.raises(x.Partition, c)%2 == 1 {
		list[0], list[1] = list[1], list[0]
	}
	return list
}

func (s *script) clientLines(b *strings.Builder) {
	for c := range letters {
		if s.setters[c] {
			fmt.Fprintf(b, "client %s producer on %s\n", setter(c), letters[c])
		}
	}
	for _, w := range s.producers {
		x := &s.plan.Producers[w.producer]
		kind, plain := "producer", ""
		if x.Transactional {
			kind = "transactional"
		}
		if !x.Idempotent {
			plain = " plain"
		}
		fmt.Fprintf(b, "client %s %s on %s%s\n", w.client, kind, letters[w.cluster], plain)
	}
	for i, client := range s.groups {
		fmt.Fprintf(b, "client %s group on %s\n", client, letters[s.home(i)])
	}
}

// home is the cluster that a group reads from when the scenario begins: the one whose records are written by clients.
func (s *script) home(group int) int {
	for _, o := range s.plan.Groups[group].Offsets {
		x := &s.plan.Topics[o.Topic].Partitions[o.Partition]
		return s.plan.charge(x)
	}
	return 0
}

// charge is the cluster that is in charge of a partition when the plan begins: the source, or behind a stop the destination.
func (p *Plan) charge(x *Partition) int {
	m := &p.Mirrors[x.topic.Mirror]
	if x.MirroredEnd != nil {
		return m.To
	}
	return m.From
}

func (p *Plan) revision() string {
	if p.Protocol != "" {
		return p.Protocol
	}
	return Default
}
