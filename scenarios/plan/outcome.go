package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mirrorsim/checkers"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/scenarios"
)

// outcome is what one run came to, in the operator's numbers.
type outcome struct {
	seed    uint64
	unmade  string // the run did not begin with the numbers of the file: how
	stopped bool   // it was stopped from outside

	lost       []loss // of the partitions of which a stop of the plan was completed
	discarded  []discard
	moves      []moveOutcome
	wrote      []writeOutcome
	ends       []end
	violations []string // sentences, by the names of the file
	properties []string // of the violations
}

// amount is so many of the operator's records; about tells that some of them stand within a stretch that was shortened.
type amount struct {
	records      int64
	about        bool
	acknowledged int64
	ranges       []Range
}

// loss is what a failover lost of a partition of the script.
type loss struct {
	part int
	amount
	turned int64 // of the records: those of transactions that the stop turned round
}

// discard is what a failback did to a partition of the script on a cluster.
type discard struct {
	part, cluster int
	amount
	cut         int64 // -1: nothing was cut
	cutAbout    bool
	anew        bool // the log was copied again from its start
	copiedAgain int64
	unexplained int64 // of the records: those that no failover accounts for
	below       int64 // of the records: those below the log start of the new source
	turned      int64 // of the records: those whose COMMIT is gone, while they have stayed
}

// moveOutcome is a group's move in the operator's offsets.
type moveOutcome struct {
	group, part, from, to int
	again, skipped        amount
	before, resume        int64
	past                  bool // it had read beyond the end that the file has
	reset, outOfRange     bool // it goes on by its reset policy: nothing was committed, or nothing that the log has
}

// writeOutcome is what a producer wrote to the old side of a partition behind the fence.
type writeOutcome struct {
	producer, part, cluster int
	records                 int64
}

// end is what became of a mirrored partition on a cluster, or of a step that did not come to its end.
type end struct {
	part, cluster int // -1: a step
	step          int
	finished      bool
	state, waits  string
}

// folded makes the outcome of a run.
func (s *script) folded(seed uint64, r *scenarios.Result, o *observer, lines []int) *outcome {
	x := &outcome{seed: seed, stopped: r.Stopped}
	if r.Stopped {
		return x
	}
	for _, f := range r.Failures {
		if f.Line < lines[0] {
			x.unmade = f.Text + ": " + f.Got
			return x
		}
	}
	f := &folder{script: s, result: r, observer: o, outcome: x, nodes: r.Names.Nodes}
	f.losses()
	f.groups()
	f.writes()
	f.states()
	f.stuck(lines)
	for _, v := range r.Verdicts {
		if v.Status == checkers.Violated {
			x.violations, x.properties = append(x.violations, f.translate(v.Violations[0].Sentence)), append(x.properties, v.Property)
		}
	}
	return x
}

// folder makes one outcome.
type folder struct {
	*script
	result   *scenarios.Result
	observer *observer
	outcome  *outcome
	nodes    []string
	gone     []at // what was lost at a failover
}

// partOf is the partition of the script that an id stands for, -1 for another topic.
func (f *folder) partOf(p id.Partition) int {
	name := f.result.Names.Topic(p.Topic)
	return slices.IndexFunc(f.parts, func(x *scriptPart) bool { return x.name == name })
}

// weigh adds a record to an amount.
func (f *folder) weigh(sum *amount, x *scriptPart, r at) {
	client := f.nodes[r.key-1]
	for _, w := range f.producers {
		if w.client == client {
			sum.records += w.weight(r.value)
			return
		}
	}
	c := 0
	if client == setter(1) {
		c = 1
	}
	first, a := x.scales[c].from(r.offset)
	next, b := x.scales[c].from(r.offset + 1)
	sum.records += next - first
	if k := len(sum.ranges); k > 0 && sum.ranges[k-1].Last == first-1 {
		sum.ranges[k-1].Last, sum.about = next-1, sum.about && !b || !b
		return
	}
	sum.ranges = append(sum.ranges, Range{first, next - 1})
	sum.about = sum.about || !a || !b
}

// weight is how many of the operator's records a record of the client stands for.
func (w *scriptProducer) weight(value uint64) int64 {
	before := int64(0)
	for _, b := range w.bursts {
		if int64(value) <= b.until {
			i := int64(value) - before - 1
			return b.real*(i+1)/b.made - b.real*i/b.made
		}
		before = b.until
	}
	return 1
}

