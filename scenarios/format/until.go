package format

import (
	"mirrorsim/model/id"
)

// Until waits for a condition:
//
//	until state B/orders-0=MIRRORING
//	until lag B/orders-0=0 within 30s
//	until isr B/orders-0=2
//	until read r=12
//	until leader B/orders-0=b1
//	until config orders on B retention.ms=1000
//	until passes m=2
//	until acl topic:orders alice read on B
//	until quiet
//	until state A/orders-0=MIRRORING within 1m or-go-on
//
// It has completed when the condition is met. One that is not met within its time fails the run, and says what it waits
// for; with or-go-on the run goes on instead.
type Until struct {
	Cond   Condition
	Within id.Duration // since the wait began; 0: DefaultWithin
	OrGoOn bool
}

// DefaultWithin is how long a wait may take that names no time: longer than any chain of Kafka's default time-outs.
const DefaultWithin = 10 * id.Minute

// Limit is how long the wait may take.
func (a *Until) Limit() id.Duration {
	if a.Within == 0 {
		return DefaultWithin
	}
	return a.Within
}

// Condition is what an until waits for. Each of its types stands in the file of its keyword, such as lag.go; those that are
// expectations as well stand in that of the expectation.
type Condition interface {
	// AppendText appends what follows the word until.
	AppendText(dst []byte) []byte
	// Met tells whether it is so; if not, waits says in words what is so instead.
	Met(v View) (waits string, met bool)
}

var conditions = []struct {
	keyword string
	parse   func(l *line) Condition
}{
	{"state", parseStateIs},
	{"lag", parseLagIs},
	{"isr", parseISRIs},
	{"read", parseReadIs},
	{"leo", becomes(parseOffsetIs)},
	{"hw", becomes(parseOffsetIs)},
	{"lso", becomes(parseOffsetIs)},
	{"start", becomes(parseOffsetIs)},
	{"leader", becomes(parseLeaderIs)},
	{"epoch", becomes(parseEpochIs)},
	{"position", becomes(parsePositionIs)},
	{"committed", becomes(parseCommittedIs)},
	{"attempts", becomes(parseAttemptsAre)},
	{"reason", becomes(parseReasonIs)},
	{"config", becomes(parseConfigIs)},
	{"passes", parsePassesAre},
	{"acl", becomes(parseAclIs)},
	{"no-acl", becomes(parseAclIs)},
	{"quiet", func(*line) Condition { return Quiet{} }},
}

// Becomes waits until an expectation of the same words is met:
//
//	until leo B/orders-0=3
type Becomes struct{ Expectation }

func becomes(parse func(*line) Expectation) func(*line) Condition {
	return func(l *line) Condition { return Becomes{parse(l)} }
}

// Met checks the expectation.
func (c Becomes) Met(v View) (string, bool) {
	if err := c.Check(v); err != nil {
		return err.Error(), false
	}
	return "", true
}

func conditionKeywords() (list []string) {
	for _, c := range conditions {
		list = append(list, c.keyword)
	}
	return list
}

func parseUntil(l *line) {
	a := &Until{Cond: conditions[l.oneOf("unknown condition", conditionKeywords()...)].parse(l)}
	a.Within = l.within("a wait takes some time")
	a.OrGoOn = l.skip("or-go-on")
	l.addStep(When{}, a)
}

// Keyword is until.
func (a *Until) Keyword() string { return "until" }

// AppendText appends the line.
func (a *Until) AppendText(dst []byte) []byte {
	dst = a.Cond.AppendText(append(dst, "until "...))
	if a.Within != 0 {
		dst = append(dst, " within "+a.Within.String()...)
	}
	if a.OrGoOn {
		dst = append(dst, " or-go-on"...)
	}
	return dst
}

// Simpler is nothing: a shrinker drops a wait, or keeps it.
func (a *Until) Simpler() []Act { return nil }

// partitionIs reads TP=value.
func (l *line) partitionIs(form string) (tp TP, word, value string) {
	key, value := l.pair(form)
	word = key + "=" + value
	if l.err == nil {
		tp = l.plainTP(word, key)
	}
	return tp, word, value
}
