package scenarios

import (
	"fmt"
	"io"
	"strings"

	"mirrorsim/checkers"
	"mirrorsim/model/id"
	"mirrorsim/sim"
	"mirrorsim/sim/choice"
)

// DoomReport says where a failing run was lost, as JSON, schema mirrorsim.doom/1. The page DOOM.md says how to read it.
type DoomReport struct {
	Schema        string         `json:"schema"`              // mirrorsim.doom/1
	Version       string         `json:"version"`             // of this program
	Scenario      string         `json:"scenario"`            // whose run it is
	Protocol      ReportProtocol `json:"protocol"`            // the design
	Property      string         `json:"property"`            // that is violated
	Group         string         `json:"group"`               // of the failure
	GroupOnly     bool           `json:"group_only"`          // only failures of the group count
	Sentence      string         `json:"sentence"`            // what contradicts the property
	Noise         DoomNoise      `json:"noise"`               // the network of the continuations
	FaultsEnd     bool           `json:"faults_end"`          // continuations go without the faults that have not fallen yet
	Each          int            `json:"each"`                // continuations that measure a moment once
	Turns         int            `json:"turns"`               // of the failing run up to its failure
	Moments       int            `json:"moments"`             // of the failing run up to its failure
	Continuations int            `json:"continuations"`       // in all
	Measured      []*DoomMoment  `json:"measured"`            // the moments that were measured, in order
	Failure       *DoomMoment    `json:"failure"`             // the turn in which it failed; nothing is measured there
	LastSafe      *DoomMoment    `json:"last_safe"`           // of those measured; null: none is safe
	FirstDoomed   *DoomMoment    `json:"first_doomed"`        // of those measured; null: none is, before the failure
	Fall          []*DoomMoment  `json:"fall"`                // of two measured moments the later is the safer; empty: none
	Conclusion    []string       `json:"conclusion"`          // what was found, in sentences
	StoppedEarly  bool           `json:"stopped_early"`       // it was interrupted: the two moments are null
	Reproduce     string         `json:"reproduce,omitempty"` // the command that repeats the failing run
}

// DoomNoise is the network of the continuations: odds of 65536 for each message or timer, and the longest delay.
type DoomNoise struct {
	Drop       uint16 `json:"drop"`         // a message is lost
	Delay      uint16 `json:"delay"`        // a message is late, and all behind it on its link
	Duplicate  uint16 `json:"duplicate"`    // a message comes a second time
	Reorder    uint16 `json:"reorder"`      // a message is late and is overtaken
	Jitter     uint16 `json:"jitter"`       // a timer fires late
	MaxDelayUs int64  `json:"max_delay_us"` // the longest delay, in virtual microseconds
}

// DoomMoment is a moment of the failing run, what happened right before it, and how many continuations fail from there on.
type DoomMoment struct {
	Turn      int      `json:"turn"`            // of the failing run, from 1; 0: its start
	Point     string   `json:"point,omitempty"` // that was reached in the midst of the turn; none: the turn is over
	TimeUs    int64    `json:"time_us"`         // in virtual microseconds since the start
	Node      string   `json:"node,omitempty"`  // where it happened
	What      string   `json:"what"`            // happened since the moment before
	Drawn     []string `json:"drawn,omitempty"` // the choices since the moment before that were not calm
	Fail      int      `json:"fail"`            // of the continuations, those that fail
	SameGroup int      `json:"same_group"`      // of the continuations, those that fail in the group of the failing run too
	Again     *int     `json:"again,omitempty"` // of as many others, where it was measured twice
	Low       float64  `json:"low"`             // of the interval of 95 % of the chance to fail, as a part of 1
	High      float64  `json:"high"`            // of that interval
}

// UnmeasuredDoom is the report of a run that was interrupted before its failure was known; command repeats the run.
func UnmeasuredDoom(name string, o DoomOptions, command string) *DoomReport {
	r := &DoomReport{Schema: "mirrorsim.doom/1", Version: Version, Scenario: name, Protocol: o.Design.report(), Property: o.Property,
		Group: o.Group, GroupOnly: o.Group != "", Noise: noiseOf(o.noise()), FaultsEnd: o.FaultsEnd, Each: o.Runs,
		Measured: []*DoomMoment{}, Fall: []*DoomMoment{}, StoppedEarly: true, Reproduce: command}
	r.Conclusion = r.conclude()
	return r
}

