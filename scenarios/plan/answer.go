package plan

import (
	"cmp"
	"fmt"
	"slices"

	"mirrorsim/checkers"
)

// answers folds the outcomes of runs, which are in the order of their seeds.
type answers struct {
	*runner
	report *PlanReport
	runs   []*outcome
}

// answer answers a question.
func (a *answers) answer(q Question) Answer {
	x := Answer{Question: q.String(), Text: q.Text(), Items: []Item{}, Unanswered: []Unanswered{}}
	if !a.nobody(q) {
		a.unfit(&x, q)
	}
	switch q {
	case Lost:
		a.lost(&x)
	case Discarded:
		a.discarded(&x)
	case Groups:
		a.groups(&x)
	case Writing:
		a.writing(&x)
	case Finished:
		a.finished(&x)
	}
	a.conclude(&x, q)
	return x
}

// unfit says of which partitions nothing can be said.
func (a *answers) unfit(x *Answer, q Question) {
	for i := range a.plan.Topics {
		t := &a.plan.Topics[i]
		for k := range t.Partitions {
			if p := &t.Partitions[k]; p.unfit != "" && (q != Groups || a.read(i, k)) {
				x.not(p.title(), p.unfit)
			}
		}
	}
	switch {
	case len(a.runs) > 0 || a.script == nil:
	case a.report.StoppedEarly:
		x.not("", "it was stopped before a run was made")
	default:
		x.not("", "no run was made that begins with the numbers of the file")
	}
}

// nobody tells whether the file says that there is nobody whom the question is about: that is an answer, whatever runs show.
func (a *answers) nobody(q Question) bool {
	return q == Groups && a.plan.GroupsSaid && len(a.plan.Groups) == 0 || q == Writing && a.plan.ProducersSaid && len(a.plan.Producers) == 0
}

// none is the item of a question that is about nobody.
func (a *answers) none(subject, what string) Item {
	return Item{Subject: subject, What: what, Answer: Never, Of: len(a.runs), Sentence: "there is none"}
}

// read tells whether a group of the plan reads a partition.
func (a *answers) read(topic, partition int) bool {
	return slices.ContainsFunc(a.plan.Groups, func(g Group) bool {
		return slices.ContainsFunc(g.Offsets, func(o GroupOffset) bool { return o.Topic == topic && o.Partition == partition })
	})
}

// not notes that a part of the question is not answered.
func (x *Answer) not(subject, why string) {
	if n := (Unanswered{subject, why}); !slices.Contains(x.Unanswered, n) {
		x.Unanswered = append(x.Unanswered, n)
	}
}

// conclude makes the answer of the items.
func (a *answers) conclude(x *Answer, q Question) {
	x.Items = slices.DeleteFunc(x.Items, func(i Item) bool {
		if i.Of == 0 && len(a.runs) > 0 {
			x.not(i.Subject, "in no run the steps got so far"+whyNot[q])
		}
		return i.Of == 0 && !a.nobody(q)
	})
	x.Answer = NotAnswered
	rank := []string{NotAnswered, Never, Possible, Certain}
	for _, i := range x.Items {
		if slices.Index(rank, i.Answer) > slices.Index(rank, x.Answer) {
			x.Answer = i.Answer
		}
	}
	if x.Answer == NotAnswered && len(x.Unanswered) == 0 {
		x.not("", "no partition that it is about can be in a run; see the other questions")
	}
	if x.Answer == Never && len(a.runs) > 0 {
		least := len(a.runs)
		for _, i := range x.Items {
			least = min(least, i.Of)
		}
		bound := min(1, 3/float64(least))
		x.Bound = &bound
	}
	x.Sentence = a.sentence(x, q)
}

// whyNot is where the reason is told why no run got so far.
var whyNot = [questions]string{Lost: ": see Q5", Discarded: ": see Q5", Groups: ": the group did not resume there, see Q5"}

// tally counts an amount over runs.
type tally struct {
	of, runs    int
	least, most int64
	about       bool
	worst       *outcome
	at          amount // of the worst
}

// take counts one run that got so far.
func (t *tally) take(x *outcome, n amount) {
	t.of++
	if n.records == 0 {
		return
	}
	if t.runs++; t.runs == 1 {
		t.least = n.records
	}
	t.least = min(t.least, n.records)
	t.about = t.about || n.about
	if n.records > t.most {
		t.most, t.worst, t.at = n.records, x, n
	}
}

// put puts what was counted into an item.
func (a *answers) put(i *Item, t *tally) {
	i.Runs, i.Of, i.Least, i.Most, i.About = t.runs, t.of, t.least, t.most, t.about
	switch {
	case t.runs == 0:
		i.Answer = Never
	case t.runs == len(a.runs):
		i.Answer = Certain
	default:
		i.Answer = Possible
	}
	if t.worst != nil {
		ranges := t.at.ranges
		slices.SortFunc(ranges, func(x, y Range) int { return cmp.Compare(x.First, y.First) })
		i.Worst = &Worst{t.worst.seed, t.most, t.at.acknowledged, ranges, a.command(t.worst.seed)}
	}
}

// often says in how many runs.
func often(i *Item) string {
	switch {
	case i.Runs == 0:
		return fmt.Sprintf("in none of %s", runs(i.Of))
	case i.Runs == i.Of:
		return fmt.Sprintf("in each of %s", runs(i.Of))
	}
	return fmt.Sprintf("in %d of %s", i.Runs, runs(i.Of))
}

func runs(n int) string { return checkers.Several(n, "run", "runs") }

// item is an item about a partition.
func item(what string, x *Partition) Item {
	return Item{Subject: x.title(), Topic: x.topic.Name, Partition: &x.Index, What: what}
}

// violations are the properties that fell.
func (a *answers) violations() {
	for _, x := range a.runs {
		for k, property := range x.properties {
			i := slices.IndexFunc(a.report.Violations, func(v Violation) bool { return v.Property == property })
			if i < 0 {
				i = len(a.report.Violations)
				a.report.Violations = append(a.report.Violations, Violation{Property: property, Sentence: x.violations[k],
					Seed: x.seed, Command: a.command(x.seed)})
			}
			a.report.Violations[i].Runs++
		}
	}
}
