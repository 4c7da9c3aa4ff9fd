package format

import (
	"fmt"

	"mirrorsim/checkers"
)

// PassesAre is that so many passes of mirror-wide work over the topics of a mirror, or more, are done: the source was asked for
// its topics and their configs, and has answered:
//
//	until passes m=2
type PassesAre struct {
	Mirror MirrorRef
	N      int64
}

func parsePassesAre(l *line) Condition {
	m, n := l.mirrorIs()
	return PassesAre{m, n}
}

// mirrorIs reads MIRROR=N.
func (l *line) mirrorIs() (MirrorRef, int64) {
	key, value := l.pair("MIRROR=N")
	return l.lookupMirror(key), l.number(key+"="+value, value, 0, 1<<31-1)
}

// AppendText appends the condition.
func (c PassesAre) AppendText(dst []byte) []byte {
	return fmt.Appendf(dst, "passes %v=%d", c.Mirror, c.N)
}

// Met compares the number.
func (c PassesAre) Met(v View) (string, bool) {
	done, _ := v.Passes(c.Mirror)
	return fmt.Sprintf("the passes over %v are %d", c.Mirror, done), int64(done) >= c.N
}

// AskedIs is that the last pass over the topics of a mirror asked the controller for so many changes:
//
//	expect asked m=0
type AskedIs struct {
	Mirror MirrorRef
	N      int64
}

func parseAskedIs(l *line) Expectation {
	m, n := l.mirrorIs()
	return AskedIs{m, n}
}

// AppendText appends the expectation.
func (e AskedIs) AppendText(dst []byte) []byte { return fmt.Appendf(dst, "asked %v=%d", e.Mirror, e.N) }

// Check compares the number.
func (e AskedIs) Check(v View) error {
	switch done, asked := v.Passes(e.Mirror); {
	case done == 0:
		return fmt.Errorf("no pass over %v is done", e.Mirror)
	case int64(asked) != e.N:
		return fmt.Errorf("the last pass over %v had %s to the controller", e.Mirror, checkers.Several(asked, "request", "requests"))
	}
	return nil
}