// report is what is known by now.
func (d *dooming) report() *DoomReport {
	last := len(d.list) - 1
	r := &DoomReport{Schema: "mirrorsim.doom/1", Version: Version, Scenario: d.name, Protocol: d.options.Design.report(),
		Property: d.problem.Property, Group: d.problem.Group, GroupOnly: d.options.Group != "", Sentence: d.problem.Sentence,
		Noise: noiseOf(d.noise), FaultsEnd: d.options.FaultsEnd, Each: d.options.Runs, Turns: d.list[last].turn, Moments: last,
		Continuations: d.runs, Measured: []*DoomMoment{}, Failure: d.tell(last), Fall: []*DoomMoment{}, StoppedEarly: d.ctx.Err() != nil}
	told := map[int]*DoomMoment{}
	for _, at := range d.all() {
		told[at] = d.tell(at)
		r.Measured = append(r.Measured, told[at])
	}
	if before, after, ok := d.fall(); ok {
		r.Fall = append(r.Fall, told[before], told[after])
	}
	if !r.StoppedEarly {
		r.FirstDoomed = told[d.firstDoomed()]
		r.LastSafe = told[d.lastSafe()]
	}
	r.Conclusion = r.conclude()
	return r
}

func noiseOf(n sim.Network) DoomNoise {
	longest := n.MaxDelay
	if longest == 0 {
		longest = sim.DefaultMaxDelay
	}
	return DoomNoise{n.Drop, n.Delay, n.Duplicate, n.Reorder, n.Jitter, int64(longest)}
}

// tell is a moment with what was measured of it.
func (d *dooming) tell(at int) *DoomMoment {
	m := &d.list[at]
	x := &DoomMoment{Turn: m.turn, TimeUs: int64(m.at), What: m.what()}
	if m.nth > 0 {
		x.Point = m.point.String()
	}
	names := &d.kept[0].names
	if m.node != id.None {
		x.Node = names.Node(m.node)
	}
	for _, c := range m.drawn {
		x.Drawn = append(x.Drawn, drawn(c, names))
	}
	if s := d.measured[at]; s != nil {
		x.Fail, x.SameGroup = s.fail, s.group
		if s.twice {
			x.Again = &s.again
		}
		x.Low, x.High = interval(d.counts(s))
	}
	return x
}

// drawn is a choice with its nodes named: which of them a subject has depends on the label.
func drawn(c choice.Deviation, n *id.Names) string {
	a, b := choice.Unpair(c.Key.Subject)
	switch c.Key.Label {
	case choice.Order:
		return fmt.Sprintf("%s=%d", c.Key.Label, c.Value)
	case choice.NodeFault:
		return fmt.Sprintf("%s %s=%d", c.Key.Label, n.Node(id.Node(c.Key.Subject)), c.Value)
	case choice.NetDrop, choice.NetDelay, choice.NetDuplicate, choice.NetReorder:
		return fmt.Sprintf("%s %s>%s=%d", c.Key.Label, n.Node(id.Node(a)), n.Node(id.Node(b)), c.Value)
	}
	return fmt.Sprintf("%s %s=%d", c.Key.Label, n.Node(id.Node(a)), c.Value)
}

// conclude says in sentences what was found.
func (r *DoomReport) conclude() (list []string) {
	if r.StoppedEarly {
		return []string{fmt.Sprintf("It was stopped early, with %s measured: the last safe and the first doomed one are not known.",
			checkers.Several(len(r.Measured), "moment", "moments"))}
	}
	switch {
	case r.LastSafe != nil:
		list = append(list, "Last safe: "+r.place(r.LastSafe)+".")
	case r.Measured[0].Low*100 > safePercent:
		list = append(list, fmt.Sprintf("No moment is safe: already at the start %s. The scenario and its faults bring the failure "+
			"about, or the continuations do, more than what was drawn in this run.", r.figure(r.Measured[0])))
	default:
		list = append(list, fmt.Sprintf("No moment is safe: at the start %s.", r.figure(r.Measured[0])))
	}
	switch d := r.FirstDoomed; {
	case d == nil:
		list = append(list, fmt.Sprintf("Never doomed before it failed: right before, %s. The failure is what happens in turn %d: %s.",
			r.figure(r.Measured[len(r.Measured)-1]), r.Failure.Turn, r.Failure.words()))
	case d.Turn == 0:
		list = append(list, "Doomed from the start.")
	default:
		list = append(list, "First doomed: "+r.place(d)+".")
	}
	if len(r.Fall) > 0 {
		list = append(list, fmt.Sprintf("It did not only rise: after %s %s, but later, after %s, %s. The two above are of the last rise.",
			r.Fall[0].when(), r.figure(r.Fall[0]), r.Fall[1].when(), r.figure(r.Fall[1])))
	}
	return list
}

