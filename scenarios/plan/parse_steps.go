package plan

import (
	"fmt"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

func (p *parser) groups(n *yaml.Node) {
	p.plan.GroupsSaid = true
	for _, x := range p.pairs(n, "groups") {
		g := Group{Name: x.name}
		f := p.fields(x.value, "a group", []string{"active", "reset", "offsets"}, []string{"offsets"})
		if v := f["active"]; v != nil {
			g.Active = p.truth(v, "active")
		}
		if v := f["reset"]; v != nil {
			g.Reset = p.oneOf(v, "a value of auto.offset.reset", "earliest", "latest")
		}
		if v := f["offsets"]; v != nil {
			p.offsets(v, &g)
			if len(v.Content) == 0 && v.Kind == yaml.MappingNode {
				p.fail(v, "", "group "+x.name+" has no offsets", "TOPIC: {PARTITION: {CLUSTER: OFFSET, CLUSTER: OFFSET}}")
			}
		}
		p.plan.Groups = append(p.plan.Groups, g)
	}
}

func (p *parser) offsets(n *yaml.Node, g *Group) {
	for _, x := range p.pairs(n, "the offsets of group "+g.Name) {
		ti := p.index(x.key, "topic", x.name, p.plan.topicNames())
		if ti < 0 {
			continue
		}
		t := &p.plan.Topics[ti]
		var names []string
		for i := range t.Partitions {
			names = append(names, strconv.Itoa(t.Partitions[i].Index))
		}
		for _, y := range p.pairs(x.value, "the offsets of group "+g.Name+" of topic "+x.name) {
			if len(names) == 0 {
				continue // which is said of the topic
			}
			if pi := p.index(y.key, "partition of topic "+x.name, y.name, names); pi >= 0 {
				p.groupOffset(y, g, ti, pi)
			}
		}
	}
}

func (p *parser) groupOffset(x pair, g *Group, ti, pi int) {
	names := p.plan.clusterNames()
	o := GroupOffset{Topic: ti, Partition: pi, line: x.key.Line}
	f := p.fields(x.value, "group "+g.Name, names, names)
	part := &p.plan.Topics[ti].Partitions[pi]
	for c, name := range names {
		n := f[name]
		o.At[c] = -1
		if n == nil {
			continue
		}
		if n.Value == "none" {
			if g.Reset == "" {
				p.fail(n, n.Value, "group "+g.Name+" has no committed offset on "+name+", and nothing says where it begins to read there",
					"reset: earliest", "reset: latest")
			}
			continue
		}
		o.At[c] = p.number(n, "a committed offset", 0, largest)
		end := part.Sides[c].End
		if part.MirroredEnd == nil {
			end = max(part.Sides[0].End, part.Sides[1].End) // an offset may be synchronised before its records are
		}
		if o.At[c] > end {
			p.fail(n, n.Value, fmt.Sprintf("group %s has committed this on %s, beyond the end %d", g.Name, name, end), upTo(end))
		}
	}
	if o.At[0] < 0 && o.At[1] < 0 {
		p.fail(x.key, x.name, "group "+g.Name+" has a committed offset of this partition on neither cluster",
			"an offset on one of them")
	}
	g.Offsets = append(g.Offsets, o)
}

func (p *parser) producers(n *yaml.Node) {
	p.plan.ProducersSaid = true
	names := p.plan.clusterNames()
	for _, x := range p.pairs(n, "producers") {
		f := p.fields(x.value, "a producer", []string{"cluster", "topics", "rate", "acks", "idempotent", "transactional"},
			[]string{"cluster", "topics", "rate"})
		w := Producer{Name: x.name, Acks: "all", Idempotent: true}
		if v := f["cluster"]; v != nil {
			w.Cluster = max(0, slices.Index(names, p.oneOf(v, "a cluster", names...)))
		}
		if v := f["topics"]; v != nil {
			w.Topics = p.indexes(v, "topic", p.plan.topicNames())
		}
		if v := f["rate"]; v != nil {
			w.Rate = p.number(v, "the rate in records a second", 1, 1_000_000_000)
		}
		if v := f["acks"]; v != nil {
			w.Acks = p.oneOf(v, "a number of acknowledgements", "all", "1", "0")
		}
		if v := f["transactional"]; v != nil {
			w.Transactional = p.truth(v, "transactional")
		}
		if v := f["idempotent"]; v != nil {
			w.Idempotent = p.truth(v, "idempotent")
		}
		p.checkWritable(f["cluster"], &w)
		if w.Transactional && (w.Acks != "all" || !w.Idempotent) {
			p.fail(f["transactional"], "true", "a transactional producer is idempotent and waits for all in-sync replicas", "acks: all")
		}
		p.plan.Producers = append(p.plan.Producers, w)
	}
}

// checkWritable refuses a producer that writes where its topic is read-only.
func (p *parser) checkWritable(n *yaml.Node, w *Producer) {
	for _, ti := range w.Topics {
		t := &p.plan.Topics[ti]
		stopped := !slices.ContainsFunc(t.Partitions, func(x Partition) bool { return x.State != "STOPPED" })
		if m := &p.plan.Mirrors[t.Mirror]; n != nil && w.Cluster == m.To && !stopped {
			p.fail(n, n.Value, fmt.Sprintf("producer %s cannot write to %s there: it is mirrored there, and read-only", w.Name, t.Name),
				p.plan.Clusters[m.From].Name)
		}
	}
}

// defaultTakes is how long a step takes unless said, and defaultWithin how long a wait.
const (
	defaultTakes  = id.Second
	defaultWithin = 10 * id.Minute
)

func (p *parser) steps(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		p.fail(n, wordOf(n), "the steps are a list", "- stop: {mirror: MIRROR}")
		return
	}
	w := &intent{parser: p, in: map[int][]int{}, at: map[int]int{}, dark: [2]bool{p.plan.dark(0), p.plan.dark(1)}}
	for i := range p.plan.Topics {
		w.in[i] = []int{p.plan.Topics[i].Mirror}
	}
	for i := range p.plan.Producers {
		w.at[i] = p.plan.Producers[i].Cluster
	}
	for _, x := range n.Content {
		w.step(x)
	}
}

