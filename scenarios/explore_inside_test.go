package scenarios

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"mirrorsim/checkers"
	"mirrorsim/faults"
	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
)

// inside is where a finding lies: what of its wrong lines an exploration finds, and within which bounds. A line that needs does
// not name is shown by the run without a departure and a crash.
type inside struct {
	name    string
	needs   []way   // as the story stands, but with more than that run
	crashes []way   // with all crashes of the story taken out but kept
	kept    string  // how the step of a crash begins that stays
	late    []way   // with what makes its messages late, or loses them, taken out
	outside outside // the lines that none of these finds
}

// way is an exploration, and which lines it finds.
type way struct {
	lines               string // with commas between; "aligned" stands for all of that design, and without any it is all
	without             string // how the steps begin, behind their time, that are taken out, with commas between; each is one step
	latencies           bool   // messages take as long as in a run that is not explored
	departures, crashes int
	from, to            int
	settings            string // besides those of the scenario, with spaces between
	putOff              string // no run departs but by putting off what comes to this node
	none                bool   // it is complete, and finds none of the lines
	slow                bool   // it is explored with -long only
}

// outside are reasons why lines are not found.
type outside struct {
	asItStands    map[string]string // by line
	crashes, late string            // when these are taken out, for the lines that no way finds
}

// What every exploration of a finding has.
const (
	realLatencies = "latency-inside=500us latency-between=20ms" // those of a scenario that says nothing of them
	insideQuantum = 500 * id.Millisecond
	mostInside    = 1_000_000 // states
)

// TestExploreFindings: what an exploration is to find of a finding it finds within these bounds and not without a departure or a
// crash, what it is not to find it does not, and of each finding and each of its lines that is said.
func TestExploreFindings(t *testing.T) {
	if testing.Short() {
		t.Skip("a million states")
	}
	for _, f := range Findings() {
		t.Run(f.Name, func(t *testing.T) {
			s, err := f.Scenario()
			if err != nil {
				t.Fatal(err)
			}
			x := insideOf(t, f.Name)
			x.calm(t, s)
			x.unjudged(t, s)
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
	world, err := explorable(s, insideQuantum)
	if err != nil {
		t.Fatal(err)
	}
	first, err := begin(world, o.Design)
	if err != nil {
		t.Fatal(err)
	}
	o.MaxStates = mostInside
	x := &exploration{options: o, scenario: world, visited: newVisited(), found: map[string]*shortest{}}
	x.options.Progress = func(ExploreProgress) {
		if len(wanted) > 0 && !slices.ContainsFunc(wanted, func(p string) bool { return x.found[p] == nil }) {
			stop()
		}
	}
	if err := x.bounds(first); err != nil {
		t.Fatal(err)
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
	for line := range x.outside.asItStands {
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

// unjudged wants the explored world to show what an exploration has no judge of, when a run in it is told as a story.
func (x *inside) unjudged(t *testing.T, s *format.Scenario) {
	t.Helper()
	for line, reason := range x.outside.asItStands {
		w := (&way{lines: line}).chosen(t, s)
		if len(w) != 1 || w[0].Property != checkers.Crossed.String() || reason == "" {
			t.Fatalf("%s: no reason, or an exploration has a judge of it", line)
		}
		world, err := explorable(s, insideQuantum)
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

// explore wants the way to find its lines, and not without a departure or a crash, or to be complete and to find none of them.
func (w *way) explore(t *testing.T, s *format.Scenario) {
	t.Helper()
	if w.slow && !*longRuns {
		return
	}
	world := w.scenario(t, s)
	properties, one := byDesign(w.chosen(t, s))
	for _, design := range slices.Sorted(maps.Keys(properties)) {
		d, want := designUnder(t, s, one[design]), properties[design]
		r, found := sought(t, world, ExploreOptions{Design: d, Departures: w.departures, Crashes: w.crashes, From: w.from, To: w.to,
			AllOrders: w.putOff != "", forget: w.forget()}, want)
		if w.none && !r.Complete {
			t.Errorf("%s: %+v is cut by %s", design, w, r.Cut)
		}
		calm := map[string]bool{}
		if w.departures+w.crashes > 0 && !w.none {
			_, calm = sought(t, world, ExploreOptions{Design: d}, nil)
		}
		for _, p := range want {
			if found[p] == w.none || calm[p] {
				t.Errorf("%s violates %s: %+v: found %v, without a departure and a crash %v; %d states, cut %q", design, p, w, found[p],
					calm[p], r.States, r.Cut)
			}
		}
	}
}

// forget is what no run departs by: with putOff all but what is next behind a message to that node.
func (w *way) forget() func(*state, sim.Action) bool {
	if w.putOff == "" {
		return nil
	}
	return func(s *state, a sim.Action) bool {
		enabled := s.world.Enabled(nil) // several cores ask
		next := enabled[0]
		return next.Kind != sim.Deliver || s.names.Node(next.Node) != w.putOff || a != enabled[1]
	}
}

// whole wants each line that can be found to be found again when crashes are taken out, and when what makes messages late is, or
// to have a reason, if there is such a thing in the story.
func (x *inside) whole(t *testing.T, s *format.Scenario) {
	t.Helper()
	var crashes, late bool
	for i := range s.Steps {
		f, ok := s.Steps[i].Do.(*format.Fault)
		if !ok || f.Plan.Fault.Kind == faults.Heal {
			continue
		}
		if f.Plan.Fault.Kind != faults.Crash {
			late = true
			continue
		}
		crashes = true
		for k := range x.crashes {
			out := append(listed(x.crashes[k].without), listed(x.kept)...)
			if !slices.ContainsFunc(out, func(y string) bool { return strings.HasPrefix(act(&s.Steps[i]), y) }) {
				t.Errorf("%q, which takes out crashes, leaves %s", x.crashes[k].without, s.Steps[i].String())
			}
		}
	}
	x.covered(t, s, "crashes", crashes, x.crashes, x.outside.crashes)
	x.covered(t, s, "what makes messages late", late, x.late, x.outside.late)
}

// covered wants ways to find each line that can be found at all, or a reason, if there is what they take out, and neither else.
func (x *inside) covered(t *testing.T, s *format.Scenario, what string, has bool, ways []way, reason string) {
	t.Helper()
	if !has && (len(ways) > 0 || reason != "") {
		t.Errorf("there is nothing of %s to take out", what)
	}
	missing := x.missing(t, s, ways)
	if has && (len(missing) > 0) != (reason != "") {
		t.Errorf("without %s nothing finds %q, and the reason is %q", what, missing, reason)
	}
	if reason != "" && !slices.ContainsFunc(ways, func(w way) bool { return w.none }) {
		t.Errorf("without %s nothing shows that what is %q is not found", what, reason)
	}
}

// missing are the lines that no way finds, of those that an exploration can find.
func (x *inside) missing(t *testing.T, s *format.Scenario, ways []way) (lines []string) {
	t.Helper()
	found := map[string]bool{}
	for i := range ways {
		for _, w := range ways[i].chosen(t, s) {
			found[lineOf(w)] = found[lineOf(w)] || !ways[i].none
		}
	}
	for i := range s.Wrong {
		line := lineOf(&s.Wrong[i])
		if _, never := x.outside.asItStands[line]; !found[line] && !never {
			lines = append(lines, line)
		}
	}
	return lines
}
