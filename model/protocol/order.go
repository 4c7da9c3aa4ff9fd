package protocol

import "strings"

// Step is one step of the stop sequence (section 7 of the design).
type Step uint8

// The steps of the stop sequence, in the order of seed 004, Stop, 5.
const (
	StepFetchers     Step   = iota // remove the mirror fetcher
	StepRecord                     // record the last mirrored position in __mirror_state
	StepBump                       // raise the leader epoch, as D7 says
	StepTransactions               // deal with the open transactions, as D4 says
	StepReset                      // append MIRROR_PID_RESET, where D9 says so
	steps            = iota        // how many there are
)

var stepNames = [steps]string{"fetchers", "record", "bump", "transactions", "reset"}

// String is the step's word in the token of D3.
func (s Step) String() string {
	if int(s) < steps {
		return stepNames[s]
	}
	return "?"
}

// Order is D3: the order in which the steps of a stop are done. The first N of Steps count, the rest is zero.
type Order struct {
	Steps [steps]Step
	N     uint8
}

func (o Order) has(s Step) bool {
	for _, present := range o.Steps[:o.N] {
		if present == s {
			return true
		}
	}
	return false
}

func (o Order) and(s Step) Order {
	o.Steps[o.N] = s
	o.N++
	return o
}

// String is the order's token: the steps' words, separated by commas.
func (o Order) String() string {
	var words []string
	for _, s := range o.Steps[:min(o.N, steps)] {
		words = append(words, s.String())
	}
	return strings.Join(words, ",")
}

// StopStep is D3 (stop-order; seed 000, Remove, 4; seed 004, Stop, 5; section 7 of the design): the step that a stop
// does as number i, counting from 0. The second result is false when there is no such step any more: the stop has done
// all.
func (c *Config) StopStep(i int) (Step, bool) {
	o := &c.StopOrder
	if i < 0 || i >= int(o.N) {
		return 0, false
	}
	return o.Steps[i], true
}

// sequence is the one field that holds a list of options.
type sequence struct{ at *Order }

func (s sequence) decision() Decision {
	return Decision{
		ID:   "D3",
		Name: "stop-order",
		Doc:  "the order of the five steps of a stop",
		Source: "seed 000, Remove, 4.1 to 4.5; seed 004, Stop, 5.1 to 5.5; " +
			"section 7 of the design",
		Options: []Option{
			option("fetchers", "remove the mirror fetcher"),
			option("record", "record the last mirrored position in __mirror_state"),
			option("bump", "raise the leader epoch, as stop-bump says"),
			option("transactions", "deal with open transactions, as open-transactions says"),
			option("reset", "append MIRROR_PID_RESET, where producer-ids says so"),
		},
		All: true,
	}
}

// token is "" unless the order is complete.
func (s sequence) token() string {
	if s.at.N != steps {
		return ""
	}
	return s.at.String()
}

func (s sequence) set(token string) bool {
	var o Order
	for _, word := range strings.Split(token, ",") {
		step, ok := parseStep(word)
		if !ok || o.has(step) {
			return false
		}
		o = o.and(step)
	}
	if o.N != steps {
		return false
	}
	*s.at = o
	return true
}

func parseStep(word string) (Step, bool) {
	for i, name := range stepNames {
		if name == word {
			return Step(i), true
		}
	}
	return 0, false
}
