package scenarios

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/scenarios/format"
)

// Problem is one thing that a run failed by, with the group that it belongs to: failures of one group are likely to have
// one reason.
type Problem struct {
	Property string   // its id, or Expectation, or Determinism
	Sentence string   // what contradicts what, for people
	Group    string   // 4 hex digits of Property and Trail
	Trail    []string // the last points of the protocol before it, with nodes named by role

	at uint64 // the index of the later event that shows it
}

// Problems that are not those of a property of package checkers.
const (
	Expectation = "expectation" // an expectation that was not met, or a step that did not complete
	Determinism = "determinism" // the same run, done twice, differed
)

// trailLength is how many points a group is told apart by.
const trailLength = 5

// pointReached is where the protocol was at an event: a point that a broker reached, for which partition.
type pointReached struct {
	index     uint64
	node      id.Node
	point     point.Point
	leads     bool         // the node leads the partition by its cluster's metadata log
	partition id.Partition // topic 0: unknown
}

// note keeps the points at which a partition has come further: what lies between them depends on who coordinates. A point does not say which partition it is about; the event before it, from the same step, does.
func (w *watch) note(e *event.Event) {
	at := pointReached{index: e.Index, node: e.Node, partition: e.Partition}
	if e.Kind == event.PointReached {
		at.point = point.Point(e.To)
		at.partition = id.Partition{}
		if w.last.node == e.Node {
			at.partition = w.last.partition
		}
		leader, _ := w.suite.Ledger().Leader(w.cluster[e.Node], at.partition)
		at.leads = leader == e.Node
		if at.point.Progress() {
			w.points = append(w.points, at)
		}
	}
	w.last = at
}

// Problems are what the run failed by: of each violated property the first violation, in the order in which they came to
// be, then what was expected and was not so.
func (r *Result) Problems() []Problem {
	var list []Problem
	for i := range r.Verdicts {
		if v := &r.Verdicts[i]; v.Status == checkers.Violated {
			list = append(list, r.problem(v, &v.Violations[0]))
		}
	}
	slices.SortStableFunc(list, func(a, b Problem) int { return cmp.Compare(a.at, b.at) })
	for _, f := range r.Failures {
		list = append(list, unmet(f))
	}
	return list
}

// problem is a violation with its group.
func (r *Result) problem(v *checkers.Verdict, x *checkers.Violation) Problem {
	p := Problem{Property: v.Property, Sentence: x.Sentence, at: max(x.Events[0], x.Events[1])}
	if p.at == 0 {
		p.at = r.Events // something is missing: that is known at the end
	}
	p.Trail = r.trail(x.Sentence, p.at)
	p.Group = groupOf(v.Property, r.which(v.Property, x.Sentence), p.Trail)
	return p
}

// which tells apart what one property covers: which assertion fired, what a partition had not reached at the end, and
// whether a loss or the report of it is wrong. It is "" for the other properties.
func (r *Result) which(property, sentence string) string {
	if property == checkers.Assertion.String() {
		return r.withoutNames(r.Assertion)
	}
	if property == checkers.LossAccounted.String() {
		return r.withoutNames(sentence[strings.LastIndex(sentence, ", ")+1:])
	}
	for _, p := range checkers.Properties() {
		if p.ID == property && p.Liveness {
			head, _, _ := strings.Cut(sentence, " after the last fault")
			return r.withoutNames(head)
		}
	}
	return ""
}

