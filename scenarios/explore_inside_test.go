package scenarios

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"mirrorsim/checkers"
	"mirrorsim/faults"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
)

// inside is where a finding lies: what of its wrong lines an exploration finds, and within which bounds. A line that needs does
// not name is shown by the run without a departure and a crash.
type inside struct {
	name     string
	unjudged []string // lines that an exploration has no judge of; the others are found as the story stands
	needs    []way    // as the story stands, but with more than that run
	crashes  []way    // with all crashes of the story taken out but those that are kept
	late     []way    // with all that makes its messages late, or loses them, taken out but what is kept
	outside  string   // why lines are not found without what makes messages late
}

// way is an exploration, and which lines it finds.
type way struct {
	lines               string // with commas between; "aligned" stands for all of that design, and without any it is all
	without             string // how the steps begin, behind their time, that are taken out, with commas between; each is one step
	kept                string // likewise those that could be taken out too, and are not
	latencies           bool   // messages take as long as in a run that is not explored
	departures, crashes int
	from, to            int
	settings            string // besides those of the scenario, with spaces between
	putOff              string // no run departs but by putting off what comes to this node
	none                bool   // it is complete, and finds none of the lines
	slow                bool   // it is explored with -long only
}

// What every exploration of a finding has.
const (
	realLatencies = "latency-inside=500us latency-between=20ms" // those of a scenario that says nothing of them
	mostInside    = 2_000_000                                   // states
)

// TestExploreFindings: what an exploration is to find of a finding it finds within these bounds, and not with one departure or one
// crash less; what it is not to find it does not; and of each finding and each of its lines one of both is said.
func TestExploreFindings(t *testing.T) {
	if testing.Short() {
		t.Skip("some hundred thousand states")
	}
	for _, f := range Findings() {
		t.Run(f.Name, func(t *testing.T) {
			s, err := f.Scenario()
			if err != nil {
				t.Fatal(err)
			}
			x := insideOf(t, f.Name)
			x.calm(t, s)
			x.notJudged(t, s)
			for _, list := range [][]way{x.needs, x.crashes, x.late} {
				for i := range list {
					list[i].explore(t, s)
				}
			}
			x.whole(t, s)
		})
	}
	for _, x := range insides {
		if !slices.ContainsFunc(Findings(), func(f File) bool { return f.Name == x.name }) {
			t.Errorf("%s is no finding", x.name)
		}
	}
}

func insideOf(t *testing.T, name string) *inside {
	t.Helper()
	i := slices.IndexFunc(insides, func(x inside) bool { return x.name == name })
	if i < 0 {
		t.Fatalf("insides in explore_findings_test.go does not say where %s lies", name)
	}
	return &insides[i]
}

// lineOf is a wrong line without what mends it, such as aligned violates exact-cut; underOf is the design in it.
func lineOf(w *format.Wrong) string {
	text, _, _ := strings.Cut(strings.TrimPrefix(w.String(), "wrong protocol "), " mended ")
	return text
}

func underOf(line string) string {
	design, _, _ := strings.Cut(line, " violates ")
	return design
}

// chosen are the lines that the way is about. An entry that stands for none is a mistake of the table.
func (w *way) chosen(t *testing.T, s *format.Scenario) (list []*format.Wrong) {
	t.Helper()
	used, entries := map[string]bool{}, listed(w.lines)
	for i := range s.Wrong {
		line := lineOf(&s.Wrong[i])
		here := len(entries) == 0
		for _, x := range entries {
			if x == line || x == underOf(line) {
				used[x], here = true, true
			}
		}
		if here {
			list = append(list, &s.Wrong[i])
		}
	}
	if len(used) < len(entries) {
		t.Errorf("not each of %q is a line of %s", w.lines, s.Name)
	}
	return list
}

// listed is what stands in a text with commas between.
func listed(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ", ")
}

// act is a step without its time.
func act(s *format.Step) string {
	if words := strings.Fields(s.String()); words[0] == "after" || words[0] == "at" {
		return strings.Join(words[2:], " ")
	}
	return s.String()
}

