package format

import (
	"errors"
	"strings"
	"testing"

	"mirrorsim/model/protocol"
)

func TestNearest(t *testing.T) {
	for word, want := range map[string]string{"prodce": "produce", "clster": "cluster", "topics": "topic", "produce": "", "zzz": "",
		"on": "", "expct": "expect", "x": "", "create-topic": "create-topics", "Save": ""} {
		if got := Nearest(word, keywords()); got != want {
			t.Errorf("Nearest(%s) gives %q, want %q", word, got, want)
		}
	}
}

// Of two pairs the keys are alike, or the values of one key.
func TestNearestPair(t *testing.T) {
	want := []string{"acks=0", "acks=all", "replicas=N", "absent"}
	for word, near := range map[string]string{"ack=all": "acks=all", "acks=2": "", "acks=al": "acks=all", "replica=3": "replicas=N",
		"acks=all": "", "abscent": "absent"} {
		if got := Nearest(word, want); got != near {
			t.Errorf("Nearest(%s) gives %q, want %q", word, got, near)
		}
	}
}

// What the protocol package says of a word becomes an error that has the word and what would be accepted.
func TestUnknown(t *testing.T) {
	var c protocol.Config
	_, revision := protocol.Revision("hardend")
	for _, x := range []struct {
		name  string
		err   error
		want  string
		words int
	}{
		{"revision", revision, `--x y: no revision is called "hardend", perhaps hardened is meant; accepted: add-remove, start-stop, `, 5},
		{"decision", c.Set("markr", "none"), `--x y: no decision is called "markr", perhaps marker is meant; accepted: marker, `, 54},
		{"option", c.Set("marker", "epok"), `--x y: "epok" is no option of marker; accepted: `, 4},
		{"order", c.Set("stop-order", "fence"), `--x y: "fence" is not a list of all that stop-order takes; accepted: `, 1},
	} {
		t.Run(x.name, func(t *testing.T) {
			var e *InputError
			if err := Unknown("--x y: ", x.err); !errors.As(err, &e) || !strings.HasPrefix(err.Error(), x.want) || len(e.Want) != x.words || e.Word == "" {
				t.Errorf("%v, %+v, want %s and %d words", err, e, x.want, x.words)
			}
		})
	}
	if other := errors.New("other"); Unknown("x", other) != other {
		t.Error("another error is changed")
	}
}
