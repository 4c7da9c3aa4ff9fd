package choice

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

type question struct {
	label   Label
	subject uint32
	n       uint32
	odds    uint16
}

func drawQuestions(t *rapid.T) []question {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) question {
		return question{
			label:   Label(rapid.IntRange(0, Labels-1).Draw(t, "label")),
			subject: rapid.Uint32Range(0, 40).Draw(t, "subject") * 257,
			n:       rapid.Uint32Range(0, 20).Draw(t, "n"),
			odds:    rapid.Uint16().Draw(t, "odds"),
		}
	}), 0, 400).Draw(t, "questions")
}

func answers(s *Source, list []question) []uint32 {
	out := make([]uint32, len(list))
	for i, q := range list {
		out[i] = s.Int(q.label, q.subject, q.n, q.odds)
	}
	return out
}

func TestReplayReproducesSeeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawQuestions(t)
		seeded := NewSource(Seeded(rapid.Uint64().Draw(t, "seed")))
		want := answers(seeded, list)
		var unused int
		replay := NewSource(Replay(seeded.Deviations(), &unused))
		if diff := cmp.Diff(want, answers(replay, list)); diff != "" {
			t.Fatalf("the replay answers otherwise (-seeded +replay):\n%s", diff)
		}
		if diff := cmp.Diff(seeded.Deviations(), replay.Deviations()); diff != "" {
			t.Fatalf("the replay records otherwise:\n%s", diff)
		}
		if unused != 0 || seeded.Count() != replay.Count() {
			t.Fatalf("unused %d, asked %d and %d", unused, seeded.Count(), replay.Count())
		}
	})
}

func TestSourceCountsEachQuestion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var asked []Key
		s := NewSource(chooserFunc(func(k Key, n uint32, _ uint16) uint32 { asked = append(asked, k); return 0 }))
		var want []Key
		times := map[[2]uint32]uint32{}
		for _, q := range drawQuestions(t) {
			s.Int(q.label, q.subject, q.n, q.odds)
			if q.n > 1 {
				k := [2]uint32{uint32(q.label), q.subject}
				want = append(want, Key{q.label, q.subject, times[k]})
				times[k]++
			}
		}
		if diff := cmp.Diff(want, asked); diff != "" {
			t.Fatal(diff)
		}
		if s.Count() != uint64(len(want)) {
			t.Fatalf("counted %d questions, want %d", s.Count(), len(want))
		}
	})
}

// A small table that is half full: questions about one subject stand side by side.
func TestSourceCountsInACrowdedTable(t *testing.T) {
	for trial := range uint64(2000) {
		var last Key
		s := NewSource(chooserFunc(func(k Key, _ uint32, _ uint16) uint32 { last = k; return 0 }))
		times := map[[2]uint32]uint32{}
		for i := range uint64(60) {
			r := splitmix(trial<<32 | i)
			l, subject := Label(r%uint64(Labels)), uint32(r>>32%12*37)
			s.Int(l, subject, 2, 0)
			k := [2]uint32{uint32(l), subject}
			if want := (Key{l, subject, times[k]}); last != want {
				t.Fatalf("trial %d: asked %v, want %v", trial, last, want)
			}
			times[k]++
		}
	}
}

func TestSourceCountsManyQuestions(t *testing.T) {
	var last Key
	s := NewSource(chooserFunc(func(k Key, _ uint32, _ uint16) uint32 { last = k; return 0 }))
	for nth := range uint32(3) {
		for subject := range uint32(300) {
			for l := range Labels {
				s.Int(Label(l), subject, 2, 0)
				if want := (Key{Label(l), subject, nth}); last != want {
					t.Fatalf("asked %v, want %v", last, want)
				}
			}
		}
	}
}

func TestForkGoesOnAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := drawQuestions(t), drawQuestions(t)
		seed := rapid.Uint64().Draw(t, "seed")
		whole := NewSource(Seeded(seed))
		answers(whole, before)
		want := answers(whole, after)

		s := NewSource(Seeded(seed))
		answers(s, before)
		same, other := s.Fork(nil), s.Fork(Seeded(seed+1))
		answers(other, after)
		for name, x := range map[string]*Source{"original": s, "fork": same} {
			if diff := cmp.Diff(want, answers(x, after)); diff != "" {
				t.Fatalf("%s answers otherwise:\n%s", name, diff)
			}
			if diff := cmp.Diff(whole.Deviations(), x.Deviations()); diff != "" {
				t.Fatalf("%s records otherwise:\n%s", name, diff)
			}
		}
	})
}

