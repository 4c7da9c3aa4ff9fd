package scenarios

import (
	"fmt"
	"io"
	"strings"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
)

// Narrator tells a run while it goes on: a Story, or a Tail.
type Narrator interface {
	listen(r *run)                        // before the world is made
	step(r *run, number int, text string) // a step begins
	end(r *run)                           // the last step is over
}

// Story tells a run step by step: who did what, in columns of time, node and act, and after each step the logs as strips.
type Story struct {
	out    io.Writer
	tell   *teller
	idle   *idle
	strips string // as printed last
}

// NewStory is a story that is written to out.
func NewStory(out io.Writer) *Story { return &Story{out: out} }

// listen has the story told of what the run does.
func (t *Story) listen(r *run) {
	t.tell, t.idle = &teller{names: &r.names}, newIdle(r)
	r.alsoListen(t.event)
}

// alsoListen has f hear every event, after whoever listens already.
func (r *run) alsoListen(f func(*event.Event)) {
	listen := r.options.Listen
	if listen == nil {
		r.options.Listen = f
		return
	}
	r.options.Listen = func(e *event.Event) {
		listen(e)
		f(e)
	}
}

// step ends the step before it with the strips, if they have changed, and begins the next.
func (t *Story) step(r *run, number int, text string) {
	t.end(r)
	fmt.Fprintf(t.out, "\n%d. %s\n", number, text)
}

func (t *Story) end(r *run) {
	if s := strips(r); s != t.strips {
		fmt.Fprint(t.out, s)
		t.strips = s
	}
}

func (t *Story) event(e *event.Event) {
	if text := t.tell.sentence(e); text != "" && !t.idle.pass(e) {
		fmt.Fprintf(t.out, "%s\n", t.tell.row(e, text))
	}
}

// row is an event as a line of fixed columns: virtual time, node, what it did.
func (t *teller) row(e *event.Event, text string) string {
	return fmt.Sprintf("  %9.3fs  %-7s %s", float64(e.At)/float64(id.Second), t.names.Node(e.Node), text)
}

// strips are the logs of every data partition, as a person would draw them; followers only where they differ.
func strips(r *run) string {
	var b strings.Builder
	for _, p := range r.ledger().Partitions() {
		if format.Internal(r.names.Topic(p.Topic)) {
			continue
		}
		for c := range r.names.Clusters {
			writeStrip(&b, r, id.Cluster(c), p)
		}
	}
	return b.String()
}

// strip is a log as scenario files write it.
func strip(s *checkers.Shadow) string {
	return string(format.AppendRuns(nil, format.RunsOf(s.Batches())))
}

func writeStrip(b *strings.Builder, r *run, c id.Cluster, p id.Partition) {
	leader, epoch := r.ledger().Leader(c, p)
	var log *checkers.Shadow
	if leader != id.None {
		log = r.ledger().Log(leader, p)
	}
	if log == nil {
		return
	}
	own := strip(log)
	fmt.Fprintf(b, "  | %s/%s  %s  end %d  high watermark %d  leader %s in epoch %d\n", r.names.Clusters[c], r.names.Partition(p),
		own, log.End, log.HighWatermark, r.names.Node(leader), epoch)
	for n := range r.brokers {
		other := r.ledger().Log(id.Node(n), p)
		if other == nil || r.cluster[n] != c || id.Node(n) == leader {
			continue
		}
		if s := strip(other); s != own {
			fmt.Fprintf(b, "  |        %s: %s  end %d\n", r.names.Node(id.Node(n)), s, other.End)
		}
	}
}
