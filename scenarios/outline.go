package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/scenarios/format"
)

// Outline tells a run in short, for a reader who wants to know what the protocol did and not how often it asked: the acts with
// the waits behind them, what leaders, controllers and clients did, and the logs that changed as strips. What followers copied is
// in the strips, and what comes again and again is one line.
type Outline struct {
	b     strings.Builder
	tell  *teller
	steps []string // of the present act and its waits
	act   int      // its number
	rows  []outlineRow
	said  string // the time of the row that was printed last
	shown map[id.Partition]string
	ill   map[[2]id.Node]bool // the links, from and to, that do not work as they should
}

// outlineRow is one thing that happened, or several that are alike.
type outlineRow struct {
	at            id.Duration // of the first
	node          id.Node
	link          string   // stands before about where those are the nodes that links lead to
	about         []string // the partitions or topics, or nodes; none: of the node itself
	before, after string   // the text, around a range of offsets if there is one
	first, last   int64    // the range; first -1: none
	jumps         bool     // the range is of base offsets, which need not follow one another
	times         int
}

func (o *Outline) listen(r *run) {
	o.tell, o.shown, o.ill = &teller{names: &r.names}, map[id.Partition]string{}, map[[2]id.Node]bool{}
	r.alsoListen(func(e *event.Event) {
		if row, ok := o.row(e); ok {
			o.add(row)
		}
	})
}

// step begins an act, or adds a wait to it.
func (o *Outline) step(r *run, number int, text string) {
	again := number == o.act // of a repeat
	if !again && !strings.HasPrefix(text, "until ") {
		o.end(r)
		o.act = number
	}
	if line := fmt.Sprintf("%d. %s", number, shortened(text)); !slices.Contains(o.steps, line) {
		o.steps = append(o.steps, line)
	}
}

// end prints the act with what happened, and the logs that it changed.
func (o *Outline) end(r *run) {
	if len(o.steps) == 0 {
		return
	}
	fmt.Fprintf(&o.b, "\n%s\n", strings.Join(o.steps, "\n"))
	for i := range o.rows {
		o.write(&o.rows[i])
	}
	o.strips(r)
	o.steps, o.rows = o.steps[:0], o.rows[:0]
}

// row is what an outline says of an event, if anything.
func (o *Outline) row(e *event.Event) (outlineRow, bool) {
	row := outlineRow{at: e.At, node: e.Node, first: -1, times: 1}
	if !o.matters(e) {
		return row, false
	}
	text := o.tell.sentence(e)
	if e.Kind == event.LinkSet {
		name := o.tell.names.Node(e.Peer)
		row.link, row.about = "link to ", []string{name}
		text = strings.TrimPrefix(text, "link to "+name+" ")
	}
	for _, name := range []string{o.tell.names.Partition(e.Partition), o.tell.names.Topic(e.Partition.Topic)} {
		if rest, ok := strings.CutPrefix(text, name+" "); ok && e.Partition.Topic != 0 {
			row.about, text = []string{name}, rest
			break
		}
	}
	row.before = text
	o.inRange(&row, e)
	return row, text != ""
}

// inRange puts what counts offsets up so that it can be told of several at once.
func (o *Outline) inRange(row *outlineRow, e *event.Event) {
	switch {
	case e.Kind == event.Appended && e.Batch.IsData():
		row.first, row.last = e.Batch.Base, e.Batch.Last
		_, from, _ := strings.Cut(row.before, fmt.Sprintf("%s@%d", span(row.first, row.last), e.BatchEpoch))
		row.before, row.after = "appends ", fmt.Sprintf("@%d%s", e.BatchEpoch, from)
	case e.Kind == event.ProduceReturned && e.To == 0:
		row.first, row.last, row.jumps = e.Offset, e.Offset, true
		row.before, row.after = "acknowledged at ", " by "+o.tell.names.Node(e.Peer)
	case e.Kind == event.ConsumerRead:
		row.first, row.last = e.Offset, e.End-1
		row.before = "read "
	}
}

// matters leaves out what another line says as well, what only goes on, and what other topics than those of the scenario do.
func (o *Outline) matters(e *event.Event) bool {
	switch e.Kind {
	case event.LinkSet:
		link := [2]id.Node{e.Node, e.Peer}
		was := o.ill[link]
		o.ill[link] = e.To == 0 || e.Offset > 0
		return was || o.ill[link] // a node that is healed has all of its links set
	case event.TransactionStored:
		return e.From != e.To
	case event.Appended:
		return event.Origin(e.Cause) != event.FromLeader
	case event.ProducersReset, event.StateEntered, event.StopStepDone, event.PositionRecalled, event.GroupStored:
		return false
	case event.StateReadReturned:
		return e.Cause != 0 || record.State(e.To) != record.Unknown
	case event.MirrorSynced:
		return e.Sequence > 0
	case event.AdminReturned, event.GroupReturned, event.ConsumerMoved:
		return e.To != 0
	case event.Truncated:
		return e.Offset != e.End || e.End > 0
	case event.PartitionChanged:
		return event.ChangeCause(e.Cause) != event.IsrChange || !o.internal(e)
	case event.FetchAnswered, event.StartMoved, event.ReplicaRemoved:
		return !o.internal(e)
	}
	return true
}

