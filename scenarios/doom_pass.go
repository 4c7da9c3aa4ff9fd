package scenarios

import (
	"fmt"
	"strings"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
	"mirrorsim/sim/choice"
)

// moment is one at which a failing run can go on in another way: the end of a turn, or a point that was reached in the midst of
// one. What is told of it is what happened since the moment before.
type moment struct {
	turn  int         // from 1; the moment before the first turn has 0
	nth   int         // of the points of the turn, from 1; 0: the turn is over
	point point.Point // that was reached

	at    id.Duration
	node  id.Node // who did it; id.None: nobody is known
	told  []string
	drawn []choice.Deviation // the choices that were not calm
}

// what is what happened up to the moment, in words.
func (m *moment) what() string {
	text := strings.Join(m.told[:min(len(m.told), toldOfAMoment)], "; ")
	if more := len(m.told) - toldOfAMoment; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	if m.point != point.None {
		text += ", up to the point " + m.point.String()
	}
	return text
}

// toldOfAMoment bounds what is told of one moment.
const toldOfAMoment = 4

// recorder takes down the moments of a failing run up to its failure. It is a Narrator because it is told which step begins.
type recorder struct {
	d     *dooming
	r     *run
	tell  *teller
	idle  *idle
	turn  int
	nth   int    // points of the present turn
	heard string // the message that was handled last since the last moment
	drawn int    // choices that were not calm, up to the last moment
	now   moment
	over  bool // the failure has happened
}

// pass has the failing run done again, and takes its moments down.
func (d *dooming) pass(s *format.Scenario) error {
	r, err := d.start(s, nil)
	if err != nil {
		return err
	}
	d.kept, d.turns = []*run{r}, []int{0}
	k := &recorder{d: d, now: moment{node: id.None}}
	if r, err = d.start(s, k); err != nil {
		return err
	}
	k.now.told = []string{"the start"}
	k.close(0, point.None)
	for !k.over && k.next() {
	}
	if !k.over { // it is judged when all is over
		r.finish()
		k.now.told = append(k.now.told, "the run is over")
		k.end(nil)
	}
	return nil
}

// start is the failing run at its start.
func (d *dooming) start(s *format.Scenario, story Narrator) (*run, error) {
	w, err := wireUp(s, d.run.Protocol)
	if err != nil {
		return nil, err
	}
	o := d.run
	o.Story = story
	r := newRun(w, o)
	if story != nil {
		story.listen(r)
	}
	if err := r.boot(); err != nil {
		return nil, err
	}
	r.begin()
	return r, nil
}

func (k *recorder) listen(r *run) {
	k.r, k.tell, k.idle = r, &teller{names: &r.names}, newIdle(r)
	r.options.Deliver = k.deliver
	r.alsoListen(k.event)
}

func (k *recorder) step(_ *run, number int, text string) {
	k.now.told = append(k.now.told, fmt.Sprintf("step %d, %s", number, text))
}

// end is the failure.
func (k *recorder) end(*run) {
	if !k.over {
		k.close(k.nth, point.None)
		k.over = true
	}
}

// next is the next turn.
func (k *recorder) next() bool {
	k.turn, k.nth = k.turn+1, 0
	timer := k.timer()
	before, _, _ := k.r.world.Count()
	if !k.r.turn() {
		return false
	}
	after, _, _ := k.r.world.Count()
	if after > before && k.now.node == id.None {
		k.now.node = timer
	}
	switch {
	case k.d.failed(k.r):
		k.end(nil)
	case !k.over && k.drawing():
		k.close(0, point.None)
	}
	return true
}

// timer is the node whose timer fires next, if that is what comes next and no node is slow; id.None otherwise.
func (k *recorder) timer() id.Node {
	if all := k.r.world.Enabled(nil); len(all) > 0 && all[0].Kind == sim.Fire {
		return all[0].Node
	}
	return id.None
}

// drawing tells whether the run can go on in other ways: neither in the second phase nor when all steps are done.
func (k *recorder) drawing() bool { return !k.r.watch().cover.over && k.r.at.phase != finished }

// deliver notes who handles what. Where something befell another node right before, the moment stays that node's.
func (k *recorder) deliver(_ id.Duration, from, to id.Node, b wire.Body) {
	if len(k.now.told) == 0 || k.now.node == id.None {
		k.now.node = to
	}
	if k.heard = "handles " + b.API().String(); from != id.None {
		k.heard += " from " + k.r.names.Node(from)
	}
}

// event takes in an event of the run. One that is the failure ends it.
func (k *recorder) event(e *event.Event) {
	if k.over || k.r.world == nil {
		return
	}
	if k.now.node == id.None {
		k.now.node = e.Node
	}
	if text := k.tell.sentence(e); !k.idle.pass(e) && text != "" {
		if e.Node != k.now.node {
			text = k.r.names.Node(e.Node) + ": " + text
		}
		k.now.told = append(k.now.told, text)
	}
	switch {
	case k.d.failed(k.r):
		if len(k.now.told) == 0 { // not one that a story tells
			k.now.told = []string{fmt.Sprintf("%s: %s", k.r.names.Partition(e.Partition), e.Kind)}
		}
		k.end(nil)
	case e.Kind == event.PointReached && k.drawing():
		k.nth++
		k.close(k.nth, point.Point(e.To))
	}
}

// close ends what belongs to one moment. Behind a point the same node goes on.
func (k *recorder) close(nth int, at point.Point) {
	drawn := k.r.world.Choices().Deviations()
	m := k.now
	m.turn, m.nth, m.point, m.at, m.drawn = k.turn, nth, at, k.r.world.Now(), drawn[k.drawn:]
	switch {
	case len(m.told) > 0:
	case k.heard != "":
		m.told = []string{k.heard}
	case m.node != id.None:
		m.told = []string{"a timer fires"}
	default:
		m.told = []string{"what was waited for is given up"}
	}
	k.d.list = append(k.d.list, m)
	k.now, k.heard, k.drawn = moment{node: id.None}, "", len(drawn)
	if nth > 0 {
		k.now.node, k.heard = m.node, "goes on"
	}
}