// scenario is what the way explores.
func (w *way) scenario(t *testing.T, s *format.Scenario) *format.Scenario {
	t.Helper()
	c := *s
	c.Steps, c.Settings, c.Wrong = slices.Clone(s.Steps), slices.Clone(s.Settings), nil
	for _, x := range listed(w.without) {
		before := len(c.Steps)
		c.Steps = slices.DeleteFunc(c.Steps, func(y format.Step) bool { return strings.HasPrefix(act(&y), x) })
		if len(c.Steps) != before-1 {
			t.Fatalf("%q stands for %d steps of %s, not for one", x, before-len(c.Steps), s.Name)
		}
	}
	settings := w.settings
	if w.latencies {
		settings += " " + realLatencies
	}
	for _, x := range strings.Fields(settings) {
		key, token, _ := strings.Cut(x, "=")
		c.Settings = append(c.Settings, format.Set{Key: key, Token: token})
	}
	parsed, err := format.Parse(s.Name+".scn", c.AppendText(nil))
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// sought is an exploration that ends when it has found what is wanted, if anything is.
func sought(t *testing.T, s *format.Scenario, o ExploreOptions, wanted []string) (r *ExploreReport, found map[string]bool) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	o.MaxStates = mostInside
	x, first, err := newExploration(s, o)
	if err != nil {
		t.Fatal(err)
	}
	x.options.Progress = func(ExploreProgress) {
		if len(wanted) > 0 && !slices.ContainsFunc(wanted, func(p string) bool { return x.found[p] == nil }) {
			stop()
		}
	}
	if err := x.search(ctx, first); err != nil {
		t.Fatal(err)
	}
	if err := x.finish(0); err != nil {
		t.Fatal(err)
	}
	found = map[string]bool{}
	for _, v := range x.report.Violations {
		found[v.Property] = true
	}
	return x.report, found
}

// byDesign are the properties of lines by design, and a line of each.
func byDesign(lines []*format.Wrong) (properties map[string][]string, one map[string]*format.Wrong) {
	properties, one = map[string][]string{}, map[string]*format.Wrong{}
	for _, w := range lines {
		design := underOf(lineOf(w))
		properties[design] = append(properties[design], w.Property)
		one[design] = w
	}
	return properties, one
}

