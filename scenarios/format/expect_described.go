package format

import (
	"fmt"
	"strconv"

	"mirrorsim/model/record"
)

// Description is what the answer to a describe said of a partition.
type Description struct {
	Desired  record.Desired
	State    record.State
	Reason   record.Reason
	Attempts int // failures in a row; -1: not retryable
	Lag      int64
	LagKnown bool  // false: the source was not heard in the present leader epoch, or nobody leads
	Epoch    int32 // the last mirrored position; -1: none is stored, or the marker has no epoch
	Offset   int64 // -1: none is stored, or the marker has no offset
}

// DescribedIs is what the last describe of a partition was answered, of whichever mirror unless one is named; of what is
// empty nothing is expected:
//
//	expect described B/orders-0 desired=mirroring state=FAILED reason=source-unreachable attempts=3 lag=unknown
//	expect described B/orders-0 in m state=STOPPED lag=0 position=4
type DescribedIs struct {
	TP     TP
	Mirror MirrorRef
	// The texts of the options.
	Desired, State, Reason, Attempts, Lag, Position string
}

func parseDescribedIs(l *line) Expectation {
	e := DescribedIs{TP: l.tp()}
	if l.skip("in") {
		e.Mirror = l.mirror()
		l.checkDestination(e.Mirror, e.TP)
	}
	for l.more() && l.peek() != "on-schedule" {
		key, value := l.option("described", "desired=DESIRED", "state=STATE", "reason=REASON", "attempts=N", "lag=N|unknown",
			"position=N")
		word := key + "=" + value
		switch key {
		case "desired":
			e.Desired = l.desired(word, value)
		case "state":
			e.State = l.state(word, value).String()
		case "reason":
			e.Reason = l.reason(word, value).Token()
		case "attempts":
			e.Attempts = strconv.FormatInt(l.number(word, value, -1, 1<<15-1), 10)
		case "lag":
			e.Lag = l.lag(word, value)
		case "position":
			e.Position = strconv.FormatInt(l.number(word, value, record.NoPosition, 1<<53), 10)
		}
	}
	if l.err == nil && len(l.seen) == 0 {
		l.fail("", "nothing is expected of the description", "desired=DESIRED", "state=STATE", "reason=REASON", "attempts=N",
			"lag=N|unknown", "position=N")
	}
	return e
}

// desired reads text, a part of word, as a desired state.
func (l *line) desired(word, text string) string {
	if _, ok := record.ParseDesired(text); !ok {
		var want []string
		for d := record.WantNone; d <= record.WantStopped; d++ {
			want = append(want, d.String())
		}
		l.fail(word, "unknown desired state", want...)
	}
	return text
}

// reason reads text, a part of word, as a reason of FAILED.
func (l *line) reason(word, text string) record.Reason {
	r, ok := record.ParseReason(text)
	if !ok {
		var want []string
		for i := range record.Reasons {
			want = append(want, record.Reason(i).Token())
		}
		l.fail(word, "unknown reason", want...)
	}
	return r
}

const unknownLag = "unknown"

// lag reads text, a part of word, as a lag: unknown, or a number, below 0 where the source is behind (D43).
func (l *line) lag(word, text string) string {
	if text == unknownLag {
		return text
	}
	return strconv.FormatInt(l.number(word, text, -1<<53, 1<<53), 10)
}

func lagText(n int64, known bool) string {
	if !known {
		return unknownLag
	}
	return strconv.FormatInt(n, 10)
}

// AppendText appends the expectation.
func (e DescribedIs) AppendText(dst []byte) []byte {
	dst = append(dst, "described "+e.TP.String()...)
	if e.Mirror.Name != "" {
		dst = append(dst, " in "+e.Mirror.String()...)
	}
	for _, x := range e.options(&Description{}) {
		if x.want != "" {
			dst = append(dst, " "+x.key+"="+x.want...)
		}
	}
	return dst
}

// describedOption is one option: what is expected, and what the answer said.
type describedOption struct{ key, want, got string }

func (e DescribedIs) options(d *Description) []describedOption {
	position := int64(d.Epoch)
	if d.Epoch == record.NoPosition {
		position = d.Offset
	}
	return []describedOption{
		{"desired", e.Desired, d.Desired.String()},
		{"state", e.State, d.State.String()},
		{"reason", e.Reason, d.Reason.Token()},
		{"attempts", e.Attempts, strconv.Itoa(d.Attempts)},
		{"lag", e.Lag, lagText(d.Lag, d.LagKnown)},
		{"position", e.Position, strconv.FormatInt(position, 10)},
	}
}

// Check compares what is expected, option by option.
func (e DescribedIs) Check(v View) error {
	d, ok := v.Described(e.Mirror, e.TP)
	if !ok {
		return fmt.Errorf("no describe of %v was answered", e.TP)
	}
	for _, x := range e.options(&d) {
		if x.want != "" && x.want != x.got {
			return fmt.Errorf("%v was described with %s=%s", e.TP, x.key, x.got)
		}
	}
	return nil
}