// intent follows what the steps lead to, so that one that cannot be meant so is refused.
type intent struct {
	*parser
	in map[int][]int // the mirrors that a topic is in, or was
	at map[int]int   // where a producer writes; absent: it was stopped

	dark [2]bool // every broker of the cluster is down
}

// lit refuses what a cluster is to do of which every broker is down.
func (w *intent) lit(n *yaml.Node, s *Step, c int) {
	if c >= 0 && w.dark[c] {
		name := w.plan.Clusters[c].Name
		w.fail(n, name, s.Act+": every broker of this cluster is down at this step",
			"a step above that brings them back: - restore: "+name)
	}
}

func (w *intent) step(n *yaml.Node) {
	f := w.fields(n, "a step", append(slices.Clone(acts), "takes"), nil)
	s := Step{Line: n.Line, Takes: defaultTakes, Within: defaultWithin}
	var body *yaml.Node
	for _, a := range acts {
		if f[a] != nil && body != nil {
			w.fail(f[a], a, "a step does one thing", "a step of its own: - "+a+": ...")
		}
		if f[a] != nil {
			s.Act, body = a, f[a]
		}
	}
	if body == nil {
		if n.Kind == yaml.MappingNode && (len(n.Content) == 0 || f["takes"] != nil) {
			w.fail(n, "", "a step does something", acts...)
		}
		return
	}
	if v := f["takes"]; v != nil {
		s.Takes = w.duration(v, "how long a step takes")
	}
	before := len(w.errs)
	w.body(body, &s)
	if len(w.errs) == before {
		w.plan.Steps = append(w.plan.Steps, s)
	}
}

func (w *intent) body(n *yaml.Node, s *Step) {
	switch {
	case operates(s.Act):
		w.operate(n, s)
	case s.Act == actWaitForLag, s.Act == actWaitForState:
		w.wait(n, s)
	case s.Act == actStopProducers:
		s.Names = w.indexes(n, "producer", w.plan.producerNames())
		w.leave(n, s)
	case s.Act == actMoveProducers, s.Act == actMoveGroups:
		w.move(n, s)
	case s.Act == actWait:
		s.For = w.duration(n, "how long to wait")
	case s.Act == actRestore:
		if s.To = w.index(n, "cluster", w.text(n, "a cluster"), w.plan.clusterNames()); s.To >= 0 {
			w.dark[s.To] = false
		}
	}
}

