package plan

import (
	"fmt"
	"slices"
	"strings"
)

// setupLine adds a line to what makes the numbers of the file.
func (s *script) setupLine(form string, args ...any) {
	s.setup = append(s.setup, fmt.Sprintf(form, args...))
}

// begin makes the numbers of the file, in the order in which one thing needs another: first what both clusters have, then the
// stops and pauses, what each cluster has alone, the brokers that are down; and, while nothing passes between the clusters, so
// that neither records nor offsets are mirrored any further, what the mirrors are behind and what groups have committed.
func (s *script) begin() {
	s.setupLine("# What both clusters have.")
	for _, x := range s.parts {
		m := s.mirrorOf(x)
		s.makeRecords(x, m.From, min(x.Sides[0].Start, x.Sides[1].Start), s.plan.mirrored(x.Partition))
		s.mirrorAll(x)
	}
	for _, x := range s.parts {
		switch m := s.mirrorOf(x); x.State {
		case "STOPPED":
			s.stopped(x, m)
		case "PAUSED":
			s.setupLine("pause %s in %s", x.name, s.mirror(x.Partition.topic.Mirror))
			s.setupLine("until state %s=PAUSED", x.tp(m.To))
			s.makeRecords(x, m.From, s.plan.mirrored(x.Partition), x.Sides[m.From].End)
		}
	}
	early := [2]bool{s.early(0), s.early(1)}
	for c := range letters {
		if early[c] {
			s.crash(c, true)
		}
	}
	s.setupLine("# Nothing passes between the clusters, so that the mirrors are as far as the file says.")
	s.setupLine("fault cut A>B")
	s.setupLine("fault cut B>A")
	s.behind()
	s.commits()
	s.setupLine("# The numbers of the file.")
	for _, x := range s.parts {
		for c := range letters {
			s.expectEnd(x, c)
		}
	}
	s.activeGroups()
	for c := range letters {
		if !early[c] {
			s.crash(c, false)
		}
	}
}

// makeRecords has the setup client of a cluster write the records from one offset of the operator to another, and raises the
// leader epoch where the file says that a new one begins.
func (s *script) makeRecords(x *scriptPart, c int, from, to int64) {
	if from == to {
		return
	}
	at := from
	write := func(until int64) {
		if n := x.scales[c].to(until) - x.scales[c].to(at); n > 0 {
			s.setters[c] = true
			s.setupLine("produce %s %s %d", setter(c), x.tp(c), n)
		}
		at = until
	}
	for _, r := range s.plan.raisedAt(x.Partition, c) {
		if r >= from && (r < to || r == to && to == x.Sides[c].End) {
			write(r)
			s.raise(x, c)
		}
	}
	write(to)
}

// raise raises the leader epoch by an election. The last one puts the file's leader in charge.
func (s *script) raise(x *scriptPart, c int) {
	list := s.plan.replicas(x.Partition, c)
	x.raised[c]++
	to := list[(s.plan.raises(x.Partition, c)-x.raised[c])%2]
	s.setupLine("elect %s to=%s", x.tp(c), s.broker(c, to))
	s.setupLine("until leader %s=%s", x.tp(c), s.broker(c, to))
	if c == s.mirrorOf(x).To {
		s.settled()
	}
}

// settled waits until what was stopped takes writes: its leader, a new one in particular, has to read the state first.
func (s *script) settled() { s.setupLine("until quiet within 1m or-go-on") }

// mirrorAll mirrors what there is.
func (s *script) mirrorAll(x *scriptPart) {
	m := s.mirrorOf(x)
	s.setupLine("start %s in %s", x.name, s.mirror(x.Partition.topic.Mirror))
	s.setupLine("until state %s=MIRRORING", x.tp(m.To))
	s.setupLine("until hw %s=%d", x.tp(m.To), x.scales[m.To].to(s.plan.mirrored(x.Partition)))
	s.setupLine("until state %s=MIRRORING", x.tp(m.To)) // the leader epoch may have had to be raised
}

// stopped is a failover that is over, and what each side has written since.
func (s *script) stopped(x *scriptPart, m *Mirror) {
	s.setupLine("stop %s in %s", x.name, s.mirror(x.Partition.topic.Mirror))
	s.setupLine("until state %s=STOPPED", x.tp(m.To))
	s.setupLine("until leo %s=%d", x.tp(m.To), x.scales[m.To].to(*x.MirroredEnd+1)) // behind the producer reset
	s.settled()
	s.makeRecords(x, m.To, *x.MirroredEnd+1, x.Sides[m.To].End)
	s.makeRecords(x, m.From, *x.MirroredEnd, x.Sides[m.From].End)
}