// withoutNames is a text with each partition, node and number in it, and each row of them, as one number sign.
func (r *Result) withoutNames(text string) string {
	var words []string
	for word := range strings.FieldsSeq(text) {
		bare := strings.Trim(word, ",.:;")
		if _, ok := format.ParseTP(bare); ok || slices.Contains(r.Names.Nodes, bare) {
			word = "#"
		}
		if word = withoutNumbers(word); word != "#" || len(words) == 0 || words[len(words)-1] != "#" {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// find is the problem of that property and group, if the run failed by it. A property that is violated often is looked at
// from its first violation to the last that was kept.
func (r *Result) find(property, group string) (Problem, bool) {
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		if v.Property != property || v.Status != checkers.Violated {
			continue
		}
		for k := range v.Violations {
			if p := r.problem(v, &v.Violations[k]); p.Group == group {
				return p, true
			}
		}
	}
	for _, f := range r.Failures {
		if p := unmet(f); p.Property == property && p.Group == group {
			return p, true
		}
	}
	return Problem{}, false
}

// meant is the first problem of that property and group, "" any, that is not left out. leftOut may be nil.
func (r *Result) meant(property, group string, leftOut func(*Problem) bool) (Problem, bool) {
	for _, p := range r.Problems() {
		found := true
		switch {
		case property != "" && property != p.Property, leftOut != nil && leftOut(&p):
			continue
		case group != "":
			p, found = r.find(p.Property, group)
		}
		if found {
			return p, true
		}
	}
	return Problem{}, false
}

// notFailed says that no problem of that property and group was found, and by which properties the run fails. What is left out
// are expectations on the calm schedule; leftOut may be nil.
func (r *Result) notFailed(name, property, group string, leftOut func(*Problem) bool) error {
	e := &NoFailureError{Name: name, Property: property, Group: group}
	for _, p := range r.Problems() {
		if leftOut != nil && leftOut(&p) {
			e.Calm = true
			continue
		}
		if !slices.Contains(e.Fails, p.Property) {
			e.Fails = append(e.Fails, p.Property)
		}
	}
	return e
}

// unmet is an expectation that was not met, as a problem. One that names a step by its number is the same when steps
// before it are gone.
func unmet(f Failure) Problem {
	text := f.Text
	if strings.HasPrefix(text, "expect error ") {
		text = withoutNumbers(text)
	}
	return Problem{Property: Expectation, Sentence: f.Text + ": " + f.Got, Group: groupOf(Expectation, text, nil)}
}

// trail is the last points that were reached before event at for the partition, on the clusters, that the sentence names;
// for any when it names none. A point that comes again counts where it came last, so that a retry makes no group of its
// own. Neither faults nor choices are part of it: those that a failure does not need would split its group.
func (r *Result) trail(sentence string, at uint64) []string {
	named := r.named(sentence)
	var trail []string
	for i := len(r.points) - 1; i >= 0 && len(trail) < trailLength; i-- {
		x := &r.points[i]
		if x.index > at || !r.concerns(x, named) {
			continue
		}
		if role := r.role(x); !slices.Contains(trail, role) {
			trail = append(trail, role)
		}
	}
	slices.Reverse(trail)
	return trail
}

// named are the partitions that a sentence names, each with its cluster.
func (r *Result) named(sentence string) []format.TP {
	return slices.DeleteFunc(partitionsNamed(sentence), func(tp format.TP) bool { return !slices.Contains(r.Names.Clusters, tp.Cluster) })
}

// concerns tells whether a point is about one of the partitions.
func (r *Result) concerns(x *pointReached, named []format.TP) bool {
	cluster := r.Names.Cluster(r.cluster[x.node])
	for _, tp := range named {
		unknown := x.partition.Topic == 0
		same := r.Names.Topic(x.partition.Topic) == tp.Topic && int(x.partition.Index) == tp.Partition
		if tp.Cluster == cluster && (unknown || same) {
			return true
		}
	}
	return len(named) == 0
}

// role is a point with its node named by role: "B leader stop.epoch-bumped".
func (r *Result) role(x *pointReached) string {
	role := "broker"
	if x.leads {
		role = "leader"
	}
	return r.Names.Cluster(r.cluster[x.node]) + " " + role + " " + x.point.String()
}

// groupOf is the short name of a group. text tells apart what has neither points nor a property of its own.
func groupOf(property, text string, trail []string) string {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s\n%s\n%s", property, text, strings.Join(trail, "\n"))
	sum := h.Sum32()
	return fmt.Sprintf("%04x", uint16(sum>>16)^uint16(sum))
}

// withoutNumbers is a word with each number in it as one number sign.
func withoutNumbers(s string) string {
	var b strings.Builder
	digits := false
	for _, c := range s {
		digit := c >= '0' && c <= '9'
		switch {
		case !digit:
			b.WriteRune(c)
		case !digits:
			b.WriteByte('#')
		}
		digits = digit
	}
	return b.String()
}
