package checkers

import "mirrorsim/model/id"

// Status is what is known of a property at the end of a run.
type Status uint8

// The statuses. A run is violated if one property is, else unknown if one is.
const (
	Holds        Status = iota // it had occasions to fail and did not
	Violated                   // it failed within the fault budget
	NotPromised                // the run went beyond the budget under which it is promised, whether it failed or not
	NotExercised               // it had no occasion to fail: not a pass
	Unknown                    // the run was not finished
)

var statusNames = [...]string{"holds", "violated", "not promised", "not exercised", "unknown"}

// String is the word that verdicts are printed with.
func (s Status) String() string { return statusNames[s] }

// Violation is two facts that contradict each other, in words for people, and the events that show them.
type Violation struct {
	Sentence string    // names cluster, partition, replica and offsets
	Facts    [2]string // the earlier fact and the later one
	Events   [2]uint64 // the indexes of their events; 0 and 0 when a fact is that something is missing
}

// Verdict is what a run says of one property.
type Verdict struct {
	Property   string
	Status     Status
	Occasions  uint64      // how often it could have failed
	Count      uint64      // of violations
	Violations []Violation // the first 16 that say something different
	Why        string      // NotPromised: how the run went beyond the budget
}

// keptViolations bounds the violations that are kept of one property; all are counted.
const keptViolations = 16

// Reporter collects what the checkers find.
type Reporter struct {
	rows     [properties]row
	selected [properties]bool
}

type row struct {
	occasions, violated, excused uint64 // violated: without an excuse
	kept                         []Violation
	excuses                      []Violation // kept ones that were excused
	why                          string      // the first excuse
	all                          bool        // it is for the whole run
	last                         last
}

// last is what became of the violation that was reported last.
type last uint8

const (
	nothing last = iota // it was excused, or there is none
	counted
	keptToo
)

// Exercised counts one occasion on which the property could have failed.
func (r *Reporter) Exercised(p ID) { r.rows[p].occasions++ }

// Violated reports a failure. A failure is an occasion, whether or not it was counted as one. One that says the same as one
// before it is counted, and not kept.
func (r *Reporter) Violated(p ID, v Violation) {
	x := &r.rows[p]
	x.violated++
	x.last = counted
	if !r.selected[p] || len(x.kept) == keptViolations {
		return
	}
	for i := range x.kept {
		if x.kept[i].Sentence == v.Sentence {
			return
		}
	}
	x.kept, x.last = append(x.kept, v), keptToo
}

// Excused says of the violation that was reported last that the run went beyond the fault budget for it, and how: it is not
// promised, while every other violation of the property counts. The first reason is kept.
func (r *Reporter) Excused(p ID, why string) {
	x := &r.rows[p]
	if x.last == nothing {
		return // it is excused already
	}
	x.violated--
	x.excused++
	if n := len(x.kept); x.last == keptToo {
		if len(x.excuses) < keptViolations {
			x.excuses = append(x.excuses, x.kept[n-1])
		}
		x.kept = x.kept[: n-1 : n-1]
	}
	x.last = nothing
	if x.why == "" {
		x.why = why
	}
}

// NotPromised says that the run went beyond what the property is promised for as a whole, and how. The first reason is kept.
func (r *Reporter) NotPromised(p ID, why string) {
	x := &r.rows[p]
	if x.all = true; x.why == "" {
		x.why = why
	}
}

// clone is a copy of which neither side sees the other's reports.
func (r *Reporter) clone() Reporter {
	c := *r
	for i := range c.rows {
		kept := c.rows[i].kept
		c.rows[i].kept = kept[:len(kept):len(kept)]
		excuses := c.rows[i].excuses
		c.rows[i].excuses = excuses[:len(excuses):len(excuses)]
	}
	return c
}

// verdict is what is known of p. A violation without an excuse counts, whatever else happened; where all have one, or the run is
// beyond what the property is promised for, it is not violated, and does not hold.
func (r *Reporter) verdict(p ID, finished bool) Verdict {
	x := &r.rows[p]
	v := Verdict{Property: p.String(), Occasions: max(x.occasions, x.violated+x.excused), Count: x.violated, Violations: x.kept,
		Why: x.why}
	switch {
	case x.violated > 0 && !x.all:
		v.Status = Violated
	case x.why != "":
		v.Status, v.Count = NotPromised, x.violated+x.excused
		v.Violations = append(x.kept[:len(x.kept):len(x.kept)], x.excuses...)
	case !finished:
		v.Status = Unknown
	case x.occasions == 0:
		v.Status = NotExercised
	}
	return v
}

// appendState appends what a later verdict depends on: whether a property was exercised, violated, not promised.
// How often makes no difference to what can still happen.
func (r *Reporter) appendState(dst []byte) []byte {
	for i := range r.rows {
		x := &r.rows[i]
		dst = append(dst, id.Bit(x.occasions > 0)|id.Bit(x.violated > 0)<<1|id.Bit(x.why != "")<<2|id.Bit(x.all)<<3)
	}
	return dst
}
