package plan

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"mirrorsim/faults"
	"mirrorsim/scenarios"
	"mirrorsim/scenarios/format"
)

var update = flag.Bool("update", false, "rewrite the reports in testdata and the example of PLAN.md")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// load parses a plan of testdata.
func load(t *testing.T, name string) *Plan {
	t.Helper()
	file := filepath.Join("testdata", name+".yaml")
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return parsed(t, file, string(src))
}

func parsed(t *testing.T, file, src string) *Plan {
	t.Helper()
	p, err := Parse(file, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func answered(t *testing.T, p *Plan, o Options) *PlanReport {
	t.Helper()
	r, err := p.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// light is how the plans of testdata are run.
var light = Options{Count: 40, Level: faults.Light}

// counted is what a report must have counted of one thing.
type counted struct {
	question, subject, what string
	answer                  string
	least, most             int64 // the runs' numbers are within these
}

// find is the item, or fails.
func find(t *testing.T, r *PlanReport, c counted) *Item {
	t.Helper()
	for i := range r.Answers {
		for k := range r.Answers[i].Items {
			if x := &r.Answers[i].Items[k]; r.Answers[i].Question == c.question && x.Subject == c.subject && x.What == c.what {
				return x
			}
		}
	}
	t.Fatalf("the report has nothing of %s, %s, %s", c.question, c.subject, c.what)
	return nil
}

// plans are those of testdata, each with its answers as derived by hand from its numbers.
var plans = []struct {
	name string
	exit int
	want []counted
	not  map[string]int // by question: how many parts are not answered
}{
	// East ends at 1,500,020 and west at 1,500,000, so 20 records are beyond; 15 more are written while each of the first two
	// steps is taken. The mirror may get all before the stop begins, or none of the 20 and of the 30. What is written behind the
	// fence are some of the 30; in every schedule the second 15 may be, for the producer moves in the third step only.
	{"lag-and-live-producers", 1, []counted{
		{"Q1", "orders-0", "lost", Possible, 1, 50},
		{"Q4", "checkout to orders-0", "written", "", 1, 30},
		{"Q5", "orders-0 on west", "unfinished", Never, 0, 0},
	}, nil},
	// Nobody writes any more, and the mirror has drained when it is stopped: nothing to lose, and nothing that the failback finds
	// on east and not on west. The group has read to 1,499,990 and goes on at 1,499,900: 90 again. The group sync runs once a
	// minute, and the steps take some ten seconds: in most schedules no pass falls between.
	{"planned", 1, []counted{
		{"Q1", "orders-0", "lost", Never, 0, 0},
		{"Q2", "orders-0", "discarded", Never, 0, 0},
		{"Q3", "billing of orders-0", "read-again", "", 90, 90},
		{"Q3", "billing of orders-0", "skipped", Never, 0, 0},
		{"Q4", "all producers", "written", Never, 0, 0},
		{"Q5", "orders-0 on west", "unfinished", Never, 0, 0},
		{"Q5", "orders-0 on east", "unfinished", Never, 0, 0},
	}, nil},
	// West's records are its own from 1,000 on, and east has 1,030 - 1,000 = 30 there: east is cut to 1,000, and those 30 are
	// gone. That 10 of them are of epoch 3, which both have, and 20 of epoch 4, which is another one on each side, is no
	// difference.
	{"failback", 1, []counted{
		{"Q2", "orders-0", "discarded", Certain, 30, 30},
		{"Q4", "all producers", "written", Never, 0, 0},
		{"Q5", "orders-0 on east", "unfinished", Never, 0, 0},
	}, nil},
	// behind: 480 - 460 = 20 again. ahead: 450 - 440 = 10 skipped. new begins at 0 and has read 470. left is moved by no step.
	{"groups", 1, []counted{
		{"Q3", "behind of orders-0", "read-again", Certain, 20, 20},
		{"Q3", "behind of orders-0", "skipped", Never, 0, 0},
		{"Q3", "ahead of orders-0", "skipped", Certain, 10, 10},
		{"Q3", "ahead of orders-0", "read-again", Never, 0, 0},
		{"Q3", "new of orders-0", "read-again", Certain, 470, 470},
	}, map[string]int{"Q3": 1}},
	// The producer reset is appended with acks=all, and the ISR of orders-0 is one broker where two are asked for: STOPPING for
	// ever, and what is lost is not known then. users-0 is on other brokers, and ends.
	{"broker-down", 1, []counted{
		{"Q1", "users-0", "lost", Never, 0, 0},
		{"Q5", "orders-0 on west", "unfinished", Certain, 0, 0},
		{"Q5", "users-0 on west", "unfinished", Never, 0, 0},
	}, map[string]int{"Q1": 1}},
	// 3,000,000,000 - 2,999,000,000 = 1,000,000 records were not mirrored, and east cannot be asked any more. orders-1 is in a
	// state in passing; nothing leads back.
	{"site-lost", 1, []counted{
		{"Q1", "orders-0", "lost", Certain, 1_000_000, 1_000_000},
		{"Q5", "orders-0 on west", "unfinished", Never, 0, 0},
	}, map[string]int{"Q1": 1, "Q2": 2, "Q5": 1}},
	// The group's offset was synchronised before its records: 110 on both, where west has up to 100. East is out of reach, so 120 -
	// 100 = 20 are lost. West's producer reset takes 100, and its own records begin at 101: those below 110 are skipped, 110 - 101 = 9.
	// checkout writes 20 while each of the first two steps is taken, all of it to east. What comes before the stop begins is lost, the
	// rest is written after it: 20 + 40 = 60 together.
	{"offset-ahead-of-the-mirror", 1, []counted{
		{"Q1", "orders-0", "lost", Certain, 20, 60},
		{"Q3", "billing of orders-0", "skipped", Certain, 9, 9},
		{"Q3", "billing of orders-0", "read-again", Never, 0, 0},
		{"Q4", "checkout to orders-0", "written", "", 1, 40},
		{"Q5", "orders-0 on west", "unfinished", Never, 0, 0},
	}, nil},
	// Two partitions, of 40 records behind in all; the mirror stands PAUSED, and stays so over the stop: 30 and 10 are lost in
	// every schedule, and what checkout has written in the 10 s since: 4 * 10 / 2 = 20 to each; then 4 * 1 / 2 = 2 while the stop
	// is taken.
	{"paused", 1, []counted{
		{"Q1", "orders-0", "lost", Certain, 50, 54},
		{"Q1", "orders-1", "lost", Certain, 30, 34},
	}, nil},
	// Nothing is behind, but checkout writes 5 in the second that the stop is taken, and 5 in the next: what arrives right before the
	// stop the mirror may not have, what arrives behind it is written to the old side. There is no way back.
	{"producer-runs", 1, []counted{
		{"Q1", "orders-0", "lost", Possible, 1, 10},
		{"Q4", "checkout to orders-0", "written", "", 1, 10},
		{"Q5", "orders-0 on west", "unfinished", Never, 0, 0},
	}, map[string]int{"Q2": 1}},
	// Retention has taken the records below 10 on west, and the failback raises the log start of east to 10: its records 0 to 9 are
	// gone, 10 that nobody else has. 25 - 20 = 5 more stand beyond where it was mirrored to, and are cut: 15.
	{"failback-below-the-log-start", 1, []counted{
		{"Q2", "orders-0", "discarded", Certain, 15, 15},
		{"Q5", "orders-0 on east", "unfinished", Never, 0, 0},
	}, map[string]int{"Q1": 1}},
	// East was measured 10 minutes ago, and is down. Up to 5 * 600 = 3,000 records were written to it before that, and an active
	// group may have read them: neither what is lost is known, nor what the way back discards, nor what is read again. That the other group
	// has not read is known: both its offsets are 10, and it reads nothing twice.
	{"down-since", 4, []counted{
		{"Q3", "idle of orders-0", "read-again", Never, 0, 0},
		{"Q4", "all producers", "written", Never, 0, 0},
	}, map[string]int{"Q1": 1, "Q2": 1, "Q3": 1}},
	// checkout has 5 records in an open transaction, and the mirror had ten seconds to copy them. The COMMIT comes right behind the
	// stop, or right before it, where the mirror may still get it: west has the records, and the stop aborts them there. The failback
	// cuts the COMMIT: 5 are lost, and 5 discarded. No step takes time after the stop: nothing else is written.
	{"transaction-turned", 1, []counted{
		{"Q1", "orders-0", "lost", Possible, 5, 5},
		{"Q2", "orders-0", "discarded", "", 5, 5},
		{"Q4", "all producers", "written", Never, 0, 0},
		{"Q5", "orders-0 on east", "unfinished", Never, 0, 0},
	}, nil},
}

func TestPlans(t *testing.T) {
	if testing.Short() {
		t.Skip("its goroutines are those of TestSameReport")
	}
	for _, c := range plans {
		t.Run(c.name, func(t *testing.T) {
			var p *Plan
			if c.name == "planned" {
				p = parsed(t, "example.yaml", Example)
			} else {
				p = load(t, c.name)
			}
			r := answered(t, p, light)
			if r.Exit != c.exit || r.Runs+r.Unmade != light.Count || r.Runs < light.Count*9/10 || len(r.Violations) > 0 {
				t.Errorf("exit %d, %d runs, %d not made: %s, violations %v", r.Exit, r.Runs, r.Unmade, r.UnmadeWhy, r.Violations)
			}
			for _, w := range c.want {
				x := find(t, r, w)
				if w.answer != "" && x.Answer != w.answer || x.Runs > 0 && (x.Least < w.least || x.Most > w.most) || x.About {
					t.Errorf("%s %s: %s, %d to %d in %d of %d runs, want %s, within %d to %d", w.question, w.subject, x.Answer, x.Least, x.Most,
						x.Runs, x.Of, w.answer, w.least, w.most)
				}
			}
			for _, a := range r.Answers {
				if len(a.Unanswered) != c.not[a.Question] {
					t.Errorf("%s: not answered: %v", a.Question, a.Unanswered)
				}
			}
			for _, a := range r.Answers {
				for _, x := range a.Items {
					if strings.Contains(x.Sentence, "none of") && strings.Contains(x.Sentence, " no ") {
						t.Errorf("%s %s denies twice: %s", a.Question, x.Subject, x.Sentence)
					}
				}
			}
			golden(t, filepath.Join("testdata", c.name+".txt"), r.AppendText(nil))
			text, err := json.MarshalIndent(r, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("testdata", c.name+".json"), append(text, '\n'))
		})
	}
}

// golden compares with a file that -update rewrites.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs; if it is so on purpose: go test ./scenarios/plan -update\n%s", file, diff)
	}
}

// The same file and the same flags come to the same report, however many runs are done at once.
func TestSameReport(t *testing.T) {
	var texts []string
	for _, jobs := range []int{1, 4} {
		o := light
		o.Jobs, o.Count = jobs, 16
		r := answered(t, load(t, "lag-and-live-producers"), o)
		j, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(r.AppendText(j)))
	}
	if diff := cmp.Diff(texts[0], texts[1]); diff != "" {
		t.Error(diff)
	}
}