func (o *Outline) internal(e *event.Event) bool {
	return format.Internal(o.tell.names.Topic(e.Partition.Topic))
}

// add puts a row behind the others, or into one that it goes on, repeats, or says of another partition. What is said of one
// partition keeps its order.
func (o *Outline) add(n outlineRow) {
	alone := len(n.about) == 1
	for i := len(o.rows) - 1; i >= 0; i-- {
		r := &o.rows[i]
		same := r.node == n.node && r.link == n.link && r.before == n.before && r.after == n.after
		own := slices.Equal(r.about, n.about)
		switch {
		case same && own && n.first >= 0 && (n.first == r.last+1 || n.jumps && n.first > r.last):
			r.last = n.last
			return
		case same && own && r.first == n.first && r.last == n.last:
			r.times++
			return
		case same && alone && r.times == 1 && r.first == n.first && r.last == n.last && !slices.Contains(r.about, n.about[0]):
			r.about = append(r.about, n.about[0])
			return
		case r.node == n.node && own || alone && slices.Contains(r.about, n.about[0]) && n.first < 0:
			o.rows = append(o.rows, n)
			return
		}
	}
	o.rows = append(o.rows, n)
}

// mostNames is how many partitions a row names one by one.
const mostNames = 3

func (o *Outline) write(r *outlineRow) {
	at := fmt.Sprintf("%.1fs", float64(r.at)/float64(id.Second))
	if at == o.said {
		at = ""
	} else {
		o.said = at
	}
	text := r.before
	if r.first >= 0 {
		text += span(r.first, r.last) + r.after
	}
	if r.times > 1 {
		text += " (" + checkers.Several(r.times, "time", "times") + ")"
	}
	fmt.Fprintf(&o.b, "  %8s  %-7s %s\n", at, o.tell.names.Node(r.node), strings.TrimSpace(r.link+list(r.about)+" "+text))
}

// list is names in a row, those with a lower number first, without those between the first and the last if they are many.
func list(names []string) string {
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	if len(names) <= mostNames {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s … %s (%d)", names[0], names[len(names)-1], len(names))
}

// strips prints the logs of each partition of which one has changed, on every cluster. Partitions whose logs are the same are
// printed once.
func (o *Outline) strips(r *run) {
	var texts []string
	named := map[string][]string{}
	for _, p := range r.ledger().Partitions() {
		if format.Internal(r.names.Topic(p.Topic)) {
			continue
		}
		text := ""
		for c := range r.names.Clusters {
			text += logStrip(r, id.Cluster(c), p)
		}
		if text == o.shown[p] {
			continue
		}
		o.shown[p] = text
		if named[text] == nil {
			texts = append(texts, text)
		}
		named[text] = append(named[text], r.names.Partition(p))
	}
	for _, text := range texts {
		o.b.WriteString(strings.ReplaceAll(text, "\x00", list(named[text])))
	}
}

// logStrip is a partition's log on a cluster, and those of the followers that differ. A zero byte stands for the partition.
func logStrip(r *run, c id.Cluster, p id.Partition) string {
	leader, epoch := r.ledger().Leader(c, p)
	if leader == id.None {
		return ""
	}
	log := r.ledger().Log(leader, p)
	if log == nil {
		return ""
	}
	own := inRuns(log)
	text := fmt.Sprintf("  | %s/\x00  %s", r.names.Clusters[c], own)
	if log.Start > 0 {
		text += fmt.Sprintf("  log start %d", log.Start)
	}
	if batches := log.Batches(); log.End > 0 && (len(batches) == 0 || batches[len(batches)-1].Last+1 != log.End) {
		text += fmt.Sprintf("  end %d", log.End)
	}
	if log.HighWatermark != log.End {
		text += fmt.Sprintf("  high watermark %d", log.HighWatermark)
	}
	text += fmt.Sprintf("  leader %s in epoch %d\n", r.names.Node(leader), epoch)
	for n := range r.brokers {
		other := r.ledger().Log(id.Node(n), p)
		if other == nil || r.cluster[n] != c || id.Node(n) == leader {
			continue
		}
		if s := inRuns(other); s != own {
			text += fmt.Sprintf("  |      %s: %s\n", r.names.Node(id.Node(n)), s)
		}
	}
	return text
}

// inRuns is a log as scenario files write it, but for the bounds of batches that follow one another in one epoch.
func inRuns(log *checkers.Shadow) string {
	var list []format.Run
	for _, r := range format.RunsOf(log.Batches()) {
		if n := len(list) - 1; n >= 0 && goesOn(list[n], r) {
			list[n].Last, list[n].Whole = r.Last, false
			continue
		}
		list = append(list, r)
	}
	return string(format.AppendRuns(nil, list))
}

// goesOn tells whether b are records that follow those of a in the same epoch.
func goesOn(a, b format.Run) bool {
	return a.Control == record.Data && b.Control == record.Data && a.Epoch == b.Epoch && a.Last+1 == b.First
}
