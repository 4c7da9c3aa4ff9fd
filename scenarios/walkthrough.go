package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"mirrorsim/model/id"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
)

// Walkthrough is model/WALKTHROUGH.md: the calm run of F1, message by message, for the stop orders of both seeds. The
// error says that F1 cannot be run.
func Walkthrough() (string, error) {
	first, err := walkF1(DefaultRevision, startStopReasons())
	if err != nil {
		return "", err
	}
	second, err := walkF1("add-remove", addRemoveReasons())
	if err != nil {
		return "", err
	}
	return walkHead + first.page(startStopHead, nil) + second.page(addRemoveHead, first), nil
}

// walkF1 runs F1 under a revision.
func walkF1(revision string, reasons []reason) (*walk, error) {
	f, err := Find("F1")
	if err != nil {
		return nil, err
	}
	s, err := f.Scenario()
	if err != nil {
		return nil, err
	}
	d, err := Choose(s, revision, nil)
	if err != nil {
		return nil, err
	}
	w := &walk{naming: d.Config.Names(), reasons: reasons, fetched: map[follows]int64{}, stopped: map[id.Node]bool{}}
	if _, err = Run(s, Options{Protocol: d.Config, Story: w}); err != nil {
		return nil, err
	}
	if len(w.reasons) > 0 {
		return nil, fmt.Errorf("walk-through of %s: no message carries out: %s", revision, w.reasons[0].text)
	}
	return w, nil
}

// walk collects the telling messages of a run by the acts that they follow from.
type walk struct {
	naming  protocol.Naming
	names   *id.Names
	cluster []id.Cluster // by node
	brokers int          // the nodes below are brokers
	reasons []reason     // in the order of the run; those that are given are gone
	acts    []walkAct
	strips  string // as shown last
	fetched map[follows]int64
	stopped map[id.Node]bool // whose metadata show that the topic is to be stopped
}

// follows is a follower of a partition.
type follows struct {
	node      id.Node
	partition id.Partition
}

// walkAct is one act of the scenario with the waits that follow it.
type walkAct struct {
	first, last int // numbers of steps
	steps       []string
	lines       []walkLine
	strips      string // the logs that it changed
}

// walkLine is one message.
type walkLine struct {
	at       id.Duration
	from, to string
	api      wire.API
	name     string // as the revision's seed has it
	fields   string
	late     bool   // of a mirror fetcher that is removed already
	why      string // stands above it; mostly ""
}

func (w *walk) listen(r *run) {
	w.names, w.cluster, w.brokers = &r.names, r.cluster, r.brokers
	r.options.Deliver = w.deliver
}

func (w *walk) step(r *run, number int, text string) {
	if strings.HasPrefix(text, "until ") && len(w.acts) > 0 {
		a := &w.acts[len(w.acts)-1]
		a.last, a.steps = number, append(a.steps, text)
		return
	}
	w.end(r)
	w.acts = append(w.acts, walkAct{first: number, last: number, steps: []string{text}})
}

// end keeps the strips that have changed.
func (w *walk) end(r *run) {
	if len(w.acts) == 0 {
		return
	}
	now := strips(r)
	for line := range strings.Lines(now) {
		if !strings.Contains(w.strips, line) {
			w.acts[len(w.acts)-1].strips += line
		}
	}
	w.strips = now
}

// deliver takes a message if it tells something. One that is sent to several nodes at once is one line.
func (w *walk) deliver(at id.Duration, from, to id.Node, b wire.Body) {
	if len(w.acts) == 0 || from == id.None || !w.tells(from, to, b) {
		return
	}
	a := &w.acts[len(w.acts)-1]
	l := walkLine{at: at, from: w.names.Node(from), to: w.names.Node(to), api: b.API(), name: w.messageName(b),
		fields: w.fields(b), late: w.late(from, to, b)}
	if n := len(a.lines); n > 0 && a.lines[n-1].at == at && a.lines[n-1].from == l.from && a.lines[n-1].same(&l) {
		a.lines[n-1].to += ", " + l.to
		return
	}
	if len(w.reasons) > 0 && w.reasons[0].of(b) {
		l.why, w.reasons = w.reasons[0].text, w.reasons[1:]
	}
	a.lines = append(a.lines, l)
}

