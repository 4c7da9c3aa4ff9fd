package scenarios

import (
	"context"
	"io"
	"slices"
	"strings"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
	"mirrorsim/scenarios/history"
)

// CheckedHistory is what the checkers say of a history that was read.
type CheckedHistory struct {
	About    string // where it is from, in its own words
	Verdicts []checkers.Verdict
	Scenes   []Scene           // of the properties that fell before the end, in the order in which they did
	Unknown  []history.Unknown // kinds of events that were not understood
	Accepted []string          // waits that the design accepts (section 13), in words
	Complete bool              // it has its last line. Without it nothing is judged that only the end can show
	Stopped  bool              // by the context, before it was read to its end
	Lived    bool              // it tells of the end of a second phase
	Events   uint64
	Virtual  id.Duration
	Crossed  checkers.CrossCounts

	Names   *id.Names
	Ledger  *checkers.Ledger
	livedAt uint64 // the index of the event behind that line
}

// Scene is what happened before a property fell: the last events that have to do with it, in columns of time, node and act.
type Scene struct {
	Property string
	Rows     []string
}

// CheckHistory reads a history line by line and judges it, with porcupine as a second opinion if crossCheck is set. file is its
// name for errors: a *format.SyntaxError for what is not in the schema, or the error of src. When the context is done, the history
// is as good as cut off there.
func CheckHistory(ctx context.Context, file string, src io.Reader, crossCheck bool) (*CheckedHistory, error) {
	in, err := history.NewReader(file, src)
	if err != nil {
		return nil, err
	}
	t := in.Topology()
	c := &historyCheck{in: in, topology: t, result: &CheckedHistory{About: in.About(), Names: t.Names}}
	if c.suite, err = checkers.NewSuite(t); err != nil {
		return nil, err
	}
	if crossCheck {
		c.cross = checkers.NewCrossCheck(t)
	}
	for ctx.Err() == nil {
		line, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		c.take(line)
	}
	c.result.Stopped = ctx.Err() != nil && !in.Ended()
	c.finish()
	return c.result, nil
}

// historyCheck is a check under way.
type historyCheck struct {
	in        *history.Reader
	topology  checkers.Topology
	suite     *checkers.Suite
	cross     *checkers.CrossCheck // nil: nobody asked for it
	recent    recent
	fallen    int
	assertion string
	result    *CheckedHistory
}

func (c *historyCheck) take(l history.Line) {
	switch {
	case l.Event != nil:
		c.recent.keep(l.Event)
		c.suite.Observe(l.Event)
		if c.cross != nil {
			c.cross.Observe(l.Event)
		}
		c.look()
	case l.Live != nil:
		c.result.Lived = true
		c.result.livedAt, _ = c.in.Events()
		c.suite.JudgeLive(l.Live.Core, l.Live.Bound, l.Live.Waits)
		c.look()
	case l.End != nil:
		c.assertion = l.End.Assertion
	}
}

// look makes the scenes of properties that have fallen since it looked last.
func (c *historyCheck) look() {
	n := c.suite.Fallen()
	if n == c.fallen {
		return
	}
	c.fallen = n
	for _, v := range c.suite.Verdicts() {
		had := slices.ContainsFunc(c.result.Scenes, func(s Scene) bool { return s.Property == v.Property })
		if v.Count > 0 && !had {
			rows := c.recent.rows(&c.topology, v.Violations[0].Sentence)
			c.result.Scenes = append(c.result.Scenes, Scene{v.Property, rows})
		}
	}
}

// finish judges what the end shows, if the history has one.
func (c *historyCheck) finish() {
	r := c.result
	r.Events, r.Virtual = c.in.Events()
	r.Complete, r.Unknown = c.in.Ended(), c.in.Unknown()
	if r.Complete {
		c.suite.Finish()
		c.look()
	}
	r.Verdicts, r.Accepted, r.Ledger = c.suite.Verdicts(), c.suite.Accepted(), c.suite.Ledger()
	nameAssertion(r.Verdicts, c.assertion)
	if c.cross == nil {
		return
	}
	v, counts := c.cross.Verdict(r.Events)
	if !r.Complete && v.Status != checkers.Violated {
		v.Status = checkers.Unknown
	}
	r.Verdicts, r.Crossed = append(r.Verdicts, v), counts
}