// designUnder is the design of a line.
func designUnder(t *testing.T, s *format.Scenario, w *format.Wrong) *Design {
	t.Helper()
	d, err := Choose(s, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if d, err = d.under(w); err != nil {
		t.Fatal(err)
	}
	return d
}

// notCalm are the lines that the run without a departure and a crash does not show.
func (x *inside) notCalm(t *testing.T, s *format.Scenario) map[string]bool {
	t.Helper()
	lines := map[string]bool{}
	for _, line := range x.unjudged {
		lines[line] = true
	}
	for i := range x.needs {
		for _, w := range x.needs[i].chosen(t, s) {
			lines[lineOf(w)] = true
		}
	}
	return lines
}

// calm wants the run without a departure and a crash to show each line but those that need more.
func (x *inside) calm(t *testing.T, s *format.Scenario) {
	t.Helper()
	hidden := x.notCalm(t, s)
	properties, one := byDesign((&way{}).chosen(t, s))
	for i, design := range slices.Sorted(maps.Keys(properties)) {
		if i > 0 && slices.Contains(slowStories, s.Name) && !*longRuns {
			continue
		}
		_, found := sought(t, s, ExploreOptions{Design: designUnder(t, s, one[design])}, nil)
		for _, p := range properties[design] {
			if line := design + " violates " + p; found[p] == hidden[line] {
				t.Errorf("%s: shown without a departure and a crash: %v", line, found[p])
			}
		}
	}
}

// notJudged wants the explored world to show what an exploration has no judge of, when a run in it is told as a story.
func (x *inside) notJudged(t *testing.T, s *format.Scenario) {
	t.Helper()
	for _, line := range x.unjudged {
		w := (&way{lines: line}).chosen(t, s)
		if len(w) != 1 || w[0].Property != checkers.Crossed.String() {
			t.Fatalf("an exploration has a judge of %s", line)
		}
		world, err := explorable(s, 0)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(world, Options{Protocol: designUnder(t, s, w[0]).Config, CrossCheck: true})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(r.violates(), checkers.Crossed.String()) {
			t.Errorf("%s is not so in the world that is explored", line)
		}
	}
}

// explore wants the way to find its lines, and not with one departure or one crash less, or to be complete and to find none of them.
func (w *way) explore(t *testing.T, s *format.Scenario) {
	t.Helper()
	if w.slow && !*longRuns {
		return
	}
	world := w.scenario(t, s)
	properties, one := byDesign(w.chosen(t, s))
	for _, design := range slices.Sorted(maps.Keys(properties)) {
		d, want := designUnder(t, s, one[design]), properties[design]
		w.finds(t, world, d, want, !w.none)
		for _, less := range w.lesser() {
			less.finds(t, world, d, want, false)
		}
	}
}

// lesser are the bounds that a way which finds something is compared with; those that take long with -long only.
func (w *way) lesser() (list []way) {
	if w.none || w.departures+w.crashes > 1 && !*longRuns {
		return nil
	}
	if w.departures > 0 {
		less := *w
		less.departures--
		list = append(list, less)
	}
	if w.crashes > 0 {
		less := *w
		less.crashes--
		list = append(list, less)
	}
	return list
}

// finds wants an exploration within the bounds of the way to find each of these properties, or to be complete and to find none.
func (w *way) finds(t *testing.T, world *format.Scenario, d *Design, want []string, right bool) {
	t.Helper()
	r, found := sought(t, world, ExploreOptions{Design: d, Departures: w.departures, Crashes: w.crashes, From: w.from, To: w.to,
		AllOrders: w.putOff != "", avoid: w.avoid()}, want)
	for _, p := range want {
		if found[p] != right || !right && !r.Complete {
			t.Errorf("%s under %s violates %s with %s from step %d to %d, without %q: found %v, want %v; %d states, cut %q", world.Name,
				d.Flags(), p, w.bounds(), w.from, w.to, w.without, found[p], right, r.States, r.Cut)
		}
	}
}

// avoid is what no run departs by: with putOff all but what is next behind a message to that node.
func (w *way) avoid() func(*state, sim.Action) bool {
	if w.putOff == "" {
		return nil
	}
	return func(s *state, a sim.Action) bool {
		enabled := s.world.Enabled(nil) // several cores ask
		next := enabled[0]
		return next.Kind != sim.Deliver || s.names.Node(next.Node) != w.putOff || a != enabled[1]
	}
}

// whole wants all crashes of a story to be taken out but what is kept, and all that makes messages late, and each line that can be
// found to be found again then, or to be shown not to be.
func (x *inside) whole(t *testing.T, s *format.Scenario) {
	t.Helper()
	var crashes, late []string
	for i := range s.Steps {
		f, ok := s.Steps[i].Do.(*format.Fault)
		switch {
		case !ok || f.Plan.Fault.Kind == faults.Heal:
		case f.Plan.Fault.Kind == faults.Crash:
			crashes = append(crashes, act(&s.Steps[i]))
		default:
			late = append(late, act(&s.Steps[i]))
		}
	}
	x.covered(t, s, crashes, x.crashes, "")
	x.covered(t, s, late, x.late, x.outside)
}

// covered wants ways to take out each of these acts that they do not keep, and each line that an exploration has a judge of to be
// found by one of them, or by none of them and to be in one that shows that. There is a reason just if there is such a line.
func (x *inside) covered(t *testing.T, s *format.Scenario, acts []string, ways []way, reason string) {
	t.Helper()
	for i := range ways {
		ways[i].takesOut(t, acts)
	}
	if len(acts) == 0 {
		if len(ways) > 0 || reason != "" {
			t.Errorf("there is nothing to take out, as %+v do", ways)
		}
		return
	}
	found, shown := x.said(t, s, ways)
	for i := range s.Wrong {
		line := lineOf(&s.Wrong[i])
		if judged := !slices.Contains(x.unjudged, line); (found[line] != shown[line]) != judged {
			t.Errorf("without what is of %q: %s: found %v, shown not to be found %v, can be judged %v", acts, line, found[line],
				shown[line], judged)
		}
	}
	if (len(shown) > 0) != (reason != "") {
		t.Errorf("without what is of %q nothing finds %v, and the reason is %q", acts, shown, reason)
	}
}

// said are the lines that a way finds, and those that a way shows not to be found.
func (x *inside) said(t *testing.T, s *format.Scenario, ways []way) (found, shown map[string]bool) {
	t.Helper()
	found, shown = map[string]bool{}, map[string]bool{}
	for i := range ways {
		for _, w := range ways[i].chosen(t, s) {
			if ways[i].none {
				shown[lineOf(w)] = true
			} else {
				found[lineOf(w)] = true
			}
		}
	}
	return found, shown
}

// takesOut wants a way to take out or to keep each of these acts, and to keep nothing else.
func (w *way) takesOut(t *testing.T, acts []string) {
	t.Helper()
	left := slices.Clone(acts)
	for _, out := range append(listed(w.without), listed(w.kept)...) {
		left = slices.DeleteFunc(left, func(y string) bool { return strings.HasPrefix(y, out) })
	}
	if len(left) > 0 {
		t.Errorf("%+v leaves %q", w, left)
	}
	for _, x := range listed(w.kept) {
		if !slices.ContainsFunc(acts, func(y string) bool { return strings.HasPrefix(y, x) }) {
			t.Errorf("%+v keeps %q, which is none of %q", w, x, acts)
		}
	}
}
