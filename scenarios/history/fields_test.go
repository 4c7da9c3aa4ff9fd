package history

import (
	"slices"
	"strings"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// TestRowsHaveTheSchema: each kind has a field for each of its schema, and none for another, and no two of one name.
func TestRowsHaveTheSchema(t *testing.T) {
	// What an event repeats of its batch, and what follows from another field.
	implied := map[event.Kind][]string{
		event.Appended:      {"BatchEpoch", "Offset", "End", "ProducerID", "Sequence"},
		event.Compacted:     {"Sequence"},
		event.ConfigChanged: {"From"},
	}
	for k := event.Kind(1); int(k) < event.Kinds; k++ {
		t.Run(k.String(), func(t *testing.T) {
			var want, got []string
			for _, f := range event.Schemas()[k].Fields {
				name, _, _ := strings.Cut(f, ":")
				want = append(want, name)
			}
			got = append(got, implied[k]...)
			seen := map[string]bool{"us": true, "kind": true, "node": true}
			for _, f := range rows[k].fields {
				got = append(got, slotNames[f.slot])
				if seen[f.name] || f.name == "" || f.form.accepts == "" {
					t.Errorf("field %q stands twice, or has no form", f.name)
				}
				seen[f.name] = true
			}
			slices.Sort(want)
			slices.Sort(got)
			if got = slices.Compact(got); !slices.Equal(got, want) {
				t.Errorf("it has fields for %v, the schema is %v", got, want)
			}
			if len(rows[k].from) == 0 {
				t.Error("it comes from no node")
			}
		})
	}
}

// TestSlots: what is set is got, and nothing else changes.
func TestSlots(t *testing.T) {
	for s := range batchSlot {
		e := event.Event{Kind: event.Asserted, Peer: id.None}
		v := int64(3)
		if s == place || s == topicSlot {
			v = 5 << 16
		}
		s.set(&e, v)
		if got := s.get(&e); got != v {
			t.Errorf("%s: set %d, got %d", slotNames[s], v, got)
		}
		if e.Undeclared() != slotNames[s] {
			t.Errorf("%s was set, and %s is", slotNames[s], e.Undeclared())
		}
	}
}

// TestWords: the words of a list differ, and each is read back.
func TestWords(t *testing.T) {
	for name, f := range map[string]form{"crash": crashWords, "hindrance": hinderWords, "catch": catchWords, "origin": originWords,
		"truncate": truncateWords, "change": changeWords, "report": reportWords, "fetcher": fetcherWords, "commit": commitWords,
		"entry": entryWords, "control": controlWords, "state": stateWords, "desired": desiredWords, "transaction": transactionWords,
		"config": configWords, "point": pointWords, "step": stepWords, "code": codeWords, "api": apiWords, "admin": adminWords,
		"reason": reasonWords} {
		n, had := newNames(), 0
		for v := range int64(256) {
			text, ok := f.put(nil, n, v)
			if !ok {
				continue
			}
			had++
			if got, bad := f.take(text, n); bad != nil || got != v {
				t.Errorf("%s: %d is written %s, and read %d, %v", name, v, text, got, bad)
			}
		}
		if had < 2 {
			t.Errorf("%s has %d words", name, had)
		}
	}
}
