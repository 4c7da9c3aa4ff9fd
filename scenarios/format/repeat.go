package format

import (
	"slices"
	"strconv"
)

// Repeat does its steps Count times over:
//
//	repeat 3
//	  stop orders in m
//	  start orders in m
//	end
type Repeat struct {
	Count   int    // 1 to 1000
	Body    []Step // at least one
	EndNote string // the comments above the end statement
}

const (
	maxRepeat = 1000
	maxDepth  = 4
)

func parseRepeat(l *line) {
	r := &Repeat{Count: l.count("how often", maxRepeat)}
	if len(l.p.open) == maxDepth {
		l.fail("repeat", "repeats are at most 4 deep")
	}
	l.end()
	if l.err == nil {
		l.p.open = append(l.p.open, &Step{Pos: l.p.pos(), Do: r})
	}
}

func parseEnd(l *line) {
	n := len(l.p.open)
	if n == 0 {
		l.fail("end", "there is no repeat to end", "repeat N")
		return
	}
	step := l.p.open[n-1]
	r := step.Do.(*Repeat)
	if len(r.Body) == 0 {
		l.fail("end", "this repeat has no steps", actKeywords()...)
	}
	r.EndNote = l.p.pos().Note
	l.p.open = l.p.open[:n-1]
	if n > 1 {
		outer := l.p.open[n-2].Do.(*Repeat)
		outer.Body = append(outer.Body, *step)
		return
	}
	l.p.s.Steps = append(l.p.s.Steps, *step)
}

// Keyword is repeat.
func (r *Repeat) Keyword() string { return "repeat" }

// AppendText appends the whole block, its last line without the end of line.
func (r *Repeat) AppendText(dst []byte) []byte { return r.appendText(dst, "") }

func (r *Repeat) appendText(dst []byte, indent string) []byte {
	dst = append(dst, "repeat "...)
	dst = strconv.AppendInt(dst, int64(r.Count), 10)
	dst = append(dst, '\n')
	for i := range r.Body {
		dst = append(r.Body[i].appendText(dst, indent+"  "), '\n')
	}
	dst = appendNote(dst, r.EndNote, indent+"  ")
	return append(dst, indent+"end"...)
}

// Simpler is once, half as often, and one step less.
func (r *Repeat) Simpler() []Act {
	var list []Act
	for _, n := range halves(r.Count) {
		list = append(list, &Repeat{n, r.Body, r.EndNote})
	}
	for i := 0; i < len(r.Body) && len(r.Body) > 1; i++ {
		list = append(list, &Repeat{r.Count, slices.Delete(slices.Clone(r.Body), i, i+1), r.EndNote})
	}
	return list
}

// halves are 1 and n/2, as far as they are less than n.
func halves(n int) []int {
	switch {
	case n <= 1:
		return nil
	case n <= 3:
		return []int{1}
	}
	return []int{1, n / 2}
}

// Due is one step of the run with the expectations that are judged when it has completed.
type Due struct {
	Number int // of the step of Scenario.Steps that it belongs to, from 1; 0: before the first step
	Step   *Step
	Expect []*Expect
}

// Unroll is the run's steps in order, repeats counted out. The first entry has no step and holds the expectations before
// the first one. The expectations after the last step are in the last entry: they are judged at the end of the run.
func (s *Scenario) Unroll() []Due {
	list := []Due{{}}
	next := 0
	for i := 0; i <= len(s.Steps); i++ {
		if i > 0 {
			list = appendDue(list, i, &s.Steps[i-1])
		}
		for ; next < len(s.Expect) && s.Expect[next].After <= i; next++ {
			last := &list[len(list)-1]
			last.Expect = append(last.Expect, &s.Expect[next])
		}
	}
	return list
}

func appendDue(list []Due, number int, step *Step) []Due {
	r, ok := step.Do.(*Repeat)
	if !ok {
		return append(list, Due{Number: number, Step: step})
	}
	for range r.Count {
		for i := range r.Body {
			list = appendDue(list, number, &r.Body[i])
		}
	}
	return list
}