// tells leaves out what keeps the clusters alive, what brings nothing, and how __mirror_state is replicated.
func (w *walk) tells(from, to id.Node, b wire.Body) bool {
	switch b := b.(type) {
	case *wire.FetchRequest:
		return b.Mirror || w.moved(follows{from, b.Partition}, b.FetchOffset) && !w.internal(b.Partition)
	case *wire.FetchResponse:
		return !w.internal(b.Partition) && (len(b.Batches) > 0 || b.Diverging || b.Code != wire.OK)
	case *wire.AppendMetadataRequest:
		return w.recordText(b.Records) != ""
	case *wire.MetadataFetchResponse:
		return b.Base > 0 && w.recordText(b.Records) != ""
	case *wire.MetadataRequest:
		return int(from) < w.brokers // a mirror fetcher's
	case *wire.MetadataResponse:
		return int(to) < w.brokers
	case *wire.MirrorTopicsResponse:
		return b.Client == id.None // to the client, not to the broker that forwarded its request
	case *wire.ProduceRequest, *wire.ProduceResponse, *wire.InitProducerIdResponse, *wire.MirrorTopicsRequest,
		*wire.LastMirroredPositionRequest, *wire.LastMirroredPositionResponse,
		*wire.ReadMirrorStatesRequest, *wire.ReadMirrorStatesResponse, *wire.WriteMirrorStatesRequest,
		*wire.WriteMirrorStatesResponse, *wire.BumpLeaderEpochRequest, *wire.BumpLeaderEpochResponse:
		return true
	}
	return false
}

// moved tells whether a follower's fetch says that its log end is another one than it was.
func (w *walk) moved(f follows, offset int64) bool {
	before, known := w.fetched[f]
	w.fetched[f] = offset
	return known && before != offset
}

func (w *walk) internal(p id.Partition) bool { return format.Internal(w.names.Topic(p.Topic)) }

// late tells whether a message is of a mirror fetcher that is removed already.
func (w *walk) late(from, to id.Node, b wire.Body) bool {
	switch b := b.(type) {
	case *wire.MetadataFetchResponse:
		for _, r := range b.Records {
			if t, ok := r.(*record.MirrorTopicRecord); ok {
				w.stopped[to] = t.Desired == record.WantStopped
			}
		}
	case *wire.FetchRequest:
		return b.Mirror && w.stopped[from]
	case *wire.FetchResponse:
		return w.stopped[to] && w.cluster[from] != w.cluster[to]
	}
	return false
}

// page is the walk as text. Acts that bring the same messages as in the other walk are named, not shown.
func (w *walk) page(head string, other *walk) string {
	var b strings.Builder
	b.WriteString(head)
	for i := 0; i < len(w.acts); i++ {
		same := i
		for other != nil && same < len(w.acts) && w.acts[same].same(&other.acts[same]) {
			same++
		}
		if same > i {
			fmt.Fprintf(&b, "\n### %s\n\nThe same messages, fields and logs as under start-stop.\n",
				steps(w.acts[i].first, w.acts[same-1].last))
			i = same - 1
			continue
		}
		w.acts[i].append(&b)
	}
	return b.String()
}

// same tells whether two acts bring the same messages in the same order. Times, the names of requests and what a removed
// fetcher has still under way may differ.
func (a *walkAct) same(o *walkAct) bool {
	inTime := func(lines []walkLine) []walkLine {
		return slices.DeleteFunc(slices.Clone(lines), func(l walkLine) bool { return l.late })
	}
	return a.strips == o.strips && slices.EqualFunc(inTime(a.lines), inTime(o.lines), func(x, y walkLine) bool {
		return x.from == y.from && x.to == y.to && x.same(&y)
	})
}

func (l *walkLine) same(o *walkLine) bool { return l.api == o.api && l.fields == o.fields }

func (a *walkAct) append(b *strings.Builder) {
	fmt.Fprintf(b, "\n### %s: `%s`\n\n", steps(a.first, a.last), strings.Join(a.steps, "`, `"))
	for i, l := range a.lines {
		if l.why != "" {
			if i > 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(b, "%s\n\n", fold(l.why, 118))
		}
		fmt.Fprintf(b, "    %6.1f  %-7s -> %-7s %-30s %s\n", float64(l.at)/float64(id.Millisecond), l.from, l.to, l.name, l.fields)
	}
	if a.strips != "" {
		fmt.Fprintf(b, "\n%s", strings.ReplaceAll(a.strips, "  | ", "    | "))
	}
}

func steps(first, last int) string {
	if first == last {
		return fmt.Sprint("Step ", first)
	}
	return fmt.Sprintf("Steps %d to %d", first, last)
}

// fold breaks text into lines of at most width characters.
func fold(text string, width int) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		switch {
		case column == 0:
		case column+1+len(word) > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

// recordText is the records of the metadata log that concern mirroring, "" if none does.
func (w *walk) recordText(list []record.Metadata) string {
	var words []string
	for _, r := range list {
		switch r := r.(type) {
		case *record.MirrorTopicRecord:
			value := w.naming.MirrorNameConfig(w.names.Mirror(r.Mirror), r.Desired == record.WantPaused, r.Desired == record.WantStopped)
			words = append(words, fmt.Sprintf("topic=%s mirror.name=%s", w.names.Topic(r.Topic), value))
		case *record.PartitionRecord:
			words = append(words, fmt.Sprintf("%s leader=%s leaderEpoch=%d partitionEpoch=%d",
				w.names.Partition(r.Partition), w.names.Node(r.Leader), r.LeaderEpoch, r.PartitionEpoch))
		}
	}
	return strings.Join(words, "; ")
}
