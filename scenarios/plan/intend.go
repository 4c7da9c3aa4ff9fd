package plan

import (
	"fmt"
	"slices"
	"strings"

	"mirrorsim/model/id"
)

// The rule for what producers write while a step is taken: up to writtenExactly records a partition are written one by one, of
// more writtenShort, each of which is as many.
const (
	writtenExactly = 20
	writtenShort   = 10
)

// written is how many records of the scenario stand for n that a producer writes to a partition.
func written(n int64) int64 {
	if n > writtenExactly {
		return writtenShort
	}
	return n
}

// intend makes the steps of the plan.
func (s *script) intend() {
	w := &writer{script: s, dark: [2]bool{s.plan.dark(0), s.plan.dark(1)}}
	w.cut = !s.plan.Clusters[0].Reachable || !s.plan.Clusters[1].Reachable
	w.writing = slices.Clone(s.producers)
	w.since()
	s.unreachable()
	for i := range s.plan.Steps {
		s.steps = append(s.steps, w.step(&s.plan.Steps[i]))
	}
	s.steps = append(s.steps, scripted{act: w.end(), waits: append(w.settle(), "until quiet within 5m or-go-on")})
}

// writer follows the producers through the steps.
type writer struct {
	*script
	writing []*scriptProducer
	dark    [2]bool
	cut     bool
}

// since is what producers have written since the numbers were taken, where nothing of it was mirrored. Where the mirror goes on
// it is taken to have kept up, so that its lag is that of the file.
func (w *writer) since() {
	for _, producer := range w.writing {
		for _, x := range w.reached(producer) {
			stands := w.plan.stands(x.Partition, producer.cluster)
			takes := w.plan.takes(x.Partition, producer.cluster, w.plan.Producers[producer.producer].Acks) // else see unseen
			if age := w.plan.age(&x.Sides[producer.cluster]); stands && takes && age > 0 {
				w.setup = append(w.setup, w.burst(producer, x, age)...)
			}
		}
	}
}

// reached are the partitions of the scenario that a producer writes to.
func (w *writer) reached(producer *scriptProducer) (list []*scriptPart) {
	for _, x := range w.parts {
		if slices.Contains(w.plan.Producers[producer.producer].Topics, x.topic) {
			list = append(list, x)
		}
	}
	return list
}

// burst is what a producer writes to a partition in a time: its rate is shared by all partitions of its topics.
func (w *writer) burst(producer *scriptProducer, x *scriptPart, d id.Duration) []string {
	of := &w.plan.Producers[producer.producer]
	n := share(of.Rate, d, w.plan.reaches(of))
	if n == 0 || w.dark[producer.cluster] {
		return nil
	}
	made := written(n)
	producer.values += made
	producer.bursts = append(producer.bursts, burst{producer.values, made, n})
	line := fmt.Sprintf("produce %s %s %d", producer.client, x.tp(producer.cluster), made)
	if of.Acks != "all" {
		line += " acks=" + of.Acks
	}
	producer.open = of.Transactional
	return []string{line}
}

// share is how many records fall on one of all partitions in a time, one at least.
func share(rate int64, d id.Duration, all int64) int64 {
	if d == 0 || all == 0 {
		return 0
	}
	seconds := float64(d) / float64(id.Second)
	return max(1, int64(float64(rate)*seconds/float64(all)))
}

// writes is what all producers write in a time. A transaction of one is ended before it goes on.
func (w *writer) writes(d id.Duration) (lines []string) {
	for _, producer := range w.writing {
		lines = append(lines, w.commit(producer)...)
		for _, x := range w.reached(producer) {
			lines = append(lines, w.burst(producer, x, d)...)
		}
	}
	return lines
}

func (w *writer) commit(producer *scriptProducer) []string {
	if !producer.open || w.dark[producer.cluster] {
		return nil
	}
	producer.open = false
	line := "commit " + producer.client
	return []string{line}
}

// end ends what is open.
func (w *writer) end() (lines []string) {
	for _, producer := range w.writing {
		lines = append(lines, w.commit(producer)...)
	}
	return lines
}

// settles is how long groups are given at the end: one whose coordinator has crashed may have to wait for its session to end.
const settles = id.Minute

// settle gives groups that were moved the time to go on.
func (w *writer) settle() []string {
	if slices.ContainsFunc(w.plan.Steps, func(s Step) bool { return s.Act == actMoveGroups }) {
		return w.idle(settles)
	}
	return nil
}

// joins is how long a group is given to join on the other cluster, and to commit what it has read.
const joins = 10 * id.Second

