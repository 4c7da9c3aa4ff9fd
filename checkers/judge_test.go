package checkers

import (
	"strings"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// judge runs events through a suite that watches everything.
func judge(t *testing.T, events []event.Event) *Suite {
	t.Helper()
	s, err := NewSuite(topology)
	if err != nil {
		t.Fatal(err)
	}
	for i := range events {
		s.Observe(&events[i])
	}
	s.Finish()
	return s
}

func verdictOf(t *testing.T, s *Suite, property string) Verdict {
	t.Helper()
	for _, v := range s.Verdicts() {
		if v.Property == property {
			return v
		}
	}
	t.Fatalf("no verdict on %s", property)
	return Verdict{}
}

// wantViolated holds a verdict against the words that one of its sentences must have.
func wantViolated(t *testing.T, s *Suite, property string, words ...string) {
	t.Helper()
	v := verdictOf(t, s, property)
	if v.Status != Violated {
		t.Fatalf("%s is %v, want violated", property, v.Status)
	}
	for _, x := range v.Violations {
		found := x.Facts[0] != "" && x.Facts[1] != ""
		for _, w := range words {
			found = found && strings.Contains(x.Sentence, w)
		}
		if found {
			return
		}
	}
	t.Fatalf("no sentence of %s has all of %q:\n%+v", property, words, v.Violations)
}

// find is the place of the nth event (from 0) that fits.
func find(t *testing.T, events []event.Event, nth int, fits func(*event.Event) bool) int {
	t.Helper()
	for i := range events {
		if fits(&events[i]) {
			if nth == 0 {
				return i
			}
			nth--
		}
	}
	t.Fatal("the history has no such event")
	return -1
}

func kindOn(k event.Kind, n id.Node) func(*event.Event) bool {
	return func(e *event.Event) bool { return e.Kind == k && e.Node == n }
}