// operate reads a request for topics of a mirror, all of the file unless said.
func (w *intent) operate(n *yaml.Node, s *Step) {
	f := w.fields(n, s.Act, []string{"mirror", "topics"}, []string{"mirror"})
	if w.mirrorAndTopics(n, f, s); s.Mirror < 0 || f["mirror"] == nil {
		return
	}
	for _, t := range s.Topics {
		switch in := w.in[t]; {
		case s.Act == actStart && !slices.Contains(in, s.Mirror):
			w.in[t] = append(slices.Clone(in), s.Mirror)
		case s.Act != actStart && !slices.Contains(in, s.Mirror):
			w.notIn(n, s, t)
		}
	}
}

// notIn refuses a step for a topic that is not in its mirror.
func (w *intent) notIn(n *yaml.Node, s *Step, topic int) {
	w.fail(n, w.plan.Topics[topic].Name, s.Act+": the topic is not in mirror "+w.plan.Mirrors[s.Mirror].Name+" at this step",
		w.mirrorsOf(topic)...)
}

func (w *intent) mirrorsOf(t int) (names []string) {
	for _, m := range w.in[t] {
		names = append(names, w.plan.Mirrors[m].Name)
	}
	return names
}

func (w *intent) mirrorAndTopics(n *yaml.Node, f map[string]*yaml.Node, s *Step) {
	if v := f["mirror"]; v != nil {
		s.Mirror = w.index(v, "mirror", w.text(v, "a mirror"), w.plan.mirrorNames())
	}
	if s.Mirror >= 0 && f["mirror"] != nil {
		w.lit(f["mirror"], s, w.plan.Mirrors[s.Mirror].To)
	}
	if v := f["topics"]; v != nil {
		s.Topics = w.indexes(v, "topic", w.plan.topicNames())
		return
	}
	for i := range w.plan.Topics {
		if s.Act == actStart || slices.Contains(w.in[i], s.Mirror) {
			s.Topics = append(s.Topics, i)
		}
	}
	if len(s.Topics) == 0 && f["mirror"] != nil && s.Mirror >= 0 {
		w.fail(n, f["mirror"].Value, s.Act+": no topic is in this mirror at this step", "a mirror that was started")
	}
}

var waited = []string{"MIRRORING", "PAUSED", "STOPPED", "FAILED"}

func (w *intent) wait(n *yaml.Node, s *Step) {
	keys, required := []string{"mirror", "topics", "within"}, []string{"mirror"}
	if s.Act == actWaitForState {
		keys, required = append(keys, "state"), append(required, "state")
	}
	f := w.fields(n, s.Act, keys, required)
	w.mirrorAndTopics(n, f, s)
	for _, t := range s.Topics {
		if s.Mirror >= 0 && f["mirror"] != nil && !slices.Contains(w.in[t], s.Mirror) {
			w.notIn(n, s, t)
		}
	}
	if v := f["within"]; v != nil {
		s.Within = w.duration(v, "how long to wait")
	}
	if v := f["state"]; v != nil {
		if word := w.oneOf(v, "a state to wait for", waited...); word != "" {
			s.State = stateOf(word)
		}
	}
}

func stateOf(word string) record.State {
	for x := record.Unknown; ; x++ {
		if x.String() == word {
			return x
		}
	}
}

// leave notes that producers do not write any more.
func (w *intent) leave(n *yaml.Node, s *Step) {
	for _, i := range s.Names {
		if _, writes := w.at[i]; !writes {
			w.fail(n, w.plan.Producers[i].Name, "this producer was stopped by a step above", "a producer that writes")
		}
		delete(w.at, i)
	}
}

func (w *intent) move(n *yaml.Node, s *Step) {
	what, names := "group", w.plan.groupNames()
	if s.Act == actMoveProducers {
		what, names = "producer", w.plan.producerNames()
	}
	f := w.fields(n, s.Act, []string{what + "s", "to"}, []string{"to"})
	if v := f["to"]; v != nil {
		s.To = w.index(v, "cluster", w.text(v, "a cluster"), w.plan.clusterNames())
		w.lit(v, s, s.To)
	}
	if v := f[what+"s"]; v != nil {
		s.Names = w.indexes(v, what, names)
	} else {
		for i := range names {
			s.Names = append(s.Names, i)
		}
	}
	if len(names) == 0 {
		w.none(n, "", what)
	}
	for _, i := range s.Names {
		if s.Act == actMoveProducers {
			w.at[i] = s.To
		}
	}
}