// step is a step of the plan in lines.
func (w *writer) step(s *Step) (x scripted) {
	switch {
	case operates(s.Act):
		if names := w.topicNames(s.Topics); len(names) > 0 {
			x.act = []string{s.Act + " " + strings.Join(names, " ") + " in " + w.mirror(s.Mirror)}
		}
	case s.Act == actStopProducers:
		x.act = w.stop(s.Names)
	case s.Act == actMoveProducers:
		x.act = w.moveProducers(s)
	case s.Act == actMoveGroups:
		x.act = w.moveGroups(s)
		x.waits = w.idle(joins)
	case s.Act == actRestore:
		x.act = w.restore(s.To)
	case s.Act == actWait:
		x.act = w.idle(s.For)
		x.writes = w.writes(s.For)
		return x
	}
	x.writes = w.writes(s.Takes)
	for _, t := range s.Topics {
		for _, part := range w.parts {
			if part.topic != t {
				continue
			}
			switch tp := part.tp(w.plan.Mirrors[s.Mirror].To); s.Act {
			case actWaitForLag:
				x.waits = append(x.waits, w.heard(part, s)...)
				x.waits = append(x.waits, fmt.Sprintf("until lag %s=0 within %v or-go-on", tp, max(s.Within, id.Millisecond)))
			case actWaitForState:
				x.waits = append(x.waits, fmt.Sprintf("until state %s=%v within %v or-go-on", tp, s.State, max(s.Within, id.Millisecond)))
			}
		}
	}
	return x
}

// heard is a wait until a mirror that the file has behind has what it was behind. The lag of the scenario is as last heard,
// which was before the source had that: the operator's tools have heard of it.
func (w *writer) heard(x *scriptPart, s *Step) []string {
	m := w.mirrorOf(x)
	if s.Mirror != x.Partition.topic.Mirror || x.MirroredEnd != nil || x.Lag != nil && *x.Lag == 0 {
		return nil
	}
	return []string{fmt.Sprintf("until hw %s>=%d within %v or-go-on", x.tp(m.To), x.scales[m.To].to(x.Sides[m.From].End),
		max(s.Within, id.Millisecond))}
}

// idle lets time pass. No act does only that; a description changes nothing.
func (w *writer) idle(d id.Duration) []string {
	x := w.parts[0]
	m := x.Partition.topic.Mirror
	if w.dark[w.plan.Mirrors[m].To] {
		return nil
	}
	return []string{fmt.Sprintf("after %v describe %s in %s", d, x.tp(w.plan.Mirrors[m].To), w.mirror(m))}
}

func (w *writer) topicNames(topics []int) (names []string) {
	for _, x := range w.parts {
		if slices.Contains(topics, x.topic) {
			names = append(names, x.name)
		}
	}
	return names
}

func (w *writer) stop(producers []int) (lines []string) {
	w.writing = slices.DeleteFunc(w.writing, func(x *scriptProducer) bool {
		if !slices.Contains(producers, x.producer) {
			return false
		}
		lines = append(lines, w.commit(x)...)
		return true
	})
	return lines
}

// moveProducers starts producers anew on the other cluster.
func (w *writer) moveProducers(s *Step) []string {
	lines := w.stop(s.Names)
	for _, i := range s.Names {
		client := w.alias(w.plan.Producers[i].Name + "-on-" + w.plan.Clusters[s.To].Name)
		moved := &scriptProducer{producer: i, client: client, cluster: s.To}
		w.writing, w.producers = append(w.writing, moved), append(w.producers, moved)
	}
	return lines
}

// moveGroups has groups leave the one cluster, where they are active and it can answer, and read from the other.
func (w *writer) moveGroups(s *Step) (lines []string) {
	add := func(form string, args ...any) { lines = append(lines, fmt.Sprintf(form, args...)) }
	for _, i := range s.Names {
		if from := w.at(i, s); from != s.To {
			if w.active(i, s) && !w.dark[from] {
				add("leave %s on %s", w.groups[i], letters[from])
			}
			w.consume(i, s.To, add)
		}
	}
	return lines
}

// at is the cluster that a group reads from before a step.
func (w *writer) at(group int, before *Step) int {
	at := w.home(group)
	for i := range w.plan.Steps {
		s := &w.plan.Steps[i]
		if s == before {
			break
		}
		if s.Act == actMoveGroups && slices.Contains(s.Names, group) {
			at = s.To
		}
	}
	return at
}

// active tells whether a member of the group reads before a step: from the start on, or since it was moved.
func (w *writer) active(group int, before *Step) bool {
	return w.plan.Groups[group].Active || w.at(group, before) != w.home(group)
}

// restore brings back what is down or out of reach.
func (w *writer) restore(c int) (lines []string) {
	for _, name := range w.down(c) {
		lines = append(lines, "fault heal "+name)
	}
	if w.cut {
		lines = append(lines, "fault heal A>B", "fault heal B>A")
	}
	w.dark[c], w.cut = false, false
	return lines
}