func TestSeededIsCalmAsOftenAsItShould(t *testing.T) {
	const draws, n = 200_000, 5
	for _, odds := range []uint16{0, 655, 16384, 65535} {
		var got [n]int
		for i := range uint32(draws) {
			got[Seeded(7).Choose(Key{NetDelay, i % 90, i / 90}, n, odds)]++
		}
		want := draws * (1 - float64(odds)/65536)
		if d := float64(got[0]) - want; d > 1000 || d < -1000 {
			t.Errorf("odds %d: %d of %d calm, want about %.0f", odds, got[0], draws, want)
		}
		each := draws * float64(odds) / 65536 / (n - 1)
		for v := 1; v < n; v++ {
			if d := float64(got[v]) - each; d > 1000 || d < -1000 {
				t.Errorf("odds %d: value %d drawn %d times, want about %.0f", odds, v, got[v], each)
			}
		}
	}
}

// A seed in a report means the same on every machine and after every release of Go and of this project.
func TestSeededNeverChanges(t *testing.T) {
	var got []uint32
	for i := range uint32(12) {
		got = append(got, Seeded(42).Choose(Key{TimerJitter, 258, i}, 1000, 40000))
	}
	want := []uint32{938, 983, 0, 0, 668, 908, 448, 0, 0, 0, 0, 0}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	if got := splitmix(0); got != 0xe220a8397b1dcdaf { // the published first output of splitmix64 for seed 0
		t.Errorf("splitmix64: %x", got)
	}
}

func TestReplayCountsWhatNoLongerApplies(t *testing.T) {
	list := []Deviation{
		{Key{NetDrop, 1, 0}, 1},
		{Key{NetDelay, 1, 0}, 9},   // only 5 answers are left
		{Key{NetDelay, 2, 0}, 1},   // is asked by forks only
		{Key{NetDrop, 1, 0}, 2},    // a second one of the same key
		{Key{Label(200), 1, 0}, 2}, // of a later release
	}
	var unused int
	s := NewSource(Replay(list, &unused))
	if unused != 5 {
		t.Errorf("before the first question: unused %d, want 5", unused)
	}
	got := []uint32{s.Int(NetDrop, 1, 3, 0), s.Int(NetDrop, 1, 3, 0), s.Int(NetDelay, 1, 5, 0), s.Int(Plan, 2, 5, 65535)}
	if diff := cmp.Diff([]uint32{1, 0, 0, 0}, got); diff != "" {
		t.Error(diff)
	}
	if unused != 4 {
		t.Errorf("unused %d, want 4", unused)
	}
	for _, f := range []*Source{s.Fork(nil), s.Fork(nil)} { // both ask for the entry that is there once
		if f.Ask(Key{NetDelay, 2, 0}, 2, 0) != 1 || unused != 3 {
			t.Errorf("a fork: unused %d, want 3", unused)
		}
	}
}

func TestAnswerOutOfRangeIsRefused(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an answer of 2 to a question with two answers was taken")
		}
	}()
	NewSource(chooserFunc(func(Key, uint32, uint16) uint32 { return 2 })).Int(NetDrop, 0, 2, 0)
}

func TestSourceDoesNotAllocate(t *testing.T) {
	s := NewSource(Seeded(1))
	ask := func() {
		for i := range uint32(50) {
			s.Int(TimerJitter, i*256, 17, 0)
			s.Ask(Key{NetDrop, i, 0}, 2, 0)
		}
	}
	ask()
	if n := testing.AllocsPerRun(100, ask); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

type chooserFunc func(Key, uint32, uint16) uint32

func (f chooserFunc) Choose(k Key, n uint32, odds uint16) uint32 { return f(k, n, odds) }

func BenchmarkInt(b *testing.B) {
	for name, odds := range map[string]uint16{"calm": 0, "drawn": 600} {
		b.Run(name, func(b *testing.B) {
			s := NewSource(Seeded(1))
			b.ReportAllocs()
			for i := range b.N {
				s.Int(TimerJitter, uint32(i&15)<<8, 17, odds)
			}
		})
	}
}