// A run leaves the script as it was, which all runs share.
func TestRunsShareTheScript(t *testing.T) {
	p := load(t, "paused")
	d, err := p.design(nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &runner{plan: p, design: d, options: light, script: p.write()}
	seed := uint64(27)
	before := w.script.text(Schedule{&seed, faults.Light})
	x, err := w.seed(context.Background(), seed)
	if err != nil || len(x.lost) != 2 || len(x.lost[0].ranges) == 0 {
		t.Fatalf("%v: %+v", err, x)
	}
	if diff := cmp.Diff(before.text, w.script.text(Schedule{&seed, faults.Light}).text); diff != "" {
		t.Error(diff)
	}
}

// The scenario that --show prints for the worst seed runs to what the report says of it.
func TestWorstRepeats(t *testing.T) {
	p := load(t, "lag-and-live-producers")
	x := find(t, answered(t, p, light), counted{question: "Q1", subject: "orders-0", what: "lost"})
	seed := x.Worst.Seed
	s, err := format.Parse("worst.scn", []byte(p.Scenario(Schedule{&seed, faults.Light})))
	if err != nil {
		t.Fatal(err)
	}
	d, err := scenarios.Choose(s, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := scenarios.Run(s, scenarios.Options{Protocol: d.Config}.WithLevel(seed, faults.Light))
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for _, report := range r.Ledger.LossReports() {
		lost += len(report.Lost)
	}
	if int64(lost) != x.Most || lost == 0 || d.Revision != Default { // every record of the 20 and of the 30 is kept
		t.Errorf("the run loses %d records under %s, the report says %d", lost, d.Revision, x.Most)
	}
}

// Of a source of which every broker is down nobody leads the partitions once their sessions have ended: what is lost is told all the
// same.
func TestLostWithoutLeader(t *testing.T) {
	src, err := os.ReadFile("testdata/site-lost.yaml")
	if err != nil {
		t.Fatal(err)
	}
	late := strings.Replace(string(src), "steps:\n", "steps:\n- wait: 1m\n", 1)
	o := light
	o.Count = 4
	x := find(t, answered(t, parsed(t, "late.yaml", late), o), counted{question: "Q1", subject: "orders-0", what: "lost"})
	if x.Answer != Certain || x.Least != 1_000_000 || x.Most != 1_000_000 {
		t.Errorf("%+v", x)
	}
}

// A stopped plan says so, and answers from what was done.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	o := light
	done := 0
	o.Jobs, o.Each = 1, func() {
		if done++; done == 3 {
			cancel()
		}
	}
	p := load(t, "failback")
	p.Ask = []Question{Finished}
	r, err := p.Run(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	if !r.StoppedEarly || r.Runs < 3 || r.Runs == o.Count || r.Exit != 4 {
		t.Errorf("stopped early %v, %d runs, exit %d", r.StoppedEarly, r.Runs, r.Exit)
	}
	if text := string(r.AppendText(nil)); !strings.Contains(text, "It was stopped early: 3 runs of 40 were done.") {
		t.Errorf("%s", text)
	}
}

// A run that does not begin with the numbers of the file counts for nothing.
func TestUnmade(t *testing.T) {
	p := load(t, "failback")
	p.Settings = append(p.Settings, Setting{Key: "delivery-timeout", Value: "1us"}) // no record is there in time
	o := light
	o.Count = 3
	r := answered(t, p, o)
	if r.Runs != 0 || r.Unmade != 3 || r.Exit != 4 || !strings.Contains(r.UnmadeWhy, "seed 0: until") {
		t.Errorf("%d runs, %d not made: %s, exit %d", r.Runs, r.Unmade, r.UnmadeWhy, r.Exit)
	}
	for _, a := range r.Answers {
		if a.Answer != NotAnswered && a.Question != "Q4" {
			t.Errorf("%s is answered: %+v", a.Question, a)
		}
	}
}

// Under a revision that synchronises offsets beyond what is mirrored, a group skips what the new side writes there.
func TestOverride(t *testing.T) {
	p := load(t, "failback")
	if err := p.Override("start-stop", []string{"marker=none"}); err != nil {
		t.Fatal(err)
	}
	r := answered(t, p, Options{Count: 3, Level: faults.Light})
	if r.Revision != "start-stop" || r.Set["marker"] != "none" || len(r.Violations) == 0 || r.Exit != 1 {
		t.Errorf("%s %v, violations %v", r.Revision, r.Set, r.Violations)
	}
	x := find(t, r, counted{question: "Q2", subject: "orders-0", what: "discarded"})
	if want := "plan testdata/failback.yaml --protocol start-stop --set marker=none --show"; x.Worst != nil && !strings.Contains(x.Worst.Command, want) {
		t.Errorf("%q lacks %q", x.Worst.Command, want)
	}
	if err := p.Override("", []string{"marker=x"}); err == nil || !strings.Contains(err.Error(), "epoch-and-offset") {
		t.Errorf("%v", err)
	}
}

// PLAN.md has the example, and what it comes to.
func TestPages(t *testing.T) {
	page, err := os.ReadFile("PLAN.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/planned.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := between(string(page), "<!-- example.yaml -->\n", "\n## Keys", "```yaml\n"+Example+"```\n\n```text\n"+string(text)+"```\n")
	if *update {
		if err := os.WriteFile("PLAN.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		page = []byte(want)
	}
	if diff := cmp.Diff(want, string(page)); diff != "" {
		t.Errorf("PLAN.md differs; go test ./scenarios/plan -update\n%s", diff)
	}
	for _, keys := range [][]string{topKeys, sideKeys, acts, states[:4], questionWords()} {
		for _, k := range keys {
			if !strings.Contains(string(page), k) {
				t.Errorf("PLAN.md does not speak of %s", k)
			}
		}
	}
}

// between puts text between two marks.
func between(page, from, to, text string) string {
	i := strings.Index(page, from) + len(from)
	return page[:i] + text + page[i+strings.Index(page[i:], to):]
}

// What --show prints parses, and printed by the format it is the same scenario, on the calm schedule and under every level.
func TestScenarios(t *testing.T) {
	for _, name := range []string{"failback", "groups", "broker-down", "paused", "many"} {
		p := load(t, name)
		seen := map[string]bool{}
		for seed := range uint64(12) {
			for _, level := range []scenarios.Level{faults.None, faults.Light, faults.Swarm} {
				text := p.Scenario(Schedule{&seed, level})
				if seen[text] && level != faults.None {
					t.Logf("%s: seed %d is as another", name, seed)
				}
				seen[text] = true
				if _, err := format.Parse(name+".scn", []byte(text)); err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
			}
		}
		if len(seen) < 12 {
			t.Errorf("%s: %d scenarios of 12 seeds", name, len(seen))
		}
		if calm := p.Scenario(Schedule{}); strings.Contains(calm, "at-point") || !slices.Contains(strings.Split(calm, "\n"), "scenario "+p.Name) {
			t.Errorf("%s", calm)
		}
	}
}

// What fell is told by the operator's names, also where he calls a cluster as the scenario calls the other one.
func TestTranslate(t *testing.T) {
	p := parsed(t, "mine.yaml", strings.NewReplacer("east", "B", "west", "A").Replace(sound))
	f := &folder{script: p.write(), nodes: []string{"a0", "a1", "a2", "b0", "b1"}}
	name := f.parts[0].name
	for text, want := range map[string]string{
		"A/" + name + "-0@a1 was cut to 10, although its source B/" + name + "-0@b0 has it": "orders-0 on broker 2 of B was cut to 10, " +
			"although its source orders-0 on broker 11 of A has it",
		"the stop of B/" + name + "-0 began": "the stop of orders-0 on A began",
		"node 3 waits for node 9":            "broker 11 of A waits for node 9",
		"the mirror of A appended":           "the mirror of B appended",
		"a7 says: APPEND":                    "a7 says: APPEND",
	} {
		if got := f.translate(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// The commands of a report are such as a shell takes them, and what is VIOLATED has no letters of the scenario.
func TestReportOfViolations(t *testing.T) {
	p := parsed(t, "my plan.yaml", Example)
	if err := p.Override("start-stop", nil); err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(t.Context(), Options{Count: 6, Level: scenarios.NoFaults})
	if err != nil || len(r.Violations) == 0 {
		t.Fatalf("%v, %d violations", err, len(r.Violations))
	}
	for _, v := range r.Violations {
		if !strings.HasPrefix(v.Command, "mirrorsim plan 'my plan.yaml' --protocol start-stop --show ") || scenarioWord.MatchString(v.Sentence) {
			t.Errorf("%s: %s", v.Sentence, v.Command)
		}
	}
	if text := string(r.AppendText(nil)); !strings.Contains(text, "are those of the scenario, whose logs are shorter") {
		t.Errorf("it does not say whose offsets these are:\n%s", text)
	}
}