// place is a moment with its figure.
func (r *DoomReport) place(m *DoomMoment) string {
	text := fmt.Sprintf("after %s, %s: %s", m.when(), m.words(), r.figure(m))
	if len(m.Drawn) > 0 {
		text += "; drawn there: " + strings.Join(m.Drawn, ", ")
	}
	return text
}

func (m *DoomMoment) when() string {
	return fmt.Sprintf("turn %d at %.3fs", m.Turn, seconds(m.TimeUs))
}

func (m *DoomMoment) words() string {
	if m.Node == "" {
		return m.What
	}
	return m.Node + " " + m.What
}

// figure is how many fail from a moment on.
func (r *DoomReport) figure(m *DoomMoment) string {
	text := fmt.Sprintf("%d of %d fail", m.Fail, r.Each)
	if m.SameGroup < m.Fail {
		text += fmt.Sprintf(", in the same group %d", m.SameGroup)
	}
	if m.Again != nil {
		text += fmt.Sprintf(", of other %d %d", r.Each, *m.Again)
	}
	return text + fmt.Sprintf(" (95 %%: %.0f to %.0f %%)", m.Low*100, m.High*100)
}

func seconds(us int64) float64 { return float64(us) / float64(id.Second) }

// keeps is what a continuation keeps and what it draws anew.
func (r *DoomReport) keeps() string {
	kept := "the steps that are left, with the faults among them, those that wait for a point and the ends of those that last"
	if r.FaultsEnd {
		kept = "the steps that are left, without the faults among them and without those that wait for a point; faults that last " +
			"end in time"
	}
	return "A continuation keeps the scenario: " + kept + ". It draws anew what the choices decide: which messages are late, lost, " +
		"doubled or overtaken, how late timers fire, and what a power loss takes. Its second phase is calm, as that of every run is."
}

// barWidth is how many characters the bar of a moment has of which all continuations fail.
const barWidth = 20

// WriteText writes the report for people: a strip of the moments that were measured, then what was found.
func (r *DoomReport) WriteText(w io.Writer) {
	fmt.Fprintf(w, "%s: %s\n\n%s\n", r.Property, r.Sentence, Folded("", r.keeps()))
	fmt.Fprintf(w, "  %7s  %9s  %-7s  %-*s  %s\n", "turn", "time", "fail", barWidth, fmt.Sprintf("of %d", r.Each),
		"what happened last")
	for _, m := range r.Measured {
		fail := fmt.Sprint(m.Fail)
		if m.Again != nil {
			fail += fmt.Sprintf("+%d", *m.Again)
		}
		bar := strings.Repeat("#", (m.Fail*barWidth+r.Each-1)/r.Each)
		r.row(w, m, fail, bar)
	}
	r.row(w, r.Failure, "failed", "")
	fmt.Fprintln(w)
	for _, text := range r.Conclusion {
		fmt.Fprint(w, Folded("", text))
	}
}

// row writes a moment as a line of the strip.
func (r *DoomReport) row(w io.Writer, m *DoomMoment, fail, bar string) {
	mark := ""
	switch m {
	case r.LastSafe:
		mark = "(last safe) "
	case r.FirstDoomed:
		mark = "(first doomed) "
	}
	fmt.Fprintf(w, "  %7d  %8.3fs  %-7s  %-*s  %s%s\n", m.Turn, seconds(m.TimeUs), fail, barWidth, bar, mark, m.words())
}