// sum is the amount of the records of a cluster's log in a list of the loss report.
func (f *folder) sum(x *scriptPart, c int, list []checkers.LostRecord) (sum amount) {
	list = slices.SortedFunc(slices.Values(list), func(a, b checkers.LostRecord) int { return cmp.Compare(a.Offset, b.Offset) })
	for _, r := range list {
		if int(r.Cluster) != c {
			continue
		}
		before := sum.records
		f.weigh(&sum, x, at{c, r.Offset, r.Key, r.Value})
		if r.Acknowledged {
			sum.acknowledged += sum.records - before
		}
	}
	return sum
}

// losses folds the loss reports.
func (f *folder) losses() {
	for _, r := range f.result.Ledger.LossReports() {
		i := f.partOf(r.Partition)
		if i < 0 {
			continue
		}
		x := f.parts[i]
		for c := range letters {
			if f.failsBack(i, c) && slices.Contains(f.observer.aligned, copied{r.Partition, c}) {
				f.discards(i, c, &r)
			}
		}
		for _, l := range r.Lost {
			f.gone = append(f.gone, at{int(l.Cluster), l.Offset, l.Key, l.Value})
		}
		before := 0
		if x.MirroredEnd != nil {
			before = 1 // the stop that the file begins with
		}
		if len(r.Failovers) <= before {
			continue
		}
		total := loss{part: i}
		for c := range letters {
			total.add(f.sum(x, c, append(slices.Clone(r.Lost), r.CutByStop...)))
		}
		all := f.turned(&r, func(*checkers.TurnedTransaction) bool { return true })
		total.turned = f.extra(&total.amount, x, &r, all, r.Lost, r.CutByStop)
		f.outcome.lost = append(f.outcome.lost, total)
	}
}

// add adds b to a.
func (a *amount) add(b amount) {
	a.records += b.records
	a.acknowledged += b.acknowledged
	a.about = a.about || b.about
	a.ranges = append(a.ranges, b.ranges...)
}

// failsBack tells whether a step starts a mirror of the partition to the cluster.
func (s *script) failsBack(part, cluster int) bool {
	return slices.ContainsFunc(s.plan.Steps, func(x Step) bool {
		return x.Act == actStart && s.plan.Mirrors[x.Mirror].To == cluster && slices.Contains(x.Topics, s.parts[part].topic)
	})
}

func (f *folder) discards(i, c int, r *checkers.LossReport) {
	x := f.parts[i]
	d := discard{part: i, cluster: c, cut: -1}
	d.amount = f.sum(x, c, slices.Concat(r.Discarded, r.Trimmed, r.Unexplained))
	d.unexplained = f.sum(x, c, r.Unexplained).records
	back := f.turned(r, func(t *checkers.TurnedTransaction) bool { return int(t.Source) == c && t.AtSource != "committed" })
	d.turned = f.extra(&d.amount, x, r, back, r.Discarded, r.Trimmed, r.Unexplained)
	d.below = f.extra(&d.amount, x, r, f.belowStart(r.Partition, c), r.Discarded, r.Trimmed, r.Unexplained)
	d.copiedAgain = f.sum(x, c, r.Recopied).records
	for _, k := range f.observer.cuts {
		if k.partition == r.Partition && k.cluster == c {
			real, exact := x.scales[c].from(k.offset)
			d.cut, d.cutAbout, d.anew = real, !exact, k.anew
		}
	}
	f.outcome.discarded = append(f.outcome.discarded, d)
}

func (f *folder) groups() {
	for _, m := range f.observer.moves {
		i := f.partOf(m.partition)
		if i < 0 {
			continue
		}
		x := f.parts[i]
		y := moveOutcome{group: m.group, part: i, from: m.from, to: m.to, reset: m.committed < 0}
		y.outOfRange = !y.reset && m.committed != m.resume
		for _, r := range m.again {
			f.weigh(&y.again, x, r)
		}
		for _, r := range m.skipped {
			f.weigh(&y.skipped, x, r)
		}
		y.before, _ = x.scales[m.from].from(m.before)
		y.resume, _ = x.scales[m.to].from(m.resume)
		y.past = m.before > x.scales[m.from].end()
		if len(m.skipped) > 0 { // of a burst one record stands for many, but below an offset there are no more than it says
			first, _ := x.scales[m.to].from(m.skipped[0].offset)
			y.skipped.records = min(y.skipped.records, max(y.resume-first, 1))
		}
		f.outcome.moves = append(f.outcome.moves, y)
	}
}