// Table is the verdict on every property. Those of liveness are not exercised in a history without a second phase, of which
// Verdicts says nothing.
func (r *CheckedHistory) Table() []checkers.Verdict {
	var list []checkers.Verdict
	for _, p := range checkers.Properties() {
		i := slices.IndexFunc(r.Verdicts, func(v checkers.Verdict) bool { return v.Property == p.ID })
		switch {
		case i >= 0:
			list = append(list, r.Verdicts[i])
		case p.Liveness:
			list = append(list, checkers.Verdict{Property: p.ID, Status: checkers.NotExercised})
		}
	}
	return list
}

// Verdict is what the history comes to. One in which no property had an occasion says nothing.
func (r *CheckedHistory) Verdict() string {
	exercised := slices.ContainsFunc(r.Verdicts, func(v checkers.Verdict) bool { return v.Occasions > 0 })
	switch {
	case anyIs(r.Verdicts, checkers.Violated):
		return checkers.Violated.String()
	case anyIs(r.Verdicts, checkers.Unknown) || !r.Complete || !exercised:
		return checkers.Unknown.String()
	}
	return checkers.Holds.String()
}

// ExitStatus is that of a run: 0 holds, 1 violated, 4 unknown.
func (r *CheckedHistory) ExitStatus() int {
	return map[string]int{checkers.Violated.String(): 1, checkers.Unknown.String(): 4}[r.Verdict()]
}

// Line is the line of the file in which the event of that index stands: the header is the first.
func (r *CheckedHistory) Line(index uint64) uint64 {
	line := index + 2
	if r.Lived && index >= r.livedAt {
		line++
	}
	return line
}

// What recent keeps, and what of it a scene shows.
const (
	recentEvents = 1024
	sceneRows    = 12
)

// recent is the last events of a history that a person would be told.
type recent struct {
	events [recentEvents]event.Event
	n      int // how many there were
}

func (r *recent) keep(e *event.Event) {
	switch e.Kind {
	case event.FetchAnswered:
		if e.Cause == 0 {
			return
		}
	case event.HighWatermark, event.MirrorFetched, event.EpochAdded, event.LinkSet, event.PointReached, event.MirrorSynced:
		return
	}
	r.events[r.n%recentEvents] = *e
	r.n++
}

// rows are the last of the events that have to do with what a sentence names, oldest first: those of the partitions, on any
// cluster, of their topics, and what befell nodes.
func (r *recent) rows(t *checkers.Topology, sentence string) []string {
	tell, named := &teller{names: t.Names}, partitionsNamed(sentence)
	concerns := func(e *event.Event) bool {
		topic := t.Names.Topic(e.Partition.Topic)
		return e.Kind < event.TopicCreated || len(named) == 0 || slices.ContainsFunc(named, func(tp format.TP) bool {
			return tp.Topic == topic && (e.Kind < event.Recovered || tp.Partition == int(e.Partition.Index))
		})
	}
	var rows []string
	for i := r.n - 1; i >= max(0, r.n-recentEvents) && len(rows) < sceneRows; i-- {
		e := &r.events[i%recentEvents]
		if text := tell.sentence(e); text != "" && concerns(e) {
			rows = append(rows, tell.row(e, text))
		}
	}
	slices.Reverse(rows)
	return rows
}

// partitionsNamed are the partitions that a sentence names.
func partitionsNamed(sentence string) (list []format.TP) {
	for word := range strings.FieldsSeq(sentence) {
		if tp, ok := format.ParseTP(strings.TrimRight(word, ",.:;")); ok {
			list = append(list, tp)
		}
	}
	return list
}
