package scenarios

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim/choice"
)

// recorded is a recording of F1 under a seed, as it is read back from its text, and its run.
func recorded(t *testing.T) (*Recording, *Result, Options) {
	t.Helper()
	s, d := withSets(t, "F1", "leader-cut=keep")
	r, rec, err := Record(s, d, Options{Protocol: d.Config}.WithSeed(15))
	if err != nil {
		t.Fatal(err)
	}
	text := string(rec.AppendText(nil))
	back, err := ParseRecording("f1.rec", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(text, string(back.AppendText(nil))); d != "" {
		t.Errorf("read back it is another text:\n%s", d)
	}
	if strings.Contains(text, "seed") || !strings.Contains(text, "\nset leader-cut=keep\n") {
		t.Error("a recording has no seed, and has the design")
	}
	return back, r, Options{Protocol: d.Config}
}

func replay(t *testing.T, rec *Recording, o Options) *Replay {
	t.Helper()
	x, err := rec.Replay(o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestReplayIsTheRun(t *testing.T) {
	rec, r, o := recorded(t)
	x := replay(t, rec, o)
	if x.Differs != nil || x.Removed != 0 || x.Unused != 0 {
		t.Errorf("differs: %v, removed %d, unused %d", x.Differs, x.Removed, x.Unused)
	}
	if x.Result.Hash != r.Hash || x.Result.Choices != r.Choices || len(rec.Hashes) != int(r.Events) || len(r.Deviations) < 5 {
		t.Errorf("hash %x, want %x; %d choices, want %d; %d hashes of %d events; %d deviations", x.Result.Hash, r.Hash,
			x.Result.Choices, r.Choices, len(rec.Hashes), r.Events, len(r.Deviations))
	}
}

// With any one deviation removed it still runs, and says that one is gone and where the runs part.
func TestReplayWithOneRemoved(t *testing.T) {
	rec, _, o := recorded(t)
	for i, gone := range rec.Scenario.Schedule {
		s := *rec.Scenario
		s.Schedule = slices.Delete(slices.Clone(s.Schedule), i, i+1)
		x := replay(t, &Recording{&s, rec.Made, rec.Hashes}, o)
		if x.Removed != 1 || x.Differs == nil && x.Result.Hash>>32 != uint64(rec.Hashes[len(rec.Hashes)-1]) {
			t.Errorf("without %v: %d removed, differs: %v", gone, x.Removed, x.Differs)
		}
		if at := firstDifference(t, rec.Scenario, &s, o); (x.Differs == nil) != (at < 0) || at >= 0 && x.Differs.Index != uint64(at) {
			t.Errorf("without %v: %v, want event %d", gone, x.Differs, at)
		}
	}
}

// firstDifference is the index of the first event in which the runs of two scenarios differ; -1: none.
func firstDifference(t *testing.T, a, b *format.Scenario, o Options) int {
	t.Helper()
	var histories [2][]string
	for i, s := range []*format.Scenario{a, b} {
		o.Listen = func(e *event.Event) { histories[i] = append(histories[i], fmt.Sprintf("%x", e.Mix(0))) }
		if _, err := Run(s, o); err != nil {
			t.Fatal(err)
		}
	}
	for i := range max(len(histories[0]), len(histories[1])) {
		if i >= len(histories[0]) || i >= len(histories[1]) || histories[0][i] != histories[1][i] {
			return i
		}
	}
	return -1
}

func TestReplayCountsWhatNoLongerApplies(t *testing.T) {
	rec, _, o := recorded(t)
	rec.Scenario.Schedule = append(rec.Scenario.Schedule,
		choice.Deviation{Key: choice.Key{Label: choice.NetDelay, Subject: 1, Nth: 1 << 20}, Value: 1},
		choice.Deviation{Key: choice.Key{Label: choice.TimerJitter, Subject: 1 << 20}, Value: 1})
	if x := replay(t, rec, o); x.Unused != 2 || x.Differs != nil {
		t.Errorf("%d unused, differs: %v", x.Unused, x.Differs)
	}
}

// A replay names the first event that differs as it is now.
func TestReplayNamesTheEvent(t *testing.T) {
	rec, r, o := recorded(t)
	const changed = 200
	var want event.Event
	o.Listen = func(e *event.Event) {
		if e.Index == changed {
			want = *e
		}
	}
	all := len(rec.Hashes)
	for _, c := range []struct {
		name   string
		hashes []uint32
		want   func() Difference
	}{
		{"one event changed", slices.Concat(rec.Hashes[:changed], []uint32{rec.Hashes[changed] + 1}, rec.Hashes[changed+1:]),
			func() Difference {
				return Difference{Index: changed, Kind: want.Kind, At: want.At, Node: r.Names.Node(want.Node)}
			}},
		{"the recording is shorter", rec.Hashes[:changed], func() Difference {
			return Difference{Index: changed, Kind: want.Kind, At: want.At, Node: r.Names.Node(want.Node), Ended: true}
		}},
		{"the recording is longer", append(slices.Clone(rec.Hashes), 7), func() Difference {
			return Difference{Index: uint64(all), At: r.Virtual}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := replay(t, &Recording{rec.Scenario, rec.Made, c.hashes}, o)
			if x.Differs == nil {
				t.Fatal("it differs nowhere")
			}
			if d := cmp.Diff(c.want(), *x.Differs); d != "" {
				t.Error(d)
			}
			if !strings.Contains(x.Differs.String(), fmt.Sprint("event ", x.Differs.Index)) {
				t.Error(x.Differs)
			}
		})
	}
}

func TestBadRecordings(t *testing.T) {
	const head = "mirrorsim.recording/1 deviations=0\n"
	const body = "scenario X\ncluster A brokers=1\n"
	for _, c := range []struct {
		name, text string
		line       int
		word       string
	}{
		{"empty", "", 1, ""},
		{"a scenario", body, 1, "scenario"},
		{"another version", "mirrorsim.recording/2 deviations=0\n" + body + "events 0\n", 1, "mirrorsim.recording/2"},
		{"no deviations", "mirrorsim.recording/1\n" + body + "events 0\n", 1, ""},
		{"deviations not a number", "mirrorsim.recording/1 deviations=x\n" + body + "events 0\n", 1, "deviations=x"},
		{"cut off", head + body, 3, ""},
		{"bad scenario", head + "scenario X\ncluster A brokrs=1\nevents 0\n", 3, "brokrs=1"},
		{"bad count", head + body + "events many\n", 4, "many"},
		{"hash too short", head + body + "events 2\n00000000 123\n", 5, "123"},
		{"hash not hexadecimal", head + body + "events 2\n00000000\nx2345678\n", 6, "x2345678"},
		{"a hash missing", head + body + "events 2\n00000000\n", 4, "2"},
		{"a hash too many", head + body + "events 0\n00000000\n", 4, "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseRecording("x.rec", []byte(c.text))
			syntax, ok := err.(*format.SyntaxError)
			if !ok {
				t.Fatalf("%v", err)
			}
			if syntax.File != "x.rec" || syntax.Line != c.line || syntax.Word != c.word || syntax.Error() == "" {
				t.Errorf("%+v", syntax)
			}
		})
	}
}

// The example of RECORDING.md is one, but for the hashes that it leaves out.
func TestPagesRecording(t *testing.T) {
	page, err := os.ReadFile("RECORDING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```\n"+recordingHead)
	text, _, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatal("RECORDING.md has no example")
	}
	text = recordingHead + text
	example, err := ParseRecording("RECORDING.md", []byte(strings.ReplaceAll(text, "...", strings.Repeat(" 00000000", 33))))
	if err != nil {
		t.Fatal(err)
	}
	if example.Made != len(example.Scenario.Schedule) || len(example.Hashes) != 35 {
		t.Errorf("%d deviations made, %d there, %d hashes", example.Made, len(example.Scenario.Schedule), len(example.Hashes))
	}
	if got := string(example.AppendText(nil)); !strings.HasPrefix(got, text[:strings.Index(text, "events")]) {
		t.Errorf("not in the form in which it is written:\n%s", got)
	}
}