// writes folds what producers wrote behind the fence: what was lost at the failover all the same is told there.
func (f *folder) writes() {
	var seen []at
	for _, w := range f.observer.wrote {
		i := f.partOf(w.partition)
		if i < 0 || slices.Contains(f.gone, w.record) || slices.Contains(seen, w.record) {
			continue
		}
		seen = append(seen, w.record)
		for _, producer := range f.producers {
			if producer.client == f.nodes[w.record.key-1] {
				f.wroteTo(producer, i, w.record)
			}
		}
	}
}

func (f *folder) wroteTo(producer *scriptProducer, part int, r at) {
	n := producer.weight(r.value)
	for i := range f.outcome.wrote {
		if x := &f.outcome.wrote[i]; x.producer == producer.producer && x.part == part && x.cluster == r.cluster {
			x.records += n
			return
		}
	}
	f.outcome.wrote = append(f.outcome.wrote, writeOutcome{producer.producer, part, r.cluster, n})
}

// states finds what became of every partition that a mirror has, or had.
func (f *folder) states() {
	l := f.result.Ledger
	for _, p := range l.Partitions() {
		i := f.partOf(p)
		if i < 0 {
			continue
		}
		for c := range letters {
			if l.Desired(id.Cluster(c), p) == record.WantNone {
				continue
			}
			x := end{part: i, cluster: c, state: l.State(id.Cluster(c), p).String()}
			why, ok := f.finished(p, id.Cluster(c))
			if x.finished = ok; !ok {
				x.waits = f.waits(why, f.parts[i], id.Cluster(c)) + f.short(p, f.parts[i], c)
			}
			f.outcome.ends = append(f.outcome.ends, x)
		}
	}
}

// short says that a partition has too few in-sync replicas to take anything, "" if it has enough.
func (f *folder) short(p id.Partition, x *scriptPart, c int) string {
	l, asked := f.result.Ledger, x.Partition.topic.Configs[c].MinInSync
	isr := l.ISR(id.Cluster(c), p)
	leader, _ := l.Leader(id.Cluster(c), p)
	switch {
	case leader == id.None:
		return "; nobody leads it"
	case isr.Len() < asked:
		var names []string
		for n := range f.nodes {
			if n < id.MaxBrokers && isr.Has(id.Node(n)) {
				names = append(names, f.translate(f.nodes[n]))
			}
		}
		return fmt.Sprintf("; its ISR is %s alone, and min.insync.replicas is %d", list(names), asked)
	}
	return ""
}

func (f *folder) finished(p id.Partition, c id.Cluster) (why string, ok bool) {
	l := f.result.Ledger
	state := l.State(c, p)
	reason, _ := l.Failure(c, p)
	if state == record.Failed {
		return "it is FAILED: " + reason.String(), false
	}
	switch l.Desired(c, p) {
	case record.WantMirroring:
		lag, known := l.Lag(c, p)
		switch {
		case state != record.Mirroring:
			return "it is to be MIRRORING", false
		case !known:
			return "its source has not answered", false
		case lag != 0:
			return "its lag does not come to 0", false
		}
	case record.WantPaused:
		return "it is to be PAUSED", state == record.Paused
	case record.WantStopped:
		if state == record.Stopped && !l.Writable(c, p) {
			return "its leader does not take writes yet", false
		}
		return "it is to be STOPPED", state == record.Stopped
	}
	return "", true
}

// waits says what a partition waits for: what its brokers say, by the operator's names, or else why.
func (f *folder) waits(why string, x *scriptPart, c id.Cluster) string {
	var list []string
	for _, line := range f.result.Waits {
		node, what, _ := strings.Cut(line, " says: ")
		n := slices.Index(f.nodes, node)
		first := int(c) * f.brokerCount(0)
		if strings.Contains(what, x.name+"-0") && n >= first && n < first+f.brokerCount(int(c)) {
			list = append(list, f.translate(node+" says: "+what))
		}
	}
	if len(list) == 0 {
		return why
	}
	return why + "; " + strings.Join(list, "; ")
}