// behind is what MIRRORING and FAILED partitions are behind their sources, and what retention has taken.
func (s *script) behind() {
	for _, x := range s.parts {
		m := s.mirrorOf(x)
		if x.State == "MIRRORING" || x.State == "FAILED" {
			s.makeRecords(x, m.From, s.plan.mirrored(x.Partition), x.Sides[m.From].End)
		}
		for c := range letters {
			low := min(x.Sides[0].Start, x.Sides[1].Start)
			if x.Sides[c].Start > low && (c == m.From || x.MirroredEnd != nil) {
				s.setupLine("until hw %s=%d", x.tp(c), x.scales[c].to(x.Sides[c].End))
				s.setupLine("retention %s before=%d", x.tp(c), x.scales[c].to(x.Sides[c].Start))
				for _, b := range s.plan.Clusters[c].up(s.plan.replicas(x.Partition, c)) { // else the next leader may begin lower
					s.setupLine("until start %s@%s=%d", x.tp(c), s.broker(c, b), x.scales[c].to(x.Sides[c].Start))
				}
			}
		}
	}
	for _, x := range s.parts {
		if m := s.mirrorOf(x); x.State == "FAILED" {
			s.setupLine("until state %s=FAILED within 2m", x.tp(m.To))
		}
	}
}

// commits are the committed offsets of the file.
func (s *script) commits() {
	for i := range s.plan.Groups {
		for _, o := range s.plan.Groups[i].Offsets {
			for c := range letters {
				if x := s.part(o.Topic, o.Partition); x != nil && o.At[c] >= 0 && !s.below(x, o.At[c]) {
					s.setupLine("reset-offset %s %s to=%d", s.groups[i], x.tp(c), x.scales[c].to(o.At[c]))
				}
			}
		}
	}
}

// part is a partition of the plan in the scenario, nil where it is not.
func (s *script) part(topic, partition int) *scriptPart {
	for _, x := range s.parts {
		if x.topic == topic && x.partition == partition {
			return x
		}
	}
	return nil
}

// below tells whether a committed offset is below both log starts, where the scenario has nothing.
func (s *script) below(x *scriptPart, offset int64) bool {
	return offset >= 0 && offset < min(x.Sides[0].Start, x.Sides[1].Start)
}

func (s *script) expectEnd(x *scriptPart, c int) {
	if x.Sides[c].Leader >= 0 || !s.early(c) {
		s.setupLine("expect leo %s=%d", x.tp(c), x.scales[c].to(x.Sides[c].End))
	}
}

// activeGroups has the members of active groups read.
func (s *script) activeGroups() {
	for i := range s.plan.Groups {
		if g := &s.plan.Groups[i]; g.Active {
			s.consume(i, s.home(i), s.setupLine)
		}
	}
}

// consume has a group's member read every partition of its that the scenario has.
func (s *script) consume(group, c int, line func(string, ...any)) {
	g := &s.plan.Groups[group]
	for _, o := range g.Offsets {
		if x := s.part(o.Topic, o.Partition); x != nil {
			reset := ""
			if g.Reset == "latest" {
				reset = " reset=latest"
			}
			line("consume %s %s%s", s.groups[group], x.tp(c), reset)
		}
	}
}

// early tells whether the brokers of a cluster that are down can be down before the rest of the numbers is made: nothing that
// is written then needs them.
func (s *script) early(c int) bool {
	for _, x := range s.parts {
		m := s.mirrorOf(x)
		if c != m.From || x.MirroredEnd != nil {
			continue
		}
		up := len(s.plan.Clusters[c].up(x.Sides[c].ISR))
		late := slices.ContainsFunc(s.plan.raisedAt(x.Partition, c), func(r int64) bool { return r >= s.plan.mirrored(x.Partition) })
		if up < x.Partition.topic.Configs[c].MinInSync || late && up < 2 {
			return false
		}
	}
	return !s.plan.dark(c)
}

// crash takes down the brokers that are, and waits until the cluster has seen it where there is time.
func (s *script) crash(c int, wait bool) {
	down := s.plan.Clusters[c].Down
	if len(down) == 0 {
		return
	}
	s.setupLine("# Brokers of %s that are down.", s.plan.Clusters[c].Name)
	for _, name := range s.down(c) {
		s.setupLine("fault crash %s", name)
	}
	for _, x := range s.parts {
		switch up := s.plan.Clusters[c].up(x.Sides[c].ISR); {
		case !wait:
		case len(up) == 0:
			s.setupLine("until leader %s=none", x.tp(c))
		default:
			s.setupLine("until isr %s=%d", x.tp(c), len(up))
		}
	}
}

// down are the brokers of a cluster of the scenario that are down: where all of the file's are, all.
func (s *script) down(c int) (names []string) {
	for _, b := range s.plan.brokers(c) {
		if slices.Contains(s.plan.Clusters[c].Down, b) {
			names = append(names, s.broker(c, b))
		}
	}
	for b := len(s.plan.brokers(c)); b < s.brokerCount(c) && s.plan.dark(c); b++ {
		names = append(names, fmt.Sprint(strings.ToLower(letters[c]), b))
	}
	return names
}

// unreachable mends the way between the clusters where there is one; else it stays cut.
func (s *script) unreachable() {
	if s.plan.Clusters[0].Reachable && s.plan.Clusters[1].Reachable {
		s.setupLine("fault heal A>B")
		s.setupLine("fault heal B>A")
	}
}
