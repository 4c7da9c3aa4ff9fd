package coordinator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mirrorsim/model/coordinator"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// fromTable is the table of section 3 of the design, typed again: for each state, from which others it may be stored.
var fromTable = map[string][]string{
	"PREPARING":     {"UNKNOWN", "STOPPED", "FAILED"},
	"EPOCH_FENCING": {"MIRRORING"},
	"ULE_RECOVERY":  {"MIRRORING"},
	"MIRRORING":     {"PREPARING", "EPOCH_FENCING", "ULE_RECOVERY", "PAUSED", "FAILED"},
	"PAUSING":       {"MIRRORING"},
	"PAUSED":        {"PAUSING"},
	"STOPPING":      {"PREPARING", "EPOCH_FENCING", "ULE_RECOVERY", "MIRRORING", "PAUSING", "PAUSED", "FAILED"},
	"STOPPED":       {"STOPPING"},
	"FAILED":        {"UNKNOWN", "PREPARING", "EPOCH_FENCING", "ULE_RECOVERY", "MIRRORING", "PAUSING", "PAUSED", "STOPPING"},
}

// legal is that table with self-edges and D46, the stop of an UNKNOWN partition.
func legal(from, to record.State, stopsUnknown bool) bool {
	switch {
	case to == record.Unknown:
		return false // it means that nothing is stored
	case from == to, from == record.Unknown && to == record.Stopping && stopsUnknown:
		return true
	}
	return slices.Contains(fromTable[to.String()], from.String())
}

func TestLegal(t *testing.T) {
	count := 0
	for _, unknownStop := range []string{"illegal", "stopping"} {
		var c protocol.Config
		if err := c.Set("unknown-stop", unknownStop); err != nil {
			t.Fatal(err)
		}
		for from := range record.State(record.States) {
			for to := range record.State(record.States) {
				want := legal(from, to, unknownStop == "stopping")
				if got := coordinator.Legal(from, to, &c); got != want {
					t.Errorf("unknown-stop=%s: %s to %s: legal %t, want %t", unknownStop, from, to, got, want)
				}
				if want {
					count++
				}
			}
		}
	}
	// 28 edges of the table and 9 self-edges, twice, and STOPPING from UNKNOWN once.
	if count != 2*(28+9)+1 {
		t.Errorf("%d edges are legal", count)
	}
}

// TestMachine: the table that people read has a row for each state, and its marks name decisions and options that exist.
func TestMachine(t *testing.T) {
	rows := coordinator.Machine()
	var states []record.State
	for _, r := range rows {
		states = append(states, r.State)
		if r.Action == "" || r.Then == "" || r.Source == "" {
			t.Errorf("the row of %s is not complete: %+v", r.State, r)
		}
		for i, e := range r.From {
			if e.When == "" || e.State == r.State || i > 0 && e.State <= r.From[i-1].State {
				t.Errorf("%s to %s: %q, or out of order", e.State, r.State, e.When)
			}
			checkMark(t, e.Mark)
		}
	}
	slices.Sort(states)
	for s := range record.State(record.States) {
		if len(states) != record.States || states[s] != s {
			t.Fatalf("the rows are of %v", states)
		}
	}
}

// checkMark wants "ID name" or "ID name=option".
func checkMark(t *testing.T, mark string) {
	t.Helper()
	if mark == "" {
		return
	}
	id, rest, _ := strings.Cut(mark, " ")
	name, token, chosen := strings.Cut(rest, "=")
	var c protocol.Config
	for _, d := range protocol.Decisions() {
		if d.ID == id && d.Name == name && (!chosen || c.Set(name, token) == nil) {
			return
		}
	}
	t.Errorf("the mark %q names no decision", mark)
}

// TestEdges stores every edge at a coordinator that has the state before in its log. D38 is the answer to an illegal one.
func TestEdges(t *testing.T) {
	for _, answer := range []string{"error", "ignore"} {
		for from := range record.State(record.States) {
			for to := record.Preparing; int(to) < record.States; to++ {
				t.Run(fmt.Sprintf("%s/%s-%s", answer, from, to), func(t *testing.T) {
					edge(t, answer, from, to)
				})
			}
		}
	}
}

func edge(t *testing.T, answer string, from, to record.State) {
	r := newRig(t, "illegal-edge", answer)
	if from != record.Unknown {
		r.append(0, by(0, 7, state(from)))
	}
	r.elect(1, self)
	r.load()
	before := r.replica.Log.End()
	res := r.write(by(0, 7, state(to)))
	if legal(from, to, false) {
		stateEpoch := int32(8)
		if from == record.Unknown {
			stateEpoch = 1
		}
		want := by(0, stateEpoch, state(to))
		if want.Previous = from; from == record.Failed && to == record.Failed {
			want.Previous = record.Unknown // what FAILED was stored from first
		}
		same(t, "stored", res.Stored, want)
		same(t, "code and end", []any{res.Code, r.replica.Log.End()}, []any{wire.OK, before + 1})
		same(t, "read", r.read(mirrorM).State, want)
		return
	}
	want := wire.InvalidClusterMirrorState
	if answer == "ignore" {
		want = wire.OK
	}
	same(t, "code and end", []any{res.Code, r.replica.Log.End()}, []any{want, before})
	same(t, "stays", []any{r.read(mirrorM).State.State, res.Mirror}, []any{from, mirrorM})
	if from != record.Unknown {
		same(t, "what is stored", res.Stored, by(0, 7, state(from)))
	}
}

// TestTaken: an edge that a decision makes legal is taken under that decision alone (D46), and so is what comes behind it.
func TestTaken(t *testing.T) {
	for _, c := range []struct {
		token string
		want  bool
	}{{"illegal", false}, {"stopping", true}} {
		config, err := protocol.Revision("start-stop")
		if err != nil {
			t.Fatal(err)
		}
		if err := config.Set("unknown-stop", c.token); err != nil {
			t.Fatal(err)
		}
		edges := coordinator.Taken(&config)
		if got := edges[record.Unknown][record.Stopping]; got != c.want {
			t.Errorf("unknown-stop=%s: UNKNOWN to STOPPING is taken: %t", c.token, got)
		}
		if !edges[record.Unknown][record.Preparing] || !edges[record.Mirroring][record.Stopping] {
			t.Errorf("unknown-stop=%s: what every revision takes is not taken", c.token)
		}
	}
}
