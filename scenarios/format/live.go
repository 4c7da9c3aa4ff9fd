package format

import (
	"slices"
	"strings"

	"mirrorsim/model/id"
)

// Live is the second phase of a run, in which nothing goes wrong any more and everything must come to its end:
//
//	live
//	live core=a0,a1,b0 within 5m
//
// The brokers of the core are well again, and so are the links between all nodes that are up, the clients, the admins,
// and the controllers and metadata logs of the clusters that have a broker in the core. Every other broker is down for
// good, and of a cluster without a broker in the core the rest too. Faults that have not fallen yet do not fall any
// more. It has completed when nothing is pending, or when its time is over: then each liveness property of which
// something is still pending is violated. It is the last step.
type Live struct {
	Core   []string    // brokers; nil: all
	Within id.Duration // 0: DefaultLive
}

// DefaultLive is how long the second phase may take that names no time: a session, the replica lag, a scan and the
// longest chain of retries, twice over.
const DefaultLive = 5 * id.Minute

// Limit is how long the second phase may take.
func (a *Live) Limit() id.Duration {
	if a.Within == 0 {
		return DefaultLive
	}
	return a.Within
}

func parseLive(l *line) Act {
	a := &Live{}
	if len(l.p.open) > 0 {
		l.fail("live", "the second phase stands in no repeat", "end")
	}
	if word, ok := strings.CutPrefix(l.peek(), "core="); ok {
		l.next++
		a.Core = l.core("core="+word, strings.Split(word, ","))
	}
	a.Within = l.within("a phase takes some time")
	return a
}

// core looks the brokers up.
func (l *line) core(word string, names []string) []string {
	brokers := l.p.s.brokers()
	for i, name := range names {
		switch {
		case !slices.Contains(brokers, name):
			l.fail(word, "no cluster has a broker "+name, brokers...)
		case slices.Contains(names[:i], name):
			l.fail(word, "a broker is named twice")
		}
	}
	return names
}

// within reads within TIME, 0 if it does not stand there.
func (l *line) within(why string) id.Duration {
	if !l.skip("within") {
		return 0
	}
	w := l.word("a time")
	d := l.time(w, w)
	if d == 0 {
		l.fail(w, why, "a time above 0")
	}
	return d
}

// brokers are the names of the brokers of all clusters.
func (s *Scenario) brokers() (names []string) {
	for i := range s.Clusters {
		names = append(names, s.Clusters[i].brokers()...)
	}
	return names
}

// Keyword is live.
func (a *Live) Keyword() string { return "live" }

// AppendText appends the line.
func (a *Live) AppendText(dst []byte) []byte {
	dst = append(dst, "live"...)
	if len(a.Core) > 0 {
		dst = append(dst, " core="+strings.Join(a.Core, ",")...)
	}
	if a.Within != 0 {
		dst = append(dst, " within "+a.Within.String()...)
	}
	return dst
}

// Simpler is the same with every broker in the core.
func (a *Live) Simpler() []Act {
	if len(a.Core) == 0 {
		return nil
	}
	return []Act{&Live{Within: a.Within}}
}
